"""Initializers: how the first values of parameters are made."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .engine.errors import ArgumentError, DTypeError
from .engine.inplace import writable
from .kernels.generator import generator
from .ndarray import NDArray

__all__ = [
    "Bilinear",
    "Constant",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "MSRAPrelu",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]

#: Every initializer by the names that `create` takes, in lower case.
REGISTRY: dict[str, type[Initializer]] = {}


class InitDesc(str):
    """The name of an array to initialize, with what is known about it.

    Parameters
    ----------
    name : str
    attrs : dict, optional
        ``attrs['__init__']``, an initializer or its description, goes before any rule by name.
    global_init : Initializer, optional
        What to use where nothing else is said.
    """

    attrs: dict[str, Any]
    global_init: Initializer | None

    def __new__(  # noqa: D102
        cls, name: str, attrs: dict[str, Any] | None = None, global_init: Any = None
    ) -> InitDesc:
        made = super().__new__(cls, name)
        made.attrs = attrs or {}
        made.global_init = global_init
        return made


class Initializer:
    """Base of all initializers: called with the name of an array and the array, it fills it.

    The name decides: what ends in ``weight`` is filled by `_init_weight`, which subclasses
    define; ``gamma`` and running variances with ones; ``bias``, ``beta`` and running means with
    zeros. A parameter for which an initializer was chosen is filled by that one's
    `_init_weight`, whatever its name.

    Parameters
    ----------
    **kwargs
        The settings, for `dumps` and for comparing two initializers.

    Examples
    --------
    >>> from gluon import init, nd
    >>> class Tenth(init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = 0.1
    >>> weight = nd.zeros((3,))
    >>> Tenth()("weight", weight)
    >>> weight.asnumpy()
    array([0.1, 0.1, 0.1], dtype=float32)
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def dumps(self) -> str:
        """The initializer as JSON: its name in lower case and its settings."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, desc: str, arr: NDArray) -> None:
        """Fill `arr` as its name says.

        Parameters
        ----------
        desc : str or InitDesc
        arr : NDArray

        Raises
        ------
        ArgumentError
            If the name fits no rule.
        """
        chosen = getattr(desc, "attrs", {}).get("__init__")
        if chosen:
            create(chosen)._init_weight(desc, arr)
            return
        for endings, fill in RULES.items():
            if desc.endswith(endings):
                fill(self, desc, arr)
                return
        self._init_default(desc, arr)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        raise NotImplementedError(f"{type(self).__name__} must define _init_weight(name, arr)")

    def _init_bias(self, name: str, arr: NDArray) -> None:
        arr[:] = 0

    def _init_default(self, name: str, arr: NDArray) -> None:
        raise ArgumentError(
            f"no rule says how to initialize {str(name)!r}: its name does not end in weight,"
            " bias, gamma or beta. Give the parameter an initializer of its own, as in"
            " params.get(name, init='zeros')"
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.dumps() == other.dumps()

    __hash__ = object.__hash__


def _zeros(self: Initializer, name: str, arr: NDArray) -> None:
    arr[:] = 0


def _ones(self: Initializer, name: str, arr: NDArray) -> None:
    arr[:] = 1


#: The end of a name -> how an initializer fills an array with that name.
RULES: dict[Any, Callable] = {
    "weight": lambda init, name, arr: init._init_weight(name, arr),
    "bias": lambda init, name, arr: init._init_bias(name, arr),
    ("gamma", "running_var", "moving_var"): _ones,
    ("beta", "running_mean", "moving_mean", "moving_inv_var", "moving_avg"): _zeros,
}


def register(cls: type[Initializer]) -> type[Initializer]:
    """Make an initializer known to `create` under its name; a class decorator."""
    REGISTRY[cls.__name__.lower()] = cls
    return cls


def alias(*names: str) -> Callable:
    """Make an initializer known to `create` under more names; a class decorator."""

    def add(cls: type[Initializer]) -> type[Initializer]:
        REGISTRY.update({name.lower(): cls for name in names})
        return cls

    return add


def create(initializer: Any, **kwargs: Any) -> Any:
    """An initializer from its name, from what `Initializer.dumps` gave, or as it is.

    Parameters
    ----------
    initializer : str or Initializer
    **kwargs
        Settings of the initializer.

    Raises
    ------
    ArgumentError
        If no initializer has that name.

    Examples
    --------
    >>> from gluon import init
    >>> init.create("normal", sigma=0.1).dumps()
    '["normal", {"sigma": 0.1}]'
    """
    if not isinstance(initializer, str):
        if not callable(initializer):
            raise DTypeError(
                f"an initializer is a name or an Initializer, not {type(initializer).__name__}"
            )
        return initializer
    if initializer.startswith("["):
        initializer, kwargs = json.loads(initializer)
    if initializer.lower() not in REGISTRY:
        raise ArgumentError(
            f"no initializer is called {initializer!r}; there are {', '.join(sorted(REGISTRY))}"
        )
    return REGISTRY[initializer.lower()](**kwargs)


@register
@alias("zeros")
class Zero(Initializer):
    """Zeros."""

    _init_weight = _zeros


@register
@alias("ones")
class One(Initializer):
    """Ones."""

    _init_weight = _ones


@register
class Constant(Initializer):
    """A given value, or given values that broadcast to the array.

    Parameters
    ----------
    value : float, or array-like
    """

    def __init__(self, value: Any) -> None:
        plain = value.tolist() if isinstance(value, (NDArray, np.ndarray)) else value
        super().__init__(value=plain)
        self.value = value

    def _init_weight(self, name: str, arr: NDArray) -> None:
        value = self.value._raw if isinstance(self.value, NDArray) else np.asarray(self.value)
        writable(arr)[...] = value


@register
class Uniform(Initializer):
    """Samples of the uniform distribution on ``[-scale, scale)``.

    Parameters
    ----------
    scale : float, default 0.07
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, name: str, arr: NDArray) -> None:
        writable(arr)[...] = generator().uniform(-self.scale, self.scale, arr.shape)


@register
class Normal(Initializer):
    """Samples of the normal distribution with mean 0 and standard deviation `sigma`.

    Parameters
    ----------
    sigma : float, default 0.01
    """

    def __init__(self, sigma: float = 0.01) -> None:
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, name: str, arr: NDArray) -> None:
        writable(arr)[...] = generator().normal(0, self.sigma, arr.shape)


@register
class Orthogonal(Initializer):
    """A matrix with orthogonal rows or columns, of the length `scale`.

    Parameters
    ----------
    scale : float, default 1.414
    rand_type : {'uniform', 'normal'}
        The distribution of the matrix that is made orthogonal.
    """

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform") -> None:
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale, self.rand_type = scale, rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        rows, columns = arr.shape[0], int(np.prod(arr.shape[1:]))
        draw = generator()
        if self.rand_type == "uniform":
            drawn = draw.uniform(-1, 1, (rows, columns))
        else:
            drawn = draw.normal(0, 1, (rows, columns))
        u, _, v = np.linalg.svd(drawn, full_matrices=False)
        found = u if u.shape == drawn.shape else v
        writable(arr)[...] = (self.scale * found).reshape(arr.shape)


@register
class Xavier(Initializer):
    """Samples whose variance is ``magnitude / factor``, so that layers keep the scale.

    Parameters
    ----------
    rnd_type : {'uniform', 'gaussian'}
    factor_type : {'avg', 'in', 'out'}
        The factor: the number of inputs of a unit, of outputs, or the mean of both.
    magnitude : float, default 3
        The uniform distribution ends at ``sqrt(magnitude / factor)``, the normal one has that
        standard deviation.
    """

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
        scale = math.sqrt(self.magnitude / factors[self.factor_type])
        if self.rnd_type == "uniform":
            writable(arr)[...] = generator().uniform(-scale, scale, shape)
        elif self.rnd_type == "gaussian":
            writable(arr)[...] = generator().normal(0, scale, shape)
        else:
            raise ArgumentError(f"Xavier: rnd_type {self.rnd_type!r} is not uniform or gaussian")


@register
class MSRAPrelu(Xavier):
    """Normal samples of the scale that suits layers followed by (leaky) rectifiers.

    Parameters
    ----------
    factor_type : {'avg', 'in', 'out'}
        As in `Xavier`.
    slope : float, default 0.25
        That of the rectifier for negative values.
    """

    def __init__(self, factor_type: str = "avg", slope: float = 0.25) -> None:
        super().__init__("gaussian", factor_type, 2 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


@register
class Bilinear(Initializer):
    """The weight with which a deconvolution interpolates linearly along both spatial axes."""

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if len(arr.shape) != 4:
            raise ArgumentError(f"Bilinear needs a weight of 4 axes; {name!r} has {arr.shape}")
        factor = math.ceil(arr.shape[3] / 2)
        centre = (2 * factor - 1 - factor % 2) / (2 * factor)
        rows, columns = (1 - abs(np.arange(n) / factor - centre) for n in arr.shape[2:])
        writable(arr)[...] = rows[:, None] * columns


@register
class LSTMBias(Initializer):
    """Zeros, and `forget_bias` for the forget gate: the second quarter.

    Parameters
    ----------
    forget_bias : float, default 1
    """

    def __init__(self, forget_bias: float = 1.0) -> None:
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        quarter = arr.shape[0] // 4
        arr[:] = 0
        arr[quarter : 2 * quarter] = self.forget_bias
