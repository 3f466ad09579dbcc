"""Optimizers for large batches, with a learning rate per weight."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._core.engine.array import wrap
from .._core.errors import ArgumentError
from .._core.kernels.large_batch import lars_rates, sum_of_squares
from .._core.kernels.memory import beside, on_host
from .._core.ops import optimizer as steps
from ..nd import NDArray
from .adam import Means
from .base import Call, check_shares, register
from .sgd import Momentum

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .base import Settings, WithoutPrecision, WithoutRate


@register
class LARS(Momentum):
    """LARS: `SGD` with a learning rate for each weight ("Large batch training", 2017).

    ``lr * eta * |weight| / (|grad| + wd * |weight| + eps)``; lr itself where a norm is 0, and for
    weights whose name ends in gamma, beta or bias.

    Parameters
    ----------
    momentum : float, default 0
    lazy_update : bool, default True
        Ignored: gradients are dense.
    eta : float, default 0.001
        The relative change of a weight in one update, the trust coefficient.
    eps : float, default 0
        Added to the denominator.
    momentum_correction : bool, default True
        Rescale the momentum when the learning rate changes.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.LARS(learning_rate=0.1, momentum=0.9))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.9995, 2.0005], dtype=float32)
    """

    eps: float
    eta: float
    lazy_update: bool
    momentum_correction: bool
    aggregate_num = 4
    copy_last = True
    decayed = ("_weight",)

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Unpack[Settings],
    ) -> None:
        super().__init__(**kwargs)
        check_shares(self, momentum=momentum)
        self.momentum, self.lazy_update = momentum, lazy_update
        self.eta, self.eps, self.momentum_correction = eta, eps, momentum_correction

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        settings = self._step(index)
        lr = self.learning_rate
        last, self._memory[index] = self._memory.get(index, lr), lr
        if not self.idx2name.get(index, "").endswith(("gamma", "beta", "bias")):
            settings["lr"] = float(
                lars_rates(
                    settings["lr"],
                    sum_of_squares(weight.raw),
                    sum_of_squares(grad.raw),
                    settings["wd"],
                    eta=self.eta,
                    eps=self.eps,
                    rescale_grad=self.rescale_grad,
                )
            )
        change = lr / last if self.momentum_correction and last else 1.0
        return self._descent(weight, grad, state, self.momentum * change, settings)


#: The progress of warmup after a share of its updates.
WARMUPS = {
    "linear": lambda share: share,
    "power2": lambda share: share**2,
    "sqrt": math.sqrt,
    "lars": lambda share: 0.0,
}


@register
class LBSGD(Momentum):
    """`SGD` for large batches: accumulates gradients and warms up the learning rate.

    Parameters
    ----------
    momentum : float, default 0
    multi_precision : bool, default False
        Keep a float32 copy of float16 weights and update that.
    warmup_strategy : {'linear', 'power2', 'sqrt', 'lars'}
        How the learning rate grows to `batch_scale` times its value. ``'lars'`` uses the factor
        ``sqrt(|weight|**2 / (|grad|**2 + wd * |weight|**2))``, from 0.01 to 100, instead.
    warmup_epochs : int, default 5
    batch_scale : int, default 1
        How many batches to average the gradients of for one update.
    updates_per_epoch : int, default 32
    begin_epoch : int, default 0
        The epoch to start the warm-up from.
    num_epochs : int, default 60
        Ignored.
    **kwargs
        See `Optimizer`.

    Raises
    ------
    ArgumentError
        If `warmup_strategy` is unknown.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.LBSGD(learning_rate=0.1, momentum=0.9))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.855, 2.145], dtype=float32)
    """

    batch_scale: int
    init_updates: int
    num_epochs: int
    updates_per_epoch: int
    warmup_epochs: int
    warmup_strategy: str

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Unpack[WithoutPrecision],
    ) -> None:
        super().__init__(multi_precision=multi_precision, **kwargs)
        if warmup_strategy not in WARMUPS:
            known = ", ".join(map(repr, WARMUPS))
            raise ArgumentError(f"LBSGD: warmup_strategy={warmup_strategy!r} is not one of {known}")
        check_shares(self, momentum=momentum)
        self.momentum, self.warmup_strategy = momentum, warmup_strategy
        self.warmup_epochs, self.batch_scale = warmup_epochs, batch_scale
        self.updates_per_epoch, self.num_epochs = updates_per_epoch, num_epochs
        self.init_updates = begin_epoch * updates_per_epoch

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Change `weight` and `state` in place, once enough batches are accumulated."""
        lr = self._get_lr(index)  # before this update is counted
        settings = self._step(index)
        done = self._index_update_count[index] - self.begin_num_update + self.init_updates
        if self.batch_scale > 1:
            grad = self._summed(index, weight, grad)
            if done % self.batch_scale:
                return
            del self._memory[index]
        if self.warmup_strategy == "lars":
            mean = wrap(NDArray, grad.raw / self.batch_scale, grad._ctx)
            settings["lr"] = lr * self._get_lars(weight, mean, settings["wd"])
        else:
            settings["lr"] = lr * self._get_lbmult(done)
        settings["rescale_grad"] /= self.batch_scale
        step, arrays, settings = self._descent(weight, grad, state, self.momentum, settings)
        step(*arrays, **settings)

    def _summed(self, index: Any, weight: NDArray, grad: NDArray) -> NDArray:
        """Return the sum of the gradients of a weight since its last update, in its dtype."""
        total, last = grad.raw.astype(weight.form.dtype), self._memory.get(index)
        if last is not None:
            # that of a pickle can be in other memory
            total += last if type(last) is type(total) else beside(total, on_host(last))
        self._memory[index] = total
        return wrap(NDArray, total, grad._ctx)

    def _l2norm(self, v: NDArray) -> float:
        """Return the sum of squares."""
        return float(sum_of_squares(v.raw))

    def _get_lars(self, weight: NDArray, g: NDArray, wd: float) -> float:
        """Return the learning rate factor of a weight, from its norm and that of its gradient."""
        size, slope = self._l2norm(weight), self._l2norm(g)
        return min(max(math.sqrt(size / (slope + wd * size + 1e-18)), 0.01), 100)

    def _get_lbmult(self, nup: int) -> float:
        """Return the learning rate factor at update number `nup` during warmup."""
        end = self.warmup_epochs * self.updates_per_epoch
        if nup >= end:
            return float(self.batch_scale)
        share = WARMUPS[self.warmup_strategy](nup / end) if end > 1 else 0.0
        return 1 + (self.batch_scale - 1) * share


@register
class LAMB(Means):
    """LAMB: `Adam` with steps scaled by the norm of each weight ("Large batch optimization", 2020).

    See `gluon.nd.lamb_update_phase1` and `gluon.nd.lamb_update_phase2`.

    Parameters
    ----------
    learning_rate : float, default 0.001
    beta1, beta2 : float, default 0.9 and 0.999
        The factor that the running means decay by in each update.
    epsilon : float, default 1e-6
        Added to the root in the denominator.
    lower_bound, upper_bound : float, optional
        The limits of the norm of a weight.
    bias_correction : bool, default True
        Correct the bias of running means that start at 0.
    **kwargs
        See `Optimizer`.

    Examples
    --------
    >>> from gluon import nd, optimizer
    >>> step = optimizer.get_updater(optimizer.LAMB(learning_rate=0.1))
    >>> weight = nd.array([1, 2])
    >>> for _ in range(2):
    ...     step(0, nd.array([0.5, -0.5]), weight)
    >>> weight.asnumpy().round(4)
    array([0.6781, 2.3219], dtype=float32)
    """

    lower_bound: float | None
    upper_bound: float | None
    aggregate_num = 45

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Unpack[WithoutRate],
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        self.bias_correction = bias_correction

    def _call(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> Call:
        settings = {**self._step(index), **self._betas()}
        settings["t"] = self._index_update_count[index]
        settings["bias_correction"] = self.bias_correction
        settings["lower_bound"] = self.lower_bound or -1
        settings["upper_bound"] = self.upper_bound or -1
        return steps.lamb, (weight, grad, *state), settings
