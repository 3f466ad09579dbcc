"""Write what gluon 0.2 pickles: arrays, contexts, parameters, tensors, states and parameter files.

Later versions must read these files, so run it with gluon 0.2 only, never with a later version:

    PYTHONPATH=/path/to/gluon-0.2 python recorded/make_pickles.py

It writes ``pickles_0_2.npz`` beside itself. ``after/`` has the parameters one step later.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gluon import Context, Parameter, Trainer, autograd, cpu, lr_scheduler, nd, nn
from gluon import np as gnp
from gluon.megengine import Parameter as MegParameter
from gluon.megengine import Tensor

#: The optimizer and its settings, and the dtype.
STATES: dict[str, tuple[str, dict[str, Any], str]] = {
    "sgd": ("sgd", {"momentum": 0.9}, "float32"),
    "adam": ("adam", {}, "float32"),
    "sgd16": ("sgd", {"momentum": 0.9, "multi_precision": True}, "float16"),
    "scheduled": (
        "adam",
        {"lr_scheduler": lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.1)},
        "float32",
    ),
    "nadam": ("nadam", {}, "float32"),
    "lbsgd": ("lbsgd", {"batch_scale": 3}, "float32"),
}


def objects() -> dict[str, Any]:
    x = nd.array([[1, 2], [3, 4.5]])
    parameter = Parameter("weight", shape=(2,), dtype="float32")
    parameter.initialize(ctx=cpu())
    parameter.set_data(nd.array([1, 2]))
    return {
        "nd": x,
        "nd_float16": x.astype("float16"),
        "nd_int": nd.array([1, 2], dtype="int32"),
        "nd_cpu1": nd.array([1, 2], ctx=cpu(1)),
        "nd_transposed": x.T,
        "np": gnp.array([[1.0, 2], [3, 4.5]]),
        "np_scalar": gnp.array(2.5),
        "context": cpu(1),
        "context_gpu": Context("gpu", 2),
        "list": [x, cpu(0), {"a": gnp.ones((2,))}],
        "parameter": parameter,
        "tensor": {"w": Tensor([1.0, 2.5]), "p": MegParameter([1, 2])},
    }


def layer(dtype: str) -> Any:
    net = nn.Dense(2, in_units=3, dtype=dtype, prefix="net_")
    net.initialize()
    for one in net.collect_params().values():
        spread = np.linspace(-1, 1, one.data().size).reshape(one.shape)
        one.set_data(nd.array(spread).astype(dtype))
    return net


def step(net: Any, trainer: Any, dtype: str) -> None:
    with autograd.record():
        loss = (net(nd.ones((2, 3)).astype(dtype)) ** 2).sum()
    loss.backward()
    trainer.step(2)


def main() -> None:
    found = {}
    for name, thing in objects().items():
        for protocol in (2, 4, 5):
            content = pickle.dumps(thing, protocol)
            found[f"{name}/{protocol}"] = np.frombuffer(content, np.uint8)
    for name, (optimizer, words, dtype) in STATES.items():
        net = layer(dtype)
        words = {"learning_rate": 0.1, **words}
        trainer = Trainer(net.collect_params(), optimizer, words, kvstore=None)
        for _ in range(2):
            step(net, trainer, dtype)
        with tempfile.TemporaryDirectory() as folder:
            for kind, save in (("states", trainer.save_states), ("params", net.save_parameters)):
                path = os.path.join(folder, kind)
                save(path)
                found[f"{kind}/{name}"] = np.frombuffer(Path(path).read_bytes(), np.uint8)
        step(net, trainer, dtype)
        for kind in ("weight", "bias"):
            found[f"after/{name}/{kind}"] = getattr(net, kind).data().asnumpy()
    np.savez_compressed(Path(__file__).parent / "pickles_0_2.npz", **found)


if __name__ == "__main__":
    main()
