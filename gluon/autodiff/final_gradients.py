"""Gradients that are available during the backward pass, as soon as they are final.

The sweep reaches variables last, since they are older than what is computed from them. Here the
operators that take a variable are counted beforehand, so that its gradient is known to be final as
soon as the sweep has passed the last of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .._core.engine.node import Node, Variable
from .._core.engine.tape import Tape


class FinalGradients:
    """Delivers the gradients of some variables during a sweep, each as soon as it is final.

    They leave in the reverse order of `begin`, whatever the order in which they are final: it is
    the same on all processes even where those compute in another order.

    Parameters
    ----------
    tape : Tape
        Nobody else records its sweep.
    seeds : iterable of Node
        Where the sweep starts; none of them is a variable of `begin`.
    begin : dict of Variable to callable
        What is called with the raw gradient of each; variables without edges.

    Attributes
    ----------
    received : dict of Variable to numpy.ndarray
        The gradients.
    begun : dict of Variable to object
        What the calls gave.
    """

    begun: dict[Variable, Any]
    received: dict[Node, Any]

    def __init__(
        self,
        tape: Tape,
        seeds: Iterable[Node],
        begin: dict[Variable, Callable[[Any], Any]],
    ) -> None:
        self.begun, self.received = {}, {}
        self._added: set[Variable] = set()
        self._begin, self._left = begin, dict.fromkeys(begin, 0)
        self._count(tape, list(seeds))
        self._waiting = [variable for variable, left in self._left.items() if left]

    def _count(self, tape: Tape, stack: list[Node]) -> None:
        seen = set(stack)
        while stack:
            for edge in set(stack.pop().edges or ()):
                if edge in self._left:
                    self._left[edge] += 1
                elif edge and tape in edge.tapes and edge not in seen:
                    seen.add(edge)
                    stack.append(edge)

    def around(self, op: Any, pull: Callable[..., Any]) -> Callable[..., Any]:
        """Replaces an operator's pull, and keeps the gradients of the variables."""

        def pulled(node: Node, g: Any, wants: Any) -> Any:
            edges = node.edges
            grads = pull(node, g, wants)
            if self._left.keys().isdisjoint(edges):
                return grads
            rest = [self._rest(edge, grad) for edge, grad in zip(edges, grads)]
            for variable in self._left.keys() & set(edges):
                self._left[variable] -= 1
            while self._waiting and not self._left[self._waiting[-1]]:
                self._leave(self._waiting.pop())
            return rest

        return pulled

    def _rest(self, edge: Any, grad: Any) -> Any:
        """Return the part of `grad` that the sweep still has to handle: all of it or nothing."""
        if edge not in self._left:
            return grad
        if grad is not None and edge not in self.received:
            self.received[edge] = grad
        elif grad is not None and edge in self._added:
            self.received[edge] += grad
        elif grad is not None:
            self._added.add(edge)
            self.received[edge] = self.received[edge] + grad
        return None

    def _leave(self, variable: Variable) -> None:
        if variable in self.received:
            self.begun[variable] = self._begin[variable](self.received[variable])
