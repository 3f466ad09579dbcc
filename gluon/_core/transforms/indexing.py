"""The batching rules of indexing: by keys, and by rows of tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.op import KERNELS as F
from ..kernels.indexing import bounded
from ..kernels.memory import BUFFERS, beside, on_host
from .batched import Batched, Level, is_at, lengthened, levels_of, wrapped
from .whole import Attrs, Inputs, call, full, given


class _Key(NamedTuple):
    """A key for the arrays of all examples.

    The axes of its index arrays, `width` of them, come first in the result for all examples (if
    `leads`, before the axis of examples), and from axis `place` on in that for one.
    """

    parts: tuple[Any, ...]
    width: int = 0
    place: int = 0
    leads: bool = False

    def order(self, ndim: int) -> list[int] | None:
        """The axes of the result for all, as the results for one have them; None: as they are."""
        first, width = 0 if self.leads else 1, self.width
        if not width or (not self.leads and not self.place):
            return None
        rest = [k for k in range(ndim) if not first <= k < first + width]
        at = self.place + 1
        return [*rest[:at], *range(first, first + width), *rest[at:]]


def _is_array(part: Any) -> bool:
    return isinstance(part, (*BUFFERS, list, Batched))


def _key(key: Any, level: Level, ndim: int) -> _Key | None:
    """The key for the arrays of all examples of `ndim` axes each; None where there is none."""
    parts = [
        np.asarray(one) if isinstance(one, list) and not levels_of(one) else one
        for one in (key if isinstance(key, tuple) else (key,))
    ]
    if any(isinstance(one, (bool, np.bool_, list)) for one in parts):
        return None
    arrays = [one for one in parts if _is_array(one)]
    if not arrays:
        return _Key((slice(None), *parts))
    if any(type(one) is Batched and one.dtype.kind not in "iu" for one in arrays):
        return None
    spots = [
        k for k, one in enumerate(parts) if _is_array(one) or isinstance(one, (int, np.integer))
    ]
    adjoin = spots[-1] - spots[0] == len(spots) - 1
    width = max(_width(one) for one in arrays)
    place = _axes_before(parts, spots[0], ndim) if adjoin else 0
    if not any(is_at(one, level) for one in arrays):
        whole = (slice(None), *parts)
        return _Key(whole) if adjoin else _Key(whole, width, 0, leads=True)
    number = np.arange(level.size).reshape(-1, *(1,) * width)
    parts = [lengthened(one, width).data if is_at(one, level) else one for one in parts]
    return _Key((number, *parts), width, place)


def _width(index: Any) -> int:
    """How many axes of the result an index array makes."""
    return 1 if index.dtype.kind == "b" else int(index.ndim)


def _axes_taken(part: Any) -> int:
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, BUFFERS) and part.dtype.kind == "b" else 1


def _axes_before(parts: list[Any], end: int, ndim: int) -> int:
    """How many axes of a result are those of the parts of a key before the one at `end`."""
    taken = sum(_axes_taken(one) for one in parts)
    before = parts[:end]
    return sum(ndim - taken if one is Ellipsis else 1 for one in before)


def getitem(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), own = inputs, attrs["key"]
    if is_at(own, level) and own.dtype.kind in "iu" and not is_at(x, level):
        return wrapped(F.getitem(x, key=own.data), level)
    key = _key(own, level, x.ndim)
    if key is None:
        return NotImplemented
    y = F.getitem(full(x, level), key=key.parts)
    order = key.order(y.ndim)
    y = y if order is None else F.transpose(y, axes=order)
    return x.view(y) if is_at(x, level) else wrapped(y, level)


def scatter_add(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x,), shape = inputs, attrs["shape"]
    key = _key(attrs["key"], level, len(shape))
    if key is None:
        return NotImplemented
    options = {"key": key.parts, "shape": (level.size, *shape)}
    return call(name, level, [_in_order_of(key, full(x, level))], options)


def _in_order_of(key: _Key, y: Any) -> Any:
    """Results for one example each, with their axes as the key for all has them."""
    order = key.order(y.ndim)
    return y if order is None else F.transpose(y, axes=[order.index(k) for k in range(y.ndim)])


def setitem(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    (x, value), own = inputs, attrs["key"]
    key = _key(own, level, x.ndim)
    if key is None:
        return NotImplemented
    if is_at(value, level) or (key.width and np.ndim(value)):
        spot = np.broadcast_to(np.int8(0), x.shape)[_somewhere(own)]
        if np.ndim(value) > spot.ndim:
            return NotImplemented
        value = _in_order_of(key, lengthened(as_batched(value, level), spot.ndim).data)
    return call(name, level, [full(x, level), value], {"key": key.parts})


def as_batched(x: Any, level: Level) -> Any:
    """An array of one example, also of a value that all of them share."""
    return x if is_at(x, level) else Batched(full(x, level), level)


def _somewhere(key: Any) -> Any:
    """A key of the form of another, with known places."""
    if isinstance(key, (tuple, list)):
        return type(key)([_somewhere(one) for one in key])
    return np.zeros(key.shape, np.intp) if type(key) is Batched else on_host(key)


def take(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    x, indices = inputs
    axis = given(name, attrs, "axis") % x.ndim
    if not is_at(indices, level):
        return call(name, level, [x.data, indices], {**attrs, "axis": axis + 1})
    if axis:  # as rows of a table
        rest = [k for k in range(x.ndim) if k != axis]
        rows = F.take(F.transpose(x, axes=[axis, *rest]), indices, **{**attrs, "axis": 0})
        return F.transpose(rows, axes=_swapped(axis, indices.ndim, rows.ndim))
    if not is_at(x, level):
        return call(name, level, [x, indices.data], attrs)
    places = _in_one_table(indices, x.shape[0], given(name, attrs, "mode"))
    table = F.reshape(x.data, shape=(level.size * x.shape[0], *x.shape[1:]))
    return call(name, level, [table, places], {"axis": 0, "mode": "clip"})


def _swapped(first: int, second: int, ndim: int) -> list[int]:
    """The order of axes that puts `first` axes before the `second` that are in front of them."""
    return [*range(second, second + first), *range(second), *range(first + second, ndim)]


def _bounded(indices: Any, size: int, mode: str) -> Any:
    if type(indices) is Batched:
        return Batched(_bounded(indices.data, size, mode), indices.level)
    return bounded(indices, size, mode)


def _in_one_table(indices: Batched, size: int, mode: str) -> Any:
    """Indices of the tables of all examples, each of `size` rows, in one that joins them."""
    starts = np.arange(indices.level.size) * size
    places = _bounded(indices.data, size, mode)
    return places + beside(places, starts.reshape(-1, *(1,) * indices.ndim))


def take_grad(name: str, level: Level, inputs: Inputs, attrs: Attrs) -> Any:
    x, indices = inputs
    count = np.ndim(indices)
    axis = attrs["axis"] % (x.ndim - count + 1)
    if not is_at(indices, level):
        return call(name, level, [x.data, indices], {**attrs, "axis": axis + 1})
    if axis:
        rows = F.transpose(x, axes=_swapped(count, axis, x.ndim))
        found = F.take_grad(rows, indices, **{**attrs, "axis": 0})
        return F.transpose(found, axes=_swapped(axis, 1, found.ndim))
    size = attrs["size"]
    places = _in_one_table(indices, size, attrs["mode"])
    options = {"axis": 0, "mode": "clip", "size": size * level.size}
    found = F.take_grad(full(x, level), places, **options)
    return wrapped(F.reshape(found, shape=(level.size, size, *found.shape[1:])), level)
