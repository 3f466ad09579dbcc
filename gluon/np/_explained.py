"""Docstrings from short ones: what parameters of the same name mean everywhere is said once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from textwrap import dedent, indent
from typing import Any

from ..face.docs import MARGIN, assembled, in_source
from ..face.prototype import T
from ._public import ANY, public

#: What stands before the names of parameters that stand for many.
STARS: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
VECTOR = "array_like of one axis, of any dtype"
#: parameter -> its type, then what it means
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
    "axis": "int, optional\nAlong all values, flat, by default.",
    "axes": "int or tuple of int, optional\nAll axes by default.",
    "bins": f"int, or {VECTOR}\nHow many bins of equal width, or their edges.",
    "range": "(float, float), optional\nWhere the bins begin and end; by default at the extremes.",
    "density": "bool, optional\nDivide by the total and by the size of each bin.",
    "weights": (
        "array_like of the same shape, of any dtype, optional\nHow much each value counts; 1 by"
        " default."
    ),
    "ddof": "number, optional\nWhat to take from the number of values before dividing by it.",
    "dtype": "str or numpy type, optional\nThe dtype to compute in.",
    "keepdims": "bool, default False\nKeep the reduced axes, with length 1.",
    "kind": "str, optional\nHow NumPy sorts; 'stable' keeps equal values in their order.",
    "order": "None\nThere are no fields to sort by.",
    "out": (
        "ndarray of the shape of the result, optional\nWhere to write it: of a dtype to which"
        " NumPy's 'same_kind' casts."
    ),
    "overwrite_input": "bool\nIgnored: the input stays as it is.",
    "size": "int or tuple of int, optional\nThe shape; by default that of the parameters.",
    "ctx": "Context, optional\nThe current context by default.",
    "device": "Context, optional\nAnother name of `ctx`.",
    "where": (
        "array_like of bool, optional\nWhich values count; of a shape that broadcasts to the array."
    ),
    "initial": "number, optional\nWhat to begin with.",
}


def explained(
    example: str,
    returns: str = "ndarray",
    raises: str = "DTypeError\n    If an argument holds no numbers.",
    **parameters: str,
) -> Callable[[T], T]:
    """Make a function public and its docstring complete.

    Parameters
    ----------
    example : str
        Lines of a doctest, with `np` in place.
    returns, raises : str
        What the sections say.
    **parameters
        What parameters are, where `PARAMETERS` says another thing or none.
    """

    def decorate(function: T) -> T:
        known = PARAMETERS | parameters
        described = []
        for one in inspect.signature(function).parameters.values():
            stars = STARS.get(one.kind, "")
            kind, *rest = known[one.name].split("\n")
            text = indent("\n".join(rest), " " * 8)
            described.append(f"    {stars}{one.name} : {kind}\n{text}".rstrip())
        sections = {
            "Parameters": "\n".join(described),
            "Returns": indent(returns, MARGIN),
            "Raises": indent(raises, MARGIN),
            "Examples": indent(f">>> from gluon import np\n{dedent(example).strip()}", MARGIN),
        }
        function.__doc__ = assembled(in_source(function), sections)
        return public(function)

    return decorate


NO_AXIS = "IndexRangeError\n    If the axis is out of range."
BAD_SHAPES = "ArgumentError\n    If the shapes do not fit."
