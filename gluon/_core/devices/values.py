"""Kernels in PyTorch of operators on values and of indices."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from .buffer import FLOATS, DeviceBuffer, like, maybe_view
from .common import is_number, number
from .layers import LAYERS, fit, kernel
from .tensors import kind_of

aten = torch.ops.aten
#: The least positive numbers.
LEAST = {
    torch.float64: 2.0**-1074,
    torch.float32: 2.0**-149,
    torch.float16: 2.0**-24,
    torch.bfloat16: 2.0**-133,
}

# ---------------------------------------------------------------------------- elementwise


def _binary(function: Callable[..., Any]) -> Callable[..., Any]:
    """Of two arrays of one floating dtype, or of one and a number of it."""

    def run(x1: Any, x2: Any) -> Any:
        if type(x1) is DeviceBuffer:
            a = x1.t
            if type(x2) is DeviceBuffer:
                if a.dtype is x2.t.dtype and a.dtype in FLOATS and x1.place == x2.place:
                    return like(x1, function(a, x2.t))
            elif a.dtype in FLOATS and is_number(x2, x1.dtype):
                return like(x1, function(a, number(x2)))
        return NotImplemented

    return run


def _unary(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Any) -> Any:
        return like(x, function(x.t)) if x.t.dtype in FLOATS else NotImplemented

    return run


def _slope(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(out_grad: Any, p: Any) -> Any:
        if not fit(out_grad, p) or out_grad.shape != p.shape:
            return NotImplemented
        return like(p, function(out_grad.t, p.t))

    return run


def _relu_slope(g: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    """That of this loss is the sign, and for nan it is nan, unlike that of threshold_backward."""
    return aten.smooth_l1_loss_backward.default(g, p, p.new_zeros(()), 0, LEAST[p.dtype])


LAYERS.update(
    {
        "add": _binary(torch.add),
        "subtract": _binary(torch.sub),
        "multiply": _binary(torch.mul),
        "divide": _binary(torch.div),
        **{
            name: _unary(getattr(torch, name))
            for name in (
                "exp expm1 log log2 log10 log1p sqrt rsqrt tanh negative square sin cos tan abs"
                " floor ceil trunc sigmoid erf erfinv"
            ).split()
        },
        "relu": _unary(torch.relu),
        "sigmoid_grad": _slope(aten.sigmoid_backward.default),
        "tanh_grad": _slope(aten.tanh_backward.default),
        "relu_grad": _slope(_relu_slope),
        "square_grad": _slope(lambda g, x: g * (x * 2)),
    }
)


@kernel("polygamma")
def _polygamma(x: Any, *, n: int) -> Any:
    if not fit(x) or x.t.dtype not in (torch.float32, torch.float64):
        return NotImplemented
    poles = (x.t < 0) & (x.t == x.t.floor()) if n else torch.zeros_like(x.t, dtype=torch.bool)
    y = torch.polygamma(n, x.t.double()).to(x.t.dtype)
    return like(x, y.masked_fill(poles, torch.nan))


def _in_double(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    return lambda t: function(t.double()).to(t.dtype)


LAYERS["digamma"] = _unary(_in_double(torch.digamma))
LAYERS["gammaln"] = _unary(_in_double(torch.lgamma))


# ----------------------------------------------------------------------------- reductions


def _reduction(function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    """Over some axes of floats; over none of them if `axis` is an empty tuple."""

    def run(x: Any, *, axis: Any = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
        if not fit(x) or not x.size or axis == ():
            return NotImplemented
        axes = list(range(x.ndim)) if axis is None else axis
        y = function(x.t, axes, keepdim=keepdims) if x.ndim else x.t.clone()
        return like(x, y.reshape(1) if at_least_1d and not y.ndim else y)

    return run


LAYERS.update(
    {
        "sum": _reduction(torch.sum),
        "mean": _reduction(torch.mean),
        "max": _reduction(torch.amax),
        "min": _reduction(torch.amin),
    }
)


@kernel("sum_to")
def _sum_to(x: Any, *, shape: Any) -> Any:
    if not fit(x):
        return NotImplemented
    return x if x.shape == shape else like(x, x.t.sum_to_size(shape))


# -------------------------------------------------------------------------------- shapes


@kernel("reshape")
def _reshape(x: Any, *, shape: Any) -> Any:
    if type(x) is not DeviceBuffer or prod(shape) != x.size:
        return NotImplemented
    return maybe_view(x, x.t.reshape(shape))


# -------------------------------------------------------------------------------- indices


def _within(indices: DeviceBuffer, n: int, mode: str) -> torch.Tensor:
    """Indices as they are read: kept within an axis, or counted around."""
    i = indices.t.to(torch.int64)
    return i.clamp(0, n - 1) if mode == "clip" else i.remainder(n)


@kernel("take")
def _take(x: Any, indices: Any, *, axis: int = 0, mode: str = "clip") -> Any:
    both = type(x) is type(indices) is DeviceBuffer and x.place == indices.place
    if not both or mode not in ("clip", "wrap") or not x.ndim:
        return NotImplemented
    if not -x.ndim <= axis < x.ndim or not x.shape[axis]:
        return NotImplemented
    axis %= x.ndim
    i = _within(indices, x.shape[axis], mode)
    if axis == 0 and x.ndim == 2:
        return like(x, functional.embedding(i, x.t))
    rows = x.t.index_select(axis, i.reshape(-1))
    return like(x, rows.view((*x.shape[:axis], *i.shape, *x.shape[axis + 1 :])))


@kernel("take_grad")
def _take_grad(x: Any, indices: Any, *, axis: int, mode: str, size: int) -> Any:
    both = type(x) is type(indices) is DeviceBuffer and x.t.dtype in FLOATS
    if not both or not size:
        return NotImplemented
    axis %= x.ndim - indices.ndim + 1
    i = _within(indices, size, mode).reshape(-1)
    before, after = x.shape[:axis], x.shape[axis + indices.ndim :]
    rows = x.t.reshape(*before, i.numel(), *after)
    kind = torch.float64 if x.t.dtype is torch.float64 else torch.float32
    total = torch.zeros((*before, size, *after), dtype=kind, device=x.t.device)
    return like(x, total.index_add_(axis, i, rows.to(kind)).to(x.t.dtype))


@kernel("pick")
def _pick(x: Any, index: Any, *, axis: int = -1, keepdims: bool = False, mode: str = "clip") -> Any:
    both = type(x) is type(index) is DeviceBuffer and x.place == index.place
    if not both or mode not in ("clip", "wrap") or not -x.ndim <= axis < x.ndim:
        return NotImplemented
    axis %= x.ndim
    line = tuple(1 if k == axis else n for k, n in enumerate(x.shape))
    if index.shape not in (line, (*line[:axis], *line[axis + 1 :])) or not x.shape[axis]:
        return NotImplemented
    t = x.t.gather(axis, _within(index, x.shape[axis], mode).reshape(line))
    return like(x, t if keepdims else t.squeeze(axis))


@kernel("pick_grad")
def _pick_grad(x: Any, index: Any, *, axis: int, mode: str, shape: Any) -> Any:
    both = type(x) is type(index) is DeviceBuffer and x.place == index.place
    axis %= len(shape)
    line = tuple(1 if k == axis else n for k, n in enumerate(shape))
    if not both or mode not in ("clip", "wrap") or index.size != prod(line) or not shape[axis]:
        return NotImplemented
    i = _within(index, shape[axis], mode).reshape(line)
    total = torch.zeros(tuple(shape), dtype=x.t.dtype, device=x.t.device)
    return like(x, total.scatter_(axis, i, x.t.reshape(line)))


@kernel("cross_entropy")
def _cross_entropy(x: Any, label: Any, *, axis: int = -1) -> Any:
    logs = LAYERS["log_softmax"](x, axis=axis)
    if logs is NotImplemented:
        return NotImplemented
    found = _pick(logs, label, axis=axis, keepdims=True)
    return found if found is NotImplemented else like(x, -found.t)


@kernel("cross_entropy_grad")
def _cross_entropy_grad(out_grad: Any, x: Any, label: Any, *, axis: int) -> Any:
    taken = _pick_grad(out_grad, label, axis=axis, mode="clip", shape=x.shape)
    shares = LAYERS["softmax"](x, axis=axis)
    if taken is NotImplemented or shares is NotImplemented or not fit(x, out_grad):
        return NotImplemented
    return like(x, shares.t * out_grad.t - taken.t)


@kernel("one_hot")
def _one_hot(
    x: Any, *, depth: int, on_value: float = 1, off_value: float = 0, dtype: Any = np.float32
) -> Any:
    if type(x) is not DeviceBuffer:
        return NotImplemented
    places = torch.arange(depth, device=x.t.device)
    hits = x.t.to(torch.int64).unsqueeze(-1) == places
    kind = kind_of(dtype)
    on, off = (torch.full((), v, dtype=kind, device=x.t.device) for v in (on_value, off_value))
    return like(x, torch.where(hits, on, off))


# ---------------------------------------------------------------------- linear algebra


@kernel("solve_triangular")
def _solve_triangular(a: Any, b: Any, *, lower: bool = True) -> Any:
    if not fit(a, b) or a.t.dtype not in (torch.float32, torch.float64):
        return NotImplemented
    if a.ndim < 2 or b.ndim < 2 or not a.size or not b.size or a.shape[-1] != b.shape[-2]:
        return NotImplemented
    singular = bool((torch.diagonal(a.t, 0, -2, -1) == 0).any())
    if singular:
        return NotImplemented
    return like(a, torch.linalg.solve_triangular(a.t, b.t, upper=not lower))
