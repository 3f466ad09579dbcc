"""Elementwise operators, with broadcasting."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ... import np, npx
from .table import FLOATS, FUNCTIONS, STRING, axes_of, dtype_of, implements, made, number

FUNCTIONS |= {
    "Abs": np.abs,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "And": np.logical_and,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atanh": np.arctanh,
    "BitwiseAnd": np.bitwise_and,
    "BitwiseNot": np.bitwise_not,
    "BitwiseOr": np.bitwise_or,
    "BitwiseXor": np.bitwise_xor,
    "Ceil": np.ceil,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Equal": np.equal,
    "Erf": npx.erf,
    "Exp": np.exp,
    "Floor": np.floor,
    "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal,
    "IsNaN": np.isnan,
    "Less": np.less,
    "LessOrEqual": np.less_equal,
    "Log": np.log,
    "Mul": np.multiply,
    "Neg": np.negative,
    "Not": np.logical_not,
    "Or": np.logical_or,
    "Reciprocal": np.reciprocal,
    "Round": np.rint,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "Sqrt": np.sqrt,
    "Sub": np.subtract,
    "Tan": np.tan,
    "Tanh": np.tanh,
    "Where": np.where,
    "Xor": np.logical_xor,
    "Add": np.add,
}


@implements
def Identity(x: Any) -> Any:
    return x


@implements
def Div(A: Any, B: Any) -> Any:
    if A.dtype.kind in FLOATS:
        return A / B
    return (A - np.fmod(A, B)) // B  # rounds towards zero


@implements
def Mod(A: Any, B: Any, *, fmod: int = 0) -> Any:
    return np.fmod(A, B) if fmod else np.mod(A, B)


@implements
def Pow(X: Any, Y: Any) -> Any:
    return np.power(X, Y).astype(X.dtype, copy=False)


@implements
def BitShift(X: Any, Y: Any, *, direction: str) -> Any:
    shift = np.left_shift if direction == "LEFT" else np.right_shift
    return shift(X, Y)


@implements
def Sum(*data: Any) -> Any:
    return reduce(np.add, data)


@implements
def Mean(*data: Any) -> Any:
    return Sum(*data) / len(data)


@implements
def Max(*data: Any) -> Any:
    return reduce(np.maximum, data)


@implements
def Min(*data: Any) -> Any:
    return reduce(np.minimum, data)


@implements
def Clip(input: Any, min: Any = None, max: Any = None) -> Any:
    if min is not None:
        input = np.maximum(input, min)
    return input if max is None else np.minimum(input, max)


@implements
def Cast(input: Any, *, to: int, saturate: int = 1, round_mode: str = "up") -> Any:
    if to == STRING and input.dtype.kind == "U":
        return input
    return input.astype(dtype_of(to), copy=False)


@implements
def CastLike(input: Any, target_type: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return input.astype(target_type.dtype, copy=False)


@implements
def BitCast(input: Any, *, to: int) -> Any:
    return made(input.raw.view(dtype_of(to)))


@implements
def IsInf(X: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    infinite = np.isinf(X)
    if not detect_negative:
        infinite = np.logical_and(infinite, np.greater(X, 0))
    return infinite if detect_positive else np.logical_and(infinite, np.less(X, 0))


@implements
def CumSum(x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(np.cumsum, x, int(number(axis)), exclusive, reverse, 0)


@implements
def CumProd(x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Any:
    return _cumulative(np.cumprod, x, int(number(axis)), exclusive, reverse, 1)


def _cumulative(
    function: Any, x: Any, axis: int, exclusive: int, reverse: int, first: float
) -> Any:
    """Accumulate along an axis, without the value itself if `exclusive`."""
    (axis,) = axes_of(x, axis)
    dtype = x.dtype
    if reverse:
        x = np.flip(x, axis)
    if exclusive:
        start = np.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), first, dtype=dtype)
        x = np.concatenate([start, np.take(x, range(x.shape[axis] - 1), axis=axis)], axis)
    y = function(x, axis).astype(dtype, copy=False)
    return np.flip(y, axis) if reverse else y
