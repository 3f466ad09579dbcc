"""`np`: statistics of the values that are not NaN. NaN gets the gradient 0."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from . import reduce
from ._explained import explained, reduction
from ._public import as_array, as_axis, cast, into
from .calculus import cumprod

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


def _known(a: ndarray, where: Any = None) -> Any:
    """Return the mask of the values that are not NaN; None if all are."""
    if a.dtype.kind not in "fV":
        return where
    known = ~numpy.isnan(a.raw)
    if where is None or where is True:
        if known.all():
            return None
    else:
        known = known & as_array(where, "bool").raw
    return wrap(interfaces.ndarray, known, a._ctx)


@reduction
def nansum(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The sum of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.nansum(np.array([1, np.nan, 3]))
    array(4.)
    """
    a = as_array(a)
    return reduce.sum(a, axis, dtype, out, keepdims, initial, _known(a, where))


@reduction
def nanprod(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The product of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanprod(np.array([2, np.nan, 3]))
    array(6.)
    """
    a = as_array(a)
    return reduce.prod(a, axis, dtype, out, keepdims, initial, _known(a, where))


@reduction
def nanmean(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> ndarray:
    """The mean of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanmean(np.array([1, np.nan, 3]))
    array(2.)
    """
    a = as_array(a)
    return reduce.mean(a, axis, dtype, out, keepdims, where=_known(a, where))


@reduction
def nanvar(
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
    """The variance of the values that are not NaN; NaN where there are at most `ddof` of them.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanvar(np.array([1, np.nan, 3]))
    array(1.)
    """
    a = as_array(a)
    known = _known(a, where)
    ddof = ddof if correction is None else correction
    found = reduce.var(a, axis, dtype, None, ddof, keepdims, where=known, mean=mean)
    if known is not None:
        counted: Any = numpy.broadcast_to(as_array(known, "bool").raw, a.shape)
        left = counted.sum(as_axis(axis), keepdims=bool(keepdims)) > ddof
        found = found if numpy.all(left) else ops.where(left, found, numpy.nan)
    return into(out, found)


@reduction
def nanstd(
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
    """The standard deviation of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of `dtype`; else of the dtype of `a`, or the default one for integers and booleans.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanstd(np.array([1, np.nan, 3]))
    array(1.)
    """
    ddof = ddof if correction is None else correction
    a = reduce.fractional(a, dtype)
    wider = reduce.single(a)
    found = nanvar(wider, axis, None, None, ddof, keepdims, where=where, mean=mean)
    return into(out, reduce.asked(cast(ops.sqrt(found), a.dtype), dtype))


# ------------------------------------------------------------------------------ extremes


def _extreme(function: Callable, lost: float, a: Any, axis: Any, **options: Any) -> ndarray:
    """Compute `function`, max or min, with NaN replaced by `lost`; NaN if all values are."""
    a, where = as_array(a), options.pop("where")
    out = options.pop("out")
    found = function(a, axis, None, where=where, **options)
    if found.dtype.kind not in "fV" or not numpy.isnan(found.raw).any():
        return into(out, found)  # no NaN: it would have propagated
    known = ~numpy.isnan(a.raw)
    shown = ops.where(known, a, lost)
    found = function(shown, axis, None, where=where, **options)
    if where is None or where is True:
        some = known.any(as_axis(axis), keepdims=bool(options["keepdims"]))
        if not numpy.all(some) and options["initial"] is None:
            warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=4)
            found = ops.where(some, found, numpy.nan)
    return into(out, found)


@reduction
def nanmax(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The largest of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanmax(np.array([1, np.nan, 3]))
    array(3.)
    """
    options = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
    return _extreme(reduce.max, -numpy.inf, a, axis, **options)


@reduction
def nanmin(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: ArrayLike | None = None,
) -> ndarray:
    """The smallest of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanmin(np.array([1, np.nan, 3]))
    array(1.)
    """
    options = {"out": out, "keepdims": keepdims, "initial": initial, "where": where}
    return _extreme(reduce.min, numpy.inf, a, axis, **options)


def _place(function: Callable, a: Any, axis: Any, out: Any, keepdims: bool) -> ndarray:
    a = as_array(a)
    raw = function(a.raw, axis=as_axis(axis), keepdims=bool(keepdims))
    return into(out, wrap(interfaces.ndarray, raw, a._ctx))


@explained
def nanargmax(
    a: ArrayLike, axis: int | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """The index of the largest value, ignoring NaN; the first of several.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of int64.

    Raises
    ------
    ArgumentError
        If all values along the axis are NaN.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanargmax(np.array([1, np.nan, 3]))
    array(2, dtype=int64)
    """
    return _place(numpy.nanargmax, a, axis, out, keepdims)


@explained
def nanargmin(
    a: ArrayLike, axis: int | None = None, out: ndarray | None = None, *, keepdims: bool = False
) -> ndarray:
    """The index of the smallest value, ignoring NaN; the first of several.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of int64.

    Raises
    ------
    ArgumentError
        If all values along the axis are NaN.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanargmin(np.array([np.nan, 3, 1]))
    array(2, dtype=int64)
    """
    return _place(numpy.nanargmin, a, axis, out, keepdims)


@explained
def nancumsum(
    a: ArrayLike,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The cumulative sum, with NaN counted as 0.

    Returns
    -------
    ndarray of the shape of `a`, or (a.size,) without `axis`
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.nancumsum(np.array([1, np.nan, 3]))
    array([1., 1., 4.])
    """
    a = as_array(a)
    return reduce.cumsum(reduce.masked(a, _known(a), 0), axis, dtype, out)


@explained
def nancumprod(
    a: ArrayLike,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The cumulative product, with NaN counted as 1.

    Returns
    -------
    ndarray of the shape of `a`, or (a.size,) without `axis`
        Of `dtype`; else of the dtype of `a`, or 64 bits wide for integers and booleans.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.nancumprod(np.array([2, np.nan, 3]))
    array([2., 2., 6.])
    """
    a = as_array(a)
    return cumprod(reduce.masked(a, _known(a), 1), axis, dtype, out)
