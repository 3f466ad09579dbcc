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

from ..kernels.conv import make_window, spread
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
    return all(
        x is None
        or (type(x) is DeviceBuffer and x.t.dtype is first.t.dtype and x.place == first.place)
        for x in xs[1:]
    )


def _is_image(x: Any) -> bool:
    return 3 <= x.ndim <= 5 and bool(x.size)


# --------------------------------------------------------------------------- convolution


@kernel("convolution")
def _convolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    if not fit(x, weight, bias) or not _is_image(x) or weight.ndim != x.ndim:
        return NotImplemented
    if x.shape[1] != weight.shape[1] * num_group or weight.shape[0] % num_group or not weight.size:
        return NotImplemented
    if bias is not None and bias.shape != weight.shape[:1]:
        return NotImplemented
    w = make_window(x.shape[2:], weight.shape[2:], stride, pad, dilate)
    shift = None if bias is None else bias.t
    none = [0] * len(w.pad)
    y = aten.convolution(x.t, weight.t, shift, w.stride, w.pad, w.dilate, False, none, num_group)
    return like(x, y)


def _backward(
    g: Any, x: torch.Tensor, weight: torch.Tensor, w: Any, num_group: int, which: int
) -> Any:
    mask = [which == 0, which == 1, False]
    none = [0] * len(w.pad)
    found = aten.convolution_backward(
        g.t, x, weight, None, w.stride, w.pad, w.dilate, False, none, num_group, mask
    )
    return like(g, found[which])


@kernel("convolution_input_grad")
def _convolution_input_grad(
    x: Any,
    weight: Any,
    *,
    shape: Any,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    if not fit(x, weight) or not _is_image(x) or weight.ndim != x.ndim:
        return NotImplemented
    if x.shape[1] != weight.shape[0] or weight.shape[0] % num_group or not weight.size:
        return NotImplemented
    w = make_window(tuple(shape), weight.shape[2:], stride, pad, dilate)
    if x.shape[2:] != w.out:
        return NotImplemented
    data = x.t.new_empty(1).expand(x.shape[0], weight.shape[1] * num_group, *shape)
    return _backward(x, data, weight.t, w, num_group, 0)


@kernel("convolution_weight_grad")
def _convolution_weight_grad(
    out_grad: Any,
    x: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    num_group: int = 1,
) -> Any:
    if not fit(out_grad, x) or not _is_image(x) or not _is_image(out_grad):
        return NotImplemented
    if x.ndim != out_grad.ndim or x.shape[1] % num_group or out_grad.shape[1] % num_group:
        return NotImplemented
    w = make_window(x.shape[2:], tuple(kernel), stride, pad, dilate)
    if out_grad.shape[2:] != w.out or len(x) != len(out_grad):
        return NotImplemented
    shape = out_grad.shape[1], x.shape[1] // num_group, *kernel
    weight = x.t.new_empty(shape)  # PyTorch would copy what is expanded
    return _backward(out_grad, x.t, weight, w, num_group, 1)


@kernel("deconvolution")
def _deconvolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Any = None,
    pad: Any = None,
    dilate: Any = None,
    adj: Any = None,
    target_shape: Any = None,
    num_group: int = 1,
) -> Any:
    if not fit(x, weight, bias) or not _is_image(x) or weight.ndim != x.ndim:
        return NotImplemented
    to = spread(x.shape[2:], weight.shape[2:], stride, pad, dilate, adj, target_shape)
    window = {"stride": stride, "pad": to.pad, "dilate": dilate, "num_group": num_group}
    y = _convolution_input_grad(x, weight, shape=to.shape, **window)
    if y is NotImplemented or bias is None:
        return y
    if bias.shape != y.shape[1:2]:
        return NotImplemented
    y.t += bias.t.reshape(-1, *(1,) * (x.ndim - 2))
    return y


# ------------------------------------------------------------------------------- pooling


def _lengthened(t: torch.Tensor, axes: list, value: float) -> torch.Tensor:
    borders = [n for axis in reversed(axes) for n in axis.border]
    return functional.pad(t, borders, value=value) if any(borders) else t


@kernel("max_pool")
def _max_pool(
    x: Any, *, kernel: Any, stride: Any = None, pad: Any = None, convention: str = "valid"
) -> Any:
    if not fit(x) or not _is_image(x):
        return NotImplemented
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    t = _lengthened(x.t, axes, torch.finfo(x.t.dtype).min)
    pool = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)[len(axes) - 1]
    sizes = [axis.kernel for axis in axes], [axis.stride for axis in axes]
    y, places = pool(t, *sizes, return_indices=True)
    inside = tuple([slice(axis.out) for axis in axes])
    key = (slice(None), slice(None), *inside)
    made = like(x, y[key].contiguous())
    made.extra = places[key], tuple(t.shape)
    return made


@kernel("max_pool_grad")
def _max_pool_grad(
    out_grad: Any,
    x: Any,
    y: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    if not fit(out_grad, x, y) or not _is_image(x) or out_grad.shape != y.shape:
        return NotImplemented
    axes, places, size = _places(x, y, kernel, stride, pad, convention)
    flat = torch.zeros((*size[:2], prod(size[2:])), dtype=out_grad.t.dtype, device=x.t.device)
    flat.scatter_add_(2, places.flatten(2), out_grad.t.flatten(2))
    grad = flat.view(size)
    for k, axis in enumerate(axes, 2):
        grad = grad.narrow(k, axis.pad, axis.size) if any(axis.border) else grad
    return like(x, grad.contiguous())


def _places(x: Any, y: Any, *window: Any) -> tuple[list, torch.Tensor, tuple]:
    """The windows, and where in each (lengthened) image the maxima of `y` are."""
    axes = windows(x.shape[2:], *window)
    if y.extra is None:
        fresh = _max_pool(x, **dict(zip(("kernel", "stride", "pad", "convention"), window)))
        y.extra = fresh.extra
    return (axes, *y.extra)


@kernel("max_pool_push")
def _max_pool_push(
    tangent: Any,
    x: Any,
    y: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    if not fit(tangent, x, y) or not _is_image(x) or tangent.shape != x.shape:
        return NotImplemented
    axes, places, _ = _places(x, y, kernel, stride, pad, convention)
    t = _lengthened(tangent.t, axes, 0.0)
    return like(x, t.flatten(2).gather(2, places.flatten(2)).view(y.shape))


@kernel("sum_pool")
def _sum_pool(
    x: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    if not fit(x) or x.ndim != 4 or not x.size or divide_by == "inside":
        return NotImplemented
    axes = windows(x.shape[2:], kernel, stride, pad, convention)
    symmetric = all(axis.border[1] <= axis.border[0] == axis.pad for axis in axes)
    if not symmetric or any(2 * axis.pad > axis.kernel for axis in axes):
        return NotImplemented
    one = [[axis.kernel for axis in axes], [axis.stride for axis in axes]]
    divisor = None if divide_by == "window" else 1
    pads = [axis.pad for axis in axes]
    y = functional.avg_pool2d(x.t, *one, pads, False, True, divisor_override=divisor)
    return like(x, y) if y.shape[2:] == tuple(axis.out for axis in axes) else NotImplemented


@kernel("sum_pool_grad")
def _sum_pool_grad(
    x: Any,
    *,
    shape: Any,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    if not fit(x) or x.ndim != 4 or not x.size or divide_by == "inside":
        return NotImplemented
    axes = windows(tuple(shape), kernel, stride, pad, convention)
    symmetric = all(axis.border[1] <= axis.border[0] == axis.pad for axis in axes)
    if not symmetric or any(2 * axis.pad > axis.kernel for axis in axes):
        return NotImplemented
    if x.shape[2:] != tuple(axis.out for axis in axes):
        return NotImplemented
    data = x.t.new_empty(1).expand(*x.shape[:2], *shape)
    sizes = [axis.kernel for axis in axes], [axis.stride for axis in axes], [a.pad for a in axes]
    divisor = None if divide_by == "window" else 1
    return like(x, aten.avg_pool2d_backward(x.t, data, *sizes, False, True, divisor))


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
    y, mean, _ = aten.native_batch_norm(x.t, gamma.t, beta.t, kept, var.fill_(0), True, 1.0, eps)
    return like(x, y), like(x, mean), like(x, var * ((n - 1) / n))


def _standardize(x: torch.Tensor, axes: list[int], eps: float) -> tuple:
    """Values of mean 0 and variance 1, and mean and variance, computed in float32 at least."""
    wide = x if x.dtype in WIDE else x.float()
    var, mean = torch.var_mean(wide, axes, correction=0, keepdim=True)
    return (wide - mean) * torch.rsqrt(var + eps), mean, var


@kernel("layer_norm")
def _layer_norm(x: Any, gamma: Any, beta: Any, *, axis: int = -1, eps: float = 1e-5) -> Any:
    if not fit(x, gamma, beta) or x.t.dtype not in WIDE or not x.ndim or not x.size:
        return NotImplemented
    if axis not in (-1, x.ndim - 1) or gamma.shape != beta.shape or gamma.shape != x.shape[-1:]:
        return NotImplemented
    y, mean, _ = aten.native_layer_norm(x.t, [x.shape[-1]], gamma.t, beta.t, eps)
    return like(x, y), like(x, mean), like(x, torch.var(x.t, -1, correction=0, keepdim=True))


def standardize_grad(g: Any, x: Any, gamma: Any, mean: Any, var: Any, axes: Any, eps: float) -> Any:
    """As `kernels.normalization.standardize_grad`."""
    r = torch.rsqrt(var.t + eps)
    channels = tuple(axes) == (0, *range(2, x.ndim))
    if channels and g.t.dtype is x.t.dtype is gamma.t.dtype and gamma.shape == mean.shape:
        found = aten.native_batch_norm_backward(
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


@kernel("softmax_grad")
def _softmax_grad(out_grad: Any, p: Any, *, axis: int) -> Any:
    if not fit(out_grad, p) or out_grad.shape != p.shape or not p.ndim:
        return NotImplemented
    return like(p, aten._softmax_backward_data(out_grad.t, p.t, axis, p.t.dtype))


@kernel("log_softmax_grad")
def _log_softmax_grad(out_grad: Any, log_p: Any, *, axis: int) -> Any:
    if not fit(out_grad, log_p) or out_grad.shape != log_p.shape or not log_p.ndim:
        return NotImplemented
    return like(log_p, aten._log_softmax_backward_data(out_grad.t, log_p.t, axis, log_p.t.dtype))


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
