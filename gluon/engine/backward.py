"""``backward`` and ``grad`` of ``autograd.record()``: heads checked, receivers chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .array import Array, wrap
from .errors import ArgumentError, AutogradError, DTypeError
from .mark import as_gradient, deliver
from .mode import mode, under
from .node import UNTRACKED, Blank, Node, Variable
from .op import RECORDED
from .sweep import sweep
from .tape import AMBIENT

#: Whether what has a gradient of zeros alone can be a head even where that looks like a mistake.
ZERO_HEADS = False


def backward(
    heads: Sequence[Array],
    head_grads: Sequence[Array | None],
    retain: bool = False,
    training: bool = True,
) -> None:
    """Send the gradients of `heads` to the marked variables, as their ``grad_req`` says."""
    received, audience = sweep(AMBIENT, seeds(heads, head_grads), retain=retain, training=training)
    if audience:
        under(mode().recorded_by(audience), _deliver, received, heads[0])
    else:  # raw cotangents: there is nothing to record
        _deliver(received, heads[0])


def _deliver(received: dict[Node, Any], like: Array) -> None:
    """Hand the variables that want them the cotangents that a sweep received."""
    for node, g in received.items():
        if isinstance(node, Variable) and node.req in ("write", "add"):
            deliver(node, g, type(like), like._ctx)


def grad(
    heads: Sequence[Array],
    variables: Sequence[Array],
    head_grads: Sequence[Array | None],
    retain: bool = False,
    create_graph: bool = False,
    training: bool = True,
) -> list[Array]:
    """The gradients of `heads` with respect to `variables`, as new arrays."""
    for k, variable in enumerate(variables):
        if AMBIENT not in variable._node.tapes:
            raise AutogradError(
                f"cannot differentiate with respect to variable {k} of shape"
                f" {variable.raw.shape}: {why_not(variable)}"
            )
    received, _ = sweep(
        AMBIENT,
        seeds(heads, head_grads),
        receivers=[variable._node for variable in variables],
        retain=retain,
        create_graph=create_graph,
        training=training,
    )
    results = []
    for k, variable in enumerate(variables):
        if variable._node not in received:
            raise AutogradError(
                f"variable {k} of shape {variable.raw.shape} does not reach the heads of shape"
                f" {', '.join(str(head.raw.shape) for head in heads)}: compute the heads from"
                " it, after attach_grad() and while recording. detach(), attach_grad() on an"
                " array in between, and operators without gradient cut the path"
            )
        g = received[variable._node]
        result = as_gradient(g, variable.raw.dtype, type(variable), variable._ctx)
        if create_graph and isinstance(result._node, Blank):  # linear: its derivatives are zeros
            form = variable.raw.shape, variable.raw.dtype
            result._node = Blank(UNTRACKED.reason, True, {variable._node: form}, head=True)
        results.append(result)
    return results


def seeds(heads: Sequence[Array], head_grads: Sequence[Array | None]) -> list[tuple[Node, Array]]:
    """The heads' nodes with their cotangents, ones where none is given."""
    if len(head_grads) != len(heads):
        raise ArgumentError(
            f"{len(heads)} heads but {len(head_grads)} head gradients; give one for each, or None"
        )
    pairs = []
    for head, g in zip(heads, head_grads):
        if isinstance(head._node, Blank) and (head._node.head or ZERO_HEADS) and head._node.flat:
            forms = head._node.flat.items()
            pairs += [(node, wrap(Array, numpy.zeros(*form))) for node, form in forms]
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
        ones = numpy.empty_like(raw)  # with fill() a third faster than ones_like
        ones.fill(1)
        return wrap(Array, ones)
    if not isinstance(g, Array):
        raise DTypeError(
            f"a head gradient must be an array like its head, of shape {raw.shape} and dtype"
            f" {raw.dtype}; got {type(g).__name__}"
        )
    if g.raw.shape != raw.shape:
        raise ArgumentError(
            f"a head gradient has the shape of its head: expected {raw.shape}, got {g.raw.shape}"
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
    if any(tape.open for tape in node.tapes):
        return "only a GradManager recorded it; call the backward() of that manager"
    return "the GradManager that recorded it has been released; compute it again"
