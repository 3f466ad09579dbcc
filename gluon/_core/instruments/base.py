"""Look on while operators run: what anomaly detection, the profiler and traces switch on.

An open instrument puts variants in place of the kernels (see `layers`) and of the methods in
`OBSERVED`; the engine tells it of every recorded call (`call.tell`) and lets it run the walk of the
backward pass (`sweep.let_walk`). The last one to close puts everything back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from threading import RLock
from typing import Any

from ..engine import call, sweep
from ..engine.node import Node
from ..engine.op import Op
from ..engine.pull import OUTPUT, PASS, ZERO_SOURCES
from . import layers

NOTHING: AbstractContextManager[None] = nullcontext()


class Instrument:
    """What looks on; by default at nothing.

    An instrument is open for the whole process: one that is meant for a thread or task alone has
    a context variable say so. What none that is open overrides costs nothing.
    """

    #: Whether it shows operators to somebody, whom programs would hide them from.
    looks_on = True

    def opened(self) -> None:
        """Put in place what this one needs besides."""

    def closed(self) -> None:
        """Take that away again."""

    def kernel(self, op: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """What runs in place of the kernel of `op`."""
        return kernel

    def recorded(
        self, node: Node, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Any
    ) -> None:
        """Look at a recorded call; ``node.notes`` takes notes.

        `out` is raw, or what a user's `Function` gave.
        """

    def pull(self, pull: Callable[..., Any]) -> Callable[..., Any]:
        """What runs in place of an operator's pull, the raw or the watched one."""
        return pull

    def walking(self, seeds: list[Any]) -> AbstractContextManager[Any]:
        """What a backward pass from `seeds` runs in."""
        return NOTHING

    def walk(self, walk: Callable[..., Any], *arguments: Any, around: Any = None) -> dict:
        """Run the walk of a backward pass; see `sweep.walk`."""
        return walk(*arguments, around=around)

    def inside(self, kind: str, label: str, subject: Any) -> AbstractContextManager[Any]:
        """What a call of one of the `OBSERVED` runs in, whose first argument is `subject`."""
        return NOTHING

    def instruction(
        self, kind: str, name: str, layer: str = "", line: str = ""
    ) -> AbstractContextManager[Any]:
        """What a program, or one of its instructions, runs in."""
        return NOTHING


#: What is recorded besides operators: ``(class or module, name, kind, label)`` for each method or
#: function, where ``label(first argument)`` is the name of a call.
OBSERVED: list[tuple[Any, str, str, Callable[[Any], str]]] = []

_lock = RLock()
_open: list[Instrument] = []
_active: tuple[Instrument, ...] = ()
_wrapping: tuple[Collection[Any], Callable[..., Any]] = (), sweep.walk
_plain_methods: dict[tuple[Any, str], Callable] = {}


def switch_on(instrument: Instrument) -> None:
    """Let `instrument` look on until it is switched off as often as on."""
    with _lock:
        _open.append(instrument)
        _place()


def switch_off(instrument: Instrument) -> None:
    """Take back one `switch_on`."""
    with _lock:
        _open.remove(instrument)
        _place()


def _place() -> None:
    """Install the variants that the open instruments need, and remove all others."""
    global _active
    before, _active = _active, tuple(dict.fromkeys(_open))
    if _active == before:
        return
    call.tell(_recorded, bool(_that_override("recorded", _active)))
    _let_walk()
    if _that_override("kernel", (*before, *_active)):
        seen = _that_override("kernel", _active)
        layers.put("instruments", _seen_by_all if seen else None)
    _observe(bool(_that_override("inside", _active)))
    for one in _active:
        if one not in before:
            one.opened()
    for one in before:
        if one not in _active:
            one.closed()


def _that_override(name: str, instruments: Iterable[Instrument]) -> list[Instrument]:
    return [one for one in instruments if getattr(type(one), name) is not vars(Instrument)[name]]


def _observe(on: bool) -> None:
    """Put the variants of `OBSERVED` in place, unless they are there, or take them away."""
    while _plain_methods and not on:
        (cls, name), method = _plain_methods.popitem()
        setattr(cls, name, method)
    for cls, name, kind, label in OBSERVED if on else ():
        if (cls, name) not in _plain_methods:
            _plain_methods[cls, name] = vars(cls)[name]
            setattr(cls, name, _scoped(vars(cls)[name], kind, label))


def is_open() -> bool:
    """Whether somebody looks on."""
    return bool(_wrapping[0] or (_active and any(one.looks_on for one in _active)))


def see_programs() -> bool:
    """Whether somebody looks on, and all who do see instructions of programs."""
    if not _active or _wrapping[0]:
        return False
    looking = [one for one in _active if one.looks_on]
    return bool(looking) and _that_override("instruction", looking) == looking


def instruction(*what: str) -> AbstractContextManager[Any]:
    """What the open instruments have an instruction run in."""
    return _all(one.instruction(*what) for one in _active)


def wrap_walks(live: Collection[Any], run: Callable[..., Any]) -> None:
    """Have ``run(walk, *arguments)`` run each walk as long as there is something in `live`."""
    global _wrapping
    with _lock:
        _wrapping = live, run
        _let_walk()


def _let_walk() -> None:
    sweep.let_walk(_walk if _active or _wrapping[0] else None)


def _seen_by_all(op: Op, kernel: Callable[..., Any]) -> Callable[..., Any]:
    return functools.reduce(lambda inner, one: one.kernel(op, inner), _active, kernel)


def _recorded(node: Node, inputs: Sequence, attrs: Mapping[str, Any], out: Any) -> None:
    if not hasattr(node, "notes"):
        node.notes = {}
    for one in _active:
        one.recorded(node, inputs, attrs, out)


def _scoped(method: Callable, kind: str, label: Callable[[Any], str]) -> Callable:
    @functools.wraps(method)
    def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _all(one.inside(kind, label(self), self) for one in _active):
            return method(self, *args, **kwargs)

    return scoped


def _all(contexts: Iterable[AbstractContextManager]) -> ExitStack:
    with ExitStack() as stack:
        for one in contexts:
            stack.enter_context(one)
        return stack.pop_all()


def _walk(tape: Any, seeds: list, *others: Any, around: Callable | None = None) -> dict[Node, Any]:
    """Walk a sweep, and observe the pull of every operator."""
    active, outer = _active, around

    def looked_at(op: Any, pull: Callable) -> Callable:
        if op not in (PASS, OUTPUT, ZERO_SOURCES):
            pull = functools.reduce(lambda inner, one: one.pull(inner), active, pull)
        return pull if outer is None else outer(op, pull)

    run = sweep.walk
    for one in _that_override("walk", active):
        run = functools.partial(one.walk, run)
    live, outermost = _wrapping
    if live:
        run = functools.partial(outermost, run)
    else:
        _let_walk()
    with _all(one.walking(seeds) for one in active):
        return run(tape, seeds, *others, around=looked_at if active else outer)
