"""Who owns the memory of a raw array, and where the array lies in it."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided


class Buffer:
    """The base of raw buffers that are no arrays of NumPy: those on devices."""

    __slots__ = ()
    base: Any
    dtype: Any
    shape: Any
    ndim: Any
    size: Any
    copy: Callable[..., Any]
    get: Callable[[], Any]
    wait: Callable[[], None]
    beside: Callable[[Any], Any]
    approach: Callable[[Any, float], None]
    zeros_there: Callable[[], Callable[[Any, Any], Any]]


#: What a raw buffer can be: all have the attribute `base`.
BUFFERS = (np.ndarray, Buffer)


def on_host(raw: Any) -> Any:
    """`raw` as an array of NumPy: a copy of what is on a device."""
    return raw.get() if isinstance(raw, Buffer) else raw


def brought(raw: Any, there: Any, ctx: Any) -> Any:
    """`raw` where `there` is, the raw buffer of an array on `ctx`: a copy, or itself."""
    if type(raw) is np.ndarray and type(there) is np.ndarray:
        return raw
    if type(there) is np.ndarray:
        return on_host(raw)
    is_there = ctx is None or getattr(raw, "place", None) == ctx.device_id
    return raw if is_there else ctx._placed(raw)


def form_of(raw: Any) -> tuple[Any, ...]:
    """What `zeros` makes an array like `raw` from, without holding its values."""
    form = raw.shape, raw.dtype
    return (*form, raw.zeros_there()) if isinstance(raw, Buffer) else form


def zeros(shape: tuple[int, ...], dtype: Any, make: Any = np.zeros) -> Any:
    """A raw array of zeros; `make` makes it in the memory of a device."""
    return make(shape, dtype)


def beside(x: Any, constants: Any) -> Any:
    """`constants`, an array of NumPy, in the memory of `x`, which is raw or recorded."""
    raw = getattr(x, "form", x)
    while hasattr(raw, "each_of"):  # those of all examples of `vmap`
        raw = raw.data
    if hasattr(constants, "each_of"):
        return type(constants)(beside(raw, constants.data), constants.level)
    there = isinstance(raw, Buffer) and not isinstance(constants, Buffer)
    return raw.beside(constants) if there else constants


def foreign(raw: Any) -> Any:
    """`raw` with a memoryview between it and its memory, if that can be written to.

    NumPy names the array that owns the memory as the base of every view; with a memoryview in
    between `raw` is the owner as far as copy on write is concerned.
    """
    if raw.flags.writeable and raw.flags.c_contiguous and raw.size:
        memory = np.asarray(memoryview(raw.reshape(-1).view(np.uint8)))
        raw = memory.view(raw.dtype).reshape(raw.shape)
    return raw


def is_external(raw: Any) -> bool:
    """Whether somebody else may write to the memory of `raw`; see `foreign`."""
    while isinstance(raw, BUFFERS):
        raw = raw.base
    return raw is not None


def own(raw: Any) -> Any:
    """`raw`, or a copy where somebody else may write to its memory."""
    return raw.copy() if raw.base is not None and is_external(raw) else raw


def offset(raw: Any, owner: Any) -> int:
    """Where the memory of `raw` begins in that of `owner`, in bytes."""
    starts = [array.__array_interface__["data"][0] for array in (raw, owner)]
    return starts[0] - starts[1]


def same_place(raw: Any, owner: Any, fresh: Any) -> Any:
    """The view of `fresh` that `raw` is of `owner`, both laid out alike."""
    if isinstance(raw, Buffer):
        return fresh.as_laid(raw, owner)
    memory = fresh.ravel(order="K").view(np.uint8)
    return np.ndarray(raw.shape, raw.dtype, memory, offset(raw, owner), raw.strides)


def places(raw: Any, whole: Any) -> Any:
    """The place in the flat `whole`, which is contiguous, of each element of its view `raw`."""
    numbers = np.arange(whole.size)
    strides = [stride // raw.itemsize * numbers.itemsize for stride in raw.strides]
    start = numbers[offset(raw, whole) // raw.itemsize :]
    return as_strided(start, raw.shape, strides).copy()


class _Holder:
    """Holds a buffer like a handle does."""

    __slots__ = ("raw",)
    raw: Any


def _raw_count(holder: Any) -> int:
    return getrefcount(holder.raw)


def _base_count(holder: Any) -> int:
    return getrefcount(holder.raw.base)


# The counts for a buffer with exactly one owner, which depend on the Python version.
_holder = _Holder()
_holder.raw = np.empty(2)
ALONE = _raw_count(_holder)
_holder.raw = np.empty(2)[:1]
_BASE_ALONE = _base_count(_holder)


def held_elsewhere(members: list) -> bool:
    """Whether anything but `members`, the handles of one buffer, holds it.

    Each owner of an object is one reference to it: the slot of a handle, the ``base`` of a view,
    a graph, a variable of the caller. The functions above add those of their own call, which is the
    same number in each call, whatever the Python, and was measured for one owner. So a buffer that
    only `members` hold has that count, one more for each view of it among `members`, and one more
    for each variable here; and with an owner elsewhere its count is higher. It could be lower only
    where a Python does not count each owner, which ``tests/_core/engine/test_inplace.py`` looks
    for. A count that is too high costs a copy, never a wrong value.
    """
    views = [member for member in members if isinstance(member.raw.base, BUFFERS)]
    for member in members:
        if not member.raw.flags.writeable:
            return True
        expected = ALONE
        if views and not isinstance(member.raw.base, BUFFERS):
            expected += sum(other.raw.base is member.raw for other in views)
        if _raw_count(member) > expected:
            return True
    for member in views:
        base = member.raw.base  # adds one reference
        owners = sum(other.raw is base for other in members)
        sharing = sum(other.raw.base is base for other in views)
        if _base_count(member) > _BASE_ALONE + 1 + owners + sharing - 1:
            return True
    return False


def available() -> int:
    """How many bytes of memory processes may still take; a very large number where nobody says."""
    try:
        with open("/proc/meminfo") as file:
            line = next(line for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return 1 << 62
    return int(line.split()[1]) * 1024
