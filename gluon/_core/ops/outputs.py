"""Output layers: the gradient they send back is that of a loss which is never computed.

Their rules do not use the cotangent (except for softmax_output's `out_grad`), as in MXNet.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import elementwise
from ..kernels import outputs as kernels


def _softmax_output(
    F: Any,
    g: Any,
    x: Any,
    label: Any,
    grad_scale: float,
    ignore_label: float,
    multi_output: bool,
    use_ignore: bool,
    preserve_shape: bool,
    normalization: str,
    out_grad: bool,
    smooth_alpha: float,
) -> Any:
    weight = F.softmax_weight(
        label,
        shape=x.shape,
        dtype=x.dtype,
        grad_scale=grad_scale,
        ignore_label=ignore_label,
        multi_output=multi_output,
        use_ignore=use_ignore,
        preserve_shape=preserve_shape,
        normalization=normalization,
    )
    how = {"multi_output": multi_output, "preserve_shape": preserve_shape}
    # Computed from x, not from the output, whose own gradient is that of the loss.
    grad = F.softmax_output_grad(x, label, weight, smooth_alpha=smooth_alpha, **how)
    return grad * g if out_grad else grad


def _softmax_output_grad(
    F: Any, g: Any, x: Any, weight: Any, multi_output: bool, preserve_shape: bool
) -> Any:
    flat = kernels.classes(np.empty(x.shape, bool), multi_output, preserve_shape).shape
    p = F.softmax(F.reshape(x, shape=flat), axis=1)
    return F.reshape(F.softmax_grad(F.reshape(g * weight, shape=flat), p, axis=1), shape=x.shape)


softmax_output: Final = define(
    "softmax_output",
    kernels.softmax_output,
    "The softmax; its gradient is that of the cross-entropy with the label",
    x=_softmax_output,
)
softmax_output_grad: Final = define(
    "softmax_output_grad",
    kernels.softmax_output_grad,
    "The gradient of softmax_output: (softmax - target) * weight",
    x=_softmax_output_grad,
)
cross_entropy: Final = define(
    "cross_entropy",
    kernels.cross_entropy,
    "-log softmax(x) along `axis` at the labels; the axis stays, of length 1",
    x=lambda F, g, x, label, axis: F.cross_entropy_grad(g, x, label, axis=axis),
)
cross_entropy_grad: Final = define(
    "cross_entropy_grad",
    kernels.cross_entropy_grad,
    "The gradient of cross_entropy: out_grad * (softmax(x) - 1 at the labels)",
    out_grad=lambda F, g, x, label, axis: (
        F.sum(g * F.softmax(x, axis=axis), axis=axis, keepdims=True)
        - F.pick(g, label, axis=axis, keepdims=True)
    ),
    x=lambda F, g, out_grad, x, axis: F.softmax_grad(
        g * out_grad, F.softmax(x, axis=axis), axis=axis
    ),
)
softmax_weight: Final = define(
    "softmax_weight", kernels.softmax_weight, "The scale of the gradient of softmax_output"
)


def _regression(F: Any, y: Any, label: Any, grad_scale: float, slope: Callable) -> Any:
    """Return the derivative of the loss at the error, times `grad_scale` over the sample size."""
    per_sample = prod(label.shape[1:]) or 1
    error = y - F.cast(F.reshape(label, shape=y.shape), dtype=y.dtype)
    return slope(error) * (grad_scale / per_sample)


linear_output: Final = define(
    "linear_output",
    kernels.plain_output,
    "x; its gradient is that of half the squared error",
    x=lambda F, g, x, label, grad_scale: _regression(F, x, label, grad_scale, lambda e: e),
)
logistic_output: Final = define(
    "logistic_output",
    kernels.logistic_output,
    "sigmoid(x); its gradient is that of the binary cross-entropy with the label",
    x=lambda F, g, x, label, grad_scale: _regression(
        F, F.sigmoid(x), label, grad_scale, lambda e: e
    ),
)
absolute_output: Final = define(
    "absolute_output",
    kernels.plain_output,
    "x; its gradient is that of the absolute error, -1 where there is none",
    x=lambda F, g, x, label, grad_scale: _regression(
        F, x, label, grad_scale, lambda e: F.where(e > 0, F.ones_like(e), -F.ones_like(e))
    ),
)
loss_output: Final = define(
    "loss_output",
    kernels.loss_output,
    "x; its gradient is `grad_scale`, over the batch or the values above `valid_thresh`",
    x=lambda F, g, x, grad_scale, valid_thresh, normalization: F.loss_grad(
        x, grad_scale=grad_scale, valid_thresh=valid_thresh, normalization=normalization
    ),
)
loss_grad: Final = define("loss_grad", kernels.loss_grad, "The gradient of loss_output")
scale_gradient: Final = define(
    "scale_gradient",
    kernels.scale_gradient,
    "x; its gradient is multiplied by `scalar`",
    x=lambda g, scalar: g * scalar,
)
round_ste: Final = define(
    "round_ste",
    elementwise.round_away,
    "The nearest integer, ties away from 0; its gradient is 1",
    x=lambda g: g,
)
sign_ste: Final = define("sign_ste", np.sign, "-1, 0 or 1; its gradient is 1", x=lambda g: g)


def _svm_output(
    F: Any,
    g: Any,
    x: Any,
    label: Any,
    margin: float,
    regularization_coefficient: float,
    use_linear: bool,
) -> Any:
    """Return the derivative of the (squared) hinge loss of each class against the rest."""
    sides = F.one_hot(label, depth=x.shape[-1], on_value=-1.0, off_value=1.0, dtype=x.dtype)
    over = x * sides + margin
    if use_linear:
        slope = F.where(over > 0, F.ones_like(over), F.zeros_like(over))
    else:
        slope = F.relu(over) * 2
    return sides * slope * regularization_coefficient


svm_output: Final = define(
    "svm_output",
    kernels.svm_output,
    "x; its gradient is that of the hinge loss, or of its square, with the label",
    x=_svm_output,
)


def _kl_sparse(
    F: Any,
    g: Any,
    x: Any,
    average: Any,
    sparseness_target: float,
    penalty: float,
    momentum: float,
) -> Any:
    """Return the derivative of KL(target || a), with a the running average of each unit."""
    axes = (0, *range(2, x.ndim))
    before = F.reshape(average, shape=(1, -1, *(1 for _ in axes[1:])))
    a = before * momentum + F.mean(x, axis=axes, keepdims=True) * (1 - momentum)
    return g + ((1 - sparseness_target) / (1 - a) - sparseness_target / a) * penalty


kl_sparse: Final = define(
    "kl_sparse",
    kernels.kl_sparse,
    "x; to its gradient comes that of a penalty on units which are active too often",
    x=_kl_sparse,
)
