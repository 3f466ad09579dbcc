"""`np.linalg`: products and diagonals of the last two axes, as in the array API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..._core.errors import ArgumentError
from .. import indexing, matrix
from .. import products as general
from .._array import ndarray
from .._explained import explained
from .._public import as_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


@explained
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> ndarray:
    """The diagonals of matrices.

    Parameters
    ----------
    x : array_like of shape (..., m, n), of any dtype
    offset : int, default 0
        Which diagonal: above the main one where it is positive.

    Returns
    -------
    ndarray of shape (..., length of the diagonal), of the dtype of `x`

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.diagonal(np.array([[1, 2], [3, 4]]))
    array([1., 4.])
    """
    return indexing.diagonal(x, offset, -2, -1)


@explained
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> ndarray:
    """The sums along the diagonals of matrices.

    Parameters
    ----------
    x : array_like of shape (..., m, n), of any dtype
    offset : int, default 0
        Which diagonal: above the main one where it is positive.

    Returns
    -------
    ndarray of the other axes
        Of `dtype`; else of that of `x`, or 64 bits wide for whole numbers.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.trace(np.array([[1, 2], [3, 4]]))
    array(5.)
    """
    return matrix.trace(x, offset, -2, -1, dtype)


@explained
def outer(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """The outer product of two vectors.

    Parameters
    ----------
    x1 : array_like of shape (m,), of any dtype
    x2 : array_like of shape (n,), of any dtype

    Returns
    -------
    ndarray of shape (m, n), of the dtype that the vectors promote to

    Raises
    ------
    ArgumentError
        If an argument is not a vector.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3., 4.],
           [6., 8.]])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ArgumentError(f"shapes {x1.shape} and {x2.shape} must have one axis each")
    return matrix.outer(x1, x2)


@explained
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> ndarray:
    """The cross product of vectors of 3 components.

    Parameters
    ----------
    x1 : array_like of shape (..., 3), of a floating or an integer dtype
    x2 : array_like of shape (..., 3), of a floating or an integer dtype
    axis : int, default -1
        The axis of the components.

    Returns
    -------
    ndarray of the broadcast shape, of the dtype that the vectors promote to

    Raises
    ------
    ArgumentError
        If a vector does not have 3 components.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0., 0., 1.])
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ArgumentError(f"vectors of shapes {x1.shape} and {x2.shape} need 3 components")
    return general.cross(x1, x2, axis=axis)


matmul: Final = matrix.matmul
tensordot: Final = matrix.tensordot
vecdot: Final = matrix.vecdot
