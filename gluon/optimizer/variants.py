"""Variants of gradient descent for delayed gradients and for sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.engine.array import wrap
from .._core.kernels.generator import generator
from .._core.ops import optimizer as steps
from ..nd import NDArray
from .base import Call, Stepping, check_shares, register, zeros_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import Settings


@register
class DCASGD(Stepping):
    """Delay-compensated asynchronous stochastic gradient descent.

    See "Asynchronous stochastic gradient descent with delay compensation", 2017.

    With ``d = grad + wd * weight + lamda * grad**2 * (weight - previous)``, where ``previous`` is
    the weight before the last update, the weight changes by
    ``state = momentum * state - lr * d``.

    Parameters
    ----------
    momentum : float, default 0
    lamda : float, default 0.04
        How much of the delay to compensate.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.DCASGD(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.9   , 2.0999], dtype=float32)
    """

    lamda: float

    def __init__(
        self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Unpack[Settings]
    ) -> None:
        super().__init__(**kwargs)
        check_shares(self, momentum=momentum)
        self.momentum, self.lamda = momentum, lamda

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The momentum, None without, and the weight before the last update."""
        previous = wrap(NDArray, weight.raw.copy(), weight._ctx)
        return zeros_like(weight) if self.momentum else None, previous

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        settings = {**self._step(index), "momentum": self.momentum, "lamda": self.lamda}
        mom, previous = state
        states = (previous,) if mom is None else (previous, mom)
        return steps.dcasgd, (weight, grad, *states), settings


@register
class SGLD(Stepping):
    """Stochastic gradient Langevin dynamics: samples weights from their posterior.

    ``weight -= lr / 2 * (grad + wd * weight)``, plus normal noise of variance lr.

    Parameters
    ----------
    rescale_grad, param_idx2name, wd, clip_gradient, learning_rate, lr_scheduler
    sym, begin_num_update, multi_precision, param_dict
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import random
    >>> random.seed(1)
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.SGLD(learning_rate=0.01))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> bool((weight.asnumpy() != [1, 2]).all())
    True
    """

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        return steps.sgld, (weight, grad), {"rng": generator(), **self._step(index)}


@register
class Test(Stepping):
    """For tests: ``weight += rescale_grad * grad``; the state is the new weight.

    Parameters
    ----------
    rescale_grad, param_idx2name, wd, clip_gradient, learning_rate, lr_scheduler
    sym, begin_num_update, multi_precision, param_dict
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Test(rescale_grad=0.5))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([1.5, 1.5], dtype=float32)
    """

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Zeros."""
        return zeros_like(weight)

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        return steps.ascent, (weight, grad, state), {"rescale_grad": self.rescale_grad}
