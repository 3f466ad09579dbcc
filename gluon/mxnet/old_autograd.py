"""``mxnet.contrib.autograd``: recording and training mode as one, as they once were."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import autograd
from ..nd import NDArray, zeros_like
from .extra.errors import CheckError, of_other_type

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
    """Switch recording and training mode on or off; whether recording was on.

    Parameters
    ----------
    is_train : bool

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon.mxnet import old_autograd
    >>> old_autograd.set_is_training(True), old_autograd.set_is_training(False)
    (False, True)
    """
    autograd.set_training(is_train)
    return autograd.set_recording(is_train)


class TrainingStateScope:
    """A ``with`` block that is recorded in training mode, or is not.

    Parameters
    ----------
    enter_state : bool

    Examples
    --------
    >>> from gluon import autograd
    >>> from gluon.mxnet import old_autograd
    >>> with old_autograd.TrainingStateScope(True):
    ...     autograd.is_recording(), autograd.is_training()
    (True, True)
    """

    def __init__(self, enter_state: bool) -> None:
        self._enter_state = enter_state
        self._prev: bool | None = None

    def __enter__(self) -> None:
        self._prev = set_is_training(self._enter_state)

    def __exit__(self, *exc: object) -> None:
        if self._prev is not None and self._prev != self._enter_state:
            set_is_training(self._prev)


def train_section() -> TrainingStateScope:
    """A ``with`` block that is recorded, in training mode.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> x = nd.array([1, 2])
    >>> old_autograd.mark_variables([x], [nd.zeros((2,))])
    >>> with old_autograd.train_section():
    ...     y = x * x
    >>> old_autograd.compute_gradient([y])
    >>> x.grad.asnumpy()
    array([2., 4.], dtype=float32)
    """
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """A ``with`` block that is not recorded, in predict mode.

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import autograd
    >>> from gluon.mxnet import old_autograd
    >>> with old_autograd.train_section(), old_autograd.test_section():
    ...     autograd.is_recording()
    False
    """
    return TrainingStateScope(False)


def mark_variables(
    variables: Sequence[NDArray], gradients: Sequence[NDArray], grad_reqs: Any = "write"
) -> None:
    """Say where to put the gradients with respect to arrays; see `gluon.autograd.mark_variables`.

    Parameters
    ----------
    variables, gradients : list of NDArray of any shape and dtype
    grad_reqs : {'write', 'add', 'null'} or list of them

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> x = nd.ones((2,))
    >>> old_autograd.mark_variables([x], [nd.zeros((2,))])
    >>> x.grad.shape
    (2,)
    """
    autograd.mark_variables(list(variables), list(gradients), grad_reqs)


def backward(
    outputs: Sequence[NDArray], out_grads: Sequence[Any] | None = None, retain_graph: bool = False
) -> None:
    """Compute the gradients of arrays with respect to the marked ones.

    Parameters
    ----------
    outputs : list of NDArray of any shape and dtype
    out_grads : list of NDArray of any shape and dtype, or None, optional
        Ones by default.
    retain_graph : bool, default False

    Raises
    ------
    DTypeError
        If `outputs` is not a list.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> x = nd.array([3])
    >>> x.attach_grad()
    >>> with old_autograd.train_section():
    ...     y = x * x
    >>> old_autograd.backward([y], [nd.array([10])])
    >>> x.grad.asnumpy()
    array([60.], dtype=float32)
    """
    if not isinstance(outputs, (list, tuple)):
        raise of_other_type("outputs", outputs, "a list of arrays")
    autograd.backward(list(outputs), out_grads and list(out_grads), retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """`backward` under its old name.

    Parameters
    ----------
    outputs : list of NDArray of any shape and dtype

    Raises
    ------
    DTypeError
        If `outputs` is not a list.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> x = nd.array([3])
    >>> x.attach_grad()
    >>> with old_autograd.train_section():
    ...     y = x * x
    >>> old_autograd.compute_gradient([y])
    >>> x.grad.asnumpy()
    array([6.], dtype=float32)
    """
    backward(outputs)


def grad_and_loss(
    func: Callable[..., Any], argnum: int | list[int] | None = None
) -> Callable[..., Any]:
    """The function that gives the gradients with respect to the arguments, and the result.

    Parameters
    ----------
    func : callable
        Takes arrays and gives one array, or a list of them.
    argnum : int or list of int, optional
        The arguments to differentiate by; all of them by default.

    Returns
    -------
    callable
        Its result is a pair.

    Raises
    ------
    CheckError
        When it is called, if an argument to differentiate by is not an array.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> grads, loss = old_autograd.grad_and_loss(lambda x: x * x)(nd.array([3]))
    >>> grads[0].asnumpy(), loss.asnumpy()
    (array([6.], dtype=float32), array([9.], dtype=float32))
    """

    @functools.wraps(func)
    def wrapped(*args: Any) -> tuple[list[NDArray], Any]:
        chosen = range(len(args)) if argnum is None else argnum
        places = [chosen] if isinstance(chosen, int) else chosen
        variables = [args[place] for place in places]
        for one in variables:
            if not isinstance(one, NDArray):
                raise CheckError(f"an argument is a {type(one).__name__}, not an NDArray")
        grads = [zeros_like(one) for one in variables]
        mark_variables(variables, grads)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return grads, outputs

    return wrapped


def grad(func: Callable[..., Any], argnum: int | list[int] | None = None) -> Callable[..., Any]:
    """The function that gives the gradients with respect to the arguments.

    Parameters
    ----------
    func : callable
        Takes arrays and gives one array, or a list of them.
    argnum : int or list of int, optional
        The arguments to differentiate by; all of them by default.

    Returns
    -------
    callable

    Raises
    ------
    CheckError
        When it is called, if an argument to differentiate by is not an array.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.mxnet import old_autograd
    >>> old_autograd.grad(lambda x: x * x)(nd.array([3]))[0].asnumpy()
    array([6.], dtype=float32)
    """
    both = grad_and_loss(func, argnum)

    @functools.wraps(both)
    def wrapped(*args: Any) -> list[NDArray]:
        return both(*args)[0]

    return wrapped
