"""`np`: functions that change the shape or the order of an array."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy

from .._core.arrays import interfaces
from .._core.arrays.dtypes import check_order
from .._core.arrays.history import constants
from .._core.arrays.rebind import is_recorded
from .._core.engine.inplace import join
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.prototype import T
from .._core.kernels.memory import beside, on_host
from ._public import as_array, as_axis, as_shape, cast, into, plain, public, public_like, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

Axes = int | Sequence[int]
#: The modes of `pad` whose border only copies values.
COPYING = ("constant", "edge", "empty", "reflect", "symmetric", "wrap")
EXTREMES = {"maximum": ops.max, "minimum": ops.min}
MODES = tuple(sorted((*COPYING, *EXTREMES)))


def viewed(a: ndarray, shape: tuple[int, ...]) -> ndarray:
    """`a` in another shape, on the same memory."""
    a._settle()
    out = ops.reshape(a, shape=shape)
    join(a, out)
    return out


def ordered(a: ndarray, shape: tuple[int, ...], order: str) -> ndarray:
    """The values in another shape, read and placed in an order."""
    if order == "F":
        return ops.transpose(ops.reshape(ops.transpose(a), shape=shape[::-1]))
    check_order("order", order)
    return viewed(a, shape)


@public
def reshape(
    a: ArrayLike,
    newshape: int | Sequence[int] | None = None,
    order: str = "C",
    *,
    shape: int | Sequence[int] | None = None,
    copy: bool | None = None,
) -> ndarray:
    """Change the shape of an array, on the same memory.

    Parameters
    ----------
    a : array_like of any shape and dtype
    newshape : int or tuple of int
        One length may be -1: it is inferred.
    order : {'C', 'A', 'F'}
        The order in which values are read and placed: with 'F' the first index varies fastest.
    shape : int or tuple of int
        Another name of `newshape`.
    copy : bool, optional
        True always copies; False raises an error if a copy is needed.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If the values do not fit the shape, `order` is not one of these, or `copy` is False and a
        copy is needed.

    Examples
    --------
    >>> from gluon import np
    >>> np.reshape(np.arange(4), (2, -1))
    array([[0., 1.],
           [2., 3.]])
    """
    a, wanted = as_array(a), as_shape(newshape if shape is None else shape)
    out = ordered(a, wanted, order)
    if copy is False and not numpy.may_share_memory(out.raw, a.raw):
        raise ArgumentError(
            f"shape {wanted} of the values of an array of shape {a.shape} needs a copy, which"
            " copy=False forbids"
        )
    return ops.copy(out) if copy else out


@public
def ravel(a: ArrayLike, order: str = "C") -> ndarray:
    """Flatten an array, on the same memory.

    Parameters
    ----------
    a : array_like of any shape and dtype
    order : {'C', 'K', 'A', 'F'}
        The order in which values are read: with 'F' the first index varies fastest.

    Returns
    -------
    ndarray of one axis, of the same dtype

    Raises
    ------
    ArgumentError
        If `order` is not one of these.

    Examples
    --------
    >>> from gluon import np
    >>> np.ravel(np.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    a = as_array(a)
    return ordered(a, (a.size,), order)


@public
def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> ndarray:
    """Permute the axes.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axes : sequence of int, optional
        The axis at each position; by default the order is reversed.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If `axes` is not a permutation of the axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.transpose(np.ones((2, 3, 4)), (0, 2, 1)).shape
    (2, 4, 3)
    """
    return ops.transpose(as_array(a), axes=None if axes is None else list(as_axis(axes)))


permute_dims = transpose


@public
def matrix_transpose(x: ArrayLike) -> ndarray:
    """Transpose the last two axes.

    Parameters
    ----------
    x : array_like of two axes or more, of any dtype

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If there are fewer axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.matrix_transpose(np.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    return as_array(x).mT


@public
def moveaxis(a: ArrayLike, source: Axes, destination: Axes) -> ndarray:
    """Move axes to new positions; the other axes keep their order.

    Parameters
    ----------
    a : array_like of any shape and dtype
    source, destination : int or sequence of int
        The old and the new positions.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.moveaxis(np.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = as_array(a)
    axes = _order(numpy.moveaxis, a.ndim, as_axis(source), as_axis(destination))
    return ops.transpose(a, axes=axes)


@lru_cache(maxsize=512)
def _order(move: Callable, ndim: int, *args: Any) -> tuple[int, ...]:
    """Return the order of `ndim` axes after `move`, a NumPy function, was called with `args`."""
    # An array whose axes have distinct lengths, without memory.
    numbered = numpy.broadcast_to(numpy.int8(0), tuple(range(1, ndim + 1)))
    return tuple(n - 1 for n in move(numbered, *args).shape)


@public
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> ndarray:
    """Move one axis back to a position before another.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axis : int
        The axis to move.
    start : int, default 0
        The position to move it before.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.rollaxis(np.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = as_array(a)
    ends = whole(axis, "axis"), whole(start, "start")
    return ops.transpose(a, axes=_order(numpy.rollaxis, a.ndim, *ends))


@public
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> ndarray:
    """Swap two axes.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axis1, axis2 : int

    Returns
    -------
    ndarray of the same dtype
        Of the shape of `a` with two lengths exchanged.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.swapaxes(np.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    a = as_array(a)
    pair = whole(axis1, "axis1"), whole(axis2, "axis2")
    return ops.transpose(a, axes=_order(numpy.swapaxes, a.ndim, *pair))


@public
def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> ndarray:
    """Insert new axes of length 1, on the same memory.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axis : int or tuple of int
        The positions of the new axes in the result.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.expand_dims(np.ones((2, 3)), (0, -1)).shape
    (1, 2, 3, 1)
    """
    a = as_array(a)
    return viewed(a, numpy.expand_dims(_empty(a), as_axis(axis)).shape)


def _empty(a: ndarray) -> Any:
    """Return an array of the shape of `a` without memory."""
    return numpy.broadcast_to(numpy.int8(0), a.shape)


@public
def squeeze(a: ArrayLike, axis: int | Sequence[int] | None = None) -> ndarray:
    """Remove axes of length 1, on the same memory.

    Parameters
    ----------
    a : array_like of any shape and dtype
    axis : int or tuple of int, optional
        Which axes; all of length 1 by default.

    Returns
    -------
    ndarray of the same dtype
        Of the shape of `a` without these axes.

    Raises
    ------
    ArgumentError
        If an axis is longer than 1.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.squeeze(np.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    a = as_array(a)
    return viewed(a, _empty(a).squeeze(as_axis(axis)).shape)


@public
def broadcast_to(array: ArrayLike, shape: int | Sequence[int]) -> ndarray:
    """Broadcast an array to a shape.

    Parameters
    ----------
    array : array_like of any shape and dtype
    shape : int or tuple of int
        -2 keeps the length of the array.

    Returns
    -------
    ndarray of shape `shape`, of the dtype of `array`

    Raises
    ------
    ArgumentError
        If the array does not broadcast to it.

    Examples
    --------
    >>> from gluon import np
    >>> np.broadcast_to(np.array([1, 2]), (2, 2))
    array([[1., 2.],
           [1., 2.]])
    """
    array, shape = as_array(array), as_shape(shape)
    if -2 in shape:  # -2 keeps the array's length
        own = (1,) * (len(shape) - array.ndim) + array.shape
        shape = tuple([n if old == -2 else old for old, n in zip(shape, own)])
    return ops.broadcast_to(array, shape=shape)


@public
def broadcast_arrays(*args: ArrayLike) -> list[ndarray]:
    """Broadcast arrays to their common shape.

    Parameters
    ----------
    *args : array_like of any shape and dtype

    Returns
    -------
    list of ndarray of the broadcast shape, each of the dtype of its input

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> [x.shape for x in np.broadcast_arrays(np.ones((2, 1)), np.ones(3))]
    [(2, 3), (2, 3)]
    """
    arrays = [as_array(x) for x in args]
    shape = numpy.broadcast_shapes(*[x.shape for x in arrays])
    return [ops.broadcast_to(x, shape=shape) for x in arrays]


@public
def broadcast_shapes(*args: int | Sequence[int]) -> tuple[int, ...]:
    """The common shape to which given shapes broadcast.

    Parameters
    ----------
    *args : int or tuple of int

    Returns
    -------
    tuple of int

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return numpy.broadcast_shapes(*args)


def at_least(*arys: ArrayLike) -> Any:
    """Arrays with a number of axes or more.

    Parameters
    ----------
    *arys : array_like of any shape and dtype

    Returns
    -------
    ndarray of at least that many axes and the same dtype; several arrays return a list

    Raises
    ------
    DTypeError
        If an argument holds no numbers.
    """
    raise NotImplementedError


def _at_least(like: T, name: str, shape_of: Callable, n: int) -> T:
    def call(*arys: Any) -> Any:
        found = [as_array(x) for x in arys]
        found = [x if x.ndim >= n else viewed(x, shape_of(_empty(x)).shape) for x in found]
        return found[0] if len(found) == 1 else found

    title = f"Arrays with at least {n} {'axis' if n == 1 else 'axes'}"
    return public_like(like, call, name, title, f"np.{name}(np.array(3.0)).ndim", str(n))


atleast_1d: Final = _at_least(at_least, "atleast_1d", numpy.atleast_1d, 1)
atleast_2d: Final = _at_least(at_least, "atleast_2d", numpy.atleast_2d, 2)
atleast_3d: Final = _at_least(at_least, "atleast_3d", numpy.atleast_3d, 3)


@public
def flip(
    m: ArrayLike, axis: int | Sequence[int] | None = None, out: ndarray | None = None
) -> ndarray:
    """Reverse the order along axes.

    Parameters
    ----------
    m : array_like of any shape and dtype
    axis : int or tuple of int, optional
        All axes by default.
    out : ndarray of the same shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.flip(np.arange(3))
    array([2., 1., 0.])
    """
    return into(out, ops.flip(as_array(m), axis=as_axis(axis)))


@public
def fliplr(m: ArrayLike) -> ndarray:
    """Reverse the order along the second axis.

    Parameters
    ----------
    m : array_like of two axes or more, of any dtype

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    IndexRangeError
        If there are fewer axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.fliplr(np.array([[1, 2]]))
    array([[2., 1.]])
    """
    return ops.flip(as_array(m), axis=1)


@public
def flipud(m: ArrayLike) -> ndarray:
    """Reverse the order along the first axis.

    Parameters
    ----------
    m : array_like of one axis or more, of any dtype

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    IndexRangeError
        If there is no axis.

    Examples
    --------
    >>> from gluon import np
    >>> np.flipud(np.array([[1], [2]]))
    array([[2.],
           [1.]])
    """
    return ops.flip(as_array(m), axis=0)


@public
def roll(
    a: ArrayLike, shift: int | Sequence[int], axis: int | Sequence[int] | None = None
) -> ndarray:
    """Roll values along axes, wrapping around at the ends.

    Parameters
    ----------
    a : array_like of any shape and dtype
    shift : int or tuple of int
        By how many positions.
    axis : int or tuple of int, optional
        By default the flattened array is rolled.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.roll(np.arange(4), 1)
    array([3., 0., 1., 2.])
    """
    shift, axis = as_axis(shift), as_axis(axis)
    return ops.roll(as_array(a), shift=shift, axis=axis)


@public
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> ndarray:
    """Rotate by 90 degrees in the plane of two axes.

    Parameters
    ----------
    m : array_like of two axes or more, of any dtype
    k : int, default 1
        How many times to rotate.
    axes : tuple of two int, default (0, 1)

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If `axes` are not two different axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.rot90(np.array([[1, 2], [3, 4]]))
    array([[2., 4.],
           [1., 3.]])
    """
    return ops.rot90(as_array(m), k=k, axes=axes)


@public
def tile(A: ArrayLike, reps: int | Sequence[int]) -> ndarray:
    """Repeat the whole array along each axis.

    Parameters
    ----------
    A : array_like of any shape and dtype
    reps : int or tuple of int
        The number of repetitions along each axis; fewer numbers are for the last axes.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If a number is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.tile(np.array([1, 2]), (2, 2))
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]])
    """
    return ops.tile(as_array(A), reps=as_shape(reps))


@public
def repeat(a: Any, repeats: Any, axis: int | None = None) -> ndarray:
    """Repeat each element along an axis.

    Parameters
    ----------
    a : array_like of any shape and dtype
    repeats : int, or array_like of int of no axis or one
        The number of repetitions, of all elements or of each.
    axis : int, optional
        By default the flattened array is used.

    Returns
    -------
    ndarray of the same dtype
        Of the shape of `a`, longer along `axis`; of shape (n,) without it.

    Raises
    ------
    ArgumentError
        If the number of repetitions does not match the elements, or one is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.repeat(np.array([1, 2]), 2), np.repeat(np.array([1, 2]), [1, 2])
    (array([1., 1., 2., 2.]), array([1., 2., 2.]))
    """
    a = as_array(a)
    if axis is None:
        a, axis = ops.reshape(a, shape=(-1,)), 0
    axis = whole(axis, "axis") % (a.ndim or 1)
    counts = numpy.asarray(
        on_host(repeats.raw) if isinstance(repeats, interfaces.ndarray) else repeats
    )
    places = numpy.repeat(numpy.arange(a.shape[axis]), counts.astype(numpy.int64))
    return ops.take(a, as_array(places), axis=axis, mode="raise")


def _pad_with_extremes(x: ndarray, width: list, extreme: Any, lengths: Any) -> ndarray:
    """Pad one axis after the other with the extremes of the lines along it, corners included."""
    counts = numpy.full(2, None) if lengths is None else numpy.asarray(lengths)
    counts = numpy.broadcast_to(counts, (len(width), 2)).tolist()
    for axis, (widths, used) in enumerate(zip(width, counts)):
        parts, length = [x], x.shape[axis]
        for side, (n, count) in enumerate(zip(widths, used)):
            if n < 0 or (count is not None and count < 1):
                raise ArgumentError(f"axis {axis}: width {n} and stat_length {count}: too small")
            if n:
                count = length if count is None else min(count, length)
                near = slice(length - count, None) if side else slice(count)
                line = ops.getitem(x, key=(*[slice(None)] * axis, near))
                border = ops.repeat(extreme(line, axis=axis, keepdims=True), repeats=n, axis=axis)
                parts.insert(len(parts) if side else 0, border)
        x = ops.concat(*parts, axis=axis)
    return x


@public
def pad(x: ArrayLike, pad_width: Any, mode: str = "constant", **kwargs: Any) -> ndarray:
    """Pad an array.

    Parameters
    ----------
    x : array_like of any shape and dtype
    pad_width : int, pair of int, or a pair for each axis
        How many values before and after.
    mode : {'constant', 'edge', 'empty', 'maximum', 'minimum', 'reflect', 'symmetric', 'wrap'}
        How to fill the border, as in NumPy. Its gradient is added to that of the copied values.
    **kwargs
        As in NumPy: ``constant_values``, and ``stat_length`` for the extremes of that many values
        next to the border.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If `mode` is unknown, or a width is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.pad(np.array([1, 2]), (1, 2))
    array([0., 1., 2., 0., 0.])
    >>> np.pad(np.array([1, 2, 3]), 2, mode="reflect")
    array([3., 2., 1., 2., 3., 2., 1.])
    """
    x = as_array(x)
    width = numpy.broadcast_to(numpy.asarray(pad_width), (x.ndim, 2)).tolist()
    if mode in ("constant", "empty"):
        value = kwargs.get("constant_values", 0)
        if is_recorded(value) and value.size == 1:
            border = numpy.pad(numpy.zeros(x.shape, bool), width, constant_values=True)
            value = cast(as_array(value), x.dtype)
            return ops.where(beside(x, border), value, ops.pad(x, width=width, mode="constant"))
        constants(constant_values=value)
        return ops.pad(x, width=width, mode="constant", value=plain(value))
    if mode in EXTREMES and kwargs.keys() <= {"stat_length"}:
        return _pad_with_extremes(x, width, EXTREMES[mode], kwargs.get("stat_length"))
    if mode not in COPYING or kwargs.get("reflect_type") == "odd":
        raise ArgumentError(f"mode={mode!r} {kwargs or ''} is not available; use one of {MODES}")
    return ops.pad(x, width=width, mode=mode)


@public
def resize(a: ArrayLike, new_shape: int | Sequence[int]) -> ndarray:
    """Change the shape of an array, repeating its values to fill it.

    Parameters
    ----------
    a : array_like of any shape and dtype
    new_shape : int or tuple of int

    Returns
    -------
    ndarray of shape `new_shape`, of the dtype of `a`

    Raises
    ------
    ArgumentError
        If a length is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.resize(np.array([1, 2]), (2, 3))
    array([[1., 2., 1.],
           [2., 1., 2.]])
    """
    a, shape = as_array(a), as_shape(new_shape)
    if not a.size:
        return as_array(numpy.zeros(shape, a.dtype))
    if min(shape, default=0) < 0:
        raise ArgumentError(f"new_shape={shape} has a negative length")
    values, size = ops.reshape(a, shape=(a.size,)), math.prod(shape)
    if size > a.size:
        values = ops.tile(values, reps=(-(-size // a.size),))
    return ops.reshape(ops.getitem(values, key=slice(size)), shape=shape)
