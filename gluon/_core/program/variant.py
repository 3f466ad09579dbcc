"""The program of a step for arguments of certain forms: how it is made, proved and run.

The first calls run as always. The next is traced and made a program; in the one after, which is
traced again, the program also runs on copies. Only if both traces and all values agree does it
stand in for the calls that follow, as long as its guards hold.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from sys import getrefcount
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..changes import CHANGES, changes
from ..engine.array import Array, wrap
from ..engine.inplace import writable, write
from ..engine.node import CREATED, Blank, Variable
from ..errors import DTypeError
from ..kernels.memory import ALONE, is_external
from .arguments import apart, together
from .check import difference
from .copies import Copies
from .held import Held, fetch
from .listing import Failed, Listing
from .lower import Lowering
from .plan import Plan
from .run import Program
from .trace import Trace
from .values import Source

empty = np.empty


class Result(NamedTuple):
    """A result: a handle from before the step, or a new one of class `cls`."""

    source: Source | None
    cls: Any
    ctx: Any


class Variant:
    """A step for arguments of certain forms.

    Attributes
    ----------
    calls : int
        How often it was called before its program was ready.
    wait : int
        How many calls run as always before one is traced.
    failed : str
        Why it stays as it is; empty if it need not.
    """

    def __init__(self, exact: bool, leaves: list, wait: int = 1) -> None:
        self.exact, self.wait = exact, wait
        self.forms_of_leaves = [(x.raw.dtype, x.raw.shape) for x in leaves]
        self.calls = 0
        self.failed = ""
        self.listing: Listing | None = None
        self.program: Any = None
        self.ready = False
        self.unproven: dict[int, Any] = {}
        self.layers: dict[Any, tuple] = {}  # how often each was changed, by weak reference
        self.seen = -1  # the last change of anything when they were looked at

    # ------------------------------------------------------------------------- making

    @property
    def is_cold(self) -> bool:
        """Whether it was not called often enough to be watched."""
        return self.calls < self.wait

    def as_written(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Call the step while there is no program, and may be one later."""
        self.calls += 1
        return function(*args, **kwargs)

    def watched(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Trace a call, to make a program, or to compare the one that is there with the step."""
        if not self.ready:
            return self.trace_call(function, args, kwargs, leaves)
        other = copy(self)  # other threads may run the program meanwhile
        found = other.trace_call(function, args, kwargs, leaves)
        self.unproven = other.unproven
        if other.failed:
            self.fail(other.failed)
        return found

    def trace_call(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Trace a call, and take notes of it here."""
        try:
            copies = None if self.program is None else self.copies(leaves)
        except MemoryError:
            self.fail("too little memory to compare a program with the step")
            return function(*args, **kwargs)
        trace = self.trace(copies.handles if copies else None, leaves)
        with trace:
            found = function(*args, **kwargs)
            self.go_on(trace, leaves, found)
        try:
            if trace.failed:
                raise Failed(trace.failed)
            listing = self.listed(trace, leaves, found)
            self._look_at(trace, function)
            if copies is None:
                self.plan(listing, leaves)
                self.program.name = name_of(function)
            else:
                self._compare(listing, copies)
                self.unproven = {k: x for k, x in self.unproven.items() if x() is leaves[k]}
        except (Failed, MemoryError, RecursionError, RuntimeError) as reason:
            self.fail(str(reason))
        trace.forget()
        return found

    def _look_at(self, trace: Trace, function: Callable) -> None:
        """Note how the layers are that the step, which is `function`, called."""
        last = CHANGES.last
        layers = {reference: changes(one) for reference in trace.layers if (one := reference())}
        if self.program is not None and layers != self.layers:
            raise Failed("a layer, or one of its attributes, is not the same in two calls")
        self.layers, self.seen = layers, last

    def has_same_layers(self) -> bool:
        """Whether the layers that the step called are as they were."""
        last = CHANGES.last
        for reference, before in self.layers.items():
            one = reference()
            if one is None or changes(one) != before:
                return False
        self.seen = last
        return True

    def copies(self, leaves: list) -> Copies:
        """Copies of what a run is given."""
        return Copies(self.program.plan, leaves)

    def trace(self, watched: list | None, leaves: list) -> Trace:
        """What looks on while the step runs."""
        return Trace(watched)

    def go_on(self, trace: Trace, leaves: list, found: Any) -> None:
        """Do what belongs to the trace besides the step, which gave `found`."""

    def plan(self, listing: Listing, leaves: list) -> None:
        """Make the program of a listing."""
        self.program = Program(Plan(listing, Lowering(listing, self.exact)))
        listing.release()
        self.listing, listing.raws, listing.outputs = listing, [], self.program.plan.outputs
        self.unproven = {k: ref(x) for k, x in enumerate(leaves)}

    def is_proven(self, leaves: list) -> bool:
        """Whether each argument is one of which its use is known.

        It is not as long as it is the same array in all calls: nobody knows then whether the step
        used it as its argument or by another name.
        """
        return all(x() is leaves[k] for k, x in self.unproven.items())

    def fail(self, reason: str) -> None:
        """Leave the step as it is."""
        self.failed, self.program, self.listing, self.ready = reason, None, None, False

    def listed(self, trace: Trace, leaves: list, found: Any) -> Listing:
        """The entries of a trace, and what is known of results and handles."""
        results, self.form = apart(found)
        keeps(trace, results)
        listing = Listing(trace, leaves, [x.raw for x in results])
        self.results: list[Any] = [_result(listing, trace, x) for x in results]
        self.held = self.handles(trace, leaves)
        self.received = [v for v in dict.fromkeys(trace.received) if v.grad is not None]
        self.marks = {id(x._mark): k for k, x in enumerate(leaves) if x._mark is not None}
        return listing

    def handles(self, trace: Trace, leaves: list) -> list[Held]:
        """The handles that the step uses, besides its arguments."""
        found = []
        for handle in used(trace, leaves):
            node = handle._node
            if type(node) is not Variable and (type(node) is not Blank or node.zeros):
                raise Failed("an array that was recorded before the step")
            found.append(Held(ref(handle), type(node) is Variable))
        return found

    def _compare(self, listing: Listing, copies: Copies) -> None:
        """Use the program if this trace does the same, and a run on copies gave the same.

        A program that is ready was compared with two traces: only its values are.
        """
        reason = "" if self.listing is None else difference(self.listing, listing)
        if reason:
            raise Failed(reason)
        listing.release()
        wrong = copies.run(self.program, listing)
        if wrong and not (self.exact or self.ready):
            # Sums in another order may differ too much, where their terms nearly cancel.
            self.exact, self.program, self.listing = True, None, None
            return
        if wrong:
            raise Failed(wrong)
        if not self.ready:
            self.listing = None
            self.prepare()
            self.ready = True

    def prepare(self) -> None:
        """Note what each run needs."""
        plan = self.program.plan
        read = {b.source.key for b in plan.given}
        pure = all(one is not None for one in plan.instructions)
        self.reused = [pure and o.source.key not in read for o in plan.outputs]
        self.forms = plan.made
        self.blank: list[Any] = [None] * len(plan.given)
        #: By the place among what is given: the arguments, and the gradients of arguments.
        self.places, self.others = [], []
        known = {id(one.handle()): one for one in self.held}
        for k, buffer in enumerate(plan.given):
            source = buffer.source
            if source.kind == "argument":
                self.places.append((k, source.place))
            elif source.kind == "handle" and id(source.handle()) in known:
                one = known[id(source.handle())]
                one.place, one.like = k, buffer.like
            else:
                self.others.append((k, source, buffer.like))

    # ------------------------------------------------------------------------- running

    def passes(self, leaves: list) -> bool:
        """Whether checks of values hold."""
        return not any(
            call(buffer.source.find(leaves), *args) is not None
            for call, buffer, args in self.program.plan.checks
        )

    def may_be(self, held: Held, node: Any) -> bool:
        """Whether a handle may have another node than that of the last run."""
        is_blank = type(held.node) is Blank and type(node) is Blank
        return is_blank and not node.zeros and not held.marked

    def run(self, leaves: list, function: Callable, form: Any) -> Any:
        """Run the program; return a list with the result, or None if it must not run."""
        program, plan = self.program, self.program.plan
        given = self.given(leaves)
        if given is None or (plan.checks and not self.passes(leaves)):
            return None
        made = [
            self._room(o, leaves) if reused else empty(*form)
            for o, reused, form in zip(plan.outputs, self.reused, self.forms)
        ]
        made += [empty(*form) for form in self.forms[len(made) :]]
        room = program.room()
        for segment in range(plan.segments):
            if segment:
                given = self.given(leaves)
                if given is None:
                    raise DTypeError(
                        f"{plan.actions[segment - 1].call.__qualname__} changed the form of an"
                        " array that a jitted step uses later; call it outside of the step"
                    )
            room.run(segment, (*given, *made))
            self.deliver(segment, made, leaves)
            if segment < len(plan.actions):
                given = []  # what an action writes to would move if anybody held it
                action = plan.actions[segment]
                action.call(*action.args, **action.kwargs)
        program.give_back(room)
        found = [
            wrap(one.cls, raw, one.ctx) if one.source is None else one.source.find(leaves)
            for one, raw in zip(self.results, made[len(plan.outputs) :])
        ]
        return [together(self.form, found)]

    def given(self, leaves: list) -> list | None:
        """The buffers that a run is given; None if one is gone or has another form."""
        plan = self.program.plan
        for buffer in plan.written:
            handle = buffer.source.find(leaves)
            if handle is None:
                return None
            writable(handle)
        found = [*self.blank]
        for k, place in self.places:
            found[k] = leaves[place].raw
        if not fetch(self.held, found, self.may_be):
            return None
        for k, source, like in self.others:
            handle = source.find(leaves)
            if handle is None:
                return None
            raw = found[k] = handle.raw
            if type(raw) is not np.ndarray or (raw.shape, raw.strides, raw.dtype) != like:
                return None
        if plan.written and _share(found):
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

    def deliver(self, segment: int, made: list, leaves: list) -> None:
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
            k = self.marks.get(id(v))
            (v if k is None else leaves[k]._mark).fresh = True


def name_of(function: Callable) -> str:
    """What a step is called: by the block that has it, or by its own name."""
    owner = getattr(getattr(function, "__self__", None), "name", None)
    return owner if isinstance(owner, str) else getattr(function, "__name__", "step")


def keeps(trace: Trace, results: list) -> None:
    """Fail where there are arrays that the step made, besides its `results`."""
    known = {id(x) for x in results}
    for reference in trace.created.values():
        handle = reference()
        if handle is not None and id(handle) not in known:
            raise Failed("the step keeps an array that it made; return it instead")


def is_made(trace: Trace, x: Array) -> bool:
    """Whether the step made the result `x`; otherwise it was there before."""
    if not trace.made(x):
        trace.note(x, x.raw)
        return False
    if x._group is not None and any(m() is not None and m() is not x for m in x._group):
        raise Failed("the step returns a view of an array")
    return True


def _result(listing: Listing, trace: Trace, x: Array) -> Result:
    if not is_made(trace, x):
        return Result(listing.source(x), None, None)
    node = x._node
    if not isinstance(node, Blank) and node.edges is not None and node.tapes:
        raise Failed("the step returns an array that can still be differentiated")
    if isinstance(node, Blank) and node.zeros:
        raise Failed("the step returns an array that can still be differentiated")
    return Result(None, type(x), x._ctx)


def stays_marked(seen: Any, handle: Any) -> None:
    """Fail where the step marked `handle`."""
    node = handle._node
    same = type(seen.node) is type(node) and handle._mark is seen.mark
    if not same or (type(node) is Variable and node is not seen.node):
        raise Failed("the step marks an array, as attach_grad does")


def used(trace: Trace, leaves: list) -> list:
    """The living handles from before the step, without its arguments."""
    found = []
    for seen in trace.first.values():
        handle = seen.handle()
        if handle is None:
            continue
        stays_marked(seen, handle)
        if not any(handle is x for x in leaves):
            found.append(handle)
    return found


def _share(raws: list) -> bool:
    """Whether two arrays lie in the same memory."""
    return len({id(x if x.base is None else x.base) for x in raws}) < len(raws)
