"""Public functions created from a signature and an implementation."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, cast

from .._core.errors import DTypeError, GluonError
from .._core.faces.docs import assembled, completed
from .._core.faces.errors import named
from .._core.faces.kinds import KINDS
from .._core.faces.parameters import OF_ND
from .._core.faces.prototype import T
from .._core.faces.text import FLAG, REAL, WHOLES, read


def function(like: T, call: Callable[..., Any], inputs: str, rest: str) -> T:
    """Create a public function with the name and the arguments of `like`.

    Parameters
    ----------
    like : callable
        Its signature, which ends with ``out`` and ``name``, and its docstring, a summary, count.
    call : callable
        What does the work; takes all arguments but ``name`` by keyword.
    inputs, rest : str
        For the docstring: the arguments, and all from the result on.

    Returns
    -------
    callable
        It raises `DTypeError` where the arguments do not fit the signature.
    """
    name, signature = like.__name__, inspect.signature(like)
    numbers = {k: REAL for k in signature.parameters if k not in ("ctx", "dtype", "out", "name")}
    readers = {**numbers, "shape": WHOLES, "is_log": FLAG}

    def made(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            names = ", ".join(signature.parameters)
            raise DTypeError(f"{name}: {error}; it takes {names}") from None
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

    functools.update_wrapper(made, like)
    doc = assembled(like.__doc__ or "", {"Parameters": inputs, "Returns": rest})
    made.__doc__ = completed(doc, ("out", "name"), OF_ND)
    KINDS[made] = ""
    return cast(T, made)


def listed(parameters: dict[str, str], kind: str) -> str:
    """Format the lines of a docstring on `parameters`, which are all of one kind."""
    return "\n    ".join(f"{name} : {kind}\n        {text}" for name, text in parameters.items())
