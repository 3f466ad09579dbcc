"""Makes Python's operators on `ndarray`; the class body lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from .._core.arrays.base import DeviceArray, follow
from .._core.arrays.dtypes import check_casting
from .._core.arrays.rebind import is_recorded, rebind
from .._core.engine.array import Array
from .._core.engine.inplace import compute
from .._core.engine.op import TABLE
from ..nd.operators import fits
from ._promote import any_dtype, constant
from ._public import NUMBERS, cast
from ._ufunc import operator

if TYPE_CHECKING:
    from ._array import ndarray

#: The types of the other operand.
OPERANDS = (Array, numpy.ndarray, list, tuple, *NUMBERS)
Operand = DeviceArray | numpy.ndarray | list[Any] | tuple[Any, ...] | numpy.generic | float
#: A method of an array with another operand.
Binary = Callable[["ndarray", Operand], "ndarray"]
#: The signs of the operators with an in-place form.
SIGNS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"},
    **{"pow": "**", "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<"},
    "rshift": ">>",
}


def _named(name: str, method: Binary) -> Binary:
    method.__name__ = f"__{name}__"
    return method


def forward(name: str, op: Callable[..., Any], inputs: Callable[..., Any]) -> Binary:
    """``x op y``; the common case, floats of one dtype, goes straight to the operator."""
    function = operator(op, op.__name__, inputs)

    def method(self: ndarray, other: Any) -> ndarray:
        dtype = self.raw.dtype
        if dtype.kind == "f":
            kind = type(other)
            if kind is float or kind is int or (kind is type(self) and other.raw.dtype is dtype):
                return op(self, other)
        return function(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return _named(name, method)


def general(name: str, op: Callable[..., Any], inputs: Callable[..., Any]) -> Binary:
    """``x op y`` without the common case."""
    function = operator(op, op.__name__, inputs)

    def method(self: ndarray, other: Any) -> ndarray:
        return function(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return _named(name, method)


def reflected(name: str, op: Callable[..., Any], inputs: Callable[..., Any]) -> Binary:
    """``y op x``, called if y is of another class; a number and floats go straight to `op`."""
    function = operator(op, op.__name__, inputs)
    is_direct = inputs is not constant

    def method(self: ndarray, other: Any) -> ndarray:
        if is_direct and type(other) in (float, int) and self.raw.dtype.kind == "f":
            return op(other, self)
        return function(other, self) if isinstance(other, OPERANDS) else NotImplemented

    return _named(f"r{name}", method)


def inplace(
    name: str,
    op: Callable[..., Any],
    inputs: Callable[..., Any] = any_dtype,
    function: Callable[..., Any] | None = None,
) -> Binary:
    """``x op= y``: into the buffer of x, or, while x or y is recorded, a new value for x.

    `function` computes the result; by default it is the operator.
    """
    kernel = TABLE[op.__name__].fallback
    sign = f"x {SIGNS[name]}= y"
    computed = function or operator(op, op.__name__, inputs)

    def method(self: ndarray, other: Any) -> ndarray:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        if is_recorded(self, other):
            rebind(self, _checked(self, computed(self, other), sign), sign)
            return self
        follow(self, other)
        if isinstance(kernel, numpy.ufunc) and self.raw.dtype.kind == "f":
            if isinstance(other, NUMBERS):
                compute(self, kernel, self._number(other))
                return self
            fitting = isinstance(other, Array) and fits(other.raw.shape, self.raw.shape)
            if fitting and other.raw.dtype == self.raw.dtype:  # type: ignore[union-attr]
                compute(self, kernel, other)
                return self
        self[...] = _checked(self, computed(self, other), sign)
        return self

    return _named(f"i{name}", method)


def _checked(target: ndarray, result: ndarray, sign: str) -> ndarray:
    """Return `result` in the dtype of `target`, which stores it."""
    check_casting(sign, result.raw.dtype, target.raw.dtype, "same_kind")
    return cast(result, target.raw.dtype)
