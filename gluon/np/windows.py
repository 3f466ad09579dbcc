"""`np`: windows for signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays import Context, interfaces
from .._core.arrays.context import device as at
from .._core.arrays.dtypes import as_numpy_dtype
from .._core.arrays.switch import default_float
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from ._explained import explained
from ._public import as_array, cast, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


def _made(raw: Any, dtype: Any, ctx: Any) -> ndarray:
    kind = default_float() if dtype is None else as_numpy_dtype(dtype)
    return wrap(interfaces.ndarray, raw.astype(kind), at(ctx))


@explained
def bartlett(
    M: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """The Bartlett window, a triangle from 0 to 1 and back.

    Parameters
    ----------
    M : int
        The number of points; 0 or less returns an empty array.
    dtype : str or numpy type, optional
        The default floating dtype by default.

    Returns
    -------
    ndarray of shape (M,), of `dtype`

    Raises
    ------
    DTypeError
        If `M` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.bartlett(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _made(numpy.bartlett(whole(M, "M")), dtype, device if ctx is None else ctx)


@explained
def blackman(
    M: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """The Blackman window, a sum of two cosines with low leakage.

    Parameters
    ----------
    M : int
        The number of points; 0 or less returns an empty array.
    dtype : str or numpy type, optional
        The default floating dtype by default.

    Returns
    -------
    ndarray of shape (M,), of `dtype`

    Raises
    ------
    DTypeError
        If `M` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.blackman(5).round(4) + 0
    array([0.  , 0.34, 1.  , 0.34, 0.  ])
    """
    return _made(numpy.blackman(whole(M, "M")), dtype, device if ctx is None else ctx)


@explained
def hamming(
    M: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """The Hamming window, a raised cosine that does not end in 0.

    Parameters
    ----------
    M : int
        The number of points; 0 or less returns an empty array.
    dtype : str or numpy type, optional
        The default floating dtype by default.

    Returns
    -------
    ndarray of shape (M,), of `dtype`

    Raises
    ------
    DTypeError
        If `M` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.hamming(5)
    array([0.08, 0.54, 1.  , 0.54, 0.08])
    """
    return _made(numpy.hamming(whole(M, "M")), dtype, device if ctx is None else ctx)


@explained
def hanning(
    M: int,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
    *,
    device: Context | None = None,
) -> ndarray:
    """The Hann window, a raised cosine that ends in 0.

    Parameters
    ----------
    M : int
        The number of points; 0 or less returns an empty array.
    dtype : str or numpy type, optional
        The default floating dtype by default.

    Returns
    -------
    ndarray of shape (M,), of `dtype`

    Raises
    ------
    DTypeError
        If `M` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.hanning(5)
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
    return _made(numpy.hanning(whole(M, "M")), dtype, device if ctx is None else ctx)


@explained
def kaiser(M: Any, beta: ArrayLike) -> ndarray:
    """The Kaiser window; `beta` has a gradient.

    Parameters
    ----------
    M : int
        The number of points; 0 or less returns an empty array.
    beta : float, or ndarray of no axes and any dtype
        The shape: 0 is a rectangle, 6 near a Hann window.

    Returns
    -------
    ndarray of shape (M,), of `dtype`

    Raises
    ------
    DTypeError
        If `M` is not an integer.

    Examples
    --------
    >>> from gluon import np
    >>> np.kaiser(3, 2.0).round(4)
    array([0.4387, 1.    , 0.4387])
    """
    count = whole(M, "M")
    beta = as_array(beta)
    if count == 1:
        return ops.ones_like(ops.reshape(beta, shape=(1,)))
    share = numpy.linspace(-1, 1, max(count, 0))
    beta = cast(beta, default_float()) if beta.dtype.kind in "biu" else beta
    arch = as_array(numpy.sqrt(numpy.maximum(1 - share * share, 0)), beta.dtype)
    return ops.bessel_i(arch * beta, n=0) / ops.bessel_i(beta, n=0)
