"""Kernels that pick and place values by index, and the transposes of each."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .generator import draws
from .linalg import is_half, wide
from .memory import BUFFERS, beside

Shape = tuple[int, ...]
#: Rows up to this length are added value by value.
SHORT_ROW = 32
#: How many passes add rows place by place before the remaining ones are sorted.
PASSES = 4
#: The types in basic keys, besides other classes of integers.
BASIC = {int, slice, type(None), type(Ellipsis)}


def getitem(x: Any, *, key: Any) -> Any:
    if type(key) is np.ndarray and key.dtype.kind == "i" and _has_rows(x):
        return np.take(x, key, 0)  # which copies whole rows: often 10 times as fast
    return x[key]


def _has_rows(x: Any) -> bool:
    """Whether the values of each ``x[k]`` are one block of memory, and there are some."""
    return x.ndim > 1 and x.size > 0 and x.flags.c_contiguous


@draws
def shuffled(x: Any, *, rng: np.random.Generator) -> Any:
    """``x[rng.permutation(len(x))]`` of an `x` of one axis, in half the time."""
    if type(x) is not np.ndarray:  # on a device, where NumPy's swaps would lose values
        order = np.arange(len(x))
        rng.shuffle(order)
        return x[beside(x, order)]
    out = x.copy()
    rng.shuffle(out)
    return out


def scatter_add(x: Any, *, key: Any, shape: Shape) -> Any:
    """Zeros of `shape` with `x` added at ``[key]``; indices may repeat."""
    if is_basic(key):
        out = np.zeros(shape, x.dtype)
        out[key] = x
        return out
    parts = key if isinstance(key, tuple) else (key,)
    if all(isinstance(part, (np.ndarray, list)) for part in parts):
        arrays = [np.asarray(part) for part in parts]
        if all(array.dtype.kind in "iu" for array in arrays):
            return _add_at(x, arrays, shape)
    out = np.zeros(shape, x.dtype)
    if _may_repeat(parts):
        np.add.at(out, key, x)
    else:
        out[key] = x
    return out


def setitem(x: Any, value: Any, *, key: Any) -> Any:
    """A copy of `x` with ``[key]`` replaced."""
    out = x.copy()
    out[key] = value
    return out


def is_basic(key: Any) -> bool:
    """Whether `key` has only integers, slices, None and Ellipsis."""
    if type(key) is slice or type(key) is int:
        return True
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if type(part) not in BASIC and not (
            isinstance(part, (int, np.integer)) and not isinstance(part, bool)
        ):
            return False
    return True


def _may_repeat(parts: tuple) -> bool:
    """Whether a key contains an array of integers; masks select each place only once."""
    arrays = (np.asarray(part) for part in parts if isinstance(part, (*BUFFERS, list)))
    return any(array.dtype.kind in "iu" for array in arrays)


def overwritten(key: Any, shape: Shape) -> Any:
    """Which values of ``x[key] = value`` another one replaces; None when surely none."""
    parts = key if isinstance(key, tuple) else (key,)
    if each := next((part.each_of for part in parts if hasattr(part, "each_of")), None):
        return each(_surely_overwritten, key, shape)  # inside `vmap`
    if is_basic(key) or not _may_repeat(parts):
        return None
    arrays = [np.asarray(part) for part in parts if isinstance(part, (*BUFFERS, list))]
    if len(arrays) == len(parts) < len(shape) and all(a.dtype.kind in "iu" for a in arrays):
        lost = overwritten(key, shape[: len(parts)])  # whole rows are overwritten
        return lost.reshape(lost.shape + (1,) * (len(shape) - len(parts)))
    slots = beside(arrays[0], np.empty(shape, np.intp))
    picked = slots[key].shape
    numbers = beside(slots, np.arange(prod(picked)).reshape(picked))
    slots[key] = numbers
    return slots[key] != numbers


def _surely_overwritten(key: Any, shape: Shape) -> Any:
    lost = overwritten(key, shape)
    return np.zeros(np.empty(shape, bool)[key].shape, bool) if lost is None else lost


# ------------------------------------------------------------------------ adding at places


def add_values(values: Any, places: Any, size: int) -> Any:
    """`size` zeros with `values` added at `places`, both flat; sums are taken in float64."""
    return np.bincount(places, values.astype(np.float64), size).astype(values.dtype)


def add_rows(rows: Any, places: Any, count: int) -> Any:
    """`count` rows of zeros with the `rows` added at `places`, which may repeat."""
    n, width = rows.shape
    if is_half(rows.dtype):
        return add_rows(rows.astype(np.float32), places, count).astype(rows.dtype)
    if width <= SHORT_ROW:
        flat = places[:, None] * width + np.arange(width)
        return add_values(rows.ravel(), flat.ravel(), count * width).reshape(count, width)
    out = np.zeros((count, width), rows.dtype)
    newest = np.empty(count, np.intp)
    left = np.arange(n)
    # In each pass, every place takes one of its remaining rows.
    for turn in range(PASSES):
        where = places[left]
        newest[where] = left
        taken = newest[where] == left
        picked = rows.take(left[taken], 0)  # faster than indexing
        if turn:
            out[where[taken]] += picked
        else:
            out[where[taken]] = picked
        left = left[~taken]
        if not left.size:
            return out
    order = left[np.argsort(places[left], kind="stable")]
    where = places[order]
    begin = np.flatnonzero(np.concatenate(([True], where[1:] != where[:-1])))
    out[where[begin]] += np.add.reduceat(rows.take(order, 0), begin, 0)
    return out


def places_of(arrays: list[Any], shape: Shape) -> Any:
    """Index arrays of the leading axes, which broadcast, as one array of flat indices."""
    arrays = [a + np.where(a < 0, n, 0) for a, n in zip(arrays, shape)]
    return np.ravel_multi_index(np.broadcast_arrays(*arrays), shape[: len(arrays)])


def _add_at(x: Any, arrays: list, shape: Shape) -> Any:
    """`scatter_add` where the key is one integer array for each of the leading axes."""
    depth = len(arrays)
    if depth > len(shape):
        raise IndexError(f"{depth} index arrays for {len(shape)} axes")
    places = places_of(arrays, shape)
    rows = np.reshape(x, (places.size, prod(shape[depth:])))
    return add_rows(rows, np.ravel(places), prod(shape[:depth])).reshape(shape)


# ------------------------------------------------------------------------------ take, pick


def bounded(indices: Any, n: int, mode: str) -> Any:
    """`indices`, of any number type, as integers in ``[0, n)``."""
    places = np.asarray(indices).astype(np.intp, copy=False)
    if mode == "clip":
        return np.minimum(np.maximum(places, 0), n - 1)
    if mode == "wrap":
        return places % n
    if mode != "raise":
        raise ValueError(f"mode={mode!r} is not one of 'clip', 'wrap' and 'raise'")
    if places.size and not 0 <= places.min() <= places.max() < n:
        raise IndexError(
            f"index {outside(places, n)} is out of range for an axis of length {n}; mode='clip'"
            " or 'wrap' allows it"
        )
    return places


def outside(places: Any, n: int, least: int = 0) -> Any:
    """The first of `places` that is not in ``[least, n)``, for the error that says so."""
    return places[(places < least) | (places >= n)].flat[0]


def axis_length(x: Any, axis: int) -> int:
    """How long `axis` is."""
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"axis {axis} is out of range for {x.ndim} axes")
    return x.shape[axis]


def take(x: Any, indices: Any, *, axis: int = 0, mode: str = "clip") -> Any:
    """``x[indices]`` along `axis`."""
    n = axis_length(x, axis)
    if mode in ("clip", "wrap") and n:
        return x.take(indices.astype(np.intp, copy=False), axis, mode=mode)
    return x.take(bounded(indices, n, mode), axis)


def take_grad(x: Any, indices: Any, *, axis: int, mode: str, size: int) -> Any:
    """The transpose of `take` from an axis of length `size`."""
    ndim = x.ndim - indices.ndim + 1
    axis %= ndim
    places = bounded(indices, size, mode).ravel()
    before, after = x.shape[:axis], x.shape[axis + indices.ndim :]
    if not axis:
        rows = x.reshape(places.size, prod(after))
        return add_rows(rows, places, size).reshape(size, *after)
    lines = x.reshape(prod(before), places.size, prod(after))
    return _add_sorted(lines, places, size).reshape(*before, size, *after)


def _add_sorted(x: Any, places: Any, size: int) -> Any:
    """Add values of the three-axis `x` at `places` of its second axis, of new length `size`."""
    order = places.argsort(kind="stable")
    where = places[order]
    begin = np.flatnonzero(np.diff(where, prepend=-1))
    # The sums are moved to their places by a take, which runs along rows; the rest is 0.
    sums = np.zeros((len(x), len(begin) + 1, x.shape[2]), wide(x.dtype))
    if len(begin):
        np.add.reduceat(x.take(order, 1), begin, 1, sums.dtype, sums[:, :-1])
    source = np.full(size, len(begin))
    source[where[begin]] = np.arange(len(begin))
    return sums.take(source, 1).astype(x.dtype, copy=False)


def line_shape(index: Any, shape: Shape, axis: int) -> Shape:
    """`shape` with length 1 along `axis`, which `index` has, or without that axis."""
    if not -len(shape) <= axis < len(shape):
        raise IndexError(f"axis {axis} is out of range for {len(shape)} axes")
    axis %= len(shape)
    kept = (*shape[:axis], 1, *shape[axis + 1 :])
    alone = index.size == prod(kept) == 1  # MXNet gives a single index shape (1,)
    if not alone and index.shape not in (kept, (*shape[:axis], *shape[axis + 1 :])):
        raise ValueError(
            f"index has shape {index.shape}; it needs that of the data {shape} without axis"
            f" {axis}, or with length 1 there"
        )
    return kept


def picked(index: Any, shape: Shape, axis: int, mode: str) -> Any:
    """`index` as places along `axis` of an array of `shape`, that axis kept with length 1."""
    kept = line_shape(index, shape, axis)
    return bounded(index, shape[axis], mode).reshape(kept)


def pick(x: Any, index: Any, *, axis: int = -1, keepdims: bool = False, mode: str = "clip") -> Any:
    """Pick one element along `axis` by index."""
    places = picked(index, x.shape, axis, mode)
    if axis in (-1, x.ndim - 1):
        y = x.reshape(-1).take(_flat(places, x.shape[-1]))
    else:
        y = np.take_along_axis(x, places, axis)
    return y if keepdims else y.squeeze(axis)


def pick_grad(x: Any, index: Any, *, axis: int, mode: str, shape: Shape) -> Any:
    """The transpose of `pick` from an array of `shape`."""
    places = picked(index, shape, axis, mode)
    out = np.zeros(shape, x.dtype)
    if axis in (-1, len(shape) - 1):
        out.reshape(-1)[_flat(places, shape[-1])] = x.reshape(places.shape)
    else:
        np.put_along_axis(out, places, x.reshape(places.shape), axis)
    return out


def _flat(places: Any, length: int) -> Any:
    """Return `places` in rows of `length` as flat indices."""
    return places + np.arange(0, places.size * length, length).reshape(places.shape)


def take_along(x: Any, indices: Any, *, axis: int = -1, unique: bool = False) -> Any:
    """The elements of each line along `axis` that the line of `indices` says.

    `unique` promises to the gradient that no line names a place twice.
    """
    n = axis_length(x, axis)
    if x.shape[:axis] + x.shape[axis:][1:] != indices.shape[:axis] + indices.shape[axis:][1:]:
        return np.take_along_axis(x, indices, axis)  # broadcasts, or raises
    if axis not in (-1, x.ndim - 1):
        x, indices = x.swapaxes(axis, -1), indices.swapaxes(axis, -1)
        return take_along(x, indices, axis=-1).swapaxes(axis, -1)
    return x.reshape(-1).take(_in_lines(indices, n))


def _in_lines(indices: Any, n: int) -> Any:
    """Return places in rows of `n` values as flat indices."""
    if indices.size and not -n <= indices.min() <= indices.max() < n:
        raise IndexError(
            f"index {outside(indices, n, -n)} is out of range for an axis of length {n}"
        )
    if indices.size and indices.min() < 0:
        indices = np.where(indices < 0, indices + n, indices)
    lines = prod(indices.shape[:-1])
    return indices + (np.arange(lines) * n).reshape(*indices.shape[:-1], 1)


def put_along(x: Any, indices: Any, *, axis: int, size: int, unique: bool = False) -> Any:
    """The transpose of `take_along` from an axis of length `size`."""
    x, indices = np.moveaxis(x, axis, -1), np.moveaxis(indices, axis, -1)
    lines = prod(indices.shape[:-1])
    places = _in_lines(indices, size).ravel()
    if unique:
        out = np.zeros(lines * size, x.dtype)
        out[places] = x.ravel()
    else:
        out = add_values(x.ravel(), places, lines * size)
    return np.moveaxis(out.reshape(*indices.shape[:-1], size), -1, axis)


def choose(*xs: Any, places: Any) -> Any:
    """At each place the value of that one of `xs`, all of one shape, that `places` says."""
    y = xs[0].copy()
    for k, x in enumerate(xs[1:], 1):
        np.copyto(y, x, where=places == k)
    return y


# ------------------------------------------------------------------------- gather, scatter


def _columns(indices: Any, ndim: int) -> tuple:
    """The index arrays of the leading axes, the rows of `indices`."""
    if not indices.ndim or len(indices) > ndim:
        raise ValueError(
            f"indices of shape {indices.shape} need one row for each axis to index, and the data"
            f" has {ndim}"
        )
    return tuple(indices.astype(np.intp, copy=False))


def gather_nd(x: Any, indices: Any) -> Any:
    """``x[indices[0], indices[1], ...]``."""
    return x[_columns(indices, x.ndim)]


def gather_nd_grad(x: Any, indices: Any, *, shape: Shape) -> Any:
    """The transpose of `gather_nd` from an array of `shape`."""
    return _add_at(x, list(_columns(indices, len(shape))), shape)


def scatter_nd(x: Any, indices: Any, *, shape: Shape) -> Any:
    """Zeros of `shape` with `x` at ``[indices[0], indices[1], ...]``; of several the last."""
    out = np.zeros(shape, x.dtype)
    out[_columns(indices, len(shape))] = x
    return out


def scatter_nd_grad(x: Any, indices: Any) -> Any:
    """The transpose of `scatter_nd`: what was overwritten gets nothing."""
    key = _columns(indices, x.ndim)
    lost = overwritten(key, x.shape[: len(key)])
    return np.where(lost.reshape(lost.shape + (1,) * (x.ndim - len(key))), x.dtype.type(0), x[key])


# ------------------------------------------------------------------------- one-hot, diagonal


def one_hot(
    x: Any, *, depth: int, on_value: float = 1, off_value: float = 0, dtype: Any = np.float32
) -> Any:
    """A new last axis of `depth` places, with `on_value` at place `x`; nowhere outside."""
    places = x.astype(np.intp, copy=False).ravel()
    out = np.full((*x.shape, depth), off_value, dtype)
    begin = np.arange(places.size) * depth
    inside = (places >= 0) & (places < depth)
    if not inside.all():
        begin, places = begin[inside], places[inside]
    out.reshape(-1)[begin + places] = on_value
    return out


def fill_places(x: Any, values: Any, places: Any) -> Any:
    """A copy of `x` with a value for each row at its place; nowhere where that is outside."""
    y = x.astype(np.result_type(x, values))
    places = places.astype(np.intp, copy=False)
    rows = np.flatnonzero((places >= 0) & (places < x.shape[1]))
    y[rows, places[rows]] = values[rows]
    return y


def diagonal(x: Any, *, k: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The `k`-th diagonal of two axes, as the last axis."""
    y = x.diagonal(k, axis1, axis2)
    if not -x.shape[axis1] <= k <= x.shape[axis2]:
        raise ValueError(f"axes {axis1} and {axis2} of shape {x.shape} have no diagonal k={k}")
    return y.copy()


def place_diagonal(x: Any, *, shape: Shape, k: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The transpose of `diagonal`: zeros of `shape` but for that diagonal."""
    out = np.zeros(shape, x.dtype)
    moved = np.moveaxis(out, (axis1, axis2), (-2, -1))
    places = np.arange(x.shape[-1])
    moved[..., places + max(-k, 0), places + max(k, 0)] = x
    return out


# ----------------------------------------------------------------------- indices themselves


def spaced(start: float, step: float, places: Any, dtype: Any) -> Any:
    """``start + step * places``; integers drop the fractions of both before they are added."""
    if np.dtype(dtype).kind in "iu":
        start, step = int(start), int(step)
    return (start + step * places).astype(dtype)


def arange(start: float, stop: float, step: float, dtype: Any) -> Any:
    """As many values as floats would have, each `spaced`."""
    raw = np.arange(start, stop, step)
    if raw.dtype.kind == "f" and np.dtype(dtype).kind in "iu":
        return spaced(start, step, np.arange(raw.size), dtype)
    return raw.astype(dtype, copy=False)


def linspace(start: float, stop: float, num: int, endpoint: bool, dtype: Any) -> Any:
    """Values at equal distances; integers are those without their fraction."""
    if np.dtype(dtype).kind not in "iu":
        return np.linspace(start, stop, num, endpoint, False, dtype)
    return np.linspace(start, stop, num, endpoint).astype(np.int64).astype(dtype)


def arange_like(
    x: Any, *, start: float = 0, step: float = 1, repeat: int = 1, axis: int | None = None
) -> Any:
    """Evenly spaced values in the shape of `x`, or as many as its `axis` has places."""
    n = x.size if axis is None else axis_length(x, axis)
    places = np.arange(n) if repeat == 1 else np.arange(n) // repeat
    values = spaced(start, step, places, x.dtype)
    return values.reshape(x.shape) if axis is None else values


def index_array(x: Any, *, axes: Shape | None = None) -> Any:
    """For each place of `x` its indices, or those of `axes`, as a new last axis."""
    indices = np.moveaxis(np.indices(x.shape, np.int64), 0, -1)
    return indices if axes is None else indices[..., list(axes)]


def diagonal_places(x: Any) -> list[Any]:
    """For each axis of `x`, all of one length, the indices of the places on its diagonal."""
    return list(np.diag_indices_from(x))


def _strides(shape: Shape) -> list[int]:
    return [prod(shape[k + 1 :]) for k in range(len(shape))]


def ravel_multi_index(x: Any, *, shape: Shape) -> Any:
    """Each column of `x`, an index into an array of `shape`, as one flat index."""
    if len(x) != len(shape):
        raise ValueError(f"x of shape {x.shape} needs one row for each axis of shape={shape}")
    total = np.zeros(x.shape[1:], np.int64)
    for row, n in zip(x, shape):
        total *= n
        total += row.astype(np.int64)
    return total.astype(x.dtype)


def unravel_index(x: Any, *, shape: Shape) -> Any:
    """Flat indices into an array of `shape` as one row for each of its axes.

    Below 0 they round towards 0, as in C.
    """
    flat = x.astype(np.int64)
    rows = [(flat - np.fmod(flat, stride)) // stride for stride in _strides(shape)]
    rows[1:] = [np.fmod(row, n) for row, n in zip(rows[1:], shape[1:])]
    return np.stack(rows).astype(x.dtype)


def histogram(x: Any, *, bins: Any = 10, range: Any = None) -> tuple[Any, Any]:
    """The number of values in each bin, and the edges of the bins."""
    if isinstance(bins, np.ndarray) and bins.size < 2:
        raise ValueError(f"bins of shape {bins.shape} need at least two edges")
    counts, edges = np.histogram(x, bins, range)
    if x.dtype.kind in "iu" and isinstance(bins, int) and range is not None:
        edges = np.trunc(edges)
        counts = _counts(x, edges)
    return counts, edges.astype(x.dtype)


def _counts(x: Any, edges: Any) -> Any:
    """Count the integers in each bin; the `edges` were evenly spaced before truncation."""
    bins = edges.size - 1
    x = x[(x >= edges[0]) & (x <= edges[-1])]
    place = ((x - edges[0]) * bins / (edges[-1] - edges[0])).astype(np.int64)
    place = np.minimum(place, bins - 1)
    place -= x < edges[place]
    place += (x >= edges[place + 1]) & (place + 1 < bins)
    return np.bincount(place, minlength=bins)
