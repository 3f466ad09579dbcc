"""Scopes and switches for recording and for training mode."""

from __future__ import annotations

from contextlib import AbstractContextManager
from numbers import Number
from typing import Any

import numpy as np

from .._core.engine.mode import mode, set_mode
from .._core.engine.tape import AMBIENT, RECORDING, Tape
from .._core.errors import DTypeError, a_type
from .._core.instruments import anomaly
from .._core.scopes import scope


def _with_ambient(tapes: tuple[Tape, ...]) -> tuple[Tape, ...]:
    if not tapes:
        return RECORDING
    return tapes if AMBIENT in tapes else (*tapes, AMBIENT)


def _flag(name: str, value: Any) -> bool:
    """Whether `value`, the argument `train_mode` of the function `name`, is true."""
    if not isinstance(value, (Number, np.bool_, type(None))):
        raise DTypeError(
            f"{name}: train_mode is {a_type(value)}; write {name}(), or pass True or False. Arrays"
            " are marked by x.attach_grad()"
        )
    return bool(value)


def record(train_mode: bool = True) -> scope:
    """Context manager and decorator that turns recording on.

    Parameters
    ----------
    train_mode : bool, default True
        Whether layers such as Dropout and BatchNorm are in training mode.

    Returns
    -------
    scope
        For a ``with`` statement or as a decorator; it can be reused.

    Raises
    ------
    DTypeError
        If `train_mode` is not True or False.

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
    training = train_mode if train_mode is True else _flag("record", train_mode)
    return scope(
        lambda now, entry: now.recorded_by(_with_ambient(now.tapes), training, None, entry)
    )


def pause(train_mode: bool = False) -> scope:
    """Context manager and decorator that turns recording off, also of every `GradManager`.

    Parameters
    ----------
    train_mode : bool, default False
        Whether layers such as Dropout and BatchNorm are in training mode.

    Returns
    -------
    scope
        For a ``with`` statement or as a decorator; it can be reused.

    Raises
    ------
    DTypeError
        If `train_mode` is not True or False.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.record():
    ...     with autograd.pause():
    ...         print(autograd.is_recording())
    False
    """
    training = train_mode if train_mode is False else _flag("pause", train_mode)
    return scope(lambda now, entry: now.paused(training, entry))


def train_mode() -> scope:
    """Context manager and decorator that selects training mode; recording is unchanged.

    Returns
    -------
    scope
        For a ``with`` statement or as a decorator; it can be reused.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.train_mode():
    ...     print(autograd.is_training())
    True
    """
    return scope(lambda now, entry: now.trained(True, entry))


def predict_mode() -> scope:
    """Context manager and decorator that selects prediction mode; recording is unchanged.

    Returns
    -------
    scope
        For a ``with`` statement or as a decorator; it can be reused.

    Examples
    --------
    >>> from gluon import autograd
    >>> with autograd.predict_mode():
    ...     print(autograd.is_training())
    False
    """
    return scope(lambda now, entry: now.trained(False, entry))


def detect_anomaly() -> AbstractContextManager[None]:
    """Context manager and decorator that raises where NaN or infinity first occurs.

    It checks every recorded value and every gradient, which takes time: use it for debugging.
    Every operator that is recorded inside remembers the line that called it, also for a later
    backward pass in another block.

    Returns
    -------
    context manager
        For this thread or asyncio task; blocks may be nested.

    Raises
    ------
    AnomalyError
        Inside, if a recorded value is NaN, or infinite although no input is, or if a gradient is
        NaN or infinite. The message names the operator, its inputs with their shapes, and the line
        of the program that called it.

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
    gluon.errors.AnomalyError: the gradient with respect to x has infinity in 1 of 2 ...
    """
    return anomaly.detecting()


def is_recording() -> bool:
    """Whether recording is on, by `record` or by a ``GradManager``.

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
    return any(tape.open for tape in mode().tapes)


def is_training() -> bool:
    """Whether training mode is on.

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
    """Turn recording on or off in this thread or task.

    Parameters
    ----------
    is_recording : bool
        False pauses every tape; True resumes the paused ones, and starts the tape of ``autograd``.

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
        set_mode(now.paused())
    elif AMBIENT not in now.tapes:
        tapes = tuple(tape for tape in now.tapes if tape.open) or now.held
        tapes = tuple(tape for tape in tapes if tape.open and tape is not AMBIENT)
        set_mode(now.recorded_by(_with_ambient(tapes))._replace(held=()))
    return any(tape.open for tape in now.tapes)


def set_training(train_mode: bool) -> bool:
    """Turn training mode on or off in this thread or task.

    Parameters
    ----------
    train_mode : bool
        Whether layers such as Dropout and BatchNorm are in training mode.

    Returns
    -------
    bool
        The state before.

    Raises
    ------
    DTypeError
        If `train_mode` is not True or False.

    Examples
    --------
    >>> from gluon import autograd
    >>> before = autograd.set_training(True)
    >>> before, autograd.set_training(before)
    (False, True)
    """
    now = mode()
    set_mode(now.trained(_flag("set_training", train_mode)))
    return now.training
