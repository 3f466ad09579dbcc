"""Functions of two numbers, which return a number, as in MXNet."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .._core.engine.call import NUMBERS
from .._core.errors import DTypeError

#: Maps a public name to the function of two numbers; ``broadcast_add`` etc. take only arrays.
OF_NUMBERS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "modulo": operator.mod,
    "power": operator.pow,
    "maximum": max,
    "minimum": min,
    "equal": lambda a, b: int(a == b),
    "not_equal": lambda a, b: int(a != b),
    "greater": lambda a, b: int(a > b),
    "greater_equal": lambda a, b: int(a >= b),
    "lesser": lambda a, b: int(a < b),
    "lesser_equal": lambda a, b: int(a <= b),
    "logical_and": lambda a, b: int(bool(a) and bool(b)),
    "logical_or": lambda a, b: int(bool(a) or bool(b)),
    "logical_xor": lambda a, b: int(bool(a) != bool(b)),
}


def of_numbers(name: str, lhs: Any, rhs: Any) -> Any:
    """Compute ``nd.<name>`` of two numbers; raise for anything else."""
    if name in OF_NUMBERS and isinstance(lhs, NUMBERS) and isinstance(rhs, NUMBERS):
        return OF_NUMBERS[name](lhs, rhs)
    raise DTypeError(f"{name}: give at least one NDArray")
