"""Python's operators on `NDArray`: arithmetic, comparisons that give 0 and 1, in-place forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.array import Array
from ..engine.call import NUMBERS
from ..engine.errors import ArgumentError, DTypeError
from ..engine.inplace import writable
from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..engine.rebind import is_recorded, rebind
from ..instruments.base import SCOPES
from ..ndarray.base import follow
from ._array import NDArray

#: What an operator takes beside an array.
OPERANDS = (Array, *NUMBERS)


def divide(x1: Any, x2: Any) -> Any:
    """x1 / x2; between integers the fraction is dropped, as in MXNet."""
    array, other = (x1, x2) if isinstance(x1, Array) else (x2, x1)
    if array._raw.dtype.kind not in "iu":
        return F.divide(x1, x2)
    if isinstance(other, NUMBERS):
        number = array._number(other)
        return F.quotient(x1, number) if array is x1 else F.quotient(number, x2)
    whole = isinstance(other, Array) and other._raw.dtype.kind in "iu"
    return F.quotient(x1, x2) if whole else F.divide(x1, x2)


#: name -> (operator, whether the reflected form is the operator itself)
ARITHMETIC: dict[str, tuple[Callable, bool]] = {
    "add": (F.add, True),
    "sub": (F.subtract, False),
    "mul": (F.multiply, True),
    "truediv": (divide, False),
    "mod": (F.mod, False),
    "pow": (F.power, False),
}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "mod": "%", "pow": "**"}
COMPARISONS = {
    "eq": F.equal,
    "ne": F.not_equal,
    "gt": F.greater,
    "ge": F.greater_equal,
    "lt": F.less,
    "le": F.less_equal,
}


def compare(op: Callable) -> Callable:
    """A comparison whose result is 0 and 1 in the dtype of the array compared."""

    def method(self: Any, other: Any) -> NDArray:
        array: Any = self if isinstance(self, Array) else other
        number = other if array is self else self
        if not isinstance(number, Array):
            if not isinstance(number, NUMBERS):
                raise DTypeError(f"{op.__name__}: {unsupported(number)}")
            if array._raw.dtype.kind in "fV":  # with integers comparisons are exact
                try:
                    number = array._number(number)
                except OverflowError as error:
                    raise ArgumentError(
                        f"{op.__name__}: the number is too large for {array._raw.dtype}; compare"
                        " with float('inf')"
                    ) from error
        result = op(array, number) if array is self else op(number, array)
        return F.cast(result, dtype=array._raw.dtype)

    return method


def unsupported(other: Any) -> DTypeError:
    """The error for an operand that is neither an array nor a number."""
    return DTypeError(
        f"type {type(other)} is not supported in an operator with an NDArray; use a number or"
        " nd.array(...)"
    )


def fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether an array of `shape` broadcasts to the shape `into`."""
    ends = zip(shape[::-1], into[::-1])
    return len(shape) <= len(into) and all(n in (1, m) for n, m in ends)


def inplace(op: Callable, sign: str) -> Callable:
    """``x op= y``: into the buffer of x, or, while x or y is recorded, a new value for x."""
    kernel = TABLE[op.__name__].fallback

    def method(self: NDArray, other: Any) -> NDArray:
        if not isinstance(other, OPERANDS):
            raise unsupported(other)
        if is_recorded(self, other):
            rebind(self, op(self, other), sign)
            return self
        shape = other._raw.shape if isinstance(other, Array) else ()
        if shape and shape != self._raw.shape and not fits(shape, self._raw.shape):
            raise ArgumentError(
                f"{sign}: an array of shape {self.shape} cannot hold the result of an operation"
                f" with shape {shape}"
            )
        raw = writable(self)  # first: it counts who holds the buffer
        value = other._raw if isinstance(other, Array) else self._number(other)
        if isinstance(kernel, np.ufunc) and raw.dtype.kind == "f":
            kernel(raw, value, out=raw, casting="unsafe")
        else:
            raw[...] = op(self, other)._raw
        follow(self, other)
        return self

    return method


def shown(sign: str) -> Callable[[Any], str]:
    """What profiles call an operator in place."""
    return lambda _: f"x {sign}= y"


def _attach(name: str, method: Callable) -> None:
    setattr(NDArray, f"__{name}__", method)


for _name, (_op, _commutes) in ARITHMETIC.items():
    _attach(_name, _op)
    # The operator's own function, not a wrapper around it: this is the hot path.
    _attach("r" + _name, _op if _commutes else (lambda op: lambda x, other: op(other, x))(_op))
    _attach("i" + _name, inplace(_op, f"x {SIGNS[_name]}= y"))
    SCOPES.append((NDArray, f"__i{_name}__", "forward", shown(SIGNS[_name])))
for _name, _op in COMPARISONS.items():
    _attach(_name, compare(_op))
_attach("neg", F.negative)
_attach("abs", F.abs)
