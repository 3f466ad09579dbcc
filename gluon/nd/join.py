"""`nd`: functions that join, repeat and split arrays."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from operator import index
from typing import Any, Final

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, IndexRangeError
from ._checks import check_choice, places, whole
from ._public import alias, public, with_zero_gradients

Shape = Sequence[int]


def _arrays(name: str, data: tuple[Any, ...]) -> tuple[Any, ...]:
    arrays = tuple(data[0]) if len(data) == 1 and isinstance(data[0], (list, tuple)) else data
    if not arrays:
        raise ArgumentError(f"{name}: give at least one NDArray")
    return arrays


@public
def concat(
    *data: A,
    dim: int = 1,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Join arrays along an axis.

    Parameters
    ----------
    *data : NDArray of any dtype
        One or more, or a list of them, of equal shapes except for axis `dim`.
    dim : int, default 1
        Counted from the end if negative.

    Returns
    -------
    NDArray
        Of their shape except for axis `dim`, which is the sum of theirs; in the dtype that NumPy
        promotes theirs to.

    Raises
    ------
    ArgumentError
        If the other lengths differ, or there is no array.
    DTypeError
        If an argument is not an NDArray.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.concat(nd.array([[1], [2]]), nd.array([[3, 4], [5, 6]])).asnumpy()
    array([[1., 3., 4.],
           [2., 5., 6.]], dtype=float32)
    """
    return ops.concat(*_arrays("concat", data), axis=dim)


Concat: Final = alias("Concat", concat)


@public
def concatenate(
    arrays: Sequence[A],
    axis: int = 0,
    always_copy: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Join arrays along an axis; see `concat`.

    Parameters
    ----------
    arrays : list of NDArray of any dtype
        One or more, of equal shapes except for `axis`.
    axis : int, default 0
        Counted from the end if negative.
    always_copy : bool, default True
        False returns a single array as it is.

    Returns
    -------
    NDArray
        Of their shape except for `axis`, which is the sum of theirs; in the dtype that NumPy
        promotes theirs to.

    Raises
    ------
    ArgumentError
        If the other lengths differ, or there is no array.
    DTypeError
        If an argument is not an NDArray.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.concatenate([nd.array([1, 2]), nd.array([3])]).asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    if len(arrays) == 1 and not always_copy:
        return arrays[0]
    return ops.concat(*_arrays("concatenate", tuple(arrays)), axis=axis)


@public
def stack(
    *data: A,
    axis: int = 0,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Join arrays of equal shape along a new axis.

    Parameters
    ----------
    *data : NDArray of equal shape
        One or more, or a list of them.
    axis : int, default 0
        The place of the new axis, counted from the end of the result where negative.

    Returns
    -------
    NDArray with one axis more
        In the dtype that NumPy promotes theirs to.

    Raises
    ------
    ArgumentError
        If the shapes differ, or there is no array.
    DTypeError
        If an argument is not an NDArray.
    IndexRangeError
        If the axis is out of range for the result.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.stack(nd.array([1, 2]), nd.array([3, 4]), axis=1).asnumpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    return ops.stack(*_arrays("stack", data), axis=axis)


# ------------------------------------------------------------------------------- splitting


@public
def split(
    data: A,
    num_outputs: int,
    axis: int = 1,
    squeeze_axis: bool = False,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | list[A]:
    """Split an array into equal parts along an axis.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    num_outputs : int
        The number of parts; it must divide the length of `axis`.
    axis : int, default 1
        Counted from the end if negative.
    squeeze_axis : bool, default False
        Drop the axis, which then has length 1 in each part.

    Returns
    -------
    list of NDArray of the same dtype, or NDArray where there is one part
        Of the shape of `data` but for `axis`, which is shorter or gone.

    Raises
    ------
    ArgumentError
        If the length does not divide into equal parts, or `squeeze_axis` is True and a part is
        longer than 1.
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> one, two = nd.split(nd.array([[1, 2], [3, 4]]), num_outputs=2, squeeze_axis=True)
    >>> one.asnumpy(), two.asnumpy()
    (array([1., 3.], dtype=float32), array([2., 4.], dtype=float32))
    """
    (axis,) = places("split", "axis", axis, data.ndim)
    return _parts("split", data, num_outputs, axis, squeeze_axis)


SliceChannel: Final = alias("SliceChannel", split)


@public
def split_v2(
    ary: A,
    indices_or_sections: int | Shape,
    axis: int = 0,
    squeeze_axis: bool = False,
    out: A | Sequence[A] | None = None,
    name: str | None = None,
) -> A | list[A]:
    """Split an array along an axis, into equal parts or at given indices.

    Parameters
    ----------
    ary : NDArray of any shape and dtype
    indices_or_sections : int or tuple of int
        The number of equal parts, or the indices before which to cut, in order.
    axis : int, default 0
        Counted from the end if negative.
    squeeze_axis : bool, default False
        Drop the axis, which then has length 1 in each part.

    Returns
    -------
    list of NDArray of the same dtype, or NDArray where there is one part
        Of the shape of `ary` but for `axis`, which is shorter or gone.

    Raises
    ------
    ArgumentError
        If there are no such parts, or `squeeze_axis` is True and a part does not have length 1.
    DTypeError
        If `ary` is not an NDArray, or a number is not an integer.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> [part.shape for part in nd.split_v2(nd.zeros((6, 2)), 3)]
    [(2, 2), (2, 2), (2, 2)]
    >>> [part.shape for part in nd.split_v2(nd.zeros((6, 2)), (1, 3))]
    [(1, 2), (2, 2), (3, 2)]
    """
    (axis,) = places("split_v2", "axis", axis, ary.ndim)
    if not isinstance(indices_or_sections, (tuple, list)):
        return _parts("split_v2", ary, indices_or_sections, axis, squeeze_axis)
    cuts = whole("split_v2", "indices_or_sections", indices_or_sections)
    if list(cuts) != sorted(cuts) or not all(0 <= cut <= ary.shape[axis] for cut in cuts):
        raise ArgumentError(
            f"split_v2: indices_or_sections={cuts} are not increasing positions on axis {axis} of"
            " length"
            f" {ary.shape[axis]}"
        )
    return _parts("split_v2", ary, list(cuts), axis, squeeze_axis)


def _parts(name: str, data: DeviceArray, sections: Any, axis: int, squeeze: bool) -> Any:
    length = data.shape[axis]
    if not isinstance(sections, list):
        (sections,) = whole(name, "the number of parts", sections)
        if sections < 1 or length % sections:
            raise ArgumentError(
                f"{name}: axis {axis} of length {length} cannot be split into {sections} equal"
                " parts"
            )
    parts = ops.split(data, sections=sections, axis=axis)
    if squeeze:
        parts = [ops.squeeze(part, axis=axis) for part in parts]
    return parts if len(parts) > 1 else parts[0]


# ----------------------------------------------------------------------- repeating, padding


@public
def tile(data: A, reps: int | Shape, out: A | None = None, name: str | None = None) -> A:
    """Repeat the whole array along each axis.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    reps : int or tuple of int
        The number of repetitions along each axis. More numbers than axes add new axes in front;
        with fewer, the numbers are for the last axes.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data`, each length times its number in `reps`.

    Raises
    ------
    ArgumentError
        If a number is negative.
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.tile(nd.array([1, 2]), reps=(2, 2)).asnumpy()
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]], dtype=float32)
    """
    return ops.tile(data, reps=whole("tile", "reps", reps))


@public
def repeat(
    data: A, repeats: int, axis: int | None = None, out: A | None = None, name: str | None = None
) -> A:
    """Repeat each element.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    repeats : int
        How often.
    axis : int, optional
        Along which axis, counted from the end if negative; of the flat array by default.

    Returns
    -------
    NDArray of the same dtype
        Of the same shape except for `axis`, which is longer; of shape (n,) without `axis`.

    Raises
    ------
    ArgumentError
        If `repeats` is below 0.
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.
    IndexRangeError
        If the axis is out of range.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2], [3, 4]])
    >>> nd.repeat(x, 2).asnumpy()
    array([1., 1., 2., 2., 3., 3., 4., 4.], dtype=float32)
    >>> nd.repeat(x, 2, axis=1).asnumpy()
    array([[1., 1., 2., 2.],
           [3., 3., 4., 4.]], dtype=float32)
    """
    (times,) = whole("repeat", "repeats", repeats)
    if times < 0:
        raise ArgumentError(f"repeat: repeats={repeats} must not be negative")
    return ops.repeat(data, repeats=times, axis=axis)


@public
def pad(
    data: A,
    mode: str = "constant",
    pad_width: Shape = (),
    constant_value: float = 0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Pad an array.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    mode : {'constant', 'edge', 'reflect'}
        How to fill the border: with a number, with the value at the edge, or with the values
        mirrored at the edge.
    pad_width : tuple of int
        (before, after) of the first axis, then of the second, …
    constant_value : float, default 0
        The number, in the dtype of `data`.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of `data` with the widths added.

    Raises
    ------
    ArgumentError
        If the mode is not one of these, or `pad_width` does not have two numbers for each axis, or
        one of them is negative, or as long as its axis for ``'reflect'``.
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2, 3]])
    >>> nd.pad(x, mode="constant", pad_width=(0, 1, 1, 0), constant_value=9).asnumpy()
    array([[9., 1., 2., 3.],
           [9., 9., 9., 9.]], dtype=float32)
    >>> nd.pad(x, mode="reflect", pad_width=(0, 0, 2, 1)).asnumpy()
    array([[3., 2., 1., 2., 3., 2.]], dtype=float32)
    """
    check_choice("pad", "mode", mode, ("constant", "edge", "reflect"))
    pad_width = whole("pad", "pad_width", pad_width)
    width = list(zip(pad_width[::2], pad_width[1::2]))
    if len(pad_width) != 2 * data.ndim:
        raise ArgumentError(
            f"pad: pad_width {tuple(pad_width)} for shape {data.shape}; it needs two numbers for"
            " each axis"
        )
    if mode == "reflect" and any(n <= max(pair) for n, pair in zip(data.shape, width)):
        raise ArgumentError(
            f"pad: pad_width={pad_width} for shape {data.shape}; mode='reflect' must add fewer"
            " values than the axis has"
        )
    if mode == "constant":
        return ops.pad(data, width=width, mode=mode, value=constant_value)
    return ops.pad(data, width=width, mode=mode)


Pad: Final = alias("Pad", pad)


# --------------------------------------------------------------------------------- slicing


def _edges(name: str, argument: str, value: Any) -> tuple[Any, ...]:
    """Return the limits of slices: integers, or None for the edge."""
    try:
        ends = value if isinstance(value, (tuple, list)) else (value,)
        return tuple(None if end is None else index(end) for end in ends)
    except TypeError:
        raise DTypeError(f"{name}: {argument}={value!r} is not of integers") from None


@public
def slice(
    data: A,
    begin: Shape,
    end: Shape,
    step: Shape = (),
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Slice several axes: a copy of ``data[b0:e0:s0, b1:e1:s1, …]``.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    begin, end : tuple of int or None
        One each for the first axes. Negative ones count from the end; None is the edge where the
        slice begins or ends in the direction of `step`. Indices outside the array are clipped to
        its edge.
    step : tuple of int or None, optional
        One for each of these axes; 1 by default.

    Returns
    -------
    NDArray of the same dtype
        Its shape is that of the part.

    Raises
    ------
    ArgumentError
        If their lengths differ, there are more numbers than axes, or a step is 0.
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[1, 2, 3], [4, 5, 6]])
    >>> nd.slice(x, begin=(0, 1), end=(2, 3)).asnumpy()
    array([[2., 3.],
           [5., 6.]], dtype=float32)
    >>> nd.slice(x, begin=(1, None), end=(None, None), step=(1, -2)).asnumpy()
    array([[6., 4.]], dtype=float32)
    """
    return ops.getitem(data, key=slices("slice", data.shape, begin, end, step))


crop: Final = alias("crop", slice)


def slices(name: str, shape: tuple[int, ...], begin: Any, end: Any, step: Any) -> tuple[Any, ...]:
    """The index that the function `name` applies to an array of `shape`."""
    parts = [_edges(name, key, value) for key, value in (("begin", begin), ("end", end))]
    steps = _edges(name, "step", () if step is None else step) or (None,) * len(parts[0])
    if not len(parts[0]) == len(parts[1]) == len(steps) <= len(shape):
        raise ArgumentError(
            f"{name}: begin={begin}, end={end} and step={step} for shape {shape}; they need as"
            " many numbers, at most one for each axis"
        )
    if 0 in steps:
        raise ArgumentError(f"{name}: step={step} must not contain 0")
    return tuple(map(builtins.slice, *parts, steps))


@public
def slice_axis(
    data: A, axis: int, begin: int, end: int | None, out: A | None = None, name: str | None = None
) -> A:
    """Slice one axis: a copy of ``begin:end``.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int
        Counted from the end if negative.
    begin : int
    end : int or None
        Counted from the end if negative; None is the edge.

    Returns
    -------
    NDArray of the same dtype
        Of the same shape except for `axis`, which has length `end` - `begin`.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or a number is not an integer.
    IndexRangeError
        If there is no such axis, `begin` or `end` lies outside it, or the slice is empty.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.slice_axis(nd.array([[1, 2, 3], [4, 5, 6]]), axis=1, begin=-2, end=None).asnumpy()
    array([[2., 3.],
           [5., 6.]], dtype=float32)
    """
    (axis,) = places("slice_axis", "axis", axis, data.ndim)
    n = data.shape[axis]
    (first,) = whole("slice_axis", "begin", begin)
    (last,) = (n,) if end is None else whole("slice_axis", "end", end)
    first, last = first + n * (first < 0), last + n * (last < 0)
    if not 0 <= first < last <= n:
        raise IndexRangeError(
            f"slice_axis: begin={begin} and end={end} are empty or out of range for axis {axis} of"
            f" shape {data.shape}"
        )
    key = (builtins.slice(None),) * axis + (builtins.slice(first, last),)
    return ops.getitem(data, key=key)


@public
def slice_like(
    data: A, shape_like: A, axes: int | Shape = (), out: A | None = None, name: str | None = None
) -> A:
    """Slice an array to the shape of another one.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    shape_like : NDArray of any dtype
        Only its shape is used.
    axes : int or tuple of int, optional
        Which axes to cut, counted from the end of `data` where negative; all by default.

    Returns
    -------
    NDArray of the dtype of `data`
        Of the shape of `shape_like`, at the given axes.

    Raises
    ------
    ArgumentError
        If `shape_like` is longer there.
    DTypeError
        If an argument is not an NDArray.
    IndexRangeError
        If an axis is out of range, or the number of axes differs where `axes` are left out.

    Examples
    --------
    >>> from gluon import nd
    >>> x, like = nd.zeros((4, 5)), nd.zeros((2, 3))
    >>> nd.slice_like(x, like).shape, nd.slice_like(x, like, axes=(0,)).shape
    ((2, 3), (2, 5))
    """
    chosen = places("slice_like", "axes", () if axes is None else axes, data.ndim)
    all_axes = not chosen
    chosen = chosen or tuple(range(data.ndim))
    if (all_axes and shape_like.ndim != data.ndim) or max(chosen, default=-1) >= shape_like.ndim:
        raise IndexRangeError(
            f"slice_like: axes={axes} are out of range for shapes {data.shape} and"
            f" {shape_like.shape}"
        )
    if any(shape_like.shape[a] > data.shape[a] for a in chosen):
        raise ArgumentError(
            f"slice_like: shape {data.shape} is shorter than {shape_like.shape} on axes {chosen}"
        )
    key = [builtins.slice(None)] * data.ndim
    for a in chosen:
        key[a] = builtins.slice(0, shape_like.shape[a])
    return with_zero_gradients(ops.getitem(data, key=tuple(key)), shape_like)
