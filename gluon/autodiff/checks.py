"""Checks of the arguments of a `GradManager`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .._core.engine.array import Array
from .._core.engine.node import Variable
from .._core.errors import ArgumentError, DTypeError, a_type


class AttachError(DTypeError, AssertionError):
    """An object cannot be attached to a manager; MegEngine raises an AssertionError."""


Callback = Callable[[Any, Any], Any]


class Awaited:
    """A gradient that a callback returns before it is available; `wait` returns it."""

    def wait(self) -> Any:
        """The gradient."""
        raise NotImplementedError(f"{type(self).__name__} must define wait")


class Beginning:
    """A callback that is called during the backward pass, where that is possible."""

    def begin(self, tensors: list[Array]) -> Callback | None:
        """The function to call instead in one backward pass, with each gradient once it is final.

        It must not change the manager or `tensors`, all that are attached. None where there is no
        need: then this callback is called after the pass.
        """
        raise NotImplementedError(f"{type(self).__name__} must define begin")


def checked_tensors(tensors: Any) -> list[Array]:
    """The argument of ``attach``, as a list of arrays that can have gradients."""
    if hasattr(tensors, "collect_params"):  # a block
        tensors = tensors.collect_params()
    if hasattr(tensors, "list_data") or isinstance(tensors, Array):
        tensors = [tensors]
    elif hasattr(tensors, "values"):
        tensors = tensors.values()
    if not isinstance(tensors, Iterable):
        raise DTypeError(
            f"attach: give arrays, Parameters or a block, not {a_type(tensors)}"
            + "; give its parameters()" * hasattr(tensors, "parameters")
        )
    arrays = [array for one in tensors for array in _arrays(one)]
    for k, tensor in enumerate(arrays):
        if not isinstance(tensor, Array):
            raise AttachError(
                f"attach: item {k} is {a_type(tensor)}, not an array or a Parameter; wrap"
                " values in nd.array(...)"
            )
        if tensor.form.dtype.kind in "biuc":  # bfloat16 is of kind "V"
            raise AttachError(
                f"attach: item {k}, of shape {tensor.shape}, has dtype {tensor.form.dtype},"
                " which has no gradient; attach x.astype('float32') and compute from that"
            )
    return arrays


def _arrays(item: Any) -> list[Any]:
    """Return the arrays of a Parameter that has a gradient; return anything else unchanged."""
    if not hasattr(item, "list_data"):
        return [item]
    return [] if item.grad_req == "null" else item.list_data()


def checked_callbacks(callbacks: Any) -> list[Callback]:
    """The callbacks that ``attach`` was given, as a list."""
    if callbacks is None:
        return []
    one = callable(callbacks) or not isinstance(callbacks, Iterable)
    functions = [callbacks] if one else list(callbacks)
    for k, function in enumerate(functions):
        if not callable(function):
            raise DTypeError(
                f"attach: callback {k} is {a_type(function)}, which cannot be called;"
                " give functions of (tensor, grad) that return a gradient"
            )
    return functions


def checked_gradient(grad: Any, callback: Callback, variable: Variable) -> Array:
    """What `callback` returned, if it can be the gradient of `variable`."""
    name = getattr(callback, "__qualname__", repr(callback))
    if not isinstance(grad, Array):
        raise DTypeError(
            f"callback {name} returned {a_type(grad)} for the gradient of a tensor of"
            f" shape {variable.shape}; end it with `return grad`"
        )
    if grad.shape != variable.shape:
        raise ArgumentError(
            f"callback {name} returned a gradient of shape {grad.shape} for a tensor of"
            f" shape {variable.shape}; they must be equal"
        )
    return grad
