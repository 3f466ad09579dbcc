"""A call that somebody may record: a forward program, a backward program, one node between them.

The two are segments of one program. What the backward one reads lies in the room of the forward
one and in arrays, all of which the node keeps; so several forward passes before a backward one,
`retain_graph` and writes in between work as with any other node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from threading import Lock
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..engine.array import Array, wrap
from ..engine.mode import Mode, mode
from ..engine.node import Blank, Node, Variable, next_number
from ..engine.op import Op
from ..engine.pull import OUTPUT, ZERO_SOURCES, only_wanted, output
from ..engine.sweep import sweep
from ..engine.tape import AMBIENT, RECORDING
from ..errors import AutogradError
from ..journal import JOURNAL
from ..kernels import generator
from ..scopes import restored_writes, scope
from . import outside
from .arguments import apart, together
from .copies import Copies
from .held import Held
from .listing import Failed, Listing
from .run import Program, Room
from .step import Compiled
from .trace import Call, Trace, Turn
from .values import Buffer, Source
from .variant import Variant, is_made, keeps, used

empty = np.empty
#: Set while a call runs as it is written, to be a program later: calls inside it are none.
INSIDE: ContextVar[bool] = ContextVar("gluon_program_inside", default=False)
#: Stands for an array that a segment does not use.
NOTHING = np.empty(0, np.uint8)
#: What a program is worth, in about half microseconds: what each operator costs without, what a
#: segment and a call in Python cost, and how many bytes of the results of those are copied in one.
SAVED, ENTRY, PYTHON, COPIED = 4, 16, 6, 4096


class Result(NamedTuple):
    """A result: a handle from before the call, or a new one of class `cls`.

    It has the node `node`, or is output number `place` of the call's own node.
    """

    source: Source | None
    cls: Any
    ctx: Any
    node: Any
    place: int


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

    def __init__(self, exact: bool, leaves: list, wait: int = 1) -> None:
        super().__init__(exact, leaves, wait)
        self.seeds: list[Array] = []  # cotangents, one for each result that is tracked
        self.grads: list[tuple[Any, Any]] = []  # handles with their gradients
        self.receivers: list[Source] = []  # of these handles
        self.outside: list[outside.Place] = []  # values that the code of the layers reads

    # ------------------------------------------------------------------------- making

    def as_written(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        token = INSIDE.set(True)
        try:
            return super().as_written(function, args, kwargs)
        finally:
            INSIDE.reset(token)

    def copies(self, leaves: list) -> Copies:
        if self.ready:
            self.seeds = _drawn(self.cotangents)
        return Copies(self.program.plan, [*leaves, *self.seeds])

    def trace(self, watched: list | None, leaves: list) -> Trace:
        return Trace(watched, leaves)

    def _look_at(self, trace: Trace, function: Any) -> None:
        super()._look_at(trace, function)
        layers = [getattr(function, "__self__", None), *[one() for one in trace.layers]]
        found = outside.values([one for one in layers if one is not None])
        if self.program is not None and not outside.are_same(self.outside):
            raise Failed("a number or a text outside of the layers is not the same in two calls")
        self.outside = found

    def go_on(self, trace: Trace, leaves: list, found: Any) -> None:
        """Run the backward pass, from results with drawn cotangents to all that leads there."""
        self.grads = []
        heads = [y for y in _once(apart(found)[0]) if AMBIENT in y._node.tapes]
        heads = [y for y in heads if trace.made(y)]
        if trace.failed or not heads:
            return
        token = JOURNAL.set(None)
        try:
            self._seed([(y.raw.shape, y.raw.dtype) for y in heads], trace)
            nodes = _receivers(trace, leaves)
        finally:
            JOURNAL.reset(token)
        trace.events.append(Turn())
        seeds = [(y._node, g) for y, g in zip(heads, self.seeds)]
        try:
            _check([y._node for y in heads], nodes)
            training = mode().training
            received, _ = sweep(
                AMBIENT, seeds, receivers=nodes, stops=True, retain=True, training=training
            )
        except Exception as error:  # of a rule: the user's own backward pass will raise it again
            trace.fail(str(error) or type(error).__name__)
            return
        self.grads = [(h, received[node]) for node, h in nodes.items() if node in received]

    def handles(self, trace: Trace, leaves: list) -> list[Held]:
        found = used(trace, leaves)
        if any(state_of(h._node) not in (None, RECORDING) for h in found):
            raise Failed("an array that was recorded before the call")
        return [Held(ref(h), False) for h in found]

    def may_be(self, held: Held, node: Any) -> bool:
        tracked = RECORDING if held.tapes == RECORDING else None
        return state_of(node) is tracked

    def plan(self, listing: Listing, leaves: list) -> None:
        super().plan(listing, leaves)
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

    def _seed(self, forms: list, trace: Trace) -> None:
        if self.program is None:
            self.seeds = _drawn(forms)
        elif forms != [(g.raw.shape, g.raw.dtype) for g in self.seeds]:
            trace.fail("the results are not the same in two calls")

    def listed(self, trace: Trace, leaves: list, found: Any) -> Listing:
        results, self.form = apart(found)
        keeps(trace, results)
        once = _once(results)
        self.order = [[id(y) for y in once].index(id(y)) for y in results]
        made = [y for y in once if is_made(trace, y)]
        raws = [y.raw for y in made] + [g for _, g in self.grads]
        ends = [0] * len(made) + [1] * len(self.grads)
        listing = Listing(trace, [*leaves, *self.seeds], raws, ends)
        if listing.actions or listing.segment != bool(self.seeds):
            raise Failed("the call updates parameters, or its results are not the same in two")
        self.results = _results(listing, once, made)
        self.receivers = [listing.source(h) for h, _ in self.grads]
        self.held = self.handles(trace, [*leaves, *self.seeds])
        self.received, self.marks, self.count = [], {}, len(made)
        return listing

    def prepare(self) -> None:
        super().prepare()
        plan = self.program.plan
        middle = plan.starts[1]
        first, later = _buffers(plan.groups[:middle]), _buffers(plan.groups[middle:])
        touched = first[1] & (later[0] | later[1]) & {*plan.written}
        if touched or first[1] & later[1] or any(o.segment for o in plan.outputs):
            raise Failed("the backward pass uses what the forward pass writes to")
        if self.seeds and any(b.source.kind != "handle" for b in plan.written):
            raise Failed("a write to an argument")
        number = len(plan.outputs) + self.count
        count = len(self.forms_of_leaves)  # of the arguments; then come the seeds
        self.of_seeds = [(k, place - count) for k, place in self.places if place >= count]
        self.places = [(k, place) for k, place in self.places if place < count]
        self.blank = [NOTHING] * len(plan.given)
        self.forward, self.backward = plan.made[:number], plan.made[number:]
        used = later[0] | later[1]
        every = [*plan.given, *plan.made_buffers[:number]]
        self.unused = [k for k, b in enumerate(every) if b not in used]
        self.captured = [
            (k, b.source)
            for k, b in enumerate(plan.given)
            if b.source.kind != "argument" and b not in plan.written
        ]
        self.draws = any(
            one.why == "random numbers" for some in plan.groups[:middle] for one in some
        )
        self.cotangents = [(g.raw.shape, g.raw.dtype) for g in self.seeds]
        self.many = len(self.cotangents) > 1
        self.seeds, self.grads = [], []

    # ------------------------------------------------------------------------- running

    def run(self, leaves: list, function: Callable, form: Any) -> Any:
        """Run the forward program; return a list with the result, or None if it must not run."""
        arrays: list[Any] = self.given(leaves)  # type: ignore[assignment]
        if self.outside and not outside.are_same(self.outside):
            return None
        if arrays is None or (self.program.plan.checks and not self.passes(leaves)):
            return None
        edges = tuple([source.find(leaves)._node for source in self.receivers])
        if len(edges) > 1 and len(set(edges)) < len(edges):
            return None
        made = [empty(*form) for form in self.forward]
        arrays += made
        room = self.program.room()
        try:
            state = self._drawn(room, (*arrays, *[NOTHING] * len(self.backward)))
        except Exception:
            if self.draws or self.program.plan.written:
                raise
            args, kwargs = together(form, leaves)
            return [function(*args, **kwargs)]  # which raises the error that names the layer
        self.deliver(0, made, leaves)
        node: Any = None
        if self.cotangents:
            again = Again(self, leaves, function, form, arrays, state)
            for k in self.unused:
                arrays[k] = NOTHING
            node = self._node(edges, Kept(Lease(self.program, room), arrays, again))
        else:
            self.program.give_back(room)
        del made[: len(made) - self.count]
        results = [_wrapped(one, made, node, leaves) for one in self.results]
        return [together(self.form, [results[k] for k in self.order])]

    def _drawn(self, room: Room, arrays: tuple) -> Any:
        """Run the forward program; return the state of the generator before, if it draws."""
        if self.draws and self.cotangents:
            with generator.remembered() as state:
                room.run(0, arrays)
        else:
            room.run(0, arrays)
            state = None
        return state

    def _node(self, edges: tuple, kept: Kept) -> Node:
        node = Node()
        node.op, node.tapes, node.edges, node.kept = self, RECORDING, edges, kept
        node.attrs, node.number, node.width = {}, next_number(), len(self.cotangents)
        return node

    def pull(self, node: Node, g: Any, wants: Any) -> Any:
        """Run the backward program."""
        return only_wanted(node, self._pulled(node.kept, g if self.many else [g]), wants)

    def _pulled(self, kept: Kept, cotangents: Any) -> list:
        arrays = [*kept.arrays]
        for k, place in self.of_seeds:
            arrays[k] = _cotangent(cotangents[place], *self.cotangents[place])
        made = [empty(*form) for form in self.backward]
        room = kept.lease.room
        with kept.lease.lock:
            room.run(1, (*arrays, *made))
        return made

    def pull_watched(self, node: Node, g: Any, wants: Any) -> list:
        """Do the call again, recorded by those who watch, and differentiate that."""
        now = mode()
        tape: Any = now.walked
        watched = tape in now.tapes
        nodes = node.kept.again(now.tapes if watched else (*now.tapes, tape))
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


def _drawn(forms: list) -> list[Array]:
    """Cotangents of these shapes and dtypes, the same each time."""
    normal = np.random.default_rng(0).standard_normal
    return [wrap(Array, normal(shape).astype(dtype)) for shape, dtype in forms]


def _once(results: list) -> list:
    return list({id(y): y for y in results}.values())


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
    for h in _once([*leaves, *[h for h in seen if h is not None]]):
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


def _results(listing: Listing, results: list, made: list) -> list[Result]:
    found, place = [], -1
    for y in results:
        node = y._node
        if not any(y is one for one in made):
            found.append(Result(listing.source(y), None, None, None, -1))
        elif AMBIENT in node.tapes and type(node) is not Variable:
            place += 1
            found.append(Result(None, type(y), y._ctx, None, place))
        elif type(node) is Blank and not node.zeros:
            found.append(Result(None, type(y), y._ctx, node, -1))
        else:
            raise Failed("a result whose gradient is zero, or that is marked")
    return found


def _wrapped(one: Result, made: list, node: Node, leaves: list) -> Any:
    """A result of a run, which takes its array from `made`."""
    if one.source is not None:
        return one.source.find(leaves)
    if one.place < 0:
        return wrap(one.cls, made.pop(0), one.ctx, one.node)
    return wrap(one.cls, made.pop(0), one.ctx, output(node, one.place) if node.op.many else node)


def _cotangent(g: Any, shape: tuple, dtype: Any) -> Any:
    """A cotangent as the program reads it."""
    if g is None:
        return np.zeros(shape, dtype)
    return np.ascontiguousarray(g, dtype).reshape(shape)


class Again:
    """How to do a call again, with the arrays that it had.

    It holds no handles of the arguments, so that they can be freed before the graph.
    """

    def __init__(self, pair: Pair, leaves: list, *how: Any) -> None:
        self.function, self.form, arrays, self.state = how
        self.leaves = [(type(x), x.raw, x._ctx, x._node) for x in leaves]
        self.captured = [
            (source.handle, arrays[k], source.find(leaves)._node) for k, source in pair.captured
        ]
        self.context = copy_context()
        self.places = [one.place for one in pair.results]

    def __call__(self, tapes: tuple) -> list[Node]:
        """The nodes of the results that were tracked, recorded by `tapes`."""
        return self.context.copy().run(self._run, tapes)

    def _run(self, tapes: tuple) -> list[Node]:
        args, kwargs = together(self.form, [wrap(*one) for one in self.leaves])
        replaying = nullcontext() if self.state is None else generator.replaying(self.state)
        with (
            replaying,
            _holding(self.captured),
            restored_writes(),
            scope(lambda now, entry: now.recorded_by(tapes, entry=entry)),
        ):
            results = _once(apart(self.function(*args, **kwargs))[0])
        found = [(place, y._node) for place, y in zip(self.places, results) if place >= 0]
        return [node for _, node in found]


@contextmanager
def _holding(captured: list) -> Iterator[None]:
    """Let handles hold these arrays, with these nodes."""
    before = []
    for reference, raw, node in captured:
        handle = reference()
        if handle is not None and (handle.raw is not raw or handle._node is not node):
            before.append((handle, handle.raw, handle._node))
            handle.raw, handle._node = raw, node
    try:
        yield
    finally:
        for handle, raw, node in before:
            handle.raw, handle._node = raw, node


class Calls(Compiled):
    """Calls that may be recorded, and their programs, one for each form of the arguments."""

    variant = Pair
    of_arrays = True

    def why_not(self, now: Mode) -> str:
        return "" if now.tapes in ((), RECORDING) else "a GradManager records"

    def kind(self, node: Any, tapes: tuple) -> Any:
        state = state_of(node)
        if state is None or not tapes:
            return ()
        if state is RECORDING:
            return RECORDING
        inherited = type(state) is Blank and not state.zeros
        return (state,) if inherited else None
