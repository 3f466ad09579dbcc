"""`nd`: functions that change the shape or the order of an array."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A
from .._core.arrays.indexing import reshaped
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.faces.kinds import keeps_shape
from ._checks import places, whole
from ._public import alias, public, with_zero_gradients

Shape = Sequence[int]


@public
def reshape(
    data: A,
    shape: int | Shape = (),
    reverse: bool = False,
    target_shape: int | Shape = (),
    keep_highest: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Change the shape of an array, in row-major order.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    shape : int or tuple of int
        Lengths and codes: 0 copies the next length of `data`, -1 infers one, -2 copies all
        remaining ones, -3 multiplies the next two, -4 splits the next one into the two lengths
        that follow.
    reverse : bool, default False
        Match lengths and codes from the right; -4 then follows its two lengths.
    target_shape : int or tuple of int, optional
        MXNet's deprecated form of `shape`, used if that is empty: lengths, of which a single 0 is
        inferred.
    keep_highest : bool, default False
        Keep the first axis, whatever `target_shape` begins with.

    Returns
    -------
    NDArray of the same dtype
        Of the shape that the codes give.

    Raises
    ------
    ArgumentError
        If the values do not fit, or a code has no length to take.
    DTypeError
        If `data` is not an NDArray, or `shape` is not of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.zeros((2, 3, 4))
    >>> nd.reshape(x, (-1, 6)).shape, nd.reshape(x, (0, -1)).shape, nd.reshape(x, (-3, 0)).shape
    ((4, 6), (2, 12), (6, 4))
    >>> nd.reshape(x, (-4, 1, 2, -2)).shape, nd.reshape(x, (-1, 0), reverse=True).shape
    ((1, 2, 3, 4), (6, 4))
    """
    codes = whole("reshape", "shape", shape)
    if not codes and target_shape:
        first, *rest = whole("reshape", "target_shape", target_shape)
        codes = (data.shape[0] if keep_highest else first or -1, *(n or -1 for n in rest))
    return ops.reshape(data, shape=reshaped(data.shape, codes, reverse))


Reshape: Final = alias("Reshape", reshape)


@public
def reshape_like(
    lhs: A,
    rhs: A,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Reshape `lhs` to the shape of `rhs`, or some of its axes to those of `rhs`.

    Parameters
    ----------
    lhs : NDArray of any shape and dtype
    rhs : NDArray of any dtype
        Only its shape is used.
    lhs_begin, lhs_end : int, optional
        Which axes of `lhs` to replace; all by default.
    rhs_begin, rhs_end : int, optional
        Which axes of `rhs` to replace them by; all by default.

    Returns
    -------
    NDArray of the dtype of `lhs`
        Of the shape of `rhs`, or of `lhs` with some axes replaced.

    Raises
    ------
    ArgumentError
        If the values do not fit.
    DTypeError
        If an argument is not an NDArray.
    IndexRangeError
        If an axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x, like = nd.zeros((6, 4)), nd.zeros((2, 3, 5))
    >>> nd.reshape_like(x, like, lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2).shape
    (2, 3, 4)
    """
    left = _stretch("lhs", lhs.shape, lhs_begin, lhs_end)
    right = _stretch("rhs", rhs.shape, rhs_begin, rhs_end)
    shape = lhs.shape[: left.start] + rhs.shape[right] + lhs.shape[left.stop :]
    return with_zero_gradients(ops.reshape(lhs, shape=shape), rhs)


def _stretch(
    side: str, shape: tuple[Any, ...], begin: int | None, end: int | None
) -> builtins.slice:
    """Return the range of axes from `begin` to `end` as nonnegative axes."""
    n = len(shape)
    first, last = 0 if begin is None else begin, n if end is None else end
    first, last = first + n * (first < 0), last + n * (last < 0)
    if not 0 <= first <= last <= n:
        raise IndexRangeError(
            f"reshape_like: {side}_begin={begin} and {side}_end={end} are out of range for shape"
            f" {shape}"
        )
    return builtins.slice(first, last)


@public
def flatten(data: A, out: A | None = None, name: str | None = None) -> A:
    """Flatten all axes except the first.

    Parameters
    ----------
    data : NDArray of shape (n, ...)

    Returns
    -------
    NDArray of shape (n, values / n) and the same dtype

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.flatten(nd.zeros((2, 3, 4))).shape
    (2, 12)
    """
    if not data.ndim:
        raise ArgumentError("flatten: data has no axes; it needs one or more, the first of samples")
    return ops.reshape(data, shape=(data.shape[0], math.prod(data.shape[1:])))


Flatten: Final = alias("Flatten", flatten)


@public
def transpose(data: A, axes: Shape = (), out: A | None = None, name: str | None = None) -> A:
    """Permute the axes.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axes : tuple of int, optional
        The axis of `data` at each position of the result, counted from the end if negative; by
        default the order is reversed.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` in the new order.

    Raises
    ------
    ArgumentError
        If an axis is missing or given twice.
    DTypeError
        If `data` is not an NDArray.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.zeros((2, 3, 4))
    >>> nd.transpose(x).shape, nd.transpose(x, axes=(1, 0, 2)).shape
    ((4, 3, 2), (3, 2, 4))
    """
    return ops.transpose(data, axes=whole("transpose", "axes", axes) or None)


@public
def swapaxes(
    data: A, dim1: int = 0, dim2: int = 0, out: A | None = None, name: str | None = None
) -> A:
    """Swap two axes.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    dim1, dim2 : int, default 0
        Counted from the end if negative.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` with two lengths exchanged.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.swapaxes(nd.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    (one,), (two,) = (
        places("swapaxes", name, dim, data.ndim) for name, dim in (("dim1", dim1), ("dim2", dim2))
    )
    axes = list(range(data.ndim))
    axes[one], axes[two] = two, one
    return ops.transpose(data, axes=tuple(axes))


SwapAxis: Final = alias("SwapAxis", swapaxes)


@public
def moveaxis(
    tensor: A,
    source: int | Shape,
    destination: int | Shape,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Move axes to new positions; the other axes keep their order.

    Parameters
    ----------
    tensor : NDArray of any shape and dtype
    source, destination : int or tuple of int
        The same number of both, counted from the end if negative.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `tensor` in the new order.

    Raises
    ------
    ArgumentError
        If an axis is given twice, or the numbers of axes differ.
    DTypeError
        If `tensor` is not an NDArray.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.moveaxis(nd.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    starts = places("moveaxis", "source", source, tensor.ndim)
    ends = places("moveaxis", "destination", destination, tensor.ndim)
    if len(starts) != len(ends):
        raise ArgumentError(
            f"moveaxis: source has {len(starts)} axes, but destination has {len(ends)}"
        )
    moves = dict(zip(ends, starts))
    rest = iter(a for a in range(tensor.ndim) if a not in starts)
    axes = tuple(moves[a] if a in moves else next(rest) for a in range(tensor.ndim))
    return ops.transpose(tensor, axes=axes)


@public
def expand_dims(data: A, axis: int, out: A | None = None, name: str | None = None) -> A:
    """Insert a new axis of length 1.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int
        Its position in the result, counted from the end if negative.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` with a 1 at `axis`.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or `axis` is not an integer.
    IndexRangeError
        If the axis is out of range for the result.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.expand_dims(nd.zeros((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    return ops.expand_dims(data, axis=axis)


@public
def squeeze(
    data: A, axis: int | Shape | None = None, out: A | None = None, name: str | None = None
) -> A:
    """Remove axes of length 1; at least one axis remains.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int or tuple of int, optional
        Counted from the end if negative; by default all axes of length 1.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` without these axes, (1,) where none is left.

    Raises
    ------
    ArgumentError
        If an axis is longer than 1, or given twice.
    DTypeError
        If `data` is not an NDArray, or `axis` is not of integers.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.zeros((1, 2, 1))
    >>> nd.squeeze(x).shape, nd.squeeze(x, axis=0).shape
    ((2,), (2, 1))
    """
    if axis is None:
        shape = tuple(n for n in data.shape if n != 1) or (1,)
        return ops.reshape(data, shape=shape)
    out = ops.squeeze(data, axis=whole("squeeze", "axis", axis))
    return out if out.form.ndim else ops.reshape(out, shape=(1,))


@keeps_shape
@public
def flip(data: A, axis: int | Shape, out: A | None = None, name: str | None = None) -> A:
    """Reverse the order along one or more axes.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int or tuple of int
        Counted from the end if negative.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If an axis is given twice.
    DTypeError
        If `data` is not an NDArray, or `axis` is not of integers.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.flip(nd.array([[1, 2, 3], [4, 5, 6]]), axis=1).asnumpy()
    array([[3., 2., 1.],
           [6., 5., 4.]], dtype=float32)
    """
    return ops.flip(data, axis=places("flip", "axis", axis, data.ndim))


reverse: Final = alias("reverse", flip)


# ------------------------------------------------------------------------------ stretching


@public
def broadcast_to(data: A, shape: int | Shape, out: A | None = None, name: str | None = None) -> A:
    """Broadcast an array to a shape.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    shape : int or tuple of int
        Of the result; 0 keeps a length. With more axes than `data` it adds new ones in front.

    Returns
    -------
    NDArray of that shape and the same dtype

    Raises
    ------
    ArgumentError
        If an axis of another length than 1 would change.
    DTypeError
        If `data` is not an NDArray, or `shape` is not of integers.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.broadcast_to(nd.array([[1, 2]]), shape=(2, 0)).asnumpy()
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    full = whole("broadcast_to", "shape", shape)
    if len(full) == data.ndim:
        full = tuple(n or old for n, old in zip(full, data.shape))
    return ops.broadcast_to(data, shape=full)


@public
def broadcast_like(
    lhs: A,
    rhs: A,
    lhs_axes: int | Shape | None = None,
    rhs_axes: int | Shape | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Broadcast `lhs` to the shape of `rhs`.

    Parameters
    ----------
    lhs : NDArray of any shape and dtype
    rhs : NDArray of any dtype
        Only its shape is used.
    lhs_axes, rhs_axes : int or tuple of int, optional
        The axes of `lhs` to broadcast, and the axes of `rhs` whose lengths to take; all by
        default.

    Returns
    -------
    NDArray of the dtype of `lhs`
        Of the shape of `rhs`, or of `lhs` with lengths taken from it.

    Raises
    ------
    ArgumentError
        If an axis of another length than 1 would change, the numbers of axes differ, or are 0.
    DTypeError
        If an argument is not an NDArray, or axes are not integers.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x, like = nd.zeros((1, 3)), nd.zeros((2, 5))
    >>> nd.broadcast_like(x, like, lhs_axes=0, rhs_axes=1).shape
    (5, 3)
    """
    if lhs_axes is None or rhs_axes is None:  # MXNet ignores a single one
        return with_zero_gradients(ops.broadcast_to(lhs, shape=rhs.shape), rhs)
    check_paired(lhs_axes, rhs_axes)
    left = places("broadcast_like", "lhs_axes", lhs_axes, lhs.ndim)
    right = places("broadcast_like", "rhs_axes", rhs_axes, rhs.ndim)
    return with_zero_gradients(
        _stretched("broadcast_like", lhs, left, tuple(rhs.shape[a] for a in right)), rhs
    )


@public
def broadcast_axis(
    data: A,
    axis: int | Shape = (),
    size: int | Shape = (),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Broadcast given axes of length 1 to new lengths.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int or tuple of int
        The axes, counted from the end if negative.
    size : int or tuple of int
        The new length of each.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` with the new lengths.

    Raises
    ------
    ArgumentError
        If an axis of another length than 1 would change, or the numbers of sizes and axes differ.
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.broadcast_axis(nd.zeros((1, 3, 1)), axis=(0, 2), size=(2, 4)).shape
    (2, 3, 4)
    """
    axes = places("broadcast_axis", "axis", axis, data.ndim)
    return _stretched("broadcast_axis", data, axes, whole("broadcast_axis", "size", size))


broadcast_axes: Final = alias("broadcast_axes", broadcast_axis)


def check_paired(lhs_axes: Any, rhs_axes: Any) -> None:
    """Raise unless the axes of `broadcast_like` come in pairs, of which there is one at least."""
    left, right = (len(a) if isinstance(a, (tuple, list)) else 1 for a in (lhs_axes, rhs_axes))
    if left != right or not left:
        raise ArgumentError(
            f"lhs_axes={lhs_axes} and rhs_axes={rhs_axes}; give one axis of rhs for"
            " each axis of lhs, and at least one, or leave both out"
        )


def _stretched(name: str, data: A, axes: tuple[Any, ...], sizes: tuple[Any, ...]) -> A:
    if len(axes) != len(sizes):
        raise ArgumentError(f"{name}: {len(axes)} axes, but {len(sizes)} lengths")
    shape = list(data.shape)
    for a, n in zip(axes, sizes):
        shape[a] = n
    return ops.broadcast_to(data, shape=tuple(shape))


# ------------------------------------------------------------------------ the shape itself


@public
def shape_array(data: A, out: A | None = None, name: str | None = None) -> A:
    """The shape, as an array.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of shape (number of axes,)
        int64, without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.shape_array(nd.zeros((2, 3))).asnumpy().tolist()
    [2, 3]
    """
    found = wrap(type(data), np.array(data.form.shape, np.int64), data._ctx)
    return with_zero_gradients(found, data)


@public
def size_array(data: A, out: A | None = None, name: str | None = None) -> A:
    """The number of values, as an array.

    Parameters
    ----------
    data : NDArray of any shape and dtype

    Returns
    -------
    NDArray of shape (1,)
        int64, without gradient.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.size_array(nd.zeros((2, 3))).asnumpy().tolist()
    [6]
    """
    found = wrap(type(data), np.array([data.form.size], np.int64), data._ctx)
    return with_zero_gradients(found, data)
