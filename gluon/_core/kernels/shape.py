"""Kernels that rearrange values: reshape, transpose, join, split, repeat, roll, pad, insert."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Shape = tuple[int, ...]


def reshape(x: Any, *, shape: Shape) -> Any:
    try:
        return x.reshape(shape)
    except ValueError as error:
        raise ValueError(f"{x.size} values of shape {x.shape} do not fit {shape}") from error


def transpose(x: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    return x.transpose(axes)


def expand_dims(x: Any, *, axis: int) -> Any:
    return np.expand_dims(x, axis)


def squeeze(x: Any, *, axis: int | Shape | None = None) -> Any:
    return x.squeeze(axis)


def broadcast_to(x: Any, *, shape: Shape) -> Any:
    return np.broadcast_to(x, shape)


def concat(*xs: Any, axis: int = 0) -> Any:
    try:
        return np.concatenate(xs, axis)
    except ValueError:
        shapes = [getattr(x, "shape", ()) for x in xs]
        for shape in shapes:
            if len(shape) == len(shapes[0]) > axis >= -len(shape):
                pairs = enumerate(zip(shapes[0], shape))
                wrong = [k for k, (one, other) in pairs if one != other and k != axis % len(shape)]
                if wrong:
                    raise ValueError(
                        f"shapes {shapes[0]} and {shape} differ in axis {wrong[0]}; arrays that are"
                        f" joined along axis {axis} may differ in that alone"
                    ) from None
        raise


def stack(*xs: Any, axis: int = 0) -> Any:
    return np.stack(xs, axis)


def split(x: Any, *, sections: int | Sequence[int], axis: int = 0) -> Any:
    """`sections` is a number of equal parts, or the places to split at."""
    return np.split(x, sections, axis)


def unstack(x: Any, *, axis: int = 0) -> list[Any]:
    """The parts along an axis, without it."""
    return list(np.moveaxis(x, axis, 0))


def flip(x: Any, *, axis: int | Shape) -> Any:
    return np.flip(x, axis)


def tile(x: Any, *, reps: Shape) -> Any:
    return np.tile(x, reps)


def repeat(x: Any, *, repeats: int, axis: int | None = None) -> Any:
    return np.repeat(x, repeats, axis)


def roll(x: Any, *, shift: int | Shape, axis: int | Shape | None = None) -> Any:
    return np.roll(x, shift, axis)


def rot90(x: Any, *, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    return np.rot90(x, k, axes)


# ----------------------------------------------------------------------------------- borders


def pad(x: Any, *, width: Any, mode: Any = "constant", value: float = 0) -> Any:
    """`width` is a pair (before, after) for each axis; modes as in `numpy.pad`."""
    if mode == "constant":
        return np.pad(x, width, mode, constant_values=value)
    return np.pad(x, width, mode)


def pad_grad(x: Any, *, width: Any, mode: Any) -> Any:
    """The transpose of `pad` where it copies values: each gets the sum over its copies."""
    for axis, (before, after) in enumerate(width):
        if before or after:
            x = _folded(x, axis, before, after, mode)
    return x


def _folded(x: Any, axis: int, before: int, after: int, mode: Any) -> Any:
    """Compute `pad_grad` along one axis: add the borders to the values that they copy."""
    end = x.shape[axis] - after
    source = np.pad(np.arange(end - before), (before, after), mode)
    lines = np.moveaxis(x, axis, 0)
    y = lines[before:end].copy()
    for first, last in ((0, before), (end, len(source))):
        for start, stop, step in _runs(source[first:last]):
            run, place = lines[first + start : first + stop], source[first + start]
            if step:
                ends = sorted((place, source[first + stop - 1]))
                y[ends[0] : ends[1] + 1] += run[::step]
            else:
                y[place] += run.sum(0)
    return np.moveaxis(y, 0, axis)


def _runs(places: Any) -> Iterator[tuple[int, int, int]]:
    """Yield slices ``start, stop, step`` in which `places` rise by one, fall by one, or stay."""
    steps = np.diff(places)
    changes = np.flatnonzero(steps[1:] != steps[:-1]) + 1
    start, count = 0, len(places)
    while start < count:
        step, stop = 1, start + 1
        if stop < count and abs(steps[start]) <= 1:
            change = changes.searchsorted(start, "right")
            step, stop = steps[start], count if change == len(changes) else changes[change] + 1
        yield start, stop, step
        start = stop


# ------------------------------------------------------------------------ insert and delete


def delete(x: Any, *, places: Any, axis: int) -> Any:
    """`x` without the `places`, a slice or an array, of an axis."""
    return np.delete(x, places, axis)


def scatter_along(x: Any, *, places: Any, axis: int, size: int) -> Any:
    """The transpose of `delete` from an axis of length `size`: zeros at `places`."""
    y = np.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)
    _fill_others(y, x, places, axis)
    return y


def insert(x: Any, values: Any, *, places: Any, axis: int) -> Any:
    """`x` and `values` along an axis, these at `places` of the result, a slice or an array."""
    size = x.shape[axis] + values.shape[axis]
    y = np.empty((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)
    y[(slice(None),) * axis + (places,)] = values
    _fill_others(y, x, places, axis)
    return y


def _fill_others(y: Any, x: Any, places: Any, axis: int) -> None:
    """Write `x` to `y` along an axis, at all positions except `places`."""
    before = (slice(None),) * axis
    if isinstance(places, slice):
        start = places.start
        y[(*before, slice(None, start))] = x[(*before, slice(None, start))]
        y[(*before, slice(places.stop, None))] = x[(*before, slice(start, None))]
        return
    free = np.ones(y.shape[axis], bool)
    free[places] = False
    y[(*before, free)] = x
