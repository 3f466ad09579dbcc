"""Picking along an axis, backwards: rows added up by index."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.indexing import SHORT_ROW, bounded, places_of
from .loading import runner
from .stand_ins import FLOAT32, FLOAT64, stands_in, suits

_run = runner("add_rows")


def _added(
    x: Any, places: Any, shape: tuple[int, ...], width: int, outer: int = 1, own: bool = False
) -> Any:
    """Zeros of `shape`, `outer` lines of rows of `width`, with those of `x` added; or None.

    `own`: each line has places of its own. Short rows of one line are left to NumPy.
    """
    if (width <= SHORT_ROW and outer == 1) or not suits(x, dtypes=(FLOAT32, FLOAT64)):
        return None
    y = np.empty(shape, x.dtype)
    if not y.size:
        return None
    places = np.ascontiguousarray(places, np.int64).ravel()
    count = places.size // outer if own else places.size
    return y if _run((x, places, y), (outer, count, width, y.size // outer // width, own)) else None


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


def _at(x: Any, arrays: list, shape: tuple[int, ...]) -> Any:
    """`x` added at integer arrays, one for each of the leading axes; or None."""
    after = shape[len(arrays) :]
    width: int = prod(after)
    known = len(arrays) <= len(shape) and suits(x, dtypes=(FLOAT32, FLOAT64))
    if not known or 0 in shape or x.size != width * np.broadcast(*arrays).size:
        return None
    return _added(x, places_of(arrays, shape), shape, width)


@stands_in("scatter_add")
def scatter_add(plain: Callable, x: Any, *, key: Any, shape: tuple[int, ...]) -> Any:
    parts = key if isinstance(key, tuple) else (key,)
    if parts and all(isinstance(part, np.ndarray) and part.dtype.kind in "iu" for part in parts):
        y = _at(x, list(parts), shape)
        if y is not None:
            return y
    return plain(x, key=key, shape=shape)


@stands_in("gather_nd_grad")
def gather_nd_grad(plain: Callable, x: Any, indices: Any, *, shape: tuple[int, ...]) -> Any:
    if indices.ndim and len(indices):
        y = _at(x, list(indices.astype(np.intp, copy=False)), shape)
        if y is not None:
            return y
    return plain(x, indices, shape=shape)
