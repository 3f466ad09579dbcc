"""Softmax and activation kernels."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from .linalg import wide
from .special import erf

#: The constants of the self-normalizing unit, as MXNet writes them.
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def _shifted(x: Any, axis: int, temperature: float | None, inside: Any = None) -> Any:
    """A fresh ``x / temperature``, its maximum over `axis`, where `inside`, moved to 0."""
    kind = wide(x.dtype) if x.dtype.kind not in "biu" else np.dtype(np.float32)
    x = x.astype(kind, copy=False)
    if temperature is not None and temperature != 1:
        if temperature == 0:
            raise ValueError("temperature must not be 0")
        x = x / kind.type(temperature)
    if not x.size:
        return x.copy()
    if inside is not None:
        x = np.where(inside, x, np.finfo(kind).min)
    with np.errstate(invalid="ignore", over="ignore"):
        return x - x.max(axis, keepdims=True)


def softmax(x: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
    """exp(x / temperature) over its sum along `axis`."""
    y = _shifted(x, axis, temperature)
    np.exp(y, out=y)
    y /= y.sum(axis, keepdims=True)
    return y.astype(x.dtype if x.dtype.kind not in "biu" else np.float32, copy=False)


def masked_softmax(x: Any, length: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
    """The softmax of the first `length` places of `axis`; 0 in the others."""
    inside = mask(length, x.shape, axis)
    y = _shifted(x, axis, temperature, inside)
    np.exp(y, out=y)
    y = np.where(inside, y, y.dtype.type(0))
    y = np.divide(y, y.sum(axis, keepdims=True), out=np.zeros_like(y), where=inside)
    return y.astype(x.dtype if x.dtype.kind not in "biu" else np.float32, copy=False)


def mask(length: Any, shape: tuple[int, ...], axis: int) -> Any:
    """Which places of `axis` come before `length`, given for each of the other places."""
    kept = shape[:axis] + shape[axis:][1:] or (1,)
    if length.dtype.kind not in "iu":
        raise TypeError(f"length has dtype {length.dtype}; it needs whole numbers")
    if length.shape != kept:
        raise ValueError(
            f"length has shape {length.shape}; it needs that of x {shape} without axis {axis}"
        )
    if length.max(initial=0) > shape[axis]:
        raise ValueError(f"length {length.max()} is beyond axis {axis} of x {shape}")
    if len(shape) == 1:
        return np.arange(shape[0]) < length
    axis %= len(shape)
    places = np.arange(shape[axis]).reshape(-1, *(1,) * (len(shape) - axis - 1))
    return places < np.expand_dims(length, axis)


def log_softmax(x: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
    """x minus the logarithm of the sum of exp(x)."""
    y = _shifted(x, axis, temperature)
    y -= np.log(np.exp(y).sum(axis, keepdims=True))
    return y.astype(x.dtype if x.dtype.kind not in "biu" else np.float32, copy=False)


def one_of(label: Any, *, like: Any) -> Any:
    """Where the classes along the last axis are `label`, as a boolean array of shape `like`."""
    return np.arange(like[-1]) == np.expand_dims(np.trunc(label), -1)


def softmax_cross_entropy(x: Any, label: Any) -> Any:
    """The sum over all rows of -log softmax(x) at the label; an array of one value."""
    if x.ndim != 2 or label.shape != x.shape[:1]:
        raise ValueError(
            f"x is (batch, classes) and label (batch,), not {x.shape} and {label.shape}"
        )
    places = label.astype(np.intp)
    if places.size and not 0 <= places.min() <= places.max() < x.shape[1]:
        raise IndexError(
            f"labels from {places.min()} to {places.max()} for {x.shape[1]} classes, 0 and on"
        )
    picked = np.take_along_axis(log_softmax(x), places[:, None], 1)
    return -picked.sum(dtype=wide(x.dtype)).reshape(1).astype(x.dtype, copy=False)


# -------------------------------------------------------------------------- rectifiers


def leaky_relu(x: Any, *, slope: float = 0.25) -> Any:
    # Two clips and a sum take half the time of numpy.where.
    return np.maximum(x, 0) + np.minimum(x, 0) * x.dtype.type(slope)


def gamma_shape(gamma: tuple[int, ...], x: tuple[int, ...]) -> tuple[int, ...]:
    """How a `gamma` of one value, or of one for each channel (axis 1), lies along x."""
    if len(gamma) != 1 or (gamma[0] != 1 and gamma[0] != x[min(1, len(x) - 1)]):
        raise ValueError(f"gamma of shape {gamma} needs one value, or one per channel of x {x}")
    return gamma if len(x) < 2 else (1, gamma[0], *(1,) * (len(x) - 2))


def prelu(x: Any, gamma: Any) -> Any:
    """x where positive, gamma x elsewhere."""
    slope = gamma.reshape(gamma_shape(gamma.shape, x.shape))
    return np.maximum(x, 0) + np.minimum(x, 0) * slope


def elu(x: Any, *, slope: float = 0.25) -> Any:
    return np.maximum(x, 0) + x.dtype.type(slope) * np.expm1(np.minimum(x, 0))


def selu(x: Any) -> Any:
    kind = x.dtype.type
    below = kind(SELU_SCALE * SELU_ALPHA) * np.expm1(np.minimum(x, 0))
    return np.maximum(x, 0) * kind(SELU_SCALE) + below


def gelu(x: Any) -> Any:
    """x times the probability that a normal variable is below it."""
    y = erf(x * x.dtype.type(sqrt(0.5)))
    y += x.dtype.type(1)
    y *= x.dtype.type(0.5)  # before x, which may be as large as it gets
    y *= x
    return y


def gelu_slope(x: Any) -> Any:
    """The derivative of `gelu`: the normal distribution function plus x times its density."""
    kind = x.dtype.type
    density = np.exp(np.square(x) * kind(-0.5)) * kind(1 / sqrt(2 * pi))
    return (erf(x * kind(sqrt(0.5))) + kind(1)) * kind(0.5) + x * density


def hard_sigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    kind = x.dtype.type
    return np.minimum(np.maximum(x * kind(alpha) + kind(beta), kind(0)), kind(1))


def smooth_l1(x: Any, *, scalar: float = 1.0) -> Any:
    """(scalar x)**2 / 2 up to 1 / scalar**2, then |x| - 1 / (2 scalar**2)."""
    if x.dtype.kind in "iu":
        return smooth_l1(x.astype(np.float64), scalar=scalar).astype(x.dtype)
    kind, square = x.dtype.type, float(scalar) ** 2
    size = np.abs(x)
    inner = np.square(x) * kind(square / 2)
    if square == 0:
        return inner
    return np.where(size < kind(1 / square), inner, size - kind(0.5 / square))
