"""`nd`: functions that rearrange values."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np

from ..engine.errors import ArgumentError, IndexRangeError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ..ndarray.creation import array
from ..ndarray.indexing import reshaped
from ._public import INTS, public, several

Shape = Sequence[int]


@public
def reshape(
    data: NDArray,
    shape: Shape = (),
    reverse: bool = False,
    target_shape: Shape = (),
    keep_highest: bool = False,
) -> NDArray:
    """The values in another shape.

    Parameters
    ----------
    data : NDArray
    shape : tuple of int
        Lengths and the codes 0 to -4; see `NDArray.reshape`.
    reverse : bool, default False
        Match lengths and codes from the right.
    target_shape : tuple of int
        What came before `shape`, used without one: lengths, of which a single 0 is inferred.
    keep_highest : bool, default False
        Keep the first axis, whatever `target_shape` begins with.

    Returns
    -------
    NDArray
    """
    codes = several(shape)
    if not codes and target_shape:
        first, *rest = several(target_shape)
        codes = (data.shape[0] if keep_highest else first or -1, *(n or -1 for n in rest))
    return F.reshape(data, shape=reshaped(data.shape, codes, reverse))


Reshape = reshape


@public
def reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
) -> NDArray:
    """`lhs` in the shape of `rhs`, or with some of its axes replaced by some of `rhs`."""
    left, right = lhs.shape, rhs.shape
    begin, end, _ = builtins.slice(lhs_begin, lhs_end).indices(len(left))
    shape = left[:begin] + right[rhs_begin:rhs_end] + left[end:]
    return F.reshape(lhs, shape=shape)


@public
def flatten(data: NDArray) -> NDArray:
    """All axes but the first made one: shape (n, d)."""
    size = int(np.prod(data.shape[1:], dtype=np.int64))
    return F.reshape(data, shape=(data.shape[0], size))


Flatten = flatten


@public
def transpose(data: NDArray, axes: Shape = ()) -> NDArray:
    """The axes in the order `axes`, reversed by default."""
    return F.transpose(data, axes=tuple(axes) or None)


@public
def swapaxes(data: NDArray, dim1: int = 0, dim2: int = 0) -> NDArray:
    """Two axes exchanged."""
    axes = list(range(data.ndim))
    try:
        axes[dim1], axes[dim2] = axes[dim2], axes[dim1]
    except IndexError:
        raise IndexRangeError(
            f"swapaxes: no axes {dim1} and {dim2} in an array of shape {data.shape}"
        ) from None
    return F.transpose(data, axes=tuple(axes))


SwapAxis = swapaxes


def moveaxis(tensor: NDArray, source: int | Shape, destination: int | Shape) -> NDArray:
    """Axes moved to other places; the rest keep their order."""
    ends = (several(v) for v in (source, destination))
    moves = {to % tensor.ndim: start % tensor.ndim for start, to in zip(*ends)}
    rest = iter(a for a in range(tensor.ndim) if a not in moves.values())
    axes = tuple(moves[a] if a in moves else next(rest) for a in range(tensor.ndim))
    return F.transpose(tensor, axes=axes)


@public
def expand_dims(data: NDArray, axis: int) -> NDArray:
    """A new axis of length 1 at `axis`."""
    return F.expand_dims(data, axis=axis)


@public
def squeeze(data: NDArray, axis: int | Shape | None = None) -> NDArray:
    """Axes of length 1 dropped, all of them by default; one axis always stays."""
    axes = () if axis is None else several(axis)
    if not axes:
        shape = tuple(n for n in data.shape if n != 1) or (1,)
        return F.reshape(data, shape=shape)
    out = F.squeeze(data, axis=axes)
    return out if out._raw.ndim else F.reshape(out, shape=(1,))


@public
def broadcast_to(data: NDArray, shape: Shape) -> NDArray:
    """Axes of length 1 stretched to `shape`; 0 keeps a length."""
    full = [n or old for n, old in zip(shape, data.shape)] if len(shape) == data.ndim else shape
    return F.broadcast_to(data, shape=tuple(full))


@public
def broadcast_like(
    lhs: NDArray, rhs: NDArray, lhs_axes: Shape | None = None, rhs_axes: Shape | None = None
) -> NDArray:
    """`lhs` stretched to the shape of `rhs`, or along `lhs_axes` to the lengths at `rhs_axes`."""
    if lhs_axes is None or rhs_axes is None:
        return F.broadcast_to(lhs, shape=rhs.shape)
    shape = list(lhs.shape)
    for left, right in zip(lhs_axes, rhs_axes):
        shape[left] = rhs.shape[right]
    return F.broadcast_to(lhs, shape=tuple(shape))


@public
def broadcast_axis(data: NDArray, axis: int | Shape = (), size: int | Shape = ()) -> NDArray:
    """Axes of length 1 stretched to `size`."""
    shape = list(data.shape)
    for a, n in zip(several(axis), several(size)):
        shape[a] = n
    return F.broadcast_to(data, shape=tuple(shape))


broadcast_axes = broadcast_axis


def _arrays(name: str, data: tuple) -> tuple:
    arrays = tuple(data[0]) if len(data) == 1 and isinstance(data[0], (list, tuple)) else data
    if not arrays:
        raise ArgumentError(f"{name}: give at least one NDArray")
    return arrays


@public
def concat(*data: NDArray, dim: int = 1) -> NDArray:
    """Arrays joined along axis `dim`; their other lengths are equal."""
    return F.concat(*_arrays("concat", data), axis=dim)


Concat = concat


def concatenate(arrays: Sequence[NDArray], axis: int = 0, always_copy: bool = True) -> NDArray:
    """Arrays joined along `axis`; a single array may be returned as it is."""
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    return F.concat(*_arrays("concatenate", tuple(arrays)), axis=axis)


@public
def stack(*data: NDArray, axis: int = 0) -> NDArray:
    """Arrays of equal shape joined along a new axis."""
    return F.stack(*_arrays("stack", data), axis=axis)


@public
def split(
    data: NDArray, num_outputs: int, axis: int = 1, squeeze_axis: bool = False
) -> NDArray | list[NDArray]:
    """`num_outputs` equal parts along `axis`; a list, or the one part itself."""
    if data.shape[axis] % num_outputs:
        raise ArgumentError(
            f"split: axis {axis} of length {data.shape[axis]} has no {num_outputs} equal parts"
        )
    parts = F.split(data, sections=num_outputs, axis=axis)
    if squeeze_axis:
        parts = [F.squeeze(part, axis=axis) for part in parts]
    return parts if num_outputs > 1 else parts[0]


SliceChannel = split


def split_v2(
    ary: NDArray, indices_or_sections: int | Shape, axis: int = 0, squeeze_axis: bool = False
) -> list[NDArray]:
    """Parts along `axis`: a number of equal ones, or cut before each of the given places."""
    sections = indices_or_sections
    sections = sections if isinstance(sections, INTS) else list(sections)
    parts = F.split(ary, sections=sections, axis=axis)
    return [F.squeeze(part, axis=axis) for part in parts] if squeeze_axis else parts


@public
def flip(data: NDArray, axis: int | Shape) -> NDArray:
    """The order along `axis` reversed."""
    return F.flip(data, axis=several(axis))


reverse = flip


@public
def tile(data: NDArray, reps: int | Shape) -> NDArray:
    """The whole array repeated `reps` times along each axis."""
    return F.tile(data, reps=several(reps))


@public
def repeat(data: NDArray, repeats: int, axis: int | None = None) -> NDArray:
    """Each element repeated along `axis`; of the flat array by default."""
    return F.repeat(data, repeats=repeats, axis=axis)


@public
def pad(
    data: NDArray, mode: str = "constant", pad_width: Shape = (), constant_value: float = 0
) -> NDArray:
    """A border around the array.

    Parameters
    ----------
    data : NDArray
    mode : {'constant', 'edge', 'reflect'}
    pad_width : tuple of int
        (before, after) of the first axis, then of the second, …
    constant_value : float, default 0

    Returns
    -------
    NDArray
    """
    width = list(zip(pad_width[::2], pad_width[1::2]))
    if mode not in ("constant", "edge", "reflect") or len(width) != data.ndim:
        raise ArgumentError(
            f"pad: mode {mode!r} with pad_width {tuple(pad_width)} for shape {data.shape}; the mode"
            " is constant, edge or reflect, and pad_width has two numbers for each axis"
        )
    if mode == "constant":
        return F.pad(data, width=width, mode=mode, value=constant_value)
    return F.pad(data, width=width, mode=mode)


Pad = pad


@public
def slice(data: NDArray, begin: Shape, end: Shape, step: Shape = ()) -> NDArray:
    """``data[b0:e0:s0, b1:e1:s1, …]``; None in `begin` or `end` is the edge."""
    if len(begin) != len(end) or len(step) not in (0, len(begin)) or 0 in step:
        raise ArgumentError(
            f"slice: begin={begin}, end={end}, step={step}; they have one number for each axis, and"
            " no step is 0"
        )
    steps: Sequence = step or [None] * len(begin)
    key = tuple(builtins.slice(b, e, s) for b, e, s in zip(begin, end, steps))
    return F.getitem(data, key=key)


crop = slice


def _axis(name: str, axis: int, ndim: int) -> int:
    """`axis`, not negative."""
    if not -ndim <= axis < ndim:
        raise IndexRangeError(f"{name}: there is no axis {axis} in an array of {ndim} axes")
    return axis % ndim


@public
def slice_axis(data: NDArray, axis: int, begin: int, end: int | None) -> NDArray:
    """``begin:end`` of one axis; an `end` of None is the edge.

    Raises
    ------
    IndexRangeError
        If there is no such axis, or `begin` or `end` lies outside it.
    """
    axis = _axis("slice_axis", axis, data.ndim)
    n = data.shape[axis]
    first, last = (k + n if k < 0 else k for k in (begin, n if end is None else end))
    if not 0 <= first < last <= n:
        raise IndexRangeError(
            f"slice_axis: nothing, or more than there is, lies between begin={begin} and end={end}"
            f" on axis {axis} of {data.shape}"
        )
    key = (builtins.slice(None),) * axis + (builtins.slice(first, last),)
    return F.getitem(data, key=key)


@public
def slice_like(data: NDArray, shape_like: NDArray, axes: Shape = ()) -> NDArray:
    """The first elements of each axis, or of `axes`, as many as `shape_like` has.

    Raises
    ------
    ArgumentError
        If `shape_like` is larger, or has another number of axes and `axes` is not given.
    IndexRangeError
        If there is no such axis.
    """
    shape, like = data.shape, shape_like.shape
    chosen = [_axis("slice_like", a, len(shape)) for a in several(axes)] or range(len(shape))
    if any(a >= len(like) or like[a] > shape[a] for a in chosen) or (
        not axes and len(like) != len(shape)
    ):
        raise ArgumentError(f"slice_like: shape {like} does not fit into {shape} on axes {axes}")
    key = [builtins.slice(like[a] if a in chosen else None) for a in range(len(shape))]
    return F.getitem(data, key=tuple(key))


@public
def shape_array(data: NDArray) -> NDArray:
    """The shape, as an int64 array."""
    return array(data.shape, dtype="int64")


@public
def size_array(data: NDArray) -> NDArray:
    """The number of values, as an int64 array of shape (1,)."""
    return array((data.size,), dtype="int64")
