"""Look on while operators run: what anomaly detection and the profiler switch on.

While no instrument is open, nothing of this is on the path of a call. An open one puts variants in
the place of the kernels that the calls of operators hold, of the class of the nodes that they
record, of the walk of the backward pass, and of the methods in `SCOPES`. The last one to close
puts everything back.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from copy import copy
from threading import RLock
from types import CellType, FunctionType
from typing import Any

from ..engine import call, sweep
from ..engine.node import Node
from ..engine.op import TABLE
from ..engine.pull import BESIDE, OUTPUT, PASS

NOTHING: AbstractContextManager[None] = nullcontext()


class Traced(Node):
    """A node on which instruments note where it was recorded.

    Attributes
    ----------
    call : anomaly.Call
        The call and its line; set by anomaly detection.
    event : recorder.Event
        The forward call; set by a profile.
    """

    __slots__ = ("call", "event")
    call: Any
    event: Any


class Instrument:
    """What looks on; by default at nothing.

    An instrument is open for the whole process: one that is meant for a thread or task alone has
    a context variable say so.
    """

    #: Whether it has a `kernel` of its own; the kernels stay as they are otherwise.
    sees_kernels = False

    def kernel(self, op: Any, kernel: Callable) -> Callable:
        """What runs in the place of the kernel of `op`."""
        return kernel

    def recorded(self, node: Traced, now: Mapping[str, Any]) -> None:
        """Note a call on the node that it asks for; `now` are the local names of the call."""

    def pull(self, pull: Callable) -> Callable:
        """What runs in the place of an operator's pull, the raw or the watched one."""
        return pull

    def walking(self, seeds: list) -> AbstractContextManager[Any]:
        """What a backward pass from `seeds` runs in."""
        return NOTHING

    def inside(self, kind: str, label: str) -> AbstractContextManager[Any]:
        """What a call of one of the `SCOPES` runs in."""
        return NOTHING


#: What is shown besides the operators of the table: ``(class or module, name, kind, label)`` for
#: each method or function, where ``label(first argument)`` is what a call is called.
SCOPES: list[tuple[Any, str, str, Callable[[Any], str]]] = []

_lock = RLock()
_open: list[Instrument] = []
_active: tuple[Instrument, ...] = ()
_plain_walk = sweep._walk
_plain_kernels: list[tuple[CellType, Callable]] = []
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
    """Put the variants that the open instruments want in place, and the others out."""
    global _active
    before, _active = _active, tuple(dict.fromkeys(_open))
    if _active == before:
        return
    vars(call)["Node"] = _node_of_call if _active else Node
    vars(sweep)["_walk"] = _walk if _active else _plain_walk
    while _plain_methods:
        (cls, name), method = _plain_methods.popitem()
        setattr(cls, name, method)
    while _plain_kernels:
        cell, kernel = _plain_kernels.pop()
        cell.cell_contents = kernel
    seeing = [one for one in _active if one.sees_kernels]
    if not seeing:
        return
    for op, cell in kernel_cells():
        _plain_kernels.append((cell, cell.cell_contents))
        for one in seeing:
            cell.cell_contents = one.kernel(op, cell.cell_contents)
    for cls, name, kind, label in SCOPES:
        _plain_methods[cls, name] = vars(cls)[name]
        setattr(cls, name, _scoped(vars(cls)[name], kind, label))


def kernel_cells() -> Iterator[tuple[Any, CellType]]:
    """Every operator with a variable that holds its kernel in the closure of its call.

    A call is bound by its callers when they are imported. What they all share is its closure.
    """
    for op in list(TABLE.values()):
        waiting: list[Any] = [op.call]
        while waiting:
            function = waiting.pop()
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
            if "kernel" in cells:
                holder = cells.get("fixed") or cells["op"]
                yield holder.cell_contents, cells["kernel"]
            inner = [cell.cell_contents for name, cell in cells.items() if name != "kernel"]
            waiting += [
                one
                for one in inner
                if isinstance(one, FunctionType) and one.__module__ == call.__name__
            ]


def _node_of_call() -> Node:
    """A node for the call of an operator that asks for one."""
    node = Traced()
    now = sys._getframe(1).f_locals
    for one in _active:
        one.recorded(node, now)
    return node


def _scoped(method: Callable, kind: str, label: Callable[[Any], str]) -> Callable:
    @functools.wraps(method)
    def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _all(one.inside(kind, label(self)) for one in _active):
            return method(self, *args, **kwargs)

    return scoped


def _all(contexts: Iterable[AbstractContextManager]) -> ExitStack:
    with ExitStack() as stack:
        for one in contexts:
            stack.enter_context(one)
        return stack.pop_all()


def _walk(tape: Any, seeds: list, *others: Any) -> dict[Node, Any]:
    """As the walk of `sweep`, with every operator on the way replaced by a watched twin."""
    active, watched = _active, others[-1]
    twins: dict[Any, Any] = {}
    with _all(one.walking(seeds) for one in active):
        nodes = [(node, node.op) for node in behind(node for node, _ in seeds)]
        try:
            for node, op in nodes:
                op = getattr(op, "plain", op)  # a twin where this walk runs inside another one
                if op not in (PASS, OUTPUT, BESIDE):
                    if op not in twins:
                        twins[op] = _twin(op, watched, active)
                    node.op = twins[op]
            return _plain_walk(tape, seeds, *others)
        finally:
            for node, op in nodes:
                node.op = op


def behind(nodes: Iterable[Node]) -> set[Node]:
    """All nodes from which those given were computed, these included.

    Parameters
    ----------
    nodes : iterable of Node

    Returns
    -------
    set of Node
    """
    seen: set[Node] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(edge for edge in node.edges or () if edge is not None)
    return seen


def _twin(op: Any, watched: bool, active: Sequence[Instrument]) -> Any:
    """A copy of an operator whose pull, the raw or the watched one, is looked at."""
    twin = copy(op)
    twin.plain = op
    if watched:
        twin.pull_watched = functools.reduce(lambda p, one: one.pull(p), active, op.pull_watched)
        return twin
    twin.pull = functools.reduce(lambda p, one: one.pull(p), active, op.pull)
    twin.single = None
    return twin
