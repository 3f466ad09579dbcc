"""Elementwise operators: arithmetic, comparisons, powers, exponentials, trigonometry."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..engine.op import RECORDED, define
from ..engine.pull import same
from ..kernels import elementwise as kernels


def flat(F: Any, g: Any) -> Any:
    """The rule of an input that the output follows only in jumps: 0, whatever arrives.

    A product with 0 would pass NaN and infinity on.
    """
    return F.zeros_like(g)


# ------------------------------------------------------------------------------ arithmetic

add: Final = define("add", np.add, "x1 + x2", broadcasts=True, x1=same, x2=same)
subtract: Final = define(
    "subtract", np.subtract, "x1 - x2", broadcasts=True, x1=same, x2=lambda g: -g
)
multiply: Final = define(
    "multiply",
    np.multiply,
    "x1 * x2",
    broadcasts=True,
    x1=lambda F, g, x2: F.multiply(g, x2),
    x2=lambda F, g, x1: F.multiply(g, x1),
)
divide: Final = define(
    "divide",
    np.divide,
    "x1 / x2",
    broadcasts=True,
    x1=lambda F, g, x2: F.divide(g, x2),
    x2=lambda F, g, y, x2: F.divide(F.multiply(F.negative(g), y), x2),
)


def of_remainder(F: Any, g: Any, y_dtype: Any) -> Any:
    """The rule of the first input of a remainder: integers have no slope."""
    return flat(F, g) if y_dtype.kind in "iu" else g


def _of_divisor(F: Any, g: Any, x1: Any, x2: Any, y_dtype: Any) -> Any:
    return flat(F, g) if y_dtype.kind in "iu" else -g * F.floor(x1 / x2)


mod: Final = define(
    "mod",
    np.mod,
    "x1 modulo x2, with the sign of x2; the gradients of integers are 0",
    broadcasts=True,
    x1=of_remainder,
    x2=_of_divisor,
)


def _power_base(F: Any, g: Any, x1: Any, x2: Any) -> Any:
    if isinstance(x2, (int, float)):
        if x2 == 2:
            return F.square_grad(g, x1)
        return flat(F, g) if x2 == 0 else F.multiply(g, F.multiply(F.power(x1, x2 - 1), x2))
    zero = x2 == 0
    return g * F.where(zero, 0.0, x2 * x1 ** F.where(zero, 1.0, x2 - 1))


def _power_exponent(F: Any, g: Any, y: Any, x1: Any) -> Any:
    if isinstance(x1, (int, float)):
        return g * y * (math.log(x1) if x1 > 0 else 0.0 if x1 == 0 else math.nan)
    zero = x1 == 0  # 0 ** x2 is constant for x2 > 0, where the formula gives 0 * -inf
    return g * F.where(zero, 0.0, y * F.log(F.where(zero, 1.0, x1)))


power: Final = define(
    "power", kernels.power, "x1 ** x2", broadcasts=True, x1=_power_base, x2=_power_exponent
)
negative: Final = define("negative", np.negative, "-x", x=lambda F, g: F.negative(g))
reciprocal: Final = define("reciprocal", np.reciprocal, "1 / x", x=lambda g, y: -g * y * y)
square: Final = define("square", np.square, "x ** 2", x=lambda F, g, x: F.square_grad(g, x))
square_grad: Final = define(
    "square_grad",
    kernels.square_grad,
    "The gradient of a square: out_grad * 2 x",
    out_grad=lambda F, g, x: F.square_grad(g, x),
    x=lambda F, g, out_grad: F.square_grad(g, out_grad),
)
sqrt: Final = define("sqrt", np.sqrt, "The square root", x=lambda F, g, y: F.divide(g, F.add(y, y)))
rsqrt: Final = define("rsqrt", kernels.rsqrt, "1 / sqrt(x)", x=lambda g, x, y: g * (-0.5 * y / x))
cbrt: Final = define("cbrt", np.cbrt, "The cube root", x=lambda g, y: g / (3 * y * y))
rcbrt: Final = define("rcbrt", kernels.rcbrt, "1 / cbrt(x)", x=lambda g, x, y: g * (-y / (3 * x)))
abs: Final = define(
    "abs", np.abs, "|x|; the subgradient at 0 is 0", x=lambda F, g, x: F.relu_grad(g, x)
)
hypot: Final = define(
    "hypot",
    np.hypot,
    "sqrt(x1**2 + x2**2)",
    broadcasts=True,
    x1=lambda g, x1, y: g * (x1 / y),
    x2=lambda g, x2, y: g * (x2 / y),
)
maximum: Final = define(
    "maximum",
    np.maximum,
    "The larger of two; at a tie the gradient goes to x1",
    broadcasts=True,
    x1=lambda g, x1, x2: g * (x1 >= x2),
    x2=lambda g, x1, x2: g * (x1 < x2),
)
minimum: Final = define(
    "minimum",
    np.minimum,
    "The smaller of two; at a tie the gradient goes to x1",
    broadcasts=True,
    x1=lambda g, x1, x2: g * (x1 <= x2),
    x2=lambda g, x1, x2: g * (x1 > x2),
)
clip: Final = define(
    "clip",
    kernels.clip,
    "Limit x to [a_min, a_max]; the gradient passes within, bounds included",
    x=lambda F, g, x, a_min, a_max: F.where((x < a_min) | (x > a_max), 0, g),
)

# ------------------------------------------------------------------------ exp, log, activations

exp: Final = define("exp", np.exp, "e ** x", x=lambda F, g, y: F.multiply(g, y))
expm1: Final = define("expm1", np.expm1, "exp(x) - 1, exact near 0", x=lambda g, y: g * (y + 1))
log: Final = define("log", np.log, "The natural logarithm", x=lambda F, g, x: F.divide(g, x))
log2: Final = define("log2", np.log2, "The base-2 logarithm", x=lambda g, x: g / x / math.log(2))
log10: Final = define(
    "log10", np.log10, "The base-10 logarithm", x=lambda g, x: g / x / math.log(10)
)
log1p: Final = define("log1p", np.log1p, "log(1 + x), exact near 0", x=lambda g, x: g / (1 + x))
sigmoid: Final = define(
    "sigmoid", kernels.sigmoid, "1 / (1 + exp(-x))", x=lambda F, g, y: F.sigmoid_grad(g, y)
)
# One operator, so that second derivatives record only one call.
sigmoid_grad: Final = define(
    "sigmoid_grad",
    kernels.sigmoid_grad,
    "The gradient of a sigmoid p: out_grad * p * (1 - p)",
    out_grad=lambda F, g, p: F.sigmoid_grad(g, p),
    p=lambda g, out_grad, p: g * out_grad * (1 - (p + p)),
)
tanh: Final = define("tanh", np.tanh, "The hyperbolic tangent", x=lambda F, g, y: F.tanh_grad(g, y))
tanh_grad: Final = define(
    "tanh_grad",
    kernels.tanh_grad,
    "The gradient of a hyperbolic tangent p: out_grad * (1 - p**2)",
    out_grad=lambda F, g, p: F.tanh_grad(g, p),
    p=lambda g, out_grad, p: g * out_grad * (p * -2),
)
relu: Final = define(
    "relu",
    kernels.relu,
    "max(x, 0); the subgradient at 0 is 0",
    x=lambda F, g, y: F.relu_grad(g, y),
)
relu_grad: Final = define(
    "relu_grad",
    kernels.relu_grad,
    "The gradient of a relu p, or of |p|: out_grad times the sign of p",
    out_grad=lambda F, g, p: F.relu_grad(g, p),
    p=flat,
)
softrelu: Final = define(
    "softrelu", kernels.softrelu, "log(1 + exp(x))", x=lambda F, g, x: g * F.sigmoid(x)
)
softsign: Final = define(
    "softsign", kernels.softsign, "x / (1 + |x|)", x=lambda F, g, x: g / F.square(1 + F.abs(x))
)

# -------------------------------------------------------------------------- trigonometry

sin: Final = define("sin", np.sin, "The sine", x=lambda F, g, x: g * F.cos(x))
cos: Final = define("cos", np.cos, "The cosine", x=lambda F, g, x: -g * F.sin(x))
tan: Final = define("tan", np.tan, "The tangent", x=lambda g, y: g * (1 + y * y))
arcsin: Final = define(
    "arcsin", np.arcsin, "The inverse sine", x=lambda F, g, x: g * F.rsqrt(1 - x * x)
)
arccos: Final = define(
    "arccos", np.arccos, "The inverse cosine", x=lambda F, g, x: -g * F.rsqrt(1 - x * x)
)
arctan: Final = define("arctan", np.arctan, "The inverse tangent", x=lambda g, x: g / (1 + x * x))
arctan2: Final = define(
    "arctan2",
    np.arctan2,
    "The angle of the point (x2, x1)",
    broadcasts=True,
    x1=lambda g, x1, x2: g * x2 / (x1 * x1 + x2 * x2),
    x2=lambda g, x1, x2: -g * x1 / (x1 * x1 + x2 * x2),
)
sinh: Final = define("sinh", np.sinh, "The hyperbolic sine", x=lambda F, g, x: g * F.cosh(x))
cosh: Final = define("cosh", np.cosh, "The hyperbolic cosine", x=lambda F, g, x: g * F.sinh(x))
arcsinh: Final = define(
    "arcsinh", np.arcsinh, "The inverse hyperbolic sine", x=lambda F, g, x: g / F.hypot(x, 1.0)
)
arccosh: Final = define(
    "arccosh", np.arccosh, "The inverse hyperbolic cosine", x=lambda F, g, x: g * F.rsqrt(x * x - 1)
)
arctanh: Final = define(
    "arctanh", np.arctanh, "The inverse hyperbolic tangent", x=lambda g, x: g / (1 - x * x)
)
degrees: Final = define(
    "degrees", np.degrees, "Radians to degrees", x=lambda g: g * (180 / math.pi)
)
radians: Final = define(
    "radians", np.radians, "Degrees to radians", x=lambda g: g * (math.pi / 180)
)

# --------------------------------------------------------------- rounding, comparing: no gradient

FLAT: dict[str, tuple[Callable, str]] = {
    "sign": (np.sign, "-1, 0 or 1"),
    "floor": (np.floor, "The largest integer not above x"),
    "ceil": (np.ceil, "The smallest integer not below x"),
    "trunc": (np.trunc, "x without its fraction"),
    "fix": (np.trunc, "x rounded towards 0"),
    "rint": (kernels.round_down, "The nearest integer, ties to the lower one"),
    "round": (kernels.round_away, "The nearest integer, ties away from 0"),
}
for _name, (_kernel, _doc) in FLAT.items():
    # Constant almost everywhere: the gradient is 0, not missing.
    define(_name, _kernel, _doc + "; its gradient is 0", x=flat)

COMPARISONS: dict[str, tuple[Callable, str]] = {
    "equal": (np.equal, "Where x1 == x2"),
    "not_equal": (np.not_equal, "Where x1 != x2"),
    "greater": (np.greater, "Where x1 > x2"),
    "greater_equal": (np.greater_equal, "Where x1 >= x2"),
    "less": (np.less, "Where x1 < x2"),
    "less_equal": (np.less_equal, "Where x1 <= x2"),
    "logical_and": (np.logical_and, "Where both are not 0"),
    "logical_or": (np.logical_or, "Where one of them is not 0"),
    "logical_xor": (np.logical_xor, "Where exactly one of them is not 0"),
    "logical_not": (np.logical_not, "Where x is 0"),
    "bitwise_and": (kernels.bitwise_and, "The bits that both have"),
    "bitwise_or": (kernels.bitwise_or, "The bits that one of them has"),
    "isnan": (np.isnan, "Where x is NaN"),
    "isinf": (np.isinf, "Where x is infinite"),
    "isfinite": (np.isfinite, "Where x is neither NaN nor infinite"),
    "floor_divide": (np.floor_divide, "The largest integer not above x1 / x2"),
}
for _name, (_kernel, _doc) in COMPARISONS.items():
    define(_name, _kernel, _doc)

quotient: Final = define(
    "quotient", kernels.quotient, "x1 / x2 between integers, the fraction dropped"
)

# -------------------------------------------------------------------------- the rest

where: Final = define(
    "where",
    kernels.where,
    "x1 where the condition holds, x2 elsewhere",
    broadcasts=True,
    x1=lambda F, g, condition: F.where(condition, g, 0),
    x2=lambda F, g, condition: F.where(condition, 0, g),
)
cast: Final = define(
    "cast",
    kernels.cast,
    "The values as another dtype",
    x=lambda F, g, x_dtype: F.cast(g, dtype=x_dtype),
)
copy: Final = define("copy", kernels.copy, "A copy", x=same)
_move = define(
    "move",
    kernels.move,
    "A copy in the memory of another device",
    x=lambda F, g, to, back: F.move(g, to=back, back=to),
)
zeros_like: Final = define(
    "zeros_like", kernels.zeros_like, "Zeros of the shape and dtype of x", zero=True
)
ones_like: Final = define(
    "ones_like", kernels.ones_like, "Ones of the shape and dtype of x", zero=True
)
stop_gradient: Final = define(
    "stop_gradient", kernels.copy, "A copy whose gradient is 0", zero=True
)


def move(x: Any, *, to: Any, back: Any) -> Any:
    """A copy of an array on the device `to`; the gradient goes `back`. None is the first CPU."""
    copied = _move(x, to=to, back=back)
    copied._ctx = to
    return copied


move.op = _move.op  # type: ignore[attr-defined]
RECORDED.move = move
