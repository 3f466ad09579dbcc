"""Completes docstrings: shared parameters are described once."""

from __future__ import annotations

import inspect
import re
from textwrap import indent

from .._core.faces.docs import MARGIN, assembled, in_source
from .._core.faces.prototype import T
from ._public import ANY, public

#: A heading, and the start of the next parameter, in the source of a docstring.
_SECTION, _ENTRY = re.compile(r"\n\n    (\w+)\n    -+\n"), re.compile(r"\n(?=    \S)")
VECTOR = "array_like of one axis, of any dtype"
#: Maps a parameter to its type and its meaning.
PARAMETERS = {
    "a": ANY,
    "a1": f"{VECTOR}\nThe coefficients, highest power first.",
    "a2": f"{VECTOR}\nThe coefficients, highest power first.",
    "arr": ANY,
    "ary": ANY,
    "ar": ANY,
    "ar1": ANY,
    "ar2": ANY,
    "m": ANY,
    "p": ANY,
    "v": ANY,
    "x": ANY,
    "y": ANY,
    "axis": "int, optional\nBy default the flattened array is used.",
    "axes": "int or tuple of int, optional\nAll axes by default.",
    "bins": f"int, or {VECTOR}\nThe number of bins of equal width, or their edges.",
    "range": "(float, float), optional\nThe limits of the bins; by default the extremes.",
    "density": "bool, optional\nDivide by the total and the bin sizes: the integral is 1.",
    "weights": (
        "array_like of the same shape, of any dtype, optional\nThe weight of each value; 1 by"
        " default."
    ),
    "ddof": "number, optional\nWhat to subtract from the number of values, the divisor.",
    "dtype": "str or numpy type, optional\nThe dtype to compute in.",
    "keepdims": "bool, default False\nKeep the reduced axes, with length 1.",
    "kind": "str, optional\nHow NumPy sorts; 'stable' keeps equal values in their order.",
    "order": "None\nUnsupported: arrays have no fields to sort by.",
    "out": (
        "ndarray of the shape of the result, optional\nWhere to write the result; its dtype must"
        " allow a 'same_kind' cast."
    ),
    "overwrite_input": "bool\nIgnored: the input is never changed.",
    "size": "int or tuple of int, optional\nThe shape; by default that of the parameters.",
    "ctx": "Context, optional\nThe current context by default.",
    "device": "Context, optional\nAnother name of `ctx`.",
    "where": ("array_like of bool, optional\nWhich values to include; it broadcasts to the array."),
    "initial": "number, optional\nThe starting value.",
}


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
        What parameters are by default, where `PARAMETERS` says another thing or nothing.
    """
    title, *rest = _SECTION.split(in_source(function))
    found = dict(zip(rest[::2], rest[1::2]))
    known, own = PARAMETERS | parameters, {}
    for entry in _ENTRY.split(found.get("Parameters", "")):
        own[entry.partition(" : ")[0].strip(" *")] = entry.rstrip()
    described = []
    for one in inspect.signature(function).parameters.values():
        if one.name not in own:
            kind, *text = known[one.name].split("\n")
            own[one.name] = "\n".join([f"    {one.name} : {kind}", *[f"        {x}" for x in text]])
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
