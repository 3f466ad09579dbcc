"""`nd`: aggregates: moments, sums of squares, and checks for finite values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.arrays.base import A
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.faces.kinds import reduces
from .._core.kernels.linalg import is_half, wide
from ._public import at_least_1d, public
from .reduce import chosen_axes


@reduces
@public
def moments(
    data: A,
    axes: int | Sequence[int] | None = None,
    keepdims: bool = False,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """The mean and the population variance over `axes`.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    axes : int or tuple of int, optional
        Counted from the end if negative; all by default.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.

    Returns
    -------
    list of two NDArrays of the shape without `axes`, of shape (1,) where no axis is left
        In the dtype of `data`: moments of integers drop the fraction.

    Raises
    ------
    ArgumentError
        If an axis is given twice.
    DTypeError
        If `data` is not an NDArray, or `axes` is neither an integer nor a tuple of integers.
    IndexRangeError
        If the axis is out of range for `data`.

    Examples
    --------
    >>> from gluon import nd
    >>> mean, var = nd.moments(nd.array([[1, 3], [2, 6]]), axes=1)
    >>> mean.asnumpy(), var.asnumpy()
    (array([2., 4.], dtype=float32), array([1., 4.], dtype=float32))
    """
    axis = chosen_axes("moments", axes, data.ndim)
    dtype = data.form.dtype
    wider = ops.cast(data, dtype=wide(dtype)) if is_half(dtype) else data
    centred = ops.subtract(wider, ops.mean(wider, axis=axis, keepdims=True))
    mean = ops.mean(wider, axis=axis, keepdims=bool(keepdims))
    var = ops.mean(ops.square(centred), axis=axis, keepdims=bool(keepdims))
    if mean.form.dtype != dtype:
        mean, var = (ops.cast(moment, dtype=dtype) for moment in (mean, var))
    return [at_least_1d(mean), at_least_1d(var)]


def _counted(name: str, data: tuple[Any, ...], num_arrays: Any) -> None:
    """Raise if there are no arrays, or not as many as stated."""
    if not data or num_arrays not in (None, len(data)):
        raise ArgumentError(
            f"{name}: num_arrays={num_arrays}, but {len(data)} arrays are given; give one or more,"
            " and their number or none"
        )


def _as_single(x: A) -> A:
    return x if x.form.dtype == "float32" else ops.cast(x, dtype="float32")


@public
def multi_sum_sq(
    *data: A,
    num_arrays: int | None = None,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The sum of the squares of each array.

    Parameters
    ----------
    *data : NDArray of any shape and dtype
        One or more.
    num_arrays : int, optional
        The number of arrays; checked if given.

    Returns
    -------
    NDArray of shape (number of arrays,)
        float32; the squares are also summed in float32.

    Raises
    ------
    ArgumentError
        If there is no array, or not `num_arrays` of them.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.multi_sum_sq(nd.array([3, 4]), nd.array([[2]]), num_arrays=2).asnumpy()
    array([25.,  4.], dtype=float32)
    """
    _counted("multi_sum_sq", data, num_arrays)
    return ops.stack(*(ops.sum_squares(_as_single(x)) for x in data), axis=0)


@public
def multi_all_finite(
    *data: A,
    num_arrays: int | None = None,
    init_output: bool = True,
    num_args: int | None = None,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """1 when no value of any array is infinite or NaN, else 0.

    Parameters
    ----------
    *data : NDArray of any shape and dtype
        One or more.
    num_arrays : int, optional
        The number of arrays; checked if given.
    init_output : bool, default True
        False, which combines the result with the value of `out`, is not supported.

    Returns
    -------
    NDArray of shape (1,)
        float32, without gradient.

    Raises
    ------
    ArgumentError
        If there is no array, or not `num_arrays` of them, or ``init_output=False``.
    DTypeError
        If an argument is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.multi_all_finite(nd.array([1, 2]), nd.array([[3]]), num_arrays=2).asnumpy()
    array([1.], dtype=float32)
    """
    _counted("multi_all_finite", data, num_arrays)
    return _finite("multi_all_finite", data, init_output)


def _finite(name: str, data: tuple[A, ...], init_output: bool) -> A:
    if not init_output:
        raise ArgumentError(f"{name}: init_output=False is not available; multiply the results")
    finite = ops.stack(*(ops.all(ops.isfinite(x)) for x in data), axis=0)
    return at_least_1d(ops.cast(ops.all(finite), dtype="float32"))


@public
def all_finite(
    data: A, init_output: bool = True, out: A | None = None, name: str | None = None
) -> A:
    """1 when no value is infinite or NaN, else 0.

    Parameters
    ----------
    data : NDArray of any shape and dtype
    init_output : bool, default True
        False, which combines the result with the value of `out`, is not supported.

    Returns
    -------
    NDArray of shape (1,)
        float32, without gradient.

    Raises
    ------
    ArgumentError
        For ``init_output=False``.
    DTypeError
        If `data` is not an NDArray.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.all_finite(nd.array([1, float("inf")])).asnumpy()
    array([0.], dtype=float32)
    """
    return _finite("all_finite", (data,), init_output)
