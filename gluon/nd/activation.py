"""`nd`: activations, softmax and special functions."""

from __future__ import annotations

from typing import Any

from ..engine.array import wrap
from ..engine.errors import ArgumentError, DTypeError
from ..engine.mode import mode as now
from ..engine.op import RECORDED as F
from ..engine.op import TABLE
from ..kernels.generator import generator
from ..ndarray import NDArray
from ..ndarray.dtypes import as_dtype
from ._public import choice, public, unary

SPECIAL = "erf erfinv gamma gammaln digamma".split()
globals().update({name: unary(getattr(F, name), TABLE[name].doc) for name in SPECIAL})

ACTIVATIONS = {
    "relu": F.relu,
    "sigmoid": F.sigmoid,
    "softrelu": F.softrelu,
    "softsign": F.softsign,
    "tanh": F.tanh,
}


@public
def Activation(data: NDArray, act_type: str) -> NDArray:
    """An activation function by its name.

    Parameters
    ----------
    data : NDArray
    act_type : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}

    Returns
    -------
    NDArray of the same shape
    """
    choice("Activation", "act_type", act_type, ACTIVATIONS)
    return ACTIVATIONS[act_type](data)


RECTIFIERS = ("elu", "gelu", "leaky", "prelu", "rrelu", "selu")


@public
def LeakyReLU(
    data: NDArray,
    gamma: NDArray | None = None,
    act_type: str = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
) -> NDArray:
    """A rectifier: the values above 0, and something small or smooth below.

    Parameters
    ----------
    data : NDArray
    gamma : NDArray of shape (1,) or (channels,), optional
        The slopes below 0, for ``'prelu'`` only.
    act_type : {'leaky', 'prelu', 'elu', 'selu', 'gelu', 'rrelu'}
    slope : float, default 0.25
        The slope below 0 of ``'leaky'``, the scale of ``'elu'``.
    lower_bound, upper_bound : float
        Between which ``'rrelu'`` draws a slope for each value in training; their mean otherwise.

    Returns
    -------
    NDArray of the same shape

    Raises
    ------
    ArgumentError
        If `gamma` is missing, or given to another type than ``'prelu'``.
    """
    choice("LeakyReLU", "act_type", act_type, RECTIFIERS)
    if (gamma is not None) != (act_type == "prelu"):
        raise ArgumentError(
            f"LeakyReLU: act_type={act_type!r} and gamma {'missing' if gamma is None else 'given'};"
            " gamma belongs to 'prelu', and to no other type"
        )
    if act_type == "prelu":
        return F.prelu(data, gamma)
    if act_type == "rrelu":
        return _randomized(data, lower_bound, upper_bound)
    if act_type in ("leaky", "elu"):
        return {"leaky": F.leaky_relu, "elu": F.elu}[act_type](data, slope=slope)
    return F.selu(data) if act_type == "selu" else F.gelu(data)


def _randomized(data: NDArray, lower: float, upper: float) -> NDArray:
    if not now().training:
        return F.leaky_relu(data, slope=(lower + upper) / 2)
    slopes = generator().uniform(lower, upper, data.shape).astype(data.dtype)
    return F.where(F.greater(data, 0), data, F.multiply(data, wrap(NDArray, slopes)))


def _as(data: NDArray, dtype: Any) -> NDArray:
    return data if dtype is None else F.cast(data, dtype=as_dtype(dtype))


@public
def softmax(
    data: NDArray,
    length: NDArray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
) -> NDArray:
    """``exp(data / temperature)`` divided by its sum along `axis`.

    Parameters
    ----------
    data : NDArray
    length : NDArray of the shape of `data` without `axis`, optional
        How many places of `axis` count, the others give 0; needs ``use_length=True``.
    axis : int, default -1
    temperature : float, default 1
    dtype : str, optional
        Of the result; that of `data` by default.
    use_length : bool, default False

    Returns
    -------
    NDArray of the same shape
    """
    if bool(use_length) != (length is not None):
        raise ArgumentError(
            f"softmax: use_length={use_length} and length {'given' if use_length else 'missing'};"
            " pass both or none"
            if length is None
            else f"softmax: length of shape {length.shape} needs use_length=True"
        )
    data = _as(data, dtype)
    if length is not None:
        return F.masked_softmax(data, length, axis=axis, temperature=temperature)
    return F.softmax(data, axis=axis, temperature=temperature)


@public
def log_softmax(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
) -> NDArray:
    """The logarithm of `softmax`; the parameters are its."""
    _without_length("log_softmax", use_length)
    return F.log_softmax(_as(data, dtype), axis=axis, temperature=temperature)


@public
def softmin(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool = False,
) -> NDArray:
    """The `softmax` of ``-data``; the parameters are its."""
    _without_length("softmin", use_length)
    return F.softmax(F.negative(_as(data, dtype)), axis=axis, temperature=temperature)


def _without_length(name: str, use_length: bool) -> None:
    if use_length:
        raise ArgumentError(f"{name}: use_length is not available; mask the data, or use softmax")


@public
def SoftmaxActivation(data: NDArray, mode: str = "instance") -> NDArray:
    """The softmax over the last axis, or over the channels.

    Parameters
    ----------
    data : NDArray of shape (batch, channels, ...)
    mode : {'instance', 'channel'}

    Returns
    -------
    NDArray of the same shape
    """
    choice("SoftmaxActivation", "mode", mode, ("instance", "channel"))
    return F.softmax(data, axis=1 if mode == "channel" else -1)


@public
def hard_sigmoid(data: NDArray, alpha: float = 0.2, beta: float = 0.5) -> NDArray:
    """``alpha * data + beta`` limited to [0, 1]."""
    return F.hard_sigmoid(data, alpha=alpha, beta=beta)


@public
def smooth_l1(data: NDArray, scalar: float = 1.0) -> NDArray:
    """The absolute value, rounded off to a parabola where it is below ``1 / scalar**2``."""
    return F.smooth_l1(data, scalar=scalar)


@public
def softmax_cross_entropy(data: NDArray, label: NDArray) -> NDArray:
    """The sum over the batch of the cross-entropy of the softmax with the labels.

    Parameters
    ----------
    data : NDArray of shape (batch, classes)
    label : NDArray of shape (batch,)
        The numbers of the classes.

    Returns
    -------
    NDArray of shape (1,)
    """
    if not isinstance(label, NDArray):
        raise DTypeError(f"softmax_cross_entropy: label is a {type(label).__name__}, no NDArray")
    return F.softmax_cross_entropy(data, label)
