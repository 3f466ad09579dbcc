"""`np.linalg`: products and diagonals, as the array API has them: of the last two axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...engine.errors import ArgumentError
from .. import indexing, matrix
from .. import products as general
from .._array import ndarray
from .._explained import NO_AXIS, explained
from .._public import as_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


MATRICES = "array_like of shape (..., m, n), of any dtype"
OFFSET = "int, default 0\nWhich diagonal: above the main one where it is positive."


@explained(
    """
    >>> np.linalg.diagonal(np.array([[1, 2], [3, 4]]))
    array([1., 4.])
    """,
    "ndarray of shape (..., length of the diagonal), of the dtype of `x`",
    NO_AXIS,
    x=MATRICES,
    offset=OFFSET,
)
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> ndarray:
    """The diagonals of matrices."""
    return indexing.diagonal(x, offset, -2, -1)


@explained(
    """
    >>> np.linalg.trace(np.array([[1, 2], [3, 4]]))
    array(5.)
    """,
    "ndarray of the other axes\n    Of `dtype`; else of that of `x`, or 64 bits wide for whole"
    " numbers.",
    NO_AXIS,
    x=MATRICES,
    offset=OFFSET,
)
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> ndarray:
    """The sums along the diagonals of matrices."""
    return matrix.trace(x, offset, -2, -1, dtype)


@explained(
    """
    >>> np.linalg.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3., 4.],
           [6., 8.]])
    """,
    "ndarray of shape (m, n), of the dtype that the vectors promote to",
    "ArgumentError\n    If an argument is not a vector.",
    x1="array_like of shape (m,), of any dtype",
    x2="array_like of shape (n,), of any dtype",
)
def outer(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """The outer product of two vectors."""
    x1, x2 = as_array(x1), as_array(x2)
    if x1.raw.ndim != 1 or x2.raw.ndim != 1:
        raise ArgumentError(f"shapes {x1.shape} and {x2.shape} are not those of vectors")
    return matrix.outer(x1, x2)


@explained(
    """
    >>> np.linalg.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0., 0., 1.])
    """,
    "ndarray of the broadcast shape, of the dtype that the vectors promote to",
    "ArgumentError\n    If a vector does not have 3 components.",
    x1="array_like of shape (..., 3), of a floating or an integer dtype",
    x2="array_like of shape (..., 3), of a floating or an integer dtype",
    axis="int, default -1\nThe axis of the components.",
)
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> ndarray:
    """The cross product of vectors of 3 components."""
    x1, x2 = as_array(x1), as_array(x2)
    if x1.raw.shape[axis] != 3 or x2.raw.shape[axis] != 3:
        raise ArgumentError(f"vectors of shapes {x1.shape} and {x2.shape} need 3 components")
    return general.cross(x1, x2, axis=axis)


matmul: Final = matrix.matmul
tensordot: Final = matrix.tensordot
vecdot: Final = matrix.vecdot
