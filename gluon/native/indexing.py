"""Rows picked by index, and added up by index."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.indexing import bounded, picked, places_of
from . import loading
from .copy import KNOWN, full
from .loading import runner
from .stand_ins import FLOATS, stands_in, suits

_add, _take, _flat = runner("add_rows"), runner("take_rows"), runner("flat_places")
INTEGERS = (np.dtype(np.int32), np.dtype(np.int64))
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


@stands_in("pick_grad")
def pick_grad(plain: Callable, x: Any, index: Any, *, axis: int, mode: str, shape: Shape) -> Any:
    if x.dtype in KNOWN and axis in (-1, len(shape) - 1) and prod(shape) >= loading.LEAST:
        places = picked(index, shape, axis, mode).reshape(-1)
        y = full(shape, x.dtype, 0)
        y.reshape(-1)[places + np.arange(0, y.size, shape[-1])] = x.reshape(-1)
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
