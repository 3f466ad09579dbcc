"""`np`: set operations. Values have gradients; indices and counts have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from .._core.arrays import interfaces
from .._core.arrays.rebind import is_recorded
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from ._explained import explained
from ._promote import alike
from ._public import as_array, whole
from .join import concatenate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

ONE = "ndarray of one axis, sorted, of the dtype of the input"
#: Untyped, because its overloads require literal flags.
UNIQUE_OF: Any = numpy.unique


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: ndarray
    counts: ndarray


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: ndarray
    inverse_indices: ndarray


def _flat(x: ndarray) -> ndarray:
    return ops.reshape(x, shape=(x.size,))


def _uniques(ar: Any, axis: int | None, equal_nan: bool, *wanted: bool) -> list[ndarray]:
    """Return the values, and as `wanted` the first positions, the inverse and the counts."""
    ar = as_array(ar)
    by_place = is_recorded(ar)  # the gradient goes to the first positions
    flags = (wanted[0] or by_place, *wanted[1:])
    found = UNIQUE_OF(ar.raw, *flags, axis, equal_nan=equal_nan)
    if not any(flags):
        return [wrap(interfaces.ndarray, found, ar._ctx)]
    raw, *parts = found
    if by_place:
        first = parts[0] if wanted[0] else parts.pop(0)
        values = (
            ops.getitem(_flat(ar), key=first) if axis is None else ops.take(ar, first, axis=axis)
        )
    else:
        values = wrap(interfaces.ndarray, raw, ar._ctx)
    if wanted[1]:  # the shape depends on the NumPy version
        parts[wanted[0]] = parts[wanted[0]].reshape(ar.shape if axis is None else -1)
    return [values, *[wrap(interfaces.ndarray, part, ar._ctx) for part in parts]]


@explained
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The sorted unique values.

    Parameters
    ----------
    return_index : bool, default False
        Also return the index of the first occurrence of each value.
    return_inverse : bool, default False
        Also return the index of each value among the unique ones, in the
        shape of the array, or of one axis with `axis`.
    return_counts : bool, default False
        Also return how many times each value occurs.
    axis : int, optional
        The axis whose slices to compare; by default single values.
    equal_nan : bool, default True
        Whether all NaN are one value.
    sorted : bool
        Ignored: the values are in order.

    Returns
    -------
    ndarray of one axis, or of the axes of `ar` with another length of `axis`, of its dtype
        With further results a tuple: the values, then the requested ones of first indices,
        inverse indices and counts, all int64.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.unique(np.array([3, 1, 3]), return_counts=True)
    (array([1., 3.]), array([1, 2], dtype=int64))
    """
    axis = None if axis is None else whole(axis, "axis")
    wanted = map(bool, (return_index, return_inverse, return_counts))
    found = _uniques(ar, axis, equal_nan, *wanted)
    return found[0] if len(found) == 1 else tuple(found)


@explained
def unique_all(x: ArrayLike) -> UniqueAllResult:
    """The unique values, their first indices, the inverse indices, and their counts.

    Returns
    -------
    named tuple of ndarray: values, indices, inverse_indices, counts
        Of one axis, the inverse in the shape of `x`; values have its dtype, the others int64.

    Examples
    --------
    >>> from gluon import np
    >>> np.unique_all(np.array([3, 1, 3])).counts
    array([1, 2], dtype=int64)
    """
    return UniqueAllResult(*_uniques(x, None, False, True, True, True))


@explained
def unique_counts(x: ArrayLike) -> UniqueCountsResult:
    """The unique values and their counts; each NaN counts as a different value.

    Returns
    -------
    named tuple of ndarray of one axis: values, counts
        The values have the dtype of `x`, the counts int64.

    Examples
    --------
    >>> from gluon import np
    >>> np.unique_counts(np.array([3, 1, 3])).counts
    array([1, 2], dtype=int64)
    """
    return UniqueCountsResult(*_uniques(x, None, False, False, False, True))


@explained
def unique_inverse(x: ArrayLike) -> UniqueInverseResult:
    """The unique values, and the index of each element among them.

    Returns
    -------
    named tuple of ndarray: values, inverse_indices
        The values, of one axis and the dtype of `x`; the inverse, int64 in the shape of `x`.

    Examples
    --------
    >>> from gluon import np
    >>> np.unique_inverse(np.array([3, 1, 3])).inverse_indices
    array([1, 0, 1], dtype=int64)
    """
    return UniqueInverseResult(*_uniques(x, None, False, False, True, False))


@explained
def unique_values(x: ArrayLike) -> ndarray:
    """The unique values; each NaN counts as a different value.

    Returns
    -------
    ndarray of one axis, sorted, of the dtype of the input

    Examples
    --------
    >>> from gluon import np
    >>> np.unique_values(np.array([3, 1, 3]))
    array([1., 3.])
    """
    return _uniques(x, None, False, False, False, False)[0]


@explained
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> ndarray:
    """Whether each value is in a second array.

    Parameters
    ----------
    element : array_like of any shape and dtype
    test_elements : array_like of any shape and dtype
    assume_unique : bool, default False
        Assume that neither array has duplicates, which is faster.
    invert : bool, default False
        Invert the result.
    kind : str, optional
        Ignored.

    Returns
    -------
    ndarray of bool, of the shape of `element`

    Examples
    --------
    >>> from gluon import np
    >>> np.isin(np.array([[1, 2], [3, 4]]), [2, 4])
    array([[False,  True],
           [False,  True]])
    """
    element, others = as_array(element), as_array(test_elements)
    raw = numpy.isin(element.raw, others.raw, assume_unique, invert)
    return wrap(interfaces.ndarray, raw, element._ctx)


@explained
def in1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> ndarray:
    """Whether each value of the flattened array is in a second array.

    Parameters
    ----------
    assume_unique : bool, default False
        Assume that neither array has duplicates, which is faster.
    invert : bool, default False
        Invert the result.
    kind : str, optional
        Ignored.

    Returns
    -------
    ndarray of bool, of one axis

    Examples
    --------
    >>> from gluon import np
    >>> np.in1d(np.array([1, 2]), [2, 4])
    array([False,  True])
    """
    return isin(_flat(as_array(ar1)), ar2, assume_unique, invert)


@explained
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The intersection of two arrays: sorted values that are in both.

    Parameters
    ----------
    assume_unique : bool, default False
        Assume that neither array has duplicates, which is faster.
    return_indices : bool, default False
        Also return the indices of the values in both arrays.

    Returns
    -------
    ndarray of one axis, sorted, of the dtype of the input
        With `return_indices`, also the indices into `ar1` and `ar2`.

    Examples
    --------
    >>> from gluon import np
    >>> np.intersect1d(np.array([1, 2, 3]), np.array([3, 2]))
    array([2., 3.])
    """
    ar1, ar2 = [_flat(x) for x in alike([ar1, ar2])]
    if not return_indices and not is_recorded(ar1):
        return wrap(
            interfaces.ndarray, numpy.intersect1d(ar1.raw, ar2.raw, assume_unique), ar1._ctx
        )
    _, first, second = numpy.intersect1d(ar1.raw, ar2.raw, assume_unique, True)
    values = ops.getitem(ar1, key=first)
    if not return_indices:
        return values
    return values, *[wrap(interfaces.ndarray, raw, ar1._ctx) for raw in (first, second)]


@explained
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> ndarray:
    """The union of two arrays: sorted values that are in either.

    Returns
    -------
    ndarray of one axis, sorted, of the dtype of the input

    Examples
    --------
    >>> from gluon import np
    >>> np.union1d(np.array([1, 3]), np.array([2, 3]))
    array([1., 2., 3.])
    """
    return unique(concatenate([ar1, ar2], None))


@explained
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """The set difference: values of the first array that are not in the second.

    Parameters
    ----------
    assume_unique : bool, default False
        Assume that neither array has duplicates, which is faster.

    Returns
    -------
    ndarray of one axis, sorted, of the dtype of the input
        With `assume_unique` in the order of `ar1`.

    Examples
    --------
    >>> from gluon import np
    >>> np.setdiff1d(np.array([1, 2, 3]), np.array([2]))
    array([1., 3.])
    """
    ar1 = _flat(as_array(ar1)) if assume_unique else unique(ar1)
    return ops.getitem(ar1, key=in1d(ar1, ar2, True, True).raw)


@explained
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> ndarray:
    """The symmetric difference: values that are in exactly one of two arrays.

    Parameters
    ----------
    assume_unique : bool, default False
        Assume that neither array has duplicates, which is faster.

    Returns
    -------
    ndarray of one axis, sorted, of the dtype of the input

    Examples
    --------
    >>> from gluon import np
    >>> np.setxor1d(np.array([1, 2, 3]), np.array([2, 4]))
    array([1., 3., 4.])
    """
    if not assume_unique:
        ar1, ar2 = unique(ar1), unique(ar2)
    values, counts = unique(concatenate([ar1, ar2], None), return_counts=True)
    return ops.getitem(values, key=counts.raw == 1)
