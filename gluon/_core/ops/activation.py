"""Softmax and activations."""

from __future__ import annotations

import math
from typing import Any, Final

from ..engine.op import define
from ..kernels import activation as kernels


def _over(temperature: float | None, g: Any) -> Any:
    return g if temperature is None or temperature == 1 else g * (1 / temperature)


def _softmax(F: Any, g: Any, y: Any, axis: int, temperature: float | None) -> Any:
    return _over(temperature, F.softmax_grad(g, y, axis=axis))


softmax: Final = define(
    "softmax",
    kernels.softmax,
    "exp(x / temperature) over its sum along `axis`",
    x=_softmax,
)
masked_softmax: Final = define(
    "masked_softmax",
    kernels.masked_softmax,
    "The softmax of the first `length` places of `axis`; 0 in the others",
    x=_softmax,
)


def _log_softmax(F: Any, g: Any, y: Any, axis: int, temperature: float | None) -> Any:
    return _over(temperature, F.log_softmax_grad(g, y, axis=axis))


log_softmax: Final = define(
    "log_softmax", kernels.log_softmax, "The logarithm of the softmax", x=_log_softmax
)


def _sum(F: Any, x: Any, axis: int) -> Any:
    return F.sum(x, axis=axis, keepdims=True)


softmax_grad: Final = define(
    "softmax_grad",
    kernels.softmax_grad,
    "The gradient of a softmax p: p * (out_grad - sum(out_grad * p)) with the sum over `axis`",
    out_grad=lambda F, g, p, axis: F.softmax_grad(g, p, axis=axis),
    p=lambda F, g, out_grad, p, axis: (
        g * (out_grad - _sum(F, out_grad * p, axis)) - out_grad * _sum(F, g * p, axis)
    ),
)
log_softmax_grad: Final = define(
    "log_softmax_grad",
    kernels.log_softmax_grad,
    "The gradient of a log_softmax: out_grad - exp(log_p) * sum(out_grad), summed over `axis`",
    out_grad=lambda F, g, log_p, axis: F.log_softmax_push(g, log_p, axis=axis),
    log_p=lambda F, g, out_grad, log_p, axis: -g * F.exp(log_p) * _sum(F, out_grad, axis),
)
log_softmax_push: Final = define(
    "log_softmax_push",
    kernels.log_softmax_push,
    "The tangent of a log_softmax: tangent - sum(exp(log_p) * tangent), summed over `axis`",
    tangent=lambda F, g, log_p, axis: F.log_softmax_grad(g, log_p, axis=axis),
    log_p=lambda F, g, tangent, log_p, axis: -tangent * F.exp(log_p) * _sum(F, g, axis),
)
one_of: Final = define(
    "one_of", kernels.one_of, "Whether the last axis, of an array shaped `like`, is x"
)
softmax_cross_entropy: Final = define(
    "softmax_cross_entropy",
    kernels.softmax_cross_entropy,
    "The sum of -log softmax(x) at the labels",
    x=lambda F, g, x, label: g * (F.softmax(x) - F.one_of(label, like=x.shape)),
)

# -------------------------------------------------------------------------- rectifiers

leaky_relu: Final = define(
    "leaky_relu",
    kernels.leaky_relu,
    "x where positive, slope x elsewhere; the derivative at 0 is the slope",
    x=lambda F, g, x, slope: g * F.leaky_relu_slope(x, slope=slope),
)
leaky_relu_slope: Final = define(
    "leaky_relu_slope", kernels.leaky_relu_slope, "The derivative of leaky_relu: 1 or the slope"
)


def _prelu_x(F: Any, g: Any, x: Any, gamma: Any) -> Any:
    shape = kernels.gamma_shape(gamma.shape, x.shape)
    return F.where(x > 0, g, g * F.reshape(gamma, shape=shape))


def _prelu_gamma(F: Any, g: Any, x: Any, gamma_shape: Any) -> Any:
    shape = kernels.gamma_shape(gamma_shape, x.shape)
    return F.reshape(F.sum_to(F.where(x > 0, 0.0, g * x), shape=shape), shape=gamma_shape)


prelu: Final = define(
    "prelu",
    kernels.prelu,
    "x where positive, gamma x elsewhere, with one gamma or one for each channel",
    x=_prelu_x,
    gamma=_prelu_gamma,
)
elu: Final = define(
    "elu",
    kernels.elu,
    "x where positive, slope (exp(x) - 1) elsewhere; the derivative at 0 is the slope",
    x=lambda F, g, x, y, slope: g * F.where(x > 0, 1.0, y + slope),
)
selu: Final = define(
    "selu",
    kernels.selu,
    "The self-normalizing unit",
    x=lambda F, g, x, y: (
        g * F.where(x > 0, kernels.SELU_SCALE, y + kernels.SELU_SCALE * kernels.SELU_ALPHA)
    ),
)
gelu: Final = define(
    "gelu",
    kernels.gelu,
    "x times the normal distribution function at x",
    x=lambda F, g, x: g * F.gelu_slope(x),
)
gelu_slope: Final = define(
    "gelu_slope",
    kernels.gelu_slope,
    "The derivative of gelu",
    x=lambda F, g, x: g * (F.exp(x * x * -0.5) * (2 - x * x) * (1 / math.sqrt(2 * math.pi))),
)
hard_sigmoid: Final = define(
    "hard_sigmoid",
    kernels.hard_sigmoid,
    "alpha x + beta between 0 and 1; the derivative at the ends is 0",
    x=lambda F, g, y, alpha: F.where((y > 0) & (y < 1), g * alpha, 0),
)
smooth_l1: Final = define(
    "smooth_l1",
    kernels.smooth_l1,
    "(scalar x)**2 / 2 while |x| < 1 / scalar**2, then |x| - 1 / (2 scalar**2)",
    x=lambda F, g, x, scalar: g * F.clip(x * float(scalar) ** 2, a_min=-1.0, a_max=1.0),
)
