"""`np`: sorting and searching. Sorted values have gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import Array, wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from ..nd._public import with_zero_gradients
from ._explained import explained
from ._promote import compared
from ._public import as_array, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

PLACES = "ndarray of int64, of the shape of `a`; of shape (a.size,) for ``axis=None``"
Picked = "ndarray of the same dtype, of the shape of `a`; of shape (a.size,) for ``axis=None``"


def lined(a: Any, axis: int | None) -> tuple[ndarray, int]:
    """An array and the axis to work along: one line of all values where `axis` is None."""
    a = as_array(a)
    if axis is None:
        return ops.reshape(a, shape=(a.form.size,)), 0
    axis = whole(axis, "axis")
    numpy.empty(a.form.shape, bool).swapaxes(axis, axis)  # raises if the axis is out of range
    return a, axis


def _check(order: Any) -> None:
    if order is not None:
        raise ArgumentError(f"order={order!r} names fields, which numeric arrays do not have")


def _order(raw: Any, axis: int, kind: Any, descending: bool, stable: Any) -> Any:
    """Return the sorting order of a raw array."""
    if not descending:
        return raw.argsort(axis, "stable" if stable else kind)
    places = numpy.flip(raw, axis).argsort(axis, "stable")
    return raw.shape[axis] - 1 - numpy.flip(places, axis)


@explained
def sort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> ndarray:
    """Sort along an axis; NaN comes last.

    Parameters
    ----------
    a : array_like of one axis or more, of any dtype; with ``axis=None`` of any shape
    axis : int or None, default -1
        None flattens the array first.
    descending : bool, default False
        The largest first.
    stable : bool, optional
        Keep equal values in their order.

    Returns
    -------
    ndarray of the same dtype, of the shape of `a`; of shape (a.size,) for ``axis=None`` and shape
        Of one axis where `axis` is None.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.sort(np.array([3, 1, 2]))
    array([1., 2., 3.])
    """
    _check(order)
    a, axis = lined(a, axis)
    kind = "stable" if stable else kind
    is_stable = kind in ("stable", "mergesort")
    return ops.sort(a, axis=axis, is_ascend=not descending, kind=kind, stable=is_stable)


@explained
def argsort(
    a: ArrayLike,
    axis: int | None = -1,
    kind: str | None = None,
    order: Any = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> ndarray:
    """The indices that sort an array along an axis.

    Parameters
    ----------
    axis : int or None, default -1
        None flattens the array first.
    descending : bool, default False
        The largest first.
    stable : bool, optional
        Keep equal values in their order.

    Returns
    -------
    ndarray of int64, of the shape of `a`; of shape (a.size,) for ``axis=None``

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.argsort(np.array([3, 1, 2]))
    array([1, 2, 0], dtype=int64)
    """
    _check(order)
    a = as_array(a)
    a, axis = lined(a, axis if a.form.ndim else None)
    return with_zero_gradients(
        wrap(interfaces.ndarray, _order(a.raw, axis, kind, descending, stable), a._ctx), a
    )


@explained
def msort(a: ArrayLike) -> ndarray:
    """Sort along the first axis.

    Parameters
    ----------
    a : array_like of one axis or more, of any dtype

    Returns
    -------
    ndarray of the same dtype, of the shape of `a`; of shape (a.size,) for ``axis=None``

    Raises
    ------
    IndexRangeError
        If there are no axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.msort(np.array([[3, 1], [2, 4]]))
    array([[2., 1.],
           [3., 4.]])
    """
    return sort(a, 0)


@explained
def lexsort(keys: Sequence[ArrayLike], axis: int = -1) -> ndarray:
    """The indices that sort by several keys.

    Parameters
    ----------
    keys : sequence of array_like of one shape, of any dtypes
        The last key is the primary one.
    axis : int, default -1

    Returns
    -------
    ndarray of int64, of the shape of a key

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.lexsort((np.array([2, 1, 0]), np.array([1, 1, 0])))
    array([2, 1, 0], dtype=int64)
    """
    rows = as_array(keys) if isinstance(keys, Array) else keys
    raws = [as_array(key).raw for key in rows]
    return wrap(interfaces.ndarray, numpy.lexsort(raws, axis))


@explained
def partition(
    a: ArrayLike,
    kth: int | Sequence[int],
    axis: int | None = -1,
    kind: str = "introselect",
    order: Any = None,
) -> ndarray:
    """Partition along an axis: values smaller than element `kth` come before it.

    Parameters
    ----------
    kth : int or sequence of int
        The indices to partition by.
    axis : int or None, default -1
        None flattens the array first.
    kind : {'introselect'}

    Returns
    -------
    ndarray of the same dtype, of the shape of `a`; of shape (a.size,) for ``axis=None``

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.partition(np.array([3, 4, 1, 2]), 1)[1]
    array(2.)
    """
    _check(order)
    a, axis = lined(a, axis)
    if not is_recorded(a):  # the order is needed only for the gradient
        found = a.raw.copy()
        found.partition(kth, axis, kind)
        return wrap(interfaces.ndarray, found, a._ctx)
    return ops.take_along(a, a.raw.argpartition(kth, axis, kind), axis=axis, unique=True)


@explained
def argpartition(
    a: ArrayLike,
    kth: int | Sequence[int],
    axis: int | None = -1,
    kind: str = "introselect",
    order: Any = None,
) -> ndarray:
    """The indices that partition an array along an axis; see `partition`.

    Parameters
    ----------
    kth : int or sequence of int
        The indices to partition by.
    axis : int or None, default -1
        None flattens the array first.
    kind : {'introselect'}

    Returns
    -------
    ndarray of int64, of the shape of `a`; of shape (a.size,) for ``axis=None``

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.argpartition(np.array([3, 1, 2]), 0)[0]
    array(1, dtype=int64)
    """
    _check(order)
    a, axis = lined(a, axis)
    return with_zero_gradients(
        wrap(interfaces.ndarray, a.raw.argpartition(kth, axis, kind), a._ctx), a
    )


@explained
def searchsorted(a: Any, v: ArrayLike, side: str = "left", sorter: Any = None) -> ndarray:
    """The indices at which to insert values to keep the order.

    Parameters
    ----------
    a : array_like of one axis, of any dtype
        In order, unless `sorter` is given.
    v : array_like of any shape and dtype, or number
        The values to insert.
    side : {'left', 'right'}
        Whether to insert before or after equal values.
    sorter : array_like of int, of the shape of `a`, optional
        Indices that sort `a`.

    Returns
    -------
    ndarray of int64, of the shape of `v`

    Raises
    ------
    ArgumentError
        If `a` does not have one axis, or `side` is another.

    Examples
    --------
    >>> from gluon import np
    >>> np.searchsorted(np.array([1, 2, 3]), np.array([2, 9]))
    array([1, 3], dtype=int64)
    """
    a, v = compared(as_array(a), v)
    if sorter is not None:
        sorter = as_array(sorter, "int64").raw
    raw = getattr(v, "raw", v)
    return wrap(interfaces.ndarray, numpy.asarray(a.raw.searchsorted(raw, side, sorter)), a._ctx)


@explained
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> ndarray:
    """The index of the bin of each value; 0 is before the first edge.

    Parameters
    ----------
    bins : array_like of one axis, of any dtype
        The edges, in increasing or decreasing order.
    right : bool, default False
        Whether a bin includes its right edge instead of its left one.

    Returns
    -------
    ndarray of int64, of the shape of `x`

    Raises
    ------
    ArgumentError
        If the edges are not in order.

    Examples
    --------
    >>> from gluon import np
    >>> np.digitize(np.array([0.5, 1.5]), np.array([0, 1, 2]))
    array([1, 2], dtype=int64)
    """
    x = as_array(x)
    raw = numpy.digitize(x.raw, as_array(bins).raw, right)
    return wrap(interfaces.ndarray, numpy.asarray(raw), x._ctx)


@explained
def argwhere(a: ArrayLike) -> ndarray:
    """The indices of the nonzero elements, one per row.

    Returns
    -------
    ndarray of int64, of shape (nonzero elements, axes)

    Examples
    --------
    >>> from gluon import np
    >>> np.argwhere(np.array([[0, 1], [2, 0]]))
    array([[0, 1],
           [1, 0]], dtype=int64)
    """
    a = as_array(a)
    return with_zero_gradients(wrap(interfaces.ndarray, numpy.argwhere(a.raw), a._ctx), a)


@explained
def flatnonzero(a: ArrayLike) -> ndarray:
    """The indices of the nonzero elements of the flattened array.

    Returns
    -------
    ndarray of int64, of one axis

    Examples
    --------
    >>> from gluon import np
    >>> np.flatnonzero(np.array([[0, 1], [2, 0]]))
    array([1, 2], dtype=int64)
    """
    a = as_array(a)
    return with_zero_gradients(wrap(interfaces.ndarray, numpy.flatnonzero(a.raw), a._ctx), a)
