"""Functions made from lines of a table: a name, an operator, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.errors import DTypeError
from ..tensor import Tensor, cast, operands

UNARY = """{doc}

    Parameters
    ----------
    x : Tensor or number
        {takes}

    Returns
    -------
    Tensor of the same shape
"""
BINARY = """{doc}

    Parameters
    ----------
    x, y : Tensor or number
        Of shapes that broadcast. {takes}

    Returns
    -------
    Tensor
"""
#: What an operator takes: in words, the kinds of dtypes, and whether the rest becomes float32.
TAKES = {
    "floats": ("Whole numbers count as float32.", "biufV", True),
    "numbers": ("The dtype stays.", "iufV", False),
    "flags": ("Of dtype bool.", "b", False),
    "anything": ("Of any dtype; the result is bool.", "biufV", False),
}


def unary(name: str, op: Callable, takes: str = "floats", doc: str | None = None) -> Callable:
    """A function of one tensor; see `TAKES`."""
    words, kinds, floats = TAKES[takes]

    def function(x: Any) -> Tensor:
        (x,) = operands(x, floats=floats)
        _check(name, x, kinds)
        y = op(x)
        return y if takes != "numbers" else cast(y, x._raw.dtype)  # NumPy 1 floors to float64

    return _named(function, name, UNARY, doc or op.__doc__, words)


def binary(name: str, op: Callable, takes: str = "numbers", doc: str | None = None) -> Callable:
    """A function of two tensors, or of a tensor and a number; see `TAKES`."""
    words, kinds, floats = TAKES[takes]

    def function(x: Any, y: Any) -> Tensor:
        x, y = operands(x, y, floats=floats)
        _check(name, x if isinstance(x, Tensor) else y, kinds)
        return op(x, y)

    return _named(function, name, BINARY, doc or op.__doc__, words)


def _check(name: str, x: Tensor, kinds: str) -> None:
    if x._raw.dtype.kind not in kinds:
        way = "compare first, as in x > 0" if kinds == "b" else "call astype('float32') first"
        raise DTypeError(f"{name}: dtype {x._raw.dtype} is not possible; {way}")


def _named(function: Any, name: str, template: str, doc: str | None, words: str) -> Callable:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = template.format(doc=f"{(doc or name).rstrip('.')}.", takes=words)
    return function
