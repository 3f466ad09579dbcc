"""Models of MXNet's examples on sparse data, for gluon and for MXNet: this file needs NumPy only.

A linear classifier of LibSVM data, a factorization machine, and a factorization of ratings: each
with a module and with blocks.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

FEATURES, SAMPLES, BATCH = 40, 64, 16
#: With so many columns for each feature, a model has a million.
SPREAD = 25_000


def written(folder: str, seed: int, spread: int) -> str:
    """A LibSVM file of samples with a few of many features, whose labels a line separates.

    Of `spread` columns one is a feature, the others are empty.
    """
    weight = np.random.RandomState(0).randn(FEATURES)
    draw = np.random.RandomState(seed)
    lines = []
    for _ in range(SAMPLES):
        places = np.sort(draw.choice(FEATURES, draw.randint(1, 6), replace=False))
        values = draw.uniform(-1, 1, len(places)).round(3)
        label = int(weight[places] @ values > 0)
        lines.append(" ".join([str(label), *(f"{k}:{v}" for k, v in zip(places * spread, values))]))
    path = os.path.join(folder, "train.libsvm")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def read(mx: Any, folder: str, seed: int = 0, spread: int = 1) -> Any:
    shape = (FEATURES * spread,)
    path = written(folder, seed, spread)
    return mx.io.LibSVMIter(data_libsvm=path, data_shape=shape, batch_size=BATCH)


def drawn(mx: Any, *shape: int, seed: int, stype: str = "default") -> Any:
    """The same values in every library."""
    raw = np.random.RandomState(seed).uniform(-0.3, 0.3, shape).astype("float32")
    return mx.nd.array(raw).tostype(stype)


def whole(x: Any) -> Any:
    return x.tostype("default")


# ------------------------------------------------------------------------------------ modules


def linear_symbol(mx: Any, spread: int) -> tuple[Any, dict[str, Any]]:
    x = mx.sym.var("data", stype="csr")
    weight = mx.sym.var("weight", shape=(FEATURES * spread, 2), stype="row_sparse")
    bias = mx.sym.var("bias", shape=(2,))
    pred = mx.sym.broadcast_add(mx.sym.sparse.dot(x, weight), bias)
    symbol = mx.sym.SoftmaxOutput(pred, mx.sym.var("softmax_label"), name="out")
    values = np.zeros((FEATURES * spread, 2), "float32")
    values[::spread] = drawn(mx, FEATURES, 2, seed=1).asnumpy()
    rows = mx.nd.array(values), mx.nd.arange(len(values), dtype="int64")  # MXNet needs all of them
    first = mx.nd.sparse.row_sparse_array(rows, shape=values.shape)
    return symbol, {"weight": first, "bias": drawn(mx, 2, seed=2)}


def machine_symbol(mx: Any, spread: int) -> tuple[Any, dict[str, Any]]:
    sym = mx.sym
    x = sym.var("data", stype="csr")
    v = sym.var("v", shape=(FEATURES, 3), stype="row_sparse")
    w = sym.var("w", shape=(FEATURES, 1), stype="row_sparse")
    w1 = sym.broadcast_add(sym.dot(x, w), sym.var("w0", shape=(1,)))
    squares = sym.dot(sym.square(x), sym._internal._square_sum(v, axis=1, keepdims=True))
    both = sym.Concat(w1, 0.5 * sym.square(sym.dot(x, v)), dim=1)
    pred = both.sum(axis=1, keepdims=True) - 0.5 * squares
    symbol = sym.LogisticRegressionOutput(pred, sym.var("softmax_label"), name="out")
    values = {
        "v": drawn(mx, FEATURES, 3, seed=3, stype="row_sparse"),
        "w": drawn(mx, FEATURES, 1, seed=4, stype="row_sparse"),
        "w0": drawn(mx, 1, seed=5),
    }
    return symbol, values


def trained_module(
    mx: Any, model: str, optimizer: str, settings: dict, store: str | None, spread: int = 1
) -> list:
    """Train on LibSVM data, pulling the rows that each batch needs."""
    symbol, values = {"linear": linear_symbol, "machine": machine_symbol}[model](mx, spread)
    kv = store and mx.kv.create(store)
    with tempfile.TemporaryDirectory() as folder:
        batches = read(mx, folder, kv.rank if kv else 0, spread)
        found = _fitted(mx, symbol, values, batches, optimizer, settings, kv)
        del batches
    return [*found[:-1], *(part(one, spread) for one in found[-1])]


def part(values: Any, spread: int) -> np.ndarray:
    """The rows of features; all others must be as they were."""
    raw = values.asnumpy()
    if spread > 1 and len(raw) > FEATURES:
        others = raw.reshape(FEATURES, spread, -1)[:, 1:]
        assert not others.any()
        return raw[::spread]
    return raw


def _fitted(
    mx: Any, symbol: Any, values: dict, batches: Any, optimizer: str, settings: dict, kv: Any
) -> list:
    module = mx.mod.Module(symbol)
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(arg_params=values)
    settings = {"rescale_grad": 1 / BATCH, **settings}
    module.init_optimizer(kv, mx.optimizer.create(optimizer, **settings))
    sparse = [name for name, one in values.items() if one.stype == "row_sparse"]

    def rows(batch: Any) -> dict[str, Any]:
        return dict.fromkeys(sparse, batch.data[0].indices)

    metric, found = mx.metric.create("mse" if "v" in values else "acc"), []
    for _ in range(3):
        metric.reset()
        for batch in batches:
            if kv:
                module.prepare(batch, sparse_row_id_fn=rows)
            module.forward_backward(batch)
            module.update()
            label = batch.label[0]
            module.update_metric(metric, [label.reshape((-1, 1)) if "v" in values else label])
        found.append(np.array(metric.get()[1], "float32"))
        batches.reset()
    args, _ = module.get_params()
    group = module._exec_group
    stored = [
        args[name].stype + " " + group.grad_arrays[k][0].stype
        for k, name in enumerate(group.param_names)
    ]
    return [*found, " ".join(stored), [args[name] for name in sorted(args)]]


def ratings(mx: Any, seed: int = 0) -> tuple[Any, Any, Any]:
    draw = np.random.RandomState(6 + seed)
    user, item = draw.randint(0, 20, SAMPLES), draw.randint(0, 15, SAMPLES)
    return user, item, draw.randint(1, 6, SAMPLES).astype("float32")


def factors_module(mx: Any, optimizer: str, settings: dict, store: str | None) -> list:
    """Factors of ratings, from embeddings with gradients by rows."""
    sym = mx.sym
    parts = [
        sym.Embedding(
            sym.var(name),
            sym.var(f"{name}_weight", stype="row_sparse" if store else "default"),
            sparse_grad=True,
            input_dim=count,
            output_dim=4,
        )
        for name, count in (("user", 20), ("item", 15))
    ]
    pred = sym.Flatten(sym.sum(parts[0] * parts[1], axis=1))
    symbol = sym.LinearRegressionOutput(pred, sym.var("score"), name="out")
    kv = store and mx.kv.create(store)
    user, item, score = ratings(mx, kv.rank if kv else 0)
    batches = mx.io.NDArrayIter({"user": user, "item": item}, {"score": score}, BATCH)
    module = mx.mod.Module(symbol, ("item", "user"), ("score",))
    module.bind(batches.provide_data, batches.provide_label)
    values = {
        "user_weight": drawn(mx, 20, 4, seed=7, stype="row_sparse"),
        "item_weight": drawn(mx, 15, 4, seed=8, stype="row_sparse"),
    }
    if not store:
        values = {name: whole(one) for name, one in values.items()}
    module.init_params(arg_params=values)
    settings = {"rescale_grad": 1 / BATCH, **settings}
    module.init_optimizer(kv, mx.optimizer.create(optimizer, **settings))
    metric, found = mx.metric.create("mse"), []
    for _ in range(3):
        batches.reset()
        metric.reset()
        for batch in batches:
            if kv:
                rows = dict(zip(("item_weight", "user_weight"), batch.data))
                module.prepare(batch, sparse_row_id_fn=lambda batch, rows=rows: rows)
            module.forward_backward(batch)
            module.update()
            module.update_metric(metric, [batch.label[0].reshape((-1, 1))])
        found.append(np.array(metric.get()[1], "float32"))
    grads = " ".join(one[0].stype for one in module._exec_group.grad_arrays)
    args, _ = module.get_params()
    return [*found, grads, *(whole(args[name]) for name in sorted(args))]


# ------------------------------------------------------------------------------------- blocks


def blocks(mx: Any, model: str) -> Any:
    gluon, nd = mx.gluon, mx.nd

    class Linear(gluon.Block):
        def __init__(self) -> None:
            super().__init__(prefix="linear_")
            options = {"stype": "row_sparse", "grad_stype": "row_sparse"}
            self.weight = self.params.get("weight", shape=(FEATURES, 2), **options)
            self.bias = self.params.get("bias", shape=(2,))

        def forward(self, x: Any) -> Any:
            weight = self.weight.row_sparse_data(x.indices)
            return nd.broadcast_add(nd.sparse.dot(x, weight), self.bias.data())

    class Machine(gluon.Block):
        def __init__(self) -> None:
            super().__init__(prefix="machine_")
            options = {"stype": "row_sparse", "grad_stype": "row_sparse"}
            self.v = self.params.get("v", shape=(FEATURES, 3), **options)
            self.w = self.params.get("w", shape=(FEATURES, 1), **options)
            self.w0 = self.params.get("w0", shape=(1,))

        def forward(self, x: Any) -> Any:
            v, w = self.v.row_sparse_data(x.indices), self.w.row_sparse_data(x.indices)
            w1 = nd.broadcast_add(nd.dot(x, w), self.w0.data())
            v_s = nd._internal._square_sum(v, axis=1, keepdims=True)
            w2 = 0.5 * nd.square(nd.dot(x, v))
            pred = nd.concat(w1, w2, dim=1).sum(axis=1, keepdims=True)
            return pred - 0.5 * nd.dot(nd.square(x), v_s)

    class Factors(gluon.Block):
        def __init__(self) -> None:
            super().__init__(prefix="factors_")
            with self.name_scope():
                self.user = gluon.nn.Embedding(20, 4, sparse_grad=True)
                self.item = gluon.contrib.nn.SparseEmbedding(15, 4)

        def forward(self, user: Any, item: Any) -> Any:
            return (self.user(user) * self.item(item)).sum(axis=1)

    return {"linear": Linear, "machine": Machine, "factors": Factors}[model]()


def trained_block(mx: Any, model: str, optimizer: str, settings: dict, store: str) -> list:
    """Train a block with a trainer."""
    net = blocks(mx, model)
    net.initialize()
    kv = mx.kv.create(store)
    settings = {"rescale_grad": 1 / BATCH, **settings}
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, settings, kvstore=kv)
    everything = {}
    for seed, (name, one) in enumerate(sorted(net.collect_params().items())):
        one.set_data(drawn(mx, *one.shape, seed=seed))
        everything[name] = one
    loss = {
        "linear": mx.gluon.loss.SoftmaxCrossEntropyLoss(),
        "machine": mx.gluon.loss.SigmoidBinaryCrossEntropyLoss(),
        "factors": mx.gluon.loss.L2Loss(),
    }[model]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        batches = read(mx, folder, kv.rank)
        user, item, score = (mx.nd.array(one) for one in ratings(mx, kv.rank))
        for _ in range(3):
            total = 0.0
            for k, batch in enumerate(batches):
                part = slice(k * BATCH, (k + 1) * BATCH)
                x, label = batch.data, batch.label[0]
                if model == "factors":
                    x, label = [user[part], item[part]], score[part]
                with mx.autograd.record():
                    y = loss(net(*x), label)
                y.backward()
                trainer.step(1)
                total += float(y.sum().asscalar())
            batches.reset()
            found.append(np.array(total, "float32"))
        del batches
    return [*found, *(values_of(mx, one) for one in everything.values())]


def values_of(mx: Any, parameter: Any) -> Any:
    if parameter._stype == "default":
        return parameter.data()
    return whole(parameter.row_sparse_data(mx.nd.arange(parameter.shape[0])))


OPTIMIZERS: dict[str, dict[str, Any]] = {
    "sgd": {"learning_rate": 0.5, "momentum": 0.9, "wd": 0.01},
    "adam": {"learning_rate": 0.05, "wd": 0.01},
    "ftrl": {"learning_rate": 0.1, "lamda1": 0.01},
    "adagrad": {"learning_rate": 0.1},
}


def programs(several: bool = False) -> dict[str, Callable[[Any], list]]:
    """Maps a name to a program; of `several` processes, those that share a store."""
    found: dict[str, Callable[[Any], list]] = {}
    for name in ("sgd", "ftrl") if several else OPTIMIZERS:
        settings = OPTIMIZERS[name]
        given = {"optimizer": name, "settings": settings}
        for store in ("dist_sync",) if several else (None, "local"):
            for model in ("linear", "machine"):
                key = f"module {model} {name} {store}"
                found[key] = partial(trained_module, model=model, store=store, **given)
            found[f"module factors {name} {store}"] = partial(factors_module, store=store, **given)
        # MXNet's server does not take gradients by rows of dense weights.
        for model in ("linear", "machine", "factors")[: 2 if several else 3]:
            store = "dist_sync" if several else "device"
            found[f"block {model} {name}"] = partial(
                trained_block, model=model, store=store, **given
            )
        key = f"module of a million columns {name}"
        store = "dist_sync" if several else "local"
        found[key] = partial(trained_module, model="linear", store=store, spread=SPREAD, **given)
    return found
