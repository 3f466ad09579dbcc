"""`nd`: steps of optimizers, which update states in place and write to ``out``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core.arrays.base import A
from .._core.engine.array import Array
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError, DTypeError
from .._core.faces.kinds import keeps_shape
from .._core.ops import optimizer as steps
from ._public import public
from ._update import mixed, over_many, preloaded, update

# --------------------------------------------------------------------------- gradient descent


@update(steps.sgd)
def sgd_update(
    weight: A,
    grad: A,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Gradient descent: ``weight -= lr * (grad + wd * weight)``.

    Examples
    --------
    >>> from gluon import nd
    >>> weight = nd.array([1, 2])
    >>> nd.sgd_update(weight, nd.array([1, -1]), lr=0.5, out=weight).asnumpy()
    array([0.5, 2.5], dtype=float32)
    """
    raise NotImplementedError


@update(steps.sgd_momentum)
def sgd_mom_update(
    weight: A,
    grad: A,
    mom: A,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Gradient descent with momentum.

    ``mom = momentum * mom - lr * (grad + wd * weight)`` is added to the weight.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom = nd.array([1, 2]), nd.array([1, 0])
    >>> nd.sgd_mom_update(weight, nd.array([1, -1]), mom, lr=0.5, momentum=0.5).asnumpy()
    array([1. , 2.5], dtype=float32)
    >>> mom.asnumpy()
    array([0. , 0.5], dtype=float32)
    """
    raise NotImplementedError


@update(steps.nag)
def nag_mom_update(
    weight: A,
    grad: A,
    mom: A,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Gradient descent with Nesterov's momentum.

    With ``d = lr * (grad + wd * weight)``: ``mom = momentum * mom - d``, and then
    ``weight += momentum * mom - d``.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom = nd.array([1, 2]), nd.zeros((2,))
    >>> nd.nag_mom_update(weight, nd.array([1, -1]), mom, lr=0.5, momentum=0.5).asnumpy()
    array([0.25, 2.75], dtype=float32)
    """
    raise NotImplementedError


@update(steps.signsgd)
def signsgd_update(
    weight: A,
    grad: A,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """signSGD: ``weight = (1 - lr * wd) * weight - lr * sign(grad)``.

    Only the sign of the gradient matters, so `rescale_grad` and `clip_gradient` are ignored.

    Examples
    --------
    >>> from gluon import nd
    >>> nd.signsgd_update(nd.array([1, 2]), nd.array([7, -9]), lr=0.5).asnumpy()
    array([0.5, 2.5], dtype=float32)
    """
    raise NotImplementedError


@update(steps.signum)
def signum_update(
    weight: A,
    grad: A,
    mom: A,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Signum: steps by the sign of the momentum.

    ``mom = momentum * mom - (1 - momentum) * (grad + wd * weight)``, and then
    ``weight = (1 - lr * wd_lh) * weight + lr * sign(mom)``.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom = nd.array([1, 2]), nd.array([0.5, 0.5])
    >>> nd.signum_update(weight, nd.array([7, -9]), mom, lr=0.5, momentum=0.5).asnumpy()
    array([0.5, 2.5], dtype=float32)
    """
    raise NotImplementedError


@mixed(sgd_update)
def mp_sgd_update(
    weight: A,
    grad: A,
    weight32: A,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `sgd_update`, on a float32 copy of a float16 weight.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, grad = nd.ones((2,), dtype="float16"), nd.ones((2,), dtype="float16")
    >>> weight32 = weight.astype("float32")
    >>> nd.mp_sgd_update(weight, grad, weight32, lr=0.0001, out=weight).asnumpy()
    array([1., 1.], dtype=float16)
    >>> weight32.asnumpy()
    array([0.9999, 0.9999], dtype=float32)
    """
    raise NotImplementedError


@mixed(sgd_mom_update)
def mp_sgd_mom_update(
    weight: A,
    grad: A,
    mom: A,
    weight32: A,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `sgd_mom_update`, on a float32 copy of a float16 weight, with float32 momentum.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, grad = nd.ones((2,), dtype="float16"), nd.ones((2,), dtype="float16")
    >>> mom, weight32 = nd.zeros((2,)), weight.astype("float32")
    >>> nd.mp_sgd_mom_update(weight, grad, mom, weight32, lr=0.5, out=weight).asnumpy()
    array([0.5, 0.5], dtype=float16)
    """
    raise NotImplementedError


@mixed(nag_mom_update)
def mp_nag_mom_update(
    weight: A,
    grad: A,
    mom: A,
    weight32: A,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """As `nag_mom_update`, on a float32 copy of a float16 weight, with float32 momentum.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, grad = nd.ones((2,), dtype="float16"), nd.ones((2,), dtype="float16")
    >>> mom, weight32 = nd.zeros((2,)), weight.astype("float32")
    >>> nd.mp_nag_mom_update(weight, grad, mom, weight32, lr=0.5, out=weight).asnumpy()
    array([0.5, 0.5], dtype=float16)
    """
    raise NotImplementedError


# ------------------------------------------------------------------------- many weights at once


@over_many(sgd_update)
def multi_sgd_update(
    *data: A,
    lrs: Sequence[float],
    wds: Sequence[float],
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `sgd_update`, for many weights: weight and gradient of each in turn.

    Examples
    --------
    >>> from gluon import nd
    >>> one, two = nd.ones((1,)), nd.ones((2,))
    >>> found = nd.multi_sgd_update(one, one, two, two, lrs=[0.5, 1], wds=[0, 1], num_weights=2)
    >>> [weight.asnumpy().tolist() for weight in found]
    [[0.5], [-1.0, -1.0]]
    """
    raise NotImplementedError


@over_many(sgd_mom_update)
def multi_sgd_mom_update(
    *data: A,
    lrs: Sequence[float],
    wds: Sequence[float],
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `sgd_mom_update`, for many weights: weight, gradient and momentum of each in turn.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom = nd.ones((1,)), nd.ones((1,))
    >>> nd.multi_sgd_mom_update(weight, weight, mom, lrs=[0.5], wds=[0], momentum=1, out=[weight])
    [
    [1.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@over_many(mp_sgd_update)
def multi_mp_sgd_update(
    *data: A,
    lrs: Sequence[float],
    wds: Sequence[float],
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `mp_sgd_update`, for many weights: weight, gradient and float32 weight of each in turn.

    Examples
    --------
    >>> from gluon import nd
    >>> weight = nd.ones((1,), dtype="float16")
    >>> weight32 = weight.astype("float32")
    >>> nd.multi_mp_sgd_update(weight, weight, weight32, lrs=[0.5], wds=[0], out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@over_many(mp_sgd_mom_update)
def multi_mp_sgd_mom_update(
    *data: A,
    lrs: Sequence[float],
    wds: Sequence[float],
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `mp_sgd_mom_update`, for many weights.

    The arrays are weight, gradient, momentum and float32 weight of each in turn.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom = nd.ones((1,), dtype="float16"), nd.zeros((1,))
    >>> data = [weight, weight, mom, weight.astype("float32")]
    >>> nd.multi_mp_sgd_mom_update(*data, lrs=[0.5], wds=[0], out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@preloaded(multi_sgd_update)
def preloaded_multi_sgd_update(
    *data: A,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `multi_sgd_update`; the last two arrays are the learning rates and the weight decays.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, lrs, wds = nd.ones((1,)), nd.array([0.5]), nd.array([0])
    >>> nd.preloaded_multi_sgd_update(weight, weight, lrs, wds, out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@preloaded(multi_sgd_mom_update)
def preloaded_multi_sgd_mom_update(
    *data: A,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `multi_sgd_mom_update`; the last two arrays are the learning rates and weight decays.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, mom, lrs, wds = nd.ones((1,)), nd.ones((1,)), nd.array([0.5]), nd.array([0])
    >>> nd.preloaded_multi_sgd_mom_update(weight, weight, mom, lrs, wds, out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@preloaded(multi_mp_sgd_update)
def preloaded_multi_mp_sgd_update(
    *data: A,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `multi_mp_sgd_update`; the last two arrays are the learning rates and weight decays.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, lrs, wds = nd.ones((1,), dtype="float16"), nd.array([0.5]), nd.array([0])
    >>> data = [weight, weight, weight.astype("float32"), lrs, wds]
    >>> nd.preloaded_multi_mp_sgd_update(*data, out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@preloaded(multi_mp_sgd_mom_update)
def preloaded_multi_mp_sgd_mom_update(
    *data: A,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[A]:
    """As `multi_mp_sgd_mom_update`; the last two arrays are the learning rates and weight decays.

    Examples
    --------
    >>> from gluon import nd
    >>> weight, lrs, wds = nd.ones((1,), dtype="float16"), nd.array([0.5]), nd.array([0])
    >>> data = [weight, weight, nd.zeros((1,)), weight.astype("float32"), lrs, wds]
    >>> nd.preloaded_multi_mp_sgd_mom_update(*data, out=[weight])
    [
    [0.5]
    <NDArray 1 @cpu(0)>]
    """
    raise NotImplementedError


@keeps_shape
@public
def multi_lars(
    lrs: A,
    weights_sum_sq: A,
    grads_sum_sq: A,
    wds: A,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Learning rates scaled by the norms of the weights and their gradients, layer by layer.

    ``lr * eta * |weight| / (|grad| + wd * |weight| + eps)``, and `lr` itself where a norm is 0.

    Parameters
    ----------
    lrs : NDArray of shape (weights,)
        The learning rates.
    weights_sum_sq, grads_sum_sq : NDArray of shape (weights,)
        The sums of squares of the weights and of the gradients; see `multi_sum_sq`.
    wds : NDArray of shape (weights,)
        The weight decays.
    eta, eps : float
    rescale_grad : float, default 1.0
        A factor on the norms of the gradients.

    Returns
    -------
    NDArray of shape (weights,)

    Raises
    ------
    ArgumentError
        If the shapes differ.

    Examples
    --------
    >>> from gluon import nd
    >>> one, four = nd.array([1]), nd.array([4])
    >>> nd.multi_lars(one, four, one, one, eta=0.3, eps=0).asnumpy()
    array([0.2], dtype=float32)
    """
    arrays = (lrs, weights_sum_sq, grads_sum_sq, wds)
    if len(shapes := {one.shape for one in arrays}) > 1:
        raise ArgumentError(f"multi_lars: the four arrays must have one shape, got {shapes}")
    return ops.lars_rates(*arrays, eta=float(eta), eps=float(eps), rescale_grad=float(rescale_grad))


@public
def reset_arrays(
    *data: A,
    num_arrays: int | None = None,
    num_args: int | None = None,
    out: Sequence[A] | None = None,
    name: str | None = None,
) -> list[Any]:
    """Set all values of some arrays to 0.

    Parameters
    ----------
    *data : NDArray of any shape and dtype
    num_arrays : int, optional
        The number of arrays; checked if given.

    Returns
    -------
    list
        Empty.

    Raises
    ------
    ArgumentError
        If there are not `num_arrays` of them.

    Examples
    --------
    >>> from gluon import nd
    >>> x = nd.array([1, 2])
    >>> nd.reset_arrays(x)
    []
    >>> x.asnumpy()
    array([0., 0.], dtype=float32)
    """
    if num_arrays is not None and num_arrays != len(data):
        raise ArgumentError(f"reset_arrays: num_arrays={num_arrays}, but got {len(data)} arrays")
    for one in data:
        if not isinstance(one, Array):
            raise DTypeError(f"reset_arrays: got {type(one).__name__} where an NDArray is needed")
        one[...] = 0
    return []
