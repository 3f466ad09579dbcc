"""Losses."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.engine.op import RECORDED as ops
from ..._core.errors import ArgumentError
from ..._core.kernels.linalg import wide
from ..._hook.errors import CheckError
from ..interfaces import as_tensor, cast, operands, tensors
from ._checked import checked
from .indexing import indexing_one_hot
from .math import logsumexp, mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..tensor import Tensor

__all__ = [
    "binary_cross_entropy",
    "cross_entropy",
    "ctc_loss",
    "hinge_loss",
    "l1_loss",
    "square_loss",
]


def _reduced(loss: Callable) -> Callable:
    """Give a loss of each sample the argument `reduction`, last."""
    known = signature(loss)
    added = Parameter("reduction", Parameter.POSITIONAL_OR_KEYWORD, default="mean")

    @wraps(loss)
    def function(*args: Any, reduction: str = "mean", **kwargs: Any) -> Tensor:
        if len(args) == len(known.parameters) + 1:
            *args, reduction = args  # type: ignore[assignment]
        values = loss(*args, **kwargs)
        if reduction == "none":
            return values
        if reduction not in ("mean", "sum"):
            raise ArgumentError(
                f"{loss.__name__}: reduction {reduction!r} is not one of 'mean', 'sum' and 'none'"
            )
        return mean(values) if reduction == "mean" else ops.sum(values)

    parameters = [*known.parameters.values(), added]
    function.__signature__ = known.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function


@_reduced
@checked
def l1_loss(pred: ArrayLike, label: Any) -> Tensor:
    """The absolute error.

    Parameters
    ----------
    pred : Tensor of any shape
        Of any dtype; integers count as float32.

    Returns
    -------
    Tensor of shape ()
        With ``reduction="sum"`` the sum instead of the mean, with ``"none"`` each value.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> l1_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(1.0, device=xpux:0)
    """
    pred, label = operands(pred, label, floats=True)
    return ops.abs(pred - label)


@_reduced
@checked
def square_loss(pred: ArrayLike, label: Any) -> Tensor:
    """The squared error.

    Parameters
    ----------
    pred : Tensor of any shape
        Of any dtype; integers count as float32.

    Returns
    -------
    Tensor of shape ()
        With ``reduction="sum"`` the sum instead of the mean, with ``"none"`` each value.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> square_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(2.0, device=xpux:0)
    """
    pred, label = operands(pred, label, floats=True)
    return ops.square(pred - label)


@_reduced
@checked
def cross_entropy(
    pred: ArrayLike,
    label: ArrayLike,
    axis: int = 1,
    with_logits: bool = True,
    label_smooth: float = 0,
) -> Any:
    """The cross-entropy between scores of classes and the true classes.

    Parameters
    ----------
    pred : Tensor of shape (n, classes, ...)
        Logits, or probabilities.
    label : Tensor of int32 and shape (n, ...)
    axis : int, default 1
        The axis of the classes.
    with_logits : bool, default True
        Whether `pred` holds logits.
    label_smooth : float, default 0
        The share of the true class that is spread evenly over all classes.

    Returns
    -------
    Tensor of shape ()
        With ``reduction="sum"`` the sum instead of the mean, with ``"none"`` each value.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> cross_entropy(Tensor([[0.0, 0.0]]), Tensor([1]))
    Tensor(0.6931472, device=xpux:0)
    """
    (pred,) = operands(pred, floats=True)
    label = as_tensor(label)
    if label.ndim != pred.ndim - 1:
        raise ArgumentError(
            f"cross_entropy: for pred of shape {pred.shape} and axis={axis}, label needs class"
            f" indices with {pred.ndim - 1} axes; got shape {label.shape}"
        )
    total = logsumexp(pred, axis) if with_logits else 0.0
    scores = pred if with_logits else ops.log(pred)
    right = indexing_one_hot(scores, label, axis)
    if label_smooth:
        right = right * (1 - label_smooth) + ops.mean(scores, axis=axis) * label_smooth
    return total - right


@_reduced
@checked
def binary_cross_entropy(pred: ArrayLike, label: Any, with_logits: bool = True) -> Tensor:
    """The binary cross-entropy.

    Parameters
    ----------
    pred : Tensor of any shape
        Of any dtype; integers count as float32. Logits, or probabilities.
    label : Tensor of the same shape
        Values from 0 to 1.
    with_logits : bool, default True
        Whether `pred` holds logits.

    Returns
    -------
    Tensor of shape ()
        With ``reduction="sum"`` the sum instead of the mean, with ``"none"`` each value.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> binary_cross_entropy(Tensor([0.0]), Tensor([1.0]))
    Tensor(0.6931472, device=xpux:0)
    """
    (pred,) = operands(pred, floats=True)
    label = cast(as_tensor(label), pred.dtype)
    if not with_logits:
        return -(label * ops.log(pred) + (1 - label) * ops.log(1 - pred))
    return ops.softrelu(pred) - label * pred


@_reduced
@checked
def hinge_loss(pred: ArrayLike, label: Any, norm: str = "L1") -> Tensor:
    """The hinge loss, summed over the classes of each sample.

    Parameters
    ----------
    pred : Tensor of shape (n, classes)
        Of any dtype; integers count as float32.
    label : Tensor of the same shape
        1 for the true class, -1 for the others.
    norm : {'L1', 'L2'}
        ``'L2'`` squares the loss of each class.

    Returns
    -------
    Tensor of shape ()
        With ``reduction="sum"`` the sum instead of the mean, with ``"none"`` each value.

    Examples
    --------
    >>> from gluon.megengine import Tensor
    >>> hinge_loss(Tensor([[0.5, -2.0]]), Tensor([[1.0, -1.0]]))
    Tensor(0.5, device=xpux:0)
    """
    if norm not in ("L1", "L2"):
        raise ArgumentError(f"hinge_loss: norm {norm!r} is neither 'L1' nor 'L2'")
    pred, label = tensors(pred, label, floats=True)
    beyond = ops.relu(1 - pred * cast(label, pred.dtype))
    return ops.sum(beyond if norm == "L1" else ops.square(beyond), axis=1)


#: Smaller probabilities count as this one, and so does each state that a path cannot begin in:
#: labels that need more steps than there are have a large loss, not an infinite one.
TINY = float(np.finfo(np.float32).tiny)


@checked
def ctc_loss(
    pred: ArrayLike,
    pred_lengths: ArrayLike,
    label: ArrayLike,
    label_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
) -> Tensor:
    """Connectionist temporal classification loss.

    See "Connectionist temporal classification", 2006.

    Parameters
    ----------
    pred : Tensor of shape (steps, batch, classes)
        Probabilities; one class is the blank.
    pred_lengths : Tensor of int32 and shape (batch,)
        The number of valid steps of each sample.
    label : Tensor of int32 and shape (batch, labels), or (sum of label_lengths,)
    label_lengths : Tensor of int32 and shape (batch,)
        The number of valid labels of each sample.
    blank : int, default 0
        The class of the blank.
    reduction : {'mean', 'sum', 'none'}
        The mean divides each loss by the number of its labels.

    Returns
    -------
    Tensor of shape (), or (batch,) with 'none'

    Examples
    --------
    >>> from gluon.megengine import Tensor, functional as F
    >>> pred = Tensor([[[0.25, 0.75]], [[0.5, 0.5]]])  # 1 comes out but for two blanks
    >>> loss = ctc_loss(pred, Tensor([2]), Tensor([[1]]), Tensor([1]))
    >>> F.exp(-loss)
    Tensor(0.875, device=xpux:0)
    """
    (pred,) = operands(pred, floats=True)
    if reduction not in ("mean", "sum", "none"):
        raise ArgumentError(f"ctc_loss: reduction {reduction!r} is not 'mean', 'sum' or 'none'")
    if pred.ndim != 3 or not 0 <= blank < pred.shape[2]:
        raise ArgumentError(
            f"ctc_loss: pred has shape {pred.shape} and blank is {blank}; give (steps, batch,"
            " classes), and one of the classes"
        )
    labels, lengths = _padded(as_tensor(label).raw, as_tensor(label_lengths).raw, pred.shape[1])
    counted = labels[np.arange(labels.shape[1]) < lengths[:, None]]
    if counted.size and not 0 <= counted.min() <= counted.max() < pred.shape[2]:
        raise ArgumentError(
            f"ctc_loss: label has values from {counted.min()} to {counted.max()}; they must be"
            f" 0 to {pred.shape[2] - 1}"
        )
    values = _negative_log(
        pred, _lengths("pred_lengths", pred_lengths, pred), labels, lengths, blank
    )
    if reduction == "none":
        return values
    if reduction == "mean":
        return ops.mean(values / as_tensor(lengths.astype(values.dtype)))
    return ops.sum(values)


def _negative_log(pred: Any, steps: Any, labels: Any, lengths: Any, blank: int) -> Any:
    """The negative logarithm of the probability of each row of labels."""
    states = np.full((len(labels), 2 * labels.shape[1] + 1), blank)
    states[:, 1::2] = np.clip(labels, 0, pred.shape[2] - 1)  # padding is not read
    skips = np.zeros(states.shape, bool)
    skips[:, 2:] = states[:, 2:] != states[:, :-2]
    places = np.broadcast_to(states, (len(pred), *states.shape))
    tiny = np.log(TINY)
    x = ops.log(ops.maximum(ops.cast(pred, dtype=wide(pred.dtype)), TINY))
    x = ops.take_along(x, as_tensor(places.copy()), axis=-1)
    late = np.zeros(places.shape, bool)
    late[0, :, 2:] = True
    paths = ops.ctc_paths(ops.where(late, tiny, x), as_tensor(skips), late=0.0)
    ends = as_tensor(np.stack([2 * lengths, 2 * lengths - 1], 1))
    last = ops.take_along(ops.sequence_last(paths, as_tensor(steps)), ends, axis=-1)
    return ops.cast(ops.negative(ops.log_sum_exp(last, axis=1)), dtype=pred.dtype)


def _lengths(name: str, given: Any, pred: Any) -> Any:
    """How many steps count: for each of the batch 1 at least, and all at most."""
    steps = as_tensor(given).raw.reshape(-1).astype(np.int32)
    if steps.shape != pred.shape[1:2] or not 1 <= steps.min() <= steps.max() <= len(pred):
        raise CheckError(
            f"ctc_loss: {name}={steps.tolist()} for {pred.shape[1]} samples of {len(pred)} steps;"
            f" give as many numbers from 1 to {len(pred)}"
        )
    return steps


def _padded(label: Any, lengths: Any, batch: int) -> tuple[Any, Any]:
    """Labels as rows, each of a sample, and how many of a row count."""
    lengths = lengths.reshape(-1).astype(np.int32)
    longest = label.shape[-1] if label.ndim == 2 else label.size
    if len(lengths) != batch or label.ndim not in (1, 2) or label.shape[0] < batch:
        raise CheckError(
            f"ctc_loss: {len(lengths)} label_lengths and label of shape {label.shape} for a batch"
            f" of {batch}"
        )
    if not 1 <= lengths.min() <= lengths.max() <= longest:
        raise CheckError(f"ctc_loss: label_lengths={lengths.tolist()} are not 1 to {longest}")
    if label.ndim == 2:
        return label, lengths
    if lengths.sum() != label.size:
        raise CheckError(
            f"ctc_loss: label has {label.size} values, but label_lengths sum up to {lengths.sum()}"
        )
    rows = np.zeros((batch, lengths.max(initial=0)), label.dtype)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = label
    return rows, lengths
