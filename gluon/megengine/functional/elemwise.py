"""Functions of each value on its own, and Python's operators on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.errors import ArgumentError
from ...engine.op import RECORDED as F
from ..tensor import Tensor, as_tensor, operands
from ._table import binary, unary


def _logaddexp(x: Any, y: Any) -> Any:
    top = F.maximum(x, y)
    return top + F.log1p(F.exp(F.minimum(x, y) - top))


def _mod(x: Any, y: Any) -> Any:
    """The remainder: of whole numbers with the sign of y, of others with that of x."""
    if all(one._raw.dtype.kind != "f" for one in (x, y) if isinstance(one, Tensor)):
        return F.mod(x, y)
    x, y = as_tensor(x), as_tensor(y)
    one = as_tensor(np.ones((), np.result_type(x._raw.dtype, y._raw.dtype)))
    side = F.where(x < 0, -one, one)
    size = y * F.where(y < 0, -one, one)
    return side * F.mod(side * x, size)


#: name -> (operator, what it takes); see `_table.TAKES`
_UNARY = {
    "abs": (F.abs, "numbers"),
    "acos": (F.arccos, "floats"),
    "acosh": (F.arccosh, "floats"),
    "asin": (F.arcsin, "floats"),
    "asinh": (F.arcsinh, "floats"),
    "atan": (F.arctan, "floats"),
    "atanh": (F.arctanh, "floats"),
    "ceil": (F.ceil, "numbers"),
    "cos": (F.cos, "floats"),
    "cosh": (F.cosh, "floats"),
    "erf": (F.erf, "floats"),
    "exp": (F.exp, "floats"),
    "expm1": (F.expm1, "floats"),
    "floor": (F.floor, "numbers"),
    "log": (F.log, "floats"),
    "log1p": (F.log1p, "floats"),
    "logical_not": (F.logical_not, "flags"),
    "neg": (F.negative, "numbers"),
    "round": (F.round, "numbers"),
    "sign": (F.sign, "numbers"),
    "sin": (F.sin, "floats"),
    "sinh": (F.sinh, "floats"),
    "sqrt": (F.sqrt, "floats"),
    "square": (F.square, "numbers"),
    "tan": (F.tan, "floats"),
    "tanh": (F.tanh, "floats"),
}
_BINARY: dict[str, tuple[Callable, str]] = {
    "add": (F.add, "numbers"),
    "atan2": (F.arctan2, "floats"),
    "div": (F.divide, "floats"),
    "equal": (F.equal, "anything"),
    "floor_div": (F.floor_divide, "numbers"),
    "greater": (F.greater, "anything"),
    "greater_equal": (F.greater_equal, "anything"),
    "left_shift": (F.left_shift, "whole"),
    "less": (F.less, "anything"),
    "less_equal": (F.less_equal, "anything"),
    "logaddexp": (_logaddexp, "floats"),
    "logical_and": (F.logical_and, "flags"),
    "logical_or": (F.logical_or, "flags"),
    "logical_xor": (F.logical_xor, "flags"),
    "maximum": (F.maximum, "numbers"),
    "minimum": (F.minimum, "numbers"),
    "mod": (_mod, "numbers"),
    "mul": (F.multiply, "numbers"),
    "not_equal": (F.not_equal, "anything"),
    "pow": (F.power, "floats"),
    "right_shift": (F.right_shift, "whole"),
    "sub": (F.subtract, "numbers"),
}
_FUNCTIONS = {name: unary(name, *line) for name, line in _UNARY.items()}
_FUNCTIONS |= {name: binary(name, *line) for name, line in _BINARY.items()}
globals().update(_FUNCTIONS)
__all__ = sorted([*_FUNCTIONS, "clip"])


def clip(x: Any, lower: Any = None, upper: Any = None) -> Tensor:
    """Limit values to the range from `lower` to `upper`.

    Parameters
    ----------
    x : Tensor of any shape and dtype
    lower, upper : number, or Tensor of a shape that broadcasts, optional
        At least one of them.

    Returns
    -------
    Tensor of the same shape

    Raises
    ------
    ArgumentError
        If both bounds are left out.

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
        x = _FUNCTIONS["maximum"](x, lower)
    return x if upper is None else _FUNCTIONS["minimum"](x, upper)


# -------------------------------------------------------------------------------- operators

#: Python's name -> the function; both orders and the in-place form are made of it.
_OPERATORS = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "floordiv": "floor_div",
    "mod": "mod",
    "pow": "pow",
    "and": "logical_and",
    "or": "logical_or",
    "xor": "logical_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
_COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "lt": "less",
    "le": "less_equal",
}


def _inplace(function: Callable) -> Callable:
    def method(self: Tensor, other: Any) -> Tensor:
        self._reset(function(self, other))
        return self

    return method


def _matmul(x: Any, y: Any) -> Any:
    return F.matmul(*operands(x, y))


for _sign, _name in {**_OPERATORS, **_COMPARISONS}.items():
    setattr(Tensor, f"__{_sign}__", _FUNCTIONS[_name])
for _sign, _function in {
    **{sign: _FUNCTIONS[name] for sign, name in _OPERATORS.items()},
    "matmul": _matmul,
}.items():
    setattr(Tensor, f"__r{_sign}__", (lambda f: lambda self, other: f(other, self))(_function))
    setattr(Tensor, f"__i{_sign}__", _inplace(_function))
for _sign, _unary_function in {
    "matmul": _matmul,
    "neg": _FUNCTIONS["neg"],
    "pos": as_tensor,
    "abs": _FUNCTIONS["abs"],
    "invert": _FUNCTIONS["logical_not"],
    "round": _FUNCTIONS["round"],
}.items():
    setattr(Tensor, f"__{_sign}__", _unary_function)
