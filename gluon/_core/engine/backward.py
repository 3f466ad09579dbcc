"""``backward`` for ``autograd.record()``: check the heads, assign gradients to the variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..errors import ArgumentError, AutogradError, DTypeError
from ..kernels.memory import zeros
from .array import Array, wrap
from .mark import deliver
from .mode import mode, under
from .node import Blank, Node, Variable
from .op import RECORDED
from .sweep import sweep
from .tape import AMBIENT


def backward(
    heads: Sequence[Array],
    head_grads: Sequence[Array | None],
    retain: bool = False,
    training: bool = True,
    zero_heads: bool = False,
) -> None:
    """Send the gradients of `heads` to the marked variables, as their ``grad_req`` says."""
    started = seeds(heads, head_grads, zero_heads)
    received, audience = sweep(AMBIENT, started, retain=retain, training=training)
    if audience:
        under(mode().recorded_by(audience), _deliver, received, heads[0])
    else:  # raw cotangents: nothing to record
        _deliver(received, heads[0])


def _deliver(received: dict[Node, Any], like: Array) -> None:
    """Assign the cotangents that a sweep received to their variables."""
    for node, g in received.items():
        if isinstance(node, Variable) and node.req in ("write", "add"):
            deliver(node, g, type(like), like._ctx)


def seeds(
    heads: Sequence[Array], head_grads: Sequence[Array | None], zero_heads: bool
) -> list[tuple[Node, Array]]:
    """The heads' nodes with their cotangents, ones where none is given.

    With `zero_heads`, an array whose gradient is only zeros is a head even if that looks like a
    mistake.
    """
    if len(head_grads) != len(heads):
        raise ArgumentError(
            f"{len(heads)} heads but {len(head_grads)} head gradients; give one for each, or None"
        )
    pairs = []
    for head, g in zip(heads, head_grads):
        if isinstance(head._node, Blank) and (head._node.head or zero_heads) and head._node.zeros:
            forms = head._node.zeros.items()
            pairs += [(node, wrap(Array, zeros(*form))) for node, form in forms]
            continue
        if AMBIENT not in head._node.tapes:
            raise AutogradError(
                f"cannot differentiate an array of shape {head.raw.shape}: {why_not(head)}"
            )
        pairs.append((head._node, cotangent(head, g)))
    return pairs


def cotangent(head: Array, g: Array | None) -> Array:
    """`g` checked against `head`, or ones when it is None."""
    raw = head.raw
    if g is None:
        ones = numpy.empty_like(raw)  # fill() is a third faster than ones_like
        ones.fill(1)
        return wrap(Array, ones)
    if not isinstance(g, Array):
        raise DTypeError(
            f"a head gradient must be an array like its head, of shape {raw.shape} and dtype"
            f" {raw.dtype}; got {type(g).__name__}"
        )
    if g.raw.shape != raw.shape:
        raise ArgumentError(
            f"a head gradient has the shape of its head: expected {raw.shape}, got {g.raw.shape};"
            " for the gradient with respect to x use autograd.grad(y, x), or x.grad after"
            " backward(y)"
        )
    if g.raw.dtype != raw.dtype:
        return RECORDED.cast(g, dtype=raw.dtype)
    return g


def why_not(array: Array) -> str:
    """Why ``autograd.record()`` knows no history of `array`, and the way out."""
    node = array._node
    if isinstance(node, Blank):
        return f"it was {node.reason}"
    if isinstance(node, Variable) and node.req == "null":
        return "its grad_req is 'null'; call attach_grad() or attach_grad('add')"
    if reason := next((tape.reason for tape in node.tapes if tape.reason), ""):
        return reason
    if any(tape.open for tape in node.tapes):
        return "only a GradManager recorded it; call the backward() of that manager"
    return "the GradManager that recorded it has been released; compute it again"
