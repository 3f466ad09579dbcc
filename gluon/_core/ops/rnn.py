"""Recurrent layers: one direction of one layer as one operator.

The kernels keep the gates, and the rules run the recurrence backwards in terms of them. What a
step multiplies its cotangents by is computed for all steps at once; a handful of operations is
left for each step, and the gradient of the weight is one matrix product at the end. On raw arrays
nearly as fast as a kernel of its own. As every output, gates included, may have a cotangent, the
same rules give the gradients of higher order. A compiled kernel may stand in for a whole rule on
raw arrays, under the name of the operator and ``_grad``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Final

from ..engine.op import KERNELS, define
from ..kernel_rules import Whole
from ..kernels import rnn as kernels


def _walk(name: str, rule: Callable) -> Callable:
    """Wrap `rule` so that a compiled kernel may replace it where nobody differentiates it."""
    whole = Whole(name, partial(rule, KERNELS))

    @wraps(rule)
    def call(F: Any, *args: Any) -> Any:
        kernel = whole.caller(F)
        return rule(F, *args) if kernel is None else kernel(*args)

    return call


def before(F: Any, first: Any, states: Any) -> Any:
    """Return the state before each step."""
    return F.concat(F.expand_dims(first, axis=0), states[:-1], axis=0)


def steps(F: Any, x: Any, like: Any) -> list:
    """Return the part of `x` for each step; zeros shaped like `like` if there is no `x`."""
    if x is None:
        return [F.zeros_like(like[:1])] * like.shape[0]
    return F.split(x, sections=x.shape[0], axis=0)


def _joined(F: Any, parts: list) -> Any:
    """Join parts that were computed from the last step to the first."""
    return F.concat(*reversed(parts), axis=0)


def _product(F: Any, left: Any, right: Any) -> Any:
    """Return the sum over steps and batch of the outer products of `left` and `right`."""
    flat = [F.reshape(x, shape=(-1, x.shape[-1])) for x in (left, right)]
    return F.dot(*flat, transpose_a=True)


def _zero(F: Any, x: Any) -> Any:
    """Return a zero cotangent of a state, with an axis for the step."""
    return F.expand_dims(F.zeros_like(x), axis=0)


def _rnn(F: Any, g: Any, weight: Any, h: Any, y: Any, act: str) -> tuple:
    slope = 1 - y * y if act == "tanh" else F.cast(y > 0, dtype=y.dtype)
    walk = zip(steps(F, g, y), steps(F, slope, y))
    carry, totals = _zero(F, h), []
    for g_t, slope_t in reversed([*walk]):
        total = (g_t + carry) * slope_t
        carry = F.dot(total, weight)
        totals.append(total)
    total = _joined(F, totals)
    return total, _product(F, total, before(F, h, y)), F.reshape(carry, shape=h.shape)


rnn_scan: Final = define(
    "rnn_scan",
    kernels.rnn_scan,
    "The states of a plain recurrent layer at all steps",
    joint=_walk("rnn_scan_grad", _rnn),
)


def lstm_slopes(F: Any, c: Any, cs: Any, gates: Any, clip: Any) -> tuple:
    """The factors of cotangents in one backward step, computed for all steps.

    From the output to the cell and to the output gate; from the cell to the other three gates,
    laid along an axis of their own, and to the cell before; from the gates to what they were
    before their activation.
    """
    enter, forget, cell, leave = F.split(gates, sections=4, axis=-1)
    sigmoids = gates * (1 - gates)
    sigmoids = F.split(sigmoids, sections=4, axis=-1)
    own = (sigmoids[0], sigmoids[1], 1 - cell * cell, sigmoids[3])
    bent = F.tanh(cs)
    to_gates = F.stack(cell * own[0], before(F, c, cs) * own[1], enter * own[2], axis=2)
    if clip:
        inside = F.cast((cs > clip[0]) & (cs < clip[1]), dtype=cs.dtype)
        to_gates, forget = to_gates * F.expand_dims(inside, axis=2), forget * inside
    return leave * (1 - bent * bent), bent * own[3], to_gates, forget, own


def _lstm(
    F: Any, g: tuple, weight: Any, h: Any, c: Any, projection: Any, y: tuple, clip: Any
) -> tuple:
    hs, cs, gates = y
    *slopes, own = lstm_slopes(F, c, cs, gates, clip)
    extra = None if g[2] is None else steps(F, g[2] * F.concat(*own, axis=-1), gates)
    walk = zip(steps(F, g[0], hs), steps(F, g[1], cs), *(steps(F, x, x) for x in slopes))
    carry_h, carry_c, heads, totals = _zero(F, h), _zero(F, c), [], []
    gate_shape = (1, c.shape[0], 3 * c.shape[1])
    for g_h, g_c, to_cell, to_leave, to_gates, forget in reversed([*walk]):
        head = g_h + carry_h
        out = head if projection is None else F.dot(head, projection)
        inner = g_c + carry_c + out * to_cell
        total = F.reshape(F.expand_dims(inner, axis=2) * to_gates, shape=gate_shape)
        total = F.concat(total, out * to_leave, axis=-1)
        total = total if extra is None else total + extra.pop()
        carry_h, carry_c = F.dot(total, weight), inner * forget
        heads.append(head)
        totals.append(total)
    total = _joined(F, totals)
    grads = [total, _product(F, total, before(F, h, hs))]
    grads += [F.reshape(carry_h, shape=h.shape), F.reshape(carry_c, shape=c.shape)]
    if projection is None:
        return *grads, None
    outs = F.split(gates, sections=4, axis=-1)[3] * F.tanh(cs)
    return *grads, _product(F, _joined(F, heads), outs)


lstm_scan: Final = define(
    "lstm_scan",
    kernels.lstm_scan,
    "The states, the cells and the gates of a layer of long short-term memory at all steps",
    many=True,
    joint=_walk("lstm_scan_grad", _lstm),
)


def _gru(F: Any, g: tuple, weight: Any, h: Any, y: tuple) -> tuple:
    """Cotangents of the gates reach data and state alike; the new gate's is scaled by `reset`."""
    hs, gates, hidden = y
    reset, update, new = F.split(gates, sections=3, axis=-1)
    earlier = before(F, h, hs)
    own_reset, own_update, own_new = reset * (1 - reset), update * (1 - update), 1 - new * new
    to_new = (1 - update) * own_new
    parts = (to_new * hidden * own_reset, (earlier - new) * own_update, to_new * reset)
    extra, extra_new = _gru_extra(F, g, gates, hidden, (own_reset, own_update, own_new))
    to_state = F.stack(*parts, axis=2)
    walk = zip(steps(F, g[0], hs), steps(F, to_state, hs), steps(F, update, hs))
    carry, heads, totals = _zero(F, h), [], []
    gate_shape = (1, h.shape[0], 3 * h.shape[1])
    for g_h, to_state_t, update_t in reversed([*walk]):
        head = g_h + carry
        total = F.reshape(F.expand_dims(head, axis=2) * to_state_t, shape=gate_shape)
        total = total if extra is None else total + extra.pop()
        carry = head * update_t + F.dot(total, weight)
        heads.append(head)
        totals.append(total)
    total, g_new = _joined(F, totals), _joined(F, heads) * to_new
    g_new = g_new if extra_new is None else g_new + extra_new
    g_x = F.concat(total[:, :, : 2 * h.shape[1]], g_new, axis=-1)
    g_bias = F.sum(total, axis=(0, 1))
    return g_x, _product(F, total, earlier), g_bias, F.reshape(carry, shape=h.shape)


def _gru_extra(F: Any, g: tuple, gates: Any, hidden: Any, own: tuple) -> tuple:
    """Return what the cotangents of gates and `hidden` add to those of the state and of x."""
    if g[1] is None and g[2] is None:
        return None, None
    g_gates = F.zeros_like(gates) if g[1] is None else g[1]
    g_hidden = F.zeros_like(hidden) if g[2] is None else g[2]
    reset = F.split(gates, sections=3, axis=-1)[0]
    g_reset, g_update, g_new = F.split(g_gates, sections=3, axis=-1)
    g_new = g_new * own[2]
    g_reset = (g_reset + g_new * hidden) * own[0]
    extra = F.concat(g_reset, g_update * own[1], g_new * reset + g_hidden, axis=-1)
    return steps(F, extra, extra), g_new


gru_scan: Final = define(
    "gru_scan",
    kernels.gru_scan,
    "The states and the gates of a layer of gated recurrent units at all steps",
    many=True,
    joint=_walk("gru_scan_grad", _gru),
)
