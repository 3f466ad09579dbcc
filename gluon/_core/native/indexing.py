"""Rows picked by index, and added up by index."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.indexing import bounded, line_shape, places_of
from . import loading
from .copy import KNOWN
from .loading import runner
from .stand_ins import FLOATS, stands_in, suits

_add, _take, _flat = runner("add_rows"), runner("take_rows"), runner("flat_places")
_pick, _pick_grad = runner("pick"), runner("pick_grad")
INTEGERS = (np.dtype(np.int32), np.dtype(np.int64))
#: What is done with indices out of range, in the order of indexing.c.
MODES = {"clip": 0, "wrap": 1, "raise": 2}
Shape = tuple[int, ...]


def _rows(x: Any, places: Any, shape: Shape, width: int) -> Any:
    """Return the rows of `width` values of `x` at places, or None if any is out of range."""
    y = np.empty(shape, x.dtype)
    return y if _take((x, places, y), (width,)) else None


def _places(indices: Any, lengths: Shape) -> Any:
    """Return the columns of `indices` as flat positions in an array of this shape, or None."""
    if indices.dtype not in INTEGERS:
        indices = indices.astype(np.int64)
    places = np.empty(indices.shape[1:], np.int64)
    return places if _flat((np.ascontiguousarray(indices), places), lengths) else None


def _added(x: Any, places: Any, shape: Shape, width: int, outer: int = 1, own: bool = False) -> Any:
    """Return zeros of `shape`, with the rows of `x` added in `outer` lines; or None.

    `own`: each line has places of its own.
    """
    if not suits(x, dtypes=FLOATS):
        return None
    y = np.empty(shape, x.dtype)
    if not y.size:
        return None
    places = np.ascontiguousarray(places, np.int64).ravel()
    count = places.size // outer if own else places.size
    return y if _add((x, places, y), (outer, count, width, y.size // outer // width, own)) else None


# ------------------------------------------------------------------------------ take, pick


@stands_in("take")
def take(plain: Callable, x: Any, indices: Any, *, axis: int = 0, mode: str = "clip") -> Any:
    if suits(x, dtypes=KNOWN) and axis in (0, -x.ndim) and x.size and indices.size:
        after = x.shape[1:]
        width, places = prod(after), bounded(indices, len(x), mode)
        if places.size * width >= loading.LEAST:
            y = _rows(x, np.ascontiguousarray(places, np.int64), (*places.shape, *after), width)
            if y is not None:
                return y
    return plain(x, indices, axis=axis, mode=mode)


def _picks(run: Callable, x: Any, index: Any, y: Any, shape: Shape, axis: int, mode: str) -> bool:
    """Run ``pick`` or ``pick_grad`` on lines along `axis` of an array of `shape`."""
    axis %= len(shape)
    if index.dtype not in INTEGERS:
        index = index.astype(np.int64)
    lines = (prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))
    return run((x, np.ascontiguousarray(index), y), (*lines, MODES.get(mode, -1)))


@stands_in("pick")
def pick(
    plain: Callable,
    x: Any,
    index: Any,
    *,
    axis: int = -1,
    keepdims: bool = False,
    mode: str = "clip",
) -> Any:
    if suits(x, dtypes=KNOWN):
        kept = line_shape(index, x.shape, axis)
        y = np.empty(kept, x.dtype)
        if _picks(_pick, x, index, y, x.shape, axis, mode):
            return y if keepdims else y.squeeze(axis)
    return plain(x, index, axis=axis, keepdims=keepdims, mode=mode)


@stands_in("pick_grad")
def pick_grad(plain: Callable, x: Any, index: Any, *, axis: int, mode: str, shape: Shape) -> Any:
    if x.dtype in KNOWN and prod(shape) >= loading.LEAST:
        line_shape(index, shape, axis)
        y = np.empty(shape, x.dtype)
        if _picks(_pick_grad, np.ascontiguousarray(x), index, y, shape, axis, mode):
            return y
    return plain(x, index, axis=axis, mode=mode, shape=shape)


@stands_in("take_grad")
def take_grad(plain: Callable, x: Any, indices: Any, *, axis: int, mode: str, size: int) -> Any:
    if size:
        first = axis % (x.ndim - indices.ndim + 1)
        before, after = x.shape[:first], x.shape[first + indices.ndim :]
        places = bounded(indices, size, mode)
        y = _added(x, places, (*before, size, *after), prod(after), prod(before))
        if y is not None:
            return y
    return plain(x, indices, axis=axis, mode=mode, size=size)


@stands_in("put_along")
def put_along(
    plain: Callable, x: Any, indices: Any, *, axis: int, size: int, unique: bool = False
) -> Any:
    if axis in (-1, x.ndim - 1) and x.shape == indices.shape and size:
        shape = (*x.shape[:-1], size)
        y = _added(x, indices, shape, 1, prod(shape[:-1]), own=True)
        if y is not None:
            return y
    return plain(x, indices, axis=axis, size=size, unique=unique)


# ------------------------------------------------------------------------- gather, scatter


@stands_in("scatter_add")
def scatter_add(plain: Callable, x: Any, *, key: Any, shape: Shape) -> Any:
    parts = key if isinstance(key, tuple) else (key,)
    if (
        parts
        and len(parts) <= len(shape)
        and suits(x, dtypes=FLOATS)
        and all(isinstance(part, np.ndarray) and part.dtype.kind in "iu" for part in parts)
    ):
        places, width = places_of(list(parts), shape), prod(shape[len(parts) :])
        if x.size == places.size * width:
            y = _added(x, places, shape, width)
            if y is not None:
                return y
    return plain(x, key=key, shape=shape)


@stands_in("gather_nd")
def gather_nd(plain: Callable, x: Any, indices: Any) -> Any:
    if suits(x, dtypes=KNOWN) and indices.ndim and 0 < len(indices) <= x.ndim and indices.size:
        after = x.shape[len(indices) :]
        places = _places(indices, x.shape[: len(indices)])
        if places is not None and places.size * prod(after) >= loading.LEAST:
            y = _rows(x, places, (*places.shape, *after), prod(after))
            if y is not None:
                return y
    return plain(x, indices)


@stands_in("gather_nd_grad")
def gather_nd_grad(plain: Callable, x: Any, indices: Any, *, shape: Shape) -> Any:
    if indices.ndim and 0 < len(indices) <= len(shape) and indices.size:
        places = _places(indices, shape[: len(indices)])
        if places is not None:
            y = _added(x, places, shape, prod(shape[len(indices) :]))
            if y is not None:
                return y
    return plain(x, indices, shape=shape)
