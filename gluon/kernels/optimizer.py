"""Optimizer steps on raw arrays, in place, block by block.

Each step writes to the weight and the state it is given. What it needs besides are one or two
scratch arrays of one block, however large the weight is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

#: Values at a time, 1 MB of float32: fewer cost more calls, more do not stay in the cache.
BLOCK = 1 << 18


def _blocks(scratches: int, *arrays: Any) -> Iterator[tuple]:
    """Scratch arrays and views of the same part of each of `arrays`, part after part."""
    first = arrays[0]
    if first.size <= BLOCK:
        yield (*(np.empty_like(first) for _ in range(scratches)), *arrays)
        return
    if all(array.flags.c_contiguous for array in arrays):
        arrays = tuple(array.reshape(-1) for array in arrays)
    rows = max(1, BLOCK * len(arrays[0]) // first.size)
    scratch = [np.empty((rows, *arrays[0].shape[1:]), first.dtype) for _ in range(scratches)]
    for start in range(0, len(arrays[0]), rows):
        parts = [array[start : start + rows] for array in arrays]
        yield (*(one[: len(parts[0])] for one in scratch), *parts)


def _scaled(out: Any, grad: Any, rescale: float, clip: float | None, factor: float) -> None:
    """``out = factor * clip(rescale * grad)``."""
    if clip is None:
        np.multiply(grad, rescale * factor, out=out)
        return
    np.multiply(grad, rescale, out=out)
    np.clip(out, -clip, clip, out=out)
    if factor != 1:
        out *= factor


def sgd(
    weight: Any, grad: Any, *, lr: float, wd: float, rescale: float, clip: float | None
) -> None:
    """``weight = (1 - lr wd) weight - lr grad``."""
    for step, w, g in _blocks(1, weight, grad):
        _scaled(step, g, rescale, clip, lr)
        if wd:
            w *= 1 - lr * wd
        w -= step


def sgd_momentum(
    weight: Any,
    grad: Any,
    state: Any,
    *,
    lr: float,
    wd: float,
    rescale: float,
    clip: float | None,
    momentum: float,
) -> None:
    """``state = momentum state - lr (grad + wd weight)``, which is added to the weight."""
    for step, w, g, m in _blocks(1, weight, grad, state):
        m *= momentum
        _scaled(step, g, rescale, clip, lr)
        m -= step
        if wd:
            np.multiply(w, lr * wd, out=step)
            m -= step
        w += m


def nag(
    weight: Any,
    grad: Any,
    state: Any,
    *,
    lr: float,
    wd: float,
    rescale: float,
    clip: float | None,
    momentum: float,
) -> None:
    """``state = momentum state + d``, ``weight -= lr (momentum state + d)``, d the gradient."""
    for step, decay, w, g, m in _blocks(2, weight, grad, state):
        _scaled(step, g, rescale, clip, 1)
        if wd:
            np.multiply(w, wd, out=decay)
            step += decay
        m *= momentum
        m += step
        np.multiply(m, momentum, out=decay)
        step += decay
        step *= lr
        w -= step


def adam(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    *,
    lr: float,
    wd: float,
    rescale: float,
    clip: float | None,
    beta1: float,
    beta2: float,
    epsilon: float,
) -> None:
    """Running means of the gradient and its square; their ratio is the step."""
    for step, square, w, g, m, v in _blocks(2, weight, grad, mean, var):
        np.multiply(g, rescale, out=step)
        if wd:
            np.multiply(w, wd, out=square)
            step += square
        if clip is not None:
            np.clip(step, -clip, clip, out=step)
        np.multiply(step, step, out=square)
        square *= 1 - beta2
        v *= beta2
        v += square
        step *= 1 - beta1
        m *= beta1
        m += step
        np.sqrt(v, out=square)
        square += epsilon
        np.divide(m, square, out=step)
        step *= lr
        w -= step
