"""`np`: comparisons of whole arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import interfaces
from .._core.engine.array import wrap
from ..nd._public import with_zero_gradients
from ._public import as_array, plain, public

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


@public
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> ndarray:
    """Whether values are equal up to a tolerance, element by element.

    Parameters
    ----------
    a, b : array_like of any dtype, of shapes that broadcast
        They broadcast.
    rtol, atol : float
        The relative and the absolute tolerance.
    equal_nan : bool, default False
        Whether NaN is close to NaN.

    Returns
    -------
    ndarray of bool, of the broadcast shape

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.isclose(np.array([1, 2]), np.array([1, 2.1]))
    array([ True, False])
    """
    a, b = as_array(a), as_array(b)
    close = numpy.isclose(a.raw, b.raw, plain(rtol), plain(atol), equal_nan)
    return with_zero_gradients(wrap(interfaces.ndarray, close, a._ctx), a, b)


@public
def allclose(
    a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all values are equal up to a tolerance.

    Parameters
    ----------
    a, b : array_like of any dtype, of shapes that broadcast
        They broadcast.
    rtol, atol : float
        The relative and the absolute tolerance.
    equal_nan : bool, default False
        Whether NaN is close to NaN.

    Returns
    -------
    bool

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast.

    Examples
    --------
    >>> from gluon import np
    >>> np.allclose(np.array([1, 2]), np.array([1, 2.1]), rtol=0.1)
    True
    """
    return bool(isclose(a, b, rtol, atol, equal_nan).raw.all())


@public
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """Whether two arrays have the same shape and the same values.

    Parameters
    ----------
    a1, a2 : array_like of any shape and dtype
    equal_nan : bool, default False
        Whether NaN equals NaN.

    Returns
    -------
    bool

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.array_equal(np.array([1, 2]), [1, 2])
    True
    """
    return bool(numpy.array_equal(as_array(a1).raw, as_array(a2).raw, equal_nan))


@public
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """Whether two arrays broadcast to the same shape and are equal.

    Parameters
    ----------
    a1, a2 : array_like of any shape and dtype

    Returns
    -------
    bool

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.array_equiv(np.array([1, 1]), 1)
    True
    """
    return bool(numpy.array_equiv(as_array(a1).raw, as_array(a2).raw))


@public
def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether two arrays may share memory: whether their bounds overlap.

    Parameters
    ----------
    a, b : ndarray of any shape and dtype
    max_work
        Ignored.

    Returns
    -------
    bool

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.ones(3)
    >>> np.may_share_memory(x, x[1:])
    True
    """
    return bool(numpy.may_share_memory(as_array(a).raw, as_array(b).raw))


@public
def shares_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether two arrays share memory.

    Parameters
    ----------
    a, b : ndarray of any shape and dtype
    max_work
        Ignored.

    Returns
    -------
    bool

    Raises
    ------
    DTypeError
        If an argument holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.ones(3)
    >>> np.shares_memory(x[:1], x[1:])
    False
    """
    return bool(numpy.shares_memory(as_array(a).raw, as_array(b).raw))
