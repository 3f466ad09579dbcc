"""`np`: differences, sums and products along an axis, interpolation, convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from . import reduce
from ._explained import explained
from ._promote import alike, fractions
from ._public import NUMBERS, as_array, as_axis, cast, into
from .join import concatenate
from .sorting import lined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


def part(x: ndarray, axis: int, start: int | None, stop: int | None) -> Any:
    """A slice of an axis."""
    key = [slice(None)] * x.ndim
    key[axis] = slice(start, stop)
    return ops.getitem(x, key=tuple(key))


# ----------------------------------------------------------------------- differences, sums


@explained
def diff(
    a: Any,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> ndarray:
    """The differences of consecutive values along an axis.

    Parameters
    ----------
    a : array_like of one axis or more, of any dtype
    n : int, default 1
        How many times to take differences.
    axis : int, default -1
    prepend : array_like of the other axes of `a`, of any dtype, or number, optional
        What to put before the values.
    append : array_like of the other axes of `a`, of any dtype, or number, optional
        What to put after the values.

    Returns
    -------
    ndarray of the shape of `a`, shorter by `n` along the axis, and of its dtype
        For booleans, whether neighbours differ.

    Raises
    ------
    ArgumentError
        If `n` is negative, or the array has no axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.diff(np.array([1, 2, 4, 8]))
    array([1., 2., 4.])
    """
    a = as_array(a)
    if not a.ndim:
        raise ArgumentError("a 0-d array cannot be differenced")
    if n < 0:
        raise ArgumentError(f"n={n} must not be negative")
    a, axis = lined(a, axis)
    sides = [None if side is None else as_array(side) for side in (prepend, append)]
    if sides != [None, None]:
        shape = list(a.shape)
        shape[axis] = 1
        sides = [
            ops.broadcast_to(one, shape=tuple(shape)) if one is not None and not one.ndim else one
            for one in sides
        ]
        a = concatenate([one for one in (sides[0], a, sides[1]) if one is not None], axis)
    for _ in range(n):
        above, below = part(a, axis, 1, None), part(a, axis, None, -1)
        a = ops.not_equal(above, below) if a.dtype == bool else above - below
    return a


@explained
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> ndarray:
    """The differences of consecutive values of the flattened array.

    Parameters
    ----------
    to_end : array_like of any shape and dtype, optional
        What to put after the differences.
    to_begin : array_like of any shape and dtype, optional
        What to put before the differences.

    Returns
    -------
    ndarray of one axis, of the dtype of `ary`

    Examples
    --------
    >>> from gluon import np
    >>> np.ediff1d(np.array([1, 2, 4]), to_begin=0)
    array([0., 1., 2.])
    """
    ary = as_array(ary)
    found = diff(ops.reshape(ary, shape=(ary.size,)))
    ends = [None if one is None else as_array(one, ary.dtype) for one in (to_begin, to_end)]
    parts = [one for one in (ends[0], found, ends[1]) if one is not None]
    return found if len(parts) == 1 else concatenate(parts, None)


@explained
def cumprod(
    a: ArrayLike,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """The cumulative product along an axis; integers are multiplied in 64 bits.

    Returns
    -------
    ndarray of the shape of `a`, or of shape (a.size,) without `axis`
        Of `dtype`; else of that of `a`, or 64 bits wide for integers and booleans.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.cumprod(np.array([1, 2, 3]))
    array([1., 2., 6.])
    """
    a, axis = lined(a, axis)
    return into(out, reduce.asked(ops.cumprod(reduce.wide(a, dtype), axis=axis), dtype))


cumproduct = cumprod


def _cumulative(x: Any, axis: int | None, first: int | None, op: Any, dtype: Any) -> ndarray:
    x = as_array(x)
    if not x.ndim:
        x = ops.reshape(x, shape=(1,))
    if axis is None:
        if x.ndim != 1:
            raise ArgumentError(f"give axis= for an array of shape {x.shape}")
        axis = 0
    y = op(x, axis, dtype)
    if first is None:
        return y
    shape = list(y.shape)
    shape[axis] = 1
    start = wrap(interfaces.ndarray, numpy.full(shape, first, y.dtype), y._ctx)
    return ops.concat(start, y, axis=axis)


@explained
def cumulative_sum(
    x: ArrayLike,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """The cumulative sum along an axis, by the name of the array API.

    Parameters
    ----------
    x : array_like of any dtype, of one axis, or of more with `axis`
    axis : int, optional
        Not needed for arrays of one axis.
    include_initial : bool, default False
        Whether to begin with the result for no values, 0 or 1.

    Returns
    -------
    ndarray of the shape of `x`, one longer along the axis with `include_initial`
        Of `dtype`; else of that of `x`, or 64 bits wide for integers and booleans.

    Raises
    ------
    ArgumentError
        If there are several axes and no `axis`.

    Examples
    --------
    >>> from gluon import np
    >>> np.cumulative_sum(np.array([1, 2]), include_initial=True)
    array([0., 1., 3.])
    """
    return into(out, _cumulative(x, axis, 0 if include_initial else None, reduce.cumsum, dtype))


@explained
def cumulative_prod(
    x: ArrayLike,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """The cumulative product along an axis, by the name of the array API.

    Parameters
    ----------
    x : array_like of any dtype, of one axis, or of more with `axis`
    axis : int, optional
        Not needed for arrays of one axis.
    include_initial : bool, default False
        Whether to begin with the result for no values, 0 or 1.

    Returns
    -------
    ndarray of the shape of `x`, one longer along the axis with `include_initial`
        Of `dtype`; else of that of `x`, or 64 bits wide for integers and booleans.

    Raises
    ------
    ArgumentError
        If there are several axes and no `axis`.

    Examples
    --------
    >>> from gluon import np
    >>> np.cumulative_prod(np.array([2, 3]), include_initial=True)
    array([1., 2., 6.])
    """
    return into(out, _cumulative(x, axis, 1 if include_initial else None, cumprod, dtype))


@explained
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: Any = 1.0, axis: int = -1) -> ndarray:
    """The integral along an axis, by the trapezoidal rule.

    Parameters
    ----------
    y : array_like of one axis or more, of any dtype
        The values of the function.
    x : array_like of any dtype, optional
        The points of the values: of one axis, or in the shape of `y`.
    dx : float, default 1.0
        The spacing, if `x` is not given.
    axis : int, default -1

    Returns
    -------
    ndarray of the other axes, floating

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.trapezoid(np.array([1, 2, 3]))
    array(4.)
    """
    y = as_array(y)
    y, axis = lined(cast(y, fractions(y.dtype)), axis)
    if x is not None:
        x = as_array(x)
        if x.ndim == 1:
            shape = [1] * y.ndim
            shape[axis] = x.size - 1
            dx = ops.reshape(diff(x), shape=tuple(shape))
        else:
            dx = diff(x, axis=axis)
    means = (part(y, axis, 1, None) + part(y, axis, None, -1)) * 0.5
    return ops.sum(means * dx, axis=axis)


trapz = trapezoid


# ----------------------------------------------------------------------------- gradients


def _spacings(f: ndarray, given: tuple, axes: tuple[int, ...]) -> list[Any]:
    """Return the spacing of positions per axis: a number, or an array of distances."""
    if len(given) <= 1:
        given = given * len(axes) or (1.0,) * len(axes)
        if len(axes) > 1 and as_array(given[0]).ndim:
            raise ArgumentError("give the points along each axis, or one distance for all")
    if len(given) != len(axes):
        raise ArgumentError(f"{len(given)} spacings for {len(axes)} axes")
    found: list[Any] = []
    for one, axis in zip(given, axes):
        one = as_array(one, f.dtype if isinstance(one, NUMBERS) else None)
        if one.ndim > 1 or (one.ndim and one.size != f.shape[axis]):
            raise ArgumentError(f"{one.shape} points along an axis of length {f.shape[axis]}")
        if one.ndim:
            one = diff(cast(one, fractions(one.dtype)))
            if one.size and (one.raw == one.raw[0]).all():
                one = ops.getitem(one, key=0)
        found.append(one)
    return found


def _slope(f: ndarray, axis: int, h: ndarray, edge_order: int) -> ndarray:
    """Differentiate along one axis: with parabolas inside, lines or parabolas at the ends."""
    n = f.shape[axis]
    if n < edge_order + 1:
        raise ArgumentError(f"axis {axis} has {n} points, but at least {edge_order + 1} are needed")
    if not h.ndim:
        h = ops.broadcast_to(ops.reshape(h, shape=(1,)), shape=(n - 1,))
    shape = [1] * f.ndim
    shape[axis] = n - 1
    h = ops.reshape(h, shape=tuple(shape))
    slopes = (part(f, axis, 1, None) - part(f, axis, None, -1)) / h
    first, last = part(slopes, axis, 0, 1), part(slopes, axis, n - 2, n - 1)
    if n == 2:
        return ops.concat(first, last, axis=axis)
    before, after = part(h, axis, None, -1), part(h, axis, 1, None)
    low, high = part(slopes, axis, None, -1), part(slopes, axis, 1, None)
    inside = (low * after + high * before) / (before + after)
    if edge_order == 2:
        bend = (high - low) / (before + after)
        first = first - part(bend * before, axis, 0, 1)
        last = last + part(bend * after, axis, n - 3, n - 2)
    return ops.concat(first, inside, last, axis=axis)


@explained
def gradient(
    f: ArrayLike, *varargs: Any, axis: int | Sequence[int] | None = None, edge_order: int = 1
) -> Any:
    """The numerical gradient, by central differences inside and one-sided ones at the ends.

    Parameters
    ----------
    f : array_like of one axis or more, of any dtype
        The values of the function.
    *varargs : float, or array_like of one axis, of any dtype
        For each axis the spacing, or the coordinates.
    axis : int or tuple of int, optional
        All axes by default.
    edge_order : {1, 2}
        The order of the one-sided differences at the ends.

    Returns
    -------
    ndarray of the shape of `f`, floating, or a tuple of them, one for each axis

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.gradient(np.array([0, 1, 4, 9]))
    array([1., 2., 4., 5.])
    """
    f = as_array(f)
    f = cast(f, fractions(f.dtype))
    if edge_order not in (1, 2):
        raise ArgumentError(f"edge_order={edge_order} is neither 1 nor 2")
    chosen = range(f.ndim) if axis is None else as_axis(axis)
    axes = (chosen,) if isinstance(chosen, int) else tuple(chosen)
    axes = tuple([lined(f, one)[1] % f.ndim for one in axes])
    spacings = _spacings(f, varargs, axes)
    found = [_slope(f, one, h, edge_order) for one, h in zip(axes, spacings)]
    return found[0] if len(found) == 1 else tuple(found)


# ------------------------------------------------------------- interpolation, convolution


@explained
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: Any = None,
    right: Any = None,
    period: Any = None,
) -> ndarray:
    """Piecewise linear interpolation.

    Parameters
    ----------
    x : array_like of any shape and dtype
        The points to evaluate.
    xp : array_like of one axis, of any dtype
        The points of the known values, in increasing order.
    fp : array_like of one axis, of any dtype
        The known values.
    left : float, optional
        The value before `xp`, by default the first one.
    right : float, optional
        The value after `xp`, by default the last one.
    period : float, optional
        The period of the function; `xp` may then be in any order.

    Returns
    -------
    ndarray of the shape of `x`, floating

    Raises
    ------
    ArgumentError
        If `xp` and `fp` differ in length, or `period` is 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.interp(np.array([0.5, 3]), np.array([0, 1]), np.array([10, 20]))
    array([15., 20.])
    """
    x, xp, fp = alike([x, xp, fp])
    x, xp, fp = [cast(one, fractions(one.dtype)) for one in (x, xp, fp)]
    if xp.ndim != 1 or xp.shape != fp.shape or not xp.size:
        raise ArgumentError(f"xp of shape {xp.shape} and fp of {fp.shape} are not a list of points")
    if period is not None:
        if isinstance(period, Array):
            period = cast(as_array(period), x.dtype)
        x, xp, fp = _periodic(x, xp, fp, abs(period))
    last = xp.size - 1
    low = (xp.raw.searchsorted(x.raw, "right") - 1).clip(0, max(last - 1, 0))
    high = numpy.minimum(low + 1, last)
    x0, x1, y0, y1 = [ops.getitem(one, key=places) for one in (xp, fp) for places in (low, high)]
    share = (x - x0) / ops.where(high == low, 1.0, x1 - x0)
    y = ops.where(high == low, y0, y0 + (y1 - y0) * share)
    first, final = [ops.getitem(fp, key=k) for k in (0, last)]
    y = ops.where(x.raw < xp.raw[0], first if left is None or period else left, y)
    return ops.where(x.raw > xp.raw[-1], final if right is None or period else right, y)


def _periodic(x: ndarray, xp: ndarray, fp: ndarray, period: Any) -> tuple[ndarray, ...]:
    """Return the points within one period, with one more on either side."""
    if not period:
        raise ArgumentError("period must not be 0")
    x, xp = ops.mod(x, period), ops.mod(xp, period)
    order = xp.raw.argsort(kind="stable")
    places = numpy.concatenate([order[-1:], order, order[:1]])
    turns = numpy.zeros(len(places), xp.dtype)
    turns[0], turns[-1] = -1, 1
    turned = ops.getitem(xp, key=places) + as_array(turns) * period
    return x, turned, ops.getitem(fp, key=places)


MODES = ("full", "same", "valid")


def _slid(a: Any, v: Any, mode: str, flipped: bool) -> ndarray:
    """Slide the shorter array along the longer one, and sum the products."""
    a, v = alike([a, v])
    if a.ndim > 1 or v.ndim > 1 or not a.size or not v.size:
        raise ArgumentError(
            f"shapes {a.shape} and {v.shape} must have one axis, and at least one value"
        )
    if mode not in MODES:
        raise ArgumentError(f"mode={mode!r} is not one of {', '.join(MODES)}")
    n, m = a.size, v.size
    if a.dtype.kind not in "fV":
        function: Any = numpy.convolve if flipped else numpy.correlate
        return wrap(interfaces.ndarray, function(a.raw.ravel(), v.raw.ravel(), mode), a._ctx)
    a, v = [ops.reshape(one, shape=(one.size,)) for one in (a, v)]
    short, long = min(n, m), max(n, m)
    start, size = {
        "full": (0, n + m - 1),
        "valid": (short - 1, long - short + 1),
        "same": ((short - 1) // 2 if flipped or n >= m else short // 2, long),
    }[mode]
    return ops.convolve(a, v if flipped else ops.flip(v, axis=0), start=start, size=size)


@explained
def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> ndarray:
    """The discrete convolution of two vectors.

    Parameters
    ----------
    a : array_like of one axis, of any dtype
    v : array_like of one axis, of any dtype
    mode : {'full', 'same', 'valid'}
        All positions, as many as the longer array has, or only those with full overlap.

    Returns
    -------
    ndarray of one axis, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.convolve(np.array([1, 2, 3]), np.array([0, 1, 0.5]))
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    return _slid(a, v, mode, True)


@explained
def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> ndarray:
    """The cross-correlation of two vectors.

    Parameters
    ----------
    a : array_like of one axis, of any dtype
    v : array_like of one axis, of any dtype
    mode : {'valid', 'same', 'full'}
        The positions of full overlap; as many as the longer array has; or all.

    Returns
    -------
    ndarray of one axis, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.correlate(np.array([1, 2, 3]), np.array([0, 1, 0.5]))
    array([3.5])
    """
    return _slid(a, v, mode, False)


@explained
def unwrap(
    p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * numpy.pi
) -> ndarray:
    """Unwrap angles: add periods so that steps along an axis are at most half a period.

    Parameters
    ----------
    p : array_like of one axis or more, of any dtype
        Angles; in radians for the default period.
    discont : float, optional
        The smallest step to change, half a period by default.
    axis : int, default -1
    period : float, default 2 * pi

    Returns
    -------
    ndarray of the same shape, floating

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.unwrap(np.array([0, 8, 1]), period=10)
    array([ 0., -2.,  1.])
    """
    p = as_array(p)
    p = p if period == int(period) else cast(p, fractions(p.dtype))
    turned = numpy.unwrap(p.raw, discont, axis, period=period)
    return cast(p + wrap(interfaces.ndarray, turned - p.raw), p.dtype)
