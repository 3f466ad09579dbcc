"""A step that runs as a program where that is known to be right, and as it is written elsewhere.

The first call with arguments of certain forms runs as always. The second is traced and made a
program; in the third, which is traced again, the program also runs on copies. Only if both traces
and all values agree does it stand in for the calls that follow, as long as its guards hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from sys import getrefcount
from threading import Lock
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..arrays.laxness import lax
from ..arrays.switch import semantics
from ..engine.array import Array, wrap
from ..engine.inplace import JOURNAL, writable, write
from ..engine.mode import mode
from ..engine.node import CREATED, Blank, Variable
from ..engine.tape import RECORDING
from ..errors import DTypeError
from ..kernels import generator
from ..kernels.memory import ALONE, is_external
from .check import close, difference
from .listing import Failed, Listing
from .lower import Lowering
from .plan import Plan
from .run import Program
from .trace import Trace, is_looked_at, users_line
from .values import Buffer, Source

#: Traces of one step after which it stays as it is.
MOST = 8
empty = np.empty


def is_on() -> bool:
    """Whether programs are used: ``GLUON_PROGRAM=0`` switches them off."""
    return os.environ.get("GLUON_PROGRAM", "1") != "0"


class Result(NamedTuple):
    """A result: a handle from before the step, or a new one of class `cls`."""

    source: Source | None
    cls: Any
    ctx: Any


class Guard(NamedTuple):
    """A handle that the step uses, and what it must still be."""

    handle: Any
    node: Any
    req: Any
    grad: Any

    def holds(self) -> bool:
        handle = self.handle()
        if handle is None:
            return False
        node = handle._node
        if self.node is None:
            return type(node) is Blank and not node.zeros
        return node is self.node and node.req == self.req and node.grad is self.grad


class Variant:
    """A step for arguments of certain forms.

    Attributes
    ----------
    calls : int
        How often it was called before its program was ready.
    failed : str
        Why it stays as it is; empty if it need not.
    """

    def __init__(self, exact: bool, leaves: list) -> None:
        self.exact = exact
        self.shown = [f"{x.raw.dtype}{list(x.raw.shape)}" for x in leaves]
        self.calls = 0
        self.failed = ""
        self.listing: Listing | None = None
        self.program: Any = None
        self.ready = False
        self.unproven: dict[int, Any] = {}

    # ------------------------------------------------------------------------- making

    def call(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Call the step before its program is ready."""
        self.calls += 1
        if self.calls == 1 or self.failed:
            return function(*args, **kwargs)
        return self._watched(function, args, kwargs, leaves)

    def prove(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Compare once more, with an argument that has been the same array so far.

        Until then nobody knows whether the step used it as its argument or by another name.
        """
        return self._watched(function, args, kwargs, leaves)

    def _watched(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Trace a call, to make a program, or to compare the one that is there with the step."""
        copies = None if self.program is None else _Copies(self.program.plan, leaves)
        trace = Trace(copies.handles if copies else None)
        with trace:
            found = function(*args, **kwargs)
        try:
            listing = self._listed(trace, leaves, found)
            if copies is None:
                self._plan(listing, leaves)
            else:
                self._compare(listing, copies)
                self.unproven = {k: x for k, x in self.unproven.items() if x() is leaves[k]}
        except (Failed, MemoryError, RecursionError) as reason:
            self.fail(str(reason))
        trace.forget()
        return found

    def _plan(self, listing: Listing, leaves: list) -> None:
        self.program = Program(Plan(listing, Lowering(listing, self.exact)))
        self.listing = listing
        self.unproven = {k: ref(x) for k, x in enumerate(leaves)}

    def is_proven(self, leaves: list) -> bool:
        """Whether each argument is one of which its use is known."""
        return all(x() is leaves[k] for k, x in self.unproven.items())

    def fail(self, reason: str) -> None:
        """Leave the step as it is."""
        self.failed, self.program, self.listing, self.ready = reason, None, None, False

    def _listed(self, trace: Trace, leaves: list, found: Any) -> Listing:
        if trace.failed:
            raise Failed(trace.failed)
        results, self.form = flattened(found)
        known = {id(x) for x in results}
        for reference in trace.created.values():
            handle = reference()
            if handle is not None and id(handle) not in known:
                raise Failed("the step keeps an array that it made; return it instead")
        listing = Listing(trace, leaves, results)
        self.results = [_result(listing, trace, x) for x in results]
        guards = [_guard(seen, leaves) for seen in trace.first.values()]
        self.guards = [one for one in guards if one is not None]
        self.received = [v for v in dict.fromkeys(trace.received) if v.grad is not None]
        self.places = {id(x._mark): k for k, x in enumerate(leaves) if x._mark is not None}
        return listing

    def _compare(self, listing: Listing, copies: _Copies) -> None:
        """Use the program if this trace does the same, and a run on copies gave the same.

        A program that is ready was compared with two traces: only its values are.
        """
        reason = "" if self.listing is None else difference(self.listing, listing)
        if reason:
            raise Failed(reason)
        wrong = copies.run(self.program, listing)
        if wrong and not (self.exact or self.ready):
            # Sums in another order may differ too much, where their terms nearly cancel.
            self.exact, self.calls, self.program, self.listing = True, 1, None, None
            return
        if wrong:
            raise Failed(wrong)
        if not self.ready:
            self.listing = None
            self._prepare()

    def _prepare(self) -> None:
        plan = self.program.plan
        read = {b.source.key for b in plan.given}
        pure = all(one is not None for one in plan.instructions)
        self.reused = [pure and o.source.key not in read for o in plan.outputs]
        self.fetched = [(b.source, b.like) for b in plan.given]
        self.forms = plan.made
        self.ready = True

    # ------------------------------------------------------------------------- running

    def run(self, leaves: list) -> list | None:
        """Run the program; return the results, or None if it must not run."""
        program, plan = self.program, self.program.plan
        for guard in self.guards:
            if not guard.holds():
                return None
        given = self._given(leaves)
        if given is None:
            return None
        for call, buffer, args in plan.checks:
            if call(buffer.source.find(leaves), *args) is not None:
                return None
        made = [
            self._room(o, leaves) if reused else empty(*form)
            for o, reused, form in zip(plan.outputs, self.reused, self.forms)
        ]
        made += [empty(*form) for form in self.forms[len(made) :]]
        room = program.room()
        for segment in range(len(plan.actions) + 1):
            if segment:
                given = self._given(leaves)
                if given is None:
                    raise DTypeError(
                        f"{plan.actions[segment - 1].call.__qualname__} changed the form of an"
                        " array that a jitted step uses later; call it outside of the step"
                    )
            room.run(segment, (*given, *made))
            self._deliver(segment, made, leaves)
            if segment < len(plan.actions):
                action = plan.actions[segment]
                action.call(*action.args, **action.kwargs)
        program.give_back(room)
        results = made[len(plan.outputs) :]
        found = [
            wrap(one.cls, raw, one.ctx) if one.source is None else one.source.find(leaves)
            for one, raw in zip(self.results, results)
        ]
        return found

    def _given(self, leaves: list) -> list | None:
        plan = self.program.plan
        for buffer in plan.written:
            handle = buffer.source.find(leaves)
            if handle is None:
                return None
            writable(handle)
        found = []
        for source, (shape, strides, dtype) in self.fetched:
            handle = source.find(leaves)
            if handle is None:
                return None
            raw = handle.raw
            if type(raw) is not np.ndarray or raw.shape != shape or raw.dtype != dtype:
                return None
            if raw.strides != strides:
                return None
            found.append(raw)
        if plan.written and len({id(x if x.base is None else x.base) for x in found}) < len(found):
            return None
        return found

    def _room(self, output: Any, leaves: list) -> Any:
        """Return the buffer that a gradient has, if nobody else holds it, or a new one."""
        handle = output.source.find(leaves)
        raw_of = handle.raw
        shape, dtype = output.view.shape, output.view.dtype
        is_own = handle._group is None and raw_of.base is None and raw_of.flags.c_contiguous
        fits = raw_of.shape == shape and raw_of.dtype == dtype
        if is_own and fits and getrefcount(raw_of) <= ALONE + 1:
            return raw_of
        return empty(shape, dtype)

    def _deliver(self, segment: int, made: list, leaves: list) -> None:
        """Let handles hold what the segment made for them."""
        outputs = self.program.plan.outputs
        if not any(o.segment == segment for o in outputs):
            return
        for o, raw in zip(outputs, made):
            if o.segment != segment:
                continue
            handle = o.source.find(leaves)
            if handle.raw is not raw:
                if handle._group is not None or is_external(handle.raw):
                    write(handle, ..., raw)
                else:
                    handle.raw = raw
            if type(handle._node) is not Variable:
                handle._node = CREATED
        for v in self.received:
            k = self.places.get(id(v))
            (v if k is None else leaves[k]._mark).fresh = True


class _Copies:
    """What a run is given, copied before the step runs."""

    def __init__(self, plan: Plan, leaves: list) -> None:
        self.given = plan.given
        self.handles = [h for h in (b.source.find(leaves) for b in plan.given) if h is not None]
        self.arrays = []
        for buffer in plan.given:
            handle = buffer.source.find(leaves)
            self.arrays.append(None if handle is None else _laid_out(buffer, handle.raw))
        self.ids = [id(b.source.find(leaves)) for b in plan.given]
        self.state = generator.generator().bit_generator.state

    def run(self, program: Program, listing: Listing) -> str:
        """Run over the copies; return what differs from the step that `listing` traced."""
        if any(x is None for x in self.arrays):
            return "an array has another form in the next call"
        plan = program.plan
        if len(listing.outputs) != len(plan.outputs) or listing.segment != len(plan.actions):
            return "the step does other things in another call"
        made = [empty(*form) for form in plan.made]
        if len(made) != len(listing.outputs) + len(listing.results):
            return "the step gives other results in another call"
        room = program.room()
        actions = [e.event for e in listing.entries if hasattr(e.event, "after")]
        with generator.replaying(self.state):
            for segment in range(len(plan.actions) + 1):
                room.run(segment, (*self.arrays, *made))
                if segment < len(actions):
                    self._act(actions[segment].after)
        program.give_back(room)
        right = [*[o.raw for o in listing.outputs], *listing.raws]
        for k, (one, raw) in enumerate(zip(made, right)):
            if not close(one, raw):
                return f"the program gives another result (number {k})"
        return self._written(plan)

    def _act(self, after: dict) -> None:
        for k, (buffer, key) in enumerate(zip(self.given, self.ids)):
            if key in after:
                self.arrays[k] = _laid_out(buffer, after[key])

    def _written(self, plan: Plan) -> str:
        for k, buffer in enumerate(self.given):
            if buffer in plan.written:
                handle = next(h for h in self.handles if id(h) == self.ids[k])
                if not close(np.array(self.arrays[k]), np.array(handle.raw)):
                    return "the program writes other values"
        return ""


def _laid_out(buffer: Buffer, raw: Any) -> Any:
    """Return a copy in the layout that a run expects; None if it cannot have it."""
    shape, strides, dtype = buffer.like
    if raw.shape != shape or raw.dtype != dtype:
        return None
    memory = np.zeros(max(buffer.nbytes, 1), np.uint8)
    copied = np.ndarray(shape, dtype, memory, 0, strides)
    if raw.size:
        copied[...] = raw
    return copied


def _result(listing: Listing, trace: Trace, x: Array) -> Result:
    made = trace.created.get(id(x))
    if made is None or made() is not x:
        trace.note(x, x.raw)
        return Result(listing.source(x), None, None)
    if x._group is not None and any(m() is not None and m() is not x for m in x._group):
        raise Failed("the step returns a view of an array")
    node = x._node
    if not isinstance(node, Blank) and node.edges is not None and node.tapes:
        raise Failed("the step returns an array that can still be differentiated")
    if isinstance(node, Blank) and node.zeros:
        raise Failed("the step returns an array that can still be differentiated")
    return Result(None, type(x), x._ctx)


def _guard(seen: Any, leaves: list) -> Guard | None:
    handle = seen.handle()
    if handle is None:
        return None
    node = handle._node
    if type(seen.node) is not type(node) or handle._mark is not seen.mark:
        raise Failed("the step marks an array, as attach_grad does")
    if type(node) is Variable and node is not seen.node:
        raise Failed("the step marks an array, as attach_grad does")
    if any(handle is x for x in leaves):
        return None
    if type(node) is Variable:
        return Guard(seen.handle, node, node.req, node.grad)
    return Guard(seen.handle, None, None, None)


# ------------------------------------------------------------------------- arguments


def flattened(value: Any) -> tuple[list, Any]:
    """The arrays in nested tuples, lists and dictionaries, and the form that is left."""
    leaves: list[Any] = []
    return leaves, _form(value, leaves)


def _form(one: Any, leaves: list) -> Any:
    if isinstance(one, Array):
        leaves.append(one)
        return Array
    if type(one) is dict:
        return dict, tuple([(key, _form(part, leaves)) for key, part in one.items()])
    if isinstance(one, (tuple, list)):
        return type(one), tuple([_form(part, leaves) for part in one])
    return "=", one, type(one)


def rebuilt(form: Any, leaves: Iterator[Any]) -> Any:
    """The nested structure of `form` with these arrays."""
    if form is Array:
        return next(leaves)
    kind, *rest = form
    if kind == "=":
        return rest[0]
    if kind is dict:
        return {key: rebuilt(part, leaves) for key, part in rest[0]}
    parts = [rebuilt(part, leaves) for part in rest[0]]
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def _kind(x: Any) -> Any:
    """What a program must know of an argument besides its values; None if it cannot take it."""
    node = x._node
    if type(node) is Blank:
        return None if node.zeros else ()
    if type(node) is Variable and node.tapes in ((), RECORDING):
        return node.req, node.tapes, node.grad is None
    return None


class Compiled:
    """A step and its programs, one for each form of the arguments.

    Parameters
    ----------
    function : callable
    exact : bool
        Whether sums must be added in the order of the kernels.
    """

    def __init__(self, function: Callable, exact: bool = False) -> None:
        self.function, self.exact = function, exact
        self.variants: dict[Any, Variant] = {}
        self.making = Lock()
        self.dropped = 0
        self.why: dict[str, int] = {}

    def __call__(self, args: tuple, kwargs: dict) -> Any:
        leaves, form = flattened((args, kwargs))
        key = self._key(leaves, form)
        if isinstance(key, str):
            self.why[key] = self.why.get(key, 0) + 1
            return self.function(*args, **kwargs)
        variant = self.variants.get(key)
        if variant is None:
            if len(self.variants) >= MOST:
                return self._eager(f"more than {MOST} forms of arguments", args, kwargs)
            variant = self.variants[key] = Variant(self.exact, leaves)
        if variant.ready and not variant.is_proven(leaves):
            with self.making:
                if variant.ready:
                    return variant.prove(self.function, args, kwargs, leaves)
        if variant.ready:
            found = variant.run(leaves)
            if found is not None:
                return rebuilt(variant.form, iter(found))
            self.dropped += 1
            if self.dropped > MOST:
                variant.fail("the arrays that the step uses change all the time")
            else:
                self.variants.pop(key, None)
            return self._eager("an array that the step uses is another one now", args, kwargs)
        if variant.failed or not self.making.acquire(blocking=False):
            return self.function(*args, **kwargs)  # another thread is making a program
        try:
            return variant.call(self.function, args, kwargs, leaves)
        finally:
            self.making.release()

    def _eager(self, why: str, args: tuple, kwargs: dict) -> Any:
        self.why[why] = self.why.get(why, 0) + 1
        return self.function(*args, **kwargs)

    def _key(self, leaves: list, form: Any) -> Any:
        """What chooses a program; a reason in words where there can be none."""
        now = mode()
        if not is_on():
            return "GLUON_PROGRAM=0"
        if now.tapes or type(now.blank) is not Blank or now.walked is not None:
            return "called while a tape records"
        if JOURNAL.get() is not None:
            return "called inside a checkpoint or another step"
        if is_looked_at():
            return "an instrument, such as the profiler, is open"
        ids = [id(x) for x in leaves]
        alike = len(set(ids)) < len(ids) and tuple([ids.index(one) for one in ids])
        parts: list[Any] = [form, alike, now.training, now.blank, semantics(), *vars(lax).values()]
        for x in leaves:
            kind = _kind(x)
            raw = x.raw
            if kind is None or type(raw) is not np.ndarray:
                return "an argument that was recorded before"
            parts += raw.shape, raw.strides, raw.dtype, type(x), x._ctx, kind
        key = tuple(parts)
        try:
            hash(key)
        except TypeError:
            return f"an argument that cannot be compared, {users_line()}"
        return key
