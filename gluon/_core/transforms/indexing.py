"""The batching rules of indexing: by keys, and by rows of tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.op import KERNELS as F
from ..kernels.indexing import bounded
from .batched import Batched, Level, is_at, lengthened, levels_of, wrapped
from .whole import Attrs, Inputs, call, full, given, moved


def _plain(key: Any) -> bool:
    """Whether a key means the same behind one more axis: its results are not moved to the front."""
    parts = key if isinstance(key, tuple) else (key,)
    arrays = [one for one in parts if isinstance(one, (np.ndarray, list))]
    if any(isinstance(one, (bool, np.bool_)) for one in parts):
        return False
    integers = [one for one in parts if isinstance(one, (int, np.integer))]
    return not arrays or (len(arrays) == 1 and not integers)


def _behind(key: Any) -> tuple[Any, ...]:
    return (slice(None), *(key if isinstance(key, tuple) else (key,)))


def _by_example(key: Any, level: Level) -> Any:
    """A batched array of places as a key of the arrays of all examples."""
    number = np.arange(level.size).reshape(-1, *(1,) * key.ndim)
    return number, key.data


def _key(key: Any, level: Level) -> Any:
    """The key for the arrays of all examples; None where there is none."""
    if is_at(key, level) and key.dtype.kind in "iu" and type(key.data) is np.ndarray:
        return _by_example(key, level)
    return _behind(key) if not levels_of([key]) and _plain(key) else None


def getitem(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), key = inputs, _key(attrs["key"], level)
    if key is None:
        return NotImplemented
    if not is_at(x, level) and type(attrs["key"]) is Batched:
        return wrapped(F.getitem(x, key=attrs["key"].data), level)
    y = F.getitem(full(x, level), key=key)
    return x.view(y) if is_at(x, level) else wrapped(y, level)


def scatter_add(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), key = inputs, _key(attrs["key"], level)
    if key is None:
        return NotImplemented
    shape = (level.size, *attrs["shape"])
    return call(name, level, [full(x, level)], {"key": key, "shape": shape})


def setitem(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x, value), key = inputs, _key(attrs["key"], level)
    if key is None or type(attrs["key"]) is Batched:
        return NotImplemented
    if is_at(value, level):
        spot = np.broadcast_to(np.int8(0), x.shape)[attrs["key"]]
        if value.ndim > spot.ndim:
            return NotImplemented
        value = lengthened(value, spot.ndim).data
    return call(name, level, [full(x, level), value], {"key": key})


def take(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    x, indices = inputs
    axis = given(name, attrs, "axis")
    if not is_at(indices, level):
        options = {**attrs, "axis": moved(axis, x.ndim)}
        return call(name, level, [x.data, indices], options)
    if axis % x.ndim:
        return NotImplemented
    if not is_at(x, level):
        return call(name, level, [x, indices.data], attrs)
    if type(indices.data) is not np.ndarray:
        return NotImplemented
    places = _in_one_table(indices, x.shape[0], given(name, attrs, "mode"))
    table = F.reshape(x.data, shape=(level.size * x.shape[0], *x.shape[1:]))
    return call(name, level, [table, places], {"axis": 0, "mode": "clip"})


def _in_one_table(indices: Batched, size: int, mode: str) -> Any:
    """Indices of the tables of all examples, each of `size` rows, in one that joins them."""
    starts = np.arange(indices.level.size) * size
    return bounded(indices.data, size, mode) + starts.reshape(-1, *(1,) * indices.ndim)


def take_grad(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    x, indices = inputs
    axes = x.ndim - np.ndim(indices) + 1
    if is_at(indices, level):
        if attrs["axis"] % axes or type(indices.data) is not np.ndarray:
            return NotImplemented
        size = attrs["size"]
        places = _in_one_table(indices, size, attrs["mode"])
        options = {"axis": 0, "mode": "clip", "size": size * level.size}
        found = F.take_grad(full(x, level), places, **options)
        return wrapped(F.reshape(found, shape=(level.size, size, *found.shape[1:])), level)
    options = {**attrs, "axis": moved(attrs["axis"], axes)}
    return call(name, level, [x.data, indices], options)
