"""Saving and loading objects with tensors, by pickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from typing import Any

from .._core.errors import GluonError
from .device import CompNode, placed

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


def load(f: Any, map_location: Any = None, pickle_module: Any = pickle) -> Any:
    """Read an object that `save` wrote. Only load files that you trust: pickle runs code.

    Parameters
    ----------
    map_location : str, dict or function, optional
        The nominal device of the tensors; or for the name of each device in the file, another one.

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
            return pickle_module.load(f)
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
