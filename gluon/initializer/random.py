"""Initializers that draw from a distribution."""

from __future__ import annotations

import math

import numpy as np

from .._core.engine.inplace import writable
from .._core.errors import ArgumentError, DTypeError
from .._core.kernels.generator import generator
from .._core.kernels.memory import on_host
from ..nd import NDArray
from .base import Initializer, register


def _uniform(init: Initializer, arr: NDArray, scale: float) -> None:
    """Fill `arr` with samples of the uniform distribution on ``[-scale, scale)``."""
    _needs_floats(init, arr)
    writable(arr)[...] = generator().uniform(-scale, scale, arr.shape)


def _normal(init: Initializer, arr: NDArray, scale: float) -> None:
    """Fill `arr` with samples of the normal distribution with standard deviation `scale`."""
    _needs_floats(init, arr)
    writable(arr)[...] = generator().normal(0, scale, arr.shape)


def _needs_floats(init: Initializer, arr: NDArray) -> None:
    if arr.form.dtype.kind in "biu":
        raise DTypeError(f"{type(init).__name__}: samples cannot be {arr.form.dtype}; use floats")


@register
class Uniform(Initializer):
    """Draws values from the uniform distribution on ``[-scale, scale)``.

    Parameters
    ----------
    scale : float, default 0.07

    Examples
    --------
    >>> from gluon import init, nd
    >>> weight = nd.zeros((10, 10))
    >>> init.Uniform(0.1)("weight", weight)
    >>> float(abs(weight).max().asscalar()) <= 0.1
    True
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name: str, arr: NDArray) -> None:
        _uniform(self, arr, self.scale)


@register
class Normal(Initializer):
    """Draws values from the normal distribution with mean 0 and standard deviation `sigma`.

    Parameters
    ----------
    sigma : float, default 0.01

    Examples
    --------
    >>> from gluon import init, nd, random
    >>> random.seed(1)
    >>> weight = nd.zeros((1000, 50))
    >>> init.Normal(0.1)("weight", weight)
    >>> round(float(weight.asnumpy().std()), 3)
    0.1
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, name: str, arr: NDArray) -> None:
        _normal(self, arr, self.sigma)


@register
class Orthogonal(Initializer):
    """Creates a matrix with orthogonal rows or columns of length `scale`.

    All axes but the first are flattened. See "Exact solutions to the
    nonlinear dynamics of learning in deep linear neural networks", 2013.

    Parameters
    ----------
    scale : float, default 1.414
    rand_type : {'uniform', 'normal'}
        The distribution of the matrix to orthogonalize.

    Examples
    --------
    >>> from gluon import init, nd
    >>> weight = nd.zeros((3, 5))
    >>> init.Orthogonal(scale=2)("weight", weight)
    >>> abs(nd.dot(weight, weight, transpose_b=True)).asnumpy().round(3)
    array([[4., 0., 0.],
           [0., 4., 0.],
           [0., 0., 4.]], dtype=float32)
    """

    rand_type: str
    scale: float

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale, self.rand_type = scale, rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if arr.ndim < 2:
            raise ArgumentError(
                f"Orthogonal needs a weight with at least 2 axes; {str(name)!r} has shape"
                f" {arr.shape}"
            )
        fills = {"uniform": _uniform, "normal": _normal}
        if self.rand_type not in fills:
            raise ArgumentError(
                f"Orthogonal: rand_type {self.rand_type!r} is not uniform or normal"
            )
        fills[self.rand_type](self, arr, 1)
        drawn = on_host(arr.raw).astype("float64").reshape(arr.shape[0], -1)
        u, _, v = np.linalg.svd(drawn, full_matrices=False)
        found = u if u.shape == drawn.shape else v
        writable(arr)[...] = (self.scale * found).reshape(arr.shape)


@register
class Xavier(Initializer):
    """Xavier (Glorot) initialization, which keeps the scale of activations across layers.

    See "Understanding the difficulty of training deep feedforward neural networks", 2010.

    Parameters
    ----------
    rnd_type : {'uniform', 'gaussian'}
    factor_type : {'avg', 'in', 'out'}
        The factor: the number of inputs of a unit, of outputs, or the mean of both.
    magnitude : float, default 3
        ``sqrt(magnitude / factor)`` is the limit of the uniform distribution, or the standard
        deviation of the normal one.

    Examples
    --------
    >>> from gluon import init, nd
    >>> weight = nd.zeros((100, 50))
    >>> init.Xavier()("weight", weight)
    >>> float(abs(weight).max().asscalar()) <= (3 / 75) ** 0.5
    True
    """

    factor_type: str
    magnitude: float
    rnd_type: str

    def __init__(
        self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3
    ) -> None:
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type, self.factor_type, self.magnitude = rnd_type, factor_type, float(magnitude)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        shape = arr.shape
        if len(shape) < 2:
            raise ArgumentError(
                f"Xavier needs a weight with at least 2 axes; {str(name)!r} has shape {shape}."
                " Give that parameter another initializer"
            )
        area = math.prod(shape[2:])
        inputs, outputs = shape[1] * area, shape[0] * area
        factors = {"avg": (inputs + outputs) / 2, "in": inputs, "out": outputs}
        if self.factor_type not in factors:
            raise ArgumentError(f"Xavier: factor_type {self.factor_type!r} is not avg, in or out")
        if self.rnd_type not in ("uniform", "gaussian"):
            raise ArgumentError(f"Xavier: rnd_type {self.rnd_type!r} is not uniform or gaussian")
        fill = _uniform if self.rnd_type == "uniform" else _normal
        fill(self, arr, math.sqrt(self.magnitude / factors[self.factor_type]))


@register
class MSRAPrelu(Xavier):
    """Kaiming (He) initialization, for layers followed by ReLU or leaky ReLU.

    See "Delving deep into rectifiers", 2015.

    Parameters
    ----------
    factor_type : {'avg', 'in', 'out'}
        As in `Xavier`.
    slope : float, default 0.25
        The slope of the rectifier for negative values.

    Examples
    --------
    >>> from gluon import init, nd, random
    >>> random.seed(1)
    >>> weight = nd.zeros((1000, 50))
    >>> init.MSRAPrelu("in", slope=0)("weight", weight)
    >>> round(float(weight.asnumpy().std()), 2), (2 / 50) ** 0.5
    (0.2, 0.2)
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}
