"""Do a call of a hybridized block again, recorded, with the arrays that it had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import Context
from typing import Any, NamedTuple

from ..engine.array import wrap
from ..engine.node import Node
from ..kernels import generator
from ..scopes import restored_writes, scope
from .arguments import apart, together
from .inputs import NOTHING
from .results import once


class Again(NamedTuple):
    """A call as it was, besides the arrays that its program was given.

    It holds no handles of the arguments, so that they can be freed before the graph.

    Attributes
    ----------
    leaves : list of tuple
        Of the arguments: what `wrap` needs to make them again.
    nodes : list of Node
        Those that the handles had that the call used besides.
    state : dict or None
        The state of the random generator, if the call drew numbers.
    """

    function: Any
    form: Any
    leaves: list
    nodes: list
    state: Any
    context: Context

    def run(self, pair: Any, arrays: list, tapes: tuple) -> list[Node]:
        """The nodes of the results that were tracked, recorded by `tapes`."""
        return self.context.copy().run(self._run, pair, arrays, tapes)

    def _run(self, pair: Any, arrays: list, tapes: tuple) -> list[Node]:
        args, kwargs = together(self.form, [wrap(*one) for one in self.leaves])
        state = nullcontext() if self.state is None else generator.replaying(self.state)
        held = [
            (one.handle, arrays[one.place], node)
            for one, node in zip(pair.inputs.held, self.nodes)
            if one.place >= 0 and arrays[one.place] is not NOTHING
        ]
        with (
            state,
            _holding(held),
            restored_writes(),
            scope(lambda now, entry: now.recorded_by(tapes, entry=entry)),
        ):
            results = once(apart(self.function(*args, **kwargs))[0])
        return [y._node for one, y in zip(pair.results, results) if one.place >= 0]


@contextmanager
def _holding(held: list) -> Iterator[None]:
    """Let handles hold these arrays, with these nodes."""
    before = []
    for reference, raw, node in held:
        handle = reference()
        if handle is not None and (handle.raw is not raw or handle._node is not node):
            before.append((handle, handle.raw, handle._node))
            handle.raw, handle._node = raw, node
    try:
        yield
    finally:
        for handle, raw, node in before:
            handle.raw, handle._node = raw, node
