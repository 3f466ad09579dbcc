"""`nd`: what several values amount to: moments, sums of squares, whether all are finite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.errors import ArgumentError
from ..engine.op import RECORDED as F
from ..ndarray import NDArray
from ._public import at_least_1d, public, several


@public
def moments(
    data: NDArray, axes: int | Sequence[int] | None = None, keepdims: bool = False
) -> list[NDArray]:
    """The mean and the variance over `axes`.

    Parameters
    ----------
    data : NDArray
    axes : int or tuple of int, optional
        All by default.
    keepdims : bool, default False

    Returns
    -------
    list of two NDArrays
    """
    axis = None if axes is None else several(axes)
    centred = F.subtract(data, F.mean(data, axis=axis, keepdims=True))
    mean = F.mean(data, axis=axis, keepdims=bool(keepdims))
    var = F.mean(F.square(centred), axis=axis, keepdims=bool(keepdims))
    return [at_least_1d(mean), at_least_1d(var)]


@public
def multi_sum_sq(*data: NDArray, num_arrays: Any = None) -> NDArray:
    """The sum of the squares of each array, float32.

    Parameters
    ----------
    *data : NDArray
    num_arrays
        Ignored.

    Returns
    -------
    NDArray of shape (number of arrays,)
    """
    if not data:
        raise ArgumentError("multi_sum_sq: give at least one NDArray")
    return F.stack(*(F.sum(F.square(F.cast(x, dtype="float32"))) for x in data), axis=0)


@public
def multi_all_finite(*data: NDArray, num_arrays: Any = None, init_output: bool = True) -> NDArray:
    """1 when no value of any array is infinite or NaN, else 0; float32, of shape (1,).

    Parameters
    ----------
    *data : NDArray
    num_arrays, init_output
        Ignored.

    Returns
    -------
    NDArray of shape (1,)
    """
    finite = F.stack(*(F.all(F.isfinite(x)) for x in data), axis=0)
    return at_least_1d(F.cast(F.all(finite), dtype="float32"))


@public
def all_finite(data: NDArray, init_output: bool = True) -> NDArray:
    """1 when no value is infinite or NaN, else 0; see `multi_all_finite`."""
    return multi_all_finite(data)
