"""What errors say of calls that a kernel refused, and of graphs that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from types import MethodType
from typing import Any

import numpy

from .errors import AutogradError, a_type, translated

#: What operators take in place of an array.
NUMBERS = (int, float, numpy.generic)


def failure(op: Any, inputs: tuple, attrs: dict, error: Exception) -> Exception:
    """The error to raise when a kernel failed: it names the operator and what it was given."""
    given = []
    for name, x in zip(names_of(op, len(inputs)), inputs):
        if hasattr(x, "held"):
            form = x.held
            given.append(f"{name}: {form.dtype}{list(form.shape)}")
        else:
            given.append(f"{name}: {type(x).__name__}")
            absent = x is None and len(inputs) > 1 and getattr(error, "obj", 0) is not None
            if not isinstance(x, NUMBERS) and getattr(x, "shape", 0) != () and not absent:
                error = TypeError(
                    f"input {name!r} is {a_type(x)}; pass an array of gluon, such as"
                    f" {instead_of(x)}"
                )
    given += [f"{name}={_shown(value)}" for name, value in attrs.items()]
    return translated(error, f"{op.name}({', '.join(given)}): {str(error).strip()}")


def instead_of(x: Any) -> str:
    """What to write for an array where an operator got `x`, for its message."""
    if isinstance(x, MethodType):  # as in ``nd.sum(p.grad)``
        return f"the result of {x.__name__}()"
    return getattr(type(x), "_as_array", "nd.array(...)")


def _shown(value: Any) -> str:
    """Return `value` as Python shows it, except for integers too large to show."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


def names_of(op: Any, count: int) -> Sequence[str]:
    """What the `count` inputs of a call are called, in messages."""
    return op.inputs if not op.variadic else [f"{op.inputs[0]}[{k}]" for k in range(count)]


def released(node: Any, *heads: tuple[int, ...]) -> AutogradError:
    """The error for walking a graph that is no longer there, from `heads` of these shapes."""
    return AutogradError(
        f"no history of the head of shape {', '.join(map(str, heads))}: the graph through"
        f" {node.op.name!r} was released by an earlier backward; pass retain_graph=True to it"
        " (GradManager: record again), or recompute the head"
    )
