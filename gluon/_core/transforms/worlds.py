"""Values of recorded calls, raw or as arrays, as the operators of a world take them.

A world is `KERNELS`, where nobody watches and values are raw, or `RECORDED`, where they are arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.array import Array, wrap
from ..engine.node import CREATED, Node
from ..engine.op import KERNELS
from ..engine.pull import lift
from ..refusals import names_of

Tangents = Sequence[Any]
#: Gives the tangent of what a node computed, None for zeros.
Known = Callable[[Node], Any]


def as_raw(x: Any) -> Any:
    """The raw array of an input, which may be no array of gluon."""
    return x.raw if isinstance(x, Array) else x


def in_form(F: Any, raw: Any, node: Node = CREATED) -> Any:
    """A raw array as the operators of `F` take it."""
    return raw if F is KERNELS else wrap(Array, raw, None, node)


def given(node: Node, attrs: dict[str, Any], name: str) -> Any:
    """An attribute of a call, or its default."""
    return attrs.get(name, node.op.attributes[name])


def attributes_of(node: Node, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a call, without the inputs that were no arrays."""
    names = names_of(node.op, len(node.edges))
    return {name: one for name, one in attrs.items() if name not in names} if attrs else attrs


def is_float(raw: Any) -> bool:
    return raw.dtype.kind not in "biu"


def of_dtype(F: Any, x: Any, dtype: Any) -> Any:
    return x if x.dtype == dtype else F.cast(x, dtype=dtype)


def total_of(F: Any, parts: Sequence[Any], tangents: Tangents = ()) -> Any:
    """The sum, in the memory of a part where that is new: no tangent, and no view of one."""
    found = None
    for one in parts:
        if found is None:
            found = one
        elif F is KERNELS:
            found = added(found, one, tangents)
        else:
            found = F.add(found, one)
    return found


def added(x: Any, y: Any, tangents: Tangents) -> Any:
    """The sum of two raw parts, as in `total_of`."""
    if type(x) is type(y) is np.ndarray and x.shape == y.shape and x.dtype is y.dtype:
        if x.base is None and id(x) not in map(id, tangents):
            x += y
            return x
        if y.base is None and id(y) not in map(id, tangents):
            y += x
            return y
    return KERNELS.add(x, y)


def by_rule(F: Any, node: Node, place: int, cotangent: Any) -> Any:
    """What the gradient rule of an input makes of a cotangent."""
    op = node.op
    kept = node.kept if op.single else node.kept[place]
    rule = op.rules[place]
    return (
        rule.raw(cotangent, kept)
        if F is KERNELS
        else rule.watched(cotangent, lift(rule, node, kept))
    )
