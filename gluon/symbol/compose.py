"""Functions of symbols, created from those of `gluon.nd`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .calls import called
from .operator import OPERATORS, Operator
from .symbol import Symbol, like


def compose(function: Callable[..., Any], name: str = "") -> Callable[..., Symbol]:
    """`function` on symbols: it returns a symbol for its results.

    Parameters
    ----------
    function : callable
        A public function of `gluon.nd`.
    name : str, optional
        The name of the operator in MXNet's files; by default that of the function.
    """
    own = function.__name__
    operator = OPERATORS.get(name or own)
    if operator is None:
        operator = OPERATORS[name or own] = Operator(name or own, function)
    hint = own.lower()

    def call(*args: Any, **kwargs: Any) -> Symbol:
        return like(called(operator, hint, args, kwargs), *args, *kwargs.values())

    call.__name__ = call.__qualname__ = own
    call.__module__ = "gluon.symbol"
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call
