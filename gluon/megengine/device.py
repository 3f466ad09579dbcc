"""Names of devices. All of them are the host's memory: computations run on the CPU."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .._core.arrays.silence import silence_numpy
from .._core.errors import ArgumentError
from .absent import missing

__all__ = [
    "CompNode",
    "get_default_device",
    "get_device_count",
    "is_cuda_available",
    "set_default_device",
]

NAME = re.compile(r"(xpu|cpu|gpu|multithread)(x|\d+)?(?::(\d+))?")
_default = "xpux"
#: What becomes of the name of a device in a file, while it is read in this thread.
_moves: ContextVar[Callable[[str], Any]] = ContextVar("moves", default=lambda name: name)


@contextmanager
def placed(move: Callable[[str], Any]) -> Iterator[None]:
    """Have tensors that are unpickled meanwhile on the devices that `move` gives."""
    token = _moves.set(move)
    try:
        yield
    finally:
        _moves.reset(token)


def moved(name: str) -> Any:
    """The device of a tensor whose pickle names a device."""
    return _moves.get()(name)


class CompNode:
    """The device of a tensor, printed as MegEngine prints it.

    Parameters
    ----------
    name : str
        Such as ``"xpux"``, ``"cpu0"`` or ``"gpu1:0"``.

    Examples
    --------
    >>> str(CompNode("cpu0")), CompNode("xpux")
    ('cpu0:0', CompNode("cpu0:0" from "xpux:0"))
    """

    __slots__ = ("logical_name",)
    logical_name: str

    def __init__(self, name: str) -> None:
        found = NAME.fullmatch(name)
        if found is None:
            raise ArgumentError(f"device {name!r}: use a name such as 'xpux' or 'cpu0'")
        kind, number, stream = found.groups()
        if kind == "gpu":
            warnings.warn(f"device {name!r}: computing on the host", stacklevel=3)
        self.logical_name = _logical(kind, number, stream)

    @property
    def physical_name(self) -> str:
        """The physical device: the host."""
        return "cpu0:0"

    def _placed(self, raw: Any) -> Any:
        return raw  # on the host, wherever the name says

    def __str__(self) -> str:
        return self.logical_name

    def __repr__(self) -> str:
        return f'CompNode("{self.physical_name}" from "{self.logical_name}")'

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CompNode):
            return self.logical_name == other.logical_name
        found = NAME.fullmatch(other) if isinstance(other, str) else None
        return found is not None and self.logical_name == _logical(*found.groups())

    def __hash__(self) -> int:
        return hash(self.logical_name)


def _logical(kind: str, number: str | None, stream: str | None) -> str:
    """The name of a device with all its parts."""
    return f"{kind}{number or 'x'}:{stream or 0}"


def as_device(device: Any) -> CompNode:
    """`device`, a name, a `CompNode` or None for the default, as a `CompNode`."""
    silence_numpy()
    if isinstance(device, CompNode):
        return device
    return CompNode(_default if device is None else device)


def get_default_device() -> str:
    """The name of the device of new tensors, ``"xpux"`` unless it was set.

    Examples
    --------
    >>> get_default_device()
    'xpux'
    """
    return _default


def set_default_device(device: str = "xpux") -> None:
    """Name the device of new tensors.

    Parameters
    ----------
    device : str, default "xpux"
        For a GPU it warns, and computations run on the host.

    Examples
    --------
    >>> set_default_device("cpu0")
    >>> get_default_device()
    'cpu0'
    >>> set_default_device()
    """
    global _default
    CompNode(device)
    _default = device


def get_device_count(device_type: str) -> int:
    """The number of devices of a kind.

    Returns
    -------
    int
        0 for GPUs and other accelerators, else the number of processors.

    Examples
    --------
    >>> get_device_count("gpu")
    0
    """
    if device_type not in ("cpu", "xpu", "gpu", "rocm"):
        raise ArgumentError(
            f"device_type {device_type!r} is unknown; use 'cpu', 'xpu', 'gpu' or 'rocm'"
        )
    return (os.cpu_count() or 1) if device_type in ("cpu", "xpu") else 0


def is_cuda_available() -> bool:
    """Whether a GPU is available: always False.

    Examples
    --------
    >>> is_cuda_available()
    False
    """
    return False


if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = missing("device", __all__)
