"""`nd`: steps of adaptive optimizers; see `optimizer`."""

from __future__ import annotations

from typing import Any

from .._core.arrays.base import A, DeviceArray
from .._core.faces.kinds import keeps_shape
from .._core.kernels.large_batch import trust
from .._core.ops import optimizer as steps
from ._update import (
    REQUIRED,
    mixed,
    number,
    operator,
    placed,
    returned,
    same_shape,
    update,
)


@update(steps.adam)
def adam_update(
    weight: A,
    grad: A,
    mean: A,
    var: A,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Adam: the running mean of the gradient, divided by the root of that of its square.

    With ``d = clip(rescale_grad * grad + wd * weight)``: ``mean = beta1 * mean + (1 - beta1) * d``,
    ``var = beta2 * var + (1 - beta2) * d**2``, and then
    ``weight -= lr * mean / (sqrt(var) + epsilon)``. The means start at 0; scale `lr` to correct
    their bias.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.array([1, 2]), nd.zeros((2,)), nd.zeros((2,))
    >>> grad = nd.array([1, -4])
    >>> nd.adam_update(weight, grad, mean, var, lr=0.5, beta1=0.5, beta2=0.75).asnumpy()
    array([0.5, 2.5], dtype=float32)
    >>> var.asnumpy()
    array([0.25, 4.  ], dtype=float32)
    """
    raise NotImplementedError


@update(steps.ftml, renamed={"clip_gradient": "clip_grad"})
def ftml_update(
    weight: A,
    grad: A,
    d: A,
    v: A,
    z: A,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    t: int = REQUIRED,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Follow the moving leader ("Follow the moving leader in deep learning", 2017).

    With ``g = clip(rescale_grad * grad + wd * weight)``: ``v = beta2 * v + (1 - beta2) * g**2``,
    ``d' = (1 - beta1**t) / lr * (sqrt(v / (1 - beta2**t)) + epsilon)``,
    ``z = beta1 * z + (1 - beta1) * g - (d' - beta1 * d) * weight``, and then
    ``weight = -z / d'``, ``d = d'``.

    Examples
    --------
    >>> from gluon import nd
    >>> d, v, z = nd.zeros((2,)), nd.zeros((2,)), nd.zeros((2,))
    >>> nd.ftml_update(nd.array([1, 2]), nd.array([1, -4]), d, v, z, lr=0.5, t=1).asnumpy()
    array([0.5, 2.5], dtype=float32)
    """
    raise NotImplementedError


@update(steps.ftrl)
def ftrl_update(
    weight: A,
    grad: A,
    z: A,
    n: A,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Follow the regularized leader ("Ad click prediction: a view from the trenches", 2013).

    With ``g = clip(rescale_grad * grad)``: ``z += g - (sqrt(n + g**2) - sqrt(n)) * weight / lr``,
    ``n += g**2``, and then ``weight = (sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd)``,
    or 0 where ``|z| <= lamda1``.

    Examples
    --------
    >>> from gluon import nd
    >>> z, n = nd.zeros((2,)), nd.zeros((2,))
    >>> nd.ftrl_update(nd.array([0, 0]), nd.array([1, -4]), z, n, lr=1, lamda1=1).asnumpy()
    array([0. , 0.6], dtype=float32)
    """
    raise NotImplementedError


@update(steps.rmsprop)
def rmsprop_update(
    weight: A,
    grad: A,
    n: A,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """RMSProp: the gradient over the root of the running mean of its square.

    With ``d = clip(rescale_grad * grad + wd * weight)``:
    ``n = gamma1 * n + (1 - gamma1) * d**2``, and then ``weight -= lr * d / sqrt(n + epsilon)``.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, n = nd.array([1, 2]), nd.zeros((2,))
    >>> nd.rmsprop_update(weight, nd.array([1, -4]), n, lr=0.5, gamma1=0.75).asnumpy()
    array([0., 3.], dtype=float32)
    """
    raise NotImplementedError


@update(steps.rmsprop_centered)
def rmspropalex_update(
    weight: A,
    grad: A,
    n: A,
    g: A,
    delta: A,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """RMSProp with the variance of the gradient, and momentum.

    See "Generating sequences with recurrent neural networks", 2013.

    With ``d = clip(rescale_grad * grad + wd * weight)``:
    ``n = gamma1 * n + (1 - gamma1) * d**2``, ``g = gamma1 * g + (1 - gamma1) * d``,
    ``delta = gamma2 * delta - lr * d / sqrt(n - g**2 + epsilon)``, and then ``weight += delta``.

    Examples
    --------
    >>> from gluon import nd
    >>> n, g, delta = nd.zeros((2,)), nd.zeros((2,)), nd.zeros((2,))
    >>> weight, grad = nd.array([1, 2]), nd.array([1, -4])
    >>> nd.rmspropalex_update(weight, grad, n, g, delta, lr=0.5, gamma1=0.5).asnumpy()
    array([0., 3.], dtype=float32)
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------ LAMB


@update(steps.lamb_direction)
def lamb_update_phase1(
    weight: A,
    grad: A,
    mean: A,
    var: A,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = REQUIRED,
    bias_correction: bool = True,
    wd: float = REQUIRED,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The first half of LAMB ("Large batch optimization", 2020): the direction of the step.

    With ``d = clip(rescale_grad * grad)``: ``mean = beta1 * mean + (1 - beta1) * d``,
    ``var = beta2 * var + (1 - beta2) * d**2``. The result is
    ``m / (sqrt(v) + epsilon) + wd * weight``, where m and v are these means, divided by
    ``1 - beta1**t`` and ``1 - beta2**t`` with `bias_correction`.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.array([1, 2]), nd.zeros((2,)), nd.zeros((2,))
    >>> nd.lamb_update_phase1(weight, nd.array([1, -4]), mean, var, t=1, wd=0.5).asnumpy().round(3)
    array([1.5, 0. ], dtype=float32)
    """
    raise NotImplementedError


def _mp_lamb_update_phase1(weight: A, weight32: A, **given: Any) -> A:
    same_shape(weight, weight32)
    return lamb_update_phase1(weight=weight32, **given)


@keeps_shape
@operator(returned(_mp_lamb_update_phase1), returns="NDArray of the shape and dtype of `weight32`")
def mp_lamb_update_phase1(
    weight: A,
    grad: A,
    mean: A,
    var: A,
    weight32: A,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = REQUIRED,
    bias_correction: bool = True,
    wd: float = REQUIRED,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `lamb_update_phase1`, on a float32 copy of a float16 weight.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.ones((1,), dtype="float16"), nd.zeros((1,)), nd.zeros((1,))
    >>> weight32 = weight.astype("float32")
    >>> nd.mp_lamb_update_phase1(weight, weight, mean, var, weight32, t=1, wd=1).asnumpy().round()
    array([2.], dtype=float32)
    """
    raise NotImplementedError


def _lamb_update_phase2(
    weight: DeviceArray, g: DeviceArray, r1: Any, r2: Any, lr: float, **bounds: float
) -> None:
    ratio = trust(number("r1", r1), number("r2", r2), **bounds)
    steps.sgd(weight, g, lr=lr * ratio)


@operator(placed(_lamb_update_phase2))
def lamb_update_phase2(
    weight: A,
    g: A,
    r1: A,
    r2: A,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """The second half of LAMB: ``weight -= lr * r1 / r2 * g``; without the ratio if one is 0.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, g = nd.array([3, 4]), nd.array([1, 0])
    >>> nd.lamb_update_phase2(weight, g, weight.norm(), g.norm(), lr=0.5).asnumpy()
    array([0.5, 4. ], dtype=float32)
    """
    raise NotImplementedError


@mixed(lamb_update_phase2)
def mp_lamb_update_phase2(
    weight: A,
    g: A,
    r1: A,
    r2: A,
    weight32: A,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `lamb_update_phase2`, on a float32 copy of a float16 weight.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, g = nd.ones((1,), dtype="float16"), nd.ones((1,))
    >>> weight32 = weight.astype("float32")
    >>> nd.mp_lamb_update_phase2(weight, g, g, g, weight32, lr=0.5).asnumpy()
    array([0.5], dtype=float16)
    """
    raise NotImplementedError
