"""Python's operators on `NDArray`: arithmetic, comparisons that give 0 and 1, in-place forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.arrays.base import A, follow
from .._core.arrays.rebind import is_recorded, rebind
from .._core.arrays.storage import dense
from .._core.engine.array import Array
from .._core.engine.call import NUMBERS
from .._core.engine.inplace import compute, write
from .._core.engine.op import RECORDED as ops
from .._core.engine.op import TABLE
from .._core.errors import ArgumentError, DTypeError
from .._core.faces.prototype import T, typed
from .._core.kernels.sparse import Sparse

#: The types of the other operand.
OPERANDS = (Array, *NUMBERS)


def divide(x1: Any, x2: Any) -> Any:
    """x1 / x2; between integers the fraction is dropped, as in MXNet."""
    array, other = (x1, x2) if isinstance(x1, Array) else (x2, x1)
    if array.held.dtype.kind not in "iu":
        return ops.divide(x1, x2)
    if isinstance(other, NUMBERS):
        number = array._number(other)
        return ops.quotient(x1, number) if array is x1 else ops.quotient(number, x2)
    whole = isinstance(other, Array) and other.held.dtype.kind in "iu"
    return ops.quotient(x1, x2) if whole else ops.divide(x1, x2)


def arithmetic(self: A, other: A | float) -> A:
    """``x + y`` and other operators of two arrays."""
    raise NotImplementedError


def negated(self: A) -> A:
    """``-x`` and other operators of one array."""
    raise NotImplementedError


def compared(self: A, other: A | float) -> A:
    """``x == y`` and other comparisons: 1 and 0 in the dtype of x."""
    raise NotImplementedError


def reflected(like: T, op: Callable[..., Any]) -> T:
    """``y <op> x``, as a method of x."""
    return typed(like, lambda self, other: op(other, self))


SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "mod": "%", "pow": "**"}


def compare(op: Callable[..., Any]) -> Callable[..., Any]:
    """A comparison whose result is 0 and 1 in the dtype of the array compared."""

    def method(self: Any, other: Any) -> Any:
        array: Any = self if isinstance(self, Array) else other
        number = other if array is self else self
        if not isinstance(number, Array):
            if not isinstance(number, NUMBERS):
                raise DTypeError(f"{op.__name__}: {unsupported(number)}")
            if array.held.dtype.kind in "fV":  # comparisons with integers are exact
                try:
                    number = array._number(number)
                except OverflowError:
                    raise ArgumentError(
                        f"{op.__name__}: the number is too large for {array.held.dtype}; compare"
                        " with float('inf')"
                    ) from None
        result = op(array, number) if array is self else op(number, array)
        return ops.cast(result, dtype=array.held.dtype)

    return method


def unsupported(other: Any) -> DTypeError:
    """The error for an operand that is neither an array nor a number."""
    way_out = "a number or nd.array(...); to ask whether it is None, `x is None`"
    return DTypeError(
        f"type {type(other)} is not supported in an operator with an NDArray; use"
        f" {way_out if other is None else 'a number or nd.array(...)'}"
    )


def fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether an array of `shape` broadcasts to the shape `into`."""
    ends = zip(shape[::-1], into[::-1])
    return len(shape) <= len(into) and all(n in (1, m) for n, m in ends)


def inplace(like: T, op: Callable[..., Any], sign: str) -> T:
    """``x op= y``: into the buffer of x, or, while x or y is recorded, a new value for x."""
    kernel = TABLE[op.__name__].fallback

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            raise unsupported(other)
        if is_recorded(self, other):
            rebind(self, op(self, other), sign)
            return self
        shape = other.held.shape if isinstance(other, Array) else ()
        if shape and shape != self.raw.shape and not fits(shape, self.raw.shape):
            raise ArgumentError(
                f"{sign}: an array of shape {self.shape} cannot hold the result of an operation"
                f" with shape {shape}; {_way_out(self.shape, shape, sign)}"
            )
        if isinstance(other, Array):
            value = dense(other) if isinstance(other.held, Sparse) else other
        else:
            value = self._number(other)
        if isinstance(kernel, np.ufunc) and self.raw.dtype.kind == "f":
            compute(self, kernel, value)
        else:
            write(self, ..., op(self, other).raw)
        follow(self, other)
        return self

    return typed(like, method)


def _way_out(held: tuple[int, ...], given: tuple[int, ...], sign: str) -> str:
    """What to do where an operation in place needs a larger array."""
    try:
        np.broadcast_shapes(held, given)
    except ValueError:
        return "from the last axis on, lengths must be equal, or that of y 1"
    return f"x = {sign.replace('=', '')} makes a larger array"


def shown(sign: str) -> Callable[[Any], str]:
    """What profiles call an operator in place."""
    return lambda _: f"x {sign}= y"
