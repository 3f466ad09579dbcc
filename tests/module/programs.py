"""Networks trained with modules, in programs that run on MXNet 1.9.1 and on gluon alike."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable
from importlib import import_module

import numpy as np

from tests.training.callbacks import logs


def drawn(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """The same floats every time."""
    return (np.random.RandomState(seed).randn(*shape) * scale).astype("float32")


def started(mx, symbol, **shapes) -> dict:
    """Values for the parameters of a symbol, the same every time."""
    names = symbol.list_arguments()
    found, _, _ = symbol.infer_shape(**shapes)
    return {
        name: mx.nd.array(drawn(*shape, seed=seed, scale=0.3 / max(1, shape[0] ** 0.25)))
        for seed, (name, shape) in enumerate(zip(names, found))
        if name not in shapes
    }


def lenet(mx):
    """The network of LeCun's, small."""
    sym = mx.sym
    x = sym.Variable("data")
    x = sym.Activation(
        sym.Convolution(x, kernel=(3, 3), num_filter=4, name="conv1"), act_type="tanh"
    )
    x = sym.Pooling(x, pool_type="max", kernel=(2, 2), stride=(2, 2))
    x = sym.Convolution(x, kernel=(3, 3), num_filter=6, name="conv2")
    x = sym.BatchNorm(x, fix_gamma=False, name="bn")
    x = sym.Pooling(
        sym.Activation(x, act_type="tanh"), pool_type="max", kernel=(2, 2), stride=(2, 2)
    )
    x = sym.FullyConnected(sym.Flatten(x), num_hidden=10, name="fc1")
    x = sym.FullyConnected(sym.Activation(x, act_type="tanh"), num_hidden=3, name="fc2")
    return sym.SoftmaxOutput(x, name="softmax")


def pictures(mx, samples: int = 20, batch_size: int = 8):
    """Batches of pictures, the last one padded."""
    x = drawn(samples, 1, 14, 14)
    y = (x.mean(axis=(1, 2, 3)) > 0).astype("float32") + (x[:, 0, 0, 0] > 0)
    return mx.io.NDArrayIter(x, y, batch_size)


def numbers(metric) -> np.ndarray:
    """The values of a metric."""
    return np.array([value for _, value in metric])


def parameters(module) -> list[np.ndarray]:
    """The parameters and states of a module, in the order of their names."""
    return [one.asnumpy() for part in module.get_params() for _, one in sorted(part.items())]


def train_lenet(mx) -> list:
    """Training with a `Speedometer` and checkpoints, and uses of the trained module."""
    symbol, batches = lenet(mx), pictures(mx)
    with tempfile.TemporaryDirectory() as folder, logs() as lines:
        module = mx.module.Module(symbol)
        module.fit(
            batches,
            eval_data=pictures(mx),
            eval_metric=["acc", "ce"],
            optimizer="sgd",
            optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01},
            arg_params=started(mx, symbol, data=(8, 1, 14, 14), softmax_label=(8,)),
            allow_missing=True,
            num_epoch=4,
            batch_end_callback=mx.callback.Speedometer(8, 1),
            epoch_end_callback=mx.callback.do_checkpoint(f"{folder}/net", 2),
        )
        files = sorted(os.listdir(folder))
        loaded = mx.module.Module.load(f"{folder}/net", 4)
        loaded.bind(batches.provide_data, batches.provide_label, for_training=False)
        again, ones = loaded.predict(batches), loaded.predict(mx.nd.ones((8, 1, 14, 14)))
        _, args, auxes = mx.model.load_checkpoint(f"{folder}/net", 2)
    words = [line.split("Speed")[0].split("=")[0].split('"')[0] for line in lines]
    return [
        *words,
        *files,
        *module.output_names,
        *sorted(args),
        *sorted(auxes),
        *parameters(module),
        numbers(module.score(batches, ["acc", "ce"])),
        module.predict(batches),
        again,
        *module.predict(batches, merge_batches=False, num_batch=2)[1],
        ones,
    ]


def two_contexts(mx) -> list:
    """A batch split over contexts, with a store that sums the gradients."""
    symbol, batches = lenet(mx), pictures(mx)
    found = []
    for store in ("local", "device", None):
        module = mx.module.Module(symbol, context=[mx.cpu(0), mx.cpu(1)])
        batches.reset()
        module.fit(
            batches,
            kvstore=store,
            optimizer="nag",
            optimizer_params={"learning_rate": 0.1, "momentum": 0.5},
            arg_params=started(mx, symbol, data=(8, 1, 14, 14), softmax_label=(8,)),
            allow_missing=True,
            num_epoch=1,
        )
        module.forward(mx.io.DataBatch([mx.nd.ones((8, 1, 14, 14))], [mx.nd.zeros((8,))]))
        merged, apart = module.get_outputs()[0], module.get_outputs(merge_multi_context=False)[0]
        found += [*parameters(module), merged, *apart]
    return found


def bucketing(mx) -> list:
    """Sequences of three lengths, by an LSTM that is unrolled by hand."""
    sym, hidden, words = mx.sym, 6, 9

    def cell(x, h, c, shared, step):
        i2h = sym.FullyConnected(
            x, shared["iw"], shared["ib"], num_hidden=4 * hidden, name=f"t{step}_i2h"
        )
        h2h = sym.FullyConnected(
            h, shared["hw"], shared["hb"], num_hidden=4 * hidden, name=f"t{step}_h2h"
        )
        gates = sym.SliceChannel(i2h + h2h, num_outputs=4, name=f"t{step}_slice")
        c = sym.sigmoid(gates[1]) * c + sym.sigmoid(gates[0]) * sym.tanh(gates[2])
        return sym.sigmoid(gates[3]) * sym.tanh(c), c

    def sym_gen(length):
        data, label = sym.Variable("data"), sym.Variable("softmax_label")
        shared = {name: sym.Variable(f"lstm_{name}") for name in ("iw", "ib", "hw", "hb")}
        x = sym.Embedding(data, input_dim=words, output_dim=5, name="embed")
        steps = sym.SliceChannel(x, num_outputs=length, axis=1, squeeze_axis=True)
        h = c = sym.zeros(shape=(4, hidden))
        outputs = []
        for step in range(length):
            h, c = cell(steps[step], h, c, shared, step)
            outputs.append(sym.expand_dims(h, axis=1))
        joined = sym.Reshape(sym.Concat(*outputs, dim=1), shape=(-1, hidden))
        scores = sym.FullyConnected(joined, num_hidden=words, name="pred")
        flat = sym.Reshape(label, shape=(-1,))
        return sym.SoftmaxOutput(scores, flat, name="softmax"), ["data"], ["softmax_label"]

    module = mx.module.BucketingModule(sym_gen, default_bucket_key=6)
    module.bind([("data", (4, 6))], [("softmax_label", (4, 6))])
    symbol = sym_gen(6)[0]
    module.init_params(arg_params=started(mx, symbol, data=(4, 6), softmax_label=(4, 6)))
    module.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5})
    metric = mx.metric.Perplexity(ignore_label=None)
    values = []
    for step in range(12):
        length = (6, 3, 5)[step % 3]
        text = np.random.RandomState(step).randint(0, words, (4, length + 1))
        batch = mx.io.DataBatch(
            [mx.nd.array(text[:, :-1])],
            [mx.nd.array(text[:, 1:])],
            bucket_key=length,
            provide_data=[("data", (4, length))],
            provide_label=[("softmax_label", (4, length))],
        )
        module.prepare(batch)
        module.forward_backward(batch)
        module.update()
        metric.reset()
        module.update_metric(metric, batch.label)
        values.append(metric.get()[1])
    return [np.array(values), *parameters(module), *module.data_names, *module.output_names]


def factorisation(mx) -> list:
    """Ratings as products of vectors, by `FeedForward`."""
    sym = mx.sym
    user = sym.Embedding(sym.Variable("user"), input_dim=8, output_dim=3, name="users")
    item = sym.Embedding(sym.Variable("item"), input_dim=6, output_dim=3, name="items")
    rating = sym.sum(user * item, axis=1)
    symbol = sym.LinearRegressionOutput(rating, sym.Variable("score"), name="rate")
    draw = np.random.RandomState(3)
    users, items = draw.randint(0, 8, 32), draw.randint(0, 6, 32)
    scores = (users % 3 + items % 2).astype("float32")
    batches = mx.io.NDArrayIter(
        {"user": users.astype("float32"), "item": items.astype("float32")}, {"score": scores}, 8
    )
    model = mx.model.FeedForward(
        symbol,
        num_epoch=20,
        optimizer="sgd",
        learning_rate=0.5,
        momentum=0.5,
        arg_params=started(mx, symbol, user=(8,), item=(8,), score=(8,)),
    )
    model.fit(batches, eval_metric="mse")
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/net")
        loaded = mx.model.FeedForward.load(f"{folder}/net", 20)
    batches.reset()
    kept = [one.asnumpy() for _, one in sorted(loaded.arg_params.items())]
    error = np.array([model.score(batches, "mse")])
    return [*kept, error, model.predict(batches), loaded.predict(batches, num_batch=2)]


def detection(mx) -> list:
    """A head that finds boxes, with its targets and its two losses."""
    sym = mx.sym
    data, label = sym.Variable("data"), sym.Variable("label")
    body = sym.Activation(
        sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=4, name="conv"), act_type="relu"
    )
    anchors = sym.contrib.MultiBoxPrior(body, sizes=(0.3, 0.5), ratios=(1, 2), name="anchors")
    classes = sym.Convolution(body, kernel=(3, 3), pad=(1, 1), num_filter=9, name="classes")
    classes = sym.reshape(sym.transpose(classes, axes=(0, 2, 3, 1)), shape=(0, -1, 3))
    classes = sym.transpose(classes, axes=(0, 2, 1))
    boxes = sym.Convolution(body, kernel=(3, 3), pad=(1, 1), num_filter=12, name="boxes")
    boxes = sym.Flatten(sym.transpose(boxes, axes=(0, 2, 3, 1)))
    target = sym.contrib.MultiBoxTarget(
        anchors, label, classes, overlap_threshold=0.4, negative_mining_ratio=3, name="target"
    )
    scores = sym.SoftmaxOutput(
        classes,
        target[2],
        ignore_label=-1,
        use_ignore=True,
        multi_output=True,
        normalization="valid",
        name="scores",
    )
    away = sym.smooth_l1(target[1] * (boxes - target[0]), scalar=1.0)
    where = sym.MakeLoss(away, normalization="valid", name="where")
    symbol = sym.Group([scores, where, sym.BlockGrad(target[2], name="wanted")])
    truth = np.full((4, 2, 5), -1, "float32")
    for k in range(4):
        truth[k, 0] = [k % 2, 0.11 * k + 0.03, 0.21, 0.11 * k + 0.47, 0.68]
    module = mx.module.Module(symbol, label_names=["label"])
    module.bind([("data", (4, 3, 6, 6))], [("label", (4, 2, 5))])
    module.init_params(arg_params=started(mx, symbol, data=(4, 3, 6, 6), label=(4, 2, 5)))
    module.init_optimizer(optimizer_params={"learning_rate": 0.2})
    batch = mx.io.DataBatch([mx.nd.array(drawn(4, 3, 6, 6))], [mx.nd.array(truth)])
    losses = []
    for _ in range(6):
        module.forward_backward(batch)
        module.update()
        losses.append(module.get_outputs()[1].sum().asscalar())
    return [np.array(losses), *module.get_outputs(), *parameters(module)]


def round_boxes(mx) -> list:
    """Boxes on round coordinates, of which many overlap equally: the order of matching tells."""
    found, contrib, draw = [], mx.nd.contrib, np.random.RandomState(5)
    for side in (3, 6, 10):
        blank = mx.nd.zeros((1, 3, side, side))
        anchors = contrib.MultiBoxPrior(blank, sizes=(0.3, 0.5), ratios=(1, 2, 0.5))
        count = anchors.shape[1]
        low, extent = draw.randint(0, 8, (2, 6, 2)) / 10, draw.randint(1, 9, (2, 6, 2)) / 10
        classes = draw.randint(0, 2, (2, 6, 1))
        truth = mx.nd.array(np.concatenate([classes, low, np.minimum(low + extent, 1)], -1))
        scores = mx.nd.array(draw.randint(0, 3, (2, 3, count)) / 2)
        mining = {"negative_mining_ratio": 3, "negative_mining_thresh": 0.5}
        found += [anchors, *contrib.MultiBoxTarget(anchors, truth, scores)]
        found += contrib.MultiBoxTarget(anchors, truth, scores, overlap_threshold=0.3, **mining)
        scores = mx.nd.array(draw.randint(0, 10, (2, 3, count)) / 10)
        moves = mx.nd.array(draw.randint(-4, 5, (2, 4 * count)) / 4)
        for limit in (0.25, 1 / 3, 0.5):
            found.append(contrib.MultiBoxDetection(scores, moves, anchors, nms_threshold=limit))
        ranks, sides = draw.randint(0, 8, (2, count, 1)) / 8, draw.randint(1, 5, (2, count, 2)) / 10
        low = draw.randint(0, 6, (2, count, 2)) / 10
        rows = mx.nd.array(np.concatenate([ranks, low, low + sides], -1))
        whole = mx.nd.array(np.concatenate([ranks, low, sides], -1))
        where = {"coord_start": 1, "score_index": 0, "overlap_thresh": 0.5}
        found += [
            contrib.box_nms(rows, **where),
            contrib.box_nms(whole, in_format="center", out_format="corner", **where),
            *contrib.bipartite_matching(scores, threshold=0.25),
        ]
    return found


def corners(mx) -> list:
    """Other features that scripts use: files of buckets, parameters of more layers, monitors."""
    sym, found = mx.sym, []
    symbol = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    symbol = sym.SoftmaxOutput(symbol, name="softmax")
    values = started(mx, symbol, data=(4, 3), softmax_label=(4,))

    def sym_gen(length):
        means = sym.mean(sym.var("data"), axis=1, keepdims=True)
        return sym.FullyConnected(means, num_hidden=2, name="fc"), ["data"], None

    with tempfile.TemporaryDirectory() as folder:
        module = mx.module.BucketingModule(sym_gen, 10)
        module.bind([("data", (2, 10))])
        module.init_params(mx.init.One())
        for length in (10, 4):
            data = mx.nd.array(drawn(2, length))
            shapes = [("data", (2, length))]
            module.forward(mx.io.DataBatch([data], None, bucket_key=length, provide_data=shapes))
        module.save_checkpoint(f"{folder}/net", 1)
        found += sorted(os.listdir(folder))
        found.append(np.sort(mx.nd.load(f"{folder}/net.buckets")[0].asnumpy()))
        loaded = mx.module.BucketingModule.load(
            f"{folder}/net", 1, sym_gen=sym_gen, default_bucket_key=10
        )
        loaded.bind([("data", (2, 10))])
        found += parameters(loaded)
    more = {**values, "another_weight": mx.nd.ones((1,))}
    for settings in ({}, {"allow_extra": True}, {"allow_missing": True}):
        module = mx.module.Module(symbol)
        module.bind([("data", (4, 3))], [("softmax_label", (4,))])
        module.init_params()
        try:
            module.set_params(more, {}, **settings)
            found += parameters(module)
        except ValueError:
            found.append("refused")
    bound, seen = symbol.simple_bind(mx.cpu(), data=(4, 3)), []
    found += [repr(one.shape) for one in bound.outputs]
    bound.set_monitor_callback(lambda name, array: seen.append(name), True)
    bound.forward()
    found += [one if isinstance(one, str) else one.decode() for one in seen]
    root = mx.nd.__name__.split(".")[0]
    optimized = import_module(f"{root}.contrib.svrg_optimization.svrg_module")
    symbol = sym.FullyConnected(sym.var("data"), num_hidden=1, name="fc")
    symbol = sym.LinearRegressionOutput(symbol, sym.var("label"), name="out")
    module = optimized.SVRGModule(symbol, ["data"], ["label"], update_freq=2)
    batches = mx.io.NDArrayIter(drawn(10, 3), drawn(10, seed=2), 4, label_name="label")
    module.fit(
        batches,
        num_epoch=2,
        optimizer_params={"learning_rate": 0.05},
        eval_metric="mse",
        initializer=mx.init.One(),
        kvstore=None,
    )
    return [*found, *parameters(module)]


def checks(mx) -> list:
    """The arguments, results and errors of `test_utils` with symbols."""
    sym, utils, found = mx.sym, import_module(mx.nd.__name__.split(".")[0] + ".test_utils"), []
    x, y = drawn(3, 4), drawn(4, 2, seed=1)
    a, b = sym.Variable("a"), sym.Variable("b")
    product, both = sym.dot(a, b, name="dot"), sym.Group([a * 2, a + b])
    normed = sym.BatchNorm(sym.var("data"), fix_gamma=False, name="bn")
    loss = sym.SoftmaxOutput(sym.var("data"), name="softmax")
    drop = sym.Dropout(sym.var("data"), p=0.5)
    gamma, beta, mean, var = (abs(drawn(4, seed=k)) + 0.5 for k in range(4))
    bn, states = [x, gamma, beta], {"bn_moving_mean": mean, "bn_moving_var": var}
    z = (x - mean) / np.sqrt(var + 1e-3) * gamma + beta
    chances = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    labels = np.array([1, 0, 3], "float32")
    off = chances - np.eye(4, dtype="float32")[[1, 0, 3]]
    pair = {"lhs": x, "rhs": y}
    twice, also = (
        sym.elemwise_add(a, a, name="twice"),
        sym.broadcast_mul(a, 2 + 0 * a, name="twice"),
    )
    square = sym.square(a, name="twice")
    double = [{"ctx": mx.cpu(), "data": (2, 3), "type_dict": {"data": one}} for one in FLOATS]
    dense = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    forward, backward = utils.check_symbolic_forward, utils.check_symbolic_backward
    numeric, agree = utils.check_numeric_gradient, utils.check_consistency
    calls = {
        "simple": lambda: utils.simple_forward(product, a=x, b=y),
        "simple, several": lambda: utils.simple_forward(both, a=x, b=x)[1],
        "simple, in training": lambda: utils.simple_forward(drop, is_train=False, data=x),
        "forward": lambda: forward(product, [x, y], [x @ y]),
        "forward by name": lambda: forward(product, {"b": y, "a": x}, {"dot_output": x @ y}),
        "forward of arrays": lambda: forward(product, [mx.nd.array(x), mx.nd.array(y)], [x @ y]),
        "forward with states": lambda: forward(normed, bn, [z], 1e-4, 1e-4, states),
        "forward with listed states": lambda: forward(normed, bn, [z], 1e-4, 1e-4, [mean, var]),
        "forward, asnumpy": lambda: forward(
            product, [x.astype("f8"), y.astype("f8")], [x @ y], 1e-4, 1e-5, dtype="asnumpy"
        ),
        "forward, wrong": lambda: forward(product, [x, y], [x @ y + 1]),
        "forward, other names": lambda: forward(product, pair, [x @ y]),
        "forward, other states": lambda: forward(normed, bn, [z], aux_states={"m": mean}),
        "backward": lambda: backward(
            product, [x, y], [np.ones((3, 2))], {"a": x * 0 + y.sum(1)}, 1e-4, 1e-4
        ),
        "backward, several": lambda: backward(both, [x, x], [x, 2 * x], [4 * x, 2 * x]),
        "backward, a loss": lambda: backward(loss, [x, labels], None, {"data": off}),
        "backward, add": lambda: backward(
            product, [x, y], [np.ones((3, 2))], {"a": x * 0 + y.sum(1)}, 1e-4, 1e-4, grad_req="add"
        ),
        "backward, null": lambda: backward(
            product, [x, y], [np.ones((3, 2))], {"b": y}, grad_req={"a": "write", "b": "null"}
        ),
        "backward, listed": lambda: backward(
            product, [x, y], [np.ones((3, 2))], {"b": y}, grad_req=["write", "null"]
        ),
        "backward, wrong": lambda: backward(product, [x, y], [np.ones((3, 2))], {"a": x}),
        "backward, no request": lambda: backward(
            product, [x, y], [np.ones((3, 2))], {"a": x}, grad_req="no"
        ),
        "numeric": lambda: numeric(product, [x, y], rtol=1e-2, atol=1e-2),
        "numeric, some": lambda: numeric(
            product, {"a": x, "b": y}, rtol=1e-2, atol=1e-2, grad_nodes=["b"]
        ),
        "numeric, add": lambda: numeric(
            product, [x, y], rtol=1e-2, atol=1e-2, grad_nodes={"a": "add", "b": "write"}
        ),
        "numeric, states": lambda: numeric(
            normed, bn, [mean, var], numeric_eps=1e-3, rtol=0.1, atol=0.05
        ),
        "numeric, double": lambda: numeric(
            product, [x, y], numeric_eps=1e-6, rtol=1e-6, atol=1e-6, dtype=np.float64
        ),
        "numeric, in prediction": lambda: numeric(
            drop, [x], rtol=1e-2, atol=1e-2, use_forward_train=False
        ),
        "numeric, wrong": lambda: numeric(sym.BlockGrad(a) * 2, [x]),
        "numeric, too fine": lambda: numeric(product, [x, y], numeric_eps=1e-7),
        "consistent": lambda: sorted(agree(dense, double)),
        "consistent, without gradients": lambda: sorted(agree(dense, double, grad_req="null")),
        "consistent, states": lambda: sorted(
            agree(normed, double, aux_params={"bn_moving_mean": 0.5, "bn_moving_var": 2})
        ),
        "consistent, two symbols": lambda: sorted(agree([twice, also], _places(mx, a=(2, 3)))),
        "inconsistent": lambda: agree([twice, square], _places(mx, a=(2, 3))),
        "consistent, one place": lambda: agree(dense, double[:1]),
        "consistent, other names": lambda: agree([a * 2, b * 2], _places(mx, a=(2, 3))),
        "consistent, truth": lambda: sorted(
            agree(
                twice,
                _places(mx, a=(3, 4)),
                arg_params={"a": x},
                grad_req="null",
                ground_truth={"truth": x, "twice_output": 2 * x},
            )
        ),
        "speed": lambda: utils.check_speed(dense, N=1, data=(2, 3)) > 0,
        "speed of values": lambda: utils.check_speed(product, {"a": x, "b": y}, N=1) > 0,
        "speed forward": lambda: utils.check_speed(normed, N=1, typ="forward", data=(2, 4)) > 0,
        "speed, wrong": lambda: utils.check_speed(dense, N=1, typ="back", data=(2, 3)),
        "structure": lambda: [
            utils.same_symbol_structure(product, sym.dot(b, a)),
            utils.same_symbol_structure(product, sym.batch_dot(b, a)),
        ],
    }
    for name, call in calls.items():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                result = call()
            except (AssertionError, ValueError, KeyError):
                result = "refused"
        given = list(result.values()) if isinstance(result, dict) else result
        if isinstance(given, (np.ndarray, list)) and name.startswith(("simple", "forward")):
            found += given if isinstance(given, list) else [given]
            result = "arrays"
        elif isinstance(result, dict):
            result = sorted(result)
        found.append(f"{name}: {result}")
    return found


FLOATS = (np.float64, np.float32)


def _places(mx, **shapes) -> list[dict]:
    return [{"ctx": mx.cpu(), **shapes}] * 2


def custom(mx) -> list:
    """An operator written in Python, inside a symbol."""

    class Cube(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] ** 3)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], 3 * in_data[0] ** 2 * out_grad[0])

    @mx.operator.register("cube_of_a_module")
    class CubeProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Cube()

    sym = mx.sym
    x = sym.FullyConnected(sym.Variable("data"), num_hidden=4, name="fc1")
    x = sym.Custom(x, op_type="cube_of_a_module", name="cube")
    x = sym.FullyConnected(x, num_hidden=1, name="fc2")
    symbol = sym.LinearRegressionOutput(x, sym.Variable("label"), name="out")
    batches = mx.io.NDArrayIter(drawn(16, 3), drawn(16, 1, seed=1), 4, label_name="label")
    module = mx.module.Module(symbol, label_names=["label"])
    module.fit(
        batches,
        eval_metric="mse",
        arg_params=started(mx, symbol, data=(4, 3), label=(4, 1)),
        optimizer_params={"learning_rate": 0.05},
        num_epoch=5,
    )
    return [*parameters(module), numbers(module.score(batches, "mse"))]


def adversaries(mx) -> list:
    """Two networks against each other, which hand gradients over by `get_input_grads`."""
    sym = mx.sym
    noise = sym.Variable("noise")
    made = sym.Activation(sym.FullyConnected(noise, num_hidden=8, name="g1"), act_type="tanh")
    made = sym.FullyConnected(made, num_hidden=5, name="g2")
    judged = sym.LeakyReLU(sym.FullyConnected(sym.Variable("data"), num_hidden=8, name="d1"))
    judged = sym.FullyConnected(judged, num_hidden=1, name="d2")
    judged = sym.LogisticRegressionOutput(judged, sym.Variable("label"), name="loss")
    generator = mx.module.Module(made, data_names=["noise"], label_names=None)
    generator.bind([("noise", (4, 3))])
    generator.init_params(arg_params=started(mx, made, noise=(4, 3)))
    critic = mx.module.Module(judged, label_names=["label"])
    critic.bind([("data", (4, 5))], [("label", (4, 1))], inputs_need_grad=True)
    critic.init_params(arg_params=started(mx, judged, data=(4, 5), label=(4, 1)))
    for module in (generator, critic):
        module.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.05})
    ones, zeros = mx.nd.ones((4, 1)), mx.nd.zeros((4, 1))
    verdicts = []
    for step in range(6):
        generator.forward(mx.io.DataBatch([mx.nd.array(drawn(4, 3, seed=step))]), is_train=True)
        fakes = generator.get_outputs()
        critic.forward(mx.io.DataBatch(fakes, [zeros]), is_train=True)
        critic.backward()
        kept = [[one.copy() for one in grads] for grads in critic._exec_group.grad_arrays]
        real = mx.io.DataBatch([mx.nd.array(1 + drawn(4, 5, seed=50 + step))], [ones])
        critic.forward(real, is_train=True)
        critic.backward()
        for grads, others in zip(critic._exec_group.grad_arrays, kept):
            for grad, other in zip(grads, others):
                grad += other
        critic.update()
        critic.forward(mx.io.DataBatch(fakes, [ones]), is_train=True)
        critic.backward()
        generator.backward(critic.get_input_grads())
        generator.update()
        verdicts.append(critic.get_outputs()[0].asnumpy())
    return [np.array(verdicts), *parameters(generator), *parameters(critic)]


def chained(mx) -> list:
    """A `SequentialModule`, and one that ends in a loss written in Python."""
    sym = mx.sym
    first = sym.FullyConnected(sym.Variable("data"), num_hidden=5, name="fc1")
    second = sym.FullyConnected(sym.Variable("x"), num_hidden=3, name="fc2")
    values = {
        **started(mx, first, data=(4, 6)),
        **started(mx, second, x=(4, 5)),
    }
    batches = mx.io.NDArrayIter(drawn(12, 6), np.arange(12.0) % 3, 4)

    def hinge(scores, labels):
        grad = np.zeros(scores.shape, "float32")
        for row, label in enumerate(labels.asnumpy().astype(int)):
            grad[row, label] -= 1
            grad[row, scores.asnumpy()[row].argmax()] += 1
        return mx.nd.array(grad)

    found = []
    for last in (
        mx.module.Module(sym.SoftmaxOutput(sym.Variable("scores"), name="softmax"), ["scores"]),
        mx.module.PythonLossModule(grad_func=hinge),
    ):
        module = mx.module.SequentialModule()
        module.add(mx.module.Module(first, label_names=None))
        module.add(mx.module.Module(second, ["x"], None), auto_wiring=True)
        module.add(last, take_labels=True, auto_wiring=True)
        batches.reset()
        module.fit(batches, arg_params=values, optimizer_params={"learning_rate": 0.3}, num_epoch=3)
        found += [*parameters(module), module.predict(batches), *module.output_names]
        found += [repr([(name, tuple(shape)) for name, shape in module.output_shapes])]
    return found


def frozen(mx) -> list:
    """Fixed parameters, factors on rates, states, `grad_req='add'` and other shapes."""
    sym = mx.sym
    x = sym.FullyConnected(sym.Variable("data"), num_hidden=4, name="fc1")
    x = x + sym.Variable("state", shape=(4, 4))
    weight = sym.Variable("fc2_weight", lr_mult=0.1, wd_mult=2)
    x = sym.FullyConnected(x, weight, num_hidden=2, name="fc2")
    symbol = sym.SoftmaxOutput(x, name="softmax")
    module = mx.module.Module(symbol, state_names=["state"], fixed_param_names=["fc1_weight"])
    module.bind([("data", (4, 3))], [("softmax_label", (4,))], grad_req="add")
    values = started(mx, symbol, data=(4, 3), softmax_label=(4,), state=(4, 4))
    module.init_params(arg_params=values)
    module.set_states(value=0.5)
    module.init_optimizer(optimizer_params={"learning_rate": 0.5, "wd": 0.1})
    batch = mx.io.DataBatch([mx.nd.array(drawn(4, 3))], [mx.nd.array([0, 1, 0, 1])])
    for _ in range(3):
        module.forward_backward(batch)
        module.update()
    return [
        *parameters(module),
        *module.get_states(merge_multi_context=False)[0],
        *module.get_outputs(),
    ]


def other_sizes(mx) -> list:
    """A last batch that is smaller, and a module that borrows another's optimizer."""
    sym = mx.sym
    symbol = sym.FullyConnected(sym.Variable("data"), num_hidden=2, name="fc")
    symbol = sym.SoftmaxOutput(symbol, name="softmax")
    first = mx.module.Module(symbol)
    first.bind([("data", (4, 3))], [("softmax_label", (4,))])
    first.init_params(arg_params=started(mx, symbol, data=(4, 3), softmax_label=(4,)))
    first.init_optimizer(optimizer="adagrad", optimizer_params={"learning_rate": 0.3})
    second = mx.module.Module(symbol)
    second.bind([("data", (2, 3))], [("softmax_label", (2,))], shared_module=first)
    second.borrow_optimizer(first)
    shapes = []
    for step in range(6):
        size, module = (4, 2, 3)[step % 3], (first, second, first)[step % 3]
        x, y = drawn(size, 3, seed=step), np.arange(size) % 2
        module.forward_backward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
        module.update()
        shapes.append(repr(module.get_outputs()[0].shape))
    return [*shapes, *parameters(first)]


def resumed(mx) -> list:
    """Training that goes on from files, with the state of the optimizer."""
    symbol = lenet(mx)
    start = started(mx, symbol, data=(8, 1, 14, 14), softmax_label=(8,))
    settings = {"optimizer_params": {"learning_rate": 0.1, "momentum": 0.9}}
    with tempfile.TemporaryDirectory() as folder:
        module = mx.module.Module(symbol)
        save = mx.callback.module_checkpoint(module, f"{folder}/net", 1, True)
        module.fit(
            pictures(mx),
            arg_params=start,
            allow_missing=True,
            num_epoch=2,
            epoch_end_callback=save,
            **settings,
        )
        files = sorted(os.listdir(folder))
        loaded = mx.module.Module.load(f"{folder}/net", 2, load_optimizer_states=True)
        loaded.fit(pictures(mx), begin_epoch=2, num_epoch=4, **settings)
        loaded.save_params(f"{folder}/all.params")
        module.load_params(f"{folder}/all.params")
    return [*files, *parameters(loaded), *parameters(module)]


def watched(mx) -> list:
    """The values that a monitor of a module receives."""
    symbol = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    symbol = mx.sym.SoftmaxOutput(mx.sym.BatchNorm(symbol, name="bn"), name="softmax")
    batches = mx.io.NDArrayIter(drawn(8, 3), np.arange(8) % 2, 4)
    rows = []

    class Keep(mx.monitor.Monitor):
        def toc(self):
            found = super().toc()
            rows.extend(f"{step} {name}" for step, name, _ in found)
            rows.extend(np.array([float(str(value).split()[0])]) for _, _, value in found)
            return found

    module = mx.module.Module(symbol)
    start = started(mx, symbol, data=(4, 3), softmax_label=(4,))
    watch = Keep(2, pattern="(?!.*backward)(.*output|.*weight|.*moving)", sort=True)
    module.fit(batches, arg_params=start, allow_missing=True, num_epoch=2, monitor=watch)
    return rows


def flat(states: list) -> list:
    """The states of all cells, which MXNet nests where there are two directions."""
    if isinstance(states, list):
        return [one for inside in states for one in flat(inside)]
    return [states]


def cells(mx) -> list:
    """The cells of symbols: unrolled, unfused, packed, saved, and trained in buckets."""
    os.environ["MXNET_MKLDNN_ENABLED"] = "1"  # MXNet's RNN fails without it
    rnn = mx.rnn if hasattr(mx.rnn, "FusedRNNCell") else import_module("gluon.mxnet.rnn")
    sym, found = mx.sym, []

    def compute(cell, fused=None, merge=True, layout="NTC"):
        outputs, states = cell.unroll(3, sym.Variable("data"), layout=layout, merge_outputs=merge)
        group = sym.Group([*(outputs if isinstance(outputs, list) else [outputs]), *flat(states)])
        shape = (2, 3, 4) if layout == "NTC" else (3, 2, 4)
        values = started(mx, group, data=shape)
        if fused is not None:
            values = cell.pack_weights(fused)
        bound = group.simple_bind(mx.cpu(), data=shape, grad_req="null")
        bound.copy_params_from({**values, "data": mx.nd.array(drawn(*shape))})
        found.extend(bound.forward())
        found.append(" ".join(sorted(values)))
        found.append(" ".join(sorted(cell.unpack_weights(values))))
        return cell.unpack_weights(values)

    for make in (rnn.RNNCell, rnn.LSTMCell, rnn.GRUCell):
        compute(make(5, prefix="cell_"))
    compute(rnn.ResidualCell(rnn.GRUCell(4, prefix="same_")))
    compute(rnn.ZoneoutCell(rnn.RNNCell(4, prefix="zone_"), 0.3, 0.2), merge=False)
    both = rnn.BidirectionalCell(rnn.LSTMCell(5, prefix="l_"), rnn.LSTMCell(5, prefix="r_"))
    stack = rnn.SequentialRNNCell()
    stack.add(rnn.LSTMCell(4, prefix="low_"))
    stack.add(rnn.DropoutCell(0.5))
    stack.add(rnn.ResidualCell(rnn.RNNCell(4, prefix="high_")))
    for cell in (both, stack):
        compute(cell, layout="TNC")
    for mode, two in (("lstm", True), ("gru", False), ("rnn_tanh", True)):
        whole = rnn.FusedRNNCell(5, 2, mode, bidirectional=two, get_next_state=True, prefix="f_")
        gates = compute(whole)
        compute(whole.unfuse(), gates)
    text = [["a", "b", "c"], ["b", "c"], ["c", "a"], ["a", "b", "d"]]
    coded, words = rnn.encode_sentences(text, invalid_label=0, start_label=1)
    batches = rnn.BucketSentenceIter(coded, 2, invalid_label=0)
    found += [repr(coded), repr(words), repr(batches.buckets), repr(batches.default_bucket_key)]
    for batch in sorted(batches, key=lambda one: one.bucket_key):
        found += [repr(batch.bucket_key), repr(batch.provide_data[0][1])]
        found.append(np.sort(batch.data[0].asnumpy(), axis=0))
    return found


def convolutional(mx) -> list:
    """Cells of symbols whose gates are convolutions: graphs, shapes of states, and values."""
    rnn = mx.rnn if hasattr(mx.rnn, "FusedRNNCell") else import_module("gluon.mxnet.rnn")
    sym, found = mx.sym, []
    for make in (rnn.ConvRNNCell, rnn.ConvLSTMCell, rnn.ConvGRUCell):
        for options in (
            {},
            {"h2h_kernel": (5, 3), "h2h_dilate": (1, 2), "i2h_stride": (2, 1), "i2h_pad": (0, 1)},
            {"activation": "tanh", "prefix": "own_"},
        ):
            cell = make((2, 3, 6, 6), 4, **options)
            found += [repr(cell.state_info), repr(list(cell._gate_names))]
            inputs = [sym.Variable(name) for name in "ab"]
            outputs, states = cell.unroll(2, inputs, merge_outputs=False)
            group = sym.Group([*outputs, *states])
            found += [repr(group.list_arguments()), repr(outputs[-1].name)]
            shapes = dict.fromkeys("ab", (2, 3, 6, 6))
            values = started(mx, group, **shapes)
            bound = group.simple_bind(mx.cpu(), grad_req="null", **shapes)
            given = {name: mx.nd.array(drawn(*shape)) for name, shape in shapes.items()}
            bound.copy_params_from({**values, **given})
            found.extend(bound.forward())
    return found


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found = (
        adversaries,
        bucketing,
        cells,
        chained,
        convolutional,
        checks,
        corners,
        custom,
        detection,
        factorisation,
        frozen,
        other_sizes,
        resumed,
        round_boxes,
        train_lenet,
        two_contexts,
        watched,
    )
    return {one.__name__: one for one in found}
