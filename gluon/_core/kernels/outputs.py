"""Kernels of output layers, whose gradient is that of a loss which is never computed."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from . import activation, indexing
from .elementwise import sigmoid
from .steps import step

NORMALIZATIONS = ("null", "batch", "valid")


def check_normalization(normalization: str) -> None:
    if normalization not in NORMALIZATIONS:
        raise ValueError(f"normalization={normalization!r} is not one of {NORMALIZATIONS}")


def classes(x: Any, multi_output: bool, preserve_shape: bool) -> Any:
    """`x` with its classes along axis 1: (samples, classes) or (samples, classes, places)."""
    if multi_output:
        return x.reshape(*x.shape[:2], prod(x.shape[2:]))
    return x.reshape((-1, x.shape[-1]) if preserve_shape else (len(x), prod(x.shape[1:])))


def softmax_output(
    x: Any,
    label: Any,
    *,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
) -> Any:
    """The softmax over the classes."""
    check_normalization(normalization)
    flat = classes(x, multi_output, preserve_shape)
    fits = label.shape[:1] == x.shape[:1] and label.size * flat.shape[1] == flat.size
    if label.shape != x.shape and not fits:
        raise ValueError(
            f"label has shape {label.shape}; x of shape {x.shape} needs"
            f" {flat.size // max(flat.shape[1], 1)} labels, first axis {len(x)}, or a probability"
            " for each of its values"
        )
    return class_softmax(flat).reshape(x.shape)


@step
def class_softmax(flat: Any) -> Any:
    """The softmax along axis 1."""
    return activation.softmax(flat, axis=1)


def softmax_output_grad(
    x: Any,
    label: Any,
    weight: Any,
    *,
    multi_output: bool,
    preserve_shape: bool,
    smooth_alpha: float,
) -> Any:
    """The gradient of the cross-entropy: (softmax - target) * weight."""
    target = softmax_target(
        label,
        shape=x.shape,
        dtype=x.dtype,
        multi_output=multi_output,
        preserve_shape=preserve_shape,
        smooth_alpha=smooth_alpha,
    )
    flat = classes(x, multi_output, preserve_shape)
    return (class_softmax(flat).reshape(x.shape) - target) * weight


def softmax_target(
    label: Any,
    *,
    shape: tuple[int, ...],
    dtype: Any,
    multi_output: bool,
    preserve_shape: bool,
    smooth_alpha: float,
) -> Any:
    """The probabilities that a label stands for, in the shape of the data."""
    if label.shape == shape:
        return label.astype(dtype, copy=False)
    flat = classes(np.empty(shape, bool), multi_output, preserve_shape).shape
    count = flat[1]
    smooth = 0.0 if multi_output else smooth_alpha
    some, rest = 1 - smooth, smooth / max(count - 1, 1)
    form = flat[0], count, prod(flat[2:])
    target = np.full(form, rest, dtype)
    places = label.reshape(form[::2]).astype(np.intp)
    rows, columns = np.nonzero((places >= 0) & (places < count))
    target[rows, places[rows, columns], columns] = some
    return target.reshape(shape)


def softmax_weight(
    label: Any,
    *,
    shape: tuple[int, ...],
    dtype: Any,
    grad_scale: float,
    ignore_label: float,
    multi_output: bool,
    use_ignore: bool,
    preserve_shape: bool,
    normalization: str,
) -> Any:
    """What the gradient is multiplied by, a number or an array that broadcasts to `shape`."""
    if label.shape == shape:
        return np.asarray(grad_scale, dtype)
    flat = classes(np.empty(shape, bool), multi_output, preserve_shape).shape
    places = prod(flat[2:])
    counts = {
        "null": max(places, 1),
        "batch": max(flat[0] * places, 1),
        "valid": max(int((label != ignore_label).sum()), 1),
    }
    scale = np.asarray(grad_scale / counts[normalization], dtype)
    if not use_ignore:
        return scale
    kept = (label != ignore_label).reshape(flat[0], 1, *flat[2:])
    return np.broadcast_to(kept * scale, flat).reshape(shape)


def cross_entropy(x: Any, label: Any, *, axis: int = -1) -> Any:
    """-log softmax(x) of the class that the label says along `axis`, which has length 1 then."""
    return -indexing.pick(activation.log_softmax(x, axis=axis), label, axis=axis, keepdims=True)


def cross_entropy_grad(out_grad: Any, x: Any, label: Any, *, axis: int) -> Any:
    """The gradient of `cross_entropy`: out_grad * (softmax(x) - 1 of the class)."""
    taken = indexing.pick_grad(out_grad, label, axis=axis, mode="clip", shape=x.shape)
    return activation.softmax(x, axis=axis) * out_grad - taken


def _check_label(x: Any, label: Any) -> None:
    if x.size != label.size or x.shape[:1] != label.shape[:1]:
        raise ValueError(
            f"label has shape {label.shape}; it needs as many values as x {x.shape}, and its first"
            " axis"
        )


def plain_output(x: Any, label: Any, *, grad_scale: float = 1.0) -> Any:
    _check_label(x, label)
    return x.copy()


def logistic_output(x: Any, label: Any, *, grad_scale: float = 1.0) -> Any:
    _check_label(x, label)
    return sigmoid(x)


def loss_output(
    x: Any, *, grad_scale: float = 1.0, valid_thresh: float = 0.0, normalization: str = "null"
) -> Any:
    check_normalization(normalization)
    return x.copy()


def loss_grad(x: Any, *, grad_scale: float, valid_thresh: float, normalization: str) -> Any:
    """The gradient of `loss_output`: one number everywhere."""
    counts = {
        "null": 1,
        "batch": max(prod(x.shape[:-1]), 1),
        "valid": max(int((x > valid_thresh).sum()), 1),
    }
    return np.full_like(x, grad_scale / counts[normalization])


def scale_gradient(x: Any, *, scalar: float) -> Any:
    return x.copy()


def svm_output(
    x: Any,
    label: Any,
    *,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
) -> Any:
    if x.ndim < 2 or label.shape != x.shape[:-1]:
        raise ValueError(
            f"x has shape {x.shape} and label {label.shape}; x is (batch, ..., classes), and label"
            " lacks the last axis only"
        )
    return x.copy()


def kl_sparse(
    x: Any, average: Any, *, sparseness_target: float, penalty: float, momentum: float
) -> Any:
    if x.ndim < 2 or average.shape != x.shape[1:2]:
        raise ValueError(
            f"x has shape {x.shape} and the average {average.shape}; x is (batch, units, ...), and"
            " the average has one value for each unit"
        )
    return x.copy()
