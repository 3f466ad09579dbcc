"""Operators that find values by index."""

from __future__ import annotations

from typing import Any

import numpy

from ... import np
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .table import axes_of, axis_of, implements, made, number, room, whole


@implements
def Gather(data: Any, indices: Any, *, axis: int = 0) -> Any:
    return np.take(data, _wrapped(indices, data.shape[axis]), axis=axis)


@implements
def GatherElements(data: Any, indices: Any, *, axis: int = 0) -> Any:
    (axis,) = axes_of(data, axis)
    return data[_along(data, indices, axis)]


@implements
def GatherND(data: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    return data[_places(data, indices.raw, batch_dims)]


@implements
def ScatterElements(
    data: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none"
) -> Any:
    (axis,) = axes_of(data, axis)
    return _scattered(
        data, _along(updates, _wrapped(indices, data.shape[axis]), axis), updates, reduction
    )


@implements
def Scatter(data: Any, indices: Any, updates: Any, *, axis: int = 0) -> Any:
    return ScatterElements(data, indices, updates, axis=axis)


@implements
def ScatterND(data: Any, indices: Any, updates: Any, *, reduction: str = "none") -> Any:
    return _scattered(data, _places(data, indices.raw, 0), updates, reduction)


def _wrapped(indices: Any, length: int) -> Any:
    """Convert negative positions to nonnegative ones."""
    raw = indices.raw
    return made(numpy.where(raw < 0, raw + length, raw))


def _along(shaped: Any, indices: Any, axis: int) -> tuple[Any, ...]:
    """Return an index of all axes, where that of `axis` is given."""
    grid = numpy.indices(indices.shape, sparse=True)
    return tuple(indices if k == axis else made(grid[k]) for k in range(shaped.ndim))


def _places(data: Any, raw: Any, batch: int) -> tuple[Any, ...]:
    """Return an index of the first axes from the last axis of `raw`, after `batch` batch axes."""
    around = numpy.indices(raw.shape[:batch], sparse=True) if batch else ()
    extra = raw.ndim - 1 - batch
    return (
        *(made(one.reshape(one.shape + (1,) * extra)) for one in around),
        *(made(raw[..., k]) for k in range(raw.shape[-1])),
    )


def _scattered(data: Any, key: tuple[Any, ...], updates: Any, reduction: str) -> Any:
    """Write `updates` to `data` at `key`, or reduce with the values there, one after the other."""
    raw_key = tuple(one.raw for one in key)
    if reduction == "none":
        return ops.setitem(data, updates, key=raw_key)
    if reduction == "add":
        return data + ops.scatter_add(updates, key=raw_key, shape=data.shape)
    y = data.copy()
    values = np.broadcast_to(updates, numpy.broadcast_shapes(updates.shape, y[key].shape))
    meet = {"mul": np.multiply, "max": np.maximum, "min": np.minimum}[reduction]
    for place in numpy.ndindex(numpy.broadcast_shapes(*(one.shape for one in raw_key))):
        where = tuple(
            int(numpy.broadcast_to(one, values.shape[: len(place)])[place]) for one in raw_key
        )
        y[where] = meet(y[where], values[place])
    return y


@implements
def NonZero(X: Any) -> Any:
    return made(numpy.array(numpy.nonzero(X.raw), "int64").reshape(X.ndim, -1))


@implements
def OneHot(indices: Any, depth: Any, values: Any, *, axis: int = -1) -> Any:
    count = int(number(depth))
    axis = axis_of(axis, indices.ndim + 1)
    room(*indices.shape, count)
    shape = [1] * (indices.ndim + 1)
    shape[axis] = count
    raw = indices.raw
    places = numpy.expand_dims(numpy.where(raw < 0, raw + count, raw), axis)
    hit = numpy.arange(count).reshape(shape) == places
    return np.where(made(hit), values[1], values[0])


@implements
def TopK(
    X: Any, K: Any = None, *, axis: int = -1, k: int = 0, largest: int = 1, sorted: int = 1
) -> Any:
    count, length = int(number(K, k)), X.shape[axis]
    if not 0 <= count <= length:
        raise ArgumentError(f"k={count} does not fit an axis of length {length}")
    raw = X.raw
    if largest:
        order = (
            length - 1 - numpy.flip(numpy.argsort(numpy.flip(raw, axis), axis, kind="stable"), axis)
        )
    else:
        order = numpy.argsort(raw, axis, kind="stable")
    places = made(numpy.take(order, range(count), axis))
    return GatherElements(X, places, axis=axis), places.astype("int64", copy=False)


@implements
def Unique(X: Any, *, axis: int | None = None, sorted: int = 1) -> Any:
    values, first, inverse, counts = numpy.unique(X.raw, True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not sorted:
        order = numpy.argsort(first)
        values = numpy.take(values, order, axis=axis or 0)
        first, counts = first[order], counts[order]
        inverse = numpy.argsort(order)[inverse]
    return tuple(
        made(one) for one in (values, *(v.astype("int64") for v in (first, inverse, counts)))
    )


@implements
def TensorScatter(
    past_cache: Any,
    update: Any,
    write_indices: Any = None,
    *,
    axis: int = -2,
    mode: str = "linear",
) -> Any:
    (axis,) = axes_of(past_cache, axis)
    length, count = past_cache.shape[axis], update.shape[axis]
    starts = whole(write_indices) or [0] * len(update)
    rows = numpy.array(starts)[:, None] + numpy.arange(count)
    grid = list(numpy.indices(update.shape, sparse=True))
    shape = [len(update) if k == 0 else count if k == axis else 1 for k in range(update.ndim)]
    grid[axis] = (rows % length if mode == "circular" else rows).reshape(shape)
    return ops.setitem(past_cache, update, key=tuple(grid))
