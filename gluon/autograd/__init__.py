"""Automatic differentiation: record, differentiate, and define custom functions."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .check import gradcheck, gradgradcheck
from .checkpointing import checkpoint
from .function import Function
from .functional import hessian, hvp, jacobian, jvp, value_and_grad, vjp
from .gradients import backward, grad, mark_variables
from .recording import (
    detect_anomaly,
    is_recording,
    is_training,
    pause,
    predict_mode,
    record,
    set_recording,
    set_training,
    train_mode,
)

__all__ = [
    "Function",
    "backward",
    "checkpoint",
    "detect_anomaly",
    "get_symbol",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "hessian",
    "hvp",
    "is_recording",
    "is_training",
    "jacobian",
    "jvp",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
    "value_and_grad",
    "vjp",
]

if _typing.TYPE_CHECKING:
    from ..symbol import get_symbol
else:  # so that type checkers report wrong names
    _refuse = _hinting(__name__, __all__)

    def __getattr__(name):
        if name == "get_symbol":  # imported when it is first used, together with symbols
            from ..symbol import get_symbol

            return get_symbol
        return _refuse(name)
