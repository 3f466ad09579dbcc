"""The tangents of recurrent layers: what enters, for all steps at once, and then step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..engine.node import Node
from ..engine.pull import output
from ..ops.rnn import before, lstm_slopes, steps
from .worlds import Tangents, given, in_form, total_of


def rnn_scan(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """Each state moves with what enters and with the state before, at the slope of the function."""
    y, (_, weight, h) = in_form(F, out, node), inputs
    of_x, of_weight, of_h = tangents
    slope = 1 - y * y if given(node, attrs, "act") == "tanh" else F.cast(y > 0, dtype=y.dtype)
    entering = steps(F, _entering(F, of_x, before(F, h, y), of_weight), y)
    carry, found = _first(F, h, of_h), []
    for enters, at in zip(entering, steps(F, slope, y)):
        carry = (enters + F.dot(carry, weight, transpose_b=True)) * at
        found.append(carry)
    return F.concat(*found, axis=0)


def lstm_scan(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangents of states, cells and gates."""
    hs, cs, gates = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    _, weight, h, c, projection = (*inputs, None)[:5]
    of_x, of_weight, of_h, of_c, of_projection = (*tangents, None)[:5]
    *slopes, own = lstm_slopes(F, c, cs, gates, attrs.get("clip"))
    outs = None
    if of_projection is not None:
        outs = F.split(gates, sections=4, axis=-1)[3] * F.tanh(cs)
    leaving = steps(F, _entering(F, None, outs, of_projection), hs)
    entering = steps(F, _entering(F, of_x, before(F, h, hs), of_weight), gates)
    walk = zip(entering, leaving, *(steps(F, one, one) for one in slopes))
    state, cell, size = _first(F, h, of_h), _first(F, c, of_c), c.shape[-1]
    states: list[Any] = []
    cells: list[Any] = []
    moved: list[Any] = []
    for enters, leaves, to_cell, to_leave, to_gates, forget in walk:
        gate = enters + F.dot(state, weight, transpose_b=True)
        three = F.reshape(gate[:, :, : 3 * size], shape=to_gates.shape)
        cell = F.sum(three * to_gates, axis=2) + cell * forget
        state = cell * to_cell + gate[:, :, 3 * size :] * to_leave
        if projection is not None:
            state = F.dot(state, projection, transpose_b=True) + leaves
        for parts, one in ((states, state), (cells, cell), (moved, gate)):
            parts.append(one)
    of_gates = F.concat(*moved, axis=0) * F.concat(*own, axis=-1)
    return [F.concat(*states, axis=0), F.concat(*cells, axis=0), of_gates]


def gru_scan(F: Any, node: Node, inputs: Any, attrs: Any, out: Any, tangents: Tangents) -> Any:
    """The tangents of states, gates, and what the reset gate multiplies."""
    hs, gates, hidden = [in_form(F, one, output(node, k)) for k, one in enumerate(out)]
    (_, weight, _, h), (of_x, of_weight, of_bias, of_h) = inputs, tangents
    reset, update, new = F.split(gates, sections=3, axis=-1)
    to_state = _entering(F, None, before(F, h, hs), of_weight)
    if of_bias is not None:
        bias = F.broadcast_to(of_bias, shape=gates.shape)
        to_state = bias if to_state is None else to_state + bias
    own = reset * (1 - reset), update * (1 - update), 1 - new * new
    slopes = (reset, update, hidden, before(F, h, hs) - new, *own)
    walk = zip(
        steps(F, of_x, gates), steps(F, to_state, gates), *(steps(F, one, one) for one in slopes)
    )
    state, found = _first(F, h, of_h), []
    for data, enters, r, u, s, away, own_r, own_u, own_n in walk:
        of_s = F.split(enters + F.dot(state, weight, transpose_b=True), sections=3, axis=-1)
        data_r, data_u, data_n = F.split(data, sections=3, axis=-1)
        of_r, of_u = (data_r + of_s[0]) * own_r, (data_u + of_s[1]) * own_u
        of_n = (data_n + r * of_s[2] + s * of_r) * own_n
        state = (1 - u) * of_n + u * state + away * of_u
        found.append((state, F.concat(of_r, of_u, of_n, axis=-1), of_s[2]))
    return [F.concat(*parts, axis=0) for parts in zip(*found)]


def _entering(F: Any, of_x: Any, states: Any, of_weight: Any) -> Any:
    """The tangent of ``x + states @ weight.T`` for constant states; None for zeros."""
    parts = [] if of_x is None else [of_x]
    if of_weight is not None:
        parts.append(F.dot(states, of_weight, transpose_b=True))
    return total_of(F, parts, (of_x,))


def _first(F: Any, state: Any, tangent: Any) -> Any:
    """The tangent of the first state, with an axis for the step."""
    return F.expand_dims(F.zeros_like(state) if tangent is None else tangent, axis=0)


FORMULAS: Final[dict[str, Callable[..., Any]]] = {
    one.__name__: one for one in (rnn_scan, lstm_scan, gru_scan)
}
