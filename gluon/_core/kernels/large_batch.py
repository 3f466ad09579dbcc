"""Optimizer steps on raw arrays, in place, block by block: a rate for each whole weight.

See `optimizer` for how blocks work.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from .adaptive import average, average_square, ratio
from .optimizer import blocks, scaled


def sum_of_squares(x: Any) -> float:
    """The sum of the squares of all values."""
    return sum(float(np.vdot(part, part)) for (part,) in blocks(0, (), (x,)))


def trust(
    weight_norm: float, step_norm: float, lower_bound: float = -1.0, upper_bound: float = -1.0
) -> float:
    """How far a step may go for the size of the weight, which the bounds limit if not negative."""
    if lower_bound >= 0:
        weight_norm = max(weight_norm, lower_bound)
    if upper_bound >= 0:
        weight_norm = min(weight_norm, upper_bound)
    return weight_norm / step_norm if weight_norm and step_norm else 1.0


def lars_rates(
    lrs: Any,
    weights_sum_sq: Any,
    grads_sum_sq: Any,
    wds: Any,
    *,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Any:
    weights, grads = np.sqrt(weights_sum_sq), np.sqrt(grads_sum_sq) * rescale_grad
    known = (weights > 0) & (grads_sum_sq > 0)
    whole = np.where(known, grads + wds * weights + eps, 1)
    return np.where(known, lrs * eta * weights / whole, lrs)


def corrections_of(
    t: int, beta1: float, beta2: float, bias_correction: bool
) -> tuple[float, float]:
    """Return the factors that correct the bias of the running means at update number `t`."""
    if not bias_correction:
        return 1.0, 1.0
    if t < 1:
        raise ValueError(f"t must be at least 1; got {t}")
    return 1 / (1 - beta1**t), 1 / (1 - beta2**t)


def _lamb_direction(
    out: Any,
    spare: Any,
    weight: Any,
    mean: Any,
    var: Any,
    corrections: tuple[float, float],
    epsilon: float,
    wd: float,
) -> None:
    """Compute ``out = mean / (sqrt(var) + epsilon) + wd * weight``, with bias correction."""
    np.multiply(var, corrections[1], out=spare)
    np.multiply(mean, corrections[0], out=out)
    ratio(out, out, spare, epsilon, spare)
    if wd:
        np.multiply(weight, wd, out=spare)
        out += spare


def lamb_direction(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int,
    bias_correction: bool = True,
    wd: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Any:
    corrections = corrections_of(t, beta1, beta2, bias_correction)
    found = np.empty_like(weight)
    written, read = (mean, var, found), (weight, grad)
    for step, spare, m, v, out, w, g in blocks(2, written, read):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        average_square(v, step, beta2, spare)
        average(m, step, beta1)
        _lamb_direction(out, spare, w, m, v, corrections, epsilon, wd)
    return found


def lamb(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    lr: float,
    t: int,
    wd: float = 0.0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    """In two passes, the norms first; the direction is computed in both, and never kept."""
    corrections = corrections_of(t, beta1, beta2, bias_correction)
    weights, steps = 0.0, 0.0
    for step, spare, m, v, w, g in blocks(2, (mean, var), (weight, grad)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        average_square(v, step, beta2, spare)
        average(m, step, beta1)
        _lamb_direction(step, spare, w, m, v, corrections, epsilon, wd)
        weights += float(np.vdot(w, w))
        steps += float(np.vdot(step, step))
    rate = lr * trust(sqrt(weights), sqrt(steps), lower_bound, upper_bound)
    for step, spare, w, m, v in blocks(2, (weight,), (mean, var)):
        _lamb_direction(step, spare, w, m, v, corrections, epsilon, wd)
        step *= rate
        w -= step
