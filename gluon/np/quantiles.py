"""`np`: quantiles and medians, with gradients for the values next to a quantile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.faces.prototype import T
from .._core.kernels.reduce import kept_shape
from ._explained import explained
from ._promote import fractions
from ._public import as_array, as_axis, cast, into

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

#: The number of values from which on partitions are faster than NumPy's sort.
LONG = 8192
#: The methods whose results are elements of the array.
PICKING = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")


def _lines(a: ndarray, axis: Any) -> ndarray:
    """Return the values over `axis` as columns: of shape (values, columns)."""
    ndim = a.ndim
    if axis is None:
        return ops.reshape(a, shape=(a.size, 1))
    axes = (axis,) if isinstance(axis, int) else axis
    reduced = [k % ndim for k in axes if -ndim <= k < ndim]
    if len(set(reduced)) != len(axes):
        raise ArgumentError(f"axis={axis} does not name different axes of shape {a.shape}")
    rest = [k for k in range(ndim) if k not in reduced]
    n = int(numpy.prod([a.shape[k] for k in reduced]))
    columns = int(numpy.prod([a.shape[k] for k in rest]))
    return ops.reshape(ops.transpose(a, axes=[*reduced, *rest]), shape=(n, columns))


def _places(counts: Any, q: Any, method: Any) -> Any:
    """Return positions of quantiles among sorted values, (quantiles, columns): 1.5 is between two.

    Where they lie is what NumPy finds for the places themselves, by each of its methods.
    """
    found = numpy.full((q.size, counts.size), numpy.nan)
    for n in numpy.unique(counts):
        if n:
            places = numpy.quantile(numpy.arange(n, dtype="float64"), q.ravel(), method=method)
            found[:, counts == n] = places[:, None]
    return found


def _weighted_places(weights: Any, q: Any) -> Any:
    """Return where the cumulative weights reach the quantiles, for the method 'inverted_cdf'."""
    shares = weights.cumsum(0)
    shares = shares / shares[-1]
    shares[shares == 0] = -1  # so that a quantile of 0 is a value with a weight
    below = (shares[None] < q.reshape(-1, 1, 1)).sum(1)
    return numpy.minimum(below, len(weights) - 1).astype("float64")


def _ranked(columns: ndarray, ranks: Any) -> ndarray:
    """Return the rows `ranks` of the sorted columns, NaN last."""
    raw = columns.raw
    if raw.dtype.kind == "V":  # NumPy cannot partition bfloat16
        raw = raw.astype("float32")
    elif not is_recorded(columns):
        ranked = numpy.sort(raw, 0) if len(raw) < LONG else numpy.partition(raw, ranks, 0)
        return wrap(interfaces.ndarray, ranked[ranks])
    return ops.take_along(columns, raw.argpartition(ranks, 0)[ranks], axis=0, unique=True)


def _between(rows: ndarray, ranks: Any, places: Any, wanted: numpy.dtype) -> ndarray:
    """Interpolate at `places` in sorted columns, whose rows `ranks` are given as `rows`."""
    known = numpy.nan_to_num(places)
    low, high = numpy.floor(known), numpy.ceil(known)
    share = known - low
    lower = ops.take_along(rows, numpy.searchsorted(ranks, low), axis=0)
    if not share.any():
        found = cast(lower, wanted)
    else:
        upper = ops.take_along(rows, numpy.searchsorted(ranks, high), axis=0)
        lower, upper = cast(lower, wanted), cast(upper, wanted)
        parts = [wrap(interfaces.ndarray, one.astype(wanted)) for one in (1 - share, share)]
        found = ops.add(ops.multiply(lower, parts[0]), ops.multiply(upper, parts[1]))
        same = (lower.raw == upper.raw) | (share == 0)  # infinity minus infinity is NaN
        if not numpy.isfinite(rows.raw).all():
            found = ops.where(wrap(interfaces.ndarray, same), lower, found)
    if numpy.isnan(places).any():
        found = ops.where(numpy.isnan(places), numpy.nan, cast(found, wanted))
    return found


def _quantiles(
    a: Any, q: Any, axis: Any, keepdims: bool, method: str, weights: Any, skip: bool
) -> ndarray:
    """Compute quantiles over `axis`; `skip` ignores NaN."""
    a, axis = as_array(a), as_axis(axis)
    if is_recorded(as_array(q)):
        raise DTypeError("q is recorded, but quantiles have no gradient for it; use q.detach()")
    q = as_array(q, "float64").raw
    if not ((q >= 0) & (q <= 1)).all():
        raise ArgumentError(
            f"quantiles must lie between 0 and 1, percentiles between 0 and 100; got {q}"
        )
    picks = weights is not None or method in PICKING
    wanted = a.dtype if picks else fractions(a.dtype)
    if a.dtype.kind == "b" and not picks:
        raise DTypeError("quantiles are undefined for booleans; use astype('float32')")
    columns = _lines(a, axis)
    if not len(columns.raw):
        raise ArgumentError(f"no values to take a quantile of in shape {a.shape}")
    missing = numpy.isnan(columns.raw)
    counts = len(missing) - missing.sum(0) if skip else numpy.full(missing.shape[1:], len(missing))
    if weights is None:
        places = _places(counts, q, method)
    else:
        order = columns.raw.argsort(0)
        lost = numpy.take_along_axis(missing, order, 0) & skip
        places = _weighted_places(_spread(weights, a, axis, order, lost, method), q)
        places[:, counts == 0] = numpy.nan
    if not skip:
        places[:, missing.any(0)] = numpy.nan
    known = numpy.nan_to_num(places)
    ranks = numpy.union1d(numpy.floor(known), numpy.ceil(known)).astype(int)
    rows = _ranked(columns, ranks)
    kept = kept_shape(axis, a.shape)
    rest = tuple([n for k, n in enumerate(kept) if k not in _reduced(axis, a.ndim)])
    return ops.reshape(
        _between(rows, ranks, places, wanted), shape=(*q.shape, *(kept if keepdims else rest))
    )


def _reduced(axis: Any, ndim: int) -> set[int]:
    if axis is None:
        return set(range(ndim))
    return {k % ndim for k in ((axis,) if isinstance(axis, int) else axis)}


def _spread(weights: Any, a: ndarray, axis: Any, order: Any, lost: Any, method: str) -> Any:
    """Return the weights of sorted values, 0 for ignored ones."""
    if method != "inverted_cdf":
        raise ArgumentError(f"weights need method='inverted_cdf', not {method!r}")
    weights = as_array(weights)
    if weights.shape != a.shape:
        if not isinstance(axis, int) or weights.shape != (a.shape[axis],):
            raise ArgumentError(f"weights of shape {weights.shape} for values of shape {a.shape}")
        shape = [1] * a.ndim
        shape[axis] = -1
        weights = ops.broadcast_to(ops.reshape(weights, shape=shape), shape=a.shape)
    raw = numpy.take_along_axis(_lines(weights, axis).raw.astype("float64"), order, 0)
    if (raw < 0).any():
        raise ArgumentError("weights must not be negative")
    return numpy.where(lost, 0, raw)


def _over_axes(function: T) -> T:
    """Apply `explained` to quantiles and medians."""
    return explained(
        function,
        axis="int or tuple of int, optional\nAll axes by default.",
        method=(
            "str, default 'linear'\n"
            "How to interpolate, by NumPy's names: 'linear', 'lower', 'higher',\n"
            "'nearest', 'midpoint', 'inverted_cdf', 'hazen', 'weibull' and others."
        ),
        weights=(
            "array_like of the shape of `a` or of the lengths of `axis`, of any dtype, optional\n"
            "The weight of each value; only with 'inverted_cdf'."
        ),
        interpolation="str, optional\nMXNet's name of `method`.",
    )


@_over_axes
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool | None = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """The `q`-th quantile over axes; NaN if any value is NaN.

    Parameters
    ----------
    a : array_like of any shape, of a floating or an integer dtype
    q : array_like of any shape, of floating or integers
        The probabilities, from 0 to 1.

    Returns
    -------
    ndarray of the axes of `q`, then of the remaining ones, of a floating dtype

    Raises
    ------
    ArgumentError
        If `q` is out of range, or the method is unknown.

    Examples
    --------
    >>> from gluon import np
    >>> np.quantile(np.array([1, 2, 3, 4]), [0.5, 1])
    array([2.5, 4. ])
    """
    return into(out, _quantiles(a, q, axis, keepdims, interpolation or method, weights, False))


@_over_axes
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool | None = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """The `q`-th percentile over axes; NaN if any value is NaN.

    Parameters
    ----------
    a : array_like of any shape, of a floating or an integer dtype
    q : array_like of any shape, of floating or integers
        The percentages, from 0 to 100.

    Returns
    -------
    ndarray of the axes of `q`, then of the remaining ones, of a floating dtype

    Raises
    ------
    ArgumentError
        If `q` is out of range, or the method is unknown.

    Examples
    --------
    >>> from gluon import np
    >>> np.percentile(np.array([1, 2, 3, 4]), 50)
    array(2.5)
    """
    q = ops.divide(as_array(q, "float64"), 100.0)
    return into(out, _quantiles(a, q, axis, keepdims, interpolation or method, weights, False))


@_over_axes
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool | None = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """The `q`-th quantile of the values that are not NaN.

    Parameters
    ----------
    a : array_like of any shape, of a floating or an integer dtype
    q : array_like of any shape, of floating or integers
        The probabilities, from 0 to 1.

    Returns
    -------
    ndarray of the axes of `q`, then of the remaining ones, of a floating dtype

    Raises
    ------
    ArgumentError
        If `q` is out of range, or the method is unknown.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanquantile(np.array([1, np.nan, 3]), 0.5)
    array(2.)
    """
    return into(out, _quantiles(a, q, axis, keepdims, interpolation or method, weights, True))


@_over_axes
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool | None = None,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
    interpolation: str | None = None,
) -> ndarray:
    """The `q`-th percentile of the values that are not NaN.

    Parameters
    ----------
    a : array_like of any shape, of a floating or an integer dtype
    q : array_like of any shape, of floating or integers
        The percentages, from 0 to 100.

    Returns
    -------
    ndarray of the axes of `q`, then of the remaining ones, of a floating dtype

    Raises
    ------
    ArgumentError
        If `q` is out of range, or the method is unknown.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanpercentile(np.array([1, np.nan, 3]), 50)
    array(2.)
    """
    q = ops.divide(as_array(q, "float64"), 100.0)
    return into(out, _quantiles(a, q, axis, keepdims, interpolation or method, weights, True))


def _median(a: Any, axis: Any, out: Any, keepdims: bool, skip: bool) -> ndarray:
    a = as_array(a)
    a = cast(a, fractions(a.dtype))
    if a.size:
        return into(out, _quantiles(a, 0.5, axis, keepdims, "linear", None, skip))
    kept = kept_shape(as_axis(axis), a.shape)
    rest = [n for k, n in enumerate(kept) if k not in _reduced(as_axis(axis), a.ndim)]
    empty = numpy.full(kept if keepdims else rest, numpy.nan, a.dtype)
    return into(out, wrap(interfaces.ndarray, empty, a._ctx))


@_over_axes
def median(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """The median; NaN if any value is NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`; integers return the default floating dtype.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.median(np.array([[1, 5, 2], [3, 4, 6]]), axis=1)
    array([2., 4.])
    """
    return _median(a, axis, out, keepdims, False)


@_over_axes
def nanmedian(
    a: ArrayLike,
    axis: int | Sequence[int] | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """The median of the values that are not NaN.

    Returns
    -------
    ndarray of the shape without `axis`, () where no axis is left
        Of the dtype of `a`; integers return the default floating dtype.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.nanmedian(np.array([1, np.nan, 3]))
    array(2.)
    """
    return _median(a, axis, out, keepdims, True)
