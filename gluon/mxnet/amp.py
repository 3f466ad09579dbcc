"""``mxnet.contrib.amp``: scripts that use mixed precision run, and compute in float32."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..engine.errors import ArgumentError

__all__ = ["init", "init_trainer", "scale_loss", "unscale"]


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
        raise ArgumentError(f"amp.init: target_dtype={name!r} is none of 'float16', 'bfloat16'")
    warnings.warn(
        f"amp.init: computations stay in float32, which is faster here than {name}", stacklevel=2
    )


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Do nothing: float32 needs no scaling of the loss.

    Parameters
    ----------
    optimizer_or_trainer : Trainer

    Examples
    --------
    >>> from gluon import Trainer, nn
    >>> from gluon.mxnet import amp
    >>> net = nn.Dense(1, in_units=2)
    >>> net.initialize()
    >>> amp.init_trainer(Trainer(net.collect_params(), "sgd"))
    """


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
