"""Arguments and results: the arrays in them, and what is left without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .. import tree
from ..engine.array import Array

NAMES = {str}
INEXACT = (float, complex, np.floating)
#: The class of an array, in its place, or what kind of container there is, what belongs to it, and
#: the forms of its items. The kind is `tree.Structure` for all but tuples, lists and dictionaries
#: with names, and None for a value, to which belongs what tells it from others.
Form = Any


def apart(value: Any) -> tuple[list, Form]:
    """The arrays in nested tuples, lists and dictionaries, and the form that is left.

    Forms are equal where everything that is no array is.
    """
    leaves: list[Array] = []
    return leaves, _taken(value, leaves)


def _taken(value: Any, leaves: list) -> Form:
    if isinstance(value, Array):
        leaves.append(value)
        return Array
    kind = type(value)
    if kind is tuple or kind is list:
        return kind, None, tuple([_taken(one, leaves) for one in value])
    if kind is dict and set(map(type, value)) <= NAMES:
        return dict, tuple(value), tuple([_taken(one, leaves) for one in value.values()])
    if value is None or tree.kind_of(value) is None:
        # Numbers that are equal need not be the same: 1 and True, 0.0 and -0.0.
        return None, (value, kind, repr(value) if isinstance(value, INEXACT) else ""), ()
    found, structure = tree.flatten(value)
    return tree.Structure, structure, tuple([_taken(one, leaves) for one in found])


def others(form: Form) -> Iterator[Any]:
    """The values in a form that are no arrays."""
    if form is not Array and form is not None:
        kind, what, parts = form
        if kind is None:
            yield what[0]
        for one in parts:
            yield from others(one)


def together(form: Form, leaves: Iterable[Any]) -> Any:
    """The nested structure of `form` with these arrays; None stands for positional arguments."""
    return (tuple(leaves), {}) if form is None else _filled(form, iter(leaves))


def _filled(form: Form, arrays: Iterator[Any]) -> Any:
    if form is Array:
        return next(arrays)
    kind, what, parts = form
    if kind is None:
        return what[0]
    made = [_filled(one, arrays) for one in parts]
    if kind is list:
        return made
    if kind is dict:
        return dict(zip(what, made))
    return tuple(made) if kind is tuple else what.unflatten(made)
