"""Custom operators: `gluon.operator.CustomOpProp` describes their inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from .. import nd
from ..nd.custom import described, read_backwards
from .calls import Outputs
from .naming import is_hidden
from .node import GraphNode
from .operator import OPERATORS, Operator
from .shapes import Both, Shape, Shapes, full

#: Arguments of a call that do not belong to the operator.
NOT_ATTRIBUTES = ("attr", "name", "op_type", "out")


class Custom(Operator):
    """The operator ``Custom``; each ``op_type`` is a different operator."""

    def specialised(self, given: Mapping[str, Any], subgraphs: Any = ()) -> Operator:
        """The operator that was registered as ``op_type``."""
        own = {
            key: value
            for key, value in given.items()
            if not (isinstance(value, Outputs) or key in NOT_ATTRIBUTES or is_hidden(key))
        }
        return Registered(described(given.get("op_type"), own))


class Registered(Operator):
    """A custom operator, with the arguments of its `CustomOpProp`."""

    def __init__(self, prop: Any) -> None:
        super().__init__("Custom", nd.Custom)
        self.prop = prop
        self.auxiliary = tuple(prop.list_auxiliary_states())
        self.arrays = (*prop.list_arguments(), *self.auxiliary)
        self.optional, self.variadic, self.attributes, self.open = frozenset(), None, {}, True

    def needs_gradient(self) -> bool:
        """Whether the user's backward pass reads the gradient of a result."""
        counts = len(self.prop.list_arguments()), len(self.prop.list_outputs())
        return any(read_backwards(self.prop, *counts)[0])

    def outputs(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the results."""
        return tuple(self.prop.list_outputs())

    def bound(self, node: GraphNode) -> Callable[..., Any]:
        """The call of a node, as a function of arrays only."""
        return partial(nd.Custom, **node.values)

    def shapes(self, node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        """The result of the user's ``infer_shape``, once the first input is known."""
        count = len(ins) - len(self.auxiliary)
        if count and not full(ins[0]):
            return ins, outs
        found = self.prop.infer_shape([list(one or ()) for one in ins[:count]])
        arguments, results, *states = (list(map(_shape, group)) for group in found)
        return [*arguments, *(states[0] if states else ins[count:])], results

    def dtypes(self, node: GraphNode, ins: Any, outs: Any) -> tuple[list[Any], list[Any]]:
        """The result of the user's ``infer_type``, once the first input is known."""
        count = len(ins) - len(self.auxiliary)
        if count and ins[0] is None:
            return list(ins), list(outs)
        given = [ins[0].type if one is None else one.type for one in ins[:count]]
        arguments, results, *states = self.prop.infer_type(given)
        rest = states[0] if states else ins[count:]
        return [*map(np.dtype, [*arguments, *rest])], [*map(np.dtype, results)]


def _shape(shape: Any) -> Shape | None:
    """Return a user-defined shape; an empty one of an input is unknown."""
    return tuple(int(n) for n in shape) or None


OPERATORS["Custom"] = Custom("Custom", nd.Custom)
