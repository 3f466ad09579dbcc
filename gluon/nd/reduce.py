"""`nd`: reductions. A reduction of all axes returns shape (1,), as in MXNet."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any, Final

import numpy as np

from .._core.arrays.base import A
from .._core.arrays.dtypes import as_dtype
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError, IndexRangeError, warn_caller
from .._core.faces.errors import not_an_array
from .._core.faces.kinds import reduces
from .._core.faces.prototype import T
from .._core.faces.text import WHOLES, flag, read
from .._core.hints.lookup import refuse
from ._public import ND, at_least_1d, public, write

Axis = int | tuple[int, ...] | None


def chosen_axes(name: str, axis: Any, ndim: int, exclude: bool = False) -> Axis:
    """`axis` as the kernels take it: None for all, never empty, never negative."""
    if axis is None:
        return None
    if type(axis) is int and 0 <= axis < ndim and exclude is False:
        return (axis,)
    try:
        axes = (index(axis),) if not isinstance(axis, (tuple, list)) else tuple(map(index, axis))
    except TypeError:
        if isinstance(axis, str):
            return chosen_axes(name, read(WHOLES, name, "axis", axis), ndim, exclude)
        raise DTypeError(
            f"{name}: axis={axis!r} is neither an integer nor a tuple of them"
        ) from None
    if not axes:
        return None
    axes = tuple([a % ndim if -ndim <= a < ndim else a for a in axes])
    if exclude is False or not flag(name, "exclude", exclude):
        return axes
    if not set(axes) <= set(range(ndim)):
        raise IndexRangeError(f"{name}: axis={axis} is out of range for an array with {ndim} axes")
    if len(set(axes)) < len(axes):
        raise ArgumentError(f"{name}: axis={axis} names an axis twice")
    return tuple(a for a in range(ndim) if a not in axes)


def reduced(
    data: A,
    axis: Axis = None,
    keepdims: bool = False,
    exclude: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """A reduction over axes.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axis : int or tuple of int, optional
        The axes to reduce, counted from the end if negative; all by default.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.
    exclude : bool, default False
        Reduce all axes but `axis`.

    Returns
    -------
    NDArray of the shape without `axis`, of shape (1,) where no axis is left
        In the dtype of `data`; integers wrap when they overflow.

    Raises
    ------
    DTypeError
        If `data` is not an NDArray, or `axis` is neither an integer nor a tuple of integers.
    IndexRangeError
        If the axis is out of range for `data`.
    ArgumentError
        If an axis is given twice{empty}.
    """
    raise NotImplementedError


#: A further reason, for reductions without a result for no values.
EMPTY = ", or an axis of length 0 has no such value"


def _placed(name: str, axis: Any, by_place: tuple[Any, ...], given: tuple[Any, ...]) -> Any:
    """The four arguments after `axis`, the first ones of which are given by place."""
    if len(by_place) > len(given):
        raise DTypeError(
            f"{name}: too many arguments; it takes data, axis, keepdims, exclude, out, and several"
            " axes as one tuple"
        )
    first = by_place[0]
    if type(first) is int and type(axis) is int and axis != first:
        way_out = f"several axes are one tuple, axis={(axis, first)}"
        if first not in (0, 1):
            raise DTypeError(f"{name}: keepdims={first} is neither True nor False; {way_out}")
        warn_caller(
            f"{name}: the number {first} after axis={axis} is keepdims, as in MXNet; {way_out}, and"
            f" keepdims is written as {bool(first)}"
        )
    return by_place + given[len(by_place) :]


def _reduction(
    like: T, op: Callable[..., Any], name: str, row: str, result: str, empty: str = ""
) -> T:
    """Create a reduction; in its example, `row` and [3, 4] are reduced over axis 1."""

    def call(
        data: Any,
        axis: Axis = None,
        *by_place: Any,
        keepdims: bool = False,
        exclude: bool = False,
        out: Any = None,
        name: str | None = None,
        **others: Any,
    ) -> Any:
        if by_place:
            given = keepdims, exclude, out, name
            keepdims, exclude, out, name = _placed(call.__name__, axis, by_place, given)
        if others and others != {"dtype": None}:  # numpy.mean(x) passes dtype=None
            refuse(call, others)
        try:
            axes = chosen_axes(call.__name__, axis, data.form.ndim, exclude)
        except AttributeError as error:
            raise not_an_array(call.__name__, (data,), {}, error) from None
        if keepdims is True or (
            keepdims is not False and flag(call.__name__, "keepdims", keepdims)
        ):
            y = op(data, axis=axes, keepdims=True)
        elif axes is None:
            y = op(data, at_least_1d=True)
        else:
            y = op(data, axis=axes, at_least_1d=True)
        if y.form.dtype is not data.form.dtype:
            y = ops.cast(y, dtype=data.form.dtype)  # the result of integers is integers
        return y if out is None else write(out, y, call.__name__)

    given = f"nd.array([{row}, [3, 4]]), axis=1"
    return ND.made(like, call, name, op.__doc__ or "", given, result, "reduce", {"empty": empty})


sum: Final = _reduction(reduced, ops.sum, "sum", "[1, 2]", "[3., 7.]")
sum_axis: Final = _reduction(reduced, ops.sum, "sum_axis", "[1, 2]", "[3., 7.]")
mean: Final = _reduction(reduced, ops.mean, "mean", "[1, 2]", "[1.5, 3.5]")
prod: Final = _reduction(reduced, ops.prod, "prod", "[1, 2]", "[ 2., 12.]")
max: Final = _reduction(reduced, ops.max, "max", "[1, 2]", "[2., 4.]", EMPTY)
max_axis: Final = _reduction(reduced, ops.max, "max_axis", "[1, 2]", "[2., 4.]", EMPTY)
min: Final = _reduction(reduced, ops.min, "min", "[1, 2]", "[1., 3.]", EMPTY)
min_axis: Final = _reduction(reduced, ops.min, "min_axis", "[1, 2]", "[1., 3.]", EMPTY)
nansum: Final = _reduction(reduced, ops.nansum, "nansum", "[1, float('nan')]", "[1., 7.]")
nanprod: Final = _reduction(reduced, ops.nanprod, "nanprod", "[1, float('nan')]", "[ 1., 12.]")


@reduces
@public
def norm(
    data: A,
    ord: int = 2,
    axis: Axis = None,
    out_dtype: Any = None,
    keepdims: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The norm: `ord` 1 sums ``abs(x)``, and 2 is the square root of the sum of squares.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    ord : {1, 2}
    axis : int or tuple of int, optional
        The axes to reduce, counted from the end if negative; all by default.
    out_dtype : str, optional
        Of the result; that of `data` by default.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.

    Returns
    -------
    NDArray of the shape without `axis`, of shape (1,) where no axis is left
        Squares neither overflow nor underflow in between. The subgradient of the 2-norm at 0 is 0.

    Raises
    ------
    ArgumentError
        If `ord` is neither 1 nor 2, or an axis is given twice.
    DTypeError
        If `data` is not an NDArray, or `axis` is neither an integer nor a tuple of integers.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([[3, -4], [0, 2]])
    >>> nd.norm(x, axis=1).asnumpy()
    array([5., 2.], dtype=float32)
    >>> nd.norm(x, ord=1).asnumpy()
    array([9.], dtype=float32)
    """
    axes = chosen_axes("norm", axis, data.form.ndim)
    y = ops.norm(data, ord=ord, axis=axes, keepdims=bool(keepdims), at_least_1d=True)
    return y if out_dtype is None else ops.cast(y, dtype=as_dtype(out_dtype))


def placed(
    data: A,
    axis: int | None = None,
    keepdims: bool = False,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The place of a value.

    Parameters
    ----------
    data : NDArray of numbers, of any shape
    axis : int, optional
        The axis to reduce, counted from the end if negative. By default the result is an index
        into the flattened array.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.

    Returns
    -------
    NDArray of the shape without `axis`, of shape (1,) where no axis is left
        Indices in the dtype of `data`, without gradient: of the first of equal values, or of the
        first NaN.

    Raises
    ------
    ArgumentError
        If there are no values, or the dtype of `data` cannot hold an index.
    DTypeError
        If `data` is not an NDArray, or boolean, or `axis` is not an integer.
    IndexRangeError
        If the axis is out of range for `data`.
    """
    raise NotImplementedError


def _place(like: T, op: Callable[..., Any], result: str) -> T:
    operator = op.__name__

    def call(
        data: A,
        axis: int | None = None,
        keepdims: bool = False,
        out: A | None = None,
        name: str | None = None,
    ) -> A:
        raw = data.raw
        if axis is not None and not isinstance(axis, (int, np.integer)):
            raise DTypeError(f"{operator}: axis={axis!r} is not an integer, nor None")
        places = op(data, axis=axis, keepdims=bool(keepdims))
        count = raw.size if axis is None else raw.shape[axis]
        last = last_place(raw.dtype)
        if count - 1 > last and (places.raw > last).any():
            raise ArgumentError(
                f"{operator}: {raw.dtype} cannot hold index {places.raw.max()} of {count}; cast"
                " the data to float32 or int32 first"
            )
        return at_least_1d(ops.cast(places, dtype=raw.dtype))

    given = "nd.array([[1, 3, 2], [5, 4, 4]]), axis=1"
    return reduces(public(ND.made(like, call, operator, op.__doc__ or "", given, result)))


@cache
def last_place(dtype: Any) -> int:
    """The largest integer up to which a dtype holds them all."""
    if dtype.kind == "b":
        raise DTypeError("booleans cannot hold indices; cast the data to numbers first")
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).max)
    return 2 ** (8 if dtype.kind == "V" else np.finfo(dtype).nmant + 1)  # "V" is bfloat16


argmax: Final = _place(placed, ops.argmax, "[1., 0.]")
argmin: Final = _place(placed, ops.argmin, "[0., 1.]")


@public
def argmax_channel(data: A, out: A | None = None, name: str | None = None) -> A:
    """The index of the largest value along axis 1; see `argmax`.

    Parameters
    ----------
    data : NDArray of numbers, of two axes or more

    Returns
    -------
    NDArray of the shape without axis 1
        Indices in the dtype of `data`, without gradient.

    Raises
    ------
    ArgumentError
        If axis 1 is empty, or the dtype of `data` cannot hold an index.
    DTypeError
        If `data` is not an NDArray, or boolean.
    IndexRangeError
        If `data` has no axis 1.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.argmax_channel(nd.array([[1, 3, 2], [5, 4, 4]])).asnumpy()
    array([1., 0.], dtype=float32)
    """
    return argmax(data, axis=1)
