"""Operators that rearrange values: reshape, transpose, join, split, repeat, roll, pad, insert."""

from __future__ import annotations

import math
from itertools import accumulate
from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import shape as kernels
from ..kernels.memory import beside


def _inverse(axes: Any) -> list[int]:
    """Return the inverse of the permutation `axes`."""
    return np.argsort([a % len(axes) for a in axes]).tolist()


reshape: Final = define(
    "reshape",
    kernels.reshape,
    "The same values in another shape",
    x=lambda F, g, x_shape: F.reshape(g, shape=x_shape),
)
transpose: Final = define(
    "transpose",
    kernels.transpose,
    "The axes in another order, reversed by default",
    x=lambda F, g, axes: F.transpose(g, axes=axes and _inverse(axes)),
)
expand_dims: Final = define(
    "expand_dims",
    kernels.expand_dims,
    "A new axis of length 1",
    x=lambda F, g, x_shape: F.reshape(g, shape=x_shape),
)
squeeze: Final = define(
    "squeeze",
    kernels.squeeze,
    "Drop axes of length 1",
    x=lambda F, g, x_shape: F.reshape(g, shape=x_shape),
)
broadcast_to: Final = define(
    "broadcast_to",
    kernels.broadcast_to,
    "Stretch axes of length 1 to `shape`",
    x=lambda F, g, x_shape: F.sum_to(g, shape=x_shape),
)


def _concat(F: Any, g: Any, xs_shape: Any, axis: int) -> Any:
    places = list(accumulate(shape[axis] for shape in xs_shape))[:-1]
    return F.split(g, sections=places, axis=axis)


concat: Final = define("concat", kernels.concat, "Join along an axis", joint=_concat)


def _stack(F: Any, g: Any, xs_shape: Any, axis: int) -> Any:
    parts = F.split(g, sections=len(xs_shape), axis=axis)
    return [F.reshape(part, shape=shape) for part, shape in zip(parts, xs_shape)]


stack: Final = define("stack", kernels.stack, "Join along a new axis", joint=_stack)


def _zeros(shape: Any, dtype: Any) -> Any:
    """Zeros to be read: one value for all, in which a program sees a constant."""
    return np.broadcast_to(np.zeros((), dtype), shape)


def _split(F: Any, g: Any, y_shape: Any, y_dtype: Any, axis: int) -> Any:
    like = next(part for part in g if part is not None)
    parts = [
        beside(like, _zeros(shape, dtype)) if part is None else part
        for part, shape, dtype in zip(g, y_shape, y_dtype)
    ]
    return F.concat(*parts, axis=axis)


split: Final = define("split", kernels.split, "Cut into parts along an axis", many=True, x=_split)


def _unstack(F: Any, g: Any, x_shape: Any, y_shape: Any, y_dtype: Any, axis: int) -> Any:
    if not y_shape:
        return np.zeros(x_shape, np.float32)
    zeros = beside(next(part for part in g if part is not None), _zeros(y_shape[0], y_dtype[0]))
    return F.stack(*[zeros if part is None else part for part in g], axis=axis)


unstack: Final = define(
    "unstack", kernels.unstack, "The parts along an axis, without it", many=True, x=_unstack
)
flip: Final = define(
    "flip",
    kernels.flip,
    "Reverse the order along `axis`",
    x=lambda F, g, axis: F.flip(g, axis=axis),
)


def _tile(F: Any, g: Any, x_shape: Any, reps: Any) -> Any:
    shape = (1,) * (len(reps) - len(x_shape)) + tuple(x_shape)
    reps = (1,) * (len(shape) - len(reps)) + tuple(reps)
    parts = [length for pair in zip(reps, shape) for length in pair]
    summed = F.sum(F.reshape(g, shape=parts), axis=tuple(range(0, len(parts), 2)))
    return F.reshape(summed, shape=x_shape)


tile: Final = define("tile", kernels.tile, "Repeat the whole array along each axis", x=_tile)


def _repeat(F: Any, g: Any, x_shape: Any, repeats: int, axis: int | None) -> Any:
    shape = (math.prod(x_shape),) if axis is None else x_shape
    axis = (axis or 0) % len(shape)
    parts = (*shape[: axis + 1], repeats, *shape[axis + 1 :])
    return F.reshape(F.sum(F.reshape(g, shape=parts), axis=axis + 1), shape=x_shape)


repeat: Final = define("repeat", kernels.repeat, "Repeat each element along an axis", x=_repeat)


def _pad(F: Any, g: Any, x_shape: Any, width: Any, mode: Any) -> Any:
    if mode == "constant":
        return F.getitem(g, key=tuple(slice(b, b + n) for (b, _), n in zip(width, x_shape)))
    return F.pad_grad(g, width=width, mode=mode)


pad: Final = define(
    "pad", kernels.pad, "Add a border of constants, edge values or reflections", x=_pad
)
pad_grad: Final = define(
    "pad_grad",
    kernels.pad_grad,
    "The gradient of a pad that copies values: the borders added to what they are copies of",
    x=lambda F, g, width, mode: F.pad(g, width=width, mode=mode),
)


def _back(shift: Any) -> Any:
    return tuple(-one for one in shift) if isinstance(shift, tuple) else -shift


roll: Final = define(
    "roll",
    kernels.roll,
    "Move the values along axes; those pushed off one end come in at the other",
    x=lambda F, g, shift, axis: F.roll(g, shift=_back(shift), axis=axis),
)
rot90: Final = define(
    "rot90",
    kernels.rot90,
    "Turn `k` times by a right angle in the plane of two axes",
    x=lambda F, g, k, axes: F.rot90(g, k=-k, axes=axes),
)
delete: Final = define(
    "delete",
    kernels.delete,
    "Leave out `places`, a slice or an array, of `axis`",
    x=lambda F, g, x_shape, places, axis: F.scatter_along(
        g, places=places, axis=axis, size=x_shape[axis]
    ),
)
scatter_along: Final = define(
    "scatter_along",
    kernels.scatter_along,
    "The gradient of delete: zeros at `places` of an axis of length `size`",
    x=lambda F, g, places, axis: F.delete(g, places=places, axis=axis),
)
insert: Final = define(
    "insert",
    kernels.insert,
    "Put values at `places` of the result, a slice or an array, along `axis`",
    x=lambda F, g, places, axis: F.delete(g, places=places, axis=axis),
    values=lambda F, g, places, axis: F.getitem(g, key=(slice(None),) * axis + (places,)),
)
