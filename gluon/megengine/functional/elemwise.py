"""Elementwise functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..._core.engine.array import Array
from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..interfaces import as_tensor, cast
from ._checked import checked
from ._faces import binary, of_two, of_x, unary

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "ceil",
    "clip",
    "cos",
    "cosh",
    "div",
    "equal",
    "erf",
    "exp",
    "expm1",
    "floor",
    "floor_div",
    "greater",
    "greater_equal",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "mul",
    "neg",
    "not_equal",
    "pow",
    "right_shift",
    "round",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "sub",
    "tan",
    "tanh",
]
#: What the examples of logical functions are given.
FLAGS = "Tensor([True, False]), Tensor([True, True])"


def _logaddexp(x: Any, y: Any) -> Any:
    """The logarithm of the sum of the exponentials of x and y."""
    top = ops.maximum(x, y)
    return top + ops.log1p(ops.exp(ops.minimum(x, y) - top))


def _mod(x: Any, y: Any) -> Any:
    """The remainder: of integers with the sign of y, of others with that of x."""
    if all(one.dtype.kind != "f" for one in (x, y) if isinstance(one, Array)):
        return ops.mod(x, y)
    dtype = next(one.dtype for one in (x, y) if isinstance(one, Array))
    x, y = as_tensor(x), as_tensor(y)
    one = as_tensor(np.ones((), dtype))
    x, y = cast(x, one.dtype), cast(y, one.dtype)
    side = ops.where(x < 0, -one, one)
    size = y * ops.where(y < 0, -one, one)
    return side * ops.mod(side * x, size)


abs: Final = unary("abs", of_x, ops.abs, "numbers", "Tensor([-1.5, 2.0])", "[1.5 2. ]")
acos: Final = unary("acos", of_x, ops.arccos, "floats", "Tensor([0.5, 1.0])", "[1.0472 0.    ]")
acosh: Final = unary("acosh", of_x, ops.arccosh, "floats", "Tensor([1.0, 2.0])", "[0.    1.317]")
asin: Final = unary("asin", of_x, ops.arcsin, "floats", "Tensor([0.5, 1.0])", "[0.5236 1.5708]")
asinh: Final = unary("asinh", of_x, ops.arcsinh, "floats", "Tensor([0.5, 1.0])", "[0.4812 0.8814]")
atan: Final = unary("atan", of_x, ops.arctan, "floats", "Tensor([0.5, 1.0])", "[0.4636 0.7854]")
atanh: Final = unary("atanh", of_x, ops.arctanh, "floats", "Tensor([0.0, 0.5])", "[0.     0.5493]")
ceil: Final = unary("ceil", of_x, ops.ceil, "numbers", "Tensor([-1.5, 1.2])", "[-1.  2.]")
cos: Final = unary("cos", of_x, ops.cos, "floats", "Tensor([0.5, 1.0])", "[0.8776 0.5403]")
cosh: Final = unary("cosh", of_x, ops.cosh, "floats", "Tensor([0.5, 1.0])", "[1.1276 1.5431]")
erf: Final = unary("erf", of_x, ops.erf, "floats", "Tensor([0.5, 1.0])", "[0.5205 0.8427]")
exp: Final = unary("exp", of_x, ops.exp, "floats", "Tensor([0.5, 1.0])", "[1.6487 2.7183]")
expm1: Final = unary("expm1", of_x, ops.expm1, "floats", "Tensor([0.5, 1.0])", "[0.6487 1.7183]")
floor: Final = unary("floor", of_x, ops.floor, "numbers", "Tensor([-1.5, 1.2])", "[-2.  1.]")
log: Final = unary("log", of_x, ops.log, "floats", "Tensor([1.0, 2.0])", "[0.     0.6931]")
log1p: Final = unary("log1p", of_x, ops.log1p, "floats", "Tensor([0.5, 1.0])", "[0.4055 0.6931]")
logical_not: Final = unary(
    "logical_not", of_x, ops.logical_not, "flags", "Tensor([True])", "[False], dtype=bool"
)
neg: Final = unary("neg", of_x, ops.negative, "numbers", "Tensor([-1.5, 2.0])", "[ 1.5 -2. ]")
round: Final = unary("round", of_x, ops.round, "numbers", "Tensor([-1.6, 1.2])", "[-2.  1.]")
sign: Final = unary("sign", of_x, ops.sign, "numbers", "Tensor([-1.5, 2.0])", "[-1.  1.]")
sin: Final = unary("sin", of_x, ops.sin, "floats", "Tensor([0.5, 1.0])", "[0.4794 0.8415]")
sinh: Final = unary("sinh", of_x, ops.sinh, "floats", "Tensor([0.5, 1.0])", "[0.5211 1.1752]")
sqrt: Final = unary("sqrt", of_x, ops.sqrt, "floats", "Tensor([4.0, 9.0])", "[2. 3.]")
square: Final = unary("square", of_x, ops.square, "numbers", "Tensor([-1.5, 2.0])", "[2.25 4.  ]")
tan: Final = unary("tan", of_x, ops.tan, "floats", "Tensor([0.5, 1.0])", "[0.5463 1.5574]")
tanh: Final = unary("tanh", of_x, ops.tanh, "floats", "Tensor([0.5, 1.0])", "[0.4621 0.7616]")

add: Final = binary("add", of_two, ops.add, "numbers", "[3. 4.]")
atan2: Final = binary("atan2", of_two, ops.arctan2, "floats", "[0.4636 0.7854]")
div: Final = binary("div", of_two, ops.divide, "floats", "[0.5 1.5]", "Tensor([1.0, 3.0]), 2")
equal: Final = binary("equal", of_two, ops.equal, "anything", "[False  True], dtype=bool")
floor_div: Final = binary(
    "floor_div", of_two, ops.floor_divide, "numbers", "[-4  3], dtype=int32", "Tensor([-7, 7]), 2"
)
greater: Final = binary("greater", of_two, ops.greater, "anything", "[False False], dtype=bool")
greater_equal: Final = binary(
    "greater_equal", of_two, ops.greater_equal, "anything", "[False  True], dtype=bool"
)
left_shift: Final = binary(
    "left_shift", of_two, ops.left_shift, "whole", "[4 8], dtype=int32", "Tensor([1, 2]), 2"
)
less: Final = binary("less", of_two, ops.less, "anything", "[ True False], dtype=bool")
less_equal: Final = binary(
    "less_equal", of_two, ops.less_equal, "anything", "[ True  True], dtype=bool"
)
logaddexp: Final = binary("logaddexp", of_two, _logaddexp, "floats", "[2.3133 2.6931]")
logical_and: Final = binary(
    "logical_and", of_two, ops.logical_and, "flags", "[ True False], dtype=bool", FLAGS
)
logical_or: Final = binary(
    "logical_or", of_two, ops.logical_or, "flags", "[ True  True], dtype=bool", FLAGS
)
logical_xor: Final = binary(
    "logical_xor", of_two, ops.logical_xor, "flags", "[False  True], dtype=bool", FLAGS
)
maximum: Final = binary(
    "maximum", of_two, ops.maximum, "numbers", "[2. 3.]", "Tensor([1.0, 3.0]), 2.0"
)
minimum: Final = binary(
    "minimum", of_two, ops.minimum, "numbers", "[1. 2.]", "Tensor([1.0, 3.0]), 2.0"
)
mod: Final = binary("mod", of_two, _mod, "numbers", "[-1.  1.]", "Tensor([-7.0, 7.0]), 3")
mul: Final = binary("mul", of_two, ops.multiply, "numbers", "[2. 4.]")
not_equal: Final = binary(
    "not_equal", of_two, ops.not_equal, "anything", "[ True False], dtype=bool"
)
pow: Final = binary("pow", of_two, ops.power, "floats", "[4. 9.]", "Tensor([2.0, 3.0]), 2")
right_shift: Final = binary(
    "right_shift", of_two, ops.right_shift, "whole", "[ 4 -5], dtype=int32", "Tensor([9, -9]), 1"
)
sub: Final = binary("sub", of_two, ops.subtract, "numbers", "[-1.  0.]")


@checked
def clip(x: ArrayLike, lower: Any = None, upper: Any = None) -> Tensor:
    """Limit values to the range from `lower` to `upper`.

    Parameters
    ----------
    lower, upper : number, or Tensor of a shape that broadcasts, optional
        At least one of them.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> clip(Tensor([-1.0, 5.0]), 0, 1)
    Tensor([0. 1.], device=xpux:0)
    """
    if lower is None and upper is None:
        raise ArgumentError("clip: give at least one of lower and upper")
    x = as_tensor(x)
    if lower is not None:
        x = maximum(x, lower)
    return x if upper is None else minimum(x, upper)
