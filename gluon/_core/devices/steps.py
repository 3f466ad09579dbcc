"""Steps of optimizers in PyTorch: a few launches for all weights of one dtype together."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ..kernels.optimizer import clips

WIDE = (torch.float32, torch.float64)


def _clip(steps: list, limit: float) -> None:
    if clips(limit):
        torch._foreach_clamp_min_(steps, -limit)
        torch._foreach_clamp_max_(steps, limit)


def _scaled(grads: list, rescale: float, limit: float) -> list:
    """New tensors: the gradients rescaled and clipped."""
    found = torch._foreach_mul(grads, rescale)
    _clip(found, limit)
    return found


def _sgd(
    weights: list,
    grads: list,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    steps = _scaled(grads, rescale_grad, clip_gradient)
    if wd:
        torch._foreach_mul_(weights, 1 - lr * wd)
    torch._foreach_add_(weights, steps, alpha=-lr)


def _momentum(
    weights: list,
    grads: list,
    moms: list,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    steps = _scaled(grads, rescale_grad, clip_gradient)
    torch._foreach_mul_(moms, momentum)
    torch._foreach_add_(moms, steps, alpha=-lr)
    if wd:
        torch._foreach_add_(moms, weights, alpha=-lr * wd)
    torch._foreach_add_(weights, moms)


def _adam(
    weights: list,
    grads: list,
    means: list,
    squares: list,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    steps = torch._foreach_mul(grads, rescale_grad)
    if wd:
        torch._foreach_add_(steps, weights, alpha=wd)
    _clip(steps, clip_gradient)
    torch._foreach_mul_(squares, beta2)
    torch._foreach_addcmul_(squares, steps, steps, value=1 - beta2)
    torch._foreach_mul_(means, beta1)
    torch._foreach_add_(means, steps, alpha=1 - beta1)
    roots = torch._foreach_sqrt(squares)
    torch._foreach_add_(roots, epsilon)
    torch._foreach_addcdiv_(weights, means, roots, value=-lr)


#: Steps by the name of their kernel for NumPy.
STEPS: dict[str, Callable[..., None]] = {"sgd": _sgd, "sgd_momentum": _momentum, "adam": _adam}


def together(step: Callable[..., None], rows: list) -> list | None:
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
        step(*map(list, zip(*columns)), **dict(settings))
    return [None] * len(rows)
