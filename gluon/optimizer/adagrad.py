"""AdaGrad, AdaDelta, RMSProp: gradients scaled by their accumulated squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.ops import optimizer as steps
from ..nd import NDArray
from .base import Chosen, Stepping, check_shares, check_sizes, register, zeros_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import Settings, WithoutRate


@register
class AdaGrad(Stepping):
    """AdaGrad: divides by the root of the sum of squared gradients.

    See "Adaptive subgradient methods for online learning and stochastic optimization", 2011.

    With ``d = clip(rescale_grad * grad)``: ``history += d**2``, and then
    ``weight -= lr * (d / sqrt(history + eps) + wd * weight)``.

    Parameters
    ----------
    eps : float, default 1e-7
        Added under the root.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.AdaGrad(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.8293, 2.1707], dtype=float32)
    """

    def __init__(self, eps: float = 1e-7, **kwargs: Unpack[Settings]) -> None:
        super().__init__(**kwargs)
        check_sizes(self, eps=eps)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The sum of the squares."""
        return zeros_like(weight)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        return steps.adagrad, {**settings, "epsilon": self.float_stable_eps}


@register
class GroupAdaGrad(Stepping):
    """AdaGrad with one rate for each row of a weight; see `gluon.nd.contrib.group_adagrad_update`.

    Parameters
    ----------
    eps : float, default 1e-5
        Added under the root.
    **kwargs
        See `Optimizer`; weights do not decay.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.contrib.GroupAdaGrad(learning_rate=0.1))
    >>> weight = nd.array([[1], [2]])
    >>> for _ in range(2):
    ...     step(0, nd.array([[0.5], [-0.5]]), weight)
    >>> weight.asnumpy().round(4)
    array([[0.8293],
           [2.1707]], dtype=float32)
    """

    def __init__(self, eps: float = 1e-5, **kwargs: Unpack[Settings]) -> None:
        super().__init__(**kwargs)
        check_sizes(self, eps=eps)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The sums of the mean squares, (rows, 1).

        Raises
        ------
        ArgumentError
            If the weight does not have two axes.
        """
        if weight.ndim != 2:
            raise ArgumentError(
                f"GroupAdaGrad: weight {index} has shape {weight.shape}; it must have rows and"
                " columns"
            )
        zeros = np.zeros((len(weight), 1), weight.form.dtype)
        return wrap(NDArray, zeros, weight._ctx)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        if wd := settings.pop("wd"):
            raise ArgumentError(
                f"GroupAdaGrad: weight decay is unsupported; wd must be 0, not {wd}"
            )
        return steps.group_adagrad, {**settings, "epsilon": self.float_stable_eps}


@register
class AdaDelta(Stepping):
    """AdaDelta: step sizes adapt to past steps and gradients ("ADADELTA", 2012).

    With ``d = clip(rescale_grad * grad)``: ``g = rho * g + (1 - rho) * d**2``,
    ``step = sqrt(s + epsilon) / sqrt(g + epsilon) * d``,
    ``s = rho * s + (1 - rho) * step**2``, and then ``weight -= step + wd * weight``. There is no
    learning rate.

    Parameters
    ----------
    rho : float, default 0.9
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-5
        Added under the roots.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.AdaDelta())
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.9797, 2.0203], dtype=float32)
    """

    epsilon: float
    rho: float

    def __init__(self, rho: float = 0.9, epsilon: float = 1e-5, **kwargs: Unpack[Settings]) -> None:
        super().__init__(**kwargs)
        check_shares(self, rho=rho)
        check_sizes(self, epsilon=epsilon)
        self.rho, self.epsilon = rho, epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The running means of the squares of gradients and of steps."""
        return zeros_like(weight), zeros_like(weight)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        del settings["lr"]
        return steps.adadelta, {**settings, "rho": self.rho, "epsilon": self.epsilon}


@register
class RMSProp(Stepping):
    """RMSProp: divides by the root of the running mean of squared gradients.

    See `gluon.nd.rmsprop_update`, and `gluon.nd.rmspropalex_update` for ``centered=True``.

    Parameters
    ----------
    learning_rate : float, default 0.001
    gamma1 : float, default 0.9
        The factor that the running means decay by in each update.
    gamma2 : float, default 0.9
        The momentum, if `centered`.
    epsilon : float, default 1e-8
        Added under the root.
    centered : bool, default False
        Divide by the deviation of the gradient from its mean, and use momentum.
    clip_weights : float, optional
        Limits the weights.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.RMSProp(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.4544, 2.5456], dtype=float32)
    """

    centered: bool
    clip_weights: float | None
    epsilon: float
    gamma1: float
    gamma2: float

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        check_shares(self, gamma1=gamma1, gamma2=gamma2)
        check_sizes(self, epsilon=epsilon)
        self.gamma1, self.gamma2, self.epsilon = gamma1, gamma2, epsilon
        self.centered, self.clip_weights = centered, clip_weights

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The running mean of the square; if centered also that of the gradient, and the step."""
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        settings |= {"gamma1": self.gamma1, "epsilon": self.epsilon}
        settings["clip_weights"] = self.clip_weights or -1
        if self.centered:
            settings["gamma2"] = self.gamma2
        return steps.rmsprop_centered if self.centered else steps.rmsprop, settings
