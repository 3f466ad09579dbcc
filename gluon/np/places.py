"""`np`: index arrays, grids, triangles, flat indices and bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy

from .._core.arrays import interfaces
from .._core.arrays.context import device
from .._core.arrays.switch import default_float
from .._core.engine.array import as_raw, wrap
from .._core.engine.op import RECORDED as ops
from ._explained import explained
from ._promote import alike
from ._public import as_array, as_shape, into, moved, selected

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._array import ndarray

PLACES = "tuple of an int64 ndarray for each axis"


def _given(raws: Any, ctx: Any = None) -> tuple[ndarray, ...]:
    return tuple([wrap(interfaces.ndarray, raw, ctx) for raw in raws])


def _counted(raws: Any) -> tuple[ndarray, ...]:
    """Index arrays that depend on numbers alone, on the current device."""
    return _given(raws, device())


@explained
def ix_(*args: ArrayLike) -> tuple[ndarray, ...]:
    """Index arrays that select all combinations of indices along each axis.

    Parameters
    ----------
    *args : array_like of one axis, of any dtype
        Booleans select the positions where they are True.

    Returns
    -------
    tuple of ndarray with an axis for each of `args`
        Of the dtype of the input; int64 for booleans.

    Raises
    ------
    ArgumentError
        If an argument does not have one axis.

    Examples
    --------
    >>> from gluon import np
    >>> rows, columns = np.ix_(np.array([0, 1]), np.array([2, 3, 4]))
    >>> rows.shape, columns.shape
    ((2, 1), (1, 3))
    """
    found = []
    for k, one in enumerate(args):
        one = as_array(one) if numpy.size(one) else as_array(one, "int64")
        if one.ndim != 1:
            raise ValueError(f"indices of shape {one.shape} are not one-dimensional")
        if one.dtype == bool:
            one = wrap(interfaces.ndarray, one.raw.nonzero()[0], one._ctx)
        shape = (1,) * k + (one.size,) + (1,) * (len(args) - k - 1)
        found.append(ops.reshape(one, shape=shape))
    return tuple(found)


@explained
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[ndarray, ...]:
    """The indices of the elements on and below a diagonal.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, default 0
        Which diagonal: above the main one where k > 0.
    m : int, optional
        The number of columns, `n` by default.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Examples
    --------
    >>> from gluon import np
    >>> np.tril_indices(2)
    (array([0, 1, 1], dtype=int64), array([0, 0, 1], dtype=int64))
    """
    return _counted(numpy.tril_indices(n, k, m))


@explained
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[ndarray, ...]:
    """The indices of the elements on and above a diagonal.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int, default 0
        Which diagonal: above the main one where k > 0.
    m : int, optional
        The number of columns, `n` by default.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Examples
    --------
    >>> from gluon import np
    >>> np.triu_indices(2)
    (array([0, 0, 1], dtype=int64), array([0, 1, 1], dtype=int64))
    """
    return _counted(numpy.triu_indices(n, k, m))


@explained
def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[ndarray, ...]:
    """The indices of a matrix's elements on and below a diagonal.

    Parameters
    ----------
    arr : array_like of two axes, of any dtype
    k : int, default 0
        Which diagonal: above the main one where k > 0.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If there are not two axes.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> x[np.tril_indices_from(x)]
    array([1., 3., 4.])
    """
    x = as_array(arr)
    return _given(numpy.tril_indices_from(numpy.broadcast_to(0, x.shape), k), x._ctx)


@explained
def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[ndarray, ...]:
    """The indices of a matrix's elements on and above a diagonal.

    Parameters
    ----------
    arr : array_like of two axes, of any dtype
    k : int, default 0
        Which diagonal: above the main one where k > 0.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If there are not two axes.

    Examples
    --------
    >>> from gluon import np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> x[np.triu_indices_from(x)]
    array([1., 2., 4.])
    """
    x = as_array(arr)
    return _given(numpy.triu_indices_from(numpy.broadcast_to(0, x.shape), k), x._ctx)


@explained
def mask_indices(n: int, mask_func: Callable[..., Any], k: Any = 0) -> tuple[ndarray, ...]:
    """The indices of a matrix's elements that a function such as `triu` keeps.

    Parameters
    ----------
    n : int
        The number of rows and of columns.
    mask_func : callable
        ``mask_func(x, k)`` keeps some values of a matrix, as `triu` does.
    k : number, default 0
        The second argument of the function.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Examples
    --------
    >>> from gluon import np
    >>> np.mask_indices(2, np.triu, 1)
    (array([0], dtype=int64), array([1], dtype=int64))
    """
    kept = mask_func(wrap(interfaces.ndarray, numpy.ones((n, n), int), device()), k)
    found = as_array(kept)
    return _given(found.raw.nonzero(), found._ctx)


@explained
def diag_indices(n: int, ndim: int = 2) -> tuple[ndarray, ...]:
    """The indices of the main diagonal.

    Parameters
    ----------
    n : int
        The length of each axis.
    ndim : int, default 2
        The number of axes.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Examples
    --------
    >>> from gluon import np
    >>> x = np.zeros((2, 2))
    >>> x[np.diag_indices(2)] = 1
    >>> x
    array([[1., 0.],
           [0., 1.]])
    """
    return _counted(numpy.diag_indices(n, ndim))


@explained
def diag_indices_from(arr: ArrayLike) -> tuple[ndarray, ...]:
    """The indices of the main diagonal of an array.

    Parameters
    ----------
    arr : array_like of axes of one length, of any dtype

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If there are fewer than two axes, or axes of different lengths.

    Examples
    --------
    >>> from gluon import np
    >>> np.diag_indices_from(np.zeros((2, 2)))
    (array([0, 1], dtype=int64), array([0, 1], dtype=int64))
    """
    return tuple(ops.diagonal_places(as_array(arr)))


@explained
def unravel_index(
    indices: ArrayLike, shape: Any, order: Literal["C", "F"] = "C"
) -> tuple[ndarray, ...]:
    """Convert flat indices to multi-dimensional indices.

    Parameters
    ----------
    indices : array_like of int, of any shape
        Indices into the flattened array.
    shape : tuple of int
    order : {'C', 'F'}
        Whether the last or the first index varies fastest.

    Returns
    -------
    tuple of an int64 ndarray for each axis

    Raises
    ------
    ArgumentError
        If an index is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.unravel_index(np.array([1, 5]), (2, 3))
    (array([0, 1], dtype=int64), array([1, 2], dtype=int64))
    """
    places = as_array(indices, "int64")
    found = numpy.unravel_index(places.raw, as_shape(shape), order)
    return _given([as_raw(one) for one in found], places._ctx)


@explained
def ravel_multi_index(
    multi_index: Sequence[ArrayLike], dims: Any, mode: Any = "raise", order: Literal["C", "F"] = "C"
) -> ndarray:
    """Convert multi-dimensional indices to flat indices.

    Parameters
    ----------
    multi_index : tuple of array_like of int, of shapes that broadcast
        The indices along each axis.
    dims : tuple of int
        The shape of the array.
    mode : {'raise', 'wrap', 'clip'}, or a tuple of these
        What to do with indices out of range.
    order : {'C', 'F'}
        Whether the last or the first index varies fastest.

    Returns
    -------
    ndarray of int64, of the broadcast shape of the indices

    Raises
    ------
    ArgumentError
        If an index is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.ravel_multi_index((np.array([0, 1]), np.array([1, 2])), (2, 3))
    array([1, 5], dtype=int64)
    """
    places = [as_array(one, "int64") for one in multi_index]
    raws = tuple([one.raw for one in places])
    found = as_raw(numpy.ravel_multi_index(raws, as_shape(dims), mode, order))
    return _given([found], places[0]._ctx)[0]


@explained
def packbits(
    a: Any, axis: int | None = None, bitorder: Literal["big", "little"] = "big"
) -> ndarray:
    """Pack boolean values into bytes, eight in each.

    Parameters
    ----------
    a : array_like of any shape, of integers or booleans
    bitorder : {'big', 'little'}
        Whether the first bit is the highest of its byte, or the lowest.

    Returns
    -------
    ndarray of uint8, of the shape of `a` with an eighth of the length of the axis

    Raises
    ------
    DTypeError
        If the values are not integers.

    Examples
    --------
    >>> from gluon import np
    >>> np.packbits(np.array([1, 0, 1], dtype="uint8"))
    array([160], dtype=uint8)
    """
    a = as_array(a)
    return wrap(interfaces.ndarray, numpy.packbits(a.raw, axis, bitorder), a._ctx)


@explained
def unpackbits(
    a: Any, axis: int | None = None, count: Any = None, bitorder: Literal["big", "little"] = "big"
) -> ndarray:
    """Unpack bytes into bits, 0 and 1.

    Parameters
    ----------
    a : array_like of any shape, of uint8
    count : int, optional
        How many bits to return; all by default.
    bitorder : {'big', 'little'}
        Whether the first bit is the highest of its byte, or the lowest.

    Returns
    -------
    ndarray of uint8, of the shape of `a` with eight times the length of the axis

    Raises
    ------
    DTypeError
        If the values are not of uint8.

    Examples
    --------
    >>> from gluon import np
    >>> np.unpackbits(np.array([160], dtype="uint8"), count=3)
    array([1, 0, 1], dtype=uint8)
    """
    a = as_array(a)
    return wrap(interfaces.ndarray, numpy.unpackbits(a.raw, axis, count, bitorder), a._ctx)


@explained
def bitwise_count(x: ArrayLike, out: ndarray | None = None, where: ArrayLike = True) -> ndarray:
    """The number of bits that are 1 in the absolute value.

    Parameters
    ----------
    x : array_like of any shape, of integers or booleans
    where : array_like of bool, default True
        Where to count; it broadcasts. Elsewhere `out` is unchanged, or 0.

    Returns
    -------
    ndarray of uint8, of the same shape

    Raises
    ------
    DTypeError
        If the values are not integers.

    Examples
    --------
    >>> from gluon import np
    >>> np.bitwise_count(np.array([3, 8], dtype="int32"))
    array([2, 1], dtype=uint8)
    """
    x = as_array(x)
    if x.dtype.kind not in "biu":
        raise TypeError(f"values of dtype {x.dtype} are not integers")
    if hasattr(numpy, "bitwise_count"):
        counts = numpy.bitwise_count(x.raw)
    else:  # NumPy 1
        bits = numpy.abs(x.raw)[..., None].view("uint8")
        counts = numpy.unpackbits(bits, -1).sum(-1, dtype="uint8")
    return into(out, selected(where, wrap(interfaces.ndarray, counts, x._ctx), out))


# --------------------------------------------------------------------- made with brackets


class Grid:
    """Coordinate grids by slices, as in ``np.mgrid[0:3, 0:2]`` and ``np.ogrid``.

    Parameters
    ----------
    grid : object
        NumPy's, full or open.

    Examples
    --------
    >>> from gluon import np
    >>> np.mgrid[0:2, 0:2][1]
    array([[0., 1.],
           [0., 1.]])
    """

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    def __getitem__(self, key: Any) -> Any:
        found = self._grid[key]
        kind = default_float()
        if isinstance(found, (tuple, list)):
            return tuple([as_array(one.astype(kind)) for one in found])
        return as_array(found.astype(kind))


class Joiner:
    """``np.r_[0:3, x]`` and ``np.c_``: ranges, numbers and arrays joined; recorded.

    Parameters
    ----------
    joiner : object
        NumPy's, along rows or columns.

    Examples
    --------
    >>> from gluon import np
    >>> np.r_[0:3, 9, np.array([5])]
    array([0., 1., 2., 9., 5.])
    """

    def __init__(self, joiner: Any) -> None:
        self._joiner = joiner

    def __getitem__(self, key: Any) -> ndarray:
        parts = list(key) if isinstance(key, tuple) else [key]
        words = [one for one in parts if isinstance(one, str)]
        if any(word in ("r", "c") for word in words):
            raise ValueError("matrices are unsupported; leave 'r' and 'c' out")
        given = [numpy.r_[one] if isinstance(one, slice) else one for one in parts]
        is_default = [isinstance(one, (int, float, slice)) for one in parts]
        arrays = [
            as_array(
                one.astype(default_float()) if isinstance(one, numpy.ndarray) and bare else one
            )
            for one, bare in zip(given, is_default)
            if not isinstance(one, str)
        ]
        arrays = alike(arrays)
        return moved(lambda *places: self._joiner[(*words, *places)], *arrays)


mgrid: Final = Grid(numpy.mgrid)
ogrid: Final = Grid(numpy.ogrid)
r_: Final = Joiner(numpy.r_)
c_: Final = Joiner(numpy.c_)


@explained
def ndenumerate(arr: ArrayLike) -> Any:
    """Iterate over indices and values; recorded.

    Returns
    -------
    iterator of (tuple of int, 0-d ndarray)

    Examples
    --------
    >>> from gluon import np
    >>> list(np.ndenumerate(np.array([5, 6])))
    [((0,), array(5.)), ((1,), array(6.))]
    """
    arr = as_array(arr)
    return ((place, ops.getitem(arr, key=place)) for place in numpy.ndindex(*arr.shape))
