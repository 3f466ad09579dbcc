"""The tangent of what an operator computed, from the tangents of its inputs: rules by kind.

Nearly all follow from the operator itself or from its gradient rules: a linear operator applies
itself, a symmetric Jacobian is its own transpose, and a reduction's has a slope for each value of
the input, which the gradient rule gives for a cotangent of ones. What is of no such kind is
transposed, in `transposed`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..engine.array import Array, wrap
from ..engine.array import as_raw as scalar_as_raw
from ..engine.mode import mode, under
from ..engine.node import Node
from ..engine.op import KERNELS, TABLE, Op
from ..engine.op import RECORDED as ops
from ..engine.pull import output
from ..engine.sweep import sweep
from ..engine.tape import Tape
from ..ops.normalization import FORMS, Form, shaped, standardize_grad
from . import formulas, images, recurrent
from .crossing import variable
from .kinds import (
    BIASED,
    DIAGONAL,
    FILLED,
    LINEAR,
    MULTILINEAR,
    REDUCING,
    SYMMETRIC,
    TOGETHER,
)
from .worlds import (
    Known,
    Tangents,
    added,
    as_raw,
    attributes_of,
    by_rule,
    given,
    in_form,
    is_float,
    of_dtype,
    total_of,
)


def through(
    world: Any, known: Known, node: Node, inputs: Any, attrs: dict[str, Any], out: Any
) -> Any:
    """The tangent of the output of a call, or a list for several; None for zeros.

    ``known(edge)`` is that of what an edge leads to. In the `world` of kernels, tangents are raw.
    """
    if world is KERNELS and (quick := QUICK.get(node.op)):
        return quick(known, node, out)
    tangents = [None if edge is None else known(edge) for edge in node.edges]
    for one in tangents:
        if one is not None:
            return pushed(world, node, inputs, attrs, out, tangents)
    return None


def pushed(
    world: Any, node: Node, inputs: Any, attrs: dict[str, Any], out: Any, tangents: Tangents
) -> Any:
    """The same from the tangents of the inputs."""
    rule = RULES.get(node.op.name, transposed) if type(node.op) is Op else transposed
    if world is not KERNELS:
        return rule(world, node, inputs, attrs, out, tangents)
    found = rule(world, node, [as_raw(x) for x in inputs], attrs, out, tangents)
    return found if type(found) in (np.ndarray, list) else scalar_as_raw(found)


# ------------------------------------------------------------- from the gradient rules


def diagonal(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The gradient rule of each input, applied to its tangent."""
    dtype = out.dtype
    if dtype.kind in "biu":
        return None
    parts = [
        of_dtype(F, by_rule(F, node, place, one), dtype)
        for place, one in enumerate(tangents)
        if one is not None
    ]
    found = total_of(F, parts)
    return found if found.shape == out.shape else F.broadcast_to(found, shape=out.shape)


def _of_one(known: Known, node: Node, out: Any) -> Any:
    """`diagonal` for one input, on raw arrays, with little Python: most calls are of such."""
    tangent = known(node.edges[0])
    return None if tangent is None else _like(node.op.single(tangent, node.kept), out)


def _of_two(known: Known, node: Node, out: Any) -> Any:
    """The same for two inputs."""
    (node1, node2), (rule1, rule2), kept = node.edges, node.op.rules, node.kept
    tangent1 = None if node1 is None else known(node1)
    tangent2 = None if node2 is None else known(node2)
    if tangent2 is None:
        return None if tangent1 is None else _like(rule1.raw(tangent1, kept[0]), out)
    found = rule2.raw(tangent2, kept[1])
    if tangent1 is None:
        return _like(found, out)
    first = rule1.raw(tangent1, kept[0])
    return _like(added(first, found, (tangent1, tangent2)), out)


def _of_several(known: Known, node: Node, out: Any) -> Any:
    """The same for any number of inputs."""
    tangents = [None if edge is None else known(edge) for edge in node.edges]
    if all(one is None for one in tangents):
        return None
    return _like(diagonal(KERNELS, node, (), {}, out, tangents), out)


def _like(found: Any, out: Any) -> Any:
    """A raw tangent of the shape and dtype of the output."""
    dtype = out.dtype
    if found.dtype is not dtype:
        if dtype.kind in "biu":
            return None
        found = of_dtype(KERNELS, found, dtype)
    if found.shape != out.shape:
        found = KERNELS.broadcast_to(found, shape=out.shape)
    return found if type(found) is np.ndarray else scalar_as_raw(found)


# -------------------------------------------------------------- from the operator itself


def _linear(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The operator itself on the tangent of each input, the others as they are."""
    first = out[0] if node.op.many and len(out) else out
    if not node.op.many and not is_float(first):
        return None
    run, attrs = getattr(F, node.op.name), attributes_of(node, attrs)
    parts = []
    for place, tangent in enumerate(tangents):
        if tangent is not None and as_raw(tangent).size:  # the mean of no values is NaN
            parts.append(run(*inputs[:place], tangent, *inputs[place + 1 :], **attrs))
    if not node.op.many:
        return total_of(F, parts, tangents)
    return list(parts[0]) if parts else None


def _together(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The operator on all tangents, zeros for those that are missing."""
    filled = [
        in_form(F, np.zeros_like(as_raw(x), dtype=out.dtype)) if tangent is None else tangent
        for x, tangent in zip(inputs, tangents)
    ]
    return getattr(F, node.op.name)(*filled, **attributes_of(node, attrs))


def _biased(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """A product of x and weight, and a bias along one axis of the output."""
    run, (x, weight) = getattr(F, node.op.name), inputs[:2]
    attrs = attributes_of(node, attrs)
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
    return total_of(F, parts, tangents)


def _filled_with(name: str) -> Callable[..., Any]:
    """The rule of what moves values, and fills the rest with the attribute `name`."""

    def rule(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
        rest = {**attributes_of(node, attrs), name: 0}
        return getattr(F, node.op.name)(tangents[0], *inputs[1:], **rest)

    return rule


# ------------------------------------------------------------------- normalizations


def _normalized(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """With a gamma of 1 the Jacobian is symmetric, and gradients of gamma and beta are sums.

    So the gradient rule for a gamma of 1 gives the tangents of what was normalized, and of its
    mean and variance.
    """
    form = FORMS[node.op.name](out[0].shape, **_known(node, attrs))
    eps, (of_x, of_gamma, of_beta) = given(node, attrs, "eps"), tangents
    x = shaped(F, inputs[0], form.x)
    mean, var = [
        shaped(F, in_form(F, y, output(node, k)), form.stats) for k, y in ((1, out[1]), (2, out[2]))
    ]
    r = F.rsqrt(var + eps) if of_x is not None or of_gamma is not None else None
    parts, of_mean, of_var = [], None, None
    if of_x is not None:
        moved, moment, total = _standardized(F, of_x, x, mean, var, form, eps)
        parts.append(_scaled(F, moved, shaped(F, inputs[1], form.gamma)))
        n = prod([form.x[k] for k in form.axes])
        of_mean = shaped(F, total * (1 / n), out[1].shape)
        of_var = shaped(F, F.divide(moment * (2 / n), r), out[2].shape)
    if of_gamma is not None:
        standard = F.multiply(F.subtract(x, mean), r)
        parts.append(F.multiply(standard, shaped(F, of_gamma, form.gamma)))
    if of_beta is not None:
        parts.append(F.broadcast_to(shaped(F, of_beta, form.gamma), shape=form.x))
    return [shaped(F, total_of(F, parts), out[0].shape), of_mean, of_var]


def _scaled(F: Any, x: Any, factor: Any) -> Any:
    """The product, in the memory of x where it can be; nobody else has it."""
    if F is KERNELS and type(x) is np.ndarray:
        x *= factor
        return x
    return F.multiply(x, factor)


def _standardized(
    F: Any, tangent: Any, x: Any, mean: Any, var: Any, form: Form, eps: float
) -> list[Any]:
    """The gradients of x, gamma and beta for a gamma of 1 of each mean, by rows where it can be."""
    shape, stats, axes, kept = form.x, form.stats, form.axes, len(form.x) - len(form.axes)
    if axes == tuple(range(kept, len(shape))):  # a kernel does it
        rows, axes = prod(shape[:kept]), (1,)
        shape, stats = (rows, prod(shape[kept:])), (rows, 1)
    g, x = shaped(F, tangent, shape), shaped(F, x, shape)
    mean, var = shaped(F, mean, stats), shaped(F, var, stats)
    ones = in_form(F, np.ones_like(as_raw(var)))
    found = standardize_grad(F, [g, None, None], x, ones, mean, var, axes, eps)
    return [shaped(F, y, one) for y, one in zip(found, (form.x, form.stats, form.stats))]


def _known(node: Node, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a normalization that say what is averaged."""
    names = node.op.attributes.keys() - {"eps"}
    return {name: given(node, attrs, name) for name in names}


def _inferred(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Normalization by given statistics: linear in x minus the mean, and in gamma and beta."""
    x, gamma, _, mean, var = inputs
    of_x, of_gamma, of_beta, of_mean, of_var = tangents
    if of_mean is not None or of_var is not None:
        return transposed(F, node, inputs, attrs, out, tangents)
    zeros, rest = in_form(F, np.zeros_like(as_raw(mean))), attributes_of(node, attrs)
    parts = []
    if of_x is not None:
        parts.append(F.batch_norm_inference(of_x, gamma, zeros, zeros, var, **rest))
    if of_gamma is not None or of_beta is not None:
        slope, shift = (zeros if one is None else one for one in (of_gamma, of_beta))
        parts.append(F.batch_norm_inference(x, slope, shift, mean, var, **rest))
    return total_of(F, parts)


def transposed(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The transpose of the gradient rules, which are linear in the cotangent."""
    if F is KERNELS:
        given = [None if t is None else _array(t) for t in tangents]
        nobody = mode().recorded_by(())
        found = under(nobody, transposed, ops, node, inputs, attrs, out, given)
        return [as_raw(x) for x in found] if isinstance(found, list) else as_raw(found)
    many = getattr(node.op, "many", False)
    outs = [as_raw(one) for one in (out if isinstance(out, (list, tuple)) else [out])]
    tape = Tape(mode().tapes)
    cotangents = [
        variable(wrap(Array, np.zeros_like(raw)), tape) if is_float(raw) else None for raw in outs
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
        (grad._node, of_dtype(ops, tangent, grad.raw.dtype))
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


def _single(formula: Callable[..., Any]) -> Callable[..., Any]:
    """A formula for float32 and float64, which computes in the dtype that is given."""

    def rule(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
        narrow = any(one is not None and as_raw(one).dtype.char not in "fd" for one in inputs)
        return (transposed if narrow else formula)(F, node, inputs, attrs, out, tangents)

    return rule


RULES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys("vmap_batch vmap_unbatch vmap_spread vmap_total".split(), _linear),
    **dict.fromkeys("vmap_example vmap_at_example vmap_alike".split(), _linear),
    "vmap_join": _together,
    **dict.fromkeys(DIAGONAL | SYMMETRIC, diagonal),
    **dict.fromkeys(REDUCING, formulas.reduced),
    **dict.fromkeys(LINEAR, _linear),
    **dict.fromkeys(MULTILINEAR, _linear),
    **dict.fromkeys(TOGETHER, _together),
    **dict.fromkeys(BIASED, _biased),
    **{name: _filled_with(attribute) for name, attribute in FILLED.items()},
    **formulas.FORMULAS,
    **images.FORMULAS,
    **{name: _single(rule) for name, rule in recurrent.FORMULAS.items()},
    **dict.fromkeys(FORMS, _single(_normalized)),
    "batch_norm_inference": _inferred,
}

#: What `through` calls for elementwise operators where nobody watches.
QUICK: dict[Op, Callable[[Known, Node, Any], Any]] = {
    one: _of_one if one.single else _of_two if one.binary else _of_several
    for name in DIAGONAL
    for one in (TABLE[name], *TABLE[name].fixes)
}
