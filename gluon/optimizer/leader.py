"""Follow-the-leader optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.ops import optimizer as steps
from ..nd import NDArray
from .base import Chosen, Stepping, check_shares, check_sizes, register, zeros_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import Settings, WithoutRate


@register
class FTML(Stepping):
    """The optimizer FTML (follow the moving leader); see `gluon.nd.ftml_update`.

    Parameters
    ----------
    beta1, beta2 : float, default 0.6 and 0.999
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-8
        Added to the root in the denominator.
    **kwargs
        See `Optimizer`; the learning rate must not be 0.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.FTML(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.8375, 2.1625], dtype=float32)
    """

    beta1: float
    beta2: float
    epsilon: float

    def __init__(
        self,
        beta1: float = 0.6,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        **kwargs: Unpack[Settings],
    ) -> None:
        super().__init__(**kwargs)
        check_shares(self, beta1=beta1, beta2=beta2)
        check_sizes(self, epsilon=epsilon)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The states d, v and z of `gluon.nd.ftml_update`."""
        return zeros_like(weight), zeros_like(weight), zeros_like(weight)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        betas = {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}
        return steps.ftml, {"t": count, **betas, **settings}


@register
class Ftrl(Stepping):
    """The optimizer FTRL (follow the regularized leader); see `gluon.nd.ftrl_update`.

    Parameters
    ----------
    lamda1 : float, default 0.01
        The L1 penalty.
    learning_rate : float, default 0.1
        Not 0.
    beta : float, default 1
        Added to the root in the denominator.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Ftrl(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.27  , 0.7286], dtype=float32)
    """

    beta: float
    lamda1: float

    def __init__(
        self,
        lamda1: float = 0.01,
        learning_rate: float = 0.1,
        beta: float = 1,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(**kwargs)
        self.lr = learning_rate
        self.lamda1, self.beta = lamda1, beta

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The states z and n of `gluon.nd.ftrl_update`."""
        return zeros_like(weight), zeros_like(weight)

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        return steps.ftrl, {**settings, "lamda1": self.lamda1, "beta": self.beta}
