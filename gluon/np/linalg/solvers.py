"""`np.linalg`: inverses, solutions, determinants and powers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ..._core.engine.array import wrap
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from .._array import ndarray
from .._explained import explained
from .._promote import alike, fractions
from .._public import as_array, as_axis, cast, into, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class SlogdetResult(NamedTuple):
    """The result of `slogdet`: the determinant is ``sign * exp(logabsdet)``."""

    sign: ndarray
    logabsdet: ndarray


def floating(x: Any) -> ndarray:
    """`x`, integers as the default floating dtype."""
    x = as_array(x)
    return cast(x, fractions(x.dtype))


def floatings(*arrays: Any) -> list[ndarray]:
    """Several arrays in one floating dtype."""
    return [cast(x, fractions(x.dtype)) for x in alike(arrays)]


def _square(x: ndarray) -> int:
    """Return the number of rows of square matrices."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ArgumentError(f"shape {x.shape} is not (..., n, n), square matrices")
    return x.shape[-1]


@explained
def inv(a: ArrayLike) -> ndarray:
    """The inverse of matrices.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16

    Returns
    -------
    ndarray of shape (..., n, n), floating

    Raises
    ------
    ArgumentError
        If a matrix is singular or not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.inv(np.array([[2, 0], [0, 4]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return ops.inverse(floating(a))


@explained
def pinv(a: ArrayLike, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> ndarray:
    """The pseudo-inverse of matrices; the gradient assumes a constant rank.

    Parameters
    ----------
    a : array_like of shape (..., m, n), of any dtype but float16
    rcond : float, or array_like of shape (...), of any dtype
        Singular values up to this fraction of the largest one are treated as 0.
        1e-15 by default.
    hermitian : bool, default False
        Ignored.
    rtol : float, or array_like of shape (...), of any dtype, optional
        The array API's name of `rcond`.

    Returns
    -------
    ndarray of shape (..., n, m), floating

    Raises
    ------
    ArgumentError
        If `a` has fewer than two axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.pinv(np.array([[2], [0]]))
    array([[0.5, 0. ]])
    """
    given = rtol if rcond is None else rcond
    return ops.pinv(floating(a), rcond=1e-15 if given is None else as_array(given, "float64").raw)


@explained
def solve(a: ArrayLike, b: ArrayLike) -> ndarray:
    """Solve the linear equations ``a @ x = b``.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16
    b : array_like of shape (n,), (..., n) or (..., n, m), of any dtype
        Vectors, if it has one axis less than `a`.

    Returns
    -------
    ndarray of the shape of `b`, or of the shape that it broadcasts to, floating

    Raises
    ------
    ArgumentError
        If a matrix is singular or not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.solve(np.array([[2, 0], [0, 4]]), np.array([2, 2]))
    array([1. , 0.5])
    """
    a, b = floatings(a, b)
    _square(a)
    if b.ndim == 1 or b.shape == a.shape[:-1]:
        return ops.squeeze(ops.solve(a, ops.expand_dims(b, axis=b.ndim)), axis=-1)
    return ops.solve(a, b)


@explained
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Any = None) -> tuple[ndarray, ndarray, int, ndarray]:
    """The least-squares solution of ``a @ x = b`` with the smallest norm.

    Parameters
    ----------
    a : array_like of shape (m, n), of any dtype but float16
    b : array_like of shape (m,) or (m, k), of any dtype but float16
    rcond : float, or array_like of shape (...), of any dtype
        Singular values up to this fraction of the largest one are treated as 0.
        The precision of the dtype times max(m, n) by default, of 'warn' and -1 once.

    Returns
    -------
    tuple of the solution, the sums of squared residuals, the rank, the singular values
        There are no residuals unless the rank is n and m > n.

    Raises
    ------
    ArgumentError
        If shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> x, residuals, rank, s = np.linalg.lstsq(np.array([[1, 0], [1, 1], [1, 2]]), [1, 3, 5])
    >>> x.round(4), rank
    (array([1., 2.]), 2)
    """
    a, b = floatings(a, b)
    if a.ndim != 2 or b.ndim not in (1, 2) or len(a) != len(b):
        raise ArgumentError(f"a has shape {a.shape} and b {b.shape}, not (m, n) and (m,) or (m, k)")
    m, n = a.shape
    eps = float(numpy.finfo(a.dtype).eps)
    if rcond is None:
        rcond = eps * max(m, n)
    elif isinstance(rcond, str) or rcond < 0:
        rcond = eps
    values = ops.svd(a)[1]
    rank = int((values.raw > rcond * values.raw.max(initial=0)).sum())
    x = ops.matmul(ops.pinv(a, rcond=rcond), b)
    if m > n == rank:
        error = b - ops.matmul(a, x)
        residuals = ops.sum(error * error, axis=0)
        residuals = ops.reshape(residuals, shape=(residuals.size,))
    else:
        residuals = wrap(ndarray, numpy.zeros(0, a.dtype), a._ctx)
    return x, residuals, rank, values


@explained
def tensorsolve(a: Any, b: Any, axes: Sequence[int] | None = None) -> ndarray:
    """Solve ``tensordot(a, x, x.ndim) = b`` for x.

    Parameters
    ----------
    a : array_like of shape (*rows, *columns), of any dtype but float16
    b : array_like of any dtype but float16
        Of the first axes of `a`.
    axes : sequence of int, optional
        The axes of `a` to move to the end first.

    Returns
    -------
    ndarray of the last axes of `a`, floating

    Raises
    ------
    ArgumentError
        If the axes of `a` do not make a square matrix.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 6), np.ones((2, 3))).shape
    (6,)
    """
    a, b = floatings(a, b)
    if axes is not None:
        last = [k % a.ndim for k in as_axis(tuple(axes))]
        a = ops.transpose(a, axes=[k for k in range(a.ndim) if k not in last] + last)
    # The last axes of `a`, as many as it has more than `b`; all of them if none, as in NumPy.
    rest = a.shape[-(a.ndim - b.ndim) :]
    n = prod(rest)
    if a.size != n * n or b.size != n:
        raise ArgumentError(
            f"a of shape {a.shape} and b of shape {b.shape} do not make a square matrix"
        )
    return ops.reshape(solve(ops.reshape(a, shape=(n, n)), ops.reshape(b, shape=(n,))), shape=rest)


@explained
def tensorinv(a: ArrayLike, ind: int = 2) -> ndarray:
    """The inverse of a tensor as a linear map.

    Parameters
    ----------
    a : array_like of shape (*rows, *columns), of any dtype but float16
    ind : int, default 2
        How many axes are rows.

    Returns
    -------
    ndarray of the last axes of `a`, then of the first ones, floating

    Raises
    ------
    ArgumentError
        If the axes of `a` do not make a square matrix.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.tensorinv(np.eye(6).reshape(6, 2, 3), ind=1).shape
    (2, 3, 6)
    """
    a = floating(a)
    if ind <= 0:
        raise ArgumentError(f"ind={ind} must be above 0")
    rows, columns = a.shape[:ind], a.shape[ind:]
    n = prod(columns)
    if prod(rows) != n:
        raise ArgumentError(f"shape {a.shape} and ind={ind} do not make a square matrix")
    return ops.reshape(inv(ops.reshape(a, shape=(n, n))), shape=columns + rows)


@explained
def det(a: ArrayLike) -> ndarray:
    """The determinant of matrices; its gradient exists for singular ones too.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16

    Returns
    -------
    ndarray of the other axes, floating

    Raises
    ------
    ArgumentError
        If the matrices are not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.det(np.array([[1, 2], [3, 4]])).round(4)
    array(-2.)
    """
    return ops.det(floating(a))


@explained
def slogdet(a: ArrayLike) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its absolute value.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16

    Returns
    -------
    named tuple of ndarray of shape (...): sign, logabsdet
        Both floating.

    Raises
    ------
    ArgumentError
        If the matrices are not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.slogdet(np.array([[1, 0], [0, -1]])).sign
    array(-1.)
    """
    return SlogdetResult(*ops.slogdet(floating(a)))


@explained
def matrix_rank(
    A: ArrayLike, tol: Any = None, hermitian: bool = False, *, rtol: Any = None
) -> ndarray:
    """The rank of matrices: the number of nonzero singular values.

    Parameters
    ----------
    A : array_like of shape (..., m, n), of any dtype but float16
        A vector has rank 1 unless it is 0.
    tol : float, or array_like of shape (...), of any dtype, optional
        Singular values up to this are treated as 0.
    hermitian : bool, default False
        Whether the matrices are symmetric, which is faster.
    rtol : float, or array_like of shape (...), of any dtype, optional
        As `tol`, relative to the largest singular value.

    Returns
    -------
    ndarray of int64, of shape (...)

    Raises
    ------
    DTypeError
        If `A` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.matrix_rank(np.array([[1, 2], [2, 4]]))
    array(1, dtype=int64)
    """
    A = floating(A)
    if tol is None and rtol is not None:
        largest = numpy.linalg.svd(A.raw, compute_uv=False).max(-1, initial=0)
        tol = as_array(rtol).raw * largest
    raw = numpy.linalg.matrix_rank(A.raw, tol, hermitian)
    return wrap(ndarray, numpy.asarray(raw, "int64"), A._ctx)


@explained
def matrix_power(a: ArrayLike, n: int) -> ndarray:
    """Raise matrices to an integer power.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype
    n : int
        A negative power multiplies the inverse.

    Returns
    -------
    ndarray of shape (..., n, n), of the dtype of `a`

    Raises
    ------
    ArgumentError
        If a matrix is singular or not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.matrix_power(np.array([[1, 1], [0, 1]]), 3)
    array([[1., 3.],
           [0., 1.]])
    """
    a, n = as_array(a), whole(n, "n")
    size = _square(a)
    if n < 0:
        a, n = inv(a), -n
    result: Any = None
    while n:
        if n & 1:
            result = a if result is None else ops.matmul(result, a)
        n >>= 1
        a = ops.matmul(a, a) if n else a
    if result is None:
        eye = numpy.broadcast_to(numpy.eye(size, dtype=a.dtype), a.shape).copy()
        return wrap(ndarray, eye, a._ctx)
    return result


@explained
def multi_dot(arrays: Sequence[ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """The product of several matrices, in the order that takes the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of array_like of two axes, of any dtypes
        The first and the last one may be vectors.

    Returns
    -------
    ndarray of two axes, less one for each vector, of the dtype that the arrays promote to

    Raises
    ------
    ArgumentError
        If shapes do not fit, or there are fewer than two arrays.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.multi_dot([np.ones((1, 3)), np.ones((3, 2)), np.ones(2)])
    array([6.])
    """
    found = alike(arrays)
    if len(found) < 2:
        raise ArgumentError("give at least two arrays to multiply")
    row, column = found[0].ndim == 1, found[-1].ndim == 1
    if row:
        found[0] = ops.reshape(found[0], shape=(1, -1))
    if column:
        found[-1] = ops.reshape(found[-1], shape=(-1, 1))
    if any(x.ndim != 2 for x in found):
        raise ArgumentError("all but the first and the last array must have two axes")
    y = _chain(found)
    shape = y.shape[int(row) : 2 - int(column)]
    return into(out, ops.reshape(y, shape=shape) if row or column else y)


def _chain(matrices: list[ndarray]) -> ndarray:
    """Multiply matrices in the order with the fewest multiplications."""
    n = len(matrices)
    sizes = [len(matrices[0]), *[x.shape[1] for x in matrices]]
    cost = {(k, k): 0 for k in range(n)}
    cut = {}
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            cost[i, j], cut[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            )

    def product(i: int, j: int) -> ndarray:
        if i == j:
            return matrices[i]
        k = cut[i, j]
        return ops.matmul(product(i, k), product(k + 1, j))

    return product(0, n - 1)
