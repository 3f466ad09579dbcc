"""`nd.linalg`: linear algebra over stacks of matrices, the last two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arrays.base import A, DeviceArray
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.faces.kinds import keeps_shape
from ._array import NDArray
from ._public import at_least_1d, public
from .absent import missing

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


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # so that type checkers report wrong names

    def __getattr__(name: str) -> Any:
        raise missing("nd.linalg", name, __all__)


def _swap(x: A, wanted: bool = True) -> A:
    """Exchange the last two axes of `x` if requested."""
    return ops.transpose(x, axes=(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)) if wanted else x


def _scaled(x: A, alpha: float) -> A:
    return x if alpha == 1 else ops.multiply(x, alpha)


def _rows_at(x: A, axis: int, back: bool = False) -> A:
    """Move the rows of `x` at `axis` to the second to last axis, or back."""
    axis %= x.ndim
    if axis == x.ndim - 2:
        return x
    order = list(range(x.ndim))
    order.insert(*((axis, order.pop(-2)) if back else (x.ndim - 2, order.pop(axis))))
    return ops.transpose(x, axes=tuple(order))


def _check_square(name: str, A: DeviceArray) -> None:
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ArgumentError(f"{name}: A has shape {A.shape}, not (..., n, n)")


def _check_stacks(name: str, A: DeviceArray, B: DeviceArray) -> None:
    if A.ndim < 2 or A.ndim != B.ndim or A.shape[:-2] != B.shape[:-2]:
        raise ArgumentError(
            f"{name}: A and B have shapes {A.shape} and {B.shape}; all axes but those of the matrix"
            " must be equal"
        )


@public
def gemm2(
    A: A,
    B: A,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The products of two stacks of matrices, ``alpha * A @ B``.

    Parameters
    ----------
    A, B : NDArray of shapes (..., n, k) and (..., k, m), of equal leading axes
        Of the same dtype.
    transpose_a, transpose_b : bool, default False
        Take the transpose of each matrix.
    alpha : float, default 1
    axis : int, default -2
        The axis of the rows, in both and in the result; the columns are the last one.

    Returns
    -------
    NDArray of shape (..., n, m) and the same dtype

    Raises
    ------
    ArgumentError
        If the leading axes differ, or the matrices do not multiply.
    IndexRangeError
        If `axis` is the last axis, or is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> a, b = nd.array([[1, 2], [3, 4]]), nd.array([[0, 1], [1, 0]])
    >>> nd.linalg.gemm2(a, b, transpose_a=True, alpha=2).asnumpy().tolist()
    [[6.0, 2.0], [8.0, 4.0]]
    """
    if not -A.ndim <= axis < A.ndim - 1 or axis == -1:
        raise IndexRangeError(
            f"gemm2: axis={axis} cannot be the axis of the rows for shape {A.shape}; choose any but"
            " the last"
        )
    A, B = _rows_at(A, axis), _rows_at(B, axis)
    _check_stacks("gemm2", A, B)
    product = ops.matmul(_swap(A, transpose_a), _swap(B, transpose_b))
    return _rows_at(_scaled(product, alpha), axis, back=True)


@public
def gemm(
    A: A,
    B: A,
    C: A,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The products of two stacks of matrices and a third one, ``alpha * A @ B + beta * C``.

    Parameters
    ----------
    A, B : NDArray of shapes (..., n, k) and (..., k, m), of equal leading axes
        Of the same dtype, as `C`.
    C : NDArray of shape (..., n, m)
    transpose_a, transpose_b : bool, default False
        Take the transpose of each matrix.
    alpha, beta : float, default 1
    axis : int, default -2
        The axis of the rows, in all; the columns are the last one.

    Returns
    -------
    NDArray of the shape of `C` and the same dtype

    Raises
    ------
    ArgumentError
        If the leading axes differ, the matrices do not multiply, or `C` does not have the shape of
        the product.
    IndexRangeError
        If `axis` is the last axis, or is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> a, b, c = nd.array([[1, 2]]), nd.array([[3], [4]]), nd.array([[100]])
    >>> nd.linalg.gemm(a, b, c, alpha=2, beta=0.5).asnumpy().tolist()
    [[72.0]]
    """
    product = gemm2(A, B, transpose_a, transpose_b, alpha, axis)
    if product.shape != C.shape:
        raise ArgumentError(f"gemm: C has shape {C.shape}, the product {product.shape}")
    return ops.add(product, _scaled(C, beta))


@public
def syrk(
    A: A, transpose: bool = False, alpha: float = 1.0, out: A | None = None, name: str | None = None
) -> A:
    """Matrices times their own transposes, ``alpha * A @ A.T``.

    Parameters
    ----------
    A : NDArray of shape (..., n, m)
    transpose : bool, default False
        Compute ``alpha * A.T @ A`` instead.
    alpha : float, default 1

    Returns
    -------
    NDArray of shape (..., n, n), or (..., m, m) for ``transpose=True``, and the same dtype
        Symmetric.

    Raises
    ------
    ArgumentError
        If `A` has fewer than two axes.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.syrk(nd.array([[1, 2], [3, 4]])).asnumpy().tolist()
    [[5.0, 11.0], [11.0, 25.0]]
    """
    _check_stacks("syrk", A, A)
    return _scaled(ops.matmul(_swap(A, transpose), _swap(A, not transpose)), alpha)


@public
def trmm(
    A: A,
    B: A,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The products of triangular matrices with others, ``alpha * A @ B``.

    Parameters
    ----------
    A : NDArray of shape (..., n, n)
        Only its lower (or upper) triangle is read.
    B : NDArray of shape (..., n, m), or (..., m, n) for ``rightside=True``
        With the leading axes and the dtype of `A`.
    transpose : bool, default False
        Take the transpose of A.
    rightside : bool, default False
        Compute ``alpha * B @ A`` instead.
    lower : bool, default True
        Which triangle of `A` is read.
    alpha : float, default 1

    Returns
    -------
    NDArray of the shape of `B` and the same dtype

    Raises
    ------
    ArgumentError
        If `A` is not square, the leading axes differ, or the matrices do not multiply.

    Examples
    --------
    >>> from gluon import nd
    >>> a, b = nd.array([[1, 9], [2, 3]]), nd.array([[1, 0], [0, 1]])
    >>> nd.linalg.trmm(a, b).asnumpy().tolist()
    [[1.0, 0.0], [2.0, 3.0]]
    """
    _check_square("trmm", A)
    _check_stacks("trmm", A, B)
    A = _swap(ops.tril(A) if lower else ops.triu(A), transpose)
    return _scaled(ops.matmul(B, A) if rightside else ops.matmul(A, B), alpha)


@public
def trsm(
    A: A,
    B: A,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Solve ``A @ X = alpha * B`` for triangular matrices A; the inverse of `trmm`.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64
        Only its lower (or upper) triangle is read.
    B : NDArray of shape (..., n, m), or (..., m, n) for ``rightside=True``
        With the leading axes and the dtype of `A`.
    transpose : bool, default False
        Take the transpose of A.
    rightside : bool, default False
        Compute the X with ``X @ A = alpha * B`` instead.
    lower : bool, default True
        Which triangle of `A` is read.
    alpha : float, default 1

    Returns
    -------
    NDArray of the shape of `B` and the same dtype

    Raises
    ------
    ArgumentError
        If `A` is not square or has a 0 on its diagonal, or `B` does not fit.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> a, b = nd.array([[2, 0], [1, 4]]), nd.array([[2], [9]])
    >>> nd.linalg.trsm(a, b).asnumpy().tolist()
    [[1.0], [2.0]]
    """
    _check_stacks("trsm", A, B)
    B = _scaled(B, alpha)
    if rightside:
        turned = ops.solve_triangular(
            _swap(A, not transpose), _swap(B), lower=bool(lower) == bool(transpose)
        )
        return _swap(turned)
    return ops.solve_triangular(_swap(A, transpose), B, lower=bool(lower) != bool(transpose))


@keeps_shape
@public
def potrf(A: A, out: A | None = None, name: str | None = None, *, lower: bool = True) -> A:
    """The lower triangular L of the Cholesky factorization ``A = L @ L.T``.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64
        Symmetric and positive definite; only the lower triangle is read.
    lower : bool, default True
        If False, the upper triangle is read, and the result is the upper triangular ``L.T``.

    Returns
    -------
    NDArray of the same shape and dtype
        The gradient is symmetric too, as that of a symmetric `A`.

    Raises
    ------
    ArgumentError
        If `A` is not square or not positive definite.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.potrf(nd.array([[4, 2], [2, 5]])).asnumpy().tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return ops.cholesky(A) if lower else _swap(ops.cholesky(_swap(A)))


@keeps_shape
@public
def potri(A: A, out: A | None = None, name: str | None = None, *, lower: bool = True) -> A:
    """The inverse of ``A @ A.T``, `A` a lower triangular factor from `potrf`.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64
        Only the lower triangle is read.
    lower : bool, default True
        If False, `A` is upper triangular, and the result the inverse of ``A.T @ A``.

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `A` is not square, or has a 0 on its diagonal.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.potri(nd.array([[2, 0], [0, 1]])).asnumpy().tolist()
    [[0.25, 0.0], [0.0, 1.0]]
    """
    _check_square("potri", A)
    A = A if lower else _swap(A)
    eye = np.broadcast_to(np.eye(A.shape[-1], dtype=A.dtype), A.shape)
    root = ops.solve_triangular(A, wrap(NDArray, eye, A._ctx), lower=True)
    return ops.matmul(_swap(root), root)


@keeps_shape
@public
def inverse(A: A, out: A | None = None, name: str | None = None) -> A:
    """The inverse of each matrix.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64

    Returns
    -------
    NDArray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `A` is not square, or singular.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.inverse(nd.array([[2, 0], [0, 4]])).asnumpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return ops.inverse(A)


@public
def det(A: A, out: A | None = None, name: str | None = None) -> A:
    """The determinant of each matrix.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64

    Returns
    -------
    NDArray of shape A.shape[:-2], at least (1,), and the same dtype
        Its gradient is the matrix of cofactors, for singular matrices too.

    Raises
    ------
    ArgumentError
        If `A` is not square.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.det(nd.array([[[2, 0], [0, 4]], [[0, 1], [1, 0]]])).asnumpy().tolist()
    [8.0, -1.0]
    """
    return at_least_1d(ops.det(A))


@public
def slogdet(A: A, out: Sequence[A] | None = None, name: str | None = None) -> list[A]:
    """The sign of the determinant of each matrix, and the logarithm of its absolute value.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64

    Returns
    -------
    list of two NDArrays of shape A.shape[:-2], at least (1,), and the same dtype
        0 and negative infinity for a singular matrix. The sign has no gradient.

    Raises
    ------
    ArgumentError
        If `A` is not square; in the backward pass, if it is singular.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> sign, logarithm = nd.linalg.slogdet(nd.array([[0, 1], [1, 0]]))
    >>> sign.asscalar().item(), logarithm.asscalar().item()
    (-1.0, 0.0)
    """
    return [at_least_1d(part) for part in ops.slogdet(A)]


@public
def sumlogdiag(A: A, out: A | None = None, name: str | None = None) -> A:
    """The sum of the logarithms of the diagonal of each matrix.

    Parameters
    ----------
    A : NDArray of shape (..., n, n)

    Returns
    -------
    NDArray of shape A.shape[:-2], at least (1,), and the same dtype
        NaN where a value on the diagonal is negative.

    Raises
    ------
    ArgumentError
        If `A` is not square.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.sumlogdiag(nd.array([[1, 5], [5, 1]])).asnumpy().tolist()
    [0.0]
    """
    _check_square("sumlogdiag", A)
    return at_least_1d(ops.sum(ops.log(ops.diagonal(A, axis1=-2, axis2=-1)), axis=-1))


@public
def gelqf(A: A, out: Sequence[A] | None = None, name: str | None = None) -> list[A]:
    """The factors Q and L of ``A = L @ Q``, L lower triangular and the rows of Q orthonormal.

    Parameters
    ----------
    A : NDArray of shape (..., n, m) with n <= m, float32 or float64

    Returns
    -------
    list of two NDArrays of shapes (..., n, m) and (..., n, n), and the same dtype
        Q and L. The diagonal of L may be negative.

    Raises
    ------
    ArgumentError
        If `A` has fewer than two axes, or more rows than columns.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> a = nd.array([[3, 4], [1, 2]])
    >>> q, l = nd.linalg.gelqf(a)
    >>> nd.dot(l, q).asnumpy().round(4).tolist()
    [[3.0, 4.0], [1.0, 2.0]]
    """
    return ops.lq(A)


@public
def syevd(A: A, out: Sequence[A] | None = None, name: str | None = None) -> list[A]:
    """The eigenvectors U and eigenvalues w of symmetric matrices, ``A = U.T @ diag(w) @ U``.

    Parameters
    ----------
    A : NDArray of shape (..., n, n), float32 or float64
        Symmetric; only the lower triangle is read.

    Returns
    -------
    list of two NDArrays of shapes (..., n, n) and (..., n), and the same dtype
        U, whose rows are the eigenvectors, the largest component of each positive, and w,
        ascending. The gradient of U is infinite where two eigenvalues are equal.

    Raises
    ------
    ArgumentError
        If `A` is not square.
    DTypeError
        If the dtype is neither float32 nor float64.

    Examples
    --------
    >>> from gluon import nd
    >>> u, w = nd.linalg.syevd(nd.array([[2, 0], [0, 1]]))
    >>> u.asnumpy().tolist(), w.asnumpy().tolist()
    ([[0.0, 1.0], [1.0, 0.0]], [1.0, 2.0])
    """
    return ops.eigh(A)


@public
def extractdiag(A: A, offset: int = 0, out: A | None = None, name: str | None = None) -> A:
    """Extract a diagonal of each matrix.

    Parameters
    ----------
    A : NDArray of shape (..., n, n) and any dtype
    offset : int, default 0
        Above the main diagonal for ``offset > 0``, below it for less than 0.

    Returns
    -------
    NDArray of shape (..., n - abs(offset)) and the same dtype

    Raises
    ------
    ArgumentError
        If `A` is not square, or has no such diagonal.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.extractdiag(nd.array([[1, 2], [3, 4]]), offset=1).asnumpy().tolist()
    [2.0]
    """
    _check_offset("extractdiag", A, offset)
    return ops.diagonal(A, k=offset, axis1=-2, axis2=-1)


@public
def makediag(A: A, offset: int = 0, out: A | None = None, name: str | None = None) -> A:
    """Create matrices with given diagonals; the inverse of `extractdiag`.

    Parameters
    ----------
    A : NDArray of shape (..., n) and any dtype
    offset : int, default 0
        Above the main diagonal for ``offset > 0``, below it for less than 0.

    Returns
    -------
    NDArray of shape (..., n + abs(offset), n + abs(offset)) and the same dtype

    Raises
    ------
    DTypeError
        If `A` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.makediag(nd.array([1, 2])).asnumpy().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    n = A.shape[-1] + abs(offset)
    return ops.place_diagonal(A, shape=(*A.shape[:-1], n, n), k=offset, axis1=-2, axis2=-1)


def _check_offset(name: str, A: DeviceArray, offset: int) -> None:
    _check_square(name, A)
    if abs(offset) >= A.shape[-1]:
        raise ArgumentError(f"{name}: offset={offset} lies outside matrices of shape {A.shape}")


def _triangle(n: int, offset: int, lower: bool) -> tuple[Any, ...]:
    """Return the index of the triangle below diagonal `offset` row by row, or above by columns."""
    is_lower = lower if offset == 0 else offset < 0
    places = np.tril_indices(n, -abs(offset))
    return (Ellipsis, *(places if is_lower else places[::-1]))


@public
def extracttrian(
    A: A, offset: int = 0, lower: bool = True, out: A | None = None, name: str | None = None
) -> A:
    """Extract a triangle of each matrix as a vector (the upper one column by column).

    Parameters
    ----------
    A : NDArray of shape (..., n, n) and any dtype
    offset : int, default 0
        The diagonal at the edge of the triangle: positive for the triangle above it, negative for
        the one below.
    lower : bool, default True
        Which one, for ``offset=0``.

    Returns
    -------
    NDArray of shape (..., m * (m + 1) / 2) with m = n - abs(offset), and the same dtype

    Raises
    ------
    ArgumentError
        If `A` is not square, or has no such diagonal.

    Examples
    --------
    >>> from gluon import nd
    >>> a = nd.array([[1, 2], [3, 4]])
    >>> nd.linalg.extracttrian(a).asnumpy().tolist()
    [1.0, 3.0, 4.0]
    >>> nd.linalg.extracttrian(a, offset=1).asnumpy().tolist()
    [2.0]
    """
    _check_offset("extracttrian", A, offset)
    return ops.getitem(A, key=_triangle(A.shape[-1], offset, lower))


@public
def maketrian(
    A: A, offset: int = 0, lower: bool = True, out: A | None = None, name: str | None = None
) -> A:
    """Create triangular matrices from vectors; the inverse of `extracttrian`.

    Parameters
    ----------
    A : NDArray of shape (..., m * (m + 1) / 2) and any dtype
    offset : int, default 0
        The diagonal at the edge of the triangle: positive for the triangle above it, negative for
        the one below.
    lower : bool, default True
        Which one, for ``offset=0``.

    Returns
    -------
    NDArray of shape (..., n, n) with n = m + abs(offset), and the same dtype

    Raises
    ------
    ArgumentError
        If the last axis does not have the length of a triangle.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.linalg.maketrian(nd.array([1, 2, 3])).asnumpy().tolist()
    [[1.0, 0.0], [2.0, 3.0]]
    """
    size = int((np.sqrt(8 * A.shape[-1] + 1) - 1) // 2)
    if size * (size + 1) // 2 != A.shape[-1]:
        raise ArgumentError(
            f"maketrian: {A.shape[-1]} values do not fill a triangle; give 1, 3, 6, 10, …"
        )
    n = size + abs(offset)
    return ops.scatter_add(A, key=_triangle(n, offset, lower), shape=(*A.shape[:-1], n, n))
