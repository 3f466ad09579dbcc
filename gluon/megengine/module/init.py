"""Initialization of parameters; functions ending in an underscore write to their tensor."""

from __future__ import annotations

import math
from math import prod

from ..._core.errors import ArgumentError
from ..._core.kernels.generator import drawing_alike
from ..functional.creation import full_like
from ..interfaces import cast
from ..random import normal, uniform
from ..tensor import Tensor

__all__ = [
    "calculate_correct_fan",
    "calculate_fan_in_and_fan_out",
    "calculate_gain",
    "fill_",
    "msra_normal_",
    "msra_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]

GAINS = {
    "linear": 1.0,
    "conv1d": 1.0,
    "conv2d": 1.0,
    "conv3d": 1.0,
    "conv_transpose1d": 1.0,
    "conv_transpose2d": 1.0,
    "conv_transpose3d": 1.0,
    "sigmoid": 1.0,
    "tanh": 5 / 3,
    "relu": math.sqrt(2),
}


def fill_(tensor: Tensor, val: float) -> None:
    """Fill a tensor with one value.

    Examples
    --------
    >>> x = Tensor([0.0, 0.0])
    >>> fill_(x, 3)
    >>> x
    Tensor([3. 3.], device=xpux:0)
    """
    tensor._reset(full_like(tensor, val))


def zeros_(tensor: Tensor) -> None:
    """Fill a tensor with zeros.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter([2.0, 3.0])
    >>> init.zeros_(weight)
    >>> weight
    Parameter([0. 0.], device=xpux:0)
    """
    fill_(tensor, 0)


def ones_(tensor: Tensor) -> None:
    """Fill a tensor with ones.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter([2.0, 3.0])
    >>> init.ones_(weight)
    >>> weight
    Parameter([1. 1.], device=xpux:0)
    """
    fill_(tensor, 1)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> None:
    """Fill a tensor with samples of the uniform distribution between `a` and `b`.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.uniform_(weight, -1, 1)
    >>> bool(abs(weight.numpy()).max() <= 1)
    True
    """
    with drawing_alike():
        tensor._reset(cast(uniform(a, b, tensor.shape), tensor.dtype))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> None:
    """Fill a tensor with samples of a normal distribution.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.normal_(weight, 5, 0.1)
    >>> bool(abs(weight.numpy().mean() - 5) < 0.1)
    True
    """
    with drawing_alike():
        tensor._reset(cast(normal(mean, std, tensor.shape), tensor.dtype))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The recommended gain of weights before an activation.

    Parameters
    ----------
    param : float, optional
        The negative slope of ``"leaky_relu"``, 0.01 by default.

    Examples
    --------
    >>> round(calculate_gain("relu") ** 2)
    2
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ArgumentError(f"calculate_gain: the slope {param!r} is not a number")
        return math.sqrt(2 / (1 + slope**2))
    if nonlinearity not in GAINS:
        raise ArgumentError(
            f"calculate_gain: {nonlinearity!r} is not one of {', '.join(GAINS)}, leaky_relu"
        )
    return GAINS[nonlinearity]


def calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[float, float]:
    """The numbers of input and output values per unit (fan in and fan out).

    Parameters
    ----------
    tensor : Tensor of two axes or more, of any dtype
        A tensor of 5 or 6 axes is the weight of a convolution with groups: its first axis is the
        number of groups.

    Examples
    --------
    >>> from gluon.megengine.functional import zeros
    >>> calculate_fan_in_and_fan_out(zeros((4, 3, 2, 2)))
    (12, 16)
    """
    shape = tensor.shape[1:] if tensor.ndim in (5, 6) else tensor.shape
    if len(shape) < 2:
        raise ArgumentError(f"a tensor of shape {tensor.shape} has no fans; give two axes or more")
    field = prod(shape[2:])
    return shape[1] * field, shape[0] * field


def calculate_correct_fan(tensor: Tensor, mode: str) -> float:
    """The fan in or the fan out.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> init.calculate_correct_fan(Parameter([[0.0, 0.0, 0.0]]), "fan_out")
    1
    """
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise ArgumentError(f"mode {mode!r} is neither 'fan_in' nor 'fan_out'")
    return calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def _xavier(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2 / (fan_in + fan_out))


def _msra(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    return calculate_gain(nonlinearity, a) / math.sqrt(calculate_correct_fan(tensor, mode))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> None:
    """Xavier initialization with uniform samples.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.xavier_uniform_(weight)
    >>> bool(abs(weight.numpy()).max() <= (6 / 150) ** 0.5)
    True
    """
    bound = math.sqrt(3) * _xavier(tensor, gain)
    uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Tensor, gain: float = 1.0) -> None:
    """Xavier initialization with normal samples.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.xavier_normal_(weight)
    >>> bool(abs(weight.numpy().var() - 2 / 150) < 0.003)
    True
    """
    normal_(tensor, 0.0, _xavier(tensor, gain))


def msra_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Kaiming (MSRA) initialization with uniform samples.

    Parameters
    ----------
    a : float, default 0
        The negative slope of a leaky rectifier.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.msra_uniform_(weight, nonlinearity="relu")
    >>> bool(abs(weight.numpy()).max() <= (6 / 50) ** 0.5)
    True
    """
    bound = math.sqrt(3) * _msra(tensor, a, mode, nonlinearity)
    uniform_(tensor, -bound, bound)


def msra_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Kaiming (MSRA) initialization with normal samples.

    Parameters
    ----------
    a : float, default 0
        The negative slope of a leaky rectifier.

    Examples
    --------
    >>> import gluon.megengine.functional as F
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.module import init
    >>> weight = Parameter(F.zeros((100, 50)))
    >>> init.msra_normal_(weight, nonlinearity="relu")
    >>> bool(abs(weight.numpy().var() - 2 / 50) < 0.005)
    True
    """
    normal_(tensor, 0.0, _msra(tensor, a, mode, nonlinearity))
