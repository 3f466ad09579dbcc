"""Arguments and results: the arrays in them, and what is left without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import tree
from ..engine.array import Array


def apart(value: Any) -> tuple[list, Any]:
    """The arrays in nested tuples, lists and dictionaries, and the form that is left.

    Forms are equal where everything that is no array is.
    """
    if isinstance(value, Array):
        return [value], Array
    found, structure = tree.flatten(value)
    leaves = [x for x in found if isinstance(x, Array)]
    return leaves, (structure, tuple([_fixed(x) for x in found]))


def _fixed(x: Any) -> Any:
    if isinstance(x, Array):
        return Array
    # Numbers that are equal need not be the same: 1 and True, 0.0 and -0.0.
    return x, type(x), x.hex() if type(x) is float else ""


def together(form: Any, leaves: Iterable[Any]) -> Any:
    """The nested structure of `form` with these arrays; None stands for positional arguments."""
    if form is None:
        return tuple(leaves), {}
    if form is Array:
        (one,) = leaves
        return one
    structure, fixed = form
    arrays = iter(leaves)
    return structure.unflatten([next(arrays) if x is Array else x[0] for x in fixed])
