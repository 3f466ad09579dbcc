"""Programs that train, save the states of an optimizer and go on; `mx` is MXNet 1.9.1 or gluon.

Each returns the bytes of the states, the weights at that time, and the weights at the end.
``recorded/make_states.py`` keeps what MXNet returns; gluon goes on from there.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from .programs import OPTIMIZERS, SHAPES, given, made

BEFORE, AFTER = range(3), range(3, 7)
#: In MXNet, the update of a weight depends on the number of others.
ALONE = ("Nadam", "LARS")


def cases() -> dict[str, tuple[str, str]]:
    """The optimizers, by name: with and without a float32 copy of weights."""
    found = {}
    for text in OPTIMIZERS:
        found[text] = (text, "float32")
        if "multi_precision" not in text:
            doubled = text[:-1] + (", " if text[-2] != "(" else "") + "multi_precision=True)"
            found[doubled] = (doubled, "float16")
    return found


def shapes(text: str) -> list[tuple[int, ...]]:
    if text.startswith(ALONE):
        return SHAPES[:1]
    return [(3, 4), (2, 3)] if text.startswith("GroupAdaGrad") else SHAPES


def update(mx: Any, updater: Any, weights: list, turns: range) -> None:
    """Update the weights by gradients that depend on the turn."""
    for turn in turns:
        for k, weight in enumerate(weights):
            g = mx.nd.array(given(*weight.shape, seed=100 * turn + k), dtype=weight.dtype)
            if updater.optimizer.aggregate_num:
                updater([k], [g], [weight])
            else:
                updater(k, g, weight)


def trained(text: str, dtype: str) -> Any:
    def program(mx: Any) -> list:
        mx.random.seed(1)
        updater = mx.optimizer.get_updater(made(mx, text))
        weights = [
            mx.nd.array(given(*shape, seed=k), dtype=dtype) for k, shape in enumerate(shapes(text))
        ]
        update(mx, updater, weights, BEFORE)
        states = np.frombuffer(updater.get_states(dump_optimizer=True), np.uint8)
        middle = [weight.asnumpy() for weight in weights]
        update(mx, updater, weights, AFTER)
        return [states, *middle, *(weight.asnumpy() for weight in weights)]

    return program


def content(save: Any) -> np.ndarray:
    """The bytes of the file that ``save(path)`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        save(path)
        with open(path, "rb") as file:
            return np.frombuffer(file.read(), np.uint8)


def dense(mx: Any) -> tuple[Any, Any]:
    """A layer and its trainer, with momentum and a schedule."""
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    net.weight.set_data(mx.nd.array(given(2, 3)))
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
    words = {"momentum": 0.9, "lr_scheduler": schedule}
    return net, mx.gluon.Trainer(net.collect_params(), "sgd", words)


def step(mx: Any, net: Any, trainer: Any, turns: range) -> None:
    for turn in turns:
        with mx.autograd.record():
            loss = (net(mx.nd.array(given(4, 3, seed=turn))) ** 2).sum()
        loss.backward()
        trainer.step(4)


def values(net: Any) -> list:
    return [net.weight.data().asnumpy(), net.bias.data().asnumpy()]


def by_trainer(mx: Any) -> list:
    net, trainer = dense(mx)
    step(mx, net, trainer, BEFORE)
    states, middle = content(trainer.save_states), values(net)
    step(mx, net, trainer, AFTER)
    return [states, *middle, *values(net)]


def bound(mx: Any, kvstore: Any, params: Any = None) -> Any:
    """A module that is ready to train, from parameters if they are given."""
    data = mx.sym.var("data")
    net = mx.sym.FullyConnected(data, num_hidden=2, name="fc")
    model = mx.module.Module(
        mx.sym.LinearRegressionOutput(net, name="lro"), label_names=["lro_label"]
    )
    model.bind([("data", (4, 3))], [("lro_label", (4, 2))])
    model.init_params(mx.initializer.One(), params)
    store = kvstore and mx.kvstore.create(kvstore)  # by its name, one context gets none
    model.init_optimizer(store, "adam", {"learning_rate": 0.1, "rescale_grad": 0.25})
    return model


def fit(mx: Any, model: Any, turns: range) -> None:
    for turn in turns:
        data, label = given(4, 3, seed=turn), given(4, 2, seed=50 + turn)
        batch = mx.io.DataBatch([mx.nd.array(data)], [mx.nd.array(label)])
        model.forward_backward(batch)
        model.update()


def weights_of(model: Any) -> list:
    found = model.get_params()[0]
    return [found[name].asnumpy() for name in ("fc_weight", "fc_bias")]


def by_module(kvstore: Any) -> Any:
    def program(mx: Any) -> list:
        model = bound(mx, kvstore)
        fit(mx, model, BEFORE)
        states, middle = content(model.save_optimizer_states), weights_of(model)
        fit(mx, model, AFTER)
        return [states, *middle, *weights_of(model)]

    return program


#: What a Module calls the weights in its states depends on the store.
STORES = {"Module": "local", "Module without a store": None}


def programs() -> dict[str, Any]:
    found = {name: trained(*case) for name, case in cases().items()}
    found |= {name: by_module(store) for name, store in STORES.items()}
    return {**found, "Trainer": by_trainer}
