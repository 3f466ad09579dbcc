"""Look on while a step runs: every call of a kernel and every write, with the arrays.

While a trace is open, an instrument looks on: variants stand in place of the kernels, `Array.raw`
is a property that tells which handles hold which buffers, and the backward pass runs watched, so
that gradient rules call operators of the table too. All of these look whether the thread or task
that calls is the one that traces. A step whose effect they cannot see makes the trace fail with a
reason; the step itself runs on as always.

A trace holds none of the arrays that the step makes, so that a watched step needs little more
memory than others: `known` tells by weak references which array an id stands for.
"""

from __future__ import annotations

import os
import random
import sys
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..engine.array import Array, as_raw, wrap
from ..engine.node import Blank, Variable, next_number
from ..engine.pull import Bundle
from ..engine.tape import AMBIENT, RECORDING
from ..instruments import base, layers
from ..instruments.recorder import buffer as owner_of
from ..journal import JOURNAL, READERS, Journal
from ..kernels import generator
from ..kernels.memory import is_external
from ..kernels.sparse import is_sparse
from ..transforms.forward import Local
from .known import Arrays, Seen

#: Files through which arrays are made.
_THROUGH = tuple(os.path.join("engine", name) for name in ("array.py", "mark.py"))
#: The files of gluon that make arrays of numbers, or of what was read for Python before: those may
#: be constants. Anything else is not known to be independent of the arrays of the step.
MAKERS = frozenset(
    "_core/engine/backward.py _core/engine/pull.py _core/arrays/base.py _core/arrays/history.py"
    " _core/transforms/forward.py autograd/point.py func/forward.py"
    " nd/creation.py np/creation.py np/_public.py".split()
)
#: Where the code of gluon is; a step's own lines are elsewhere.
HOME = __file__.rpartition("_core")[0]


class Call(NamedTuple):
    """A call of a kernel: what it was given, raw, and what it gave: an array or a list of them."""

    op: Any
    kernel: Callable
    inputs: tuple
    attrs: dict
    out: Any
    line: str


class Write(NamedTuple):
    """``raw[key] = value``, or ``raw = ufunc(raw, value)`` where `ufunc` is given."""

    raw: Any
    key: Any
    value: Any
    ufunc: Any
    line: str


class Move(NamedTuple):
    """A copy of the memory `owner`, to which its handles went."""

    owner: Any
    fresh: Any


class Rebind(NamedTuple):
    """A handle that was there before the step holds another buffer from now on."""

    handle: Any
    raw: Any


class Action(NamedTuple):
    """A function of Python that runs again in each run, after all before it."""

    call: Callable
    args: tuple
    kwargs: dict
    after: dict  # what the handles of `watched` held after it
    line: str


class Turn(NamedTuple):
    """Here the forward pass ends, and the backward pass begins."""


class Check(NamedTuple):
    """``call(handle, *args)`` must be None for a run to be right."""

    call: Callable
    raw: Any
    args: tuple


class Trace(Journal):
    """What one step does; a context manager around it.

    Parameters
    ----------
    watched : list of Array, optional
        The handles whose values are copied after each `Action`.
    recorded : iterable of Array
        The arguments that may have a history.
    take : callable, optional
        Is given each event while the arrays in it are there; otherwise they go to `events`.

    Attributes
    ----------
    events : list
    failed : str
        Why the step cannot be a program; empty if it can.
    known : Arrays
        What is known of the arrays that are there.
    created : dict
        By the id of a handle, those that the step made.
    received : list of (int, Variable)
        What the backward passes came to, after how many `Action`.
    """

    def __init__(
        self,
        watched: list | None = None,
        recorded: Iterable[Any] = (),
        take: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__()
        self.watched = watched or []
        self.recorded = {id(x) for x in recorded}
        self.events: list[Any] = []
        self.take = take or self.events.append
        self.failed = ""
        self.known = Arrays()
        self.first: dict[int, Seen] = {}  # by the id of a handle
        self.created: dict[int, Any] = {}
        self.received: list[tuple[int, Variable]] = []
        self.pending: set[int] = set()  # handles with a write that was not told in full
        self.writing: list[Any] = []  # held, so that all writes move: two traces are the same then
        self.layers: dict[Any, None] = {}  # weak references to those that were called
        self.inside: list[str] = []  # the names of the layers that are being called
        #: The place of each call, by minus the number of a node made before: numbers go down.
        self.numbers: list[int] = []
        self.wheres: list[str] = []
        self.where = ""  # of the forward call that a gradient rule belongs to
        self.number = 0
        self.inner = 0  # calls of kernels by kernels are none of our business
        self.ends = False  # whether nobody differentiates what gradient rules compute
        self.rng: Any = None
        self.state: Any = None
        self.drawn: Any = None  # the states of other generators
        self.actions = 0

    # ------------------------------------------------------------------ opening and closing

    def __enter__(self) -> Trace:
        self.number = next_number()
        self.rng = generator.generator()
        self.state = self.rng.bit_generator.state
        self.drawn = _random_states()
        base.switch_on(TRACER)
        self._token = JOURNAL.set(self)
        return self

    def __exit__(self, *_: Any) -> None:
        JOURNAL.reset(self._token)
        base.switch_off(TRACER)
        if self.state != self.rng.bit_generator.state:
            self.fail("random numbers that no operator drew")
        if self.drawn != _random_states():
            self.fail("random numbers of Python or NumPy")
        if self.pending:
            self.fail("a write into an array that gluon's own code does by itself")

    def fail(self, reason: str) -> None:
        if not self.failed:
            line = users_line()
            self.failed = f"{reason}, {line}" if line else reason
            self.forget()

    def forget(self) -> None:
        """Let go of everything that the trace holds."""
        self.events, self.received, self.writing, self.take = [], [], [], _nothing
        self.known, self.first = Arrays(), {}

    def enter(self, event: Any) -> None:
        """Hand an event to whoever takes them; a step must not fail because that does."""
        if self.failed:
            return
        self.inner += 1
        try:
            self.take(event)
        except Exception as reason:
            self.failed = str(reason) or type(reason).__name__
            self.forget()
        finally:
            self.inner -= 1

    # ------------------------------------------------------------------------- handles

    def note(self, handle: Any, raw: Any, frame: Any = None) -> None:
        """Hear that `handle` is asked for its buffer by the code of `frame`, or for its form."""
        if frame is not None and not _may_use(frame.f_code):
            self.fail(f"a value is read: {frame.f_code.co_name}")
        before = self.first.get(id(handle))
        if self.made(handle) or (before is not None and before.handle() is handle):
            return
        self.first[id(handle)] = one = Seen(handle, raw)
        if type(raw) is np.ndarray:
            self._see(raw, one)
            owner = owner_of(raw)
            self._see(owner, one)  # NumPy's views of views are views of that
            self.known.of(owner).is_computed = True
        node = handle._node
        if type(raw) is not np.ndarray:
            self.fail(f"an array of {type(raw).__module__}")
        elif raw.base is not None and is_external(raw):
            self.fail("memory that is shared with others")
        elif type(node) is Variable:
            if node.tapes not in ((), RECORDING):
                self.fail("a GradManager records")
        elif (type(node) is not Blank or node.zeros) and id(handle) not in self.recorded:
            self.fail("an array that was recorded before the step")

    def _see(self, raw: Any, seen: Seen) -> None:
        """Note which handle from before the step held an array, the first one of some."""
        known = self.known.of(raw)
        if known.seen is None:
            known.seen = seen
            if known.place is not None and known.place[0].kind == "constant":
                self.fail("an array that was used before gluon knew whose it is")

    def hold(self, handle: Any, raw: Any, is_new: bool) -> None:
        """Hear that `handle` gets a buffer."""
        if is_new:
            self.created[id(handle)] = ref(handle)
            if type(raw := getattr(raw, "of_all", raw)) is np.ndarray:
                self._made(raw)
        elif not self.made(handle):
            self.note(handle, RAW.__get__(handle))
            known = self.known.get(owner_of(raw))
            if known is None or not known.is_fresh:  # a move: the write is still to be told
                self.pending.discard(id(handle))
            self.enter(Rebind(ref(handle), raw))

    def made(self, handle: Any) -> bool:
        """Whether the step made this handle."""
        made = self.created.get(id(handle))
        return made is not None and made() is handle

    def _made(self, raw: Any) -> None:
        """Note a new array: a constant, unless an operator computed its values."""
        known = self.known.of(owner_of(raw))
        if known.is_held:
            return
        known.is_held = True
        here = self.known.get(raw)
        if not known.is_computed and (here is None or here.seen is None) and raw.size:
            file = makers_file()
            if file not in MAKERS and not os.path.isabs(file):
                self.fail(f"values that {file} computes without an operator")

    # ------------------------------------------------------------------------- events

    def call(self, op: Any, kernel: Callable, raws: tuple, attrs: dict) -> Any:
        """Run and note one call of a kernel."""
        self.inner += 1
        if "rng" in attrs and attrs["rng"] is not self.rng:
            self.fail("random numbers that are drawn again")
        try:
            if "rng" in attrs and self.rng.bit_generator.state != self.state:
                self.fail("random numbers that no operator drew")
            out = kernel(*raws, **attrs)
            if "rng" in attrs:
                self.state = self.rng.bit_generator.state
        finally:
            self.inner -= 1
        if op.many:
            out = [as_raw(raw) for raw in out]
        elif type(out) is not np.ndarray:
            out = as_raw(out)
        for one in out if isinstance(out, list) else [out]:
            if isinstance(one, np.ndarray):
                self.known.of(owner_of(one)).is_computed = True
        if not self.failed:
            where = self.where or _where(self)
            self.numbers.append(-next_number())
            self.wheres.append(where)
            self.enter(Call(op, kernel, raws, dict(attrs), out, where))
        return out

    def setdefault(self, key: int, default: Any = None) -> Any:
        """Hear from `inplace.note` that a handle is about to be written to."""
        handle, raw, node = default
        self.pending.add(key)
        self.writing.append(raw)
        if type(node) is Variable:
            node.writes += 1
        self.note(handle, raw)
        return default

    def wrote(self, raw: Any, key: Any, value: Any) -> None:
        self._written(Write(raw, key, value, None, users_line()))

    def computed(self, raw: Any, ufunc: Any, value: Any) -> None:
        self._written(Write(raw, ..., value, ufunc, users_line()))

    def _written(self, event: Write) -> None:
        self.pending.clear()
        self.writing.clear()
        self.enter(event)

    def moved(self, owner: Any, fresh: Any) -> None:
        known = self.known.of(fresh)
        known.is_fresh = known.is_computed = True
        self.enter(Move(owner, fresh))
        self.writing.clear()

    def acted(self, call: Callable, args: tuple, kwargs: dict) -> Any:
        token = JOURNAL.set(None)
        line = users_line()
        try:
            found = call(*args, **kwargs)
        finally:
            JOURNAL.reset(token)
        if found is not None and not (isinstance(found, list) and set(found) <= {None}):
            self.fail(f"{call.__qualname__} gives a result")
        self.state = self.rng.bit_generator.state
        after = {id(h): RAW.__get__(h).copy() for h in self.watched}
        self.enter(Action(call, args, kwargs, after, line))
        self.actions += 1
        return found

    def fixed(self, raw: Any) -> None:
        self.known.of(owner_of(raw)).is_held = True

    def checked(self, call: Callable, args: tuple) -> None:
        raw = RAW.__get__(args[0])
        self.enter(Check(call, getattr(raw, "of_all", raw), args[1:]))

    @contextmanager
    def calling(self, layer: Any, label: str) -> Iterator[None]:
        """Note that a layer is called."""
        self.layers[ref(layer)] = None
        with self.part(label):
            yield

    # ------------------------------------------------------------------------- backward

    def whole(self, op: Any, *args: Any) -> tuple:
        """Run and note a kernel in place of a gradient rule."""
        there: list[bool] = []

        def kernel(*raws: Any) -> list:
            found = op.kernel(*raws)
            there[:] = [one is not None for one in found]
            return [one for one in found if one is not None]

        found = iter(self.call(op, kernel, _raws(args), {}))
        return tuple([wrap(Array, next(found)) if one else None for one in there])

    def walk(self, walk: Callable, tape: Any, seeds: list, *others: Any, around: Any) -> dict:
        """Run the walk of a backward pass as if somebody watched it."""
        wanted, live, stops, retain, watched = others
        if tape is not AMBIENT and not isinstance(tape, Local):
            self.fail("a GradManager records")
        if not watched:
            seeds = [(node, wrap(Array, raw)) for node, raw in seeds]
        before, self.ends = self.ends, not watched
        try:
            placed = partial(self._placed, around)
            found = walk(tape, seeds, wanted, live, stops, retain, True, around=placed)
        finally:
            self.ends = before
        self.received += [(self.actions, node) for node in found if isinstance(node, Variable)]
        return found if watched else {node: RAW.__get__(g) for node, g in found.items()}

    def _placed(self, around: Any, op: Any, pull: Callable) -> Callable:
        """A pull whose calls have the place of the forward call."""
        inner = around(op, pull) if around else pull

        def pulled(node: Any, *args: Any) -> Any:
            before, k = self.where, bisect(self.numbers, -node.number)
            self.where = self.wheres[k - 1] if k else ""
            try:
                return inner(node, *args)
            finally:
                self.where = before

        return pulled

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        self.inside.append(name)
        try:
            yield
        finally:
            self.inside.pop()


def _nothing(event: Any) -> None:
    """What takes the events of a trace that failed."""


def _random_states() -> tuple:
    """The states of the generators that functions of `random` and `numpy.random` share."""
    whole: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    state = whole["state"]
    return random.getstate(), state["key"].tobytes(), state["pos"], whole["has_gauss"]


def _raws(value: Any) -> Any:
    if isinstance(value, (Bundle, list, tuple)):
        return tuple([_raws(one) for one in value])
    return RAW.__get__(value) if isinstance(value, Array) else value


def makers_file() -> str:
    """The file of gluon that makes an array, past the functions that all use for it."""
    frame: Any = sys._getframe(4)
    while frame.f_code.co_filename.endswith(_THROUGH):
        frame = frame.f_back
    return frame.f_code.co_filename.removeprefix(HOME).replace(os.sep, "/")


def _where(trace: Trace) -> str:
    """The layer that is being called, and the user's line."""
    return ", ".join(filter(None, [*trace.inside[-1:], users_line()]))


def users_line() -> str:
    """The file and line outside of gluon that runs, such as ``train.py:12``."""
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(HOME):
        frame = frame.f_back
    if frame is None:
        return ""
    return f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}"


# ------------------------------------------------------------------------- what is replaced

#: The slot that holds the buffer of a handle.
RAW: Any = Array.__dict__["raw"]
#: The methods of arrays that give values to Python.
METHODS = (
    "asnumpy numpy tolist item asscalar _scalar __bool__ __float__ __int__ __index__ __array__"
    " __complex__ __contains__ __dlpack__ __getstate__ __repr__ __str__ __format__ __deepcopy__"
    " __reduce__ __reduce_ex__ _repr_html_"
).split()
_codes: set[Any] = set()
#: The files of gluon that may use buffers as they like: they hand them to operators or tell what
#: they do. Elsewhere only `Array.form` may be used, of which arguments determine what it tells.
HANDLING = tuple(
    os.path.join(HOME, *name.split("/"))
    for name in (
        "_core/engine/ _core/arrays/ _core/program/ _core/ops/ _core/transforms/"
        " _core/kernels/memory.py autograd/point.py"
        " nd/operators.py np/operators.py"
        " nd/_array.py np/_array.py"
        " nd/normalization.py nd/creation.py parameter/parameter.py"
    ).split()
)


def _may_use(code: Any) -> bool:
    """Whether what this code does with the buffer of a handle is known or told."""
    return code.co_filename.startswith(HANDLING) and code not in READERS and code not in _codes


def _find_codes() -> None:
    classes = [Array]
    while classes:
        cls = classes.pop()
        classes += cls.__subclasses__()
        for name in METHODS:
            function: Any = vars(cls).get(name)
            while hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            if hasattr(function, "__code__"):
                _codes.add(function.__code__)


def tracing() -> Trace | None:
    """The trace of this thread or task."""
    journal = JOURNAL.get()
    return journal if type(journal) is Trace and not journal.failed else None


def _get(handle: Any) -> Any:
    return _form(handle, sys._getframe(1))


def _form(handle: Any, frame: Any = None) -> Any:
    raw = RAW.__get__(handle)
    trace = tracing()
    if trace is not None and not trace.inner:
        if is_sparse(raw):
            trace.fail("sparse arrays, for which there are no programs")
        trace.note(handle, raw, frame)
    return raw


def _set(handle: Any, raw: Any) -> None:
    trace = tracing()
    if trace is not None:
        trace.hold(handle, raw, not _is_set(handle))
    RAW.__set__(handle, raw)


def _is_set(handle: Any) -> bool:
    try:
        RAW.__get__(handle)
    except AttributeError:
        return False
    return True


def _telling(op: Any, kernel: Callable) -> Callable:
    def told(*raws: Any, **attrs: Any) -> Any:
        trace = tracing()
        if trace is None or trace.inner:
            return kernel(*raws, **attrs)
        return trace.call(op, kernel, raws, attrs)

    return told


class Tracer(base.Instrument):
    """What the traces of all threads and tasks have in place, as long as one is open."""

    looks_on = False

    def opened(self) -> None:
        """Put a layer around the kernels, innermost, and watch the buffers."""
        _find_codes()
        layers.put("trace", _telling)
        Array.raw = Array.held = property(_get, _set)  # type: ignore[misc]
        Array.form = property(_form)

    def closed(self) -> None:
        """Let arrays and kernels be as they were."""
        Array.raw = Array.held = Array.form = RAW  # type: ignore[misc]
        layers.put("trace", None)

    def walk(self, walk: Callable[..., Any], *arguments: Any, around: Any = None) -> dict:
        """Run the walk as the trace wants it."""
        trace = tracing()
        if trace is None:
            return walk(*arguments, around=around)
        return trace.walk(walk, *arguments, around=around)

    def inside(self, kind: str, label: str, subject: Any) -> AbstractContextManager[Any]:
        """Note the layer that is called."""
        trace = tracing()
        if trace is None or kind != "layer":
            return base.NOTHING
        return trace.calling(subject, label)


TRACER = Tracer()


def is_looked_at() -> bool:
    """Whether somebody looks at operators whom a program would hide them from."""
    return base.is_open() and not base.see_programs()
