"""The shapes of a layer's parameters, found from the operators they go into."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from math import prod
from typing import Any

from .. import nd
from ..ndarray import NDArray
from ..parameter import Parameter

#: Whether blocks are called for the shapes only: see `HybridBlock.infer_shape`.
inferring: ContextVar[bool] = ContextVar("gluon_inferring", default=False)


class Unknown:
    """Stands in for a parameter until an operator says which shape it needs."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def of_shape(self, shape: tuple[int, ...]) -> NDArray:
        """Give the parameter `shape`; returns an array in its place."""
        self.parameter.shape = shape
        return stand_in(self.parameter)


def stand_in(parameter: Parameter) -> NDArray:
    """An array of the shape and dtype of a parameter; ones, with which all operators work."""
    return nd.ones(parameter.shape, dtype=parameter.dtype)


def _fully_connected(data: Any, num_hidden: int, flatten: bool, **_: Any) -> dict:
    features = prod(data.shape[1:]) if flatten else data.shape[-1]
    return {"weight": (num_hidden, features), "bias": (num_hidden,)}


def _channels(data: Any, kernel: tuple, layout: str | None) -> int:
    last = layout is not None and layout.endswith("C")
    if len(data.shape) != len(kernel) + 2:
        raise ValueError(f"data of shape {data.shape} needs {len(kernel) + 2} axes")
    return data.shape[-1 if last else 1]


def _weight(first: int, second: int, kernel: tuple, layout: str | None) -> tuple:
    last = layout is not None and layout.endswith("C")
    return (first, *kernel, second) if last else (first, second, *kernel)


def _convolution(
    data: Any, kernel: Any, num_filter: int, num_group: int, layout: Any = None, **_: Any
) -> dict:
    channels = _channels(data, kernel, layout) // num_group
    return {"weight": _weight(num_filter, channels, kernel, layout), "bias": (num_filter,)}


def _deconvolution(
    data: Any, kernel: Any, num_filter: int, num_group: int, layout: Any = None, **_: Any
) -> dict:
    channels = _channels(data, kernel, layout)
    shape = _weight(channels, num_filter // num_group, kernel, layout)
    return {"weight": shape, "bias": (num_filter,)}


def _along(axis: int | str, *names: str) -> Callable:
    """A rule: each of `names` is a vector along the axis of that number or in that argument."""

    def rule(data: Any, **given: Any) -> dict:
        shape = (data.shape[given[axis] if isinstance(axis, str) else axis],)
        return dict.fromkeys(names, shape)

    return rule


#: Operator -> the shapes of its parameters, from its other arguments.
RULES: dict[str, Callable[..., dict[str, tuple]]] = {
    "FullyConnected": _fully_connected,
    "Convolution": _convolution,
    "Deconvolution": _deconvolution,
    "BatchNorm": _along("axis", "gamma", "beta", "moving_mean", "moving_var"),
    "LayerNorm": _along("axis", "gamma", "beta"),
    "InstanceNorm": _along(1, "gamma", "beta"),
    "LeakyReLU": _along(1, "gamma"),
}


class Inference:
    """`gluon.nd`, where the operators of `RULES` take parameters of unknown shape as well."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(nd, name)
        if name not in RULES:
            return function

        def call(*args: Any, **kwargs: Any) -> Any:
            bound = inspect.signature(function).bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            given.update(given.pop("kwargs", {}))
            if any(isinstance(value, Unknown) for value in given.values()):
                shapes = RULES[name](**given)
                args, kwargs = _filled(shapes, bound.signature, args, kwargs)
            return function(*args, **kwargs)

        return call


def _filled(shapes: dict, signature: inspect.Signature, args: Any, kwargs: Any) -> tuple:
    """The arguments, with arrays of `shapes` in place of unknown parameters."""

    def fill(name: str, value: Any) -> Any:
        return value.of_shape(shapes[name]) if isinstance(value, Unknown) else value

    names = list(signature.parameters)
    return (
        [fill(name, value) for name, value in zip(names, args)],
        {name: fill(name, value) for name, value in kwargs.items()},
    )
