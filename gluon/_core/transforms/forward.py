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

import numpy as np

from ..engine import call
from ..engine.array import Array, alias, wrap
from ..engine.array import as_raw as scalar_as_raw
from ..engine.mode import mode, under
from ..engine.node import CREATED, Node, Variable
from ..engine.op import KERNELS, Op
from ..engine.op import RECORDED as ops
from ..engine.pull import OUTPUT, PASS, ZERO_SOURCES, lift, output
from ..engine.sweep import sweep
from ..engine.tape import Tape
from ..journal import watcher
from .crossing import SHARED, crossed
from .kinds import BIASED, DIAGONAL, LINEAR, MULTILINEAR, SYMMETRIC, TOGETHER

#: What passes the tangent of its first edge on.
STANDING = (PASS, ZERO_SOURCES, SHARED)
Tangents = list[Any]


def variable(x: Array, tape: Tape) -> Any:
    """A new handle on the value of `x` that `tape` tracks too; it keeps the history of `x`."""
    node = x._node
    one = Variable(PASS, x.raw, (*node.tapes, tape))
    one.edges = (crossed(node, one.number),) if node.tapes else ()
    return wrap(type(x), x.raw, x._ctx, one)


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
    seeds : dict of Node to Array or raw array
        The tangents of the variables.
    world : SimpleNamespace
        `KERNELS`, and tangents are raw arrays, if nobody watches; else `ops`, and they are arrays.
    mode : pair of Mode
        That of a call, and the one in which its tangent is computed.
    noted : list of Node
        The nodes whose tangents have a history, which may lead back to the node: `close` takes
        these from them.
    """

    __slots__ = ("mode", "noted", "seeds", "world")

    def __init__(self, outer: tuple[Tape, ...]) -> None:
        super().__init__(outer)
        self.seeds: dict[Node, Any] = {}
        self.noted: list[Node] = []
        self.mode: tuple[Any, Any] = None, None
        self.world = world_of(outer)

    def start(self, seeds: dict[Node, Any]) -> None:
        """Take the tangents of the variables."""
        self.seeds = in_world(self.world, seeds)

    def close(self) -> None:
        """Record no longer, and forget all tangents."""
        self.open = False
        for node in self.noted:
            node.notes.pop(self, None)
        self.noted.clear()
        self.seeds.clear()

    def tangent(self, node: Node | None) -> Any:
        """The tangent of what `node` computed; None for zeros."""
        return tangent_of(self, node, self.seeds, lambda one: getattr(one, "notes", {}).get(self))


def world_of(tapes: tuple[Tape, ...]) -> Any:
    """Where tangents are computed that these tapes record: rules of gradients serve both."""
    return ops if tapes or watcher() is not None else KERNELS


def in_world(world: Any, seeds: dict[Node, Any]) -> dict[Node, Any]:
    """Tangents as arrays, or as raw ones."""
    return {node: t.raw for node, t in seeds.items()} if world is KERNELS else dict(seeds)


def tangent_of(
    tape: Tape, node: Node | None, known: dict[Node, Any], otherwise: Callable[[Node], Any]
) -> Any:
    """The tangent of what `node` computed, of those that are `known` or found `otherwise`."""
    while node is not None and tape in node.tapes:
        if node in known:
            return known[node]
        if node.op is OUTPUT:
            several = tangent_of(tape, node.edges[0], known, otherwise)
            return None if several is None else several[node.attrs]
        if node.op not in STANDING:
            return otherwise(node)
        node = node.edges[0] if node.edges else None
    return None


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
            return tangent_of(self, node, found, lambda _: None)

        for node, inputs, attrs, out in calls:
            tangents = [tangent(edge) for edge in node.edges]
            if any(one is not None for one in tangents):
                result = pushed(world, node, inputs, attrs, out, tangents)
                if result is not None:
                    found[node] = result
        return tangent


_lock = Lock()
_listening: list[Tape] = []


def listen(tape: Tape, on: bool) -> None:
    """Have a tape be told of the calls that it records, or no longer."""
    with _lock:
        _listening.append(tape) if on else _listening.remove(tape)
        call.tell(_recorded, bool(_listening))


def _recorded(node: Node, inputs: Sequence[Any], attrs: dict[str, Any], out: Any) -> None:
    """Let the tapes that saw a call push tangents through it, or keep it for that."""
    only = True
    for tape in node.tapes:
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
    tangents, moves = [], False
    for edge in node.edges:
        try:
            one = edge.notes[tape]
        except (AttributeError, KeyError):  # a variable, or a node that stands for another
            one = tape.tangent(edge)
        tangents.append(one)
        moves = moves or one is not None
    if not moves:
        return
    if tape.world is KERNELS:
        result = pushed(KERNELS, node, inputs, attrs, out, tangents)
    else:
        now = mode()
        if now is not tape.mode[0]:  # it is the same for most calls
            tape.mode = now, now.recorded_by(tape.audience())
        result = under(tape.mode[1], pushed, ops, node, inputs, attrs, out, tangents)
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


# ------------------------------------------------------------------------------------- rules


def pushed(
    world: Any, node: Node, inputs: Any, attrs: dict[str, Any], out: Any, tangents: Tangents
) -> Any:
    """The tangent of the output of a call, or a list for several; None for zeros.

    In the `world` of kernels, tangents are raw.
    """
    rule = RULES.get(node.op.name, _transposed) if type(node.op) is Op else _transposed
    if world is KERNELS and rule is not _diagonal:  # which looks at what the node kept
        inputs = [as_raw(x) for x in inputs]
    found = rule(world, node, inputs, attrs, out, tangents)
    if world is not KERNELS:
        return found
    return found if type(found) in (np.ndarray, list) else scalar_as_raw(found)


def _total(F: Any, parts: Sequence[Any]) -> Any:
    found = None
    for one in parts:
        found = one if found is None else F.add(found, one)
    return found


def _is_float(raw: Any) -> bool:
    return raw.dtype.kind not in "biu"


def _diagonal(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The gradient rule of each input, applied to its tangent."""
    if not _is_float(out):
        return None
    kept = (node.kept,) if node.op.single else node.kept
    found: Any = None
    for place, tangent in enumerate(tangents):
        if tangent is not None:
            rule = node.op.rules[place]
            if F is KERNELS:
                part = rule.raw(tangent, kept[place])
            else:
                part = rule.watched(tangent, lift(rule, node, kept[place]))
            part = _of_dtype(F, part, out.dtype)
            found = part if found is None else F.add(found, part)
    if found.shape != out.shape:
        found = F.broadcast_to(found, shape=out.shape)
    return found


def _of_dtype(F: Any, x: Any, dtype: Any) -> Any:
    return x if x.dtype == dtype else F.cast(x, dtype=dtype)


def _attributes(node: Node, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a call, without the inputs that were no arrays."""
    names = call.names_of(node.op, len(node.edges))
    return {name: one for name, one in attrs.items() if name not in names} if attrs else attrs


def _linear(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The operator itself on the tangent of each input, the others as they are."""
    first = out[0] if node.op.many and len(out) else out
    if not node.op.many and not _is_float(first):
        return None
    run, attrs = getattr(F, node.op.name), _attributes(node, attrs)
    parts = []
    for place, tangent in enumerate(tangents):
        if tangent is not None and as_raw(tangent).size:  # the mean of no values is NaN
            parts.append(run(*inputs[:place], tangent, *inputs[place + 1 :], **attrs))
    if not node.op.many:
        return _total(F, parts)
    return list(parts[0]) if parts else None


def _together(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The operator on all tangents, zeros for those that are missing."""
    filled = [
        in_form(F, np.zeros_like(as_raw(x), dtype=out.dtype)) if tangent is None else tangent
        for x, tangent in zip(inputs, tangents)
    ]
    return getattr(F, node.op.name)(*filled, **_attributes(node, attrs))


def as_raw(x: Any) -> Any:
    """The raw array of an input, which may be no array of gluon."""
    return x.raw if isinstance(x, Array) else x


def in_form(F: Any, raw: Any, node: Node = CREATED) -> Any:
    """A raw array as the operators of `F` take it."""
    return raw if F is KERNELS else wrap(Array, raw, None, node)


def _biased(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """A product of x and weight, and a bias along one axis of the output."""
    run, (x, weight) = getattr(F, node.op.name), inputs[:2]
    attrs = _attributes(node, attrs)
    of_x, of_weight, of_bias = (*tangents, None, None)[:3]
    parts = []
    if of_x is not None:
        parts.append(run(of_x, weight, None, **attrs))
    if of_weight is not None:
        parts.append(run(x, of_weight, None, **attrs))
    if of_bias is not None:
        axis = BIASED[node.op.name] % out.ndim
        shape = [n if k == axis else 1 for k, n in enumerate(out.shape)]
        bias = F.reshape(of_bias, shape=tuple(shape))
        parts.append(bias if parts else F.broadcast_to(bias, shape=out.shape))
    return _total(F, parts)


def _max_pool(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent at the place of each maximum."""
    places = F.max_places(inputs[0], in_form(F, out), **attrs)
    return F.pick_places(tangents[0], places, **attrs)


def _log_softmax(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent minus its mean by the probabilities."""
    axis, temperature = attrs.get("axis", -1), attrs.get("temperature")
    tangent = tangents[0] if temperature in (None, 1) else tangents[0] * (1 / temperature)
    weighted = F.multiply(tangent, F.exp(in_form(F, out, node)))
    return F.subtract(tangent, F.sum(weighted, axis=axis, keepdims=True))


def _normalized(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Of x minus its mean, divided by its deviation, times gamma, plus beta."""
    x, gamma = inputs[0], inputs[1]
    if any(as_raw(one).dtype.char not in "fd" for one in inputs):
        return _transposed(F, node, inputs, attrs, out, tangents)
    ndim = out[0].ndim
    if node.op.name == "instance_norm":
        axes, own = tuple(range(2, ndim)), 1
    else:
        own = given(node, attrs, "axis") % ndim
        axes = (own,) if node.op.name == "layer_norm" else tuple(k for k in range(ndim) if k != own)
    line = tuple([n if k == own else 1 for k, n in enumerate(out[0].shape)])
    kept = tuple([1 if k in axes else n for k, n in enumerate(out[0].shape)])
    mean, var = [
        F.reshape(in_form(F, y, output(node, k)), shape=kept) for k, y in ((1, out[1]), (2, out[2]))
    ]
    of_x, of_gamma, of_beta = tangents
    r = F.rsqrt(var + given(node, attrs, "eps"))
    parts, of_mean, of_var = [], None, None
    centred = None if of_x is of_gamma is None else F.subtract(x, mean)
    if of_x is not None:
        of_mean = F.mean(of_x, axis=axes, keepdims=True)
        moved = F.subtract(of_x, of_mean)
        of_var = F.mean(F.multiply(centred, moved), axis=axes, keepdims=True) * 2
        slope = F.multiply(centred, F.multiply(of_var, r * r) * 0.5)
        scale = F.multiply(F.reshape(gamma, shape=line), r)
        parts.append(F.multiply(F.subtract(moved, slope), scale))
        of_mean, of_var = [F.reshape(t, shape=out[1].shape) for t in (of_mean, of_var)]
    if of_gamma is not None:
        parts.append(F.multiply(F.multiply(centred, r), F.reshape(of_gamma, shape=line)))
    if of_beta is not None:
        parts.append(F.broadcast_to(F.reshape(of_beta, shape=line), shape=out[0].shape))
    return [_total(F, parts), of_mean, of_var]


def given(node: Node, attrs: dict[str, Any], name: str) -> Any:
    """An attribute of a call, or its default."""
    return attrs.get(name, node.op.attributes[name])


def _transposed(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The transpose of the gradient rules, which are linear in the cotangent."""
    if F is KERNELS:
        given = [None if t is None else _array(t) for t in tangents]
        nobody = mode().recorded_by(())
        found = under(nobody, _transposed, ops, node, inputs, attrs, out, given)
        return [as_raw(x) for x in found] if isinstance(found, list) else as_raw(found)
    many = getattr(node.op, "many", False)
    outs = [as_raw(one) for one in (out if isinstance(out, (list, tuple)) else [out])]
    tape = Tape(mode().tapes)
    cotangents = [
        variable(wrap(Array, np.zeros_like(raw)), tape) if _is_float(raw) else None for raw in outs
    ]
    tracked = {edge for edge, one in zip(node.edges, tangents) if one is not None}
    pulled = under(
        mode().recorded_by((*mode().tapes, tape)),
        node.op.pull_watched,
        node,
        cotangents if many else cotangents[0],
        tracked.__contains__,
    )
    seeds = [
        (grad._node, _of_dtype(ops, tangent, grad.raw.dtype))
        for grad, tangent in zip(pulled, tangents)
        if grad is not None and tangent is not None and tape in grad._node.tapes
    ]
    nodes = [None if one is None else one._node for one in cotangents]
    wanted = [one for one in nodes if one is not None]
    received, _ = sweep(tape, seeds, receivers=wanted, retain=True, training=mode().training)
    tape.open = False
    found = [_array(received[one]) if one in received else None for one in nodes]
    return found if many else found[0]


def _array(value: Any) -> Any:
    return value if isinstance(value, Array) else wrap(Array, value)


RULES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys("vmap_batch vmap_unbatch vmap_spread vmap_total".split(), _linear),
    **dict.fromkeys("vmap_example vmap_at_example vmap_alike".split(), _linear),
    "vmap_join": _together,
    **dict.fromkeys(DIAGONAL | SYMMETRIC, _diagonal),
    **dict.fromkeys(LINEAR, _linear),
    **dict.fromkeys(MULTILINEAR, _linear),
    **dict.fromkeys(TOGETHER, _together),
    **dict.fromkeys(BIASED, _biased),
    "max_pool": _max_pool,
    "log_softmax": _log_softmax,
    **dict.fromkeys("layer_norm batch_norm instance_norm".split(), _normalized),
}
