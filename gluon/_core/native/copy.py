"""Copies of values: into parts of arrays, with masks, and with limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from math import copysign, prod
from typing import Any

import numpy as np

from ..kernels.reduce import kept_shape
from ..kernels.sequence import lengths_of
from . import loading
from .loading import runner
from .stand_ins import FLOATS, stands_in, suits

_copy, _border, _mask_rows = runner("copy"), runner("pad"), runner("mask_rows")
_clip = runner("limit")
KNOWN = (*FLOATS, np.dtype(np.int32), np.dtype(np.int64))
#: Fewer values occupy one thread, and NumPy is as fast: a multiple of `loading.LEAST`.
MANY = 32
#: Shorter rows than this are repeated by NumPy.
ROW = 16


def put(*pairs: tuple[Any, Any]) -> None:
    """Assign ``y[...] = x`` for each pair (y, x), in any order; no y overlaps another."""
    if not _copy(tuple([array for y, x in pairs for array in (x, y)])):
        for y, x in pairs:
            y[...] = x


def _many(count: int, *arrays: Any) -> bool:
    """Whether there are many values, and the arrays share a supported dtype."""
    dtype = arrays[0].dtype
    if count < MANY * loading.LEAST or dtype not in KNOWN:
        return False
    return all(type(x) is np.ndarray and x.dtype == dtype for x in arrays)


# --------------------------------------------------------------------------- new arrays


def full(shape: tuple[int, ...], dtype: Any, value: float) -> Any:
    """A new array of one value; of a dtype that is known."""
    y = np.empty(shape, dtype)
    put((y, _one(dtype, value)))
    return y


def _one(dtype: Any, value: float) -> Any:
    """Return an array of one value, to be read."""
    return _kept(dtype, value, copysign(1, value))


@lru_cache(256)
def _kept(dtype: Any, value: float, sign: float) -> Any:
    """Keep what `_one` returns; `sign` tells 0 from -0, which are equal."""
    return np.full(1, value, dtype)


def _filled(name: str, value: int) -> None:
    def stand_in(plain: Callable, x: Any, *, dtype: Any = None) -> Any:
        kind = x.dtype if dtype is None else np.dtype(dtype)
        if kind in KNOWN and _many(x.size, x) and x.flags.c_contiguous:
            return full(x.shape, kind, value)
        return plain(x, dtype=dtype)

    stands_in(name)(stand_in)


_filled("zeros_like", 0)
_filled("ones_like", 1)


@stands_in("restore")
def _restored(plain: Callable, x: Any, *, axis: Any, shape: tuple[int, ...]) -> Any:
    if prod(shape) < MANY * loading.LEAST or x.shape == shape or x.dtype not in KNOWN:
        return plain(x, axis=axis, shape=shape)
    if x.ndim != len(shape):
        x = x.reshape(() if axis is None else kept_shape(axis, shape))
    y = np.empty(shape, x.dtype)
    put((y, x))
    return y


# ------------------------------------------------------------------------- arrays of arrays


@stands_in("concat")
def _concat(plain: Callable, *xs: Any, axis: int = 0) -> Any:
    ndim = xs[0].ndim if xs else 0
    if not (
        _many(sum(x.size for x in xs), *xs)
        and -ndim <= axis < ndim
        and len({(*x.shape[: axis % ndim], *x.shape[axis % ndim + 1 :]) for x in xs}) == 1
        and all(x.ndim == ndim for x in xs)
        and len(xs) <= 100
    ):
        return plain(*xs, axis=axis)
    axis %= ndim
    ends = list(accumulate(x.shape[axis] for x in xs))
    y = np.empty((*xs[0].shape[:axis], ends[-1], *xs[0].shape[axis + 1 :]), xs[0].dtype)
    before = (slice(None),) * axis
    put(*[(y[(*before, slice(end - x.shape[axis], end))], x) for x, end in zip(xs, ends)])
    return y


@stands_in("stack")
def _stack(plain: Callable, *xs: Any, axis: int = 0) -> Any:
    ndim = xs[0].ndim + 1 if xs else 0
    if not (
        _many(sum(x.size for x in xs), *xs)
        and -ndim <= axis < ndim
        and len({x.shape for x in xs}) == 1
        and len(xs) <= 100
    ):
        return plain(*xs, axis=axis)
    axis %= ndim
    y = np.empty((*xs[0].shape[:axis], len(xs), *xs[0].shape[axis:]), xs[0].dtype)
    before: tuple[Any, ...] = (slice(None),) * axis
    put(*[(y[(*before, k)], x) for k, x in enumerate(xs)])
    return y


@stands_in("tile")
def _tile(plain: Callable, x: Any, *, reps: Any) -> Any:
    """Repetitions become axes of their own, along which x is broadcast."""
    reps = reps if isinstance(reps, tuple) else (reps,)
    ndim = max(len(reps), x.ndim)
    if not (_many(x.size, x) and min(reps, default=1) > 0 and 2 * ndim <= 32):
        return plain(x, reps=reps)
    shape = (1,) * (ndim - x.ndim) + x.shape
    reps = (1,) * (ndim - len(reps)) + reps
    y = np.empty([r * n for r, n in zip(reps, shape)], x.dtype)
    parts = y.reshape([length for pair in zip(reps, shape) for length in pair])
    put((parts, x.reshape([length for n in shape for length in (1, n)])))
    return y


@stands_in("repeat")
def _repeat(plain: Callable, x: Any, *, repeats: Any, axis: int | None = None) -> Any:
    """Repetitions become an axis of their own, before rows that are long enough to copy."""
    if not (
        type(repeats) is int
        and repeats > 0
        and type(axis) is int
        and _many(x.size, x)
        and -x.ndim <= axis < x.ndim < 32
        and prod(x.shape[axis % x.ndim + 1 :]) >= ROW
    ):
        return plain(x, repeats=repeats, axis=axis)
    axis %= x.ndim
    before, n, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    y = np.empty((*before, n * repeats, *after), x.dtype)
    put((y.reshape(*before, n, repeats, *after), np.expand_dims(x, axis + 1)))
    return y


@stands_in("pad")
def _pad(plain: Callable, x: Any, *, width: Any, mode: Any = "constant", value: float = 0) -> Any:
    if not (
        mode == "constant"
        and _many(x.size, x)
        and type(width) in (tuple, list)
        and len(width) == x.ndim
        and all(type(pair) in (tuple, list) and len(pair) == 2 for pair in width)
        and all(type(n) is int and n >= 0 for pair in width for n in pair)
        and type(value) in (int, float)
        and x.dtype in FLOATS
    ):
        return plain(x, width=width, mode=mode, value=value)
    y = np.empty([b + n + a for n, (b, a) in zip(x.shape, width)], x.dtype)
    if _border((x, y), tuple([before for before, _ in width]), (float(value),)):
        return y
    return plain(x, width=width, mode=mode, value=value)


# ------------------------------------------------------------------------ masks and limits


@stands_in("sequence_mask")
def _sequence_mask(plain: Callable, x: Any, length: Any, *, value: float = 0, axis: int = 0) -> Any:
    if not (suits(x, dtypes=FLOATS) and x.ndim > 2):
        return plain(x, length, value=value, axis=axis)
    lengths, places = lengths_of(x, length, axis, None), np.arange(x.shape[axis])
    kept = places[:, None] < lengths if axis == 0 else places < lengths[:, None]
    y = np.empty(x.shape, x.dtype)
    if _mask_rows((x, kept, _one(x.dtype, value), y)):
        return y
    return plain(x, length, value=value, axis=axis)


@stands_in("clip")
def _clipped(plain: Callable, x: Any, *, a_min: float, a_max: float) -> Any:
    if suits(x, dtypes=FLOATS) and a_min <= a_max:
        y = np.empty(x.shape, x.dtype)
        if _clip((x, y), (), (float(a_min), float(a_max))):
            return y
    return plain(x, a_min=a_min, a_max=a_max)
