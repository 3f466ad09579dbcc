"""How the program of a step for arguments of certain forms is made and proved.

The first calls run as always. The next is traced and made a program; in the one after, which is
traced again, the program also runs on copies. Only if both traces and all values agree does it
stand in for the calls that follow, as long as its guards hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from copy import copy
from typing import Any
from weakref import ref

import numpy as np

from ..changes import CHANGES, changes
from ..engine.array import Array, wrap
from ..engine.inplace import write
from ..engine.node import CREATED, Node, Variable
from ..kernels.memory import available, is_external
from .arguments import apart, others
from .check import bounded, difference
from .copies import Copies
from .inputs import Held, Inputs
from .listing import Failed, Listing
from .lower import Lowering
from .outside import Reader, Values
from .plan import Plan
from .results import is_made, keeps, once, results_of, used
from .run import Program
from .trace import Trace

#: Set while a call runs as it is written, to be a program later: calls inside it are none.
INSIDE: ContextVar[bool] = ContextVar("gluon_program_inside", default=False)


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
        self.outside = Values()
        self.sources: list = []  # of what is given and delivered, and of results
        self.cotangents: list[tuple] = []  # the shape and dtype for each result that is tracked
        self.seeds: list[Array] = []  # these cotangents
        self.grads: list[tuple[Any, Any]] = []  # handles with their gradients

    # ------------------------------------------------------------------------- making

    @property
    def is_cold(self) -> bool:
        """Whether it was not called often enough to be watched."""
        return self.calls < self.wait

    def as_written(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Call the step while there is no program, and may be one later."""
        self.calls += 1
        token = INSIDE.set(True)
        try:
            return function(*args, **kwargs)
        finally:
            INSIDE.reset(token)

    def watched(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Trace a call, to make a program, or to compare the one that is there with the step."""
        if not self.ready:
            return self.trace_call(function, args, kwargs, leaves)
        other = copy(self)  # other threads may run the program meanwhile
        found = other.trace_call(function, args, kwargs, leaves)
        self.unproven, self.failed, self.ready = other.unproven, other.failed, other.ready
        return found

    def trace_call(self, function: Callable, args: tuple, kwargs: dict, leaves: list) -> Any:
        """Trace a call, and take notes of it here."""
        copies = None
        try:
            if self.program is not None:
                copies = Copies(self.program.plan, [*leaves, *drawn(self.cotangents)])
        except MemoryError:
            self.fail("too little memory to compare a program with the step")
            return function(*args, **kwargs)
        lowering = Lowering(self.exact)
        listing = Listing(leaves, lowering.enter if copies is None else bounded)
        watched = copies.watched if copies else None
        with Trace(watched, leaves, listing.enter) as listing.trace:
            trace = listing.trace
            found = function(*args, **kwargs)
            self.go_on(listing, leaves, found)
        try:
            if trace.failed:
                raise Failed(trace.failed)
            sources = self.sources
            self.listed(listing, leaves, found)
            self._look_at(trace, function, others(apart((args, kwargs))[1]))
            if copies is None:
                self.plan(listing, lowering, leaves)
                self.program.name = name_of(function)
            else:
                self._compare(listing, copies, sources)
                self.unproven = {k: x for k, x in self.unproven.items() if x() is leaves[k]}
        except (Failed, MemoryError, RecursionError, RuntimeError) as reason:
            self.fail(str(reason))
        trace.forget()
        return found

    def _look_at(self, trace: Trace, function: Callable, arguments: Iterable) -> None:
        """Note how all is that the step, which is `function`, uses besides arrays."""
        last = CHANGES.last
        called = [one for reference in trace.layers if (one := reference())]
        layers = {ref(one): changes(one) for one in called}
        if self.program is None:
            self.outside = Reader(called, [function, *arguments]).read()
        elif layers != self.layers:
            raise Failed("a layer, or one of its attributes, is not the same in two calls")
        elif not self.outside.are_same():
            raise Failed("a value of Python from outside is not the same in two calls")
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

    def go_on(self, listing: Listing, leaves: list, found: Any) -> None:
        """Do what belongs to the trace besides the step, which gave `found`."""

    def plan(self, listing: Listing, lowering: Lowering, leaves: list) -> None:
        """Make the program of a listing."""
        listing.trace.forget()
        self.program = Program(Plan(listing, lowering))
        self.listing, listing.raws, listing.outputs = listing, [], self.program.plan.outputs
        self.unproven = {k: ref(x) for k, x in enumerate(leaves)}

    def is_proven(self, leaves: list) -> bool:
        """Whether each argument is one of which its use is known.

        It is not as long as it is the same array in all calls: nobody knows then whether the step
        used it as its argument or by another name.
        """
        for k, x in self.unproven.items():  # noqa: SIM110  (a generator takes twice as long)
            if x() is not leaves[k]:
                return False
        return True

    def fail(self, reason: str) -> None:
        """Leave the step as it is."""
        if not self.ready:  # otherwise other threads may run the program
            self.program = None
        self.failed, self.listing, self.ready = reason, None, False

    def listed(self, listing: Listing, leaves: list, found: Any) -> None:
        """Finish the listing, and note what is known of results and handles."""
        trace = listing.trace
        results, self.form = apart(found)
        keeps(trace, results)
        every = once(results)
        self.order = [[id(y) for y in every].index(id(y)) for y in results]
        made = [y for y in every if is_made(trace, y)]
        given = [*leaves, *self.seeds]
        listing.finish([y.raw for y in made], [g for _, g in self.grads])
        self.results = results_of(listing, every, made, self.node_of)
        where: list[Any] = [*listing.given, *listing.outputs, *self.results]
        self.sources = [one.source and one.source.key for one in where]
        self.held = [self.hold(handle) for handle in used(trace, given)]

    def node_of(self, node: Node) -> Node | None:
        """The node of a result that had `node`; None for an output of the node of the call."""
        raise NotImplementedError

    def hold(self, handle: Any) -> Held:
        """What a handle from before the step must still be."""
        raise NotImplementedError

    @staticmethod  # `Inputs` keeps it, and may not keep its owner
    def may_be(held: Held, node: Any) -> bool:
        """Whether a handle may have another node than that of the last run."""
        raise NotImplementedError

    def _compare(self, listing: Listing, copies: Copies, sources: list) -> None:
        """Use the program if this trace does the same, and a run on copies gave the same.

        A program that is ready was compared with two traces. Then its values are compared, and
        `sources`, where it found arrays: values may be equal by chance.
        """
        reason = "" if self.listing is None else difference(self.listing, listing)
        if self.ready and self.sources != sources:
            reason = "an argument is an array that the step also knows by another name"
        if reason:
            raise Failed(reason)
        if self.program.nbytes > available() // 2:
            raise Failed("too little memory to compare a program with the step")
        try:
            wrong = copies.run(self.program, listing)
        except Exception as error:  # the step itself has raised none
            raise Failed(f"the program raises {type(error).__name__}: {error}") from None
        if wrong and not self.exact:
            # Sums in another order may differ too much, where their terms nearly cancel.
            self.exact, self.program, self.listing, self.ready = True, None, None, False
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
        self.inputs = Inputs(plan, self.held, self.may_be, len(self.forms_of_leaves))
        #: By segment, the places among what is made of what handles hold from then on.
        self.delivered = [
            [k for k, o in enumerate(plan.outputs) if o.segment == segment]
            for segment in range(plan.segments)
        ]
        self.targets = [o.source for o in plan.outputs]  # these handles
        self.seeds, self.grads = [], []

    # ------------------------------------------------------------------------- running

    def run(self, leaves: list, function: Callable, form: Any) -> Any:
        """Run the program; return a list with the result, or None if it must not run."""
        raise NotImplementedError

    def given(self, leaves: list) -> list | None:
        """What a run is given; None if it must not run."""
        given = self.inputs.fetch(leaves) if self.outside.are_same() else None
        for call, buffer, args in self.program.plan.checks if given else ():
            if call(buffer.source.find(leaves), *args) is not None:
                return None
        return given

    def deliver(self, segment: int, made: list, handles: list) -> None:
        """Let the handles of `targets` hold what the segment made for them."""
        for k in self.delivered[segment]:
            handle, raw = handles[k], made[k]
            if handle.raw is not raw:
                if handle._group is not None or is_external(handle.raw):
                    write(handle, ..., raw)
                else:
                    handle.raw = raw
            if type(handle._node) is not Variable:
                handle._node = CREATED


def name_of(function: Callable) -> str:
    """What a step is called: by the block that has it, or by its own name."""
    owner = getattr(getattr(function, "__self__", None), "name", None)
    return owner if isinstance(owner, str) else getattr(function, "__name__", "step")


def drawn(forms: list) -> list[Array]:
    """Cotangents of these shapes and dtypes, the same each time."""
    normal = np.random.default_rng(0).standard_normal
    return [wrap(Array, normal(shape).astype(dtype)) for shape, dtype in forms]
