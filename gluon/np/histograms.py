"""`np`: counting values. Counts have no gradient; sums of weights have that of the weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from ._explained import explained
from ._promote import fractions
from ._public import as_array, cast, plain

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


def _flat(x: Any) -> ndarray:
    x = as_array(x)
    return ops.reshape(x, shape=(x.size,))


def _shown(edges: Any, like: ndarray) -> ndarray:
    """Return edges as an array: integers stay integers, others take the dtype of the values."""
    kind = edges.dtype if edges.dtype.kind in "iu" else fractions(like.dtype)
    return wrap(interfaces.ndarray, edges.astype(kind), like._ctx)


def _edges(a: ndarray, bins: Any, range: Any, weights: Any = None) -> Any:
    raw = None if weights is None else as_array(weights).raw
    return numpy.histogram_bin_edges(a.raw, plain(bins), plain(range), raw)


@explained
def histogram_bin_edges(
    a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None
) -> ndarray:
    """The edges of the bins of `histogram`.

    Parameters
    ----------
    bins : int, or array_like of one axis, of any dtype, or str
        The number of bins of equal width, their edges, or the name of a method.

    Returns
    -------
    ndarray of one axis, floating

    Raises
    ------
    ArgumentError
        If the bins or the range are invalid.

    Examples
    --------
    >>> from gluon import np
    >>> np.histogram_bin_edges(np.array([1, 2, 5]), 2)
    array([1., 3., 5.])
    """
    a = as_array(a)
    return _shown(_edges(a, bins, range, weights), a)


@explained
def histogram(
    a: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, ndarray]:
    """Count the values in each bin; the last bin includes its right edge.

    Parameters
    ----------
    bins : int, or array_like of one axis, of any dtype, or str
        The number of bins of equal width, their edges, or the name of a method.

    Returns
    -------
    tuple of ndarray of one axis: the counts, int64 without weights or density, and the edges

    Raises
    ------
    ArgumentError
        If the bins or the range are invalid.

    Examples
    --------
    >>> from gluon import np
    >>> np.histogram(np.array([1, 2, 2, 5]), bins=2)
    (array([3, 1], dtype=int64), array([1., 3., 5.]))
    """
    a = as_array(a)
    if weights is None and not density:
        counted, edges = numpy.histogram(a.raw, plain(bins), plain(range))
        return wrap(interfaces.ndarray, counted, a._ctx), _shown(edges, a)
    edges = _edges(a, bins, range, weights)
    if weights is not None and as_array(weights).shape != a.shape:
        raise ArgumentError(f"weights of shape {as_array(weights).shape} for values of {a.shape}")
    counts, _ = _counted([_flat(a)], [edges], density, weights)
    return counts, _shown(edges, a)


def _counted(
    columns: list[ndarray], edges: list[Any], density: Any, weights: Any
) -> tuple[ndarray, Any]:
    """Return the counts in bins of several axes, or the sums of weights, or their densities."""
    shape = tuple([len(one) - 1 for one in edges])
    places, inside = [], numpy.ones(columns[0].shape, bool)
    for column, edge in zip(columns, edges):
        place = edge.searchsorted(column.raw, "right") - 1
        place[column.raw == edge[-1]] = len(edge) - 2
        inside &= (place >= 0) & (place < len(edge) - 1)
        places.append(place)
    key = tuple([place[inside] for place in places])
    if weights is None:
        flat = numpy.ravel_multi_index(key, shape)
        counts = numpy.bincount(flat, minlength=math.prod(shape)).reshape(shape)
        found = wrap(interfaces.ndarray, counts, columns[0]._ctx)
    else:
        counting = ops.getitem(_flat(weights), key=inside)
        if counting.dtype.kind == "b":
            counting = cast(counting, numpy.dtype("int64"))
        found = ops.scatter_add(counting, key=key, shape=shape)
    if density:
        found = cast(found, fractions(found.dtype))
        sizes = numpy.ones(())
        for edge in edges:
            sizes = sizes[..., None] * numpy.diff(edge)
        found = found / ops.sum(found) / as_array(sizes.astype(found.dtype))
    return found, edges


def _axis_edges(columns: list[ndarray], bins: Any, range: Any) -> list[Any]:
    """Return the edges along each axis of a multidimensional histogram."""
    bins = plain(bins)
    several = isinstance(bins, (list, tuple)) or getattr(bins, "ndim", 0) > 1
    each = list(bins) if several else [bins] * len(columns)
    if len(each) != len(columns):
        raise ArgumentError(f"bins for {len(each)} axes, but values with {len(columns)}")
    bounds = [None] * len(columns) if range is None else list(plain(range))
    if len(bounds) != len(columns):
        raise ArgumentError(f"ranges for {len(bounds)} axes, but values with {len(columns)}")
    return [
        numpy.asarray(
            numpy.histogram_bin_edges(column.raw, bin if numpy.ndim(bin) else int(bin), bound),
            "float64",
        )
        for column, bin, bound in zip(columns, each, bounds)
    ]


@explained
def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[ndarray, list[ndarray]]:
    """Count the points in each bin of a multi-dimensional histogram.

    Parameters
    ----------
    sample : array_like of shape (points, axes), of any dtype, or a sequence of the columns
    bins : int, or sequence of int, or of array_like of one axis, of any dtype
        For each axis the number of bins, or their edges.
    range : sequence of (float, float), optional
        The limits of the bins along each axis.

    Returns
    -------
    tuple of the counts and of a list of the edges along each axis

    Raises
    ------
    ArgumentError
        If the bins or the range are invalid.

    Examples
    --------
    >>> from gluon import np
    >>> counts, edges = np.histogramdd(np.array([[0, 0], [1, 1], [1, 0]]), bins=2)
    >>> counts
    array([[1., 0.],
           [1., 1.]])
    """
    if isinstance(sample, (list, tuple)):
        columns = [_flat(column) for column in sample]
    else:
        sample = as_array(sample)
        if sample.ndim == 1:
            sample = ops.reshape(sample, shape=(-1, 1))
        columns = [ops.getitem(sample, key=(slice(None), k)) for k in _count(sample)]
    found, edges = _counted(columns, _axis_edges(columns, bins, range), density, weights)
    kind = fractions(columns[0].dtype)
    return cast(found, fractions(found.dtype)), [
        wrap(interfaces.ndarray, edge.astype(kind), found._ctx) for edge in edges
    ]


def _count(sample: ndarray) -> Any:
    if sample.ndim != 2:
        raise ArgumentError(f"sample has shape {sample.shape}; it needs (points, axes)")
    return numpy.arange(sample.shape[1]).tolist()


@explained
def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """Count the points in each bin of a two-dimensional histogram.

    Parameters
    ----------
    x : array_like of one axis, of any dtype
    y : array_like of one axis, of any dtype
    bins : int, or array_like of one axis, of any dtype, or a pair of these
        The number of bins, or their edges.
    range : pair of (float, float), optional
        The limits of the bins along each axis.

    Returns
    -------
    tuple of the counts and the edges along both axes

    Raises
    ------
    ArgumentError
        If the bins or the range are invalid.

    Examples
    --------
    >>> from gluon import np
    >>> counts, xedges, yedges = np.histogram2d(np.array([0, 1, 1]), np.array([0, 1, 0]), bins=2)
    >>> counts
    array([[1., 0.],
           [1., 1.]])
    """
    if as_array(x).shape != as_array(y).shape:
        raise ArgumentError(f"x has shape {as_array(x).shape}, but y has shape {as_array(y).shape}")
    if not isinstance(bins, int) and len(plain(bins)) not in (1, 2):
        bins = [bins, bins]  # the same edges for both axes
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


@explained
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0) -> ndarray:
    """Count how often each integer occurs, or sum its weights.

    Parameters
    ----------
    x : array_like of one axis, of integers, 0 or more
    minlength : int, default 0
        The least length of the result.

    Returns
    -------
    ndarray of one axis
        Of int64 without weights.

    Raises
    ------
    ArgumentError
        If a value is negative or not an integer, or shapes differ.

    Examples
    --------
    >>> from gluon import np
    >>> np.bincount(np.array([1, 2, 2]), weights=np.array([1, 0.5, 1]))
    array([0. , 1. , 1.5])
    """
    x = as_array(x)
    places = x.raw.astype("int64")
    if x.ndim != 1:
        raise ArgumentError(f"values of shape {x.shape} are not one-dimensional")
    if (places != x.raw).any():
        raise DTypeError(f"values of dtype {x.dtype} are not integers")
    if weights is None:
        return wrap(interfaces.ndarray, numpy.bincount(places, minlength=minlength), x._ctx)
    weights = as_array(weights)
    if weights.shape != x.shape:
        raise ArgumentError(f"weights of shape {weights.shape} for values of shape {x.shape}")
    if (places < 0).any():
        raise ArgumentError("values must not be negative")
    n = max(int(places.max(initial=-1)) + 1, minlength)
    weights = cast(weights, fractions(weights.dtype))
    return ops.scatter_add(weights, key=places, shape=(n,))
