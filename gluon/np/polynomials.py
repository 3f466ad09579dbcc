"""`np`: polynomials as arrays of coefficients, the highest power first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from . import linalg
from ._explained import explained
from ._promote import alike, fractions
from ._public import as_array, as_shape, cast, whole
from .calculus import convolve
from .join import concatenate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


def _line(x: Any) -> ndarray:
    """Return coefficients as an array of one axis."""
    x = as_array(x)
    if x.ndim > 1:
        raise ArgumentError(f"coefficients of shape {x.shape} are not one-dimensional")
    return x if x.ndim else ops.reshape(x, shape=(1,))


def _zeros(n: int, like: ndarray) -> ndarray:
    return wrap(interfaces.ndarray, numpy.zeros(n, like.dtype), like._ctx)


def _trimmed(x: ndarray) -> ndarray:
    """Remove leading zeros, but keep at least one coefficient."""
    places = numpy.flatnonzero(x.raw)
    return ops.getitem(x, key=slice(int(places[0]) if places.size else max(x.size - 1, 0), None))


@explained
def polyval(p: ArrayLike, x: ArrayLike) -> ndarray:
    """Evaluate a polynomial, by Horner's rule.

    Parameters
    ----------
    p : array_like of one axis, of any dtype
        The coefficients, highest power first.

    Returns
    -------
    ndarray of the shape of `x`, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.polyval(np.array([1, 0, 2]), np.array([1, 3]))
    array([ 3., 11.])
    """
    p, x = alike([_line(p), x])
    y = x * 0
    for k in range(p.size):
        y = y * x + ops.getitem(p, key=k)
    return y


def _aligned(a1: Any, a2: Any) -> list[Any]:
    """Return two polynomials with the same number of coefficients."""
    both = alike([_line(a1), _line(a2)])
    n = max(x.size for x in both)
    return [concatenate([_zeros(n - x.size, x), x]) if x.size < n else x for x in both]


@explained
def polyadd(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The sum of two polynomials.

    Returns
    -------
    ndarray of one axis, the coefficients, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.polyadd(np.array([1, 2]), np.array([3]))
    array([1., 5.])
    """
    first, second = _aligned(a1, a2)
    return first + second


@explained
def polysub(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The difference of two polynomials.

    Parameters
    ----------
    a1 : array_like of one axis, of a floating or an integer dtype
        The coefficients, highest power first.
    a2 : array_like of one axis, of a floating or an integer dtype
        The coefficients, highest power first.

    Returns
    -------
    ndarray of one axis, the coefficients, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.polysub(np.array([1, 2]), np.array([3]))
    array([ 1., -1.])
    """
    first, second = _aligned(a1, a2)
    return first - second


@explained
def polymul(a1: ArrayLike, a2: ArrayLike) -> ndarray:
    """The product of two polynomials.

    Returns
    -------
    ndarray of one axis, the coefficients, of the dtype that the inputs promote to

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.polymul(np.array([1, 2]), np.array([1, 3]))
    array([1., 5., 6.])
    """
    return convolve(_trimmed(_line(a1)), _trimmed(_line(a2)))


@explained
def polydiv(u: ArrayLike, v: ArrayLike) -> tuple[ndarray, ndarray]:
    """The quotient and the remainder of two polynomials.

    Parameters
    ----------
    u : array_like of one axis, of any dtype
        The coefficients of the dividend.
    v : array_like of one axis, of any dtype
        The coefficients of the divisor.

    Returns
    -------
    tuple of ndarray of one axis: the coefficients of quotient and remainder
        Floating: of the dtype that the inputs promote to, or the default one.

    Raises
    ------
    ArgumentError
        If the divisor begins with 0.

    Examples
    --------
    >>> from gluon import np
    >>> np.polydiv(np.array([1, 5, 6]), np.array([1, 2]))
    (array([1., 3.]), array([0.]))
    """
    u, v = alike([_line(u), _line(v)])
    u, v = [cast(x, fractions(x.dtype)) for x in (u, v)]
    n, m = u.size, v.size
    if not v.raw[0]:
        raise ArgumentError("the divisor begins with the coefficient 0")
    if n < m:
        return _zeros(1, u), _trimmed(u)
    quotient, lead = [], ops.getitem(v, key=slice(0, 1))
    rest = u
    for k in range(n - m + 1):
        factor = ops.getitem(rest, key=slice(k, k + 1)) / lead
        quotient.append(factor)
        piece = concatenate([_zeros(k, u), factor * v, _zeros(n - m - k, u)])
        rest = rest - piece
    remainder = ops.getitem(rest, key=slice(n - m + 1, None)) if m > 1 else _zeros(1, u)
    return concatenate(quotient), _near_zero(remainder)


def _near_zero(x: ndarray) -> ndarray:
    """Remove leading coefficients that are nearly 0."""
    small = numpy.isclose(x.raw, 0, rtol=1e-14)
    first = int(small.argmin()) if not small.all() else x.size - 1
    return ops.getitem(x, key=slice(first, None))


@explained
def polyder(p: Any, m: int = 1) -> ndarray:
    """The derivative of a polynomial.

    Parameters
    ----------
    p : array_like of one axis, of any dtype
        The coefficients, highest power first.
    m : int, default 1
        How often.

    Returns
    -------
    ndarray of one axis, the coefficients, of the dtype of `p`

    Raises
    ------
    ArgumentError
        If `m` is negative.

    Examples
    --------
    >>> from gluon import np
    >>> np.polyder(np.array([1, 2, 3]))
    array([2., 2.])
    """
    p = _line(p)
    if whole(m, "m") < 0:
        raise ArgumentError(f"m={m} must not be negative; np.polyint integrates")
    for _ in range(m):
        powers = numpy.arange(p.size - 1, 0, -1)
        p = ops.getitem(p, key=slice(0, len(powers))) * as_array(powers, p.dtype)
    return p


@explained
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> ndarray:
    """The integral of a polynomial.

    Parameters
    ----------
    p : array_like of one axis, of any dtype
        The coefficients, highest power first.
    m : int, default 1
        How often.
    k : array_like of no axis or of shape (m,), of any dtype, optional
        The constants of integration, 0 by default.

    Returns
    -------
    ndarray of one axis, the coefficients, floating

    Raises
    ------
    ArgumentError
        If `m` is negative, or `k` of another length.

    Examples
    --------
    >>> from gluon import np
    >>> np.polyint(np.array([2, 2]))
    array([1., 2., 0.])
    """
    p = _line(p)
    p = cast(p, fractions(p.dtype))
    if whole(m, "m") < 0:
        raise ArgumentError(f"m={m} must not be negative; np.polyder differentiates")
    constants = _zeros(m, p) if k is None else cast(_line(k), p.dtype)
    if constants.size == 1 and m > 1:
        constants = ops.broadcast_to(constants, shape=(m,))
    if constants.size < m:
        raise ArgumentError(f"{constants.size} constants for {m} integrations")
    for one in range(m):
        powers = numpy.arange(p.size, 0, -1)
        p = concatenate(
            [p / as_array(powers, p.dtype), ops.getitem(constants, key=slice(one, one + 1))]
        )
    return p


@explained
def poly(seq_of_zeros: ArrayLike) -> ndarray:
    """The polynomial with given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : array_like of one axis, or a square matrix, of any dtype
        The roots, or a matrix whose eigenvalues they are.

    Returns
    -------
    ndarray of one axis, the coefficients, floating

    Raises
    ------
    ArgumentError
        If the shape is neither that of a vector nor of a square matrix.

    Examples
    --------
    >>> from gluon import np
    >>> np.poly(np.array([2, 3]))
    array([ 1., -5.,  6.])
    """
    roots = as_array(seq_of_zeros)
    roots = cast(roots, fractions(roots.dtype))
    if roots.ndim == 2:
        return _characteristic(roots)
    if roots.ndim > 2:
        raise ArgumentError(f"shape {roots.shape} must have one or two axes")
    p = as_array(1, roots.dtype)
    roots = _line(roots)
    p = ops.reshape(p, shape=(1,))
    for k in range(roots.size):
        root = ops.getitem(roots, key=slice(k, k + 1))
        p = concatenate([p, _zeros(1, p)]) - concatenate([_zeros(1, p), p * root])
    return p


def _characteristic(a: ndarray) -> ndarray:
    """Return det(t I - a) by the Faddeev-LeVerrier method, which avoids complex eigenvalues."""
    n = a.shape[0]
    if a.shape != (n, n):
        raise ArgumentError(f"shape {a.shape} is not (n, n), a square matrix")
    eye = as_array(numpy.eye(n, dtype=a.dtype))
    parts = [ops.reshape(as_array(1, a.dtype), shape=(1,))]
    matrix = eye
    for k in range(1, n + 1):
        product = ops.matmul(a, matrix)
        c = ops.sum(ops.diagonal(product, k=0, axis1=0, axis2=1), keepdims=True) / -k
        parts.append(c)
        matrix = product + eye * ops.reshape(c, shape=(1, 1))
    return concatenate(parts)


@explained
def roots(p: ArrayLike) -> ndarray:
    """The roots of a polynomial, all of which must be real.

    Parameters
    ----------
    p : array_like of one axis, of any dtype but float16
        The coefficients, highest power first.

    Returns
    -------
    ndarray of one axis, floating

    Raises
    ------
    DTypeError
        If a root is complex.

    Examples
    --------
    >>> from gluon import np
    >>> np.roots(np.array([1, -5, 6]))
    array([3., 2.])
    """
    p = _line(p)
    p = cast(p, fractions(p.dtype))
    places = numpy.flatnonzero(p.raw)
    if not places.size:
        return _zeros(0, p)
    first, last = int(places[0]), int(places[-1])
    body = ops.getitem(p, key=slice(first, last + 1))
    n = last - first
    zeros = _zeros(p.size - 1 - last, p)
    if not n:
        return zeros
    below = as_array(numpy.eye(n - 1, n, dtype=p.dtype))
    top = -ops.getitem(body, key=slice(1, None)) / ops.getitem(body, key=0)
    return concatenate(
        [linalg.eigvals(concatenate([ops.reshape(top, shape=(1, n)), below])), zeros]
    )


@explained
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> ndarray:
    """The Vandermonde matrix: the powers of each value, in rows.

    Parameters
    ----------
    x : array_like of one axis, of any dtype
    N : int, optional
        The number of powers; by default the number of values.
    increasing : bool, default False
        Whether the powers increase from left to right.

    Returns
    -------
    ndarray of shape (values, N), of the dtype of `x`

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.vander(np.array([1, 2, 3]), 3)
    array([[1., 1., 1.],
           [4., 2., 1.],
           [9., 3., 1.]])
    """
    x = as_array(x)
    if x.ndim != 1:
        raise ArgumentError(f"values of shape {x.shape} are not one-dimensional")
    n = x.size if N is None else whole(N, "N")
    if n < 0:
        raise ArgumentError(f"N={n} must not be negative")
    if not n:
        return ops.reshape(ops.getitem(x, key=slice(0)), shape=(x.size, 0))
    powers = [ops.ones_like(x)]
    for _ in range(n - 1):
        powers.append(powers[-1] * x)
    return ops.stack(*(powers if increasing else powers[::-1]), axis=1)


@explained
def polyfit(
    x: ArrayLike,
    y: Any,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool = False,
) -> ndarray:
    """Fit a polynomial to points by least squares; all inputs have gradients.

    Parameters
    ----------
    x : array_like of one axis, of any dtype
    y : array_like of one or two axes, of any dtype
        The values at `x`, in columns.
    deg : int
        The highest power.
    rcond : float, optional
        Singular values below this fraction of the largest one are treated as 0.
    full : bool
        Only False.
    w : array_like of one axis, of any dtype, optional
        The weight of each difference, before it is squared.
    cov : bool
        Only False.

    Returns
    -------
    ndarray of shape (deg + 1,) or (deg + 1, columns of `y`), floating

    Raises
    ------
    ArgumentError
        If shapes do not fit, or `full` or `cov` is True.

    Examples
    --------
    >>> from gluon import np
    >>> np.polyfit(np.array([0, 1, 2]), np.array([1, 3, 5]), 1).round(4)
    array([2., 1.])
    """
    if full or cov:
        raise ArgumentError(
            "full and cov are unsupported; np.linalg.lstsq gives residuals and rank"
        )
    x, y = alike([x, y])
    x, y = [cast(one, fractions(one.dtype)) for one in (x, y)]
    if x.ndim != 1 or y.ndim not in (1, 2) or len(y) != len(x) or not x.size:
        raise ArgumentError(f"x of shape {x.shape} and y of shape {y.shape} are not points")
    left = vander(x, whole(deg, "deg") + 1)
    if w is not None:
        w = cast(_line(w), x.dtype)
        if w.shape != x.shape:
            raise ArgumentError(f"weights of shape {w.shape} for {x.size} points")
        left = left * ops.reshape(w, shape=(-1, 1))
        y = y * ops.reshape(w, shape=(-1, *(1,) * (y.ndim - 1)))
    scale = ops.sqrt(ops.sum(left * left, axis=0))
    rcond = len(x) * numpy.finfo(x.dtype).eps if rcond is None else rcond
    found = linalg.lstsq(left / scale, y, rcond)[0]
    return found / ops.reshape(scale, shape=as_shape(scale.shape) + (1,) * (y.ndim - 1))


@explained
def trim_zeros(
    filt: ArrayLike, trim: str = "fb", axis: int | Sequence[int] | None = None
) -> ndarray:
    """Remove zeros at the start and end of a vector.

    Parameters
    ----------
    filt : array_like of any shape and dtype
    trim : {'fb', 'f', 'b'}
        Whether to trim at the front, at the back, or both.
    axis : int or tuple of int, optional
        All axes by default.

    Returns
    -------
    ndarray of the same dtype, with the same number of axes

    Raises
    ------
    ArgumentError
        If `trim` is another.

    Examples
    --------
    >>> from gluon import np
    >>> np.trim_zeros(np.array([0, 1, 2, 0]))
    array([1., 2.])
    """
    filt = as_array(filt)
    if not trim or set(trim.lower()) - set("fb"):
        raise ArgumentError(f"trim={trim!r} is not one of 'f', 'b' and 'fb'")
    places = numpy.argwhere(filt.raw)
    chosen = range(filt.ndim) if axis is None else as_shape(axis)
    axes = {k % filt.ndim for k in chosen}
    key = []
    for k, n in enumerate(filt.shape):
        low = int(places[:, k].min()) if len(places) else n
        high = int(places[:, k].max()) + 1 if len(places) else 0
        cut = k in axes
        key.append(
            slice(
                low if cut and "f" in trim.lower() else 0,
                high if cut and "b" in trim.lower() else n,
            )
        )
    return ops.getitem(filt, key=tuple(key))
