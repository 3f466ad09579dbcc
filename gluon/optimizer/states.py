"""States of optimizers as bytes: reads those of gluon and MXNet, and runs no code in them."""

from __future__ import annotations

import io
import pickle
from copyreg import __newobj__  # type: ignore[attr-defined]
from types import FunctionType
from typing import Any, Final

import numpy as np

from .._core.arrays import interfaces
from .._core.arrays.base import seen_as
from .._core.arrays.context import Context
from .._core.arrays.unpickling import Known, UnknownNameError, unpickle
from .._core.engine.array import Array, wrap
from .._core.errors import GluonError, a_type
from ..lr_scheduler import LRScheduler
from ..nd import NDArray
from ..nd.files import from_bytes, to_bytes
from .base import Optimizer
from .exchange import to_mxnet

#: Python 3.4 and later read it, and so does every MXNet.
PROTOCOL: Final = 4
#: The names of arrays in pickles, whichever module a version had them in.
ARRAYS: Final = ("NDArray", "ndarray")
SPARSE: Final = ("CSRNDArray", "RowSparseNDArray")
#: MXNet's modules, and what of them gluon has.
MXNETS: Final = {
    "mxnet.ndarray.ndarray": "NDArray",
    "mxnet.numpy.multiarray": "ndarray",
    "mxnet.lr_scheduler": (
        "CosineScheduler FactorScheduler LRScheduler MultiFactorScheduler PolyScheduler"
    ),
    "mxnet.optimizer.contrib": "GroupAdaGrad",
    "mxnet.optimizer.optimizer": (
        "AdaDelta AdaGrad Adam Adamax DCASGD FTML Ftrl LAMB LARS LBSGD NAG Nadam Optimizer RMSProp"
        " SGD SGLD Signum Test ccSGD"
    ),
}
MODULES: Final = {name: module for module, names in MXNETS.items() for name in names.split()}


# ------------------------------------------------------------------------------------- reading


def loads(data: bytes, schedule: Any = None) -> tuple[dict[Any, Any], Optimizer | None]:
    """Read the bytes of `dumps`, or MXNet's: the states, and the optimizer if it was dumped.

    Parameters
    ----------
    data : bytes
    schedule : callable, optional
        The schedule of the optimizer that is to be replaced. If it is a function, or of a class
        of its own, the data may name it.

    Raises
    ------
    GluonError
        If they are damaged, or hold something else.
    """

    def look_up(module: str, name: str) -> Any:
        if module.partition(".")[0] in ("gluon", "mxnet"):
            return _of_library(module, name)
        return own.get((module, name))

    own = {_path(one): one for one in _of_program(schedule)}
    kinds = (Optimizer, LRScheduler, *(one for one in own.values() if isinstance(one, type)))
    known = Known("states of an optimizer", kinds, look_up, (Context, _array), from_bytes)
    found = unpickle(data, known)
    both = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
    if not isinstance(both[0], dict) or not isinstance(both[1], (Optimizer, type(None))):
        names = " and ".join(type(one).__name__ for one in both if one is not None)
        raise GluonError(
            f"states of an optimizer are a dict, with or without an Optimizer; this is {names}"
        )
    return both


def _of_program(schedule: Any) -> list[Any]:
    """A schedule that is a function or has a class of the program: that function or class."""
    if isinstance(schedule, FunctionType):
        return [schedule]
    return [] if type(schedule).__module__ in ("builtins", "functools") else [type(schedule)]


def _path(thing: Any) -> tuple[str, str]:
    return thing.__module__, thing.__qualname__


def _of_library(module: str, name: str) -> Any:
    """What a name of gluon's or MXNet's stands for, in any version."""
    if name in SPARSE:
        raise UnknownNameError(
            f"states of an optimizer: the data holds an array of MXNet's class {name}; gluon reads"
            " no sparse states. In MXNet, convert it with tostype('default') before saving"
        )
    if name == "_unpickle" and module.startswith("gluon."):
        return _array
    if name == "Context":
        return Context
    if "optimizer" in module.split("."):
        return _own(Optimizer).get(name)
    if "lr_scheduler" in module.split("."):
        return _own(LRScheduler).get(name)
    return getattr(interfaces, name) if name in ARRAYS else None


def _own(base: type) -> dict[str, type]:
    """The subclasses of a class that gluon defines, by name."""
    found: dict[str, type] = {}
    one: type
    for one in base.__subclasses__():
        if one.__module__.startswith("gluon."):
            found |= {one.__name__: one, **_own(one)}
    return found


def _array(kind: Any, raw: Any, context: Any) -> Any:
    """An array as version 0.2 wrote it."""
    if kind not in (NDArray, interfaces.ndarray) or type(raw) is not np.ndarray:
        raise ValueError(f"it makes an array of {a_type(raw)}")
    if not isinstance(context, (Context, type(None))):
        raise ValueError(f"an array is on {a_type(context)}")
    return wrap(kind, raw, context)


# ------------------------------------------------------------------------------------- writing


def dumps(content: Any, for_mxnet: bool) -> bytes:
    """Write states, or a pair of them and an optimizer.

    Parameters
    ----------
    content : object
    for_mxnet : bool
        Write states that MXNet reads. Only gluon reads those of optimizers that MXNet lacks.
    """
    file = io.BytesIO()
    (_ForMXNet if for_mxnet else _Pickler)(file, PROTOCOL).dump(content)
    return file.getvalue()


_Plain: Any = pickle._Pickler  # the one in Python, whose methods can be replaced


class _Pickler(_Plain):
    """Writes public names of classes, which no version moves."""

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write the name of a class or function."""
        known = self.path(obj, name)
        if known is None:
            super().save_global(obj, name)
            return
        for part in known:
            self.save(part)
        self.write(pickle.STACK_GLOBAL)
        self.memoize(obj)

    def path(self, obj: Any, name: str | None) -> tuple[str, str] | None:
        """The name to write, as module and name; None for the one that Python finds."""
        is_own = isinstance(obj, type) and obj.__module__.startswith("gluon.optimizer.")
        return ("gluon.optimizer", obj.__name__) if is_own else None


class _ForMXNet(_Pickler):
    """Writes the classes and attributes of MXNet."""

    def path(self, obj: Any, name: str | None) -> tuple[str, str] | None:
        """The name that MXNet has."""
        module = getattr(obj, "__module__", None) or ""
        if module.startswith("numpy._core"):  # NumPy 1 had another name
            return module.replace("_core", "core"), name or obj.__name__
        if module.startswith("gluon.") and obj.__name__ in MODULES:
            return MODULES[obj.__name__], obj.__name__
        return super().path(obj, name)

    def reducer_override(self, obj: Any) -> Any:
        """Take an object apart as MXNet does."""
        if isinstance(obj, Array):
            return type(obj), (None,), {"handle": bytearray(to_bytes(seen_as(NDArray, obj)))}
        if isinstance(obj, (Optimizer, LRScheduler)):
            return __newobj__, (type(obj),), to_mxnet(obj)
        return NotImplemented
