"""What a `GradManager` accepts from its user."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..engine.array import Array
from ..engine.errors import ArgumentError, DTypeError
from ..engine.node import Variable


class AttachError(DTypeError, AssertionError):
    """What cannot be attached to a manager; MegEngine refuses it by an ``assert``."""


Callback = Callable[[Any, Any], Any]


class Awaited:
    """A gradient that a callback returns before it is there; `wait` gives it."""

    def wait(self) -> Any:
        """The gradient."""
        raise NotImplementedError(f"{type(self).__name__} must define wait")


def checked_tensors(tensors: Any) -> list[Array]:
    """What ``attach`` was given, as a list of arrays that can have gradients."""
    if not isinstance(tensors, (Array, Iterable)):
        raise DTypeError(f"attach: give arrays, not a {type(tensors).__name__}")
    arrays = [tensors] if isinstance(tensors, Array) else list(tensors)
    for k, tensor in enumerate(arrays):
        if not isinstance(tensor, Array):
            raise AttachError(
                f"attach: item {k} is a {type(tensor).__name__}, not an array; wrap values in"
                " nd.array(...), and for parameters give their data()"
            )
        if tensor.raw.dtype.kind in "biuc":  # bfloat16 is of kind "V"
            raise AttachError(
                f"attach: item {k}, of shape {tensor.raw.shape}, has dtype {tensor.raw.dtype},"
                " which has no gradient; attach x.astype('float32') and compute from that"
            )
    return arrays


def checked_callbacks(callbacks: Any) -> list[Callback]:
    """The callbacks that ``attach`` was given, as a list."""
    if callbacks is None:
        return []
    one = callable(callbacks) or not isinstance(callbacks, Iterable)
    functions = [callbacks] if one else list(callbacks)
    for k, function in enumerate(functions):
        if not callable(function):
            raise DTypeError(
                f"attach: callback {k} is a {type(function).__name__}, which cannot be called;"
                " give functions of (tensor, grad) that return a gradient"
            )
    return functions


def checked_gradient(grad: Any, callback: Callback, variable: Variable) -> Array:
    """What `callback` returned, if it can be the gradient of `variable`."""
    name = getattr(callback, "__qualname__", repr(callback))
    if not isinstance(grad, Array):
        raise DTypeError(
            f"callback {name} returned a {type(grad).__name__} for the gradient of a tensor of"
            f" shape {variable.shape}; end it with `return grad`"
        )
    if grad.raw.shape != variable.shape:
        raise ArgumentError(
            f"callback {name} returned a gradient of shape {grad.raw.shape} for a tensor of"
            f" shape {variable.shape}; they must be equal"
        )
    return grad
