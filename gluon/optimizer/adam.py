"""Adam."""

from __future__ import annotations

import math
from typing import Any

from ..engine.inplace import writable
from ..kernels import optimizer as kernels
from ..ndarray import NDArray
from .base import Optimizer, register
from .sgd import zeros_like


@register
class Adam(Optimizer):
    """The running mean of the gradient over the root of that of its square.

    Parameters
    ----------
    learning_rate : float, default 0.001
    beta1, beta2 : float, default 0.9 and 0.999
        How much of the running means each update leaves.
    epsilon : float, default 1e-8
        Added to the root.
    lazy_update : bool, default True
        Accepted for MXNet's sake: gradients are dense.
    **kwargs
        See `Optimizer`.
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.lazy_update = lazy_update

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The running means of the gradient of a weight and of its square."""
        return zeros_like(weight), zeros_like(weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place."""
        settings = self._step(index)
        count = self._index_update_count[index]
        # Both means start from 0: this undoes their bias towards it.
        settings["lr"] *= math.sqrt(1 - self.beta2**count) / (1 - self.beta1**count)
        mean, var = state
        kernels.adam(
            writable(weight),
            grad._raw,
            writable(mean),
            writable(var),
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            **settings,
        )
