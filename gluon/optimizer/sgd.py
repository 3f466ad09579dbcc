"""Stochastic gradient descent and its variants with momentum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.ops import optimizer as steps
from ..nd import NDArray
from .base import Call, Chosen, Stepping, check_shares, register, zeros_like

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import Settings, WithoutRate


class Momentum(Stepping):
    """Optimizers with one optional state per weight, its momentum.

    Attributes
    ----------
    with_momentum : Step
        The step with momentum; without momentum, the step of plain gradient descent.
    """

    with_momentum: steps.Step = steps.sgd_momentum
    momentum: float

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """The momentum of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum else None

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        if stateless:
            return steps.sgd, settings
        return self.with_momentum, {"momentum": self.momentum, **settings}

    def _descent(
        self, weight: NDArray, grad: NDArray, state: Any, momentum: float, settings: dict[str, Any]
    ) -> Call:
        if state is None:
            return steps.sgd, (weight, grad), settings
        return self.with_momentum, (weight, grad, state), {"momentum": momentum, **settings}


@register
class SGD(Momentum):
    """Stochastic gradient descent with optional momentum.

    With momentum, ``state = momentum * state - lr * (grad + wd * weight)`` is added to the
    weight. Gradients are multiplied by ``rescale_grad`` and clipped first.

    Parameters
    ----------
    momentum : float, default 0
    lazy_update : bool, default True
        Whether rows that a row_sparse gradient does not store stay as they are, without decay.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.SGD(learning_rate=0.1, momentum=0.9))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.855, 2.145], dtype=float32)
    """

    lazy_update: bool
    aggregate_num = 4
    copy_last = True

    def __init__(
        self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Unpack[Settings]
    ) -> None:
        super().__init__(**kwargs)
        check_shares(self, momentum=momentum)
        self.momentum, self.lazy_update = momentum, lazy_update


@register
class ccSGD(SGD):
    """Another name of `SGD`.

    Parameters
    ----------
    momentum, lazy_update, **kwargs
        As for `SGD`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.ccSGD(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.95, 2.05], dtype=float32)
    """


@register
class NAG(Momentum):
    """Stochastic gradient descent with Nesterov's momentum.

    With ``d = lr * (grad + wd * weight)`` and ``state = momentum * state - d``, the weight changes
    by ``momentum * state - d``.

    Parameters
    ----------
    momentum : float, default 0
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.NAG(learning_rate=0.1, momentum=0.9))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.7695, 2.2305], dtype=float32)
    """

    with_momentum: steps.Step = steps.nag
    copy_last = True

    def __init__(self, momentum: float = 0.0, **kwargs: Unpack[Settings]) -> None:
        super().__init__(**kwargs)
        check_shares(self, momentum=momentum)
        self.momentum = momentum


@register
class Signum(Momentum):
    """Signum: steps by the sign of the momentum ("signSGD", 2018).

    ``state = momentum * state - (1 - momentum) * (grad + wd * weight)``, and then
    ``weight = (1 - lr * wd_lh) * weight + lr * sign(state)``. Without momentum,
    ``weight = (1 - lr * wd) * weight - lr * sign(grad)``.

    Parameters
    ----------
    learning_rate : float, default 0.01
    momentum : float, default 0.9
    wd_lh : float, default 0
        Weight decay that bypasses the momentum.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.Signum(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.8, 2.2], dtype=float32)
    """

    wd_lh: float

    def __init__(
        self,
        learning_rate: float = 0.01,
        momentum: float = 0.9,
        wd_lh: float = 0.0,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        check_shares(self, momentum=momentum)
        self.momentum, self.wd_lh = momentum, wd_lh

    def _chosen(self, settings: dict[str, Any], count: int, stateless: bool) -> Chosen:
        if stateless:
            return steps.signsgd, {key: settings[key] for key in ("lr", "wd")}
        settings |= {"momentum": self.momentum, "wd_lh": self.wd_lh}
        return steps.signum, settings
