"""The instrument of the profiler: it times every operator, layer and scope."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from time import perf_counter_ns
from types import FrameType
from typing import Any

import numpy

from .. import PACKAGE
from ..engine.array import Array
from ..engine.node import Node
from ..kernels.memory import Buffer
from .base import Instrument

#: The kinds of events that are operator calls.
OPERATORS = ("forward", "backward")
#: The classes of raw arrays.
RAW = (numpy.ndarray, Buffer)


class Event:
    """Something that took time.

    Attributes
    ----------
    kind : str
        ``'forward'`` and ``'backward'`` for operators and instructions, ``'layer'``,
        ``'function'``, ``'step'``, ``'sweep'`` and ``'program'`` for what stands around them,
        ``'scope'`` for what the user marked.
    name : str
    start, end : int
        In nanoseconds of `time.perf_counter_ns`.
    inner : int
        How many nanoseconds of it were spent in events inside, of this thread.
    thread : int
    stack : tuple of str
        The lines of the user's code and the scopes that led to it, outermost first.
    layers : tuple of str
        The names of the layers around it; in a backward pass those around the forward call.
    line : str
        The innermost line of the user's code; in a backward pass that of the forward call.
    shapes : tuple
        The shapes of the arrays that a forward operator was given.
    bytes : int
        The size of the results, as far as their memory is new.
    peak, live : int
        The most bytes at a time in use above those before, and all those traced after; 0 unless
        memory is traced.
    """

    __slots__ = (
        "base bytes end frame inner kind layers line live name peak shapes stack start thread top"
    ).split()
    kind: str
    name: str
    stack: tuple[str, ...]
    start: int
    thread: int
    frame: FrameType | None

    def __init__(self, kind: str, name: str, stack: tuple[str, ...]) -> None:
        self.kind, self.name, self.stack = kind, name, stack
        self.thread = threading.get_ident()
        self.layers: tuple[str, ...] = ()
        self.shapes: tuple = ()
        self.line = ""
        self.inner = self.bytes = self.peak = self.live = self.base = self.top = self.end = 0
        self.frame = None
        self.start = perf_counter_ns()

    @property
    def time(self) -> int:
        """How long it took, in nanoseconds."""
        return self.end - self.start

    @property
    def own(self) -> int:
        """The part of `time` that no event inside took."""
        return self.time - self.inner


class Recorder(Instrument):
    """Collects events, from all threads.

    Parameters
    ----------
    memory : bool
        Whether to measure memory by `tracemalloc`, which makes everything slower.
    opener : frame, optional
        The frame at which the stacks of its thread begin.

    Attributes
    ----------
    events : list of Event
        In the order in which they ended.
    """

    memory: bool
    opener: FrameType | None

    def __init__(self, memory: bool = False, opener: FrameType | None = None) -> None:
        self.memory, self.opener = memory, opener
        self.events: list[Event] = []
        self._thread = threading.local()
        self._lines: dict[str, str] = {}  # with the function, by those without

    # ------------------------------------------------------------------------------- events

    def begin(self, kind: str, name: str) -> Event:
        """Start an event, inside those of this thread that are not over."""
        waiting = self._waiting()
        around = waiting[-1] if waiting else None
        lines, frame = self._callers(sys._getframe(1), around)
        event = Event(kind, name, (*around.stack, around.name, *lines) if around else lines)
        event.line = lines[-1] if lines else around.line if around else ""
        if around:
            event.layers = around.layers
        if kind == "layer":
            event.layers = (*event.layers, name)
        event.frame = frame
        waiting.append(event)
        if self.memory:
            event.base, peak = tracemalloc.get_traced_memory()
            if around:
                around.top = max(around.top, peak)
            tracemalloc.reset_peak()
        event.start = perf_counter_ns()
        return event

    def end(self, event: Event) -> None:
        """End an event."""
        event.end = perf_counter_ns()
        waiting = self._waiting()
        place = waiting.index(event)  # the last one, unless coroutines alternate
        around = waiting[place - 1] if place else None
        del waiting[place]
        event.frame = None
        if around:
            around.inner += event.time
        if self.memory:
            event.live, peak = tracemalloc.get_traced_memory()
            event.top = max(event.top, peak)
            event.peak = max(0, event.top - event.base)
            if around:
                around.top = max(around.top, event.top)
        self.events.append(event)

    @contextmanager
    def span(self, kind: str, name: str) -> Iterator[Event]:
        """A ``with`` block as an event."""
        event = self.begin(kind, name)
        try:
            yield event
        finally:
            self.end(event)

    def _waiting(self) -> list[Event]:
        try:
            return self._thread.waiting
        except AttributeError:
            self._thread.waiting = []
            return self._thread.waiting

    def _callers(
        self, frame: FrameType | None, around: Event | None
    ) -> tuple[tuple[str, ...], FrameType | None]:
        """Return the user's lines between the event `around`, or the opener, and `frame`.

        The innermost frame among them comes second: at which events inside stop to look.
        """
        lines: list[str] = []
        until = around.frame if around else None
        innermost = until
        while frame is not None and frame is not until:
            code = frame.f_code
            if is_users(code.co_filename):
                innermost = frame if not lines else innermost
                lines.append(f"{code.co_name} ({Path(code.co_filename).name}:{frame.f_lineno})")
            if frame is self.opener:
                break
            frame = frame.f_back
        return tuple(reversed(lines)), innermost

    # --------------------------------------------------------------------- as an instrument

    def kernel(self, op: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel that is timed."""
        name = op.name

        def timed(*raws: Any, **attrs: Any) -> Any:
            event = self.begin("forward", name)
            try:
                out = kernel(*raws, **attrs)
            finally:
                self.end(event)
            event.shapes = tuple(raw.shape for raw in raws if isinstance(raw, RAW))
            event.bytes = new_bytes(out, raws)
            self._thread.last = event
            return out

        return timed

    def recorded(
        self, node: Node, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Any
    ) -> None:
        """Note the forward call on its node, for the backward pass."""
        last = getattr(self._thread, "last", None)
        if last is not None and last.name == node.op.name:
            node.notes["event"] = last

    def pull(self, pull: Callable[..., Any]) -> Callable[..., Any]:
        """A pull that is timed."""

        def timed(node: Node, g: Any, wants: Any) -> Sequence:
            if node.op.name == "program":  # which tells of its instructions
                return pull(node, g, wants)
            event = self.begin("backward", node.op.name)
            forward = getattr(node, "notes", {}).get("event")
            if forward is not None:
                event.layers, event.line = forward.layers, forward.line
                event.stack = (*event.stack, *forward.layers)
            try:
                grads = pull(node, g, wants)
            finally:
                self.end(event)
            event.bytes = new_bytes(grads, (g, *_arrays(node.kept)))
            return grads

        return timed

    def walking(self, seeds: list[Any]) -> AbstractContextManager[Any]:
        """A backward pass as an event."""
        return self.span("sweep", "backward")

    def inside(self, kind: str, label: str, subject: Any) -> AbstractContextManager[Any]:
        """The call of a layer, or the like, as an event."""
        return self.span(kind, label)

    @contextmanager
    def instruction(self, kind: str, name: str, layer: str = "", line: str = "") -> Iterator[None]:
        """A program, or one of its instructions, as an event."""
        with self.span(kind, name) as event:
            if layer and event.layers[-1:] != (layer,):
                event.layers = (*event.layers, layer)
            if event.line.endswith(f"({line})"):
                self._lines[line] = event.line  # for the backward pass, from elsewhere
            elif line:
                event.line = self._lines.get(line, line)
            yield


def is_users(file: str) -> bool:
    """Whether a file of code belongs to the user's program, not to the package or to Python."""
    known = _users.get(file)
    if known is None:
        own = file.startswith((PACKAGE, *PYTHON)) or file.startswith("<frozen")
        known = _users[file] = not own or file.startswith("<doctest")
    return known


_users: dict[str, bool] = {}
PYTHON = tuple(str(Path(one.__file__ or "").parent) for one in (threading, numpy))


def new_bytes(results: Any, given: Iterable[Any]) -> int:
    """The bytes of the buffers behind `results` that are not those behind `given`."""
    seen = {id(buffer(one)) for one in _arrays(given)}
    total = 0
    for one in _arrays(results):
        behind = buffer(one)
        if id(behind) not in seen:
            seen.add(id(behind))
            total += behind.nbytes
    return total


def buffer(raw: Any) -> Any:
    """The array that owns the memory of `raw`, as far as it is an array or on a device."""
    while isinstance(raw.base, RAW):
        raw = raw.base
    return raw


def _arrays(values: Any) -> Iterator[Any]:
    """Yield the raw arrays in nested tuples and lists, and those behind handles."""
    if isinstance(values, RAW):
        yield values
    elif isinstance(values, Array):
        yield from _arrays(values.form)
    elif isinstance(values, (tuple, list)):
        for one in values:
            yield from _arrays(one)
