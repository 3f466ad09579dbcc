"""Find where NaN or infinity comes from: what `autograd.detect_anomaly` switches on.

While a block is open, two names of the engine stand for checked variants: the class of the nodes
that calls record, and the walk of the backward pass. So a call pays nothing while no block is
open. Who checks is in a context variable: other threads and asyncio tasks compute as ever.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from pathlib import Path
from threading import Lock
from types import FrameType
from typing import Any, NamedTuple

import numpy

from . import call, sweep
from .array import Array
from .errors import AnomalyError
from .node import Node
from .pull import OUTPUT, PASS

PACKAGE = str(Path(__file__).parent.parent)
NOWHERE = "; it was recorded outside detect_anomaly(), record it inside to learn where"
#: None where nothing is checked, a node while its cotangent is pulled back, else True.
checking: ContextVar[Any] = ContextVar("gluon_checking", default=None)


class Call(NamedTuple):
    """A recorded call.

    Attributes
    ----------
    what : str
        The operator and its inputs.
    where : str
        The line of the user's code.
    """

    what: str
    where: str


class Traced(Node):
    """A node that knows its `Call`."""

    __slots__ = ("call",)
    call: Call


@contextmanager
def detecting() -> Iterator[None]:
    """Check what is recorded and differentiated inside, in this thread or task."""
    token = checking.set(True)
    _switch(1)
    try:
        yield
    finally:
        _switch(-1)
        checking.reset(token)


_lock = Lock()
_open_blocks = 0
_plain_walk = sweep._walk


def _switch(change: int) -> None:
    """Count the open blocks of all threads, and put the checked variants in or out."""
    global _open_blocks
    with _lock:
        _open_blocks += change
        vars(call)["Node"] = _node_of_call if _open_blocks else Node
        vars(sweep)["_walk"] = _walk if _open_blocks else _plain_walk


# ------------------------------------------------------------------------------- recorded values


def _node_of_call() -> Node:
    """A node for the call of an operator that asks for one; its result is checked."""
    if checking.get() is None:
        return Node()
    now = sys._getframe(1).f_locals
    op, attrs = now["op"], now["attrs"]
    inputs = now["inputs"] if "inputs" in now else [now[x] for x in ("x", "x1", "x2") if x in now]
    given = [*zip(call.names_of(op, len(inputs)), inputs), *attrs.items()]
    return traced(op.name, given, now["out"] if "out" in now else now["raw"])


def traced(name: str, given: Iterable[tuple[str, Any]], out: Any) -> Traced:
    """A node for a call of the operator `name`.

    Parameters
    ----------
    name : str
    given : iterable of (str, object)
        Its inputs and attributes.
    out : raw array, or a list of raw arrays
        Its results.

    Returns
    -------
    Traced
        Without its other fields.

    Raises
    ------
    AnomalyError
        If a result holds NaN, or infinity that no input holds.
    """
    given = list(given)
    what = f"{name}({', '.join(f'{key}{_like(value)}' for key, value in given)})"
    node = Traced()
    node.call = Call(what, _place(sys._getframe(1)))
    if checking.get() is not True:  # in a backward pass, which checks what a rule comes to
        return node
    for raw in out if isinstance(out, (list, tuple)) else [out]:
        found = anomaly(raw)
        if found is None:
            continue
        had = [key for key, x in given if (anomaly(getattr(x, "_raw", x)) or "")[:3] == found[:3]]
        if not had or found.startswith("NaN"):
            already = f"; {had[0]} held it already" if had else ""
            raise AnomalyError(f"{what} gave {found}{already}, called {node.call.where}")
    return node


def anomaly(raw: Any) -> str | None:
    """What is wrong with the values of a raw array or a number, such as ``NaN in 1 of 3 values``.

    None if nothing is.
    """
    if not isinstance(raw, (numpy.ndarray, numpy.generic, float)):
        return None
    values = numpy.asarray(raw)
    if values.dtype.kind not in "fcV" or numpy.isfinite(values).all():
        return None
    for kind, is_kind in (("NaN", numpy.isnan), ("infinity", numpy.isinf)):
        if count := int(is_kind(values).sum()):
            return f"{kind} in {count} of {values.size} values"
    return None


def _like(value: Any) -> str:
    """The dtype and shape of an array, the value of an attribute."""
    raw = getattr(value, "_raw", None)
    return f"={value!r}" if raw is None else f": {raw.dtype}{list(raw.shape)}"


def _place(frame: FrameType | None) -> str:
    """The line outside the package that `frame` was reached from, and the layer on the way."""
    layer = ""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        if not layer and frame.f_code.co_name in ("forward", "hybrid_forward"):
            name = getattr(frame.f_locals.get("self"), "name", None)
            layer = f" by the layer {name!r}" if isinstance(name, str) else ""
        frame = frame.f_back
    pulled = checking.get()
    inside = f", in the gradient of {_call_of(pulled)}" if isinstance(pulled, Node) else ""
    if frame is None:
        return f"at an unknown line{layer}{inside}"
    code = frame.f_code
    return f"at {code.co_filename}:{frame.f_lineno} in {code.co_name}{layer}{inside}"


# ------------------------------------------------------------------------------------- gradients


def _walk(tape: Any, seeds: list, *others: Any) -> dict[Node, Any]:
    """As the walk of `sweep`, with every operator on the way replaced by a checked twin."""
    if checking.get() is None:
        return _plain_walk(tape, seeds, *others)
    for node, g in seeds:
        if found := _anomaly_of(g):
            raise AnomalyError(f"the gradient given for the result of {_call_of(node)} has {found}")
    watched = others[-1]
    twins: dict[Any, Any] = {}
    nodes = [(node, node.op) for node in _behind(node for node, _ in seeds)]
    try:
        for node, op in nodes:
            op = getattr(op, "plain", op)  # a twin where this walk runs inside another one
            if op not in (PASS, OUTPUT):
                if op not in twins:
                    twins[op] = _twin(op, watched)
                node.op = twins[op]
        return _plain_walk(tape, seeds, *others)
    finally:
        for node, op in nodes:
            node.op = op


def _behind(nodes: Iterable[Node]) -> set[Node]:
    """All nodes from which those given were computed, these included."""
    seen: set[Node] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(edge for edge in node.edges or () if edge is not None)
    return {node for node in seen if hasattr(node, "op")}


def _twin(op: Any, watched: bool) -> Any:
    """A copy of an operator whose pull, the raw or the watched one, is checked."""
    twin = copy(op)
    twin.plain = op
    if watched:
        twin.pull_watched = _checked(op.pull_watched)
        return twin

    def pull_single(node: Node, g: Any, wants: Any) -> tuple:
        return (op.single(g, node.kept),) if wants is None or wants(node.edges[0]) else ()

    twin.pull = _checked(pull_single if op.single else op.pull)
    twin.single = None
    return twin


def _checked(pull: Callable) -> Callable:
    def checked(node: Node, g: Any, wants: Any) -> Sequence:
        if checking.get() is None:  # another thread walks the same graph
            return pull(node, g, wants)
        if found := _anomaly_of(g):
            raise AnomalyError(
                f"the gradients for the result of {_call_of(node)} add up to {found}"
            )
        token = checking.set(node)
        try:
            grads = pull(node, g, wants)
        finally:
            checking.reset(token)
        for place, grad in enumerate(grads):
            if found := _anomaly_of(grad):
                names = getattr(node.op, "inputs", ())
                which = names[place] if len(names) == len(grads) else f"input {place}"
                raise AnomalyError(
                    f"the gradient with respect to {which} has {found} in {_call_of(node)}"
                )
        return grads

    return checked


def _anomaly_of(g: Any) -> str | None:
    """As `anomaly`, of a cotangent: raw, an array, or one for each of several outputs."""
    if isinstance(g, tuple):
        return next(filter(None, map(_anomaly_of, g)), None)
    return anomaly(g._raw if isinstance(g, Array) else g)


def _call_of(node: Node) -> str:
    if isinstance(node, Traced):
        return f"{node.call.what}, called {node.call.where}"
    return f"{getattr(node.op, 'name', node.op)}{NOWHERE if node.op is not PASS else ''}"
