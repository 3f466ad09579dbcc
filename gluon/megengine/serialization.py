"""Saving and loading objects with tensors, by pickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._core.arrays.unpickling import Known, unpickle
from .._core.engine.array import wrap
from .._core.errors import GluonError, a_type
from .device import CompNode, as_device, moved, placed
from .tensor import Parameter, Tensor

__all__ = ["load", "save"]


def save(obj: Any, f: Any, pickle_module: Any = pickle, pickle_protocol: int = 4) -> None:
    """Write an object to a file.

    Parameters
    ----------
    obj : object
        A state_dict, or any object that can be pickled.

    Examples
    --------
    >>> import io
    >>> from gluon.megengine import Tensor
    >>> file = io.BytesIO()
    >>> save({"weight": Tensor([1.0])}, file)
    >>> _ = file.seek(0)
    >>> load(file)
    {'weight': Tensor([1.], device=xpux:0)}
    """
    if hasattr(f, "write"):
        pickle_module.dump(obj, f, pickle_protocol)
        return
    with open(f, "wb") as file:
        pickle_module.dump(obj, file, pickle_protocol)


def load(f: Any, map_location: Any = None, pickle_module: Any = None) -> Any:
    """Read an object that `save` wrote: values, arrays, tensors, modules and optimizers.

    Anything else in the file is an error, because it could run code. MegEngine's default for
    `pickle_module` is pickle, which runs it.

    Parameters
    ----------
    f : str or file
    map_location : str, dict or function, optional
        The nominal device of the tensors; or for the name of each device in the file, another one.
    pickle_module : module, optional
        What reads the file, such as ``pickle``: only for files that you trust.

    Raises
    ------
    GluonError
        If the file is damaged, or holds anything else.

    Examples
    --------
    >>> import io
    >>> from gluon.megengine import Tensor
    >>> file = io.BytesIO()
    >>> save({"weight": Tensor([1.0, 2.0])}, file)
    >>> _ = file.seek(0)
    >>> load(file)
    {'weight': Tensor([1. 2.], device=xpux:0)}
    """
    if not hasattr(f, "read"):
        with open(f, "rb") as file:
            return load(file, map_location, pickle_module)
    try:
        with placed(_mapping(map_location)):
            return unpickle(f.read(), _known()) if pickle_module is None else pickle_module.load(f)
    except GluonError:
        raise
    except Exception as error:  # a damaged pickle can call for anything
        raise GluonError(f"load: the file is damaged, or not a pickle: {error}") from error


def _mapping(location: Any) -> Callable[[str], Any]:
    """What `map_location` makes of the name of a device."""
    if callable(location):
        return location
    if isinstance(location, Mapping):
        other = {CompNode(name): to for name, to in location.items()}
        return lambda name: other.get(CompNode(name), name)
    return lambda name: name if location is None else location


def _known() -> Known:
    """What files may hold."""
    from .module import Module
    from .optimizer import Optimizer

    return Known(
        "an object for load",
        (Tensor, Module, Optimizer),
        _look_up,
        (_tensor,),
        way_out=(
            ". A class of your own is read if it derives from {} and its module is imported"
            " before; for files that you trust, pass pickle_module=pickle"
        ),
    )


def _look_up(module: str, name: str) -> Any:
    """Tensors, by the names that versions of gluon and MegEngine gave them."""
    if module.partition(".")[0] not in ("gluon", "megengine"):
        return None
    return {"Tensor": Tensor, "Parameter": Parameter, "_unpickle": _tensor}.get(name)


def _tensor(kind: Any, raw: Any, device: Any) -> Tensor:
    """A tensor as version 0.2 wrote it."""
    if kind not in (Tensor, Parameter) or type(raw) is not np.ndarray:
        raise ValueError(f"it makes a tensor of {a_type(raw)}")
    return wrap(kind, raw, as_device(moved(str(device))))
