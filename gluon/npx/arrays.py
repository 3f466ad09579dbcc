"""`npx`: functions that `gluon.nd` does not have, or has with other arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays.dtypes import check_order
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from ..nd._public import with_zero_gradients
from ..np import ndarray
from ..np._promote import fractions
from ..np._public import as_array, as_shape, cast, public
from ..np.codes import lengths_meant

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@public
def digamma(data: ArrayLike) -> ndarray:
    """The derivative of `gammaln`.

    Parameters
    ----------
    data : array_like of any shape and dtype

    Returns
    -------
    ndarray of the same shape, floating

    Raises
    ------
    DTypeError
        If `data` holds no numbers.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.digamma(np.array([1, 2])).round(4)
    array([-0.5772,  0.4228])
    """
    data = as_array(data)
    return ops.digamma(cast(data, fractions(data.dtype)))


@public
def reshape(
    a: ArrayLike, newshape: int | Sequence[int], reverse: bool = False, order: str = "C"
) -> ndarray:
    """Change the shape of an array, with MXNet's special codes.

    Parameters
    ----------
    a : array_like of any shape and dtype
    newshape : int or tuple of int
        Lengths and codes: -1 infers one length, -2 copies the next length of `a`, -3 drops the
        next one, which must be 1, -4 copies all remaining ones, -5 multiplies the next two, -6
        splits the next one into the two lengths that follow, one of which may be -1.
    reverse : bool, default False
        Match lengths and codes from the right; -6 then follows its two lengths.
    order : {'C'}
        The order in which values are read and placed.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If the values do not fit, or a code has no length to take.

    Examples
    --------
    >>> from gluon import np, npx
    >>> x = np.zeros((8, 3, 3, 3, 4, 4))
    >>> npx.reshape(x, (-6, 2, -1, -4)).shape, npx.reshape(x, (-5, -4)).shape
    ((2, 4, 3, 3, 3, 4, 4), (24, 3, 3, 4, 4))
    >>> npx.reshape(x, (-4, 2, -1, -6), reverse=True).shape
    (8, 3, 3, 3, 4, 2, 2)
    """
    check_order("reshape", order)
    a = as_array(a)
    return ops.reshape(a, shape=lengths_meant(a.shape, as_shape(newshape), reverse))


@public
def nonzero(a: ArrayLike) -> ndarray:
    """The indices of the nonzero elements, one per row.

    Parameters
    ----------
    a : array_like of any shape and dtype

    Returns
    -------
    ndarray of shape (number of values, number of axes)
        int64, without gradient. A 0-d array is treated as an array of one value.

    Raises
    ------
    DTypeError
        If `a` holds no numbers.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.nonzero(np.array([[1, 0], [0, 2]]))
    array([[0, 0],
           [1, 1]], dtype=int64)
    """
    a = as_array(a)
    return with_zero_gradients(
        wrap(ndarray, numpy.argwhere(numpy.atleast_1d(a.raw)).astype("int64"), a._ctx), a
    )


@public
def constraint_check(x: ArrayLike, msg: str = "Constraint violated!") -> ndarray:
    """Raise `msg` unless all booleans of `x` are true.

    Parameters
    ----------
    x : array_like of bool, of any shape
    msg : str
        The message of the error.

    Returns
    -------
    ndarray of bool, of shape ()
        True; MXNet's programs multiply by it.

    Raises
    ------
    ArgumentError
        If a value is false; it is a `ValueError`.
    DTypeError
        If `x` is not of booleans.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.constraint_check(np.array([1, 2]) > 0, "only positive values")
    array(True)
    """
    x = as_array(x)
    if x.dtype.kind != "b":
        raise DTypeError(f"x is of {x.dtype}, not of booleans")
    if not x.raw.all():
        raise ArgumentError(msg)
    return wrap(ndarray, numpy.array(True), x._ctx)


def _at(a: Any, ind: Any, val: Any) -> tuple[ndarray, ndarray, tuple]:
    """Return `a` and `val` in one dtype, and the key of the positions in `ind`."""
    a, ind, val = as_array(a), as_array(ind), as_array(val)
    key = tuple(numpy.atleast_2d(ind.raw).astype("int64"))
    if len(key) > a.ndim:
        raise ArgumentError(f"ind of shape {ind.shape} has {len(key)} rows for {a.ndim} axes")
    places = numpy.broadcast_shapes(key[0].shape) + a.shape[len(key) :]
    return a, ops.broadcast_to(cast(val, a.dtype), shape=places), key


@public
def index_add(a: ArrayLike, ind: ArrayLike, val: ArrayLike) -> ndarray:
    """Add `val` to `a` at given indices; duplicates add up.

    Parameters
    ----------
    a : array_like of any shape and dtype
    ind : array_like of int, of shape (axes, n), or (n,) for the first axis
        One row of indices for each of the first axes of `a`.
    val : array_like
        It broadcasts to the shape of the selected values.

    Returns
    -------
    ndarray of the shape and dtype of `a`

    Raises
    ------
    ArgumentError
        If `val` does not fit, or `ind` has more rows than `a` has axes.
    IndexRangeError
        If a place lies outside.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.index_add(np.zeros((2, 3)), np.array([[0, 0], [1, 1]]), 2)
    array([[0., 4., 0.],
           [0., 0., 0.]])
    """
    a, val, key = _at(a, ind, val)
    return ops.add(a, ops.scatter_add(val, key=key, shape=a.shape))


@public
def index_update(a: ArrayLike, ind: ArrayLike, val: ArrayLike) -> ndarray:
    """Replace values of `a` at given indices by `val`.

    Parameters
    ----------
    a : array_like of any shape and dtype
    ind : array_like of int, of shape (axes, n), or (n,) for the first axis
        One row of indices for each of the first axes of `a`.
    val : array_like
        It broadcasts to the shape of the selected values.

    Returns
    -------
    ndarray of the shape and dtype of `a`

    Raises
    ------
    ArgumentError
        If `val` does not fit, or `ind` has more rows than `a` has axes.
    IndexRangeError
        If a place lies outside.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.index_update(np.zeros((2, 3)), np.array([[0, 1], [1, 2]]), 5)
    array([[0., 5., 0.],
           [0., 0., 5.]])
    """
    a, val, key = _at(a, ind, val)
    return ops.setitem(a, val, key=key)


@public
def masked_softmax(
    data: ArrayLike, mask: ArrayLike | None = None, axis: int = -1, temperature: float = 1.0
) -> ndarray:
    """Softmax over the values where `mask` is True; 0 elsewhere.

    Parameters
    ----------
    data : array_like of one axis or more, of any dtype
    mask : array_like of bool, of a shape that broadcasts, optional
        It broadcasts to `data`.
    axis : int, default -1
    temperature : float, default 1
        The values are divided by it first.

    Returns
    -------
    ndarray of the same shape and dtype
        0 everywhere along an axis without a true value.

    Raises
    ------
    ArgumentError
        If `mask` does not broadcast.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.masked_softmax(np.zeros(3), np.array([True, False, True]))
    array([0.5, 0. , 0.5])
    """
    data = as_array(data)
    if mask is None:
        return ops.softmax(data, axis=axis, temperature=temperature)
    mask = as_array(mask, "bool")
    lowest = float(numpy.finfo(data.dtype).min)
    found = ops.softmax(ops.where(mask, data, lowest), axis=axis, temperature=temperature)
    return ops.where(mask, found, 0)


@public
def masked_log_softmax(
    data: ArrayLike, mask: ArrayLike | None = None, axis: int = -1, temperature: float = 1.0
) -> ndarray:
    """The logarithm of `masked_softmax`; minus infinity where `mask` is False.

    Parameters
    ----------
    data : array_like of one axis or more, of any dtype
    mask : array_like of bool, of a shape that broadcasts, optional
        It broadcasts to `data`.
    axis : int, default -1
    temperature : float, default 1
        The values are divided by it first.

    Returns
    -------
    ndarray of the same shape and dtype

    Raises
    ------
    ArgumentError
        If `mask` does not broadcast.

    Examples
    --------
    >>> from gluon import np, npx
    >>> npx.masked_log_softmax(np.zeros(3), np.array([True, False, True]))
    array([-0.6931472,       -inf, -0.6931472])
    """
    data = as_array(data)
    if mask is None:
        return ops.log_softmax(data, axis=axis, temperature=temperature)
    mask = as_array(mask, "bool")
    lowest = float(numpy.finfo(data.dtype).min)
    found = ops.log_softmax(ops.where(mask, data, lowest), axis=axis, temperature=temperature)
    return ops.where(mask, found, float("-inf"))
