"""Python's operators on the bare array: what gradient rules are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.array import Array
from ..engine.op import RECORDED as F

BINARY = {
    "add": F.add,
    "sub": F.subtract,
    "mul": F.multiply,
    "truediv": F.divide,
    "mod": F.mod,
    "pow": F.power,
    "and": F.bitwise_and,
    "or": F.bitwise_or,
}
COMPARE = {
    "eq": F.equal,
    "ne": F.not_equal,
    "gt": F.greater,
    "ge": F.greater_equal,
    "lt": F.less,
    "le": F.less_equal,
}


def _forward(op: Callable) -> Callable:
    return lambda self, other: op(self, other)


def _reflected(op: Callable) -> Callable:
    return lambda self, other: op(other, self)


def _attach(name: str, method: Any) -> None:
    setattr(Array, f"__{name}__", method)


for _name, _op in {**BINARY, **COMPARE}.items():
    _attach(_name, _forward(_op))
for _name, _op in BINARY.items():
    _attach("r" + _name, _reflected(_op))
_attach("neg", lambda self: F.negative(self))
_attach("getitem", lambda self, key: F.getitem(self, key=key))
