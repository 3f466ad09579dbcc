"""Kernels in PyTorch of recurrent layers: results are written in place, a few launches a step."""

from __future__ import annotations

from typing import Any

import torch

from .buffer import like
from .layers import WIDE, fit, kernel


def _scanned(*xs: Any) -> bool:
    """Whether the kernels take these arrays, the first one of steps."""
    return fit(*xs) and xs[0].t.dtype in WIDE and len(xs[0]) > 0


def _before(first: Any, states: Any) -> torch.Tensor:
    """The state before each step."""
    return torch.cat((first.t[None], states.t[:-1]))


def _slopes(gates: torch.Tensor, size: int) -> tuple[torch.Tensor, ...]:
    """The slopes of the sigmoids that gave the gates."""
    return torch.addcmul(gates, gates, gates, value=-1).split(size, -1)


def _product(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The sum over steps and batch of the outer products."""
    return left.flatten(0, 1).t() @ right.flatten(0, 1)


@kernel("rnn_scan")
def _rnn_scan(x: Any, weight: Any, h: Any, *, act: str) -> Any:
    if not _scanned(x, weight, h):
        return NotImplemented
    bend = torch.tanh_ if act == "tanh" else torch.relu_
    hs, hidden, turned = x.t.new_empty(x.shape), h.t, weight.t.t()
    for step, now in zip(x.t, hs):
        hidden = bend(torch.addmm(step, hidden, turned, out=now))
    return like(x, hs)


@kernel("lstm_scan")
def _lstm_scan(
    x: Any,
    weight: Any,
    h: Any,
    c: Any,
    projection: Any = None,
    *,
    clip: Any = None,
    nan: bool = False,
) -> Any:
    if not _scanned(x, weight, h, c) or projection is not None or clip:
        return NotImplemented
    size, hidden, cell, turned = c.shape[-1], h.t, c.t, weight.t.t()
    hs, cs = (x.t.new_empty((len(x), *c.shape)) for _ in range(2))
    gates = x.t.new_empty(x.shape)
    enter, forget, new, leave = gates.split(size, -1)
    rows = (x.t, gates, gates[..., : 2 * size], enter, forget, new, leave, hs, cs)
    for step, gate, two, enter, forget, new, leave, h_now, c_now in zip(*rows):
        torch.addmm(step, hidden, turned, out=gate)
        two.sigmoid_()
        new.tanh_()
        leave.sigmoid_()
        cell = torch.mul(forget, cell, out=c_now).addcmul_(enter, new)
        hidden = torch.mul(leave, cell.tanh(), out=h_now)
    return tuple([like(x, t) for t in (hs, cs, gates)])


def lstm_scan_grad(
    g: Any, weight: Any, h: Any, c: Any, projection: Any, y: tuple[Any, ...], clip: Any
) -> Any:
    """The cotangents of the inputs of `lstm_scan`; see `ops.rnn.lstm_slopes` for the factors."""
    hs, cs, gates = y
    known = projection is None and not clip and g[0] is not None and g[1] is g[2] is None
    if not known or not _scanned(hs, cs, gates, weight, h, c, g[0]):
        return NotImplemented
    enter, forget, new, leave = gates.t.split(c.shape[-1], -1)
    own, bent, before = _slopes(gates.t, c.shape[-1]), cs.t.tanh(), _before(c, cs)
    to_cell, to_leave = leave * (1 - bent * bent), bent * own[3]
    to_gates = torch.stack((new * own[0], before * own[1], enter * (1 - new * new)), 2)
    total = torch.empty_like(gates.t)
    parts = total.unflatten(-1, (4, -1))
    head, carry = g[0].t[-1], torch.zeros_like(c.t)
    heads = torch.cat((carry[None], g[0].t[:-1]))
    rows = (heads, to_cell, to_leave, to_gates, forget, total, parts[:, :, :3], parts[:, :, 3])
    for earlier, cell, last, others, keep, row, first, leave in reversed([*zip(*rows)]):
        inner = torch.addcmul(carry, head, cell)
        torch.mul(inner[:, None], others, out=first)
        torch.mul(head, last, out=leave)
        carry = inner * keep
        head = torch.addmm(earlier, row, weight.t)
    to_weight = _product(total, _before(h, hs))
    return *[like(weight, t) for t in (total, to_weight, head, carry)], None


@kernel("gru_scan")
def _gru_scan(x: Any, weight: Any, bias: Any, h: Any) -> Any:
    if not _scanned(x, weight, bias, h):
        return NotImplemented
    size, state, turned = h.shape[-1], h.t, weight.t.t()
    sums, gates = (x.t.new_empty(x.shape) for _ in range(2))
    hs, parts = x.t.new_empty((len(x), *h.shape)), (2 * size, size)
    (data, data_new), (two, new), (total, total_new) = (
        t.split(parts, -1) for t in (x.t, gates, sums)
    )
    rows = (data, data_new, sums, total, total_new, two, *two.split(size, -1), new, hs)
    for xs, x_new, s, s_two, s_new, both, reset, update, fresh, now in zip(*rows):
        torch.addmm(bias.t, state, turned, out=s)
        torch.add(xs, s_two, out=both).sigmoid_()
        torch.addcmul(x_new, reset, s_new, out=fresh).tanh_()
        state = torch.lerp(fresh, state, update, out=now)
    return tuple([like(x, t) for t in (hs, gates, total_new.contiguous())])


def gru_scan_grad(g: Any, weight: Any, h: Any, y: tuple[Any, ...]) -> Any:
    """The cotangents of the inputs of `gru_scan`."""
    hs, gates, hidden = y
    known = g[0] is not None and g[1] is g[2] is None
    if not known or not _scanned(hs, gates, hidden, weight, h, g[0]):
        return NotImplemented
    reset, update, new = gates.t.split(h.shape[-1], -1)
    own_reset, own_update, _ = _slopes(gates.t, h.shape[-1])
    before, to_new = _before(h, hs), (1 - update) * (1 - new * new)
    factors = (to_new * hidden.t * own_reset, (before - new) * own_update, to_new * reset)
    total, heads = torch.empty_like(gates.t), torch.empty_like(hs.t)
    parts, carry = total.unflatten(-1, (3, -1)), torch.zeros_like(h.t)
    rows = (g[0].t, torch.stack(factors, 2), update, total, parts, heads)
    for given, to_state, keep, row, part, head in reversed([*zip(*rows)]):
        torch.add(given, carry, out=head)
        torch.mul(head[:, None], to_state, out=part)
        carry = torch.addmm(head * keep, row, weight.t)
    to_x = torch.cat((total[..., : 2 * h.shape[-1]], heads * to_new), -1)
    found = to_x, _product(total, before), total.sum((0, 1)), carry
    return tuple([like(weight, t) for t in found])
