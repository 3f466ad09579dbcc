"""`np`: NumPy's functions for complex numbers, on real arrays, and two special functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from ._explained import explained
from ._promote import fractions
from ._public import as_array, cast
from ._ufunc import COPIED, one, unary
from .shape import viewed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray

SAME = "ndarray of the same shape and dtype"


@explained
def real(val: ArrayLike) -> ndarray:
    """The real part: the array itself, since arrays here hold real numbers.

    Parameters
    ----------
    val : array_like of any shape and dtype

    Returns
    -------
    ndarray of the same shape and dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.real(np.array([1, 2]))
    array([1., 2.])
    """
    return as_array(val)


@explained
def imag(val: ArrayLike) -> ndarray:
    """The imaginary part: zeros.

    Parameters
    ----------
    val : array_like of any shape and dtype

    Returns
    -------
    ndarray of the same shape and dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.imag(np.array([1, 2]))
    array([0., 0.])
    """
    return ops.zeros_like(as_array(val))


@explained
def real_if_close(a: ArrayLike, tol: float = 100) -> ndarray:
    """The array itself, since it holds real numbers.

    Parameters
    ----------
    tol : number
        Ignored.

    Returns
    -------
    ndarray of the same shape and dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.real_if_close(np.array([1, 2]))
    array([1., 2.])
    """
    return as_array(a)


@explained
def angle(z: ArrayLike, deg: bool = False) -> ndarray:
    """The angle of each value in the complex plane: 0, or pi of negative values.

    Parameters
    ----------
    z : array_like of any shape and dtype
    deg : bool, default False
        Return degrees instead of radians.

    Returns
    -------
    ndarray of the same shape, of a floating dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.angle(np.array([1, -1]), deg=True)
    array([  0., 180.])
    """
    z = as_array(z)
    kind = fractions(z.dtype)
    turned = numpy.angle(z.raw, deg).astype(kind)
    return wrap(interfaces.ndarray, turned, z._ctx)


@explained
def isreal(x: ArrayLike) -> ndarray:
    """True for each value.

    Returns
    -------
    ndarray of bool, of the same shape

    Examples
    --------
    >>> from gluon import np
    >>> np.isreal(np.array([1, 2]))
    array([ True,  True])
    """
    x = as_array(x)
    return wrap(interfaces.ndarray, numpy.ones(x.shape, bool), x._ctx)


@explained
def iscomplex(x: ArrayLike) -> ndarray:
    """False for each value.

    Returns
    -------
    ndarray of bool, of the same shape

    Examples
    --------
    >>> from gluon import np
    >>> np.iscomplex(np.array([1, 2]))
    array([False, False])
    """
    x = as_array(x)
    return wrap(interfaces.ndarray, numpy.zeros(x.shape, bool), x._ctx)


@explained
def isrealobj(x: ArrayLike) -> bool:
    """True, since arrays here hold real numbers.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import np
    >>> np.isrealobj(np.ones(2))
    True
    """
    as_array(x)
    return True


@explained
def iscomplexobj(x: ArrayLike) -> bool:
    """False, since arrays here hold real numbers.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import np
    >>> np.iscomplexobj(np.ones(2))
    False
    """
    as_array(x)
    return False


conjugate: Final = unary(
    *(one, ops.copy, COPIED, "[1, -2]", "[ 1., -2.]"),
    doc="The complex conjugate: a copy of real numbers",
    name="conjugate",
)
conj = conjugate


@explained
def sinc(x: ArrayLike) -> ndarray:
    """sin(pi x) / (pi x), 1 at 0; with gradients of every order there, too.

    Returns
    -------
    ndarray of the same shape, of a floating dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.sinc(np.array([0, 0.5, 1])).round(4)
    array([1.    , 0.6366, 0.    ])
    """
    x = as_array(x)
    return ops.sinc(cast(x, fractions(x.dtype)))


@explained
def i0(x: ArrayLike) -> ndarray:
    """The modified Bessel function of the first kind of order 0.

    Returns
    -------
    ndarray of the same shape, of a floating dtype

    Examples
    --------
    >>> from gluon import np
    >>> np.i0(np.array([0, 1])).round(4)
    array([1.    , 1.2661])
    """
    x = as_array(x)
    return ops.bessel_i(cast(x, fractions(x.dtype)))


@explained
def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike | None = None, order: Any = None) -> ndarray:
    """Convert to an array, and raise if a value is not finite.

    Parameters
    ----------
    order : None
        Ignored: arrays are in C order.

    Returns
    -------
    ndarray of the same shape
        Of `dtype`, by default that of `a`.

    Raises
    ------
    ArgumentError
        If a value is NaN or infinite.

    Examples
    --------
    >>> from gluon import np
    >>> np.asarray_chkfinite([1, 2])
    array([1., 2.])
    """
    a = as_array(a, dtype)
    if a.dtype.kind in "fV" and not numpy.isfinite(a.raw).all():
        raise ValueError("values must be finite; np.nan_to_num makes them so")
    return a


@explained
def ascontiguousarray(a: ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None) -> ndarray:
    """Convert to a C-contiguous array of at least one axis.

    Parameters
    ----------
    like : None
        Ignored.

    Returns
    -------
    ndarray of the same shape, or (1,) where that is ()
        Of `dtype`, by default that of `a`.

    Examples
    --------
    >>> from gluon import np
    >>> np.ascontiguousarray(3)
    array([3.])
    """
    a = as_array(a, dtype)
    if not a.ndim:
        return viewed(a, (1,))
    return a if a.form.flags.c_contiguous else ops.copy(a)
