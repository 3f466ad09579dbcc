"""`nd.linalg`: linear algebra over stacks of matrices, the last two axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import ArgumentError, IndexRangeError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import at_least_1d, public

__all__ = [
    "det",
    "extractdiag",
    "extracttrian",
    "gelqf",
    "gemm",
    "gemm2",
    "inverse",
    "makediag",
    "maketrian",
    "potrf",
    "potri",
    "slogdet",
    "sumlogdiag",
    "syevd",
    "syrk",
    "trmm",
    "trsm",
]


def _swap(x: NDArray, wanted: bool = True) -> NDArray:
    """`x` with the last two axes exchanged, if that is wanted."""
    return F.transpose(x, axes=(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)) if wanted else x


def _scaled(x: NDArray, alpha: float) -> NDArray:
    return x if alpha == 1 else F.multiply(x, alpha)


def _rows_at(x: NDArray, axis: int, back: bool = False) -> NDArray:
    """`x` with its rows at `axis` moved to the last but one, or back."""
    axis %= x.ndim
    if axis == x.ndim - 2:
        return x
    order = list(range(x.ndim))
    order.insert(*((axis, order.pop(-2)) if back else (x.ndim - 2, order.pop(axis))))
    return F.transpose(x, axes=tuple(order))


def _check_square(name: str, A: NDArray) -> None:
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ArgumentError(f"{name}: A has shape {A.shape}, not (..., n, n)")


def _check_stacks(name: str, A: NDArray, B: NDArray) -> None:
    if A.ndim < 2 or A.ndim != B.ndim or A.shape[:-2] != B.shape[:-2]:
        raise ArgumentError(
            f"{name}: A and B have shapes {A.shape} and {B.shape}; all axes but those of the matrix"
            " must be equal"
        )


@public
def gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
) -> NDArray:
    """``alpha * A @ B``.

    Parameters
    ----------
    A, B : NDArray of shapes (..., n, k) and (..., k, m)
    transpose_a, transpose_b : bool, default False
    alpha : float, default 1
    axis : int, default -2
        The axis of the rows.

    Returns
    -------
    NDArray of shape (..., n, m)
    """
    if not -A.ndim <= axis < A.ndim - 1 or axis == -1:
        raise IndexRangeError(
            f"gemm2: axis={axis} cannot hold the rows of shape {A.shape}; any but the last can"
        )
    A, B = _rows_at(A, axis), _rows_at(B, axis)
    _check_stacks("gemm2", A, B)
    product = F.matmul(_swap(A, transpose_a), _swap(B, transpose_b))
    return _rows_at(_scaled(product, alpha), axis, back=True)


@public
def gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
) -> NDArray:
    """``alpha * A @ B + beta * C``; see `gemm2`."""
    product = gemm2(A, B, transpose_a, transpose_b, alpha, axis)
    if product.shape != C.shape:
        raise ArgumentError(f"gemm: C has shape {C.shape}, the product {product.shape}")
    return F.add(product, _scaled(C, beta))


@public
def syrk(A: NDArray, transpose: bool = False, alpha: float = 1.0) -> NDArray:
    """``alpha * A @ A.T``, or ``alpha * A.T @ A`` for ``transpose=True``."""
    return _scaled(F.matmul(_swap(A, transpose), _swap(A, not transpose)), alpha)


@public
def trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> NDArray:
    """``alpha * A @ B`` for triangular A, or ``alpha * B @ A``.

    Parameters
    ----------
    A : NDArray of shape (..., n, n)
        Only its lower (or upper) triangle is read.
    B : NDArray of shape (..., n, m), or (..., m, n) for ``rightside=True``
    transpose : bool, default False
        Take the transpose of A.
    rightside : bool, default False
        A stands on the right.
    lower : bool, default True
    alpha : float, default 1

    Returns
    -------
    NDArray of the shape of `B`
    """
    _check_square("trmm", A)
    _check_stacks("trmm", A, B)
    A = _swap(F.tril(A) if lower else F.triu(A), transpose)
    return _scaled(F.matmul(B, A) if rightside else F.matmul(A, B), alpha)


@public
def trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> NDArray:
    """X where ``A @ X = alpha * B`` for triangular A, or ``X @ A = alpha * B``.

    The parameters are those of `trmm`, which it undoes.
    """
    _check_stacks("trsm", A, B)
    B = _scaled(B, alpha)
    if rightside:
        turned = F.solve_triangular(
            _swap(A, not transpose), _swap(B), lower=bool(lower) == bool(transpose)
        )
        return _swap(turned)
    return F.solve_triangular(_swap(A, transpose), B, lower=bool(lower) != bool(transpose))


@public
def potrf(A: NDArray) -> NDArray:
    """The lower triangular L of the Cholesky factorization ``A = L @ L.T``.

    Raises
    ------
    ArgumentError
        If `A` is not positive definite.
    """
    return F.cholesky(A)


@public
def potri(A: NDArray) -> NDArray:
    """The inverse of ``A @ A.T``, `A` a lower triangular factor from `potrf`."""
    eye = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
    root = F.solve_triangular(A, eye, lower=True)
    return F.matmul(_swap(root), root)


@public
def inverse(A: NDArray) -> NDArray:
    """The inverse of each matrix."""
    return F.inverse(A)


@public
def det(A: NDArray) -> NDArray:
    """The determinant of each matrix; of shape (1,) for a single one."""
    return at_least_1d(F.det(A))


@public
def slogdet(A: NDArray) -> list[NDArray]:
    """The sign of the determinant, and the logarithm of its absolute value."""
    return [at_least_1d(part) for part in F.slogdet(A)]


@public
def sumlogdiag(A: NDArray) -> NDArray:
    """The sum of the logarithms of the diagonal of each matrix."""
    _check_square("sumlogdiag", A)
    return at_least_1d(F.sum(F.log(F.diagonal(A, axis1=-2, axis2=-1)), axis=-1))


@public
def gelqf(A: NDArray) -> list[NDArray]:
    """[Q, L] where ``A = L @ Q``, L lower triangular and the rows of Q orthonormal."""
    return F.lq(A)


@public
def syevd(A: NDArray) -> list[NDArray]:
    """[U, w] where ``A = U.T @ diag(w) @ U`` for symmetric A, the eigenvalues w ascending."""
    return F.eigh(A)


@public
def extractdiag(A: NDArray, offset: int = 0) -> NDArray:
    """A diagonal of each matrix, above the main one for ``offset > 0``."""
    _check_offset("extractdiag", A, offset)
    return F.diagonal(A, k=offset, axis1=-2, axis2=-1)


@public
def makediag(A: NDArray, offset: int = 0) -> NDArray:
    """The matrices that have the vectors, the last axis of `A`, as a diagonal; else zeros."""
    n = A.shape[-1] + abs(offset)
    return F.place_diagonal(A, shape=(*A.shape[:-1], n, n), k=offset, axis1=-2, axis2=-1)


def _check_offset(name: str, A: NDArray, offset: int) -> None:
    _check_square(name, A)
    if abs(offset) >= A.shape[-1]:
        raise ArgumentError(f"{name}: offset={offset} lies outside matrices of shape {A.shape}")


def _triangle(n: int, offset: int, lower: bool) -> tuple[Any, ...]:
    """The key of the triangle below diagonal `offset`, row by row, or above, column by column."""
    is_lower = lower if offset == 0 else offset < 0
    places = np.tril_indices(n, -abs(offset))
    return (Ellipsis, *(places if is_lower else places[::-1]))


@public
def extracttrian(A: NDArray, offset: int = 0, lower: bool = True) -> NDArray:
    """A triangle of each matrix, row by row (the upper one: column by column), as the last axis.

    Parameters
    ----------
    A : NDArray of shape (..., n, n)
    offset : int, default 0
        The diagonal at its edge: the triangle above for ``offset > 0``, below for less than 0.
    lower : bool, default True
        Which one, for ``offset=0``.

    Returns
    -------
    NDArray of shape (..., number of values)
    """
    _check_offset("extracttrian", A, offset)
    return F.getitem(A, key=_triangle(A.shape[-1], offset, lower))


@public
def maketrian(A: NDArray, offset: int = 0, lower: bool = True) -> NDArray:
    """The matrices with the given triangle, else zeros; undoes `extracttrian`."""
    size = int((np.sqrt(8 * A.shape[-1] + 1) - 1) // 2)
    if size * (size + 1) // 2 != A.shape[-1]:
        raise ArgumentError(f"maketrian: {A.shape[-1]} values fill no triangle; 1, 3, 6, 10, … do")
    n = size + abs(offset)
    return F.scatter_add(A, key=_triangle(n, offset, lower), shape=(*A.shape[:-1], n, n))
