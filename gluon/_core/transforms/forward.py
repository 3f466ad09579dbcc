"""Forward mode: a tape that pushes tangents on as calls are recorded, and keeps no graph.

The engine tells of each recorded call. Every forward tape that saw it computes the tangent of the
output from those of the inputs, while only the tapes outside it record. So each can be inside or
outside of any other tape. A node that forward tapes alone saw is stripped: it keeps the tangents of
its output, and dies with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from ..engine import call
from ..engine.array import Array, alias
from ..engine.mode import mode, under
from ..engine.node import Node
from ..engine.op import KERNELS
from ..engine.op import RECORDED as ops
from ..engine.pull import OUTPUT, PASS, ZERO_SOURCES
from ..engine.tape import Tape
from ..journal import watcher
from .crossing import SHARED, spread
from .tangents import QUICK, through

#: What passes the tangent of its first edge on.
STANDING = (PASS, ZERO_SOURCES, SHARED)


class Local(Tape):
    """A tape of one call of a function, whose variables nobody else has.

    Attributes
    ----------
    called : tuple of str
        What differentiates, and the name of the function.
    """

    __slots__ = ("called",)
    called: tuple[str, str]

    @property
    def reason(self) -> str:  # type: ignore[override]
        """As that of a `Tape`; put together when somebody asks."""
        what, name = self.called
        return (
            f"it left {name}, in which {what} tracked it; compute with it there, or return it"
            " (beside the value with has_aux=True)"
        )


class Forward(Local):
    """A tape that holds the tangent of everything that depends on its variables.

    Attributes
    ----------
    world : SimpleNamespace
        `KERNELS`, and tangents are raw arrays, if nobody watches; else `ops`, and they are arrays.
    mode : pair of Mode
        That of a call, and the one in which its tangent is computed.
    noted : list of Node
        The variables, and nodes whose tangents have a history, which may lead back to the node:
        `close` takes these from them.
    """

    __slots__ = ("mode", "noted", "quick", "world")

    def __init__(self, outer: tuple[Tape, ...]) -> None:
        super().__init__(outer)
        self.noted: list[Node] = []
        self.mode: tuple[Any, Any] = None, None
        self.world = world_of(outer)
        self.quick: Any = QUICK if self.world is KERNELS else {}

    def start(self, seeds: dict[Node, Any]) -> None:
        """Take the tangents of the variables."""
        for node, tangent in in_world(self.world, seeds).items():
            node.notes = {self: tangent}
            self.noted.append(node)

    def close(self) -> None:
        """Record no longer, and forget all tangents."""
        self.open = False
        for node in self.noted:
            node.notes.pop(self, None)
        self.noted.clear()

    def tangent(self, node: Node | None) -> Any:
        """The tangent of what `node` computed; None for zeros."""
        try:
            return node.notes[self]  # type: ignore[union-attr]
        except (AttributeError, KeyError):  # a constant, or a node that stands for another
            pass
        return _found(self, node, self._noted)

    def _noted(self, node: Node) -> Any:
        notes = getattr(node, "notes", None)
        return notes.get(self) if notes else None


def _nothing(node: Node) -> None:
    """No tangent: zeros, unless what computed the node has no derivative that is known."""
    if refuse := getattr(node.op, "refuse", None):
        refuse()


def world_of(tapes: tuple[Tape, ...]) -> Any:
    """Where tangents are computed that these tapes record: rules of gradients serve both."""
    return ops if tapes or watcher() is not None else KERNELS


def in_world(world: Any, seeds: dict[Node, Any]) -> dict[Node, Any]:
    """Tangents as arrays, or as raw ones."""
    return {node: t.raw for node, t in seeds.items()} if world is KERNELS else dict(seeds)


class Standing(Local):
    """The tape of a function that is called later: the tapes of that time record its pass."""

    __slots__ = ()

    def audience(self) -> tuple[Tape, ...]:
        """All tapes that record now, except this one."""
        return tuple([tape for tape in mode().tapes if tape is not self and tape.open])


class Linear(Standing):
    """A tape that keeps the calls it is told of, so that tangents can be pushed through them often.

    Who records at the time of a push watches it.
    """

    __slots__ = ("calls",)

    def __init__(self, outer: tuple[Tape, ...]) -> None:
        super().__init__(outer)
        self.calls: list[tuple[Any, ...]] = []

    def taken(self) -> list[tuple[Any, ...]]:
        """The calls, which the tape keeps no longer: what they hold leads back to it."""
        calls, self.calls = self.calls, []
        return calls

    def push(self, calls: list[tuple[Any, ...]], seeds: dict[Node, Any]) -> Callable[[Node], Any]:
        """A function that gives the tangent of each node, from those of the variables."""
        now = mode()
        return under(now.recorded_by(now.tapes, walked=self), self._pushed, calls, seeds)

    def _pushed(
        self, calls: list[tuple[Any, ...]], seeds: dict[Node, Any]
    ) -> Callable[[Node], Any]:
        world = world_of(mode().tapes)
        found = in_world(world, seeds)

        def tangent(node: Node | None) -> Any:
            return _found(self, node, found.get)

        for node, inputs, attrs, out in calls:
            result = through(world, tangent, node, inputs, attrs, out)
            if result is not None:
                found[node] = result
        return tangent


def _found(tape: Tape, node: Node | None, known: Callable[[Node], Any]) -> Any:
    """The tangent of what `node` stands for, if ``known(node)`` of one on the way to it has it."""
    levels: list[Any] = []
    while node is not None and tape in node.tapes:
        tangent = known(node)
        if tangent is not None:
            return _entered(tangent, levels)
        if node.op is OUTPUT:
            several = _found(tape, node.edges[0], known)
            return None if several is None else _entered(several[node.attrs], levels)
        if node.op not in STANDING:
            return _nothing(node)
        if node.op is SHARED:
            levels += node.attrs
        node = node.edges[0] if node.edges else None
    return None


def _entered(tangent: Any, levels: list[Any]) -> Any:
    """A tangent that all examples share, in the runs of `vmap` that it enters.

    Its gradient, if somebody records it, is the sum over the examples.
    """
    if isinstance(tangent, Array):
        for level in levels:
            tangent = spread(tangent, level=level)
    return tangent


_lock = Lock()
_count = 0  # of the tapes that listen


def listen(on: bool) -> None:
    """Have one more tape, or one less, be told of the calls that it records."""
    global _count
    with _lock:
        _count += 1 if on else -1
        if _count == on:  # the first came, or the last went
            call.tell(_recorded, on)


def _recorded(node: Node, inputs: Sequence[Any], attrs: dict[str, Any], out: Any) -> None:
    """Let the tapes that saw a call push tangents through it, or keep it for that."""
    tapes = node.tapes
    if len(tapes) == 1 and type(tape := tapes[0]) is Forward:  # mostly it is so
        if tape.open:
            if quick := tape.quick.get(node.op):
                result = quick(tape.tangent, node, out)
                if result is not None:
                    node.notes = {tape: result}
            else:
                _push(tape, node, inputs, attrs, out)
        node.edges = node.kept = ()
        return
    only = True
    for tape in tapes:
        if type(tape) is Forward:
            if tape.open:
                _push(tape, node, inputs, attrs, out)
        else:
            only = False
            if type(tape) is Linear and tape.open:
                kept = [alias(x) if isinstance(x, Array) else x for x in inputs]
                tape.calls.append((node, kept, attrs, out))
    if only:
        node.edges = node.kept = ()


def _push(
    tape: Forward, node: Node, inputs: Sequence[Any], attrs: dict[str, Any], out: Any
) -> None:
    """Give a recorded call its tangent."""
    world = tape.world
    if world is KERNELS:
        result = through(world, tape.tangent, node, inputs, attrs, out)
    else:
        now = mode()
        if now is not tape.mode[0]:  # it is the same for most calls
            tape.mode = now, now.recorded_by(tape.audience())
        result = under(tape.mode[1], through, world, tape.tangent, node, inputs, attrs, out)
    if result is None:
        return
    try:
        node.notes[tape] = result
    except AttributeError:
        node.notes = {tape: result}
    if tape.outer:
        parts = result if type(result) is list else (result,)
        if any(isinstance(one, Array) and one._node.edges for one in parts):
            tape.noted.append(node)
