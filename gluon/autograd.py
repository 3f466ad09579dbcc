"""Automatic differentiation: record, mark, differentiate, and define your own functions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from .engine import anomaly
from .engine import backward as engine
from .engine.array import Array
from .engine.errors import ArgumentError, DTypeError
from .engine.mark import mark
from .engine.mode import mode, paused, recording, scope, set_mode
from .engine.tape import AMBIENT, RECORDING
from .function import Function
from .symbol import get_symbol

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]


def _recording() -> dict[str, Any]:
    tapes = mode().tapes
    if AMBIENT in tapes:
        return {}
    return recording((*tapes, AMBIENT) if tapes else RECORDING)


def record(train_mode: bool = True) -> scope:
    """A ``with`` block, or a decorator, in which computations are recorded.

    Parameters
    ----------
    train_mode : bool, default True
        Whether Dropout, BatchNorm and the like behave as in training.

    Returns
    -------
    scope
        To be used in a ``with`` statement or as a decorator, any number of times.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2, 3])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    <BLANKLINE>
    [2. 4. 6.]
    <NDArray 3 @cpu(0)>
    """
    return scope(lambda: {**_recording(), "training": bool(train_mode)})


def pause(train_mode: bool = False) -> scope:
    """A ``with`` block, or a decorator, in which nothing is recorded, by managers neither.

    Parameters
    ----------
    train_mode : bool, default False
        Whether Dropout, BatchNorm and the like behave as in training.

    Returns
    -------
    scope
        To be used in a ``with`` statement or as a decorator, any number of times.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.record():
    ...     with autograd.pause():
    ...         print(autograd.is_recording())
    False
    """
    return scope(lambda: {**paused(), "training": bool(train_mode)})


def train_mode() -> scope:
    """A ``with`` block, or a decorator, in training mode; recording stays as it is.

    Returns
    -------
    scope
        To be used in a ``with`` statement or as a decorator, any number of times.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.train_mode():
    ...     print(autograd.is_training())
    True
    """
    return scope(lambda: {"training": True})


def predict_mode() -> scope:
    """A ``with`` block, or a decorator, in prediction mode; recording stays as it is.

    Returns
    -------
    scope
        To be used in a ``with`` statement or as a decorator, any number of times.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.predict_mode():
    ...     print(autograd.is_training())
    False
    """
    return scope(lambda: {"training": False})


def detect_anomaly() -> AbstractContextManager[None]:
    """A ``with`` block, or a decorator, in which NaN and infinity are found where they arise.

    Every recorded value and every gradient is looked at, which takes time: use it to search.
    Whatever is recorded inside keeps the line that called for it, also for a backward pass that
    comes later, in another block.

    Returns
    -------
    context manager
        For this thread or asyncio task; blocks may be nested.

    Raises
    ------
    AnomalyError
        Inside, if a recorded value is NaN, or infinite where no input is, or if a gradient is
        NaN or infinite. The message names the operator, its inputs with their shapes, and the
        line of the program that called it.

    Examples
    --------
    >>> import numpy
    >>> from gluon import autograd, nd
    >>> x = nd.array([4, 0])
    >>> x.attach_grad()
    >>> with autograd.detect_anomaly(), numpy.errstate(divide="ignore"):
    ...     with autograd.record():
    ...         y = x.sqrt()
    ...     y.backward()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gluon.engine.errors.AnomalyError: the gradient with respect to x has infinity in 1 of 2 ...
    """
    return anomaly.detecting()


def is_recording() -> bool:
    """Whether computations are recorded now, by `record` or by a ``GradManager``.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.record():
    ...     print(autograd.is_recording())
    True
    """
    return bool(mode().tapes)


def is_training() -> bool:
    """Whether operators behave as in training now.

    Returns
    -------
    bool

    Examples
    --------
    >>> from gluon import autograd
    >>> autograd.is_training()
    False
    """
    return mode().training


def set_recording(is_recording: bool) -> bool:
    """Switch recording on or off in this thread or task.

    Parameters
    ----------
    is_recording : bool
        False silences every tape; True brings back those silenced, and ``autograd``'s own.

    Returns
    -------
    bool
        The state before.

    Examples
    --------
    >>> from gluon import autograd
    >>> before = autograd.set_recording(True)
    >>> before, autograd.set_recording(before)
    (False, True)
    """
    now = mode()
    if not is_recording:
        set_mode(now._replace(**paused()))
    elif AMBIENT not in now.tapes:
        tapes = tuple(tape for tape in now.tapes or now.held if tape.open and tape is not AMBIENT)
        set_mode(now._replace(**recording((*tapes, AMBIENT) if tapes else RECORDING), held=()))
    return bool(now.tapes)


def set_training(train_mode: bool) -> bool:
    """Switch training mode on or off in this thread or task.

    Parameters
    ----------
    train_mode : bool
        Whether Dropout, BatchNorm and the like behave as in training.

    Returns
    -------
    bool
        The state before.

    Examples
    --------
    >>> from gluon import autograd
    >>> before = autograd.set_training(True)
    >>> before, autograd.set_training(before)
    (False, True)
    """
    now = mode()
    set_mode(now._replace(training=bool(train_mode)))
    return now.training


def _as_list(value: Any, what: str) -> list:
    arrays = list(value) if isinstance(value, (list, tuple)) else [value]
    for array in arrays:
        if not isinstance(array, Array):
            raise DTypeError(
                f"{what} must be an NDArray or a list of NDArrays; got {type(array).__name__}"
            )
    return arrays


def _head_grads(head_grads: Any, count: int) -> list:
    if head_grads is None:
        return [None] * count
    return list(head_grads) if isinstance(head_grads, (list, tuple)) else [head_grads]


def mark_variables(
    variables: Any, gradients: Any, grad_reqs: str | Sequence[str] = "write"
) -> None:
    """Make arrays variables whose gradients `backward` writes into given buffers.

    Parameters
    ----------
    variables : NDArray or list of NDArray
    gradients : NDArray or list of NDArray
        One for each variable, of the same shape.
    grad_reqs : {'write', 'add', 'null'}, or a list of one for each variable
        Replace the gradient, add to it, or leave it alone.

    Raises
    ------
    ValueError
        If the counts or shapes differ, or a request is unknown.
    TypeError
        If something is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x, dx = nd.array([3]), nd.zeros((1,))
    >>> autograd.mark_variables([x], [dx], "add")
    >>> for _ in range(2):
    ...     with autograd.record():
    ...         y = x * x
    ...     y.backward()
    >>> dx.item()
    12.0
    """
    arrays = _as_list(variables, "mark_variables: variables")
    grads = _as_list(gradients, "mark_variables: gradients")
    reqs = [grad_reqs] * len(arrays) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(arrays) == len(grads) == len(reqs):
        raise ArgumentError(
            f"mark_variables: {len(arrays)} variables, {len(grads)} gradients and {len(reqs)}"
            " requests; give one of each for every variable"
        )
    for array, grad, req in zip(arrays, grads, reqs):
        mark(array, grad, req)


def backward(
    heads: Any, head_grads: Any = None, retain_graph: bool = False, train_mode: bool = True
) -> None:
    """Compute the gradients of `heads` and hand them to the variables that were marked.

    Parameters
    ----------
    heads : NDArray or list of NDArray
    head_grads : NDArray, list of (NDArray or None), or None
        The cotangent of each head, of its shape; ones where None.
    retain_graph : bool, default False
        Keep the graph, to be walked again; otherwise it is freed on the way.
    train_mode : bool, default True
        What `is_training` says meanwhile.

    Raises
    ------
    AutogradError
        If a head has no recorded history; the message says why and what to do.
    ValueError
        If a head gradient has not the shape of its head.
    TypeError
        If a head or head gradient is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([1, 2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y, z = x * x, 3 * x
    >>> autograd.backward([y, z], [nd.array([1, 10]), None])
    >>> x.grad.asnumpy().tolist()
    [5.0, 43.0]
    """
    arrays = _as_list(heads, "backward: heads")
    if not arrays:
        raise ArgumentError("backward: give at least one head")
    engine.backward(arrays, _head_grads(head_grads, len(arrays)), retain_graph, train_mode)


def grad(
    heads: Any,
    variables: Any,
    head_grads: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> Any:
    """The gradients of `heads` with respect to `variables`, as new arrays.

    Parameters
    ----------
    heads : NDArray or list of NDArray
    variables : NDArray or list of NDArray
        Marked arrays, or any array on the way from them to the heads.
    head_grads : NDArray, list of (NDArray or None), or None
        The cotangent of each head, of its shape; ones where None.
    retain_graph : bool, optional
        Keep the graph, to be walked again; by default what `create_graph` says.
    create_graph : bool, default False
        Record the computation of the gradients, so that they can be differentiated again.
    train_mode : bool, default True
        What `is_training` says meanwhile.

    Returns
    -------
    NDArray or list of NDArray
        One for each variable, of its shape and dtype; a list if `variables` is one.

    Raises
    ------
    AutogradError
        If a head or a variable has no history, or a variable does not reach the heads.
    ValueError
        If a head gradient has not the shape of its head, or no variable is given.
    TypeError
        If something is not an array.

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> x = nd.array([2])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = x * x * x
    ...     dy = autograd.grad(y, x, create_graph=True)
    >>> dy.backward()
    >>> dy.item(), x.grad.item()
    (12.0, 12.0)
    """
    arrays = _as_list(heads, "grad: heads")
    targets = _as_list(variables, "grad: variables")
    if not arrays or not targets:
        raise ArgumentError("grad: give at least one head and one variable")
    results = engine.grad(
        arrays,
        targets,
        _head_grads(head_grads, len(arrays)),
        create_graph if retain_graph is None else retain_graph,
        create_graph,
        train_mode,
    )
    return results if isinstance(variables, (list, tuple)) else results[0]
