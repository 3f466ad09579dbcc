"""`nd`: the loss of connectionist temporal classification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._core.arrays.base import A, DeviceArray
from .._core.engine.op import RECORDED as ops
from .._core.errors import ArgumentError
from .._core.kernels.ctc import NEVER
from .._core.kernels.linalg import wide
from ._checks import check_choice, check_floating, check_used
from ._public import alias, public


@public
def CTCLoss(
    data: A,
    label: A,
    data_lengths: A | None = None,
    label_lengths: A | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: str = "first",
    out: A | None = None,
    name: str | None = None,
) -> A:
    """Connectionist temporal classification: the negative log-likelihood of labels.

    Each step predicts a label or a blank. A sequence of predictions stands for the labels that
    remain after merging runs of the same label and removing blanks. The probability of the labels
    is the sum over all sequences that stand for them. See "Connectionist temporal classification",
    2006.

    Parameters
    ----------
    data : NDArray of shape (steps, batch, classes), of floats
        Scores before the softmax, one class being the blank.
    label : NDArray of shape (batch, labels), of any dtype
        At most as many labels as steps. With the blank first, labels are 1 to classes - 1 and 0
        pads; with the blank last, they are 0 to classes - 2 and -1 pads.
    data_lengths : NDArray of shape (batch,), optional
        How many steps to use; all by default. Needs ``use_data_lengths=True``.
    label_lengths : NDArray of shape (batch,), optional
        How many labels to use; those before the first padding by default. Needs
        ``use_label_lengths=True``.
    use_data_lengths, use_label_lengths : bool, default False
    blank_label : {'first', 'last'}
        Which class the blank is.

    Returns
    -------
    NDArray of shape (batch,), of the dtype of `data`
        0, without gradient, where there are too few steps for the labels.

    Raises
    ------
    ArgumentError
        If shapes or batch sizes do not fit, a used label is the blank or not a class, or a length
        is negative or longer than the array.
    DTypeError
        If `data` holds no floats.

    Examples
    --------
    >>> from gluon import nd
    >>> scores = nd.zeros((2, 1, 3))  # every class has the probability 1/3, at both steps
    >>> loss = nd.CTCLoss(scores, nd.array([[1, 0]]))  # (1, 1), (0, 1) and (1, 0) stand for 1
    >>> print(f"{nd.exp(-loss).asscalar():.4f}")
    0.3333
    """
    check_choice("CTCLoss", "blank_label", blank_label, ("first", "last"))
    _check(data, label)
    check_used("CTCLoss", "data_lengths", data_lengths, use_data_lengths)
    check_used("CTCLoss", "label_lengths", label_lengths, use_label_lengths)
    last = blank_label == "last"
    return alignment_loss(data, label, label_lengths, data_lengths, ops.log_softmax, last)


ctc_loss: Final = alias("ctc_loss", CTCLoss)


def alignment_loss(
    data: A,
    label: A,
    label_lengths: A | None,
    data_lengths: A | None,
    log: Callable[..., Any],
    last: bool = False,
) -> A:
    """`CTCLoss`, where `log` makes logarithms of probabilities of the data."""
    steps, _, classes = data.shape
    spec = {"steps": steps, "classes": classes, "last": last}
    found = ops.ctc_states(label, label_lengths, data_lengths, **spec)
    states, skips, ends, counted, used, enough = found
    # Values in masked steps, even NaN, must not enter a product.
    x = ops.sequence_mask(ops.cast(data, dtype=wide(data.form.dtype)), used)
    x = ops.maximum(log(x), NEVER)
    places = ops.broadcast_to(ops.expand_dims(states, axis=0), shape=(steps, *states.shape))
    paths = ops.sequence_last(ops.ctc_paths(ops.take_along(x, places), skips), used)
    total = ops.log_sum_exp(ops.where(counted, ops.take_along(paths, ends), NEVER), axis=1)
    loss = ops.where(ops.less(total, NEVER / 2), float("inf"), ops.negative(total))
    return ops.cast(ops.where(enough, loss, 0.0), dtype=data.form.dtype)


def _check(data: DeviceArray, label: DeviceArray) -> None:
    if data.ndim != 3 or label.ndim != 2 or data.shape[1] != label.shape[0]:
        raise ArgumentError(
            f"CTCLoss: data has shape {data.shape} and label {label.shape}; they need (steps,"
            " batch, classes) and (batch, labels)"
        )
    check_floating("CTCLoss", data)
