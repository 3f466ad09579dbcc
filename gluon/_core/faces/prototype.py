"""Create functions from a prototype, a function whose signature declares the arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from .docs import MARGIN, filled, in_source

T = TypeVar("T", bound=Callable[..., Any])

_signature = cache(inspect.signature)


@cache
def _sections(like: Callable[..., Any]) -> str:
    """Return the docstring of a prototype after its summary."""
    return "\n" + in_source(like).partition("\n")[2].lstrip("\n") + "\n"


def made_like(
    like: T,
    call: Callable[..., Any],
    name: str,
    module: str,
    title: str,
    example: str = "",
    **words: str,
) -> T:
    """`call`, with what it needs to be a public function.

    Parameters
    ----------
    like : callable
        The prototype: its signature is that of `call`, and its sections go into the docstring.
    call : callable
        What does the work.
    name, module : str
        What the function is called, and where users find it, such as ``"gluon.nd"``.
    title : str
        The summary, such as the doc of an operator.
    example : str, optional
        Lines of a doctest.
    **words : str
        What stands in the docstring of the prototype as ``{name}``.

    Returns
    -------
    callable
        `call` itself, of the type of `like`.
    """
    call.__name__ = call.__qualname__ = name
    call.__module__ = module
    call.__doc__ = f"{title.rstrip('.')}.\n{filled(_sections(like), words)}"
    if example:
        call.__doc__ += f"\n{MARGIN}Examples\n{MARGIN}--------\n{MARGIN}{example.strip()}\n"
    call.__annotations__ = like.__annotations__
    call.__signature__ = _signature(like)  # type: ignore[attr-defined]
    return cast(T, call)


def typed(like: T, function: Callable[..., Any]) -> T:
    """`function` itself, for type checkers of the type of `like`."""
    return cast(T, function)
