"""Adam and its variants."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._core.ops import optimizer as steps
from ..nd import NDArray
from .base import Call, Chosen, Stepping, check_shares, check_sizes, register, zeros_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import WithoutDecay, WithoutRate


class Means(Stepping):
    """Optimizers with two states per weight: running means of the gradient and of its size."""

    beta1: float
    beta2: float
    epsilon: float

    def __init__(
        self,
        learning_rate: float,
        beta1: float,
        beta2: float,
        epsilon: float,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        check_shares(self, beta1=beta1, beta2=beta2)
        check_sizes(self, epsilon=epsilon)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The running means of the gradient of a weight and of its size."""
        return zeros_like(weight), zeros_like(weight)

    def _betas(self) -> dict[str, float]:
        return {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}


@register
class Adam(Means):
    """Adam: running means of the gradient and of its square.

    See `gluon.nd.adam_update`; the learning rate corrects the bias of means that start at 0.

    Parameters
    ----------
    learning_rate : float, default 0.001
    beta1, beta2 : float, default 0.9 and 0.999
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-8
        Added to the root in the denominator.
    lazy_update : bool, default True
        Whether rows that a row_sparse gradient does not store stay as they are, without decay.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Adam(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.8, 2.2], dtype=float32)
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.lazy_update = lazy_update

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        settings["lr"] *= math.sqrt(1 - self.beta2**count) / (1 - self.beta1**count)
        return steps.adam, {**self._betas(), **settings}


@register
class AdamW(Means):
    """Adam with decoupled weight decay ("Decoupled weight decay regularization", 2019).

    With ``d = clip(rescale_grad * grad)``: ``m = beta1 * m + (1 - beta1) * d``,
    ``v = beta2 * v + (1 - beta2) * d**2``, and then at update number t
    ``weight -= lr * (m / (1 - beta1**t) / (sqrt(v / (1 - beta2**t)) + epsilon) + wd * weight)``.

    Parameters
    ----------
    learning_rate : float, default 0.001
    beta1, beta2 : float, default 0.9 and 0.999
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-8
        Added to the root in the denominator.
    wd : float, default 0.01
        Weight decay: each update subtracts ``lr * wd`` times the weight.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.AdamW(learning_rate=0.1, wd=0.5))
    >>> weight = nd.array([1, 2])
    >>> step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy()
    array([0.85, 2.  ], dtype=float32)
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        wd: float = 0.01,
        **kwargs: Unpack[WithoutDecay],
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, wd=wd, **kwargs)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        root = math.sqrt(1 - self.beta2**count)
        settings["wd"] *= settings["lr"]  # there, eta (which is 1) replaces lr
        settings["lr"] *= root / (1 - self.beta1**count)
        means = {**self._betas(), "epsilon": self.epsilon * root}
        return steps.adamw, {"eta": 1.0, **means, **settings}


@register
class Adamax(Means):
    """Adamax: Adam with the running maximum of the gradient ("Adam", 2015).

    With ``d = clip(rescale_grad * grad + wd * weight)``: ``m = beta1 * m + (1 - beta1) * d``,
    ``u = max(beta2 * u, abs(d))``, and then ``weight -= lr / (1 - beta1**t) * m / u`` at update
    number t; where u is 0, the step is 0.

    Parameters
    ----------
    learning_rate : float, default 0.002
    beta1, beta2 : float, default 0.9 and 0.999
        The factors that m and u decay by in each update.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Adamax(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.8, 2.2], dtype=float32)
    """

    def __init__(
        self,
        learning_rate: float = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, 0.0, **kwargs)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        settings["lr"] /= 1 - self.beta1**count
        return steps.adamax, {**settings, "beta1": self.beta1, "beta2": self.beta2}


@register
class Nadam(Means):
    """Adam with Nesterov's momentum, which grows on a schedule ("Nadam", 2015).

    With ``d = clip(rescale_grad * grad + wd * weight)`` and Adam's means m and v of it, the
    momentum of update number t is ``mu(t) = beta1 * (1 - 0.96**(t * schedule_decay) / 2)``, and
    M(t) is the product of all of them up to t. With ``s = (1 - mu(t)) * d / (1 - M(t)) + mu(t + 1)
    * m / (1 - M(t + 1))`` then ``weight -= lr * s / (sqrt(v / (1 - beta2**t)) + epsilon)``.

    Parameters
    ----------
    learning_rate : float, default 0.001
    beta1, beta2 : float, default 0.9 and 0.999
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-8
        Added to the root in the denominator.
    schedule_decay : float, default 0.004
        How fast the momentum grows.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Nadam(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.816, 2.184], dtype=float32)
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.schedule_decay = schedule_decay

    def _momentum(self, count: int) -> float:
        """Return the momentum of update number `count`."""
        return self.beta1 * (1 - 0.5 * 0.96 ** (count * self.schedule_decay))

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        settings = self._step(index)
        count = self._index_update_count[index]
        now, after = self._momentum(count), self._momentum(count + 1)
        product = self._memory.get(index, 1.0) * now
        self._memory[index] = product
        shares = (
            (1 - now) / (1 - product),
            after / (1 - product * after),
            1 / (1 - self.beta2**count),
        )
        settings |= {"shares": shares, **self._betas()}
        return steps.nadam, (weight, grad, *state), settings
