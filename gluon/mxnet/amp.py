"""``mxnet.contrib.amp``: scripts that use mixed precision run, and compute in float32."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .._core.errors import ArgumentError
from ..nd import multi_all_finite
from ..parameter import Parameter

__all__ = ["init", "init_trainer", "scale_loss", "unscale"]

#: Whether `init` was called; scripts read it.
_amp_initialized = False


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Any = None,
    conditional_fp32_ops: Any = None,
    fp32_ops: Any = None,
) -> None:
    """Warn that all computations stay in float32, which is faster on the CPU."""
    name = str(getattr(target_dtype, "__name__", target_dtype))
    if name not in ("float16", "bfloat16"):
        raise ArgumentError(f"amp.init: target_dtype={name!r} is not one of 'float16', 'bfloat16'")
    global _amp_initialized
    _amp_initialized = True
    warnings.warn(
        f"amp.init: computations stay in float32, which is faster here than {name}", stacklevel=2
    )


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Set a scaler with factor 1: float32 needs no loss scaling."""
    scaler = LossScaler()
    scaler._loss_scale = scaler._next_loss_scale = scaler._max_loss_scale = 1.0
    optimizer_or_trainer._amp_loss_scaler = scaler
    optimizer_or_trainer._amp_original_scale = optimizer_or_trainer._scale


@contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Any) -> Iterator[Any]:
    """Context manager that returns the loss unchanged."""
    yield loss


def unscale(optimizer_or_trainer: Any) -> None:
    """Do nothing: the gradients are not scaled."""


class LossScaler:
    """Loss scaling: the factor halves on overflow, and doubles after 2,000 steps."""

    _max_loss_scale = 2.0**24
    _scale_seq_len = 2000

    def __init__(self) -> None:
        self._loss_scale = self._next_loss_scale = 2.0**16
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The current factor."""
        return self._loss_scale

    def has_overflow(self, params: Iterable[Parameter]) -> bool:
        """Whether a gradient is infinite or NaN; sets the factor of the next step."""
        grads = [one.list_grad()[0] for one in params if one.grad_req != "null"]
        overflow = not bool(multi_all_finite(*grads).asscalar())
        self._loss_scale = self._next_loss_scale
        self._unskipped = 0 if overflow else self._unskipped + 1
        if overflow:
            self._next_loss_scale = self._loss_scale / 2
        elif self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2)
        return overflow
