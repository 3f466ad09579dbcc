"""Batch, layer, instance and group normalization, and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.normalization import grouped_shape
from ..kernels.reduce import sum_to
from .layout import in_order
from .loading import runner
from .reduce import summed_to
from .stand_ins import FLOATS, stands_in, suits

Sizes = tuple[int, int, int, int]
_forward = runner("standardize")
_backward = runner("standardize_grad")
_scale = runner("scale_channels")


def _standardized(x: Any, gamma: Any, beta: Any, sizes: Sizes, eps: float) -> tuple | None:
    """Return the output, means and variances for `sizes`: batch, channels, places, period."""
    y, mean, var = np.empty_like(x), np.empty(sizes[1], x.dtype), np.empty(sizes[1], x.dtype)
    return (y, mean, var) if _forward((x, gamma, beta, y, mean, var), sizes, (eps,)) else None


def _channels(shape: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """Return the number of values before `axis`, along it and after it."""
    axis %= len(shape)
    return prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])


@stands_in("batch_norm")
def _batch_norm(
    plain: Callable, x: Any, gamma: Any, beta: Any, *, axis: int = 1, eps: float = 1e-3
) -> Any:
    if suits(x, gamma, beta, dtypes=FLOATS) and -x.ndim <= axis < x.ndim and gamma.ndim == 1:
        sizes = _channels(x.shape, axis)
        if found := _standardized(x, gamma, beta, (*sizes, sizes[1]), eps):
            return found
    return plain(x, gamma, beta, axis=axis, eps=eps)


@stands_in("layer_norm")
def _layer_norm(
    plain: Callable, x: Any, gamma: Any, beta: Any, *, axis: int = -1, eps: float = 1e-5
) -> Any:
    if suits(x, gamma, beta, dtypes=FLOATS) and axis in (-1, x.ndim - 1) and gamma.ndim == 1:
        width = x.shape[-1]
        if found := _standardized(x, gamma, beta, (1, x.size // width, width, 0), eps):
            kept = (*x.shape[:-1], 1)
            return found[0], found[1].reshape(kept), found[2].reshape(kept)
    return plain(x, gamma, beta, axis=axis, eps=eps)


@stands_in("instance_norm")
def _instance_norm(plain: Callable, x: Any, gamma: Any, beta: Any, *, eps: float = 1e-3) -> Any:
    if suits(x, gamma, beta, dtypes=FLOATS) and x.ndim > 2 and gamma.shape == x.shape[1:2]:
        rows = x.shape[0] * x.shape[1]
        sizes = (1, rows, x.size // rows, x.shape[1])
        if found := _standardized(x, gamma, beta, sizes, eps):
            kept = (*x.shape[:2], *(1,) * (x.ndim - 2))
            return found[0], found[1].reshape(kept), found[2].reshape(kept)
    return plain(x, gamma, beta, eps=eps)


@stands_in("group_norm")
def _group_norm(
    plain: Callable, x: Any, gamma: Any, beta: Any, *, num_groups: int = 1, eps: float = 1e-5
) -> Any:
    if suits(x, gamma, beta, dtypes=FLOATS):
        grouped = grouped_shape(x.shape, num_groups)
        rows = grouped[0] * num_groups
        sizes = (1, rows, x.size // rows, num_groups)
        if gamma.ndim == 1 and (found := _standardized(x, gamma, beta, sizes, eps)):
            kept = (*grouped[:2], *(1,) * (len(grouped) - 2))
            return found[0], found[1].reshape(kept), found[2].reshape(kept)
    return plain(x, gamma, beta, num_groups=num_groups, eps=eps)


def _sizes(x: Any, gamma: Any, axes: tuple[int, ...]) -> Sizes | None:
    """Return the sizes for a gradient over `axes`, if gamma broadcasts to x; None otherwise."""
    kept = [k for k in range(x.ndim) if k not in axes]
    places = prod([x.shape[k] for k in axes])
    if kept == list(range(len(kept))):  # means of rows
        rows = x.size // places
        if gamma.shape == (*(1,) * len(kept), *x.shape[len(kept) :]) and places > 1:
            return 1, rows, places, 0
        single = all(n == 1 for k, n in enumerate(gamma.shape) if k != len(kept) - 1)
        return (1, rows, places, gamma.size) if single else None
    if len(kept) == 1 and gamma.size == x.shape[kept[0]]:
        return (*_channels(x.shape, kept[0]), gamma.size)
    return None


@stands_in("standardize_grad")
def _standardize_grad(
    plain: Callable, g: Any, x: Any, gamma: Any, mean: Any, var: Any, axes: Any, eps: float
) -> Any:
    if suits(x, gamma, mean, var, dtypes=FLOATS) and g.dtype == x.dtype and g.shape == x.shape:
        sizes = _sizes(x, gamma, axes)
        if sizes:
            grad, shape = np.empty_like(x), mean.shape if sizes[3] else gamma.shape
            g_gamma, g_beta = np.empty(shape, x.dtype), np.empty(shape, x.dtype)
            arrays = (in_order(g), x, gamma, mean, var, grad, g_gamma, g_beta)
            if _backward(arrays, sizes, (eps,)):
                shape = gamma.shape
                return grad, *(summed_to(sum_to, one, shape=shape) for one in (g_gamma, g_beta))
    return plain(g, x, gamma, mean, var, axes, eps)


@stands_in("batch_norm_inference")
def _batch_norm_inference(
    plain: Callable,
    x: Any,
    gamma: Any,
    beta: Any,
    mean: Any,
    var: Any,
    *,
    axis: int = 1,
    eps: float = 1e-3,
) -> Any:
    vectors = (gamma, beta, mean, var)
    if suits(x, *vectors, dtypes=FLOATS) and -x.ndim <= axis < x.ndim:
        batch, channels, places = _channels(x.shape, axis)
        if places > 1 and all(v.shape == (channels,) for v in vectors):
            scale = gamma / np.sqrt(var + var.dtype.type(eps))
            y = np.empty_like(x)
            if _scale((x, scale, beta - mean * scale, y), (batch * channels, channels, places)):
                return y
    return plain(x, gamma, beta, mean, var, axis=axis, eps=eps)
