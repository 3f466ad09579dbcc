"""Reductions. Axes are an attribute in older files and an input in newer ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import np
from ..._core.arrays.rebind import is_recorded
from .table import FLOATS, FUNCTIONS, axes_of, implements, whole


def _reduction(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Create an operator of ONNX from ``compute(x, axis, keepdims)``."""

    def reduced(
        data: Any, axes: Any = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
    ) -> Any:
        if not whole(axes) and noop_with_empty_axes:
            return compute(np.expand_dims(data, 0), 0, False)
        return compute(data, axes_of(data, axes), bool(keepdims)).astype(data.dtype, copy=False)

    return reduced


def _length(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return the root of the sum of squares, whose gradient at 0 is 0, as in PyTorch."""
    squares = np.sum(x * x, axis, keepdims=keepdims)
    none = np.equal(squares, 0)
    return np.where(none, squares, np.sqrt(np.where(none, np.ones_like(squares), squares)))


def _log_sum_exp(x: Any, axis: Any, keepdims: bool) -> Any:
    if not x.size:
        return np.log(np.sum(np.exp(x), axis, keepdims=keepdims))
    largest = np.max(x.detach(), axis, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, np.zeros_like(largest))
    rest = np.log(np.sum(np.exp(x - largest), axis, keepdims=keepdims))
    return rest + (largest if keepdims else np.squeeze(largest, axis))


def _shared(y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return the extreme `y` of `x`; equal values share its gradient, as in other frameworks.

    In MXNet each of them receives all of it.
    """
    value = y.detach()
    found = value if keepdims else np.expand_dims(value, axis)
    ties = np.sum(np.equal(x.detach(), found), axis, keepdims=keepdims, dtype=x.dtype)
    finite, none = np.isfinite(value), np.zeros_like(value)
    away = np.where(finite, y, none) - np.where(finite, value, none)  # 0, with a gradient
    return np.where(finite, value, y) + away / np.maximum(ties, 1)


def _extreme(function: Callable[..., Any], of_none: float) -> Callable[..., Any]:
    """Return the maximum or minimum; for no values, `of_none` or the closest number."""

    def compute(x: Any, axis: Any, keepdims: bool) -> Any:
        if x.dtype == bool:
            x = x.astype("uint8")
        if x.size:
            y = function(x, axis, keepdims=keepdims)
            return _shared(y, x, axis, keepdims) if is_recorded(y) else y
        empty = np.sum(x, axis, keepdims=keepdims, dtype=x.dtype)
        if x.dtype.kind in FLOATS:
            return empty + of_none
        limits = np.iinfo(x.dtype)
        return empty + (limits.min if of_none < 0 else limits.max)

    return compute


FUNCTIONS |= {
    "ReduceL1": _reduction(lambda x, axis, keep: np.sum(np.abs(x), axis, keepdims=keep)),
    "ReduceL2": _reduction(_length),
    "ReduceLogSum": _reduction(lambda x, axis, keep: np.log(np.sum(x, axis, keepdims=keep))),
    "ReduceLogSumExp": _reduction(_log_sum_exp),
    "ReduceMax": _reduction(_extreme(np.max, -np.inf)),
    "ReduceMean": _reduction(lambda x, axis, keep: np.mean(x, axis, keepdims=keep)),
    "ReduceMin": _reduction(_extreme(np.min, np.inf)),
    "ReduceProd": _reduction(lambda x, axis, keep: np.prod(x, axis, keepdims=keep)),
    "ReduceSum": _reduction(lambda x, axis, keep: np.sum(x, axis, keepdims=keep)),
    "ReduceSumSquare": _reduction(lambda x, axis, keep: np.sum(x * x, axis, keepdims=keep)),
}


def _place(
    find: Callable[..., Any], data: Any, axis: int, keepdims: int, select_last_index: int
) -> Any:
    if select_last_index:
        found = data.shape[axis] - 1 - find(np.flip(data, axis), axis)
    else:
        found = find(data, axis)
    found = found.astype("int64", copy=False)
    return np.expand_dims(found, axis) if keepdims else found


@implements
def ArgMax(data: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    return _place(np.argmax, data, axis, keepdims, select_last_index)


@implements
def ArgMin(data: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
    return _place(np.argmin, data, axis, keepdims, select_last_index)
