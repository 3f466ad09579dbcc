"""Normalization over a batch, a layer, an instance, a group; one rule for all of them."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final, NamedTuple

from numpy import ndarray

from ..engine.array import Array
from ..engine.op import define
from ..kernel_rules import Whole
from ..kernels import normalization as kernels
from ..kernels.linalg import wide
from ..kernels.memory import Buffer

#: From this many values on, one kernel computes the whole gradient.
LARGE = 2048
Shape = tuple[int, ...]
_whole = Whole("standardize_grad", kernels.standardize_grad)


def standardize_grad(
    F: Any, gs: list, x: Any, gamma: Any, mean: Any, var: Any, axes: Any, eps: float
) -> tuple:
    """The cotangents of the inputs of `kernels.standardize`, given those of its outputs.

    Where gamma is one number for all that is averaged (everywhere but in layer_norm), the sums
    over the two big products serve both gamma and x.
    """
    g, g_mean, g_var = gs
    if g_mean is g_var is None and _by_rows(x, gamma, axes) and (kernel := _whole.caller(F)):
        # A single kernel computes the following in a third of the time.
        return kernel(g, x, gamma, mean, var, axes, eps)
    n = prod(x.shape[k] for k in axes)
    centred, r = x - mean, F.rsqrt(var + eps)
    slope, level = 0.0, 0.0
    if g_var is not None:
        slope = g_var * (2 / n)
    if g_mean is not None:
        level = g_mean * (1 / n)
    if g is None:
        flat = F.zeros_like(gamma)
        return centred * slope + level, flat, flat
    if all(gamma.shape[k] == 1 for k in axes):
        total, moment = _sum(F, g, axes), _sum(F, g * centred, axes)
        g_gamma, g_beta = moment * r, total
        scale = gamma * r
        scaled, total, moment = g * scale, total * scale, moment * scale
    else:
        scaled = g * gamma * r
        total, moment = _sum(F, scaled, axes), _sum(F, scaled * centred, axes)
        g_gamma, g_beta = g * (centred * r), g
    slope = slope - r * r * moment * (1 / n)
    level = level - total * (1 / n)
    g_x = scaled + centred * slope + level
    return g_x, F.sum_to(g_gamma, shape=gamma.shape), F.sum_to(g_beta, shape=gamma.shape)


def _by_rows(x: Any, gamma: Any, axes: Any) -> bool:
    """Whether `standardize_grad` accepts these raw arrays and is faster."""
    x, gamma = (one.raw if isinstance(one, Array) else one for one in (x, gamma))
    if isinstance(x, Buffer):
        return x.dtype.char in "fd"
    parted = type(x) is ndarray is type(gamma) and (0 not in axes or len(gamma) == 1)
    return parted and x.size >= LARGE and x.dtype.char in "fd"


def _sum(F: Any, x: Any, axes: Any) -> Any:
    return F.sum(x, axis=axes, keepdims=True)


class Form(NamedTuple):
    """The shapes in which x, gamma and the statistics of a normalization broadcast.

    Means are over `axes`.
    """

    x: Shape
    gamma: Shape
    stats: Shape
    axes: Shape


def of_batch(shape: Shape, axis: int) -> Form:
    """That of a normalization of each place of `axis`."""
    axes = kernels.other_axes(axis, len(shape))
    per_channel = tuple(1 if k in axes else n for k, n in enumerate(shape))
    return Form(shape, per_channel, per_channel, axes)


def of_layer(shape: Shape, axis: int) -> Form:
    """That of a normalization along `axis`."""
    axis %= len(shape)
    gamma = tuple(n if k == axis else 1 for k, n in enumerate(shape))
    return Form(shape, gamma, (*shape[:axis], 1, *shape[axis + 1 :]), (axis,))


def of_instance(shape: Shape) -> Form:
    """That of a normalization of each channel of each sample."""
    axes = tuple(range(2, len(shape)))
    single = (1,) * len(axes)
    return Form(shape, (1, shape[1], *single), (*shape[:2], *single), axes)


def of_group(shape: Shape, num_groups: int) -> Form:
    """That of a normalization of each group of channels of each sample."""
    return of_instance(kernels.grouped_shape(shape, num_groups))


#: The form of each operator, by name.
FORMS: Final[dict[str, Callable[..., Form]]] = {
    "batch_norm": of_batch,
    "layer_norm": of_layer,
    "instance_norm": of_instance,
    "group_norm": of_group,
}


def _rule(F: Any, gs: tuple, x: Any, gamma: Any, stats: Any, form: Form, eps: float) -> tuple:
    """`standardize_grad` for an operator whose arrays have other shapes than those of `form`."""
    likes = (x, gamma, gamma)
    x, gamma, *singles = _single(F, x, gamma, *gs)
    wanted = (form.x, form.stats, form.stats)
    cotangents = [shaped(F, g, shape) for g, shape in zip(singles, wanted)]
    mean, var = (shaped(F, stat, form.stats) for stat in _single(F, *stats))
    x, gamma = shaped(F, x, form.x), shaped(F, gamma, form.gamma)
    grads = standardize_grad(F, cotangents, x, gamma, mean, var, form.axes, eps)
    return tuple(_like(F, shaped(F, g, to.shape), to) for g, to in zip(grads, likes))


def shaped(F: Any, x: Any, shape: Any) -> Any:
    """`x` in a shape; None as it is."""
    return x if x is None or x.shape == shape else F.reshape(x, shape=shape)


def _single(F: Any, *arrays: Any) -> list:
    """Cast the arrays to the dtype to compute in: float32 for half precision."""
    kinds = [x is not None and wide(x.dtype) for x in arrays]
    return [
        F.cast(x, dtype=kind) if kind and kind != x.dtype else x for x, kind in zip(arrays, kinds)
    ]


def _like(F: Any, x: Any, other: Any) -> Any:
    return x if x is None or x.dtype == other.dtype else F.cast(x, dtype=other.dtype)


def _batch_norm(F: Any, g: Any, x: Any, gamma: Any, y: Any, axis: int, eps: float) -> tuple:
    return _rule(F, g, x, gamma, y[1:], of_batch(x.shape, axis), eps)


batch_norm: Final = define(
    "batch_norm",
    kernels.batch_norm,
    "Normalize each place of `axis`; also returns the mean and the (biased) variance",
    many=True,
    joint=_batch_norm,
)


def _layer_norm(F: Any, g: Any, x: Any, gamma: Any, y: Any, axis: int, eps: float) -> tuple:
    return _rule(F, g, x, gamma, y[1:], of_layer(x.shape, axis), eps)


layer_norm: Final = define(
    "layer_norm",
    kernels.layer_norm,
    "Normalize along `axis`; also returns the mean and the variance",
    many=True,
    joint=_layer_norm,
)


def _instance_norm(F: Any, g: Any, x: Any, gamma: Any, y: Any, eps: float) -> tuple:
    return _rule(F, g, x, gamma, y[1:], of_instance(x.shape), eps)


instance_norm: Final = define(
    "instance_norm",
    kernels.instance_norm,
    "Normalize each channel of each sample; also returns the mean and the variance",
    many=True,
    joint=_instance_norm,
)


def _group_norm(F: Any, g: Any, x: Any, gamma: Any, y: Any, num_groups: int, eps: float) -> tuple:
    return _rule(F, g, x, gamma, y[1:], of_group(x.shape, num_groups), eps)


group_norm: Final = define(
    "group_norm",
    kernels.group_norm,
    "Normalize each group of channels of each sample; also returns the mean and the variance",
    many=True,
    joint=_group_norm,
)


def _batch_norm_inference(
    F: Any, g: Any, x: Any, gamma: Any, mean: Any, var: Any, axis: int, eps: float
) -> tuple:
    """The output is affine in x, gamma and beta, with the given statistics."""
    axes = kernels.other_axes(axis, x.ndim)
    shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    likes = (x, gamma, gamma, mean, var)
    g, x, gamma, mean, var = _single(F, g, x, gamma, mean, var)
    r = F.rsqrt(var + eps)
    scale = gamma * r
    total = F.sum(g, axis=axes)
    moment = F.sum(g * (x - F.reshape(mean, shape=shape)), axis=axes)
    grads = (
        g * F.reshape(scale, shape=shape),
        moment * r,
        total,
        -total * scale,
        moment * scale * r * r * -0.5,
    )
    return tuple(_like(F, grad, like) for grad, like in zip(grads, likes))


batch_norm_inference: Final = define(
    "batch_norm_inference",
    kernels.batch_norm_inference,
    "Normalize each place of `axis` by a given mean and variance",
    joint=_batch_norm_inference,
)


def _l2_normalization(F: Any, g: Any, x: Any, y: Any, eps: float, mode: str) -> Any:
    """(g - y (g . y)) / length."""
    axes = kernels.l2_axes(mode, x.ndim)
    like = x
    g, x, y = _single(F, g, x, y)
    length = F.sqrt(_sum(F, x * x, axes) + eps)
    return _like(F, (g - y * _sum(F, g * y, axes)) / length, like)


l2_normalization: Final = define(
    "l2_normalization",
    kernels.l2_normalization,
    "x / sqrt(sum(x ** 2) + eps) over a whole sample, its channels or its spatial axes",
    x=_l2_normalization,
)
