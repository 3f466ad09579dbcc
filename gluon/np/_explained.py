"""Complete docstrings from short ones: parameters of the same name are described once."""

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
    example: str,
    returns: str = "ndarray",
    raises: str = "DTypeError\n    If an argument holds no numbers.",
    **parameters: str,
) -> Callable[[T], T]:
    """Make a function public and its docstring complete.

    Parameters
    ----------
    example : str
        Lines of a doctest that uses `np`.
    returns, raises : str
        The text of the sections.
    **parameters
        The description of each parameter that `PARAMETERS` lacks or describes otherwise.
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
