"""``mxnet.contrib.amp``: scripts that use mixed precision run, and compute in float32."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..engine.errors import ArgumentError
from ..nd import multi_all_finite
from ..parameter import Parameter

__all__ = ["init", "init_trainer", "scale_loss", "unscale"]

#: Whether `init` was called: scripts look at it.
_amp_initialized = False


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Any = None,
    conditional_fp32_ops: Any = None,
    fp32_ops: Any = None,
) -> None:
    """Warn that all computations stay in float32, in which they are faster here.

    Parameters
    ----------
    target_dtype : {'float16', 'bfloat16'}
    target_precision_ops, conditional_fp32_ops, fp32_ops
        Taken and of no effect.

    Raises
    ------
    ArgumentError
        If `target_dtype` is another.

    Examples
    --------
    >>> import warnings
    >>> from gluon.mxnet import amp
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     amp.init()
    >>> print(caught[0].message)
    amp.init: computations stay in float32, which is faster here than float16
    """
    name = str(getattr(target_dtype, "__name__", target_dtype))
    if name not in ("float16", "bfloat16"):
        raise ArgumentError(f"amp.init: target_dtype={name!r} is not one of 'float16', 'bfloat16'")
    global _amp_initialized
    _amp_initialized = True
    warnings.warn(
        f"amp.init: computations stay in float32, which is faster here than {name}", stacklevel=2
    )


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Give the trainer a scaler of factor 1: float32 needs no scaling of the loss.

    Parameters
    ----------
    optimizer_or_trainer : Trainer

    Examples
    --------
    >>> from gluon import Trainer, nn
    >>> from gluon.mxnet import amp
    >>> net = nn.Dense(1, in_units=2)
    >>> net.initialize()
    >>> trainer = Trainer(net.collect_params(), "sgd")
    >>> amp.init_trainer(trainer)
    >>> trainer._amp_loss_scaler.loss_scale
    1.0
    """
    scaler = LossScaler()
    scaler._loss_scale = scaler._next_loss_scale = scaler._max_loss_scale = 1.0
    optimizer_or_trainer._amp_loss_scaler = scaler
    optimizer_or_trainer._amp_original_scale = optimizer_or_trainer._scale


@contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Any) -> Iterator[Any]:
    """The loss as it is, for a ``with`` block.

    Parameters
    ----------
    loss : NDArray or list of NDArray, of any shape and floating dtype
    optimizer_or_trainer : Trainer

    Returns
    -------
    context manager of the loss

    Examples
    --------
    >>> from gluon import autograd, nd
    >>> from gluon.mxnet import amp
    >>> x = nd.ones((2,))
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     loss = 3 * x
    ...     with amp.scale_loss(loss, None) as scaled:
    ...         autograd.backward(scaled)
    >>> x.grad
    <BLANKLINE>
    [3. 3.]
    <NDArray 2 @cpu(0)>
    """
    yield loss


def unscale(optimizer_or_trainer: Any) -> None:
    """Do nothing: the gradients are not scaled.

    Parameters
    ----------
    optimizer_or_trainer : Trainer

    Examples
    --------
    >>> from gluon import Trainer, nn
    >>> from gluon.mxnet import amp
    >>> net = nn.Dense(1, in_units=2)
    >>> net.initialize()
    >>> amp.unscale(Trainer(net.collect_params(), "sgd"))
    """


class LossScaler:
    """The factor of a loss: it halves where gradients overflow, and doubles after 2,000 steps.

    Examples
    --------
    >>> from gluon import Parameter
    >>> from gluon.mxnet.amp import LossScaler
    >>> weight = Parameter("weight", shape=(2,))
    >>> weight.initialize()
    >>> scaler = LossScaler()
    >>> scaler.has_overflow([weight]), scaler.loss_scale
    (False, 65536.0)
    """

    _max_loss_scale = 2.0**24
    _scale_seq_len = 2000

    def __init__(self) -> None:
        self._loss_scale = self._next_loss_scale = 2.0**16
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The factor in use."""
        return self._loss_scale

    def has_overflow(self, params: Iterable[Parameter]) -> bool:
        """Whether a gradient is infinite or NaN; the factor of the next step follows from it.

        Parameters
        ----------
        params : iterable of Parameter

        Returns
        -------
        bool
        """
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
