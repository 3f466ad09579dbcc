"""Normalization kernels: subtract the mean, divide by the deviation, scale and shift."""

from __future__ import annotations

from typing import Any

import numpy as np

from .linalg import need_floats, wide
from .parallel import BLOCK, in_blocks
from .reduce import sum_to
from .sums import sum_products, summed

Axes = tuple[int, ...]


def standardize(x: Any, gamma: Any, beta: Any, axes: Axes, eps: float) -> tuple[Any, Any, Any]:
    """``gamma * (x - mean) / sqrt(var + eps) + beta``, mean and variance over `axes`.

    `gamma` and `beta` broadcast to `x`; mean and variance keep the axes, with length 1.
    """
    if not x.size and any(x.shape[axis] == 0 for axis in axes):
        raise ValueError(f"data of shape {x.shape} has no values to compute a mean from; skip it")
    if 0 in axes or x.size < 2 * BLOCK:
        return _standardize(x, gamma, beta, axes, eps, None)
    y = np.empty(x.shape, wide(x.dtype))
    kept = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    stats = np.empty((2, *kept), y.dtype)

    def part(a: int, b: int) -> None:
        scale, shift = (p if len(p) == 1 else p[a:b] for p in (gamma, beta))
        _, stats[0, a:b], stats[1, a:b] = _standardize(x[a:b], scale, shift, axes, eps, y[a:b])

    in_blocks(part, len(x), x.size)
    return y.astype(x.dtype, copy=False), stats[0], stats[1]


def _standardize(x: Any, gamma: Any, beta: Any, axes: Axes, eps: float, out: Any) -> Any:
    """`standardize` in one thread; `out` has the dtype to compute in."""
    kind = wide(x.dtype)
    wider = x.astype(kind, copy=False)
    mean = summed(wider, axes)
    mean /= kind.type(x.size // (mean.size or 1))
    y = np.subtract(wider, mean, out)
    var = sum_products(y, y, axes)
    var /= kind.type(x.size // (mean.size or 1))
    scale = 1 / np.sqrt(var + kind.type(eps))
    if gamma.shape == var.shape:
        y *= gamma.astype(kind, copy=False) * scale
    else:
        y *= scale
        y *= gamma
    y += beta
    return y if out is not None else y.astype(x.dtype, copy=False), mean, var


def standardize_grad(
    g: Any, x: Any, gamma: Any, mean: Any, var: Any, axes: Axes, eps: float
) -> tuple[Any, Any, Any]:
    """The cotangents of x, gamma and beta in `standardize`, given that of its first output.

    With h for what x was standardized to, that of x is ``(g gamma - mean(g gamma) - h mean(g gamma
    h)) / deviation``, with means over `axes`. It is found for a few rows at a time.
    """
    r = 1 / np.sqrt(var + var.dtype.type(eps))
    n = x.dtype.type(x.size // mean.size)
    # whether gamma is constant over the averaged axes
    even = all(gamma.shape[k] == 1 for k in axes)
    scale = gamma * r if even else r
    grad, stats, parts = np.empty_like(x), np.empty((2, *mean.shape), x.dtype), {}

    def rows(array: Any, a: int, b: int) -> Any:
        return array if len(array) == 1 else array[a:b]

    def sums(a: int, b: int) -> tuple[Any, Any]:
        h = x[a:b] - rows(mean, a, b)
        h *= rows(r, a, b)
        scaled = g[a:b]
        if not even:
            parts[a] = [sum_to(one, shape=gamma.shape) for one in (scaled * h, scaled)]
            scaled = scaled * gamma
        found = [sum_products(scaled, h, axes), summed(scaled, axes)]
        if 0 in axes:
            parts[a] = found
        else:
            stats[:, a:b] = found
        return h, scaled

    def finish(a: int, b: int, h: Any, scaled: Any) -> None:
        moment, total = (rows(stat, a, b) / n for stat in stats)
        h *= moment
        np.subtract(scaled, h, out=grad[a:b])
        grad[a:b] -= total
        grad[a:b] *= rows(scale, a, b)

    if 0 in axes:
        in_blocks(sums, len(x), x.size)
        stats[...] = _added(parts)
    in_blocks(lambda a, b: finish(a, b, *sums(a, b)), len(x), x.size)
    g_gamma, g_beta = stats if even else _added(parts)
    return grad, sum_to(g_gamma, shape=gamma.shape), sum_to(g_beta, shape=gamma.shape)


def _added(parts: dict[int, list]) -> list:
    """Sum the results of several threads, in a fixed order."""
    pairs = zip(*(parts[k] for k in sorted(parts)))
    return [np.sum(pair, axis=0) for pair in pairs]


def check_parameters(gamma: Any, beta: Any, n: int, what: str) -> None:
    """Both must be vectors of `n` values."""
    if gamma.shape != (n,) or beta.shape != (n,):
        raise ValueError(
            f"gamma and beta need shape {(n,)}, one value for each {what}, "
            f"not {gamma.shape} and {beta.shape}"
        )


def along(axis: int, ndim: int) -> tuple[int, ...]:
    """The shape that lays a vector along `axis` of an array of `ndim` axes."""
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of range for {ndim} axes")
    return tuple(-1 if k == axis % ndim else 1 for k in range(ndim))


def other_axes(axis: int, ndim: int) -> Axes:
    """All axes but `axis`."""
    return tuple(k for k in range(ndim) if k != axis % ndim)


def batch_norm(
    x: Any, gamma: Any, beta: Any, *, axis: int = 1, eps: float = 1e-3
) -> tuple[Any, Any, Any]:
    """The output and the mean and variance it was normalized by, a vector over `axis` each."""
    shape = along(axis, x.ndim)
    check_parameters(gamma, beta, x.shape[axis], f"place of axis {axis}")
    axes = other_axes(axis, x.ndim)
    y, mean, var = standardize(x, gamma.reshape(shape), beta.reshape(shape), axes, eps)
    return y, mean.reshape(-1), var.reshape(-1)


def batch_norm_inference(
    x: Any, gamma: Any, beta: Any, mean: Any, var: Any, *, axis: int = 1, eps: float = 1e-3
) -> Any:
    """Normalize by a given mean and variance."""
    shape = along(axis, x.ndim)
    check_parameters(gamma, beta, x.shape[axis], f"place of axis {axis}")
    check_parameters(mean, var, x.shape[axis], "channel (the running mean and variance)")
    scale = gamma / np.sqrt(var + var.dtype.type(eps))
    y = x * scale.reshape(shape)
    y += (beta - mean * scale).reshape(shape)
    return y.astype(x.dtype, copy=False)


def layer_norm(
    x: Any, gamma: Any, beta: Any, *, axis: int = -1, eps: float = 1e-5
) -> tuple[Any, Any, Any]:
    """The output, and the mean and variance over `axis`, kept with length 1."""
    shape = along(axis, x.ndim)
    check_parameters(gamma, beta, x.shape[axis], f"place of axis {axis}")
    return standardize(x, gamma.reshape(shape), beta.reshape(shape), (axis % x.ndim,), eps)


def instance_norm(x: Any, gamma: Any, beta: Any, *, eps: float = 1e-3) -> tuple[Any, Any, Any]:
    """The output, and the mean and variance of each channel of each sample."""
    if x.ndim < 3:
        raise ValueError(f"x is (batch, channels, *spatial), not {x.shape}")
    check_parameters(gamma, beta, x.shape[1], "channel")
    shape = along(1, x.ndim)
    axes = tuple(range(2, x.ndim))
    return standardize(x, gamma.reshape(shape), beta.reshape(shape), axes, eps)


def grouped_shape(shape: tuple[int, ...], num_groups: int) -> tuple[int, ...]:
    """(batch, channels, *spatial) as (batch, groups, channels in a group, *spatial)."""
    if len(shape) < 2 or num_groups < 1 or shape[1] % num_groups:
        raise ValueError(
            f"the channels of x {shape} cannot be divided into num_groups={num_groups}"
        )
    return (shape[0], num_groups, shape[1] // num_groups, *shape[2:])


def group_norm(
    x: Any, gamma: Any, beta: Any, *, num_groups: int = 1, eps: float = 1e-5
) -> tuple[Any, Any, Any]:
    """The output, and the mean and variance of each group of channels; one gamma a group."""
    grouped = x.reshape(grouped_shape(x.shape, num_groups))
    check_parameters(gamma, beta, num_groups, "group")
    shape = along(1, grouped.ndim)
    axes = tuple(range(2, grouped.ndim))
    y, mean, var = standardize(grouped, gamma.reshape(shape), beta.reshape(shape), axes, eps)
    return y.reshape(x.shape), mean, var


L2_MODES = ("instance", "channel", "spatial")


def l2_axes(mode: str, ndim: int) -> Axes:
    """What `mode` sums over: a whole sample, its channels, or its spatial axes."""
    if mode not in L2_MODES:
        raise ValueError(f"mode={mode!r} is not one of {L2_MODES}")
    if ndim < (1 if mode == "instance" else 3):
        raise ValueError(f"mode={mode!r} takes more than {ndim} axes")
    if mode == "channel":
        return (1,)
    return tuple(range(1 if mode == "instance" else 2, ndim))


def l2_normalization(x: Any, *, eps: float = 1e-10, mode: str = "instance") -> Any:
    """``x / sqrt(sum(x ** 2) + eps)``."""
    need_floats(x)
    wider = x.astype(wide(x.dtype), copy=False)
    axes = l2_axes(mode, x.ndim)
    total = sum_products(wider, wider, axes)
    return (wider / np.sqrt(total + wider.dtype.type(eps))).astype(x.dtype, copy=False)
