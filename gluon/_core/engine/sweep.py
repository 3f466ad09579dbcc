"""The backward pass: newest node first, each released when the last tape has passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush
from typing import Any

from ..kernels.memory import own
from ..refusals import released
from .array import Array, wrap
from .mode import mode, under
from .node import Node
from .pull import PASS, ZERO_SOURCES
from .tape import Tape

#: The function that runs `walk`, if not None; see `let_walk`.
_walker: Callable | None = None


def let_walk(walker: Callable | None) -> None:
    """From now on have ``walker`` called in place of `walk`, to call that; None: nobody."""
    global _walker
    _walker = walker


def sweep(
    tape: Tape,
    seeds: list[tuple[Node, Array]],
    *,
    receivers: Iterable[Node] | None = None,
    stops: bool = False,
    retain: bool = False,
    create_graph: bool = False,
    training: bool = True,
    around: Callable[[Any, Callable], Callable] | None = None,
) -> tuple[dict[Node, Array], tuple[Tape, ...]]:
    """Pull cotangents back from `seeds` through everything that `tape` recorded.

    Parameters
    ----------
    tape : Tape
        Whose recording is walked.
    seeds : list of (Node, Array)
        The heads' nodes and their cotangents.
    receivers : iterable of Node, optional
        The nodes whose cotangents are wanted, and nothing that does not lead to them is
        computed. By default every variable of `tape` that is reached.
    stops : bool, default False
        Walk up to the receivers, not through one of them to another.
    retain : bool, default False
        Keep the graph instead of releasing each node once it has been passed.
    create_graph : bool, default False
        Let `tape` itself record the pass, so that it can be differentiated again.
    training : bool, default True
        The training flag during the pass.
    around : callable, optional
        ``around(op, pull)`` runs in place of each operator's `pull`.

    Returns
    -------
    dict of Node to Array
        The cotangent of every receiver that was reached.
    tuple of Tape
        The audience, by whom the pass was recorded.

    Raises
    ------
    AutogradError
        If the walk meets a node that an earlier backward of `tape` released.
    """
    audience = tape.audience() + ((tape,) if create_graph else ())
    wanted = None if receivers is None else set(receivers)
    live = None if wanted is None else _leading_to(wanted, seeds, tape, stops)
    if audience:
        given = [(node, wrap(Array, own(g.raw), g._ctx, g._node)) for node, g in seeds]
    else:
        given = [(node, own(g.raw)) for node, g in seeds]
    inside = mode().recorded_by(audience, training, tape)
    run = partial(_walker or walk, around=around) if around else _walker or walk
    received = under(inside, run, tape, given, wanted, live, stops, retain, bool(audience))
    return received, audience


def walk(
    tape: Tape,
    seeds: list,
    wanted: set | None,
    live: set | None,
    stops: bool,
    retain: bool,
    watched: bool,
    *,
    around: Callable[[Any, Callable], Callable] | None = None,
) -> dict[Node, Any]:
    """The cotangents that a sweep comes to.

    Where it is given, ``around(op, pull)`` runs in place of each operator's `pull`.
    """
    # node -> [its cotangent so far, whether the sweep owns that array and may add to it]
    pending: dict[Node, list] = {}
    heap: list[tuple[int, Node]] = []
    received: dict[Node, Any] = {}
    # The newest pending node is kept out of the heap, so that a chain never uses the heap.
    ahead, ahead_g = seeds[0] if len(seeds) == 1 else (None, None)
    for node, g in seeds if ahead is None else ():
        _send(node, g, pending, heap)

    plain = wanted is None and not (watched or retain or around)

    def wants(edge: Node) -> bool:
        return tape in edge.tapes and (live is None or edge in live)

    while heap or ahead is not None:
        if ahead is None or (heap and heap[0][0] < ahead.number):
            node = heappop(heap)[1]
            g = pending.pop(node)[0]
        else:
            node, g, ahead = ahead, ahead_g, None
        op = node.op
        if plain and ahead is None and op.single:
            # A shortcut for a chain of one-input operators seen by one tape, until a pending node
            # is newer. The code below would do the same.
            newest = heap[0][0] if heap else 1
            while (single := op.single) and (edges := node.edges) and len(node.tapes) == 1:
                edge = edges[0]
                if edge in pending or (grad := single(g, node.kept)) is None:
                    break
                node.edges = node.kept = None
                node, g, op = edge, grad, edge.op
                if node.number > newest:
                    break
            if node.number > newest:
                ahead, ahead_g = node, g
                continue
        edges = node.edges
        alone = op is not PASS and len(node.tapes) == 1
        if plain and alone and edges:
            grads = op.pull(node, g, None)
            node.edges = node.kept = None
        else:
            if wanted is not None:
                if node in wanted:
                    received[node] = g
                    if stops:
                        continue
            elif op is PASS:
                received[node] = g
            if op is PASS and not edges:
                continue
            if edges is None or (not alone and node.released_by(tape)):
                raise released(node, *[g.shape for _, g in seeds])
            # The edges of an operator seen by one tape are all tracked by that tape.
            pull = op.pull_watched if watched else op.pull
            pull = pull if around is None else around(op, pull)
            grads = pull(node, g, None if alone and live is None else wants)
            if not retain:
                node.forget(tape)

        place = 0  # counting is faster than zip()
        for grad in grads:
            edge = edges[place]
            place += 1
            if grad is None or edge is None:
                continue
            if edge in pending:
                total = pending[edge]
                if total[1]:
                    total[0] += grad
                else:
                    total[:] = total[0] + grad, not watched
            elif ahead is None:
                ahead, ahead_g = edge, grad
            elif edge is ahead:
                ahead_g = ahead_g + grad
            else:
                if edge.number < ahead.number:
                    edge, ahead = ahead, edge
                    grad, ahead_g = ahead_g, grad
                pending[edge] = [grad, False]
                heappush(heap, (edge.number, edge))
    return received


def _send(node: Node, g: Any, pending: dict, heap: list) -> None:
    if node in pending:
        pending[node][0] = pending[node][0] + g
    else:
        pending[node] = [g, False]
        heappush(heap, (node.number, node))


def _leading_to(wanted: set[Node], seeds: list, tape: Tape, stops: bool) -> set[Node]:
    """Return the nodes that lead to a wanted one, itself included; if `stops`, not beyond it."""
    seen: set[Node] = set()
    stack = [node for node, _ in seeds]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if stops and node in wanted:
            continue
        if node.released_by(tape):
            raise released(node, *[g.shape for _, g in seeds])
        edges = [edge for edge in node.edges or () if edge and tape in edge.tapes]
        # Zeros go only to nodes that still have a history.
        stack += [one for one in edges if node.op is not ZERO_SOURCES or not one.released_by(tape)]
    live: set[Node] = set()
    for node in sorted(seen, key=lambda node: -node.number):
        if node in wanted or not live.isdisjoint(node.edges or ()):
            live.add(node)
    return live
