"""The optimizers. Their steps consist of recorded operators."""

from __future__ import annotations

import math
from typing import Any

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..._hook.errors import CheckError
from ..tensor import Tensor
from .optimizer import Optimizer

__all__ = ["LAMB", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "LAMBFp16"]


class _Rule(Optimizer):
    """Base of optimizers that update each parameter by its gradient, state and options."""

    #: The states of a parameter: zeros like it, but for "step", a number.
    states: tuple[str, ...] = ()
    #: Whether weight decay adds to the gradient.
    decays_gradient = True

    def _create_state(self, param_group: dict[str, Any]) -> None:
        for param in param_group["params"]:
            for name in self.states:
                self._add_state(param, name, 0.0 if name == "step" else None)

    def _updates(self, param_group: dict[str, Any]) -> None:
        for param in param_group["params"]:
            if param.grad is None:
                continue
            grad = param.grad.detach()
            if param_group["weight_decay"] and self.decays_gradient:
                grad = grad + param.detach() * param_group["weight_decay"]
            value = self._stepped(param.detach(), grad, self._state.get(param, {}), param_group)
            param._reset(value)

    def _stepped(self, value: Tensor, grad: Tensor, state: dict, group: dict[str, Any]) -> Tensor:
        raise NotImplementedError


def _at_least_zero(**options: float) -> None:
    for name, value in options.items():
        if value < 0:
            raise ArgumentError(f"{name}={value} must be 0 or more")


class SGD(_Rule):
    """Stochastic gradient descent: ``v = momentum * v + grad; param -= lr * v``.

    Parameters
    ----------
    nesterov : bool, default False
        Whether to step by ``grad + momentum * v`` (Nesterov's momentum).
    weight_decay : float, default 0.0
        The fraction of the parameter to add to its gradient.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.autodiff import GradManager
    >>> x = Parameter([1.0])
    >>> optimizer = SGD([x], lr=0.1)
    >>> with GradManager().attach(x) as gm:
    ...     _ = gm.backward(x * x)
    >>> optimizer.step().clear_grad()
    >>> x, x.grad
    (Parameter([0.8], device=xpux:0), None)
    """

    states: Any

    def __init__(
        self,
        params: Any,
        lr: float,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        _at_least_zero(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and momentum <= 0:
            raise ArgumentError("SGD: nesterov needs a momentum above 0")
        self.nesterov = nesterov
        self.states = ("momentum_buffer",) if momentum else ()
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    def _stepped(self, value: Tensor, grad: Tensor, state: dict, group: dict[str, Any]) -> Tensor:
        momentum = group["momentum"]
        if not momentum:
            return value - grad * group["lr"]
        state["momentum_buffer"] = speed = state["momentum_buffer"] * momentum + grad
        return value - (grad + speed * momentum if self.nesterov else speed) * group["lr"]


class Adagrad(_Rule):
    """Adagrad: divides by the root of the sum of squared gradients.

    See "Adaptive subgradient methods for online learning and stochastic optimization", 2011.

    Parameters
    ----------
    lr_decay : float, default 0.0
        The decay of the learning rate with each step.
    eps : float, default 1e-10
        Added to the sum.
    weight_decay : float, default 0.0
        The fraction of the parameter to add to its gradient.

    Examples
    --------
    >>> from gluon.megengine import Parameter, autodiff, optimizer
    >>> weight = Parameter([1.0, 2.0])
    >>> manager = autodiff.GradManager().attach([weight])
    >>> with manager:
    ...     manager.backward((weight * weight).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> _ = optimizer.Adagrad([weight], lr=0.1).step()
    >>> weight
    Parameter([0.9 1.9], device=xpux:0)
    """

    states = ("square_avg", "step")

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        eps: float = 1e-10,
        weight_decay: float = 0.0,
    ) -> None:
        _at_least_zero(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay)
        defaults = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, defaults)

    def _stepped(self, value: Tensor, grad: Tensor, state: dict, group: dict[str, Any]) -> Tensor:
        state["step"] = state["step"] + 1
        state["square_avg"] = total = state["square_avg"] + ops.square(grad)
        rate = group["lr"] / (1 + (state["step"].item() - 1) * group["lr_decay"])
        return value - grad / ops.sqrt(total + group["eps"]) * rate


class Adadelta(_Rule):
    """Adadelta: step sizes adapt to past steps and gradients.

    See "ADADELTA: an adaptive learning rate method", 2012.

    Parameters
    ----------
    rho : float, default 0.9
        The share of the running means that an update keeps.
    eps : float, default 1e-6
        Added to both means.
    weight_decay : float, default 0.0
        The fraction of the parameter to add to its gradient.

    Examples
    --------
    >>> from gluon.megengine import Parameter, autodiff, optimizer
    >>> weight = Parameter([1.0, 2.0])
    >>> manager = autodiff.GradManager().attach([weight])
    >>> with manager:
    ...     manager.backward((weight * weight).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> _ = optimizer.Adadelta([weight], lr=0.1).step()
    >>> weight
    Parameter([0.9997 1.9997], device=xpux:0)
    """

    states = ("square_avg", "acc_delta", "step")

    def __init__(
        self,
        params: Any,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
    ) -> None:
        _at_least_zero(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)
        if rho > 1:
            raise CheckError(f"Adadelta: rho={rho} must be from 0 to 1")
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay})

    def _stepped(self, value: Tensor, grad: Tensor, state: dict, group: dict[str, Any]) -> Tensor:
        rho, eps = group["rho"], group["eps"]
        state["step"] = state["step"] + 1
        state["square_avg"] = mean = state["square_avg"] * rho + ops.square(grad) * (1 - rho)
        delta = ops.sqrt(state["acc_delta"] + eps) / ops.sqrt(mean + eps) * grad
        state["acc_delta"] = state["acc_delta"] * rho + ops.square(delta) * (1 - rho)
        return value - delta * group["lr"]


class Adam(_Rule):
    """Adam ("Adam: a method for stochastic optimization", 2015).

    Parameters
    ----------
    betas : (float, float), default (0.9, 0.999)
        The shares of the running means of gradients and of their squares that an update keeps.
    eps : float, default 1e-8
        Added to the root of the second.
    weight_decay : float, default 0.0
        The fraction of the parameter to add to its gradient.

    Examples
    --------
    >>> from gluon.megengine import Parameter, autodiff, optimizer
    >>> weight = Parameter([1.0, 2.0])
    >>> manager = autodiff.GradManager().attach([weight])
    >>> with manager:
    ...     manager.backward((weight * weight).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> _ = optimizer.Adam([weight], lr=0.1).step()
    >>> weight
    Parameter([0.9 1.9], device=xpux:0)
    """

    states = ("exp_avg", "exp_avg_sq", "step")

    def __init__(
        self,
        params: Any,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        _at_least_zero(lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ArgumentError(f"betas={betas} must be from 0 to below 1")
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, defaults)

    def _stepped(self, value: Tensor, grad: Tensor, state: dict, group: dict[str, Any]) -> Tensor:
        (beta1, beta2), eps = group["betas"], group["eps"]
        state["step"] = state["step"] + 1
        state["exp_avg"] = mean = state["exp_avg"] * beta1 + grad * (1 - beta1)
        square = state["exp_avg_sq"] * beta2 + ops.square(grad) * (1 - beta2)
        state["exp_avg_sq"] = square
        step = state["step"].item()
        ratio = (mean / (1 - beta1**step)) / (ops.sqrt(square / (1 - beta2**step)) + eps)
        if group["weight_decay"] and not self.decays_gradient:
            ratio = ratio + value * group["weight_decay"]
        return value - ratio * group["lr"]


class AdamW(Adam):
    """AdamW: Adam with decoupled weight decay ("Decoupled weight decay", 2019).

    Parameters
    ----------
    betas : (float, float), default (0.9, 0.999)
        As for `Adam`.
    eps : float, default 1e-8
        As for `Adam`.
    weight_decay : float, default 0.01
        The fraction of the parameter, times `lr`, to subtract in each step.

    Examples
    --------
    >>> from gluon.megengine import Parameter, autodiff, optimizer
    >>> weight = Parameter([1.0, 2.0])
    >>> manager = autodiff.GradManager().attach([weight])
    >>> with manager:
    ...     manager.backward((weight * weight).sum())
    Tensor([2. 4.], device=xpux:0)
    >>> _ = optimizer.AdamW([weight], lr=0.1).step()
    >>> weight
    Parameter([0.899 1.898], device=xpux:0)
    """

    decays_gradient = False

    def __init__(
        self,
        params: Any,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)


class LAMB(_Rule):
    """LAMB: Adam with steps scaled by the norm of each parameter (2020).

    Parameters
    ----------
    betas : (float, float), default (0.9, 0.999)
        The shares of the old means of the gradient and of its square.
    eps : float, default 1e-8
        Added to the divisor.
    bias_correction : bool, default True
        Whether to correct the bias of the means in the first steps.
    weight_decay : float, default 0.0
        The fraction of the parameter to add to its step.
    always_adapt : bool, default False
        Whether to scale steps without weight decay too.

    Examples
    --------
    >>> from gluon.megengine import Parameter
    >>> from gluon.megengine.autodiff import GradManager
    >>> x = Parameter([2.0])
    >>> optimizer = LAMB([x], lr=0.1, always_adapt=True)
    >>> with GradManager().attach(x) as gm:
    ...     _ = gm.backward(x * x)
    >>> optimizer.step().clear_grad()
    >>> x
    Parameter([1.8], device=xpux:0)
    """

    always_adapt: bool
    bias_correction: bool

    states = ("exp_avg", "exp_avg_sq", "step")
    decays_gradient = False

    def __init__(
        self,
        params: Any,
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        bias_correction: bool = True,
        weight_decay: float = 0.0,
        always_adapt: bool = False,
    ) -> None:
        _at_least_zero(lr=lr, weight_decay=weight_decay)
        if not all(0 <= one < 1 for one in betas):
            raise ArgumentError(f"betas={betas!r} must be from 0 to below 1")
        self.bias_correction, self.always_adapt = bias_correction, always_adapt
        super().__init__(
            params, {"lr": lr, "weight_decay": weight_decay, "betas": betas, "eps": eps}
        )

    def _stepped(self, value: Any, grad: Any, state: dict, group: dict[str, Any]) -> Any:
        (first, second), decay = group["betas"], group["weight_decay"]
        mean, square, step = (state[name] for name in self.states)
        step._reset(step + 1)
        mean._reset(mean * first + grad * (1 - first))
        square._reset(square * second + grad * grad * (1 - second))
        count = step.item() if self.bias_correction else math.inf
        ahead: Any = mean / (1 - first**count)
        ahead = ahead / (ops.sqrt(square / (1 - second**count)) + group["eps"]) + value * decay
        size, length = (math.sqrt(ops.sum(one * one, axis=None).item()) for one in (value, ahead))
        adapts = (decay > 0 or self.always_adapt) and size > 0 and length > 0
        return value - ahead * (group["lr"] * (size / length if adapts else 1.0))


class LAMBFp16(LAMB):
    """`LAMB` for float16 parameters, with float32 copies.

    Parameters
    ----------
    params, lr, betas, eps, bias_correction, weight_decay, always_adapt
        As for `LAMB`.

    Examples
    --------
    >>> import numpy as np
    >>> from gluon.megengine import Parameter
    >>> x = Parameter(np.array([2.0], "float16"))
    >>> optimizer = LAMBFp16([x], lr=0.1)
    >>> x.grad = x * 2
    >>> optimizer.step().clear_grad()
    >>> x
    Parameter([1.9], dtype=float16, device=xpux:0)
    """

    def _create_state(self, param_group: dict[str, Any]) -> None:
        for param in param_group["params"]:
            whole = param.detach().astype("float32")
            means = {name: ops.zeros_like(whole) for name in self.states[:2]}
            self._state[param] = {**means, "param_fp32": whole}
            self._add_state(param, "step", 0.0)

    def _stepped(self, value: Any, grad: Any, state: dict, group: dict[str, Any]) -> Any:
        whole = state["param_fp32"]
        whole._reset(super()._stepped(whole, grad.astype("float32"), state, group))
        return whole.astype(value.dtype)
