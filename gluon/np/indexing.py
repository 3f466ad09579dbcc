"""`np`: selecting values by index, by mask and along diagonals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, overload

import numpy

from .._core.arrays import interfaces
from .._core.arrays.indexing import as_numpy_key
from .._core.engine.array import wrap
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.prototype import T
from ..nd._public import with_zero_gradients
from ._promote import any_dtype, pair
from ._public import NUMBERS, as_array, cast, into, public, public_like, whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray


@overload
def where(condition: ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike) -> ndarray: ...
@public
def where(condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None) -> Any:
    """Choose from `x` where the condition holds, otherwise from `y`; without them, as `nonzero`.

    Parameters
    ----------
    condition : array_like of bool or numbers, of one axis or more; of any shape with `x` and `y`
        Numbers are true where they are not 0.
    x, y : array_like of any dtype, of shapes that broadcast, optional
        They broadcast with the condition.

    Returns
    -------
    ndarray of the broadcast shape, or a tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If the shapes do not broadcast, or only one of `x` and `y` is given.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([-1, 2])
    >>> np.where(x > 0, x, 0), np.where(x > 0)
    (array([0., 2.]), (array([1], dtype=int64),))
    """
    condition = as_array(condition, "bool")
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ArgumentError("give both x and y, or neither")
    if isinstance(x, NUMBERS) and isinstance(y, NUMBERS):
        x = as_array(x)
    return ops.where(condition, *pair(x, y, any_dtype))


@public
def nonzero(a: ArrayLike) -> tuple[ndarray, ...]:
    """The indices of the nonzero elements.

    Parameters
    ----------
    a : array_like of one axis or more, of any dtype

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If there are no axes.

    Examples
    --------
    >>> from gluon import np
    >>> np.nonzero(np.array([0, 1, 2]))
    (array([1, 2], dtype=int64),)
    """
    a = as_array(a)
    if not a.ndim:
        raise ArgumentError("a 0-d array cannot be searched; use np.atleast_1d")
    return tuple(
        [
            with_zero_gradients(wrap(interfaces.ndarray, places, a._ctx), a)
            for places in a.raw.nonzero()
        ]
    )


@public
def take(
    a: Any,
    indices: Any,
    axis: int | None = None,
    out: ndarray | None = None,
    mode: str = "raise",
) -> ndarray:
    """Take elements along an axis by index.

    Parameters
    ----------
    a : array_like of any shape and dtype
    indices : int, or array_like of int of any shape
        The indices.
    axis : int, optional
        By default the flattened array is used.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.
    mode : {'raise', 'clip', 'wrap'}
        Indices out of range raise an error, are clipped, or wrap around.

    Returns
    -------
    ndarray of the dtype of `a`
        Of the shape of `a` with that of `indices` in place of `axis`; of the shape of `indices`
        without it.

    Raises
    ------
    IndexRangeError
        If an index is out of range.
    ArgumentError
        If `mode` is not one of these.

    Examples
    --------
    >>> from gluon import np
    >>> np.take(np.array([1, 2, 3]), [2, -1])
    array([3., 3.])
    """
    a = as_array(a)
    if axis is None:
        a, axis = ops.reshape(a, shape=(-1,)), 0
    axis = whole(axis, "axis")
    places = as_array(indices)
    places = places if places.dtype.kind in "iu" else cast(places, numpy.dtype("int64"))
    if mode == "raise":
        n = a.shape[axis]
        raw = places.raw
        places = wrap(interfaces.ndarray, raw + numpy.where(raw < 0, n, 0))
    return into(out, ops.take(a, places, axis=axis, mode=mode))


@public
def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> ndarray:
    """Take elements by matching 1-d slices of indices along an axis.

    Parameters
    ----------
    arr : array_like of one axis or more, of any dtype
    indices : array_like of int
        With as many axes as `arr`; the other axes broadcast.
    axis : int or None, default -1
        None flattens the array first.

    Returns
    -------
    ndarray of the dtype of `arr`, of the shape of `indices` once it is broadcast

    Raises
    ------
    IndexRangeError
        If an index is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.take_along_axis(np.array([[1, 2], [3, 4]]), np.array([[1], [0]]), 1)
    array([[2.],
           [3.]])
    """
    arr, places = as_array(arr), as_numpy_key(as_array(indices))
    if axis is None:
        arr, axis = ops.reshape(arr, shape=(-1,)), 0
    axis = whole(axis, "axis")
    if arr.ndim != places.ndim:
        raise ArgumentError(f"{places.ndim} axes of indices for an array of shape {arr.shape}")
    if -places.ndim <= axis < places.ndim and all(
        n == m or k == axis % places.ndim for k, (n, m) in enumerate(zip(arr.shape, places.shape))
    ):
        return ops.take_along(arr, places, axis=axis)
    key = [
        numpy.arange(n).reshape(-1, *(1,) * (places.ndim - k - 1)) for k, n in enumerate(arr.shape)
    ]
    key[axis] = places
    return ops.getitem(arr, key=tuple(key))


@public
def compress(
    condition: ArrayLike, a: ArrayLike, axis: int | None = None, out: ndarray | None = None
) -> ndarray:
    """Select slices along an axis where a condition holds.

    Parameters
    ----------
    condition : array_like of bool, of one axis
    a : array_like of any shape and dtype
    axis : int, optional
        By default the flattened array is used.
    out : ndarray of the shape of the result, optional
        Where to write the result; its dtype must allow a 'same_kind' cast.

    Returns
    -------
    ndarray of the dtype of `a`
        Of the shape of `a`, shorter along `axis`; of shape (n,) without it.

    Raises
    ------
    IndexRangeError
        If the condition is true beyond the end of the axis.

    Examples
    --------
    >>> from gluon import np
    >>> np.compress([True, False, True], np.array([1, 2, 3]))
    array([1., 3.])
    """
    (places,) = as_array(condition, "bool").raw.nonzero()
    return take(a, wrap(interfaces.ndarray, places), axis, out)


@public
def extract(condition: ArrayLike, arr: ArrayLike) -> ndarray:
    """The elements where a condition holds, as a vector.

    Parameters
    ----------
    condition, arr : array_like of any dtype and of one size, in any shapes

    Returns
    -------
    ndarray of the dtype of `arr`, of one axis

    Raises
    ------
    IndexRangeError
        If the condition is true beyond the end.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([1, 2, 3])
    >>> np.extract(x > 1, x)
    array([2., 3.])
    """
    return compress(ops.reshape(as_array(condition, "bool"), shape=(-1,)), arr)


# ---------------------------------------------------------------------------- diagonals


@public
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """Extract a diagonal of two axes.

    Parameters
    ----------
    a : array_like of two axes or more, of any dtype
    offset : int, default 0
        Which diagonal: above the main one where it is positive.
    axis1, axis2 : int
        The axes of the matrices.

    Returns
    -------
    ndarray of the same dtype
        Of the shape of `a` without both axes, and with the diagonal as the last.

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.diagonal(np.array([[1, 2], [3, 4]]))
    array([1., 4.])
    """
    a = as_array(a)
    numpy.broadcast_to(numpy.int8(0), a.shape).diagonal(offset, axis1, axis2)
    rows, columns = a.shape[axis1], a.shape[axis2]
    if -rows <= offset <= columns:
        return ops.diagonal(a, k=offset, axis1=axis1, axis2=axis2)
    rest = [n for k, n in enumerate(a.shape) if k not in {axis1 % a.ndim, axis2 % a.ndim}]
    return ops.reshape(ops.getitem(ops.reshape(a, shape=(-1,)), key=slice(0)), shape=(*rest, 0))


@public
def diag(v: ArrayLike, k: int = 0) -> ndarray:
    """Extract a diagonal, or create a matrix with a vector on it.

    Parameters
    ----------
    v : array_like of one or two axes, of any dtype
    k : int, default 0
        Which diagonal: above the main one where k > 0.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If `v` has neither one axis nor two.

    Examples
    --------
    >>> from gluon import np
    >>> np.diag(np.array([1, 2]))
    array([[1., 0.],
           [0., 2.]])
    """
    v = as_array(v)
    if v.ndim == 1:
        n = len(v) + abs(k)
        return ops.place_diagonal(v, shape=(n, n), k=k)
    if v.ndim != 2:
        raise ArgumentError(f"shape {v.shape} must have one or two axes")
    return diagonal(v, k)


@public
def diagflat(v: ArrayLike, k: int = 0) -> ndarray:
    """Create a matrix with the flattened array on its diagonal.

    Parameters
    ----------
    v : array_like of any shape and dtype
    k : int, default 0
        Which diagonal: above the main one where k > 0.

    Returns
    -------
    ndarray of two axes, of the same dtype

    Raises
    ------
    DTypeError
        If `v` holds no numbers.

    Examples
    --------
    >>> from gluon import np
    >>> np.diagflat(np.array([[1, 2]]))
    array([[1., 0.],
           [0., 2.]])
    """
    return diag(ops.reshape(as_array(v), shape=(-1,)), k)


def triangle(m: ArrayLike, k: int = 0) -> ndarray:
    """The values on one side of a diagonal of the last two axes, zeros elsewhere.

    Parameters
    ----------
    m : array_like of one axis or more, of any dtype
    k : int, default 0
        Which diagonal: above the main one where k > 0.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    ArgumentError
        If `m` has no axes.
    """
    raise NotImplementedError


def _triangle(like: T, op: Callable, place: str, result: str) -> T:
    def call(m: Any, k: int = 0) -> ndarray:
        m = as_array(m)
        if m.ndim == 1:  # NumPy broadcasts a vector to a square
            m = ops.broadcast_to(m, shape=(len(m), len(m)))
        return op(m, k=whole(k, "k"))

    title = f"The values {place} a diagonal of the last two axes, zeros elsewhere"
    code = f"np.{op.__name__}(np.array([[1, 2], [3, 4]]))"
    return public_like(like, call, op.__name__, title, code, f"array({result})")


tril: Final = _triangle(triangle, ops.tril, "on and below", "[[1., 0.],\n       [3., 4.]]")
triu: Final = _triangle(triangle, ops.triu, "on and above", "[[1., 2.],\n       [0., 4.]]")
