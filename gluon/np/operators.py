"""Python's operators on `ndarray`, and their forms in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..engine.array import Array
from ..engine.inplace import writable
from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..engine.rebind import is_recorded, rebind
from ..instruments.base import SCOPES
from ..nd.operators import fits, shown
from ..ndarray.base import follow
from ..ndarray.dtypes import check_casting
from ._array import ndarray
from ._promote import any_dtype, compared, constant, fractions, mixed
from ._public import NUMBERS, cast
from ._ufunc import operator
from .matrix import matmul

#: What an operator takes beside an array.
OPERANDS = (Array, numpy.ndarray, list, tuple, *NUMBERS)
#: method | function | how its inputs meet | Python's sign
ARITHMETIC: dict[str, tuple[Callable, Callable, str]] = {
    "add": (F.add, mixed(any_dtype), "+"),
    "sub": (F.subtract, mixed(any_dtype), "-"),
    "mul": (F.multiply, mixed(any_dtype), "*"),
    "truediv": (F.divide, mixed(fractions), "/"),
    "mod": (F.mod, mixed(any_dtype), "%"),
    "pow": (F.power, mixed(any_dtype), "**"),
}
WHOLE: dict[str, tuple[Callable, str]] = {
    "floordiv": (F.floor_divide, "//"),
    "and": (F.bitwise_and, "&"),
    "or": (F.bitwise_or, "|"),
    "xor": (F.bitwise_xor, "^"),
    "lshift": (F.left_shift, "<<"),
    "rshift": (F.right_shift, ">>"),
}
COMPARISONS = {
    "eq": F.equal,
    "ne": F.not_equal,
    "gt": F.greater,
    "ge": F.greater_equal,
    "lt": F.less,
    "le": F.less_equal,
}


def forward(op: Callable, general: Callable) -> Callable:
    """``x op y``; the common case, floats of one dtype, goes straight to the operator."""

    def method(self: ndarray, other: Any) -> Any:
        dtype = self._raw.dtype
        if dtype.kind == "f":
            kind = type(other)
            if kind is float or kind is int or (kind is ndarray and other._raw.dtype is dtype):
                return op(self, other)
        return general(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return method


def plain(general: Callable) -> Callable:
    """``x op y`` of any operands."""
    return lambda x, y: general(x, y) if isinstance(y, OPERANDS) else NotImplemented


def reflected(general: Callable, op: Callable | None = None) -> Callable:
    """``y op x``, called where y does not know x; a number beside floats goes straight to `op`."""

    def method(self: ndarray, other: Any) -> Any:
        if op is not None and type(other) in (float, int) and self._raw.dtype.kind == "f":
            return op(other, self)
        return general(other, self) if isinstance(other, OPERANDS) else NotImplemented

    return method


def inplace(op: Callable, general: Callable, sign: str) -> Callable:
    """``x op= y``: into the buffer of x, or, while x or y is recorded, a new value for x."""
    kernel = TABLE[op.__name__].fallback

    def method(self: ndarray, other: Any) -> Any:
        if not isinstance(other, OPERANDS):
            return NotImplemented
        if is_recorded(self, other):
            rebind(self, _checked(self, general(self, other), sign), sign)
            return self
        follow(self, other)
        raw = writable(self)  # first: it counts who holds the buffer
        if isinstance(kernel, numpy.ufunc) and raw.dtype.kind == "f":
            if isinstance(other, NUMBERS):
                kernel(raw, self._number(other), out=raw)
                return self
            values = other._raw if isinstance(other, Array) else None
            if values is not None and values.dtype == raw.dtype and fits(values.shape, raw.shape):
                kernel(raw, values, out=raw)
                return self
        self[...] = _checked(self, general(self, other), sign)
        return self

    return method


def _checked(target: ndarray, result: ndarray, sign: str) -> ndarray:
    """`result` in the dtype of `target`, which is to hold it."""
    check_casting(sign, result._raw.dtype, target._raw.dtype, "same_kind")
    return cast(result, target._raw.dtype)


def _attach(name: str, method: Callable) -> None:
    method.__name__ = f"__{name}__"
    setattr(ndarray, method.__name__, method)


for _name, (_op, _inputs, _sign) in ARITHMETIC.items():
    _general = operator(_op, _op.__name__, _inputs)
    _attach(_name, forward(_op, _general))
    _attach("r" + _name, reflected(_general, _op))
    _attach("i" + _name, inplace(_op, _general, f"x {_sign}= y"))
for _name, (_op, _sign) in WHOLE.items():
    _general = operator(_op, _op.__name__, constant)
    _attach(_name, plain(_general))
    _attach("r" + _name, reflected(_general))
    _attach("i" + _name, inplace(_op, _general, f"x {_sign}= y"))
for _name, _op in COMPARISONS.items():
    _attach(_name, forward(_op, operator(_op, _op.__name__, compared)))
_attach("matmul", plain(matmul))
_attach("rmatmul", reflected(matmul))
_attach("imatmul", inplace(F.matmul, matmul, "x @= y"))
for _name, _sign in [*[(k, v[-1]) for k, v in (ARITHMETIC | WHOLE).items()], ("matmul", "@")]:
    SCOPES.append((ndarray, f"__i{_name}__", "forward", shown(_sign)))
_attach("neg", lambda self: F.negative(self))
_attach("pos", lambda self: F.copy(self))
_attach("abs", lambda self: F.abs(self))
_attach("invert", lambda self: F.invert(self))
_attach("divmod", lambda self, other: (self // other, self % other))
_attach("rdivmod", lambda self, other: (other // self, other % self))
_attach("round", lambda self, ndigits=None: F.round_even(self, decimals=ndigits or 0))
