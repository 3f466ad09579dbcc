"""Activations: each follows the formula in ONNX's documentation."""

from __future__ import annotations

from typing import Any

from ... import np, npx
from ..._core.engine.op import RECORDED as ops
from .table import FUNCTIONS, axis_of, implements, over

FUNCTIONS |= {
    "Relu": npx.relu,
    "Sigmoid": npx.sigmoid,
    "Softplus": ops.softrelu,
    "Softsign": ops.softsign,
}


@implements
def LeakyRelu(X: Any, *, alpha: float = 0.01) -> Any:
    return np.where(X < 0, X * alpha, X)


@implements
def PRelu(X: Any, slope: Any) -> Any:
    return np.where(X < 0, X * slope, X)


@implements
def Elu(X: Any, *, alpha: float = 1.0) -> Any:
    return np.where(X < 0, np.expm1(np.minimum(X, 0)) * alpha, X)


@implements
def Celu(X: Any, *, alpha: float = 1.0) -> Any:
    return np.maximum(X, 0) + np.expm1(np.minimum(X, 0) / alpha) * alpha


@implements
def Selu(X: Any, *, alpha: float = 1.6732632423543772, gamma: float = 1.0507009873554805) -> Any:
    return np.where(X <= 0, np.expm1(np.minimum(X, 0)) * alpha, X) * gamma


@implements
def Gelu(X: Any, *, approximate: str = "none") -> Any:
    if approximate == "tanh":
        return X * 0.5 * (np.tanh((X + X * X * X * 0.044715) * (2 / np.pi) ** 0.5) + 1)
    return X * 0.5 * (npx.erf(X * 0.5**0.5) + 1)


@implements
def HardSigmoid(X: Any, *, alpha: float = 0.2, beta: float = 0.5) -> Any:
    return np.clip(X * alpha + beta, 0, 1)


@implements
def HardSwish(X: Any) -> Any:
    return X * HardSigmoid(X, alpha=1 / 6)


@implements
def Mish(X: Any) -> Any:
    return X * np.tanh(ops.softrelu(X))


@implements
def Swish(X: Any, *, alpha: float = 1.0) -> Any:
    return X * npx.sigmoid(X * alpha)


@implements
def SwiGLU(A: Any, B: Any, *, alpha: float = 1.0) -> Any:
    return Swish(A, alpha=alpha) * B


@implements
def Shrink(input: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    zero = np.zeros_like(input)
    above = np.where(input > lambd, input - bias, zero)
    return np.where(input < -lambd, input + bias, above).astype(input.dtype, copy=False)


@implements
def ThresholdedRelu(X: Any, *, alpha: float = 1.0) -> Any:
    return np.where(alpha < X, X, np.zeros_like(X))


@implements
def Softmax(input: Any, *, axis: int = -1) -> Any:
    return npx.softmax(input, axis=axis)


@implements
def LogSoftmax(input: Any, *, axis: int = -1) -> Any:
    return npx.log_softmax(input, axis=axis)


@implements
def Softmax_1(input: Any, *, axis: int = 1) -> Any:
    """Softmax before opset 13: over all axes from `axis` on."""
    return npx.softmax(_flat(input, axis), axis=-1).reshape(input.shape)


@implements
def LogSoftmax_1(input: Any, *, axis: int = 1) -> Any:
    """LogSoftmax before opset 13: over all axes from `axis` on."""
    return npx.log_softmax(_flat(input, axis), axis=-1).reshape(input.shape)


def _flat(x: Any, axis: int) -> Any:
    return x.reshape((*x.shape[: axis_of(axis, x.ndim)], -1))


@implements
def Hardmax(input: Any, *, axis: int = -1) -> Any:
    places = np.arange(input.shape[axis])
    largest = np.expand_dims(np.argmax(input, axis), axis)
    return np.equal(over(input, places, axis), largest).astype(input.dtype)


@implements
def Hardmax_1(input: Any, *, axis: int = 1) -> Any:
    """Hardmax before opset 13: over all axes from `axis` on."""
    return Hardmax(_flat(input, axis)).reshape(input.shape)
