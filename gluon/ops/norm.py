"""Normalization over a batch, a layer, an instance, a group; one rule for all of them."""

from __future__ import annotations

from math import prod
from typing import Any

from ..engine.op import define
from ..kernels import norm as kernels


def _shifted(F: Any, x: Any, mean: Any, var: Any, g_mean: Any, g_var: Any, n: int) -> Any:
    """What reaches x through the mean and the variance that are outputs themselves."""
    grad = None
    if g_mean is not None:
        grad = F.broadcast_to(g_mean * (1 / n), shape=x.shape)
    if g_var is not None:
        part = g_var * (2 / n) * (x - mean)
        grad = part if grad is None else grad + part
    return grad


def _standardize(
    F: Any, g: Any, x: Any, gamma: Any, beta_shape: Any, stats: Any, axes: Any, eps: float
) -> tuple:
    """The cotangents of the inputs of `kernels.standardize`, over arrays that broadcast.

    `stats` are the mean and the variance, `g` the cotangents of all three outputs.
    """
    mean, var = stats
    n = prod(x.shape[k] for k in axes)
    grad = _shifted(F, x, mean, var, g[1], g[2], n)
    if g[0] is None:
        return grad, None, None
    g, deviation = g[0], F.rsqrt(var + eps)
    centred = x - mean
    through = g * centred
    g_gamma = F.sum_to(through * deviation if gamma.shape != mean.shape else through, shape=gamma.shape)
    if gamma.shape == mean.shape:
        g_gamma = g_gamma * deviation
    return grad, g_gamma, centred
