"""List the public names of all modules of real MXNet 1.9.1, and of their classes.

Run it where MXNet is installed; gluon is not needed:

    /path/to/oracle/bin/python tests/reference/make_mxnet_names.py

It writes ``mxnet_names.json`` beside itself: for each module or class its names.
"""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path
from types import ModuleType

MODULES = """
    attribute autograd base callback context contrib contrib.ndarray engine error executor
    executor_manager gluon gluon.block gluon.contrib gluon.contrib.cnn gluon.contrib.data
    gluon.contrib.estimator gluon.contrib.nn gluon.contrib.rnn gluon.data gluon.data.dataloader
    gluon.data.vision gluon.data.vision.transforms gluon.loss gluon.model_zoo
    gluon.model_zoo.model_store gluon.model_zoo.vision gluon.nn gluon.parameter gluon.rnn
    gluon.trainer gluon.utils image initializer io kvstore libinfo library log lr_scheduler metric
    model module monitor name ndarray ndarray.contrib ndarray.image ndarray.linalg
    ndarray.ndarray ndarray.random ndarray.sparse ndarray.utils numpy numpy.linalg numpy.random
    numpy_extension numpy_extension.image numpy_extension.random operator optimizer
    optimizer.contrib profiler random recordio registry rnn rtc runtime symbol symbol.contrib
    symbol.image symbol.linalg symbol.random symbol.sparse test_utils util visualization
"""


def is_public(name: str, value: object) -> bool:
    """Whether `value` is MXNet's, or a plain value; not something imported from elsewhere."""
    if name[0] == "_" or type(value).__module__ == "__future__":
        return False
    if isinstance(value, ModuleType):
        return value.__name__.startswith("mxnet")
    home = getattr(value, "__module__", None) or "mxnet"
    return home.partition(".")[0] in ("mxnet", "ndarray", "numpy", "symbol") or not callable(value)


def members(owner: type) -> list[str]:
    """The public names that a class defines, itself or through its base in C."""
    classes = [one for one in owner.__mro__ if one is owner or one.__module__.startswith("mxnet._")]
    return sorted({name for one in classes for name in vars(one) if name[0] != "_"})


def main() -> None:
    found = {}
    for path in ["", *MODULES.split()]:
        full = f"mxnet.{path}".rstrip(".")
        module = import_module(full)
        public = {
            name: value
            for name in dir(module)
            if is_public(name, value := getattr(module, name, None))
        }
        found[full] = " ".join(sorted(public))
        for name, value in public.items():
            if inspect.isclass(value) and value.__module__.startswith(full) and members(value):
                found[f"{full}.{name}"] = " ".join(members(value))
    path = Path(__file__).resolve().parent / "mxnet_names.json"
    path.write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main()
