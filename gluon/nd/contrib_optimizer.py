"""`nd.contrib`: steps of optimizers that MXNet counts as experimental."""

from __future__ import annotations

import sys
from math import isfinite
from typing import Any, Final

from ..ndarray.base import DeviceArray
from ..ops import optimizer as steps
from ._public import operators
from ._update import REQUIRED, listed, mixed, number, operator, placed, update

group_adagrad_update: Final = update(
    "group_adagrad_update",
    steps.group_adagrad,
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
    """,
)


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


adamw_update: Final = operator(
    "adamw_update",
    placed(_adamw),
    {
        **dict.fromkeys("weight grad mean var rescale_grad lr eta".split(), REQUIRED),
        **{"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "wd": 0.0, "clip_gradient": -1.0},
    },
    """Adam, with the weight decay apart from the gradient ("Decoupled weight decay", 2019).

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
    """,
)
mp_adamw_update: Final = mixed(
    "mp_adamw_update",
    adamw_update,
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
    """,
)
multi_adamw_update: Final = listed(
    "multi_adamw_update",
    adamw_update,
    "weights grads mean var rescale_grad lrs wds etas",
    {"out": None, "name": None, "size": 0},
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
    """,
)
multi_mp_adamw_update: Final = listed(
    "multi_mp_adamw_update",
    mp_adamw_update,
    "weights grads mean var weights32 rescale_grad lrs wds etas",
    {"out": None, "name": None, "size": 0},
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
    """,
)
_lamb = update("lamb_update", steps.lamb, "LAMB, both halves at once.")
_mp_lamb = mixed("mp_lamb_update", _lamb, "LAMB on a float32 copy of a float16 weight.")
multi_lamb_update: Final = listed(
    "multi_lamb_update",
    _lamb,
    "weights grads mean var step_count lrs wds",
    {"out": None, "num_tensors": 0},
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
    """,
)
multi_mp_lamb_update: Final = listed(
    "multi_mp_lamb_update",
    _mp_lamb,
    "weights grads mean var weights32 step_count lrs wds",
    {"out": None, "num_tensors": 0},
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
    """,
)
for _operator in operators(sys.modules[__name__]).values():
    _operator.__module__ = __name__
