"""Completes docstrings: shared parameters are described once."""

from __future__ import annotations

import inspect
import re
from textwrap import indent

from .._core.faces.docs import MARGIN, assembled, entry, in_source
from .._core.faces.parameters import OF_NP
from .._core.faces.prototype import T
from ._public import public

#: A heading, and the start of the next parameter, in the source of a docstring.
_SECTION, _ENTRY = re.compile(r"\n\n    (\w+)\n    -+\n"), re.compile(r"\n(?=    \S)")


def explained(
    function: T,
    returns: str = "ndarray",
    raises: str = "DTypeError\n    If an argument holds no numbers.",
    **parameters: str,
) -> T:
    """Make a function public, and complete its docstring.

    Parameters
    ----------
    function : callable
        Its docstring has an example, and describes what is its own.
    returns, raises : str
        What the sections say by default.
    **parameters
        What parameters are by default, where `OF_NP` says another thing or nothing.
    """
    title, *rest = _SECTION.split(in_source(function))
    found = dict(zip(rest[::2], rest[1::2]))
    known, own = OF_NP | parameters, {}
    for text in _ENTRY.split(found.get("Parameters", "")):
        own[text.partition(" : ")[0].strip(" *")] = text.rstrip()
    described = []
    for one in inspect.signature(function).parameters.values():
        if one.name not in own:
            own[one.name] = entry(one.name, known[one.name])
        described.append(own[one.name])
    sections = {
        "Parameters": "\n".join(described),
        "Returns": found.get("Returns", indent(returns, MARGIN)),
        "Raises": found.get("Raises", indent(raises, MARGIN)),
        "Examples": found["Examples"],
    }
    function.__doc__ = assembled(title, sections)
    return public(function)


def reduction(function: T) -> T:
    """Apply `explained` to a reduction over axes."""
    return explained(
        function,
        raises="IndexRangeError\n    If the axis is out of range.",
        axis="int or tuple of int, optional\nAll axes by default.",
        correction="number, optional\nAnother name of `ddof`.",
        dtype=(
            "str or numpy type, optional\nThe dtype to compute in; by default that of the result."
        ),
        mean="array_like, optional\nThe mean, if it is known: with the axes kept, of any dtype.",
        where="array_like of bool, optional\nWhich values to include; it broadcasts to `a`.",
    )
