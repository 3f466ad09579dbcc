"""Stochastic gradient descent, plain, with momentum, and Nesterov's."""

from __future__ import annotations

from collections.abc import Callable
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


class Momentum(Optimizer):
    """Optimizers with one state a weight, its momentum, if asked for.

    Attributes
    ----------
    kernel : callable
        Changes a weight and its momentum in place.
    """

    kernel: Callable
    momentum: float

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The momentum of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place."""
        settings = self._step(index)
        if state is None:
            kernels.sgd(writable(weight), grad._raw, **settings)
        else:
            self.kernel(
                writable(weight),
                grad._raw,
                writable(state),
                momentum=self.momentum,
                **settings,
            )


@register
class SGD(Momentum):
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

    kernel = staticmethod(kernels.sgd_momentum)

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum, self.lazy_update = momentum, lazy_update


@register
class NAG(Momentum):
    """Stochastic gradient descent with Nesterov's momentum.

    With ``d = grad + wd * weight`` and ``state = momentum * state + d``, the weight changes by
    ``-lr * (d + momentum * state)``.

    Parameters
    ----------
    momentum : float, default 0
    **kwargs
        See `Optimizer`.
    """

    kernel = staticmethod(kernels.nag)

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
