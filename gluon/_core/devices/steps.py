"""Steps of optimizers in PyTorch: a few launches for all weights of one dtype together.

Each computes what the kernel for NumPy of the same name does: ``step(s, weights, grads, *states)``,
where the attributes of `s` are its settings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import torch

from ..kernels import adaptive, large_batch, optimizer
from ..kernels.optimizer import clips
from ..kernels.signature import signature

WIDE = (torch.float32, torch.float64)
#: Steps by the name of their kernel for NumPy.
STEPS: dict[str, Callable[[list], list | None]] = {}
Settings = Any
Tensors = list[torch.Tensor]

add, mul, div = torch._foreach_add_, torch._foreach_mul_, torch._foreach_div_
addcmul = torch._foreach_addcmul_


def step(kernel: Callable[..., Any]) -> Callable[[Callable], Callable]:
    """Let a function be the step in PyTorch for a kernel for NumPy."""
    defaults = signature(kernel)[1]

    def register(function: Callable) -> Callable:
        STEPS[kernel.__name__] = partial(_together, function, defaults)
        return function

    return register


def _together(function: Callable[..., None], defaults: dict, rows: list) -> list | None:
    """Take a step for the weights of `rows`, those with equal settings at once.

    None where a weight has a dtype of half precision, whose steps are computed in float32.
    """
    groups: dict[tuple, list] = {}
    for arrays, settings in rows:
        tensors = [x.t for x in arrays]
        if any(t.dtype not in WIDE or t.dtype is not tensors[0].dtype for t in tensors):
            return None
        key = tensors[0].device, tensors[0].dtype, tuple(sorted(settings.items()))
        groups.setdefault(key, []).append(tensors)
    for (_, _, settings), columns in groups.items():
        function(SimpleNamespace(**{**defaults, **dict(settings)}), *map(list, zip(*columns)))
    return [None] * len(rows)


def _clip(tensors: Tensors, limit: float) -> None:
    if clips(limit):
        torch._foreach_clamp_min_(tensors, -limit)
        torch._foreach_clamp_max_(tensors, limit)


def _scaled(s: Settings, grads: Tensors) -> Tensors:
    """New tensors: the gradients rescaled and clipped."""
    found = torch._foreach_mul(grads, s.rescale_grad)
    _clip(found, s.clip_gradient)
    return found


def _decayed(s: Settings, weights: Tensors, grads: Tensors) -> Tensors:
    """New tensors: the gradients rescaled, with weight decay, and clipped."""
    found = torch._foreach_mul(grads, s.rescale_grad)
    if s.wd:
        add(found, weights, alpha=s.wd)
    _clip(found, s.clip_gradient)
    return found


def _average(means: Tensors, values: Tensors, rate: float) -> None:
    mul(means, rate)
    add(means, values, alpha=1 - rate)


def _average_square(means: Tensors, values: Tensors, rate: float) -> None:
    mul(means, rate)
    addcmul(means, values, values, value=1 - rate)


def _roots(squares: Tensors, epsilon: float) -> Tensors:
    """The roots of squares plus epsilon."""
    found = torch._foreach_add(squares, epsilon)
    torch._foreach_sqrt_(found)
    return found


def _bounds(squares: Tensors, epsilon: float) -> Tensors:
    """The roots of squares, plus epsilon."""
    found = torch._foreach_sqrt(squares)
    add(found, epsilon)
    return found


@step(optimizer.sgd)
def _sgd(s: Settings, weights: Tensors, grads: Tensors) -> None:
    if s.wd:
        mul(weights, 1 - s.lr * s.wd)
    if clips(s.clip_gradient):
        add(weights, _scaled(s, grads), alpha=-s.lr)
    else:
        add(weights, grads, alpha=-s.lr * s.rescale_grad)


def _moved(s: Settings, weights: Tensors, grads: Tensors, moms: Tensors) -> Tensors:
    """Update the momenta; returns the steps without them."""
    steps = _scaled(s, grads)
    if s.wd:
        add(steps, weights, alpha=s.wd)
    mul(moms, s.momentum)
    add(moms, steps, alpha=-s.lr)
    return steps


@step(optimizer.sgd_momentum)
def _sgd_momentum(s: Settings, weights: Tensors, grads: Tensors, moms: Tensors) -> None:
    _moved(s, weights, grads, moms)
    add(weights, moms)


@step(optimizer.nag)
def _nag(s: Settings, weights: Tensors, grads: Tensors, moms: Tensors) -> None:
    steps = _moved(s, weights, grads, moms)
    add(weights, moms, alpha=s.momentum)
    add(weights, steps, alpha=-s.lr)


@step(optimizer.signum)
def _signum(s: Settings, weights: Tensors, grads: Tensors, moms: Tensors) -> None:
    steps = _scaled(s, grads)
    if s.wd:
        add(steps, weights, alpha=s.wd)
    mul(moms, s.momentum)
    add(moms, steps, alpha=s.momentum - 1)
    if s.wd_lh:
        mul(weights, 1 - s.lr * s.wd_lh)
    add(weights, torch._foreach_sign(moms), alpha=s.lr)


@step(adaptive.adam)
def _adam(s: Settings, weights: Tensors, grads: Tensors, means: Tensors, squares: Tensors) -> None:
    steps = _decayed(s, weights, grads)
    _average_square(squares, steps, s.beta2)
    _average(means, steps, s.beta1)
    torch._foreach_addcdiv_(weights, means, _bounds(squares, s.epsilon), value=-s.lr)


@step(adaptive.adamw)
def _adamw(s: Settings, weights: Tensors, grads: Tensors, means: Tensors, squares: Tensors) -> None:
    steps = _scaled(s, grads)
    _average_square(squares, steps, s.beta2)
    _average(means, steps, s.beta1)
    if s.wd:
        mul(weights, 1 - s.eta * s.wd)
    torch._foreach_addcdiv_(weights, means, _bounds(squares, s.epsilon), value=-s.eta * s.lr)


@step(adaptive.adamax)
def _adamax(s: Settings, weights: Tensors, grads: Tensors, means: Tensors, bounds: Tensors) -> None:
    steps = _decayed(s, weights, grads)
    mul(bounds, s.beta2)
    torch._foreach_maximum_(bounds, torch._foreach_abs(steps))
    _average(means, steps, s.beta1)
    moved = torch._foreach_div(means, bounds)
    for one, bound in zip(moved, bounds):
        one.masked_fill_(bound == 0, 0)  # no step if there was no gradient yet
    add(weights, moved, alpha=-s.lr)


@step(adaptive.rmsprop)
def _rmsprop(s: Settings, weights: Tensors, grads: Tensors, squares: Tensors) -> None:
    steps = _decayed(s, weights, grads)
    _average_square(squares, steps, s.gamma1)
    torch._foreach_addcdiv_(weights, steps, _roots(squares, s.epsilon), value=-s.lr)
    _clip(weights, s.clip_weights)


@step(adaptive.adagrad)
def _adagrad(s: Settings, weights: Tensors, grads: Tensors, totals: Tensors) -> None:
    steps = _scaled(s, grads)
    addcmul(totals, steps, steps)
    if s.wd:
        mul(weights, 1 - s.lr * s.wd)
    torch._foreach_addcdiv_(weights, steps, _roots(totals, s.epsilon), value=-s.lr)


@step(adaptive.adadelta)
def _adadelta(
    s: Settings, weights: Tensors, grads: Tensors, squares: Tensors, moves: Tensors
) -> None:
    steps = _scaled(s, grads)
    _average_square(squares, steps, s.rho)
    mul(steps, _roots(moves, s.epsilon))
    div(steps, _roots(squares, s.epsilon))
    _average_square(moves, steps, s.rho)
    if s.wd:
        mul(weights, 1 - s.wd)
    torch._foreach_sub_(weights, steps)


@step(adaptive.ftrl)
def _ftrl(s: Settings, weights: Tensors, grads: Tensors, zs: Tensors, squares: Tensors) -> None:
    if s.lr == 0:
        raise ValueError("lr must not be 0")
    steps = _scaled(s, grads)
    add(zs, steps)
    before = torch._foreach_sqrt(squares)
    addcmul(squares, steps, steps)
    after = torch._foreach_sqrt(squares)
    torch._foreach_sub_(before, after)
    addcmul(zs, before, weights, value=1 / s.lr)
    add(after, s.beta)
    div(after, s.lr)
    add(after, s.wd)
    for weight, z, root in zip(weights, zs, after):
        torch.div(z.clamp(-s.lamda1, s.lamda1).sub_(z), root, out=weight)


@step(large_batch.lamb)
def _lamb(s: Settings, weights: Tensors, grads: Tensors, means: Tensors, squares: Tensors) -> None:
    first, second = large_batch.corrections_of(s.t, s.beta1, s.beta2, s.bias_correction)
    steps = _scaled(s, grads)
    _average_square(squares, steps, s.beta2)
    _average(means, steps, s.beta1)
    steps = torch._foreach_mul(means, first)
    div(steps, _bounds(torch._foreach_mul(squares, second), s.epsilon))
    if s.wd:
        add(steps, weights, alpha=s.wd)
    norms = zip(torch._foreach_norm(weights), torch._foreach_norm(steps))
    for weight, one, (size, length) in zip(weights, steps, norms):
        if s.lower_bound >= 0:
            size = size.clamp_min(s.lower_bound)
        if s.upper_bound >= 0:
            size = size.clamp_max(s.upper_bound)
        rate = torch.where((size == 0) | (length == 0), 1.0, size / length)
        weight.addcmul_(one, rate, value=-s.lr)
