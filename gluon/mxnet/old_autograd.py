"""``mxnet.contrib.autograd``: the old functions, which switch recording and training together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import autograd
from .._core.errors import a_type
from ..nd import NDArray, zeros_like
from .helpers.errors import CheckError, of_other_type

__all__ = [
    "TrainingStateScope",
    "backward",
    "compute_gradient",
    "grad",
    "grad_and_loss",
    "mark_variables",
    "set_is_training",
    "test_section",
    "train_section",
]


def set_is_training(is_train: bool) -> bool:
    """Switch recording and training mode on or off; return whether recording was on."""
    autograd.set_training(is_train)
    return autograd.set_recording(is_train)


class TrainingStateScope:
    """Context manager that switches recording and training mode."""

    def __init__(self, enter_state: bool) -> None:
        self._enter_state = enter_state
        self._prev: bool | None = None

    def __enter__(self) -> None:
        self._prev = set_is_training(self._enter_state)

    def __exit__(self, *exc: object) -> None:
        if self._prev is not None and self._prev != self._enter_state:
            set_is_training(self._prev)


def train_section() -> TrainingStateScope:
    """Context manager that records, in training mode."""
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """Context manager that does not record, in predict mode."""
    return TrainingStateScope(False)


def mark_variables(
    variables: Sequence[NDArray], gradients: Sequence[NDArray], grad_reqs: Any = "write"
) -> None:
    """Set the arrays for gradients; see `gluon.autograd.mark_variables`."""
    autograd.mark_variables(list(variables), list(gradients), grad_reqs)


def backward(
    outputs: Sequence[NDArray], out_grads: Sequence[Any] | None = None, retain_graph: bool = False
) -> None:
    """Compute the gradients of arrays with respect to the marked ones."""
    if not isinstance(outputs, (list, tuple)):
        raise of_other_type("outputs", outputs, "a list of arrays")
    autograd.backward(list(outputs), out_grads and list(out_grads), retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """`backward` under its old name."""
    backward(outputs)


def grad_and_loss(
    func: Callable[..., Any], argnum: int | list[int] | None = None
) -> Callable[..., Any]:
    """Return a function that computes the gradients of the arguments, and the result."""

    @functools.wraps(func)
    def wrapped(*args: Any) -> tuple[list[NDArray], Any]:
        chosen = range(len(args)) if argnum is None else argnum
        places = [chosen] if isinstance(chosen, int) else chosen
        variables = [args[place] for place in places]
        for one in variables:
            if not isinstance(one, NDArray):
                raise CheckError(f"an argument is {a_type(one)}, not an NDArray")
        grads = [zeros_like(one) for one in variables]
        mark_variables(variables, grads)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return grads, outputs

    return wrapped


def grad(func: Callable[..., Any], argnum: int | list[int] | None = None) -> Callable[..., Any]:
    """Return a function that computes the gradients of the arguments."""
    both = grad_and_loss(func, argnum)

    @functools.wraps(both)
    def wrapped(*args: Any) -> list[NDArray]:
        return both(*args)[0]

    return wrapped
