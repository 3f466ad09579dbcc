"""Stochastic gradient descent, plain, with momentum, and Nesterov's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.array import wrap
from ..engine.inplace import writable
from ..kernels import optimizer as kernels
from ..ndarray import NDArray
from .base import Optimizer, register


def zeros_like(weight: NDArray) -> NDArray:
    """Zeros of the shape, the dtype and the context of a weight."""
    return wrap(NDArray, np.zeros_like(weight._raw), weight._ctx)


@register
class SGD(Optimizer):
    """``weight -= lr * (grad + wd * weight)``, with momentum if asked for.

    With momentum, ``state = momentum * state - lr * (grad + wd * weight)`` is added to the
    weight. Gradients are multiplied by ``rescale_grad`` and clipped first.

    Parameters
    ----------
    momentum : float, default 0
    lazy_update : bool, default True
        Accepted for MXNet's sake: gradients are dense.
    **kwargs
        See `Optimizer`.
    """

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum, self.lazy_update = momentum, lazy_update

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The momentum of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place."""
        settings = self._step(index)
        if state is None:
            kernels.sgd(writable(weight), grad._raw, **settings)
        else:
            kernels.sgd_momentum(
                writable(weight),
                grad._raw,
                writable(state),
                momentum=self.momentum,
                **settings,
            )


@register
class NAG(Optimizer):
    """Stochastic gradient descent with Nesterov's momentum.

    With ``d = grad + wd * weight`` and ``state = momentum * state + d``, the weight changes by
    ``-lr * (d + momentum * state)``.

    Parameters
    ----------
    momentum : float, default 0
    **kwargs
        See `Optimizer`.
    """

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The momentum of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place."""
        settings = self._step(index)
        if state is None:
            kernels.sgd(writable(weight), grad._raw, **settings)
        else:
            kernels.nag(
                writable(weight),
                grad._raw,
                writable(state),
                momentum=self.momentum,
                **settings,
            )
