"""`np`: sums, products, extremes and averages over axes."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.dtypes import as_numpy_dtype
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.kernels import linalg
from .._core.kernels.reduce import count, kept_shape
from ._explained import explained, reduction
from ._promote import fractions
from ._public import as_array, as_axis, cast, into, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

PLACES = "Of int64."


#: The dtypes of sums of integers, by kind.
WIDE: dict[str, numpy.dtype[Any]] = {
    "u": numpy.dtype("uint64"),
    "i": numpy.dtype("int64"),
    "b": numpy.dtype("int64"),
}


def wide(a: Any, dtype: Any) -> ndarray:
    """`a` in the dtype to add it up in: its own, but of 64 bits for integers."""
    a = as_array(a)
    if dtype is not None:
        return _unless_rounded(a, as_numpy_dtype(dtype))
    return cast(a, WIDE[a.dtype.kind]) if a.dtype.kind in WIDE else a


def _unless_rounded(a: ndarray, dtype: Any) -> ndarray:
    """`a` in `dtype`; but floats of more digits stay, so that only the result is rounded."""
    given = a.dtype
    longer = given.kind == "f" and dtype.kind in "fV" and given.itemsize > dtype.itemsize
    return a if longer else cast(a, dtype)


def asked(y: ndarray, dtype: Any) -> ndarray:
    """A result in the dtype that was asked for, if there was one."""
    return y if dtype is None else cast(y, as_numpy_dtype(dtype))


def single(a: ndarray) -> ndarray:
    """`a` in the dtype in which squares and sums keep their digits: float32 for half precision."""
    return cast(a, linalg.wide(a.dtype))


def masked(a: ndarray, where: Any, value: Any) -> ndarray:
    """`a`, with `value` where the mask is False."""
    return a if where is None or where is True else ops.where(as_array(where, "bool"), a, value)


# ------------------------------------------------------------------------ sums and products


@reduction
def sum(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The sum over axes; integers are added in 64 bits.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.sum(np.array([[1, 2], [3, 4]]), axis=0)
    array([4., 6.])
    """
    a = wide(a, dtype)
    y = ops.sum(masked(a, where, 0), axis=as_axis(axis), keepdims=bool(keepdims))
    return into(out, asked(y if initial is None else y + initial, dtype))


@reduction
def prod(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The product over axes; integers are multiplied in 64 bits.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.prod(np.array([[1, 2], [3, 4]]), axis=0)
    array([3., 8.])
    """
    a = wide(a, dtype)
    y = ops.prod(masked(a, where, 1), axis=as_axis(axis), keepdims=bool(keepdims))
    return into(out, asked(y if initial is None else y * initial, dtype))


@reduction
def mean(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> ndarray:
    """The mean over axes, in the default floating dtype for integers.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.mean(np.array([[1, 2], [3, 4]]), axis=0)
    array([2., 3.])
    """
    a, axis = fractional(a, dtype), as_axis(axis)
    if where is None or where is True:
        return into(out, asked(ops.mean(a, axis=axis, keepdims=bool(keepdims)), dtype))
    y = cast(_averaged(single(a), axis, where, 0, keepdims), a.dtype)
    return into(out, asked(y, dtype))


def fractional(a: Any, dtype: Any) -> ndarray:
    """`a` in the dtype to average it in."""
    a = as_array(a)
    if dtype is None:
        return cast(a, fractions(a.dtype))
    return _unless_rounded(a, as_numpy_dtype(dtype))


def _averaged(a: ndarray, axis: Any, where: Any, ddof: float, keepdims: bool) -> ndarray:
    """Return the sum over `axis` of the selected values, divided by their number minus `ddof`."""
    summed = ops.sum(masked(a, where, 0), axis=axis, keepdims=True)
    if where is None or where is True:
        known: Any = builtins.max(count(axis, a.shape) - ddof, 0)
    else:
        mask = numpy.broadcast_to(as_array(where, "bool").raw, a.shape)
        counts = numpy.maximum(mask.sum(axis, keepdims=True) - ddof, 0)
        known = wrap(interfaces.ndarray, counts, summed._ctx)
    y = cast(summed / known, a.dtype)  # `known` may have another dtype
    if keepdims:
        return y
    return ops.reshape(y, shape=()) if axis is None else ops.squeeze(y, axis=axis)


@reduction
def var(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> ndarray:
    """The variance over axes: the mean of the squared distances from the mean.

    Parameters
    ----------
    ddof : number, default 0
        What to subtract from the number of values, the divisor.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.var(np.array([1, 2, 3, 4]))
    array(1.25)
    """
    a = fractional(a, dtype)
    ddof = ddof if correction is None else correction
    spread = cast(_spread(single(a), axis, where, ddof, keepdims, mean), a.dtype)
    return into(out, asked(spread, dtype))


def _spread(a: Any, axis: Any, where: Any, ddof: float, keepdims: bool, mean: Any) -> ndarray:
    """Return the variance, in the dtype of `a`."""
    axis = as_axis(axis)
    middle = _averaged(a, axis, where, 0, True) if mean is None else as_array(mean)
    squares = ops.square(masked(a - middle, where, 0))
    return _averaged(squares, axis, where, ddof, keepdims)


@reduction
def std(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> ndarray:
    """The standard deviation over axes: the square root of the variance.

    Parameters
    ----------
    ddof : number, default 0
        What to subtract from the number of values, the divisor.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.std(np.array([1, 3, 5, 7]), ddof=1).round(4)
    array(2.582)
    """
    a = fractional(a, dtype)
    ddof = ddof if correction is None else correction
    spread = _spread(single(a), axis, where, ddof, keepdims, mean)
    return into(out, asked(cast(ops.sqrt(spread), a.dtype), dtype))


@explained
def cumsum(
    a: ArrayLike,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The cumulative sum along an axis; integers are added in 64 bits.

    Parameters
    ----------
    dtype : str or numpy type, optional
        The dtype to compute in; by default that of the result.

    Returns
    -------
    ndarray of the shape of `a`, or of shape (a.size,) without `axis`
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.cumsum(np.array([1, 2, 3]))
    array([1., 3., 6.])
    """
    a = wide(a, dtype)
    y = ops.cumsum(a, axis=None if axis is None else whole(axis, "axis"))
    return into(out, asked(y, dtype))


# --------------------------------------------------------------------------------- extremes


def _extreme(
    a: Any, axis: Any, out: Any, keepdims: bool, initial: Any, where: Any, op: Callable
) -> ndarray:
    """Compute extreme values; `op` is max or min."""
    a, axis = as_array(a), as_axis(axis)
    if where is not None and where is not True:
        if initial is None:
            raise ArgumentError("with a mask in where=, give initial= as well")
        a = masked(a, where, initial)
    if initial is None:
        return into(out, op(a, axis=axis, keepdims=bool(keepdims)))
    if not a.size:
        a = as_array(numpy.full(kept_shape(axis, a.shape), initial, a.dtype))
    merge = ops.maximum if op is ops.max else ops.minimum
    return into(out, merge(op(a, axis=axis, keepdims=bool(keepdims)), initial))


@reduction
def max(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The maximum over axes; every largest element gets the whole gradient.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.max(np.array([[1, 2], [3, 4]]), axis=1)
    array([2., 4.])
    """
    return _extreme(a, axis, out, keepdims, initial, where, ops.max)


@reduction
def min(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The minimum over axes; every smallest element gets the whole gradient.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.min(np.array([[1, 2], [3, 4]]), axis=1)
    array([1., 3.])
    """
    return _extreme(a, axis, out, keepdims, initial, where, ops.min)


@reduction
def ptp(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
) -> ndarray:
    """The range (maximum minus minimum) over axes.

    Parameters
    ----------
    a : array_like of any shape, of a floating or an integer dtype

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.ptp(np.array([[1, 2], [3, 7]]), axis=1)
    array([1., 4.])
    """
    return into(out, max(a, axis, None, keepdims) - min(a, axis, None, keepdims))


# ------------------------------------------------------------------------- places and truth


@explained
def argmax(
    a: ArrayLike, axis: int | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """The index of the largest value; the first of several.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of int64.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.argmax(np.array([[1, 2], [4, 3]]), axis=1)
    array([1, 0], dtype=int64)
    """
    return into(out, ops.argmax(as_array(a), axis=as_axis(axis), keepdims=bool(keepdims)))


@explained
def argmin(
    a: ArrayLike, axis: int | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """The index of the smallest value; the first of several.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of int64.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.argmin(np.array([[1, 2], [4, 3]]), axis=1)
    array([0, 1], dtype=int64)
    """
    return into(out, ops.argmin(as_array(a), axis=as_axis(axis), keepdims=bool(keepdims)))


@reduction
def all(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> ndarray:
    """Whether all values over axes are nonzero.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.all(np.array([[1, 2], [0, 4]]), axis=1)
    array([ True, False])
    """
    truth = masked(as_array(a, "bool"), where, True)
    return into(out, ops.all(truth, axis=as_axis(axis), keepdims=bool(keepdims)))


@reduction
def any(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> ndarray:
    """Whether any value over axes is nonzero.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.any(np.array([[0, 0], [0, 4]]), axis=1)
    array([False,  True])
    """
    truth = masked(as_array(a, "bool"), where, False)
    return into(out, ops.any(truth, axis=as_axis(axis), keepdims=bool(keepdims)))


@reduction
def count_nonzero(
    a: ArrayLike, axis: int | Sequence[int] | None = None, *, keepdims: bool = False
) -> ndarray:
    """The number of nonzero values.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of int64.

    Examples
    --------
    >>> from gluon import np
    >>> np.count_nonzero(np.array([[0, 1], [2, 4]]), axis=1)
    array([1, 2], dtype=int64)
    """
    return sum(as_array(a, "bool").detach(), axis, keepdims=keepdims)


amax = max
amin = min
alltrue = all
sometrue = any
product = prod
