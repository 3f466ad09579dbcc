"""The methods of `ndarray` whose arguments differ from those of the functions of `np`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._core.engine.op import RECORDED as ops
from .._core.hints.lookup import hinted
from . import elementwise, indexing, sorting
from .shape import ravel as _ravel
from .shape import reshape as _reshape
from .shape import transpose as _transpose

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


def reshape(
    self: ndarray, *newshape: int | Sequence[int], order: str = "C", **kwargs: Any
) -> ndarray:
    """Change the shape, on the same memory; see `np.reshape`.

    Parameters
    ----------
    *newshape : int or tuple of int
        One length may be -1: it is inferred.
    order : {'C', 'A', 'F'}
        The order in which values are read and placed: with 'F' the first index varies fastest.
    **kwargs
        ``shape``, another name of `newshape`.

    Returns
    -------
    ndarray of the same dtype and the new shape

    Raises
    ------
    ArgumentError
        If the values do not fit the shape, or `order` is another.

    Examples
    --------
    >>> from gluon import np
    >>> np.arange(4).reshape(2, -1)
    array([[0., 1.],
           [2., 3.]])
    """
    given: Any = newshape[0] if len(newshape) == 1 else newshape or kwargs.pop("newshape", None)
    return _reshape(self, given, order, **kwargs)


@hinted
def transpose(self: ndarray, *axes: int | Sequence[int]) -> ndarray:
    """Permute the axes; see `np.transpose`.

    Parameters
    ----------
    *axes : int or tuple of int
        The axis at each position; by default the order is reversed.

    Returns
    -------
    ndarray of the same dtype
        Of the permuted shape.

    Raises
    ------
    ArgumentError
        If `axes` is not a permutation of the axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.ones((2, 3, 4)).transpose(0, 2, 1).shape
    (2, 4, 3)
    """
    given: Any = axes[0] if len(axes) == 1 and not hasattr(axes[0], "__index__") else axes
    return _transpose(self, given or None)


@hinted
def flatten(self: ndarray, order: str = "C") -> ndarray:
    """Return a flattened copy.

    Parameters
    ----------
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
    >>> np.ones((2, 2)).flatten()
    array([1., 1., 1., 1.])
    """
    return ops.copy(_ravel(self, order))


@hinted
def clip(
    self: ndarray,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
    out: ndarray | None = None,
) -> ndarray:
    """Limit the values to ``[min, max]``; see `np.clip`.

    Parameters
    ----------
    min, max : array_like of any dtype, of shapes that broadcast, optional
        The bounds; None for no bound.
    out : ndarray of the shape of the result, optional
        Where to write it.

    Returns
    -------
    ndarray of the broadcast shape

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.arange(5).clip(1, 3)
    array([1., 1., 2., 3., 3.])
    """
    return elementwise.clip(self, min, max, out)


def compress(
    self: ndarray, condition: Any, axis: int | None = None, out: ndarray | None = None
) -> ndarray:
    """Select slices along an axis where a condition holds; see `np.compress`.

    Parameters
    ----------
    condition : array_like of bool, of one axis
        If it is shorter than the axis, the rest is dropped.
    axis : int, optional
        By default the flattened array is used.
    out : ndarray of the shape of the result, optional
        Where to write it.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    IndexRangeError
        If the condition is true beyond the end of the axis.

    Examples
    --------
    >>> from gluon import np
    >>> np.array([[1, 2], [3, 4]]).compress([False, True], axis=0)
    array([[3., 4.]])
    """
    return indexing.compress(condition, self, axis, out)


@hinted
def round(self: ndarray, decimals: int = 0, out: ndarray | None = None) -> ndarray:
    """Round to a number of decimals; see `np.round`.

    Parameters
    ----------
    decimals : int, default 0
        The number of decimals; negative ones round left of the point.
    out : ndarray of the same shape, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    DTypeError
        If `decimals` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.array([1.26]).round(1)
    array([1.3])
    """
    return elementwise.round(self, decimals, out)


def reshape_view(self: ndarray, *shape: int | Sequence[int]) -> ndarray:
    """Change the shape of an array, on the same memory.

    Parameters
    ----------
    *shape : int or tuple of int
        One length may be -1: it is inferred.

    Returns
    -------
    ndarray of the same dtype and the new shape

    Raises
    ------
    ArgumentError
        If the values do not fit the shape.

    Examples
    --------
    >>> from gluon import np
    >>> np.arange(4).reshape_view(2, 2).shape
    (2, 2)
    """
    return reshape(self, *shape)


@hinted
def sort(self: ndarray, axis: int = -1, kind: str | None = None, order: Any = None) -> None:
    """Sort along an axis, in place; see `np.sort`.

    Parameters
    ----------
    axis : int, default -1
    kind : str, optional
        How NumPy sorts; 'stable' keeps equal values in their order.
    order : None
        Unsupported: arrays have no fields to sort by.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([3, 1, 2])
    >>> x.sort()
    >>> x
    array([1., 2., 3.])
    """
    self[...] = sorting.sort(self, axis, kind, order)


def partition(
    self: ndarray,
    kth: int | Sequence[int],
    axis: int = -1,
    kind: str = "introselect",
    order: Any = None,
) -> None:
    """Partition along an axis, in place; see `np.partition`.

    Parameters
    ----------
    kth : int or sequence of int
        The indices to partition by.
    axis : int, default -1
    kind : {'introselect'}
        The algorithm.
    order : None
        Unsupported: arrays have no fields to sort by.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([3, 1, 2])
    >>> x.partition(0)
    >>> x[0]
    array(1.)
    """
    self[...] = sorting.partition(self, kth, axis, kind, order)
