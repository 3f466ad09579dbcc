"""Optimizer steps on raw arrays, in place, block by block: gradient descent.

Each step writes to the weight and the states it is given. What it needs besides are a few
scratch arrays of one block, however large the weight is. It computes in the dtype of the weight,
or in float32 where that has fewer bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

#: The number of values per block, 1 MB of float32: less overhead than smaller ones, and in cache.
BLOCK = 1 << 18


def each(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel` for several weights: a list of pairs, arrays and settings, gives what it returns."""
    return lambda rows: [kernel(*arrays, **settings) for arrays, settings in rows]


def at_rows(kernel: Callable[..., Any], written: Sequence[int]) -> Callable[..., None]:
    """`kernel` for some rows of a weight: ``run(arrays, rows, settings)``.

    The gradient, the second array, has a row for each of `rows`, which ascend. The arrays that the
    kernel writes to are those at the places `written`.
    """

    def run(arrays: Sequence[Any], rows: Any, settings: dict[str, Any]) -> None:
        parts = [x if k == 1 else x[rows] for k, x in enumerate(arrays)]
        kernel(*parts, **settings)
        for k in written:
            arrays[k][rows] = parts[k]

    return run


def blocks(
    scratches: int, written: tuple[Any, ...], read: tuple[Any, ...]
) -> Iterator[tuple[Any, ...]]:
    """Scratch arrays and the same part of each of `written` and `read`, part after part.

    Parts in another dtype than the one computed in are copies; those of `written` are written
    back when the loop goes on.
    """
    arrays = (*written, *read)
    first = arrays[0]
    dtype = first.dtype if first.dtype.itemsize >= 4 else np.dtype(np.float32)
    places: list[Any] = [...]
    shape = first.shape
    if first.size <= BLOCK and all(one.dtype == dtype for one in arrays):
        yield (*[np.empty(shape, dtype) for _ in range(scratches)], *arrays)
        return
    if first.size > BLOCK:
        if all(one.flags.c_contiguous and one.shape == shape for one in arrays):
            arrays = tuple(one.reshape(-1) for one in arrays)
        rows = max(1, BLOCK * len(arrays[0]) // first.size)
        places = [slice(start, start + rows) for start in range(0, len(arrays[0]), rows)]
        shape = (rows, *arrays[0].shape[1:])
    scratch = [np.empty(shape, dtype) for _ in range(scratches)]
    for place in places:
        parts = [one[place] for one in arrays]
        worked = [part if part.dtype == dtype else part.astype(dtype) for part in parts]
        yield (*(_cut(one, parts[0]) for one in scratch), *worked)
        for part, done in zip(parts[: len(written)], worked):
            if done is not part:
                part[...] = done


def _cut(scratch: Any, part: Any) -> Any:
    return scratch if scratch.shape == part.shape else scratch[: len(part)]


def scaled(out: Any, grad: Any, rescale_grad: float, clip_gradient: float, factor: float) -> None:
    """``out = factor * clip(rescale_grad * grad)``."""
    if clips(clip_gradient):
        np.multiply(grad, rescale_grad, out=out)
        np.clip(out, -clip_gradient, clip_gradient, out=out)
        if factor != 1:
            out *= factor
    else:
        np.multiply(grad, rescale_grad * factor, out=out)


def clips(limit: float) -> bool:
    """Whether `limit` limits anything: MXNet takes negative ones for none."""
    return 0 <= limit < np.inf


def decayed(
    out: Any,
    spare: Any,
    weight: Any,
    grad: Any,
    wd: float,
    rescale_grad: float,
    clip_gradient: float,
) -> None:
    """``out = clip(rescale_grad * grad + wd * weight)``; `spare` is overwritten."""
    np.multiply(grad, rescale_grad, out=out)
    if wd:
        np.multiply(weight, wd, out=spare)
        out += spare
    if clips(clip_gradient):
        np.clip(out, -clip_gradient, clip_gradient, out=out)


def sgd(
    weight: Any,
    grad: Any,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, w, g in blocks(1, (weight,), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, lr)
        if wd:
            w *= 1 - lr * wd
        w -= step


def sgd_momentum(
    weight: Any,
    grad: Any,
    mom: Any,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, w, m, g in blocks(1, (weight, mom), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, lr)
        m *= momentum
        m -= step
        if wd:
            np.multiply(w, lr * wd, out=step)
            m -= step
        w += m


def nag(
    weight: Any,
    grad: Any,
    mom: Any,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, spare, w, m, g in blocks(2, (weight, mom), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, lr)
        if wd:
            np.multiply(w, lr * wd, out=spare)
            step += spare
        m *= momentum
        m -= step
        np.multiply(m, momentum, out=spare)
        w += spare
        w -= step


def signsgd(weight: Any, grad: Any, *, lr: float, wd: float = 0.0) -> None:
    for step, w, g in blocks(1, (weight,), (grad,)):
        np.sign(g, out=step)
        step *= lr
        if wd:
            w *= 1 - lr * wd
        w -= step


def signum(
    weight: Any,
    grad: Any,
    mom: Any,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
) -> None:
    for step, w, m, g in blocks(1, (weight, mom), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1 - momentum)
        m *= momentum
        m -= step
        if wd:
            np.multiply(w, wd * (1 - momentum), out=step)
            m -= step
        np.sign(m, out=step)
        step *= lr
        if wd_lh:
            w *= 1 - lr * wd_lh
        w += step


def dcasgd(
    weight: Any,
    grad: Any,
    previous: Any,
    mom: Any = None,
    *,
    lr: float,
    momentum: float = 0.0,
    lamda: float = 0.04,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    moms = () if mom is None else (mom,)
    for step, spare, w, before, *moving, g in blocks(2, (weight, previous, *moms), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, 1)
        np.subtract(w, before, out=spare)
        spare *= lamda
        spare *= step
        spare *= step
        step += spare
        if wd:
            np.multiply(w, wd, out=spare)
            step += spare
        step *= -lr
        for m in moving:
            m *= momentum
            m += step
            step[...] = m
        before[...] = w
        w += step


def sgld(
    weight: Any,
    grad: Any,
    *,
    rng: Any,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    for step, w, g in blocks(1, (weight,), (grad,)):
        scaled(step, g, rescale_grad, clip_gradient, lr / 2)
        if wd:
            w *= 1 - lr / 2 * wd
        w -= step
        w += rng.normal(0, lr**0.5, step.shape).astype(w.dtype)  # the same draw as `random.normal`


def ascent(weight: Any, grad: Any, previous: Any, *, rescale_grad: float) -> None:
    for step, w, before, g in blocks(1, (weight, previous), (grad,)):
        np.multiply(g, rescale_grad, out=step)
        w += step
        before[...] = w
