"""`np.linalg`: matrix factorizations, with gradients of every order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ..._core.arrays.rebind import is_recorded
from ..._core.engine.array import wrap
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError, DTypeError
from .._array import ndarray
from .._explained import explained
from ..shape import matrix_transpose
from .solvers import floating

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class SVDResult(NamedTuple):
    """The result of `svd`: ``a = U @ diag(S) @ Vh``."""

    U: ndarray
    S: ndarray
    Vh: ndarray


class QRResult(NamedTuple):
    """The result of `qr`: ``a = Q @ R``."""

    Q: ndarray
    R: ndarray


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: ndarray
    eigenvectors: ndarray


@explained
def cholesky(a: ArrayLike, *, upper: bool = False) -> ndarray:
    """Cholesky decomposition: the lower triangular L with ``a = L @ L.T``.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16
        Only one triangle is read.
    upper : bool, default False
        Return the transpose, and read the upper triangle.

    Returns
    -------
    ndarray of shape (..., n, n), floating

    Raises
    ------
    ArgumentError
        If a matrix is not positive definite.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.cholesky(np.array([[4, 2], [2, 2]]))
    array([[2., 0.],
           [1., 1.]])
    """
    a = floating(a)
    return matrix_transpose(ops.cholesky(matrix_transpose(a))) if upper else ops.cholesky(a)


@explained
def svd(
    a: ArrayLike, full_matrices: bool = False, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """Singular value decomposition of matrices, with singular values in descending order.

    Parameters
    ----------
    a : array_like of shape (..., m, n), of any dtype but float16
    full_matrices : bool, default False
        Make U and Vh square, as NumPy does by default.
    compute_uv : bool, default True
        Whether to return U and Vh as well.
    hermitian : bool, default False
        Ignored.

    Returns
    -------
    named tuple of ndarray: U, S, Vh
        Floating, of shapes (..., m, k), (..., k) and (..., k, n), k being the smaller of m
        and n; S alone without `compute_uv`.

    Raises
    ------
    DTypeError
        If `full_matrices` is True while recording: they have no gradient.

    Examples
    --------
    >>> from gluon import np
    >>> u, s, vh = np.linalg.svd(np.array([[3, 0], [0, 4]]))
    >>> s
    array([4., 3.])
    """
    a = floating(a)
    if not compute_uv:
        return svdvals(a)
    m, n = a.shape[-2:] if a.ndim > 1 else (0, 0)
    if not full_matrices or m == n:
        return SVDResult(*ops.svd(a))
    if is_recorded(a):
        raise DTypeError(
            "full_matrices=True gives bases that have no gradient; leave it out, or use a.detach()"
        )
    return SVDResult(*[wrap(ndarray, raw, a._ctx) for raw in numpy.linalg.svd(a.raw)])


@explained
def svdvals(x: ArrayLike) -> ndarray:
    """The singular values of matrices, in descending order.

    Parameters
    ----------
    x : array_like of shape (..., m, n), of any dtype but float16

    Returns
    -------
    ndarray of shape (..., min(m, n)), floating

    Raises
    ------
    DTypeError
        If the values are float16.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.svdvals(np.array([[3, 0], [0, 4]]))
    array([4., 3.])
    """
    x = floating(x)
    if not is_recorded(x) and x.ndim > 1:  # the bases are needed only for the gradient
        values: Any = numpy.linalg.svd(x.raw, compute_uv=False)
        return wrap(ndarray, values, x._ctx)
    return ops.svd(x)[1]


@explained
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """QR decomposition: ``a = Q @ R``, with orthonormal columns in Q and upper triangular R.

    Parameters
    ----------
    a : array_like of shape (..., m, n), of any dtype but float16
    mode : {'reduced', 'complete', 'r'}
        Return Q with min(m, n) columns, with m columns, or only R.

    Returns
    -------
    named tuple of ndarray: Q, R
        Floating, of shapes (..., m, k) and (..., k, n); R alone where `mode` is 'r'.

    Raises
    ------
    ArgumentError
        If there is no such mode.

    Examples
    --------
    >>> from gluon import np
    >>> q, r = np.linalg.qr(np.array([[0, 2], [1, 3]]))
    >>> (q @ r).round(4)
    array([[0., 2.],
           [1., 3.]])
    """
    a = floating(a)
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentError(f"mode={mode!r} is not one of 'reduced', 'complete' and 'r'")
    if a.ndim < 2:
        raise ArgumentError(f"shape {a.shape} must have at least two axes")
    m, n = a.shape[-2:]
    complete: Any = numpy.linalg.qr
    if mode == "complete" and m > n:
        if is_recorded(a):
            raise DTypeError("mode='complete' gives columns that have no gradient; use 'reduced'")
        return QRResult(*[wrap(ndarray, raw, a._ctx) for raw in complete(a.raw, mode)])
    left = ops.getitem(a, key=(..., slice(0, m))) if m < n else a
    q, lower = ops.lq(matrix_transpose(left))
    q, r = matrix_transpose(q), matrix_transpose(lower)
    if m < n:
        rest = ops.matmul(matrix_transpose(q), ops.getitem(a, key=(..., slice(m, None))))
        r = ops.concat(r, rest, axis=a.ndim - 1)
    return r if mode == "r" else QRResult(q, r)


def _one_triangle(a: Any, UPLO: str) -> ndarray:
    """Return symmetric matrices of which the lower triangle is to be read."""
    if UPLO not in ("L", "U", "l", "u"):
        raise ArgumentError(f"UPLO={UPLO!r} is neither 'L' nor 'U'")
    a = floating(a)
    return a if UPLO in "Ll" else matrix_transpose(a)


@explained
def eigh(a: ArrayLike, UPLO: str = "L") -> EighResult:
    """The eigenvalues and eigenvectors of symmetric matrices; the gradient is symmetric, too.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16
        Only one triangle is read.
    UPLO : {'L', 'U'}
        Which triangle to read, the lower or the upper one.

    Returns
    -------
    named tuple of ndarray: eigenvalues, ascending, and eigenvectors, in columns
        Floating, of shapes (..., n) and (..., n, n).

    Raises
    ------
    ArgumentError
        If the matrices are not square.

    Examples
    --------
    >>> from gluon import np
    >>> w, v = np.linalg.eigh(np.array([[2, 0], [0, 1]]))
    >>> w
    array([1., 2.])
    """
    rows, values = ops.eigh(_one_triangle(a, UPLO))
    return EighResult(values, matrix_transpose(rows))


@explained
def eigvalsh(a: ArrayLike, UPLO: str = "L") -> ndarray:
    """The eigenvalues of symmetric matrices, in ascending order.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16
        Only one triangle is read.
    UPLO : {'L', 'U'}
        Which triangle to read, the lower or the upper one.

    Returns
    -------
    ndarray of shape (..., n), floating

    Raises
    ------
    ArgumentError
        If the matrices are not square.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.eigvalsh(np.array([[2, 0], [0, 1]]))
    array([1., 2.])
    """
    a = _one_triangle(a, UPLO)
    # The vectors are needed only for the gradient, and on a device.
    if type(a.raw) is numpy.ndarray and not is_recorded(a) and a.ndim > 1:
        return wrap(ndarray, numpy.linalg.eigvalsh(a.raw), a._ctx)
    return ops.eigh(a)[1]


@explained
def eig(a: ArrayLike) -> EigResult:
    """The eigenvalues and eigenvectors of matrices whose eigenvalues are real.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16

    Returns
    -------
    named tuple of ndarray: eigenvalues, in no order, and eigenvectors, in columns
        Floating, of shapes (..., n) and (..., n, n).

    Raises
    ------
    DTypeError
        If an eigenvalue is complex.

    Examples
    --------
    >>> from gluon import np
    >>> w, v = np.linalg.eig(np.array([[2, 1], [0, 1]]))
    >>> w
    array([2., 1.])
    """
    return EigResult(*ops.eig(floating(a)))


@explained
def eigvals(a: ArrayLike) -> ndarray:
    """The eigenvalues of matrices, where they are real.

    Parameters
    ----------
    a : array_like of shape (..., n, n), of any dtype but float16

    Returns
    -------
    ndarray of shape (..., n), floating

    Raises
    ------
    DTypeError
        If an eigenvalue is complex.

    Examples
    --------
    >>> from gluon import np
    >>> np.linalg.eigvals(np.array([[2, 1], [0, 1]]))
    array([2., 1.])
    """
    return ops.eig(floating(a))[0]
