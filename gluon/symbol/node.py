"""The graph of a symbol: nodes, each of them a call of an operator or a variable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from .operator import Operator


class Entry(NamedTuple):
    """One output of a node."""

    node: GraphNode
    index: int  # type: ignore[assignment]


class GraphNode:
    """One call of an operator, or a variable, whose `op` is None.

    Attributes
    ----------
    op : Operator or None
    name : str
    attrs : dict of str to str
        The operator's arguments as text, and hidden attributes such as ``__lr_mult__``.
    inputs : list of Entry
    """

    __slots__ = ("_values", "attrs", "inputs", "name", "op")

    attrs: dict[str, str]
    inputs: list[Entry]
    name: str
    op: Operator | None

    def __init__(
        self, op: Operator | None, name: str, attrs: dict[str, str], inputs: Iterable[Entry] = ()
    ) -> None:
        self.op, self.name, self.attrs = op, name, attrs
        self.inputs = list(inputs)
        self._values: dict[str, Any] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The operator's arguments, read from their text."""
        if self._values is None:
            self._values = self.op.read(self.attrs) if self.op else {}
        return self._values

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs, without the name of the node."""
        return self.op.outputs(self.values) if self.op else ("",)

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs, one for each."""
        return self.op.input_names(self.values, len(self.inputs)) if self.op else []

    def output_name(self, index: int) -> str:
        """The name of an output in `list_outputs`."""
        return f"{self.name}_{self.outputs[index]}" if self.op else self.name


def ordered(
    heads: Iterable[Entry], past: Callable[[Entry], Entry] = lambda entry: entry
) -> list[GraphNode]:
    """The nodes that `heads` need, each after its inputs, in MXNet's order.

    Parameters
    ----------
    heads : iterable of Entry
    past : callable, optional
        Maps an entry to the one to use in its place, to skip nodes.
    """
    found: list[GraphNode] = []
    seen: set[GraphNode] = set()
    for head, _ in heads:
        stack = [(head, iter(head.inputs))] if head not in seen else []
        seen.add(head)
        while stack:
            node, rest = stack[-1]
            for entry in rest:
                source = past(entry).node
                if source not in seen:
                    seen.add(source)
                    stack.append((source, iter(source.inputs)))
                    break
            else:
                found.append(node)
                stack.pop()
    return found


def variables(order: Iterable[GraphNode]) -> tuple[list[GraphNode], list[GraphNode]]:
    """The variables among nodes: the arguments, and the auxiliary states of operators."""
    order = list(order)
    states = {
        node.inputs[k].node
        for node in order
        if node.op and node.op.auxiliary
        for k, name in enumerate(node.input_names)
        if name in node.op.auxiliary
    }
    free = [node for node in order if node.op is None]
    return [n for n in free if n not in states], [n for n in free if n in states]
