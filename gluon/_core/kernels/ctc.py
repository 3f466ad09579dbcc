"""Kernels of connectionist temporal classification: alignments of labels to steps.

A label sequence of length n is aligned through 2 n + 1 states: its labels with a blank before,
between and after them. A path stays in its state, moves on to the next one, or skips a blank
between two labels that differ; it begins in one of the first two states and ends in one of the
last two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

#: The logarithm of a probability of 0; finite, so that a difference of two is not a NaN.
NEVER = -1e30


def whole(x: Any) -> Any:
    """Lengths or labels, of any dtype, as integers."""
    return np.floor(x + 0.5).astype(np.int64)


def lengths(name: str, x: Any, batch: int, most: int) -> Any:
    """The lengths `x` as integers, one for each of the batch, checked."""
    if x.shape != (batch,):
        raise ValueError(f"{name} has shape {x.shape}; it needs {(batch,)}, the size of the batch")
    count = whole(x)
    if batch and not 0 <= count.min() <= count.max() <= most:
        raise ValueError(f"{name} has values outside 0 to {most}")
    return count


def label_classes(label: Any, length: Any, classes: int, last: bool) -> tuple[Any, Any, Any]:
    """The labels as integers, the blank in place of those that do not count.

    Returns
    -------
    numbers : int array of the shape of `label`
    inside : bool array of that shape
        Which labels count.
    count : int array of shape (batch,)
        How many do.
    """
    blank = classes - 1 if last else 0
    if length is None:
        count = np.cumprod(label != (-1 if last else 0), 1).sum(1)
    else:
        count = lengths("label_lengths", length, *label.shape)
    inside = np.arange(label.shape[1]) < count[:, None]
    numbers = whole(np.where(inside, label, blank))
    wrong = inside & ((numbers == blank) | (numbers < 0) | (numbers >= classes))
    if wrong.any():
        raise ValueError(
            f"label contains {label[wrong][0]:g}; with {classes} classes, labels must be classes"
            f" other than {blank}, the blank"
        )
    return numbers, inside, count


def ctc_states(
    label: Any,
    label_length: Any = None,
    data_length: Any = None,
    *,
    steps: int,
    classes: int,
    last: bool,
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """What the alignments of each row of labels (batch, n) pass through.

    The blank is the `last` class or the first one.

    Returns
    -------
    states : int array of shape (batch, 2 n + 1)
        The class of each state.
    skips : bool array of that shape
        Whether a path may come from the state before the last one.
    ends : int array of shape (batch, 2)
        The last two states.
    counted : bool array of shape (batch, 2)
        Which of `ends` there are: without labels there is one state.
    used : int array of shape (batch,)
        How many steps count; at least 1.
    enough : bool array of shape (batch,)
        Whether there is a path of as many steps.
    """
    if label.shape[1] > steps or not steps:
        raise ValueError(f"{steps} steps are too few for up to {label.shape[1]} labels")
    numbers, inside, count = label_classes(label, label_length, classes, last)
    states = np.full((len(label), 2 * label.shape[1] + 1), classes - 1 if last else 0)
    blank = states[:, :1].copy()
    states[:, 1::2] = numbers
    skips = np.zeros(states.shape, bool)
    skips[:, 2:] = (states[:, 2:] != states[:, :-2]) & (states[:, 2:] != blank)
    ends = np.stack([2 * count, np.maximum(2 * count - 1, 0)], 1)
    counted = np.stack([count >= 0, count > 0], 1)
    repeats = ((numbers[:, 1:] == numbers[:, :-1]) & inside[:, 1:]).sum(1)
    used = np.full(len(label), steps)
    if data_length is not None:
        used = lengths("data_lengths", data_length, len(label), steps)
    enough = used >= np.maximum(count + repeats, 1)
    return states, skips, ends, counted, np.maximum(used, 1), enough


def ctc_paths(x: Any, skips: Any, *, late: float = NEVER) -> Any:
    """The logarithm of the probability of all paths that are in a state at a step.

    Parameters
    ----------
    x : array of shape (steps, batch, states)
        The logarithm of the probability of the class of each state at each step.
    skips : bool array of shape (batch, states)
        As `ctc_states` returns them.
    late : float, default `NEVER`
        The logarithm of the probability to begin in a later state than the second.

    Returns
    -------
    array of shape (steps, batch, states)
    """
    y = np.empty_like(x)
    y[0] = x[0]
    y[0, :, 2:] += x.dtype.type(late)
    before = np.full((*x.shape[1:-1], x.shape[-1] + 2), NEVER, x.dtype)
    for t in range(1, len(x)):
        before[:, 2:] = y[t - 1]
        skipping = np.where(skips, before[:, :-2], x.dtype.type(NEVER))
        ways = np.stack([before[:, 2:], before[:, 1:-1], skipping])
        y[t] = log_sum_exp(ways, axis=0) + x[t]
    return y


def log_sum_exp(x: Any, *, axis: int) -> Any:
    """The logarithm of the sum of exp(x) over `axis`."""
    highest = x.max(axis, keepdims=True)
    total = np.exp(x - highest).sum(axis)
    return np.log(total, out=total) + highest.squeeze(axis)
