"""`np`: joining and splitting arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy

from .._core.arrays.dtypes import as_numpy_dtype, check_casting
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, IndexRangeError
from .._core.faces.prototype import T
from .._core.kernels.memory import on_host
from ._promote import alike
from ._public import as_array, cast, into, public, public_like, whole
from .shape import atleast_1d, atleast_2d, atleast_3d
from .sorting import lined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from ._array import ndarray


def _several(arrays: Any, dtype: Any = None, casting: str = "same_kind") -> list[ndarray]:
    """Return the arrays to join, in one dtype."""
    if isinstance(arrays, Array):
        arrays = list(as_array(arrays))
    if not len(arrays):
        raise ArgumentError("give at least one array to join")
    if dtype is None:
        return alike(arrays)
    found, wanted = [as_array(x) for x in arrays], as_numpy_dtype(dtype)
    for x in found:
        check_casting("dtype", x.dtype, wanted, casting)
    return [cast(x, wanted) for x in found]


@public
def concatenate(
    seq: Sequence[ArrayLike],
    axis: int | None = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """Join arrays along an existing axis.

    Parameters
    ----------
    seq : sequence of array_like of one axis or more, of any dtypes
        Of equal shapes except for the axis.
    axis : int or None, default 0
        None flattens the arrays first.
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    dtype : str or numpy type, optional
        By default the one that the arrays promote to.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` and `dtype` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    ndarray with the same number of axes, of `dtype`

    Raises
    ------
    ArgumentError
        If the shapes do not fit, or there is no array.
    DTypeError
        If `casting` rules a dtype out.

    Examples
    --------
    >>> from gluon import np
    >>> np.concatenate([np.ones(2), np.zeros(1)])
    array([1., 1., 0.])
    """
    arrays = _several(seq, dtype, casting)
    if axis is None:
        arrays, axis = [ops.reshape(x, shape=(-1,)) for x in arrays], 0
    return into(out, ops.concat(*arrays, axis=whole(axis, "axis")), casting)


concat = concatenate


@public
def stack(
    arrays: Sequence[ArrayLike],
    axis: int = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """Join arrays of equal shape along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like of one shape, of any dtypes
    axis : int, default 0
        The position of the new axis in the result.
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    dtype : str or numpy type, optional
        By default the one that the arrays promote to.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` and `dtype` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    ndarray with one axis more than the arrays, of `dtype`

    Raises
    ------
    ArgumentError
        If the shapes differ, or there is no array.
    DTypeError
        If `casting` rules a dtype out.

    Examples
    --------
    >>> from gluon import np
    >>> np.stack([np.ones(2), np.zeros(2)], axis=1)
    array([[1., 0.],
           [1., 0.]])
    """
    found = _several(arrays, dtype, casting)
    return into(out, ops.stack(*found, axis=whole(axis, "axis")), casting)


def joined(
    arrays: Sequence[ArrayLike],
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> ndarray:
    """Join arrays along an axis.

    Parameters
    ----------
    arrays : sequence of array_like of one shape, of any dtypes
    out : ndarray of the shape of the result, optional
        Where to write it; `casting` must allow its dtype.
    dtype : str or numpy type, optional
        By default the one that the arrays promote to.
    casting : {'same_kind', 'no', 'equiv', 'safe', 'unsafe'}
        Which casts to `out` and `dtype` are allowed, as in `numpy.can_cast`.

    Returns
    -------
    ndarray of the joined shape, of `dtype`

    Raises
    ------
    ArgumentError
        If the shapes do not fit, or there is no array.
    DTypeError
        If `casting` rules a dtype out.
    """
    raise NotImplementedError


def _joiner(like: T, name: str, prepare: Callable, axis: Any, title: str, result: str) -> T:
    """Create a function that joins `prepare(x)` of each array along `axis`."""

    def call(
        arrays: Any, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
    ) -> ndarray:
        if out is not None and hasattr(arrays, "shape"):
            raise ArgumentError(f"{name}: give the arrays as one list, as in {name}([a, b])")
        found = [prepare(x) for x in _several(arrays, dtype, casting)]
        along = axis(found[0]) if callable(axis) else axis
        return into(out, ops.concat(*found, axis=along), casting)

    code = f"np.{name}([np.array([1, 2]), np.array([3, 4])])"
    return public_like(like, call, name, title, code, f"array({result})")


def _column(x: ndarray) -> ndarray:
    return ops.reshape(x, shape=(-1, 1)) if x.ndim < 2 else x


ROWS = "[[1., 2.],\n       [3., 4.]]"
COLUMNS = "[[1., 3.],\n       [2., 4.]]"
DEEP = "[[[1., 3.],\n        [2., 4.]]]"
vstack: Final = _joiner(joined, "vstack", atleast_2d, 0, "Join arrays as rows", ROWS)
row_stack = vstack
hstack: Final = _joiner(
    joined,
    "hstack",
    atleast_1d,
    lambda x: int(x.ndim > 1),
    title="Join arrays along their second axis, or vectors along their only one",
    result="[1., 2., 3., 4.]",
)
dstack: Final = _joiner(joined, "dstack", atleast_3d, 2, "Join arrays along their third axis", DEEP)
column_stack: Final = _joiner(
    joined,
    "column_stack",
    _column,
    1,
    title="Join vectors and matrices as columns",
    result=COLUMNS,
)


# ----------------------------------------------------------------------------------- cutting


def _places(n: int, sections: Any, even: bool) -> list[int]:
    """Return the positions at which an axis of length `n` is cut."""
    if isinstance(sections, Array):
        sections = sections.raw.tolist()
    if isinstance(sections, (list, tuple, numpy.ndarray)):
        return [whole(place, "a place to split at") for place in sections]
    parts = whole(sections, "the number of parts")
    if parts < 1:
        raise ArgumentError(f"{parts} parts; give 1 or more")
    if even and n % parts:
        raise ArgumentError(
            f"an axis of length {n} cannot be split into {parts} equal parts; np.array_split makes"
            " them unequal"
        )
    size, more = divmod(n, parts)
    return numpy.cumsum([size + (k < more) for k in range(parts - 1)]).tolist()


def _cut(ary: Any, sections: Any, axis: int, even: bool) -> list[ndarray]:
    ary, axis = as_array(ary), whole(axis, "axis")
    if not -ary.ndim <= axis < ary.ndim:
        raise IndexRangeError(f"axis {axis} is out of range for {ary.ndim} axes")
    return ops.split(ary, sections=_places(ary.shape[axis], sections, even), axis=axis)


@public
def split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[ndarray]:
    """Split an array into parts along an axis.

    Parameters
    ----------
    ary : array_like of one axis or more, of any dtype
    indices_or_sections : int or sequence of int
        The number of equal parts, or the indices to cut at.
    axis : int, default 0

    Returns
    -------
    list of ndarray of the dtype of `ary`, with the same number of axes

    Raises
    ------
    ArgumentError
        If the axis cannot be split into equal parts.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.split(np.arange(4), 2), np.split(np.arange(3), [1])
    ([array([0., 1.]), array([2., 3.])], [array([0.]), array([1., 2.])])
    """
    return _cut(ary, indices_or_sections, axis, True)


@public
def array_split(
    ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0
) -> list[ndarray]:
    """Split an array into nearly equal parts along an axis.

    Parameters
    ----------
    ary : array_like of one axis or more, of any dtype
    indices_or_sections : int or sequence of int
        The number of parts, or the indices to cut at.
    axis : int, default 0

    Returns
    -------
    list of ndarray of the dtype of `ary`, with the same number of axes

    Raises
    ------
    ArgumentError
        If the number is below 1.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.array_split(np.arange(3), 2)
    [array([0., 1.]), array([2.])]
    """
    return _cut(ary, indices_or_sections, axis, False)


def cut(ary: ArrayLike, indices_or_sections: int | Sequence[int]) -> list[ndarray]:
    """Split an array into parts along an axis.

    Parameters
    ----------
    ary : array_like of one axis or more, of any dtype
    indices_or_sections : int or sequence of int
        The number of equal parts, or the indices to cut at.

    Returns
    -------
    list of ndarray of the dtype of `ary`, with the same number of axes

    Raises
    ------
    ArgumentError
        If the axis cannot be split into equal parts, or there are too few axes.
    """
    raise NotImplementedError


def _splitter(like: T, name: str, axis: int, least: int, place: str) -> T:
    def call(ary: Any, indices_or_sections: Any) -> list[ndarray]:
        ary = as_array(ary)
        if ary.ndim < least:
            raise ArgumentError(f"an array of shape {ary.shape} has fewer than {least} axes")
        along = 0 if name == "hsplit" and ary.ndim == 1 else axis
        return _cut(ary, indices_or_sections, along, True)

    title = f"Split an array along its {place}"
    code = f"[x.shape for x in np.{name}(np.ones((4, 4, 4)), 2)]"
    shape = tuple(2 if k == axis else 4 for k in range(3))
    return public_like(like, call, name, title, code, str([shape, shape]))


vsplit: Final = _splitter(cut, "vsplit", 0, 2, "first axis")
hsplit: Final = _splitter(cut, "hsplit", 1, 1, "second axis, or a vector along its only one")
dsplit: Final = _splitter(cut, "dsplit", 2, 3, "third axis")


@public
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[ndarray, ...]:
    """Split an array along an axis into arrays without that axis.

    Parameters
    ----------
    x : array_like of one axis or more, of any dtype
    axis : int, default 0

    Returns
    -------
    tuple of ndarray of the dtype of `x`, with one axis less

    Raises
    ------
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import np
    >>> np.unstack(np.array([[1, 2], [3, 4]]))
    (array([1., 2.]), array([3., 4.]))
    """
    x = as_array(x)
    return tuple(ops.unstack(x, axis=axis)) if x.shape[axis] else ()


# ---------------------------------------------------------------------- adding, taking away


@public
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> ndarray:
    """Append values to the end of an array.

    Parameters
    ----------
    arr, values : array_like of any dtype, of any shape without `axis`
    axis : int, optional
        By default the arrays are flattened first.

    Returns
    -------
    ndarray with the same number of axes, or of one axis without `axis`
        Of the dtype that both promote to.

    Raises
    ------
    ArgumentError
        If the shapes do not fit.

    Examples
    --------
    >>> from gluon import np
    >>> np.append(np.array([1, 2]), np.array([3]))
    array([1., 2., 3.])
    """
    return concatenate([arr, values], axis)


@public
def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> ndarray:
    """Delete slices along an axis by index.

    Parameters
    ----------
    arr : array_like of one axis or more, of any dtype
    obj : int, slice, or array_like of int or bool, of one axis
        The indices to delete. Where the axis has no values, an array may have any.
    axis : int, optional
        By default the flattened array is used.

    Returns
    -------
    ndarray of the same dtype

    Raises
    ------
    IndexRangeError
        If there is no such index or axis.

    Examples
    --------
    >>> from gluon import np
    >>> np.delete(np.arange(4), [0, 2])
    array([1., 3.])
    """
    arr, axis = _line(arr, axis)
    places, length = _index(obj), arr.shape[axis]
    if length == 0 and numpy.ndim(places):  # nothing to delete, as in MXNet
        places = places[:0]
    return ops.delete(arr, places=_together(places, length), axis=axis)


@public
def insert(arr: ArrayLike, obj: Any, values: Any, axis: int | None = None) -> ndarray:
    """Insert values along an axis before given indices; recorded in both.

    Parameters
    ----------
    arr : array_like of one axis or more, of any dtype
    obj : int, slice, or array_like of int, of one axis
        The indices before which to insert.
    values : array_like of any dtype
        They broadcast to the shape of the indices.
    axis : int, optional
        By default the flattened array is used.

    Returns
    -------
    ndarray of the dtype of `arr`

    Raises
    ------
    IndexRangeError
        If there is no such index or axis.

    Examples
    --------
    >>> from gluon import np
    >>> np.insert(np.array([1, 2]), 1, 9)
    array([1., 9., 2.])
    """
    arr, axis = _line(arr, axis)
    values = cast(as_array(values), arr.dtype)
    shape, ndim = list(arr.shape), arr.ndim
    index = _before(_index(obj), shape[axis], axis)
    places: Any = index.ravel()
    if index.size == 1:
        values = ops.reshape(values, shape=(1,) * (ndim - values.ndim) + values.shape)
        if not index.ndim:  # like x[:, 0] = values, unlike x[:, [0]] = values
            values = ops.transpose(values, axes=[*range(1, axis + 1), 0, *range(axis + 1, ndim)])
        start, shape[axis] = index.item(), values.shape[axis]
        places = slice(start, start + shape[axis])
    else:
        places[places.argsort(kind="stable")] += numpy.arange(places.size)
        shape[axis] = places.size
        if values.ndim > ndim and set(values.shape[:-ndim]) == {1}:
            values = ops.reshape(values, shape=values.shape[-ndim:])
    values = ops.broadcast_to(values, shape=tuple(shape))
    return ops.insert(arr, values, places=places, axis=axis)


def _line(arr: Any, axis: int | None) -> tuple[ndarray, int]:
    arr, axis = lined(arr, axis)
    return arr, axis % arr.ndim


def _index(obj: Any) -> Any:
    """Return the positions for `delete` and `insert`: here, floats are treated as integers."""
    if isinstance(obj, slice):
        return obj
    raw = numpy.asarray(on_host(obj.raw) if isinstance(obj, Array) else obj)
    return raw if raw.dtype.kind in "biu" else raw.astype(numpy.int64)


def _together(places: Any, n: int) -> Any:
    """Return positions on an axis of length `n`; a slice if adjacent, which is faster."""
    if isinstance(places, slice):
        found = range(n)[places]
        if abs(found.step) > 1:
            return numpy.array(found)
        return slice(min(found), max(found) + 1) if found else slice(0, 0)
    if places.size != 1 or places.dtype == bool:
        return places.copy()
    place = range(n)[places.item()]
    return slice(place, place + 1)


def _before(places: Any, n: int, axis: int) -> Any:
    """Return the positions on an axis of length `n`, or its end, before which to insert."""
    if isinstance(places, slice):
        return numpy.arange(n)[places]
    if places.dtype == bool:
        places = places.nonzero()[0]
    if places.ndim > 1:
        raise ArgumentError(f"obj of shape {places.shape} has more than one axis")
    if places.size and not -n <= places.min() <= places.max() <= n:
        raise IndexRangeError(
            f"obj={places.tolist()} is out of range for axis {axis} of length {n}"
        )
    return numpy.where(places < 0, places + n, places).astype(numpy.intp)
