"""Python's operators on the bare array: what gradient rules are written with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.array import Array
from ..engine.op import RECORDED as ops

BINARY = {
    "add": ops.add,
    "sub": ops.subtract,
    "mul": ops.multiply,
    "truediv": ops.divide,
    "mod": ops.mod,
    "pow": ops.power,
    "and": ops.bitwise_and,
    "or": ops.bitwise_or,
}
COMPARE = {
    "eq": ops.equal,
    "ne": ops.not_equal,
    "gt": ops.greater,
    "ge": ops.greater_equal,
    "lt": ops.less,
    "le": ops.less_equal,
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
_attach("neg", lambda self: ops.negative(self))
_attach("getitem", lambda self, key: ops.getitem(self, key=key))
