"""Writing into arrays: copy on write, so that a graph keeps the values it saw.

An operator never copies. The price is paid here, at the write: if anything but the handles of
an array still holds its buffer, most likely a recorded graph, then handle and views move to a
fresh copy and the write goes there. Who holds a buffer is read off its reference count.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any
from weakref import ref

import numpy

from .array import Array, wrap
from .errors import AutogradError
from .mode import mode
from .node import Variable
from .tape import AMBIENT


def join(array: Array, other: Array) -> None:
    """Let `other`, whose buffer is a view of `array`'s, see the writes to it and the reverse."""
    group = getattr(array, "_group", None)
    if group is None:
        array._group = group = [ref(array)]
    elif len(group) > 8:
        group[1:] = [member for member in group[1:] if member() is not None]
    group.append(ref(other))
    other._group = group


def external(cls: type, raw: Any, ctx: Any = None) -> Any:
    """A handle on memory that somebody else owns and wants to see written to.

    NumPy names the array that owns the memory as the base of every view; a memoryview in
    between makes `raw` the owner as far as copy on write is concerned.
    """
    if raw.flags.writeable and raw.flags.c_contiguous and raw.size:
        memory = memoryview(raw.reshape(-1).view(numpy.uint8))
        raw = numpy.asarray(memory).view(raw.dtype).reshape(raw.shape)
    return wrap(cls, raw, ctx)


def is_external(raw: Any) -> bool:
    """Whether the memory of `raw` belongs to somebody else; see `external`."""
    while isinstance(raw, numpy.ndarray):
        raw = raw.base
    return raw is not None


def writable(array: Array) -> Any:
    """The buffer of `array`, for writing: a fresh one when a graph still keeps the old.

    Returns
    -------
    numpy.ndarray
        ``array._raw`` after the move, if one was needed.
    """
    group = getattr(array, "_group", None)
    members = [array] if group is None else [m for m in (r() for r in group) if m is not None]
    if _held_elsewhere(members):
        _move(array, members)
    return array._raw


class _Probe:
    __slots__ = ("_raw",)
    _raw: Any


def _raw_count(holder: Any) -> int:
    return getrefcount(holder._raw)


def _base_count(holder: Any) -> int:
    return getrefcount(holder._raw.base)


# What the two counters show for a buffer with exactly one owner: Python versions differ.
_probe = _Probe()
_probe._raw = numpy.empty(2)
_RAW_ALONE = _raw_count(_probe)
_probe._raw = numpy.empty(2)[:1]
_BASE_ALONE = _base_count(_probe)


def _held_elsewhere(members: list) -> bool:
    """Whether anything but `members`, the handles of one buffer, holds it."""
    views = [member for member in members if isinstance(member._raw.base, numpy.ndarray)]
    for member in members:
        if not member._raw.flags.writeable:
            return True
        expected = _RAW_ALONE
        if views and not isinstance(member._raw.base, numpy.ndarray):
            expected += sum(other._raw.base is member._raw for other in views)
        if _raw_count(member) > expected:
            return True
    for member in views:
        base = member._raw.base
        owners = sum(other._raw is base for other in members)
        expected = _BASE_ALONE + 1 + owners + len(views) - 1
        if _base_count(member) > expected:
            return True
    return False


def _move(array: Array, members: list) -> None:
    if len(members) == 1:
        array._raw = array._raw.copy()
        return
    base = array._raw.base
    owner = base if isinstance(base, numpy.ndarray) else array._raw
    start = owner.__array_interface__["data"][0]
    fresh = owner.copy(order="K").ravel(order="K").view(numpy.uint8)
    for member in members:
        raw = member._raw
        member._raw = numpy.ndarray(
            raw.shape,
            raw.dtype,
            fresh,
            raw.__array_interface__["data"][0] - start,
            raw.strides,
        )


def rebind(target: Array, value: Array, what: str) -> None:
    """Let `target` stand for `value`, history included: an in-place operation, recorded.

    Raises
    ------
    AutogradError
        If `target` is a variable of the recording, or a view of another array, whose other
        handles could not follow.
    """
    _check_rebindable(target, what)
    if value._raw.shape != target._raw.shape:
        raise AutogradError(
            f"{what}: the result has shape {value._raw.shape}, the array written to"
            f" {target._raw.shape}; in-place operations keep the shape"
        )
    target._raw, target._node = value._raw, value._node
    if hasattr(target, "_group"):
        # Views taken before keep the value they saw.
        target._group[:] = [member for member in target._group if member() is not target]
        del target._group


def _check_rebindable(target: Array, what: str) -> None:
    """Raise when an in-place operation on `target` cannot be recorded; see `rebind`."""
    node = target._node
    if type(node) is Variable and AMBIENT in node.tapes and AMBIENT in mode().tapes:
        raise AutogradError(
            f"{what}: in-place on a variable of shape {target._raw.shape} while recording;"
            " write to it outside autograd.record(), or inside autograd.pause(), or compute a"
            " new array"
        )
    group = getattr(target, "_group", None)
    others = [other for other in (r() for r in group or ()) if other is not None]
    if group and group[0]() is not target and any(other is not target for other in others):
        raise AutogradError(
            f"{what}: a recorded in-place operation on a view of shape {target._raw.shape}"
            " cannot reach the array it views; write through that array, as in"
            " base[index] = value, or copy() the view first"
        )


def is_recorded(*arrays: Any) -> bool:
    """Whether a tape that records now tracks any of `arrays`."""
    tapes = mode().tapes
    return bool(tapes) and any(
        tape in array._node.tapes for array in arrays if isinstance(array, Array) for tape in tapes
    )
