"""`np`: writing to elements of an array, recorded like ``x[key] = value``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays.dtypes import check_casting
from .._core.arrays.indexing import as_numpy_key
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.kernels.memory import on_host
from ._explained import explained
from ._public import as_array, whole
from .shape import ravel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

VALUES = "array_like of any shape and dtype\nThe values, repeated as needed."


def _target(x: Any) -> Any:
    if not isinstance(x, Array):
        raise DTypeError(f"only arrays of gluon can be written to, not {type(x).__name__}")
    return x


def _filled(values: Any, n: int) -> ndarray:
    """Return the first `n` values of an array, repeated as often as needed."""
    values = as_array(values)
    if not values.size:
        raise ArgumentError("the values to write are empty")
    flat = ops.reshape(values, shape=(-1,))
    return ops.getitem(flat, key=numpy.arange(n) % values.size)


def _write(x: Any, places: Any, values: ndarray) -> None:
    """Write to flat positions."""
    shape = x.shape
    if shape:
        x[numpy.unravel_index(places, shape)] = values
    elif len(places):
        x[()] = ops.getitem(values, key=-1)


@explained
def put(a: Any, ind: ArrayLike, v: ArrayLike, mode: str = "raise") -> None:
    """Set elements by flat index.

    Parameters
    ----------
    a : ndarray of any shape and dtype
        The array to write to.
    ind : array_like of int, of any shape
        Indices into the flattened array.
    v : array_like of any shape and dtype
        The values, repeated as needed.
    mode : {'raise', 'wrap', 'clip'}
        Indices out of range raise an error, wrap around, or are clipped.

    Returns
    -------
    None

    Raises
    ------
    IndexRangeError
        If an index is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.zeros(3)
    >>> np.put(x, [0, 2], [1, 5])
    >>> x
    array([1., 0., 5.])
    """
    a, places = _target(a), on_host(as_array(ind).raw).astype("int64").ravel()
    n = a.size
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f"mode={mode!r} is not one of 'raise', 'wrap' and 'clip'")
    if places.size and mode == "raise":
        numpy.empty(n, bool)[places]  # raises if an index is out of range
        places = places % n
    elif places.size:
        places = places % n if mode == "wrap" else places.clip(0, n - 1)
    if places.size:
        _write(a, places, _filled(v, places.size))


@explained
def place(arr: Any, mask: ArrayLike, vals: ArrayLike) -> None:
    """Set the elements where a mask holds to values in order.

    Parameters
    ----------
    arr : ndarray of any shape and dtype
        The array to write to.
    mask : array_like of bool, of the shape of `arr`, or another one of its size
    vals : array_like of any shape and dtype
        The values, repeated as needed.

    Returns
    -------
    None

    Raises
    ------
    ArgumentError
        If the mask has another size, or there are no values.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.arange(4)
    >>> np.place(x, x > 1, [7, 8])
    >>> x
    array([0., 1., 7., 8.])
    """
    arr, raw = _target(arr), as_array(mask, "bool").raw
    if raw.size != arr.size:
        raise ArgumentError(f"a mask of shape {raw.shape} for an array of shape {arr.shape}")
    places = numpy.flatnonzero(raw)
    if places.size:
        _write(arr, places, _filled(vals, places.size))


@explained
def putmask(a: Any, mask: ArrayLike, values: ArrayLike) -> None:
    """Set the elements where a mask holds to the values at the same positions.

    Parameters
    ----------
    a : ndarray of any shape and dtype
        The array to write to.
    mask : array_like of bool, of the shape of `a`, or another one of its size
    values : array_like of any shape and dtype
        The values, repeated as needed.

    Returns
    -------
    None

    Raises
    ------
    ArgumentError
        If the mask has another size, or there are no values.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.arange(4)
    >>> np.putmask(x, x > 1, -x)
    >>> x
    array([ 0.,  1., -2., -3.])
    """
    a, raw = _target(a), as_array(mask, "bool").raw
    if raw.size != a.size:
        raise ArgumentError(f"a mask of shape {raw.shape} for an array of shape {a.shape}")
    places = numpy.flatnonzero(raw)
    if places.size:
        _write(a, places, ops.getitem(_filled(values, a.size), key=places))


@explained
def copyto(dst: Any, src: ArrayLike, casting: str = "same_kind", where: ArrayLike = True) -> None:
    """Copy the values of one array to another.

    Parameters
    ----------
    dst : ndarray of any shape and dtype
        The array to write to.
    src : array_like of any dtype
        It broadcasts to `dst`.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts are allowed, as in `numpy.can_cast`.
    where : array_like of bool, default True
        Where to write; it broadcasts to `dst`.

    Returns
    -------
    None

    Raises
    ------
    DTypeError
        If `casting` rules the dtype out, or `dst` is not an array of gluon.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.zeros(3)
    >>> np.copyto(x, np.array([1, 2, 3]), where=[True, False, True])
    >>> x
    array([1., 0., 3.])
    """
    dst = _target(dst)
    if not isinstance(src, (int, float)):
        src = as_array(src)
        check_casting("copyto", src.dtype, dst.dtype, casting)
    if where is True:
        dst[...] = src
        return
    mask = numpy.broadcast_to(as_array(where, "bool").raw, dst.shape)
    spread = ops.broadcast_to(as_array(src, dst.dtype), shape=dst.shape)
    _write(dst, numpy.flatnonzero(mask), ops.getitem(spread, key=mask))


@explained
def fill_diagonal(a: Any, val: ArrayLike, wrap: bool = False) -> None:
    """Set the main diagonal.

    Parameters
    ----------
    a : ndarray of two axes or more, of any dtype
        The array to write to.
    val : array_like of any shape and dtype
        The values, repeated as needed.
    wrap : bool, default False
        Start the diagonal again below, if there are more rows than columns.

    Returns
    -------
    None

    Raises
    ------
    ArgumentError
        If there are fewer than two axes, or more than two of different lengths.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.zeros((2, 2))
    >>> np.fill_diagonal(x, 5)
    >>> x
    array([[5., 0.],
           [0., 5.]])
    """
    shape = _target(a).shape
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ArgumentError(
            f"shape {shape} has no diagonal; give two axes, or more axes of equal length"
        )
    step = 1 + sum(math.prod(shape[k:]) for k in range(1, len(shape)))
    end = math.prod(shape) if wrap or len(shape) > 2 else shape[1] ** 2
    places = numpy.arange(0, min(end, math.prod(shape)), step)
    if places.size:
        _write(a, places, _filled(val, places.size))


@explained
def put_along_axis(arr: Any, indices: ArrayLike, values: ArrayLike, axis: int | None) -> None:
    """Set elements by matching 1-d slices of indices along an axis.

    Parameters
    ----------
    arr : ndarray of any shape and dtype
        The array to write to.
    indices : array_like of int
        With as many axes as `arr`; the other axes broadcast.
    values : array_like of any dtype
        They broadcast to the shape of the indices.
    axis : int or None
        None flattens the array first.

    Returns
    -------
    None

    Raises
    ------
    IndexRangeError
        If the axis is out of range.
    DTypeError
        If the array to write to is not an array of gluon.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.zeros((2, 2))
    >>> np.put_along_axis(x, np.array([[1], [0]]), 5, 1)
    >>> x
    array([[0., 5.],
           [5., 0.]])
    """
    arr, places = _target(arr), as_array(indices).raw.astype("int64")
    if axis is None:
        _write(arr, places.ravel(), _filled(values, places.size))
        return
    axis = whole(axis, "axis")
    if places.ndim != arr.ndim:
        raise ArgumentError(f"{places.ndim} axes of indices for an array of shape {arr.shape}")
    key = [
        numpy.arange(n).reshape(-1, *(1,) * (places.ndim - k - 1)) for k, n in enumerate(arr.shape)
    ]
    key[axis] = places
    arr[tuple(key)] = as_array(values)


class Flat:
    """The iterator ``x.flat`` over all values, for reading and writing; recorded.

    Parameters
    ----------
    array : ndarray

    Examples
    --------
    >>> from gluon import np
    >>> x = np.arange(6).reshape(2, 3)
    >>> x.flat[4], len(x.flat)
    (array(4.), 6)
    >>> x.flat[::2] = [7, 8]
    >>> x
    array([[7., 1., 8.],
           [3., 7., 5.]])
    """

    __slots__ = ("_array",)

    def __init__(self, array: ndarray) -> None:
        self._array = array

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> Iterator[ndarray]:
        return iter(ravel(self._array))

    def __getitem__(self, key: Any) -> ndarray:
        return ops.copy(ravel(self._array)[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        places = numpy.arange(len(self))[as_numpy_key(key)].ravel()
        if places.size:
            _write(self._array, places, _filled(value, places.size))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        return numpy.array(self._array.raw.ravel(), dtype)
