"""Programs that run on MXNet 1.9.1 and on gluon alike; `mx` is the one or the other.

Each returns a list of arrays and texts. ``recorded/make_gluon.py`` keeps what MXNet
returns, and the tests compare.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

import numpy as np


def filled(params) -> None:
    """Give parameters values that depend on their place only."""
    for place, name in enumerate(params.keys()):
        if name.endswith("gamma") and params[name].grad_req == "null":
            continue  # MXNet sets it to 1 when the layer is called
        values = params[name].data().copy()
        shift = 1.5 if name.endswith(("gamma", "var")) else 0
        values[:] = np.random.RandomState(place).uniform(-0.5, 0.5, values.shape) + shift
        params[name].set_data(values)


def given(*shape, seed=7):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


# ---------------------------------------------------------------------------------- layers

#: A layer and the shape of its input.
LAYERS = [
    ("nn.Dense(3)", (4, 5)),
    ("nn.Dense(3, activation='relu')", (4, 2, 3)),
    ("nn.Dense(3, activation='tanh', use_bias=False, flatten=False)", (4, 2, 3)),
    ("nn.Dense(2, activation='softrelu', in_units=3)", (4, 3)),
    ("nn.Dropout(0)", (2, 3)),
    ("nn.BatchNorm()", (4, 3, 2)),
    ("nn.BatchNorm(axis=-1, momentum=0.5, epsilon=0.01)", (4, 3, 2)),
    ("nn.BatchNorm(scale=False)", (4, 3)),
    ("nn.BatchNorm(center=False, in_channels=3)", (4, 3)),
    ("nn.BatchNorm(use_global_stats=True)", (4, 3)),
    ("nn.LayerNorm()", (4, 3, 5)),
    ("nn.LayerNorm(axis=1, scale=False)", (4, 3, 5)),
    ("nn.Activation('sigmoid')", (2, 3)),
    ("nn.Activation('softsign')", (2, 3)),
    ("nn.LeakyReLU(0.3)", (2, 3)),
    ("nn.PReLU()", (2, 3)),
    ("nn.ELU(0.7)", (2, 3)),
    ("nn.SELU()", (2, 3)),
    ("nn.GELU()", (2, 3)),
    ("nn.Swish(2)", (2, 3)),
    ("nn.Flatten()", (2, 3, 2)),
    ("nn.HybridLambda('relu')", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.square(x) + x)", (2, 3)),
    ("nn.Conv1D(4, 3)", (2, 3, 7)),
    ("nn.Conv1D(4, 3, strides=2, padding=1, activation='relu', use_bias=False)", (2, 3, 7)),
    ("nn.Conv2D(4, 3)", (2, 3, 5, 6)),
    ("nn.Conv2D(4, (3, 2), strides=(2, 1), padding=1, dilation=(1, 2), groups=2)", (2, 4, 6, 7)),
    ("nn.Conv2D(3, 3, padding=(1, 0), in_channels=2, activation='sigmoid')", (1, 2, 4, 5)),
    ("nn.Conv3D(2, 2)", (1, 2, 3, 4, 3)),
    ("nn.MaxPool1D()", (2, 3, 7)),
    ("nn.MaxPool2D(3, 2, 1)", (2, 3, 6, 7)),
    ("nn.MaxPool2D((2, 3), ceil_mode=True)", (2, 3, 5, 7)),
    ("nn.MaxPool3D(2, 1)", (1, 2, 3, 4, 3)),
    ("nn.AvgPool1D(3, 2, 1)", (2, 3, 7)),
    ("nn.AvgPool2D(3, 2, 1, count_include_pad=False)", (2, 3, 6, 7)),
    ("nn.AvgPool2D(3, 2, 1, True)", (2, 3, 6, 6)),
    ("nn.AvgPool3D()", (1, 2, 4, 4, 4)),
    ("nn.GlobalMaxPool1D()", (2, 3, 4)),
    ("nn.GlobalMaxPool2D()", (2, 3, 4, 5)),
    ("nn.GlobalMaxPool3D()", (1, 2, 2, 3, 2)),
    ("nn.GlobalAvgPool1D()", (2, 3, 4)),
    ("nn.GlobalAvgPool2D()", (2, 3, 4, 5)),
    ("nn.GlobalAvgPool3D()", (1, 2, 2, 3, 2)),
]


def layer(mx, text: str, shape: tuple[int, ...]) -> list:
    """Names, description, output, gradients and statistics of a layer, while training."""
    net = eval(text, {"nn": mx.gluon.nn, "contrib": mx.gluon.contrib})
    before = repr(net)
    net.initialize()
    x = mx.nd.array(given(*shape))
    net(x)
    params = net.collect_params()
    filled(params)
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
    y.backward(mx.nd.array(given(*y.shape, seed=3)))
    grads = [one.grad() for one in params.values() if one.grad_req != "null"]
    after = [one.data() for one in params.values()]
    return [before, repr(net), repr(params), net.name, y, x.grad, *grads, *after, net(x)]


def embedding(mx) -> list:
    net = mx.gluon.nn.Embedding(5, 3)
    net.initialize()
    filled(net.collect_params())
    with mx.autograd.record():
        y = net(mx.nd.array([[1, 4], [1, 0]]))
    y.backward()
    return [repr(net), repr(net.collect_params()), y, net.weight.grad()]


# ----------------------------------------------------------------------------------- blocks


def names(mx) -> list:
    """Names and descriptions in nested networks."""
    nn, gluon = mx.gluon.nn, mx.gluon

    class Net(gluon.Block):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.first = nn.Dense(3, activation="relu")
                self.weight = self.params.get("weight", shape=(3, 2))
                self.features = nn.HybridSequential()
                with self.features.name_scope():
                    self.features.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.Dense(1, prefix="last_"))
                self.scale = self.params.get_constant("scale", [[1, 2.5]])
            self.outside = nn.Dense(2)

    nets = [Net(), Net(), Net(prefix="my_"), Net(prefix="")]
    sliced = nn.Sequential()
    sliced.add(nn.Dense(1), nn.Dense(2), nn.Dense(3))
    shared = nn.Dense(3, params=nets[0].first.params, prefix="shared_")
    texts = [repr(net) for net in nets] + [repr(net.collect_params()) for net in nets]
    texts += [net.name for net in nets] + [net.prefix for net in nets]
    texts += [
        repr(nets[2].collect_params(".*weight")),
        repr(nets[2].collect_params("my_dense|my_scale")),
        repr(nets[2].params),
        repr(sliced[1:]),
        sliced[1:].prefix,
        repr(sliced[-1]),
        str(len(sliced)),
        repr(shared.collect_params()),
        repr(nn.Sequential()),
        repr(gluon.ParameterDict("x_")),
        repr(gluon.Constant("c", [1, 2])),
        repr(gluon.Parameter("p", shape=3, dtype="float16")),
    ]
    return texts


def inferred(mx) -> list:
    """A block of the user's own with shapes to be inferred, alone and with `infer_shape`."""
    nn = mx.gluon.nn

    class Layer(mx.gluon.HybridBlock):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)
                self.scale = self.params.get("scale", shape=(0,), allow_deferred_init=True)
                self.inner = nn.Dense(3)

        def hybrid_forward(self, F, x, weight, scale):
            y = F.FullyConnected(x, weight, no_bias=True, num_hidden=4)
            return self.inner(F.LayerNorm(y, scale, scale))

    one, two = Layer(4), Layer(4)
    one.initialize()
    one(mx.nd.ones((2, 5)))
    two.infer_shape(mx.nd.ones((2, 5)))
    return [repr(one.collect_params()), repr(two.collect_params())]


# ----------------------------------------------------------------------------------- losses

LOSSES = [
    ("L2Loss()", "values"),
    ("L2Loss(weight=3, batch_axis=1)", "values"),
    ("L1Loss()", "values"),
    ("L1Loss(weight=0.5)", "values"),
    ("SoftmaxCrossEntropyLoss()", "classes"),
    ("SoftmaxCrossEntropyLoss(weight=2)", "classes"),
    ("SoftmaxCrossEntropyLoss(axis=1)", "places"),
    ("SoftmaxCrossEntropyLoss(sparse_label=False)", "shares"),
    ("SoftmaxCrossEntropyLoss(from_logits=True)", "classes"),
    ("SigmoidBinaryCrossEntropyLoss()", "shares"),
    ("SigmoidBCELoss(weight=0.3)", "shares"),
    ("SigmoidBCELoss(from_sigmoid=True)", "probabilities"),
]
WEIGHTED = (False, True)


def loss(mx, text: str, kind: str, weighted: bool) -> list:
    function = eval(text, vars(mx.gluon.loss).copy())
    pred = given(4, 3)
    label = given(4, 3, seed=8)
    if kind == "classes":
        label = np.array([0, 2, 1, 1], "float32")
    elif kind == "places":
        pred, label = given(4, 3, 2), np.array([[0, 2], [1, 1], [2, 0], [0, 0]], "float32")
    elif kind == "shares":
        label = abs(label)
    elif kind == "probabilities":
        pred, label = abs(pred) * 0.9 + 0.05, abs(label)
    pred = mx.nd.array(pred)
    pred.attach_grad()
    axes = (1, 3) if "batch_axis=1" in text else (4,) + (1,) * (len(pred.shape) - 1)
    extra = [mx.nd.array(given(*axes, seed=9))] if weighted else []
    with mx.autograd.record():
        y = function(pred, mx.nd.array(label), *extra)
    y.backward()
    return [repr(function), function.name, y, pred.grad]


def pos_weight(mx) -> list:
    pred, label = mx.nd.array(given(4, 3)), mx.nd.array(abs(given(4, 3, seed=8)))
    factors = mx.nd.array([1, 2, 3])
    found = []
    for from_sigmoid in (False, True):
        function = mx.gluon.loss.SigmoidBCELoss(from_sigmoid=from_sigmoid)
        found.append(function(mx.nd.abs(pred) * 0.9, label, None, factors))
    return found


# --------------------------------------------------------------------------------- training


def convolutional(mx):
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 3, padding=1, activation="relu"),
            nn.BatchNorm(),
            nn.MaxPool2D(),
            nn.Flatten(),
            nn.Dense(6, activation="tanh"),
            nn.Dense(3),
        )
    return net


def training(mx) -> list:
    """Four steps of a small CNN: losses, learning rates, parameters, predictions, attack."""
    net = convolutional(mx)
    net.initialize()
    x, label = mx.nd.array(given(6, 2, 6, 6)), mx.nd.array([0, 1, 2, 2, 1, 0])
    net(x)
    params = net.collect_params()
    filled(params)
    net[4].weight.lr_mult, net[5].bias.wd_mult = 0.5, 0.0
    settings = {
        "learning_rate": 0.1,
        "momentum": 0.9,
        "wd": 0.01,
        "clip_gradient": 0.2,
        "lr_scheduler": mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1),
    }
    trainer = mx.gluon.Trainer(params, "sgd", settings)
    cross_entropy = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    found = [repr(net), repr(params)]
    for _ in range(4):
        with mx.autograd.record():
            errors = cross_entropy(net(x), label)
        errors.backward()
        trainer.step(6)
        found += [errors, f"{trainer.learning_rate:.6f}"]
    found += [one.data() for one in params.values()]
    x.attach_grad()
    with mx.autograd.record(train_mode=False):
        errors = cross_entropy(net(x), label)
    errors.backward(train_mode=False)
    return [*found, net(x), x.grad]


def replicas(mx, kvstore, update_on_kvstore, optimizer="sgd") -> list:
    """Two contexts with half a batch each."""
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False, prefix="net_")
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = mx.gluon.Trainer(
        net.collect_params(),
        optimizer,
        {"learning_rate": 0.5},
        kvstore=kvstore,
        update_on_kvstore=update_on_kvstore,
    )
    batch = mx.nd.array([[1, 2], [3, 5]])
    found = []
    for _ in range(3):
        parts = mx.gluon.utils.split_and_load(batch, contexts)
        with mx.autograd.record():
            errors = [(net(part) ** 2).sum() for part in parts]
        mx.autograd.backward(errors)
        trainer.step(2)
        found += [*net.weight.list_data(), *net.weight.list_grad()]
    return found


REPLICAS = [
    ("device", None),
    ("device", False),
    ("local", None),
    (None, None),
    ("device", None, "adam"),
    ("device", False, "adam"),
]


def accumulated(mx) -> list:
    """grad_req 'add': two batches, one step, and gradients that are set to zero again."""
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    filled(net.collect_params())
    net.collect_params().setattr("grad_req", "add")
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    for seed in range(2):
        with mx.autograd.record():
            errors = (net(mx.nd.array(given(4, 3, seed=seed))) ** 2).sum()
        errors.backward()
    grads = [one.grad().copy() for one in net.collect_params().values()]
    trainer.step(8)
    net.collect_params().zero_grad()
    after = [one.grad() for one in net.collect_params().values()]
    return [*grads, *after, *(one.data() for one in net.collect_params().values())]


# ------------------------------------------------------------------------------- data, utils


def batches(loader) -> str:
    def plain(batch):
        if isinstance(batch, (list, tuple)):
            return [plain(one) for one in batch]
        return [batch.asnumpy().tolist(), np.dtype(batch.dtype).name]

    return repr([plain(batch) for batch in loader])


def loading(mx) -> list:
    data, nd = mx.gluon.data, mx.nd
    pairs = data.ArrayDataset(nd.array(given(5, 2)), np.arange(5))
    numbers = data.ArrayDataset(np.arange(7, dtype="int32"))
    found = [batches(data.DataLoader(pairs, 2)), batches(data.DataLoader([1, 2, 3], 2))]
    found += [batches(data.DataLoader([(1.5, [2, 3]), (2, [4, 5])], 2))]
    for last_batch in ("keep", "discard", "rollover"):
        loader = data.DataLoader(numbers, 3, last_batch=last_batch)
        found += [str(len(loader)), batches(loader), str(len(loader)), batches(loader)]
    np.random.seed(5)  # noqa: NPY002
    found += [batches(data.DataLoader(numbers, 4, shuffle=True))]
    doubled = pairs.transform(lambda x, y: (x * 2, y + 1)).transform_first(lambda x: x.sum())
    found += [batches(data.DataLoader(doubled, 5))]
    eager = numbers.transform(lambda x: x - 1, lazy=False)
    for chosen in (
        eager,
        numbers.take(3),
        numbers.take(None),
        numbers.shard(3, 0),
        numbers.shard(3, 2),
        numbers.filter(lambda x: x % 2),
        numbers.sample(data.SequentialSampler(2, start=3)),
    ):
        found += [str(len(chosen)), str([int(chosen[k]) for k in range(len(chosen))])]
    return found


def helpers(mx) -> list:
    nd, utils = mx.nd, mx.gluon.utils
    x = nd.array(given(5, 4))
    found = [*utils.split_data(x, 2, even_split=False), *utils.split_data(x, 2, batch_axis=1)]
    found += utils.split_and_load(given(4, 2), [mx.cpu(0), mx.cpu(1)])
    for limit in (0.5, 100):
        arrays = [nd.array(given(3)), nd.array(given(2, 2))]
        found += [f"{utils.clip_global_norm(arrays, limit):.5f}", *arrays]
    return [*found, utils.clip_global_norm(arrays, 1, check_isfinite=False)]


def initializers(mx) -> list:
    """Those that draw nothing, by the name of a parameter and as its own."""
    init, nd = mx.init, mx.nd
    found = []
    for text in ("Zero()", "One()", "Constant(3)", "Bilinear()", "LSTMBias(2)"):
        made = eval(text, vars(init).copy())
        shape = (8,) if "LSTM" in text else (2, 3, 4, 5)
        parameter = mx.gluon.Parameter("a_bias", shape=shape)
        parameter.initialize(made)
        found += [parameter.data(), made.dumps()]
        if "LSTM" not in text:
            for name in ("x_weight", "x_bias", "x_gamma", "x_beta"):
                array = nd.ones((2, 3, 4, 4)) * 7
                made(init.InitDesc(name), array)
                found.append(array)
    found += [init.create(name).dumps() for name in ("xavier", "Normal", "zeros", "msraprelu")]
    return [*found, init.create("uniform", scale=0.5).dumps(), init.Orthogonal().dumps()]


def saved(mx) -> list:
    """A file of parameters, byte by byte, and what the network gives."""
    net = convolutional(mx)
    net.initialize()
    x = mx.nd.array(given(2, 2, 6, 6))
    net(x)
    filled(net.collect_params())
    files = []
    with tempfile.TemporaryDirectory() as folder:
        for save in (net.save_parameters, net.collect_params().save):
            path = os.path.join(folder, "net.params")
            save(path)
            with open(path, "rb") as file:
                files.append(np.frombuffer(file.read(), np.uint8).copy())
    return [*files, net(x)]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found: dict[str, Callable] = {}
    for text, shape in LAYERS:
        found[f"layer {text} {shape}"] = lambda mx, a=text, b=shape: layer(mx, a, b)
    for text, kind in LOSSES:
        for weighted in WEIGHTED:
            name = f"loss {text} {kind}{' weighted' if weighted else ''}"
            found[name] = lambda mx, a=text, b=kind, c=weighted: loss(mx, a, b, c)
    for settings in REPLICAS:
        found[f"replicas {settings}"] = lambda mx, a=settings: replicas(mx, *a)
    for one in (
        *(embedding, names, inferred, pos_weight, training, accumulated),
        *(loading, helpers, initializers, saved),
    ):
        found[one.__name__] = one
    return found
