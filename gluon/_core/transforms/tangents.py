"""The tangent of what an operator computed, from the tangents of its inputs: rules by kind.

Nearly all follow from the operator itself or from its gradient rules: a linear operator applies
itself, a symmetric Jacobian is its own transpose, and a reduction's has a slope for each value of
the input, which the gradient rule gives for a cotangent of ones. What is of no such kind is
transposed, in `transposed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..engine import call
from ..engine.array import Array, wrap
from ..engine.array import as_raw as scalar_as_raw
from ..engine.mode import mode, under
from ..engine.node import CREATED, Node
from ..engine.op import KERNELS, Op
from ..engine.op import RECORDED as ops
from ..engine.pull import lift, output
from ..engine.sweep import sweep
from ..engine.tape import Tape
from ..kernels.reduce import kept_shape
from ..ops.normalization import FORMS, Form, shaped, standardize_grad
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

Tangents = Sequence[Any]


def pushed(
    world: Any, node: Node, inputs: Any, attrs: dict[str, Any], out: Any, tangents: Tangents
) -> Any:
    """The tangent of the output of a call, or a list for several; None for zeros.

    In the `world` of kernels, tangents are raw.
    """
    rule = RULES.get(node.op.name, transposed) if type(node.op) is Op else transposed
    if world is not KERNELS:
        return rule(world, node, inputs, attrs, out, tangents)
    if rule is diagonal:
        return _diagonal_raw(node, out, tangents)
    found = rule(world, node, [as_raw(x) for x in inputs], attrs, out, tangents)
    return found if type(found) in (np.ndarray, list) else scalar_as_raw(found)


def as_raw(x: Any) -> Any:
    """The raw array of an input, which may be no array of gluon."""
    return x.raw if isinstance(x, Array) else x


def in_form(F: Any, raw: Any, node: Node = CREATED) -> Any:
    """A raw array as the operators of `F` take it."""
    return raw if F is KERNELS else wrap(Array, raw, None, node)


def given(node: Node, attrs: dict[str, Any], name: str) -> Any:
    """An attribute of a call, or its default."""
    return attrs.get(name, node.op.attributes[name])


def _attributes(node: Node, attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a call, without the inputs that were no arrays."""
    names = call.names_of(node.op, len(node.edges))
    return {name: one for name, one in attrs.items() if name not in names} if attrs else attrs


def _is_float(raw: Any) -> bool:
    return raw.dtype.kind not in "biu"


def _of_dtype(F: Any, x: Any, dtype: Any) -> Any:
    return x if x.dtype == dtype else F.cast(x, dtype=dtype)


def _total(F: Any, parts: Sequence[Any], tangents: Tangents = ()) -> Any:
    """The sum, in the memory of a part where that is new: no tangent, and no view of one."""
    found = None
    for one in parts:
        if found is None:
            found = one
        elif F is KERNELS:
            found = _added(found, one, tangents)
        else:
            found = F.add(found, one)
    return found


def _added(x: Any, y: Any, tangents: Tangents) -> Any:
    """The sum of two raw parts, as in `_total`."""
    if type(x) is type(y) is np.ndarray and x.shape == y.shape:
        for one in (x, y):
            if one.base is None and one.dtype == x.dtype and not any(one is t for t in tangents):
                return np.add(x, y, out=one)
    return KERNELS.add(x, y)


# ------------------------------------------------------------- from the gradient rules


def _by_rule(F: Any, node: Node, place: int, cotangent: Any) -> Any:
    """What the gradient rule of an input makes of a cotangent."""
    op = node.op
    kept = node.kept if op.single else node.kept[place]
    rule = op.rules[place]
    return (
        rule.raw(cotangent, kept)
        if F is KERNELS
        else rule.watched(cotangent, lift(rule, node, kept))
    )


def diagonal(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The gradient rule of each input, applied to its tangent."""
    dtype = out.dtype
    if dtype.kind in "biu":
        return None
    parts = [
        _of_dtype(F, _by_rule(F, node, place, one), dtype)
        for place, one in enumerate(tangents)
        if one is not None
    ]
    found = _total(F, parts)
    return found if found.shape == out.shape else F.broadcast_to(found, shape=out.shape)


def _diagonal_raw(node: Node, out: Any, tangents: Tangents) -> Any:
    """`diagonal` on raw arrays, with little Python: most calls of a function are such."""
    dtype = out.dtype
    if dtype.kind in "biu":
        return None
    op, kept = node.op, node.kept
    if op.single:
        found = op.single(tangents[0], kept)
    else:
        found = None
        for place, tangent in enumerate(tangents):
            if tangent is not None:
                part = op.rules[place].raw(tangent, kept[place])
                part = part if part.dtype is dtype else _of_dtype(KERNELS, part, dtype)
                found = part if found is None else _added(found, part, tangents)
    if found.dtype is not dtype:
        found = _of_dtype(KERNELS, found, dtype)
    if found.shape != out.shape:
        found = KERNELS.broadcast_to(found, shape=out.shape)
    return found if type(found) is np.ndarray else scalar_as_raw(found)


def _reduced(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Each value of the input moves one value of the output, at the rate of its gradient."""
    if not _is_float(out):
        return None
    slope = _by_rule(F, node, 0, in_form(F, np.ones_like(out)))
    axis = attrs.get("axis", node.op.attributes.get("axis"))
    found = F.sum(F.multiply(tangents[0], slope), axis=axis)
    return _of_dtype(F, F.reshape(found, shape=out.shape), out.dtype)


def _extreme(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The sum of the tangents at the places of the extreme value: mostly of a single one."""
    x, tangent = inputs[0], tangents[0]
    if not (F is KERNELS and type(x) is type(tangent) is np.ndarray and x.ndim):
        return _reduced(F, node, inputs, attrs, out, tangents)
    kept = kept_shape(given(node, attrs, "axis"), x.shape)
    order = sorted(range(x.ndim), key=lambda k: kept[k] != x.shape[k])  # what is reduced, last
    tangent = tangent.transpose(order)
    places = np.flatnonzero((x == out.reshape(kept)).transpose(order))
    chosen = tangent[np.unravel_index(places, tangent.shape)]
    sums = np.bincount(places // (x.size // (out.size or 1) or 1), chosen, out.size)
    return sums.astype(out.dtype).reshape(out.shape)


# -------------------------------------------------------------- from the operator itself


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
        return _total(F, parts, tangents)
    return list(parts[0]) if parts else None


def _together(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The operator on all tangents, zeros for those that are missing."""
    filled = [
        in_form(F, np.zeros_like(as_raw(x), dtype=out.dtype)) if tangent is None else tangent
        for x, tangent in zip(inputs, tangents)
    ]
    return getattr(F, node.op.name)(*filled, **_attributes(node, attrs))


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
    return _total(F, parts, tangents)


def _filled_with(name: str) -> Callable[..., Any]:
    """The rule of what moves values, and fills the rest with the attribute `name`."""

    def rule(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
        rest = {**_attributes(node, attrs), name: 0}
        return getattr(F, node.op.name)(tangents[0], *inputs[1:], **rest)

    return rule


# ------------------------------------------------------------------------ formulas


def _sorted(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangents in the order of the values."""
    how = {name: given(node, attrs, name) for name in ("axis", "is_ascend", "stable")}
    order = F.order(inputs[0], **how)
    return F.take_along(tangents[0], order, axis=how["axis"], unique=True)


def _max_pool(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent at the place of each maximum."""
    return F.max_pool_push(tangents[0], inputs[0], in_form(F, out), **attrs)


def _log_softmax(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangent minus its mean by the probabilities."""
    axis, temperature = given(node, attrs, "axis"), attrs.get("temperature")
    tangent = tangents[0] if temperature in (None, 1) else tangents[0] * (1 / temperature)
    return F.log_softmax_push(tangent, in_form(F, out, node), axis=axis)


def _normalized(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """With a gamma of 1 the Jacobian is symmetric, and gradients of gamma and beta are sums.

    So the gradient rule for a gamma of 1 gives the tangents of what was normalized, and of its
    mean and variance.
    """
    if any(as_raw(one).dtype.char not in "fd" for one in inputs):
        return transposed(F, node, inputs, attrs, out, tangents)
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
        parts.append(F.multiply(moved, shaped(F, inputs[1], form.gamma)))
        n = prod([form.x[k] for k in form.axes])
        of_mean = shaped(F, total * (1 / n), out[1].shape)
        of_var = shaped(F, F.divide(moment * (2 / n), r), out[2].shape)
    if of_gamma is not None:
        standard = F.multiply(F.subtract(x, mean), r)
        parts.append(F.multiply(standard, shaped(F, of_gamma, form.gamma)))
    if of_beta is not None:
        parts.append(F.broadcast_to(shaped(F, of_beta, form.gamma), shape=form.x))
    return [shaped(F, _total(F, parts), out[0].shape), of_mean, of_var]


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
    zeros, rest = in_form(F, np.zeros_like(as_raw(mean))), _attributes(node, attrs)
    parts = []
    if of_x is not None:
        parts.append(F.batch_norm_inference(of_x, gamma, zeros, zeros, var, **rest))
    if of_gamma is not None or of_beta is not None:
        slope, shift = (zeros if one is None else one for one in (of_gamma, of_beta))
        parts.append(F.batch_norm_inference(x, slope, shift, mean, var, **rest))
    return _total(F, parts)


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
    **dict.fromkeys(DIAGONAL | SYMMETRIC, diagonal),
    **dict.fromkeys(REDUCING, _reduced),
    **dict.fromkeys(("max", "min"), _extreme),
    **dict.fromkeys(LINEAR, _linear),
    **dict.fromkeys(MULTILINEAR, _linear),
    **dict.fromkeys(TOGETHER, _together),
    **dict.fromkeys(BIASED, _biased),
    **{name: _filled_with(attribute) for name, attribute in FILLED.items()},
    "sort": _sorted,
    "max_pool": _max_pool,
    "log_softmax": _log_softmax,
    **dict.fromkeys(FORMS, _normalized),
    "batch_norm_inference": _inferred,
}
