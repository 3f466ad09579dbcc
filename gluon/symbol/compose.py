"""Functions of symbols, created from those of `gluon.nd`."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from .._core.faces.kinds import KINDS
from .calls import called
from .methods import SYMBOL
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

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return SYMBOL.named(call, own, function.__doc__)


def composed(
    module: ModuleType,
    start: str = "",
    names: Mapping[str, str] = MappingProxyType({}),
    without: Container[str] = (),
) -> dict[str, Callable[..., Symbol]]:
    """The public functions of a module of `gluon.nd` on symbols, by name.

    Parameters
    ----------
    module : module
    start : str, optional
        The prefix of the names of its operators in MXNet's files.
    names : dict, optional
        The names in files of operators that have others there, by those of the functions.
    without : container of str, optional
        The functions to leave out.
    """
    found = {name: getattr(module, name) for name in sorted(module.__all__)}
    return {
        name: compose(function, names.get(name, start + name))
        for name, function in found.items()
        if callable(function) and function in KINDS and name not in without
    }
