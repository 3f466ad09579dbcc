"""The programs of a symbol that is bound to arrays: as those of a hybridized block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.engine.mode import mode
from .._core.engine.node import Blank
from .._core.journal import JOURNAL
from .._core.program import convolutions  # noqa: F401  (the rules of operators, before the first use)
from .._core.program.pair import Calls
from .._core.program.picture import shown
from .._core.program.step import is_on, patience
from .._core.program.variant import INSIDE
from .program import Program


class Bound:
    """Runs a graph by programs where that saves time, and call by call elsewhere.

    Parameters
    ----------
    graph : Program
        The calls.
    states : collection of str
        The names of the inputs that calls write to. They have to be the same arrays each time.
    name : str
    """

    def __init__(self, graph: Program, states: Any, name: str) -> None:
        self.graph, self.on, self.name = graph, is_on(), name
        self.calls = Calls(wait=max(patience(), 1))
        self.kept = [name in states for name in graph.inputs]
        self.states: list[Any] = []
        #: The modes in which a program would save too little, or is not possible.
        self.plain: set[tuple] = set()

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        """The outputs, from arrays in the order of the inputs of the graph."""
        now = mode()
        if (
            not self.on
            or (now.tapes, now.training) in self.plain
            or JOURNAL.get() is not None
            or INSIDE.get()
            or any(one._is_sparse for one in arrays)
        ):
            return self.graph.run(arrays)
        states = [one for one, kept in zip(arrays, self.kept) if kept]
        if len(states) != len(self.states) or any(map(_differ, states, self.states)):
            self.calls.forget()
            self.states = states
        taken = tuple([one for one, kept in zip(arrays, self.kept) if not kept])
        found: list[Any] = self.calls.call(self._computed, taken, {})
        last = self.calls.last[1]
        if last is not None and last.failed:
            self.plain.add((now.tapes, now.training))
        return found

    def _computed(self, *taken: Any) -> list[Any]:
        """What the calls give, one by one."""
        rest, states = iter(taken), iter(self.states)
        return self.graph.run([next(states if kept else rest) for kept in self.kept])

    def text(self) -> str:
        """What is known of the programs, and of runs call by call."""
        if not self.on:
            return f"{self.name}: runs call by call, because of GLUON_PROGRAM=0"
        return shown(self.name, self.calls)


def _differ(one: Any, other: Any) -> bool:
    return one is not other


def plain(array: Any) -> bool:
    """Whether nobody recorded or marked an array."""
    node = array._node
    return type(node) is Blank and not node.zeros and not node.inherited
