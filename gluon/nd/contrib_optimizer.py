"""`nd.contrib`: optimizer steps that are experimental in MXNet."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from .._core.arrays.base import A, DeviceArray
from .._core.ops import optimizer as steps
from ._update import halved, listed, mixed, number, operator, placed, taking, update


@update(steps.group_adagrad)
def group_adagrad_update(
    weight: A,
    grad: A,
    history: A,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-05,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """AdaGrad with one rate for each row.

    With ``d = clip(rescale_grad * grad)``: ``history += mean(d**2, axis=1, keepdims=True)``, and
    then ``weight -= lr * d / sqrt(history + epsilon)``.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, history = nd.zeros((2, 2)), nd.zeros((2, 1))
    >>> grad = nd.array([[1, -1], [4, 0]])
    >>> nd.contrib.group_adagrad_update(weight, grad, history, lr=1, epsilon=1).asnumpy()
    array([[-0.70710677,  0.70710677],
           [-1.3333334 ,  0.        ]], dtype=float32)
    """
    raise NotImplementedError


def _adamw(
    weight: DeviceArray,
    grad: DeviceArray,
    mean: DeviceArray,
    var: DeviceArray,
    rescale_grad: Any,
    **given: Any,
) -> None:
    factor = number("rescale_grad", rescale_grad)
    if factor and isfinite(factor):
        steps.adamw(weight, grad, mean, var, rescale_grad=factor, **given)


@operator(placed(_adamw))
def adamw_update(
    weight: A,
    grad: A,
    mean: A,
    var: A,
    rescale_grad: A | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """AdamW: Adam with decoupled weight decay ("Decoupled weight decay", 2019).

    With ``d = clip(rescale_grad * grad)``: ``mean = beta1 * mean + (1 - beta1) * d``,
    ``var = beta2 * var + (1 - beta2) * d**2``, and then
    ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``. With a `rescale_grad` of
    0, infinity or NaN, nothing changes.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.array([1, 2]), nd.zeros((2,)), nd.zeros((2,))
    >>> nd.contrib.adamw_update(
    ...     weight, nd.array([1, -4]), mean, var, 1, lr=0.5, eta=1, beta1=0.5, beta2=0.75, wd=0.5
    ... ).asnumpy()
    array([0. , 1.5], dtype=float32)
    """
    raise NotImplementedError


@mixed(adamw_update)
def mp_adamw_update(
    weight: A,
    grad: A,
    mean: A,
    var: A,
    weight32: A,
    rescale_grad: A | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `adamw_update`, on a float32 copy of a float16 weight, with float32 means.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.ones((1,), dtype="float16"), nd.zeros((1,)), nd.zeros((1,))
    >>> weight32 = weight.astype("float32")
    >>> nd.contrib.mp_adamw_update(
    ...     weight, weight, mean, var, weight32, 1, lr=0.5, eta=1, beta1=0.5, beta2=0.75
    ... ).asnumpy()
    array([0.5], dtype=float16)
    """
    raise NotImplementedError


@listed(adamw_update, "size")
def multi_adamw_update(
    weights: Sequence[A],
    grads: Sequence[A],
    mean: Sequence[A],
    var: Sequence[A],
    rescale_grad: A | float,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Sequence[A] | None = None,
    name: str | None = None,
    size: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    clip_gradient: float = -1.0,
) -> list[A]:
    """As `adamw_update`, for many weights.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, grad = nd.array([1, 2]), nd.array([1, -4])
    >>> mean, var = nd.zeros((2,)), nd.zeros((2,))
    >>> nd.contrib.multi_adamw_update(
    ...     [weight], [grad], [mean], [var], 1, [0.5], [0.5], [1], beta1=0.5, beta2=0.75
    ... )
    [
    [0.  1.5]
    <NDArray 2 @cpu(0)>]
    """
    raise NotImplementedError


@listed(mp_adamw_update, "size")
def multi_mp_adamw_update(
    weights: Sequence[A],
    grads: Sequence[A],
    mean: Sequence[A],
    var: Sequence[A],
    weights32: Sequence[A],
    rescale_grad: A | float,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Sequence[A] | None = None,
    name: str | None = None,
    size: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    clip_gradient: float = -1.0,
) -> list[A]:
    """As `mp_adamw_update`, for many weights.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.ones((1,), dtype="float16"), nd.zeros((1,)), nd.zeros((1,))
    >>> weight32 = weight.astype("float32")
    >>> nd.contrib.multi_mp_adamw_update(
    ...     [weight], [weight], [mean], [var], [weight32], 1, [1], [0], [1], beta1=0.5, beta2=0.75
    ... )
    [
    [0.]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


def _lamb(out: Any = None, **given: Any) -> Any:
    """Both phases of LAMB."""
    return placed(taking(steps.lamb, {}))(into=out, **given)


def _mp_lamb(out: Any = None, **given: Any) -> Any:
    """LAMB on a float32 copy of a float16 weight."""
    return placed(halved(_lamb))(into=out, **given)


@listed(_lamb, "num_tensors")
def multi_lamb_update(
    weights: Sequence[A],
    grads: Sequence[A],
    mean: Sequence[A],
    var: Sequence[A],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Sequence[A] | None = None,
    num_tensors: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    name: str | None = None,
) -> list[A]:
    """LAMB, both halves, for many weights; see `lamb_update_phase1`.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.array([3, 4]), nd.zeros((2,)), nd.zeros((2,))
    >>> found = nd.contrib.multi_lamb_update(
    ...     [weight], [nd.array([1, 0])], [mean], [var], [1], lrs=[0.5], wds=[0]
    ... )
    >>> found[0].asnumpy().round(3)
    array([0.5, 4. ], dtype=float32)
    """
    raise NotImplementedError


@listed(_mp_lamb, "num_tensors")
def multi_mp_lamb_update(
    weights: Sequence[A],
    grads: Sequence[A],
    mean: Sequence[A],
    var: Sequence[A],
    weights32: Sequence[A],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Sequence[A] | None = None,
    num_tensors: int = 0,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    name: str | None = None,
) -> list[A]:
    """As `multi_lamb_update`, on float32 copies of float16 weights.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mean, var = nd.ones((1,), dtype="float16"), nd.zeros((1,)), nd.zeros((1,))
    >>> nd.contrib.multi_mp_lamb_update(
    ...     [weight], [weight], [mean], [var], [weight.astype("float32")], [1], lrs=[0.5], wds=[0]
    ... )
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError
