"""How the public functions of a namespace look, and how they are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from .docs import MARGIN, completed, example, filled, in_source
from .kinds import KINDS, Kind
from .prototype import T, typed

_signature = cache(inspect.signature)


class Face:
    """What the public functions of a namespace have in common.

    Parameters
    ----------
    module : str
        Where users find them.
    imports : str, optional
        The first line of their examples; without it they have none.
    code, printed : str
        The second line, and what it prints: texts in which ``{name}`` is the name of the function,
        ``{given}`` what an example is given, and ``{result}`` its result.
    rounds : bool
        Whether results with many digits are rounded.
    parameters : dict
        What docstrings say of the parameters that many functions share; see `parameters`.
    """

    def __init__(
        self,
        module: str,
        imports: str = "",
        code: str = "{given}",
        printed: str = "{result}",
        rounds: bool = True,
        parameters: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.module, self.imports, self.parameters = module, imports, parameters
        self.code, self.printed, self.rounds = code, printed, rounds

    def example(self, name: str, given: str, result: str) -> str:
        """The lines of a doctest: the function `name`, given `given`, has a `result`."""
        code = self.code.replace("{name}", name).replace("{given}", given)
        printed = self.printed.replace("{result}", result)
        return example(self.imports, code, printed, self.rounds)

    def named(self, call: T, name: str, doc: str | None) -> T:
        """`call` as the public function `name`, with a docstring; its signature stays its own."""
        call.__name__ = call.__qualname__ = name
        call.__module__, call.__doc__ = self.module, doc
        return call

    def made(
        self,
        like: T,
        call: Callable[..., Any],
        name: str,
        title: str,
        given: str,
        result: str,
        kind: Kind = "",
        words: Mapping[str, str] = MappingProxyType({}),
    ) -> T:
        """`call` as a public function.

        Parameters
        ----------
        like : callable
            The prototype, which has the signature and the docstring.
        call : callable
            What does the work.
        name, title : str
            What the function is called, and the first line of its docstring.
        given, result : str
            For its example.
        kind : str, optional
            What kind of function it is.
        words : dict, optional
            What stands in the docstring of the prototype as ``{name}``, by name.

        Returns
        -------
        callable
            `call` itself, of the type of `like`.
        """
        KINDS[call] = kind
        shown = (
            f"\n{MARGIN}Examples\n{MARGIN}--------\n{MARGIN}{self.example(name, given, result)}\n"
        )
        doc = f"{title.rstrip('.')}.\n{filled(_sections(like, self), words)}{shown}"
        self.named(call, name, doc)
        call.__annotations__ = like.__annotations__
        call.__signature__ = _signature(like)  # type: ignore[attr-defined]
        return typed(like, call)


@cache
def _sections(like: Callable[..., Any], face: Face) -> str:
    """The docstring of a prototype after its summary, with the parameters that `face` describes."""
    doc = "\n" + in_source(like).partition("\n")[2].lstrip("\n") + "\n"
    return completed(doc, _signature(like).parameters, face.parameters)
