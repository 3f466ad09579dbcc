"""A call that somebody may record: a forward program, a backward program, one node between them.

The two are segments of one program. What the backward one reads lies in the room of the forward
one and in arrays, all of which the node keeps; so several forward passes before a backward one,
`retain_graph` and writes in between work as with any other node.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Lock
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..engine.array import Array, wrap
from ..engine.mode import mode
from ..engine.node import Blank, Node, Variable, next_number
from ..engine.op import Op
from ..engine.pull import OUTPUT, ZERO_SOURCES, only_wanted
from ..engine.sweep import sweep
from ..engine.tape import AMBIENT, RECORDING
from ..errors import AutogradError
from ..journal import JOURNAL
from ..kernels import generator
from .again import Again
from .arguments import apart, together
from .inputs import NOTHING, Held, found_by
from .listing import Failed, Listing
from .lower import Lowering
from .results import once, wrapped
from .run import Program, Room
from .step import Compiled
from .trace import Call, Trace, Turn
from .values import Buffer
from .variant import Variant, drawn

empty = np.empty
#: What a program is worth, in about half microseconds: what each operator costs without, what a
#: segment and a call in Python cost, and how many bytes of the results of those are copied in one.
SAVED, ENTRY, PYTHON, COPIED = 4, 16, 6, 4096


def state_of(node: Node) -> Any:
    """``RECORDING`` if somebody records what is made of `node`, None if nobody; else `node`."""
    kind = type(node)
    if kind is Blank:
        return node if node.zeros or node.inherited else None  # type: ignore[attr-defined]
    if node.tapes == RECORDING:
        return RECORDING
    return None if kind is Variable and not node.tapes else node


class Lease:
    """The use of a room, until nobody holds this."""

    __slots__ = ("lock", "program", "room")

    def __init__(self, program: Program, room: Room) -> None:
        self.program, self.room, self.lock = program, room, Lock()

    def __del__(self) -> None:
        self.program.give_back(self.room)


class Kept(NamedTuple):
    """What a node keeps: for its backward pass, and to do the call again."""

    lease: Lease
    arrays: list
    again: Again


class Pair(Variant):
    """A call for arguments of certain forms, in one mode.

    Attributes
    ----------
    small : bool
        Whether a program would save too little.
    """

    small = False
    # It is the operator of the nodes that stand for its calls.
    name, single, many = "program", None, False

    # ------------------------------------------------------------------------- making

    def go_on(self, listing: Listing, leaves: list, found: Any) -> None:
        """Run the backward pass, from results with drawn cotangents to all that leads there."""
        trace = listing.trace
        self.grads = []
        heads = [y for y in once(apart(found)[0]) if AMBIENT in y._node.tapes and trace.made(y)]
        if trace.failed or not heads:
            return
        token = JOURNAL.set(None)
        try:
            forms = [(y.raw.shape, y.raw.dtype) for y in heads]
            if self.program is not None and forms != self.cotangents:
                return trace.fail("the results are not the same in two calls")
            self.cotangents, self.seeds = forms, drawn(forms)
            nodes = _receivers(trace, leaves)
        finally:
            JOURNAL.reset(token)
        listing.expect(self.seeds)
        trace.enter(Turn())
        seeds = [(y._node, g) for y, g in zip(heads, self.seeds)]
        try:
            _check([y._node for y in heads], nodes)
            training = mode().training
            received, _ = sweep(
                AMBIENT, seeds, receivers=nodes, stops=True, retain=True, training=training
            )
        except Exception as error:  # of a rule: the user's own backward pass will raise it again
            return trace.fail(str(error) or type(error).__name__)
        self.grads = [(h, received[node]) for node, h in nodes.items() if node in received]
        return None

    def plan(self, listing: Listing, lowering: Lowering, leaves: list) -> None:
        super().plan(listing, lowering, leaves)
        plan = self.program.plan
        calls = sum(isinstance(entry.event, Call) for entry in listing.entries)
        nodes = [node for group in plan.groups for node in group if node.kind == "python"]
        moved = sum(v.size * v.dtype.itemsize for node in nodes for v in node.writes)
        cost = ENTRY * plan.segments + PYTHON * len(nodes) + moved // COPIED
        if SAVED * calls <= cost:
            self.small = True
            raise Failed(
                f"a program would save too little: {calls} operators, {len(nodes)} of them in"
                " Python"
            )

    def listed(self, listing: Listing, leaves: list, found: Any) -> None:
        super().listed(listing, leaves, found)
        if listing.actions or listing.segment != bool(self.seeds):
            raise Failed("the call updates parameters, or its results are not the same in two")
        known = {id(one.handle()): one for one in self.held}
        places = {id(x): k for k, x in enumerate(leaves)}
        #: The handles that get a gradient, or the places of arguments.
        self.receivers: list[Any] = [known.get(id(h), places.get(id(h))) for h, _ in self.grads]
        self.grads = []

    def node_of(self, node: Node) -> Node | None:
        if AMBIENT in node.tapes and type(node) is not Variable:
            return None
        if type(node) is Blank and not node.zeros:
            return node
        raise Failed("a result whose gradient is zero, or that is marked")

    def hold(self, handle: Any) -> Held:
        if state_of(handle._node) not in (None, RECORDING):
            raise Failed("an array that was recorded before the call")
        return Held(ref(handle), False)

    @staticmethod
    def may_be(held: Held, node: Any) -> bool:
        return state_of(node) is (RECORDING if held.tapes == RECORDING else None)

    def prepare(self) -> None:
        self.many = len(self.seeds) > 1
        super().prepare()
        plan = self.program.plan
        middle = plan.starts[1]
        first, later = _buffers(plan.groups[:middle]), _buffers(plan.groups[middle:])
        used, written = later[0] | later[1], {*plan.written}
        if first[1] & used & written or first[1] & later[1] or any(self.delivered[1:]):
            raise Failed("the backward pass uses what the forward pass writes to")
        if self.cotangents and any(b.source.kind != "handle" for b in plan.written):
            raise Failed("a write to an argument")
        if self.inputs.others:
            raise Failed("the gradient of an argument is used")
        number = len(plan.made) - len(self.receivers)
        self.forward, self.backward = plan.made[:number], plan.made[number:]
        self.nothing = [NOTHING] * len(self.backward)
        #: What a node need not keep: to do its call again, it keeps what handles held.
        kept = used | {b for b in plan.given if b.source.kind == "handle"} - written
        every = [*plan.given, *plan.made_buffers[:number]]
        self.unused = [k for k, b in enumerate(every) if b not in kept]
        self.draws = any(one.draws for some in plan.groups[:middle] for one in some)

    # ------------------------------------------------------------------------- running

    def run(self, leaves: list, function: Callable, form: Any) -> Any:
        arrays = self.given(leaves)
        if arrays is None:
            return None
        edges = tuple(
            [leaves[one]._node if type(one) is int else one.node for one in self.receivers]
        )
        if len(edges) > 1 and len(set(edges)) < len(edges):
            return None
        made = [empty(*form) for form in self.forward]
        arrays += made
        room = self.program.room()
        try:
            state = self._drawn(room, (*arrays, *self.nothing))
        except Exception:
            if self.draws or self.program.plan.written:
                raise
            args, kwargs = together(form, leaves)
            return [function(*args, **kwargs)]  # which raises the error that names the layer
        self.deliver(0, made, found_by(self.targets, leaves))
        node: Any = None
        if self.cotangents:
            for k in self.unused:
                arrays[k] = NOTHING
            before = [(type(x), x.raw, x._ctx, x._node) for x in leaves]
            nodes = [one.node for one in self.inputs.held]
            again = Again(function, form, before, nodes, state, copy_context())
            node = self._node(edges, Kept(Lease(self.program, room), arrays, again))
        else:
            self.program.give_back(room)
        found = wrapped(self.results, made[len(self.program.plan.outputs) :], node, leaves)
        return [together(self.form, [found[k] for k in self.order])]

    def _drawn(self, room: Room, arrays: tuple) -> Any:
        """Run the forward program; return the state of the generator before, if it draws."""
        if self.draws and self.cotangents:
            with generator.remembered() as state:
                room.run(0, arrays)
            return state
        return room.run(0, arrays)

    def _node(self, edges: tuple, kept: Kept) -> Node:
        node = Node()
        node.op, node.tapes, node.edges, node.kept = self, RECORDING, edges, kept
        node.attrs, node.number, node.width = {}, next_number(), len(self.cotangents)
        return node

    def pull(self, node: Node, g: Any, wants: Any) -> Any:
        """Run the backward program."""
        grads = only_wanted(node, self._pulled(node.kept, g if self.many else [g]), wants)
        if self.ready and 2 * sum(one is None for one in grads) > len(grads):
            # Operator by operator, a backward pass computes what is asked for only.
            self.failed = "most gradients that a program computes are not asked for"
            self.ready = False
            self.program.close()
        return grads

    def _pulled(self, kept: Kept, cotangents: Any) -> list:
        arrays = [*kept.arrays]
        count = len(self.forms_of_leaves)
        for k, place in self.inputs.later:
            one = place - count
            arrays[k] = _cotangent(cotangents[one], *self.cotangents[one])
        made = [empty(*form) for form in self.backward]
        with kept.lease.lock:
            kept.lease.room.run(1, (*arrays, *made))
        return made

    def pull_watched(self, node: Node, g: Any, wants: Any) -> list:
        """Do the call again, recorded by those who watch, and differentiate that."""
        now = mode()
        tape: Any = now.walked
        watched = tape in now.tapes
        nodes = node.kept.again.run(
            self, node.kept.arrays, now.tapes if watched else (*now.tapes, tape)
        )
        seeds = [
            (end, one if isinstance(one, Array) else wrap(Array, one))
            for end, one in zip(nodes, g if self.many else [g])
            if one is not None
        ]
        edges = [edge for edge in node.edges if wants is None or wants(edge)]
        received, _ = sweep(
            tape,
            seeds,
            receivers=edges,
            stops=True,
            retain=watched,
            create_graph=watched,
            training=now.training,
        )
        if any(edge not in received for edge in edges):
            raise AutogradError(
                "a hybridized block cannot be differentiated again: its parameters were"
                " initialized or marked anew since the call; call backward first"
            )
        return [received.get(edge) for edge in node.edges]


def _buffers(groups: list) -> tuple[set[Buffer], set[Buffer]]:
    """What some groups read, and what they write."""
    nodes = [node for group in groups for node in group]
    return {v.buffer for one in nodes for v in one.reads}, {
        v.buffer for one in nodes for v in one.writes
    }


def _receivers(trace: Trace, leaves: list) -> dict[Node, Any]:
    """The nodes of tracked arrays from before the call, with their handles."""
    seen = [one.handle() for one in trace.first.values()]
    found: dict[Node, Any] = {}
    for h in once([*leaves, *[h for h in seen if h is not None]]):
        node = h._node
        if AMBIENT in node.tapes and (type(node) is Variable or any(h is x for x in leaves)):
            if node in found:
                trace.fail("two arrays with one history")
            found[node] = h
    return found


def _check(heads: list[Node], ends: dict[Node, Any]) -> None:
    """Fail where a backward pass from `heads` calls what is no operator."""
    seen, stack = {*ends}, [*heads]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Variable):
            raise Failed("the call marks an array, as attach_grad does")
        if not isinstance(node.op, Op) and node.op is not OUTPUT and node.op is not ZERO_SOURCES:
            raise Failed(f"{node.op.name} is differentiated in Python")
        stack += [edge for edge in node.edges or () if edge is not None and AMBIENT in edge.tapes]


def _cotangent(g: Any, shape: tuple, dtype: Any) -> Any:
    """A cotangent as the program reads it."""
    if g is None:
        return np.zeros(shape, dtype)
    return np.ascontiguousarray(g, dtype).reshape(shape)


class Calls(Compiled):
    """Calls that may be recorded, and their programs, one for each form of the arguments."""

    variant = Pair
    of_arrays = True

    def why_not(self, tapes: tuple) -> str:
        return "" if tapes == RECORDING else "a GradManager records"

    def kind(self, node: Any, tapes: tuple) -> Any:
        state = state_of(node)
        if state is None or not tapes:
            return ()
        if state is RECORDING:
            return RECORDING
        inherited = type(state) is Blank and not state.zeros
        return (state,) if inherited else None
