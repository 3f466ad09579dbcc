"""The modes of MegEngine's elementwise operator, which `module.Elemwise` runs by name."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

import numpy as np

from ..._core.engine.array import Array
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import DTypeError
from .. import interfaces
from ..interfaces import as_tensor, cast, operands
from . import creation, elemwise, indexing, math, nn


def _fused(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: function(elemwise.add(x, y))


def _compared(function: Callable[..., Any]) -> Callable[..., Any]:
    """A comparison whose result has the dtype of what it compares."""

    def call(x: Any, y: Any) -> Any:
        (dtype,) = {one.dtype for one in operands(x, y) if isinstance(one, Array)}
        return cast(function(x, y), dtype)

    return call


def _between(x: Any, low: float, high: float) -> Any:
    """1 where `x` is between two numbers, else 0."""
    return cast(elemwise.logical_and(x > low, x < high), x.dtype)


def _fast_tanh(x: Any) -> Any:
    """A quotient of polynomials that is close to tanh near 0."""
    return x * (27 + x * x) / (27 + 9 * x * x)


def _fast_tanh_grad(x: Any, g: Any) -> Any:
    over = 27 + 9 * x * x
    return g * ((27 + 3 * x * x) * over - 18 * x * x * (27 + x * x)) / (over * over)


def _gelu_grad(x: Any, g: Any) -> Any:
    density = elemwise.exp(x * x * -0.5) / sqrt(2 * pi)
    return g * (0.5 * (1 + elemwise.erf(x / sqrt(2))) + x * density)


def _silu_grad(x: Any, g: Any) -> Any:
    y = nn.sigmoid(x)
    return g * y * (1 + x * (1 - y))


def _h_swish_grad(x: Any, g: Any) -> Any:
    return g * (_between(x, -3, 3) * (2 * x + 3) / 6 + cast(x >= 3, x.dtype))


def _high_half(x: Any, y: Any) -> Any:
    """The upper half of twice the product of two int32, rounded."""
    x, y = as_tensor(x), as_tensor(y)
    if not x.dtype == y.dtype == np.int32:
        raise DTypeError(f"RMULH: dtypes {x.dtype} and {y.dtype}; give int32")
    high = (x.raw.astype(np.int64) * y.raw + 2**30) >> 31
    return interfaces.Tensor(np.minimum(high, 2**31 - 1).astype(np.int32), device=x.device)


def _erfinv(x: Any) -> Any:
    return ops.erfinv(operands(x, floats=True)[0])


#: What each mode computes. Those in -GRAD take the input, or the output of a sigmoid or a tanh, and
#: the cotangent.
ELEMWISE: dict[str, Callable[..., Any]] = {
    "ABS": elemwise.abs,
    "ACOS": elemwise.acos,
    "ACOSH": elemwise.acosh,
    "ASIN": elemwise.asin,
    "ASINH": elemwise.asinh,
    "ATAN2": elemwise.atan2,
    "ATANH": elemwise.atanh,
    "CEIL": elemwise.ceil,
    "COS": elemwise.cos,
    "COSH": elemwise.cosh,
    "EXP": elemwise.exp,
    "EXPM1": elemwise.expm1,
    "FLOOR": elemwise.floor,
    "FLOOR_DIV": elemwise.floor_div,
    "GELU": nn.gelu,
    "HSIGMOID": nn.hsigmoid,
    "ISINF": math.isinf,
    "ISNAN": math.isnan,
    "LOG": elemwise.log,
    "LOG1P": elemwise.log1p,
    "LOGSIGMOID": nn.logsigmoid,
    "MOD": elemwise.mod,
    "MUL": elemwise.mul,
    "POW": elemwise.pow,
    "RELU": nn.relu,
    "RELU6": nn.relu6,
    "ROUND": elemwise.round,
    "SIGMOID": nn.sigmoid,
    "SIGN": elemwise.sign,
    "SILU": nn.silu,
    "SIN": elemwise.sin,
    "SINH": elemwise.sinh,
    "SOFTPLUS": nn.softplus,
    "SQRT": elemwise.sqrt,
    "SQUARE": elemwise.square,
    "SUB": elemwise.sub,
    "TAN": elemwise.tan,
    "TANH": elemwise.tanh,
    "ADD": elemwise.add,
    "PRELU": lambda x, w: indexing.where(x > 0, x, x * w),
    "AND": elemwise.logical_and,
    "ABS_GRAD": lambda x, g: indexing.where(x > 0, g, -g),
    "CLIP": lambda x, low, high: elemwise.minimum(elemwise.maximum(x, low), high),
    "COND_LEQ_MOV": lambda x, y, z: indexing.where(
        elemwise.less_equal(x, y), z, creation.zeros_like(z)
    ),
    "COND_LT_MOV": lambda x, y, z: indexing.where(elemwise.less(x, y), z, creation.zeros_like(z)),
    "EQ": _compared(elemwise.equal),
    "FUSE_ADD_H_SWISH": _fused(nn.hswish),
    "FUSE_ADD_RELU": _fused(nn.relu),
    "FUSE_ADD_SIGMOID": _fused(nn.sigmoid),
    "FUSE_ADD_TANH": _fused(elemwise.tanh),
    "FUSE_MUL_ADD3": lambda x, y, z: x * y + z,
    "FUSE_MUL_ADD4": lambda x, y, z, w: x * y + z * w,
    "H_SWISH": nn.hswish,
    "LEQ": _compared(elemwise.less_equal),
    "LOG_SUM_EXP": elemwise.logaddexp,
    "LT": _compared(elemwise.less),
    "MAX": elemwise.maximum,
    "MIN": elemwise.minimum,
    "NEGATE": elemwise.neg,
    "NEQ": elemwise.not_equal,
    "NOT": elemwise.logical_not,
    "OR": elemwise.logical_or,
    "SHL": elemwise.left_shift,
    "SHR": elemwise.right_shift,
    "SWITCH_GT0": lambda x, y: indexing.where(x > 0, y, creation.zeros_like(y)),
    "TRUE_DIV": elemwise.div,
    "XOR": elemwise.logical_xor,
    "ACOSH_GRAD": lambda x, g: g / elemwise.sqrt(x * x - 1),
    "ASINH_GRAD": lambda x, g: g / elemwise.sqrt(x * x + 1),
    "ATANH_GRAD": lambda x, g: g / (1 - x * x),
    "ERF": elemwise.erf,
    "ERFC": lambda x: elemwise.sub(1, elemwise.erf(x)),
    "ERFCINV": lambda x: _erfinv(1 - x),
    "ERFINV": _erfinv,
    "FAST_TANH": _fast_tanh,
    "FAST_TANH_GRAD": _fast_tanh_grad,
    "GELU_GRAD": _gelu_grad,
    "HSIGMOID_GRAD": lambda x, g: g * _between(x, -3, 3) / 6,
    "H_SWISH_GRAD": _h_swish_grad,
    "PRELU_GRAD": lambda x, g, w: indexing.where(x >= 0, g, g * w),
    "RELU6_GRAD": lambda x, g: g * _between(x, 0, 6),
    "RMULH": _high_half,
    "SIGMOID_GRAD": lambda y, g: g * y * (1 - y),
    "SILU_GRAD": _silu_grad,
    "SOFTPLUS_GRAD": lambda x, g: g * nn.sigmoid(x),
    "TANH_GRAD": lambda y, g: g * (1 - y * y),
}
