"""Public functions made from tables."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from ..engine.errors import DTypeError, GluonError, named
from ..face.text import FLAG, REAL, WHOLES, read
from ._public import documented

REQUIRED = Parameter.empty


def function(
    name: str, arguments: dict[str, Any], call: Callable, texts: tuple[str, str, str]
) -> Callable:
    """A public function of some arguments, of `out` and of `name`.

    Parameters
    ----------
    name : str
    arguments : dict
        Their defaults, or `REQUIRED`, in order.
    call : callable
        What does the work; takes the arguments and `out` by keyword.
    texts : tuple of str
        For the docstring: the summary, the arguments, and all from the result on.

    Returns
    -------
    callable
        It raises `DTypeError` where the arguments do not fit the signature.
    """
    kind = Parameter.POSITIONAL_OR_KEYWORD
    names = {**arguments, "out": None, "name": None}
    signature = Signature([Parameter(k, kind, default=value) for k, value in names.items()])
    numbers = {k: REAL for k in arguments if k not in ("ctx", "dtype")}
    readers = {**numbers, "shape": WHOLES, "is_log": FLAG}

    def made(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise DTypeError(f"{name}: {error}; it takes {', '.join(names)}") from None
        for key, value in given.arguments.items():
            if isinstance(value, str) and key in readers:
                given.arguments[key] = read(readers[key], name, key, value)
        given.apply_defaults()
        del given.arguments["name"]
        try:
            return call(**given.arguments)
        except GluonError as error:
            named(error, name)
            raise

    made.__signature__ = signature  # type: ignore[attr-defined]
    return documented(made, name, *texts)


def listed(parameters: dict[str, str], kind: str) -> str:
    """The lines of a docstring on `parameters`, which are all of one kind."""
    return "\n    ".join(f"{name} : {kind}\n        {text}" for name, text in parameters.items())
