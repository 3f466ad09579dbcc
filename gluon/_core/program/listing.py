"""From the events of a trace to entries over buffers, which two traces can be compared by.

Memory says what a value is: an array that lies in a known buffer is a view of it, whichever
operator made it. What the step did not compute is given to each run if a handle from before the
step holds it, and a constant otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..errors import a_type
from ..instruments.recorder import buffer as _owner
from .trace import Action, Call, Check, Move, Rebind, Trace, Turn, Write
from .values import Buffer, Source, View, address, extent


class Failed(Exception):
    """The step cannot be a program, for the reason in the message."""


class Entry(NamedTuple):
    """One event: `inputs` and `outs` are views, or what is no array."""

    event: Any
    inputs: list
    outs: list
    attrs: Any
    segment: int


_BARE: dict[type, dict] = {
    Call: {"inputs": (), "attrs": {}, "out": None},
    Write: {"raw": None, "value": None},
    Move: {"owner": None, "fresh": None},
}


def bare(entry: Entry) -> Entry:
    """The entry without the arrays of its event."""
    event = entry.event
    return entry._replace(event=event._replace(**_BARE.get(type(event), {})))


class Output(NamedTuple):
    """A handle that holds `view` from the end of a segment on."""

    source: Source
    view: View
    segment: int
    raw: Any


class Listing:
    """The entries of a trace, made while the step runs: they hold no arrays but constants.

    Parameters
    ----------
    leaves : list of Array
        The arguments.
    each : callable
        Is given each entry while the arrays of its event are there.

    Attributes
    ----------
    entries : list of Entry
    given : list of Buffer
    outputs : list of Output
        The handles that the step rebound, in the order of the segments.
    results : list of View
    written : list of Buffer
        Those of `given` that the step writes to.
    ends : list of int
        The segment after which there is each of them.
    segment : int
        The number of the last part, of those between which something else happens.
    actions : int
        The number of functions of Python that run again.
    turned : bool
        Whether the second part is a backward pass.
    """

    def __init__(self, leaves: list, each: Callable[[Listing, Entry], None]) -> None:
        self.trace, self.each = Trace(), each
        self.external: dict[int, Buffer] = {}  # by the id of a handle
        self.nothing = Buffer("constant", 1, np.zeros(1, np.uint8))  # of arrays without values
        self.order: dict[Buffer, int] = {self.nothing: 0}
        self.entries: list[Entry] = []
        self.outputs: list[Output] = []
        self.checks: list[tuple] = []
        self.written: dict[Buffer, None] = {}
        self.segment = self.actions = 0
        self.turned = False
        self.moving: dict[int, tuple[Any, Any]] = {}  # rebound since the last action
        self.places = {id(x): k for k, x in reversed([*enumerate(leaves)])}
        self.gradients = {
            id(x._mark.grad): k
            for k, x in reversed([*enumerate(leaves)])
            if x._mark is not None and x._mark.grad is not None
        }
        self.count = len(leaves)

    def enter(self, event: Any) -> None:
        """Add an event, while its arrays are there."""
        _ENTER[type(event)](self, event)

    def expect(self, seeds: list) -> None:
        """Hear of arguments that follow the others."""
        for k, x in enumerate(seeds, self.count):
            self.places.setdefault(id(x), k)

    def finish(self, results: list, grads: list) -> None:
        """Note what the step made, raw; and what a backward pass did that follows it."""
        self.raws = [*results, *grads]
        self.results = [self.locate(raw) for raw in self.raws]
        first = 0 if self.turned else self.segment
        self.ends = [first] * len(results) + [self.segment] * len(grads)
        self._deliver()
        self.given = list(self.external.values())
        sources = [b.source for b in self.given] + [one.source for one in self.outputs]
        if any(one.handle is not None and one.handle() is None for one in sources):
            raise Failed("an array that is gone after the step")

    def _add(self, *parts: Any) -> None:
        entry = Entry(*parts)
        self.each(self, entry)
        self.entries.append(bare(entry))

    # ------------------------------------------------------------------------- places

    def locate(self, raw: Any) -> View:
        """Where `raw` lies."""
        if not raw.size:
            return View(self.nothing, 0, raw.shape, raw.strides, raw.dtype)
        owner = _owner(raw)
        known = self.trace.known.get(owner)
        if known is not None and known.is_stale:
            raise Failed("an array that the step reads although a function of Python replaced it")
        buffer, start = (known and known.place) or self._outside(raw, owner)
        at, first, end = extent(raw)
        if not start <= first <= end <= start + buffer.nbytes:
            raise Failed("a larger array that an array is a view of")
        return View(buffer, at - start, raw.shape, raw.strides, raw.dtype)

    def _outside(self, raw: Any, owner: Any) -> tuple[Buffer, int]:
        seen = self._seen(raw, owner)
        if seen is None:
            if owner.size > 1 and not self._is_held(owner):
                raise Failed("values that gluon computes without an operator")
            buffer = Buffer("constant", owner.nbytes, owner)
            return self._keep(owner, buffer, address(owner))
        handle = seen.handle()
        if handle is None:
            raise Failed("an array that is gone after the step")
        buffer = self._given(handle, seen.like, seen.end - seen.at)
        return self._keep(owner, buffer, seen.at, seen.handle)

    def _seen(self, raw: Any, owner: Any) -> Any:
        """The first handle from before the step that held an array, or its memory."""
        known = [self.trace.known.get(one) for one in (raw, owner)]
        return next((one.seen for one in known if one is not None and one.seen), None)

    def _is_held(self, owner: Any) -> bool:
        known = self.trace.known.get(owner)
        return known is not None and known.is_held

    def _given(self, handle: Any, like: tuple, nbytes: int) -> Buffer:
        buffer = self.external.get(id(handle))
        if buffer is None:
            if min(like[1], default=0) < 0:
                raise Failed("an array with negative strides")
            buffer = Buffer("given", nbytes, self.source(handle), like)
            self.external[id(handle)] = buffer
            self._number(buffer)
        return buffer

    def source(self, handle: Any) -> Source:
        """Where a run finds this handle."""
        place = self.places.get(id(handle))
        if place is not None:
            return Source("argument", place)
        place = self.gradients.get(id(handle))
        if place is not None:
            return Source("gradient", place)
        return Source("handle", -1, self.trace.first[id(handle)].handle)

    def _keep(
        self, owner: Any, buffer: Buffer, start: int, handle: Any = None
    ) -> tuple[Buffer, int]:
        known = self.trace.known.of(owner)
        known.place, known.handle = (buffer, start), handle
        self._number(buffer)
        return buffer, start

    def _number(self, buffer: Buffer) -> None:
        self.order.setdefault(buffer, len(self.order))

    def _knows(self, raw: Any) -> bool:
        known = self.trace.known.get(_owner(raw))
        return known is not None and known.place is not None

    def _resolved(self, value: Any) -> Any:
        """Attributes with a view in place of each array that the step computed or was given."""
        if isinstance(value, np.ndarray):
            owner = _owner(value)
            if self._seen(value, owner) or self._knows(value):
                return self.locate(value)
            if value.size and not self._is_held(owner):
                raise Failed("an index that gluon computes without an operator")
            return value
        if isinstance(value, dict):
            return {key: self._resolved(one) for key, one in value.items()}
        if type(value) in (tuple, list):
            return type(value)([self._resolved(one) for one in value])
        return value

    # ------------------------------------------------------------------------- events

    def _call(self, event: Call) -> None:
        inputs = [self.locate(x) if isinstance(x, np.ndarray) else x for x in event.inputs]
        if any(isinstance(x, (list, tuple)) for x in inputs):
            inputs = [self._resolved(x) for x in inputs]
        attrs = self._resolved(event.attrs)
        outs = []
        for raw in event.out if isinstance(event.out, list) else [event.out]:
            if not isinstance(raw, np.ndarray):
                raise Failed(f"{event.op.name} gives {a_type(raw)}")
            owner = _owner(raw)
            is_known = self._knows(raw) or self._seen(owner, owner)
            if raw.size and not is_known:
                self._keep(owner, Buffer("temporary", owner.nbytes), address(owner))
            outs.append(self.locate(raw))
        self._add(event, inputs, outs, attrs, self.segment)

    def _write(self, event: Write) -> None:
        to = self.locate(event.raw)
        target = event.raw[self._plain(event.key)]
        if not target.size:
            return
        value = np.asarray(event.value)
        known = self.locate(value) if isinstance(event.value, np.ndarray) else value
        if to.buffer.kind == "constant":
            raise Failed("a write to an array that the step made without an operator")
        if to.buffer.kind == "given":
            self.written[to.buffer] = None
        self._add(event, [known], [self.locate(target)], {}, self.segment)

    def _plain(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, (np.ndarray, list)) for part in parts):
            raise Failed("a write through an index")
        return (*parts, ...) if Ellipsis not in parts else key

    def _move(self, event: Move) -> None:
        x = self.locate(event.owner)
        if not x.size:
            return
        self._keep(event.fresh, Buffer("temporary", event.fresh.nbytes), address(event.fresh))
        buffer = x.buffer
        if buffer.kind == "given":
            # The write goes to the copy, and the handle with it: in a run, to the handle's buffer.
            # Who still reads the old memory, such as a graph, reads a copy made before.
            if not x.whole or event.fresh.strides != event.owner.strides:
                raise Failed("a write to an array that is not contiguous, or a view")
            self.written[buffer] = None
            owner = _owner(event.owner)
            handle = self.trace.known.of(owner).handle
            self._keep(owner, Buffer("temporary", buffer.nbytes), address(event.owner))
            self._keep(event.fresh, buffer, address(event.fresh), handle)
            old = self.locate(event.owner)
            self._add(event, [x], [old], {}, self.segment)
            return
        self._add(event, [x], [self.locate(event.fresh)], {}, self.segment)

    def _rebind(self, event: Rebind) -> None:
        handle = event.handle()
        if handle is None:
            return
        raw = event.raw
        if raw.size and not self._knows(raw) and not self._is_held(_owner(raw)):
            raise Failed("an array gets values that no operator computed")
        self.moving[id(handle)] = event.handle, event.raw

    def _deliver(self) -> None:
        for reference, raw in self.moving.values():
            handle = reference()
            if handle is None:
                continue
            view = self.locate(raw)
            known = self.trace.known.get(_owner(raw))
            if known is not None and known.is_fresh and view.buffer.kind == "given":
                continue  # a move before a write, which a run does in place
            self.outputs.append(Output(self.source(handle), view, self.segment, raw))
        self.moving = {}

    def _action(self, event: Action) -> None:
        moved = [(one(), raw) for one, raw in self.moving.values()]
        self._deliver()
        self._add(event, [], [], {}, self.segment)
        self.segment, self.actions = self.segment + 1, self.actions + 1
        for handle, raw in moved:
            # The action may have written to them.
            if handle is not None:
                owner = _owner(raw)
                self.external.pop(id(handle), None)
                at, _, end = extent(raw)
                like = raw.shape, raw.strides, raw.dtype
                self._keep(owner, self._given(handle, like, end - at), at, ref(handle))
        for known in [*self.trace.known.known.values()]:
            # A run finds what the handle holds then, which is not what the step still knows.
            source = known.handle or (known.seen and known.seen.handle)
            if known.place is None or known.handle is not None:
                handle = source and source()
                known.is_stale = bool(source) and not _holds(handle, known())

    def _turn(self, event: Turn) -> None:
        self._deliver()
        self.segment, self.turned = self.segment + 1, True

    def _check(self, event: Check) -> None:
        x = self.locate(event.raw)
        if x.buffer.kind == "constant":
            return
        if x.buffer.kind != "given" or not x.whole or self.segment or x.buffer in self.written:
            raise Failed("a check of values that the step computes")
        self.checks.append((event.call, x.buffer, event.args))


def _holds(handle: Any, raw: Any) -> bool:
    """Whether a handle holds this array, or one with its memory."""
    return handle is not None and (handle.raw is raw or _owner(handle.raw) is raw)


_ENTER: dict[type, Any] = {
    Call: Listing._call,
    Write: Listing._write,
    Move: Listing._move,
    Rebind: Listing._rebind,
    Action: Listing._action,
    Check: Listing._check,
    Turn: Listing._turn,
}
