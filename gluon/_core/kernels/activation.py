"""Softmax and activation kernels."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from .indexing import outside
from .linalg import is_half, wide
from .parallel import blockwise, rowwise
from .special import erf
from .sums import LARGE, sum_products, summed

largest: Any = np.maximum.reduce

#: The constants of SELU, as in MXNet.
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def _scaled(x: Any, temperature: float | None) -> Any:
    """Return ``x / temperature`` in the dtype to compute in."""
    if x.dtype.char not in "fd":
        x = x.astype(wide(x.dtype) if x.dtype.kind not in "biu" else np.float32)
    if temperature is not None and temperature != 1:
        if temperature == 0:
            raise ValueError("temperature must not be 0")
        x = x / x.dtype.type(temperature)
    return x


def _result(y: Any, x: Any) -> Any:
    """Return `y` in the dtype of `x`, if that is a floating dtype."""
    return y if y.dtype == x.dtype or x.dtype.kind in "biu" else y.astype(x.dtype)


def _shift(x: Any, axis: int, out: Any = None) -> Any:
    """Return `x` minus its maximum over `axis`."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.subtract(x, largest(x, axis, None, None, True, -np.inf), out)


def softmax(x: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
    """exp(x / temperature) over its sum along `axis`."""
    y = _scaled(x, temperature)
    if x.size >= LARGE:
        return _result(rowwise(_softmax_rows, axis, y), x)
    y = _shift(y, axis)
    y = np.exp(y, y if y.ndim else None)  # a scalar if x has no axes
    y /= summed(y, axis)
    return _result(y, x)


def _softmax_rows(x: Any, y: Any, axis: int) -> None:
    # Rows whose exponentials neither overflow nor underflow need no shift, which saves two passes.
    with np.errstate(over="ignore"):
        np.exp(x, out=y)
        total = summed(y, axis)
    lost = ~((total >= 1) & (total < np.inf))
    if lost.any():
        # Only the affected rows are computed again; along other axes, everything is.
        rows = lost[:, 0] if axis == -1 else slice(None)
        part = _shift(x[rows], axis)
        np.exp(part, out=part)
        y[rows] = part if axis == -1 else np.where(lost, part, y)
        again = summed(part, axis)
        total[rows] = again if axis == -1 else np.where(lost, again, total)
    y /= total


def softmax_grad(out_grad: Any, p: Any, *, axis: int) -> Any:
    """The cotangent before a softmax `p`: ``p * (out_grad - sum(out_grad * p))``."""
    if is_half(p.dtype):
        return softmax_grad(*_singles(out_grad, p), axis=axis).astype(p.dtype)
    if p.size >= LARGE:
        return rowwise(_softmax_grad_rows, axis, out_grad, p)
    y = out_grad * p
    y -= p * summed(y, axis)
    return y


def _singles(*arrays: Any) -> list:
    return [x.astype(np.float32) for x in arrays]


def _softmax_grad_rows(out_grad: Any, p: Any, y: Any, axis: int) -> None:
    np.subtract(out_grad, sum_products(out_grad, p, axis), out=y)
    y *= p


def masked_softmax(x: Any, length: Any, *, axis: int = -1, temperature: float | None = None) -> Any:
    """The softmax of the first `length` places of `axis`; 0 in the others."""
    inside = mask(length, x.shape, axis)
    y = _scaled(x, temperature)
    y = np.where(inside, y, np.finfo(y.dtype).min)
    np.exp(_shift(y, axis, y), out=y)
    y = np.where(inside, y, y.dtype.type(0))
    y = np.divide(y, summed(y, axis), out=np.zeros_like(y), where=inside)
    return _result(y, x)


def mask(length: Any, shape: tuple[int, ...], axis: int) -> Any:
    """Which places of `axis` come before `length`, given for each of the other places."""
    kept = shape[:axis] + shape[axis:][1:] or (1,)
    if length.dtype.kind not in "iu":
        raise TypeError(f"length has dtype {length.dtype}; it needs integers")
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
    y = _scaled(x, temperature)
    if x.size >= LARGE:
        return _result(rowwise(_log_softmax_rows, axis, y), x)
    y = _shift(y, axis)
    y -= np.log(summed(np.exp(y), axis))
    return _result(y, x)


def _log_softmax_rows(x: Any, y: Any, axis: int) -> None:
    _shift(x, axis, y)
    y -= np.log(summed(np.exp(y), axis))


def log_softmax_grad(out_grad: Any, log_p: Any, *, axis: int) -> Any:
    """The cotangent before a log_softmax: ``out_grad - exp(log_p) * sum(out_grad)``."""
    if is_half(log_p.dtype):
        return log_softmax_grad(*_singles(out_grad, log_p), axis=axis).astype(log_p.dtype)
    if log_p.size >= LARGE:
        return rowwise(_log_softmax_grad_rows, axis, out_grad, log_p)
    return out_grad - np.exp(log_p) * summed(out_grad, axis)


def _log_softmax_grad_rows(out_grad: Any, log_p: Any, y: Any, axis: int) -> None:
    np.exp(log_p, out=y)
    y *= summed(out_grad, axis)
    np.subtract(out_grad, y, out=y)


def log_softmax_push(tangent: Any, log_p: Any, *, axis: int) -> Any:
    """The tangent of a log_softmax: that of its input minus ``sum(exp(log_p) * tangent)``."""
    if is_half(log_p.dtype):
        return log_softmax_push(*_singles(tangent, log_p), axis=axis).astype(log_p.dtype)
    if log_p.size >= LARGE:
        return rowwise(_log_softmax_push_rows, axis, tangent, log_p)
    return tangent - sum_products(np.exp(log_p), tangent, axis)


def _log_softmax_push_rows(tangent: Any, log_p: Any, y: Any, axis: int) -> None:
    np.exp(log_p, out=y)
    np.subtract(tangent, sum_products(y, tangent, axis), out=y)


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
            f"label {outside(places, x.shape[1])} is out of range for {x.shape[1]} classes"
            f" (0 to {x.shape[1] - 1})"
        )
    picked = np.take_along_axis(log_softmax(x), places[:, None], 1)
    return -summed(picked, None, False).reshape(1).astype(x.dtype, copy=False)


# -------------------------------------------------------------------------- rectifiers


@blockwise
def leaky_relu(x: Any, *, slope: float = 0.25) -> Any:
    # Two clips and a sum take half the time of numpy.where.
    return np.maximum(x, x.dtype.type(0)) + np.minimum(x, x.dtype.type(0)) * x.dtype.type(slope)


@blockwise
def leaky_relu_slope(x: Any, *, slope: float) -> Any:
    """1 where x is positive, `slope` elsewhere."""
    positive = (x > 0).astype(x.dtype)
    return positive + (x.dtype.type(1) - positive) * x.dtype.type(slope)


def gamma_shape(gamma: tuple[int, ...], x: tuple[int, ...]) -> tuple[int, ...]:
    """How a `gamma` of one value, or of one for each channel (axis 1), lies along x."""
    if len(gamma) != 1 or (gamma[0] != 1 and gamma[0] != x[min(1, len(x) - 1)]):
        raise ValueError(f"gamma of shape {gamma} needs one value, or one per channel of x {x}")
    return gamma if len(x) < 2 else (1, gamma[0], *(1,) * (len(x) - 2))


def prelu(x: Any, gamma: Any) -> Any:
    """x where positive, gamma x elsewhere."""
    slope = gamma.reshape(gamma_shape(gamma.shape, x.shape))
    return np.maximum(x, 0) + np.minimum(x, 0) * slope


@blockwise
def elu(x: Any, *, slope: float = 0.25) -> Any:
    return np.maximum(x, 0) + x.dtype.type(slope) * np.expm1(np.minimum(x, 0))


@blockwise
def selu(x: Any) -> Any:
    kind = x.dtype.type
    below = kind(SELU_SCALE * SELU_ALPHA) * np.expm1(np.minimum(x, 0))
    return np.maximum(x, 0) * kind(SELU_SCALE) + below


@blockwise
def gelu(x: Any) -> Any:
    """x times the probability that a normal variable is below it."""
    y = erf(x * x.dtype.type(sqrt(0.5)))
    y += x.dtype.type(1)
    y *= x.dtype.type(0.5)  # before multiplying by x, which may be large
    y *= x
    return y


@blockwise
def gelu_slope(x: Any) -> Any:
    """The derivative of `gelu`: the normal distribution function plus x times its density."""
    kind = x.dtype.type
    density = np.exp(np.square(x) * kind(-0.5)) * kind(1 / sqrt(2 * pi))
    return (erf(x * kind(sqrt(0.5))) + kind(1)) * kind(0.5) + x * density


@blockwise
def hard_sigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    # out= avoids a scalar if x has no axes
    y = np.multiply(x, x.dtype.type(alpha), out=np.empty_like(x))
    y += x.dtype.type(beta)
    return np.clip(y, 0, 1, out=y)


@blockwise
def smooth_l1(x: Any, *, scalar: float = 1.0) -> Any:
    """(scalar x)**2 / 2 up to 1 / scalar**2, then |x| - 1 / (2 scalar**2)."""
    if x.dtype.kind in "iu":
        return smooth_l1(x.astype(np.float64), scalar=scalar).astype(x.dtype)
    kind, square = x.dtype.type, float(scalar) ** 2
    if square == 0:
        return x * kind(0)
    near = np.clip(x, kind(-1 / square), kind(1 / square))
    return (x - near * kind(0.5)) * (near * kind(square))
