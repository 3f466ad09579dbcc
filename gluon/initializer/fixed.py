"""Initializers without random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._core.engine.inplace import writable
from .._core.errors import ArgumentError
from .._core.kernels.memory import on_host
from ..nd import NDArray
from .base import Initializer, alias, register


@register
@alias("zeros")
class Zero(Initializer):
    """Fills arrays with zeros.

    Examples
    --------
    >>> from gluon import Parameter, init
    >>> shift = Parameter("shift", shape=(2,), init=init.Zero())
    >>> shift.initialize()
    >>> shift.data().asnumpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__()

    _init_weight = Initializer._init_zero


@register
@alias("ones")
class One(Initializer):
    """Fills arrays with ones.

    Examples
    --------
    >>> from gluon import Parameter, init
    >>> gain = Parameter("gain", shape=(2,), init=init.One())
    >>> gain.initialize()
    >>> gain.data().asnumpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__()

    _init_weight = Initializer._init_one


@register
class Constant(Initializer):
    """Fills arrays with a value, or with values that broadcast to the array.

    Parameters
    ----------
    value : float, or array-like of the shape of the parameter

    Examples
    --------
    >>> from gluon import init, nd
    >>> weight = nd.zeros((2, 3))
    >>> init.Constant([1, 2, 3])("weight", weight)
    >>> weight.asnumpy()
    array([[1., 2., 3.],
           [1., 2., 3.]], dtype=float32)
    """

    def __init__(self, value: Any) -> None:
        plain = value.tolist() if isinstance(value, (NDArray, np.ndarray)) else value
        super().__init__(value=plain)
        self.value = value

    def _init_weight(self, name: str, arr: NDArray) -> None:
        given = self.value
        value = on_host(given.raw) if isinstance(given, NDArray) else np.asarray(given)
        try:
            writable(arr)[...] = value
        except ValueError:
            raise ArgumentError(
                f"Constant: a value of shape {value.shape} does not broadcast to {arr.shape}, the"
                f" shape of {str(name)!r}"
            ) from None


@register
class Bilinear(Initializer):
    """Fills the weight of a deconvolution that upsamples bilinearly.

    Examples
    --------
    >>> from gluon import init, nd
    >>> weight = nd.zeros((1, 1, 4, 4))
    >>> init.Bilinear()("up_weight", weight)
    >>> weight[0, 0].asnumpy()
    array([[0.0625, 0.1875, 0.1875, 0.0625],
           [0.1875, 0.5625, 0.5625, 0.1875],
           [0.1875, 0.5625, 0.5625, 0.1875],
           [0.0625, 0.1875, 0.1875, 0.0625]], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) != 4:
            raise ArgumentError(f"Bilinear needs a weight of 4 axes; {name!r} has {arr.shape}")
        factor = math.ceil(arr.shape[3] / 2)
        centre = (2 * factor - 1 - factor % 2) / (2 * factor)
        rows, columns = (1 - abs(np.arange(n) / factor - centre) for n in arr.shape[2:])
        writable(arr)[...] = rows[:, None] * columns


@register
class LSTMBias(Initializer):
    """Fills the bias of an LSTM with zeros, and `forget_bias` for the forget gate.

    Parameters
    ----------
    forget_bias : float, default 1

    Examples
    --------
    >>> from gluon import init, nd
    >>> bias = nd.zeros((8,))
    >>> init.LSTMBias()(init.InitDesc("bias", {"__init__": init.LSTMBias().dumps()}), bias)
    >>> bias.asnumpy()
    array([0., 0., 1., 1., 0., 0., 0., 0.], dtype=float32)
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        quarter = arr.shape[0] // 4
        arr[:] = 0
        arr[quarter : 2 * quarter] = self.forget_bias
