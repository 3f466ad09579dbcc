"""Kernels of layers in PyTorch: convolutions, pooling, normalization, softmax, products.

Each has the signature of the kernel for NumPy, and returns NotImplemented for arguments that it
was not written for.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch.nn import functional

from ..kernels.conv import (
    add_bias,
    check_bias,
    same_dtype,
    spread_of,
    window_between,
    window_of,
    window_to,
)
from ..kernels.normalization import check_parameters
from ..kernels.pool import windows
from .buffer import FLOATS, DeviceBuffer, like

aten = torch.ops.aten
#: Operators and their kernels.
LAYERS: dict[str, Callable[..., Any]] = {}
WIDE = (torch.float32, torch.float64)


def kernel(name: str) -> Callable[[Callable], Callable]:
    """Let a function be the kernel of an operator."""

    def register(function: Callable) -> Callable:
        LAYERS[name] = function
        return function

    return register


def fit(*xs: Any) -> bool:
    """Whether all are buffers of one floating dtype on one device; None passes."""
    first = xs[0]
    if type(first) is not DeviceBuffer or first.t.dtype not in FLOATS:
        return False
    kind, place = first.t.dtype, first.place
    for x in xs:  # faster than all()
        if x is None:
            continue
        if type(x) is not DeviceBuffer or x.t.dtype is not kind or x.place != place:
            return False
    return True


def _are_images(*xs: Any) -> bool:
    """Whether PyTorch convolves and pools them: they have one to three spatial axes, and values."""
    return fit(*xs) and all(x.ndim <= 5 and x.size for x in xs)


# --------------------------------------------------------------------------- convolution


def _settings(window: Any, num_group: int) -> tuple:
    """The arguments of PyTorch's convolutions."""
    none = [0] * len(window.pad)
    return window.stride, window.pad, window.dilate, False, none, num_group


@kernel("convolution")
def _convolution(x: Any, weight: Any, bias: Any = None, **given: Any) -> Any:
    window = window_of(x, weight, **given)
    check_bias(bias, weight.shape[:1])
    x, weight = same_dtype(x, weight)
    if not _are_images(x, weight):
        return NotImplemented
    shift = bias.t if bias is not None and fit(x, bias) else None
    settings = _settings(window, given.get("num_group", 1))
    y = like(x, aten.convolution.default(x.t, weight.t, shift, *settings))
    return y if shift is not None else add_bias(y, bias)


@kernel("convolution_input_grad")
def _convolution_input_grad(x: Any, weight: Any, **given: Any) -> Any:
    window, num_group = window_to(x, weight, **given), given.get("num_group", 1)
    if not _are_images(x, weight):
        return NotImplemented
    data = x.t.new_empty(1).expand(x.shape[0], weight.shape[1] * num_group, *window.size)
    settings = _settings(window, num_group)
    found = aten.convolution_backward.default(
        x.t, data, weight.t, None, *settings, [True, False, False]
    )
    return like(x, found[0])


@kernel("convolution_weight_grad")
def _convolution_weight_grad(out_grad: Any, x: Any, *, num_group: int = 1, **given: Any) -> Any:
    window = window_between(out_grad, x, **given)
    if not _are_images(x, out_grad) or x.shape[1] % num_group or out_grad.shape[1] % num_group:
        return NotImplemented
    shape = out_grad.shape[1], x.shape[1] // num_group, *window.kernel
    weight = x.t.new_empty(shape)  # PyTorch would copy what is expanded
    settings = _settings(window, num_group)
    found = aten.convolution_backward.default(
        out_grad.t, x.t, weight, None, *settings, [False, True, False]
    )
    return like(x, found[1])


@kernel("deconvolution")
def _deconvolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    adj: Any = None,
    target_shape: Any = None,
    **given: Any,
) -> Any:
    to = spread_of(x, weight, adj=adj, target_shape=target_shape, **given)
    x, weight = same_dtype(x, weight)
    y = _convolution_input_grad(x, weight, shape=to.shape, **{**given, "pad": to.pad})
    return y if y is NotImplemented else add_bias(y, bias)


# ------------------------------------------------------------------------------- pooling


def _lengthened(t: torch.Tensor, axes: list, value: float) -> torch.Tensor:
    borders = [n for axis in reversed(axes) for n in axis.border]
    return functional.pad(t, borders, value=value) if any(borders) else t


@kernel("max_pool")
def _max_pool(x: Any, **window: Any) -> Any:
    axes = windows(x.shape[2:], **window)
    if not _are_images(x):
        return NotImplemented
    pool = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)[len(axes) - 1]
    sizes = [axis.kernel for axis in axes], [axis.stride for axis in axes]
    t, pad = x.t, [axis.pad for axis in axes]
    if not _is_symmetric(axes):
        t, pad = _lengthened(t, axes, torch.finfo(t.dtype).min), [0] * len(axes)
    y, places = pool(t, *sizes, pad, return_indices=True)
    inside = tuple([slice(axis.out) for axis in axes])
    key = (slice(None), slice(None), *inside)
    made = like(x, y[key].contiguous())
    made.extra = places[key], tuple(t.shape)
    return made


def _is_symmetric(axes: list) -> bool:
    """Whether PyTorch's pooling lengthens the axes itself."""
    return all(
        axis.border[1] <= axis.border[0] == axis.pad and 2 * axis.pad <= axis.kernel
        for axis in axes
    )


def _places(x: Any, y: Any, window: dict[str, Any]) -> tuple[list, torch.Tensor, tuple]:
    """The windows, and where in each (lengthened) image the maxima of `y` are."""
    if y.extra is None:
        y.extra = _max_pool(x, **window).extra
    return (windows(x.shape[2:], **window), *y.extra)


@kernel("max_pool_grad")
def _max_pool_grad(out_grad: Any, x: Any, y: Any, **window: Any) -> Any:
    if not _are_images(out_grad, x, y) or out_grad.shape != y.shape:
        return NotImplemented
    axes, places, size = _places(x, y, window)
    flat = torch.zeros((*size[:2], prod(size[2:])), dtype=out_grad.t.dtype, device=x.t.device)
    flat.scatter_add_(2, places.flatten(2), out_grad.t.flatten(2))
    grad = flat.view(size)
    if size != x.shape:
        for k, axis in enumerate(axes, 2):
            grad = grad.narrow(k, axis.pad, axis.size)
    return like(x, grad.contiguous())


@kernel("max_pool_push")
def _max_pool_push(tangent: Any, x: Any, y: Any, **window: Any) -> Any:
    if not _are_images(tangent, x, y) or tangent.shape != x.shape:
        return NotImplemented
    axes, places, size = _places(x, y, window)
    t = _lengthened(tangent.t, axes, 0.0) if size != x.shape else tangent.t
    return like(x, t.flatten(2).gather(2, places.flatten(2)).view(y.shape))


def _averages(axes: list, divide_by: str | None) -> tuple | None:
    """The arguments of PyTorch's average pooling, or None where it has other windows."""
    if len(axes) != 2 or divide_by == "inside" or not _is_symmetric(axes):
        return None
    sizes = zip(*[(axis.kernel, axis.stride, axis.pad) for axis in axes])
    return *map(list, sizes), False, True, None if divide_by == "window" else 1


@kernel("sum_pool")
def _sum_pool(x: Any, *, divide_by: str | None = None, **window: Any) -> Any:
    axes = windows(x.shape[2:], **window)
    given = _averages(axes, divide_by)
    if not _are_images(x) or given is None:
        return NotImplemented
    if divide_by and all(axis.kernel == axis.size and not axis.pad for axis in axes):
        return like(x, x.t.mean((2, 3), keepdim=True))
    y = aten.avg_pool2d.default(x.t, *given)
    return like(x, y) if y.shape[2:] == tuple(axis.out for axis in axes) else NotImplemented


@kernel("sum_pool_grad")
def _sum_pool_grad(x: Any, *, shape: Any, divide_by: str | None = None, **window: Any) -> Any:
    axes = windows(tuple(shape), **window)
    given = _averages(axes, divide_by)
    if not _are_images(x) or given is None or x.shape[2:] != tuple(axis.out for axis in axes):
        return NotImplemented
    data = x.t.new_empty(1).expand(*x.shape[:2], *shape)
    return like(x, aten.avg_pool2d_backward.default(x.t, data, *given))


# ------------------------------------------------------------------------- normalization


@kernel("batch_norm")
def _batch_norm(x: Any, gamma: Any, beta: Any, *, axis: int = 1, eps: float = 1e-3) -> Any:
    if not fit(x, gamma, beta) or x.t.dtype not in WIDE or x.ndim < 2 or not x.size:
        return NotImplemented
    if axis not in (1, 1 - x.ndim) or len(x) * prod(x.shape[2:]) < 2:
        return NotImplemented
    check_parameters(gamma, beta, x.shape[1], f"place of axis {axis}")
    n = x.size // x.shape[1]
    kept, var = x.t.new_empty((2, x.shape[1])).unbind()  # momentum 1 takes those of the batch
    y, mean, root = aten.native_batch_norm.default(
        x.t, gamma.t, beta.t, kept, var.fill_(0), True, 1.0, eps
    )
    spread = like(x, var.mul_((n - 1) / n))
    spread.extra = root  # that of the inverse, for the gradient
    return like(x, y), like(x, mean), spread


@kernel("layer_norm")
def _layer_norm(x: Any, gamma: Any, beta: Any, *, axis: int = -1, eps: float = 1e-5) -> Any:
    if not fit(x, gamma, beta) or x.t.dtype not in WIDE or not x.ndim or not x.size:
        return NotImplemented
    if axis not in (-1, x.ndim - 1) or gamma.shape != beta.shape or gamma.shape != x.shape[-1:]:
        return NotImplemented
    y, mean, _ = aten.native_layer_norm.default(x.t, [x.shape[-1]], gamma.t, beta.t, eps)
    return like(x, y), like(x, mean), like(x, torch.var(x.t, -1, correction=0, keepdim=True))


def standardize_grad(g: Any, x: Any, gamma: Any, mean: Any, var: Any, axes: Any, eps: float) -> Any:
    """As `kernels.normalization.standardize_grad`."""
    known = var.base.extra if var.base is not None else None
    r = torch.rsqrt(var.t + eps) if known is None else known.view(var.shape)
    channels = tuple(axes) == (0, *range(2, x.ndim))
    if channels and g.t.dtype is x.t.dtype is gamma.t.dtype and gamma.shape == mean.shape:
        found = aten.native_batch_norm_backward.default(
            g.t,
            x.t,
            gamma.t.reshape(-1),
            None,
            None,
            mean.t.reshape(-1),
            r.reshape(-1),
            True,
            eps,
            [True, True, True],
        )
        return like(x, found[0]), *(like(x, one.view(gamma.shape)) for one in found[1:])
    h = (x.t - mean.t) * r
    scaled = g.t * gamma.t
    total, moment = scaled.mean(axes, keepdim=True), (scaled * h).mean(axes, keepdim=True)
    over = [k for k in range(x.ndim) if gamma.shape[k] == 1 and x.shape[k] != 1]
    gh, gs = (g.t * h, g.t) if not over else ((g.t * h).sum(over, True), g.t.sum(over, True))
    return like(x, r * (scaled - total - h * moment)), like(x, gh), like(x, gs.clone())


# ------------------------------------------------------------------------------- softmax


def _soft(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
        if not fit(x) or not x.ndim or not x.size or temperature == 0:
            return NotImplemented
        return like(x, function(x.t if temperature is None else x.t / temperature, axis))

    return run


LAYERS["softmax"] = _soft(torch.softmax)
LAYERS["log_softmax"] = _soft(torch.log_softmax)


def _soft_grad(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(out_grad: Any, y: Any, *, axis: int) -> Any:
        if not fit(out_grad, y) or out_grad.shape != y.shape or not y.ndim:
            return NotImplemented
        return like(y, function(out_grad.t, y.t, axis, y.t.dtype))

    return run


LAYERS["softmax_grad"] = _soft_grad(aten._softmax_backward_data.default)
LAYERS["log_softmax_grad"] = _soft_grad(aten._log_softmax_backward_data.default)


# ------------------------------------------------------------------------------ products


@kernel("fully_connected")
def _fully_connected(x: Any, weight: Any, bias: Any = None, *, flatten: bool = True) -> Any:
    if not fit(x, weight, bias) or weight.ndim != 2 or x.ndim < 1 or not x.size:
        return NotImplemented
    t = x.t.reshape(x.shape[0], -1) if flatten else x.t
    if t.shape[-1] != weight.shape[1] or (bias is not None and bias.shape != weight.shape[:1]):
        return NotImplemented
    return like(x, functional.linear(t, weight.t, None if bias is None else bias.t))


@kernel("dot")
def _dot(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    if not fit(a, b) or a.ndim != 2 or b.ndim != 2:
        return NotImplemented
    x, y = a.t.t() if transpose_a else a.t, b.t.t() if transpose_b else b.t
    return like(a, x @ y) if x.shape[1] == y.shape[0] else NotImplemented


@kernel("batch_dot")
def _batch_dot(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    if not fit(a, b) or a.ndim != 3 or b.ndim != 3:
        return NotImplemented
    x, y = a.t.mT if transpose_a else a.t, b.t.mT if transpose_b else b.t
    fits = x.shape[2] == y.shape[1] and len(x) == len(y)
    return like(a, torch.bmm(x, y)) if fits else NotImplemented
