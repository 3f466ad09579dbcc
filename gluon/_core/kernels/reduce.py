"""Kernels that sum, average, take extremes or norms over axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .linalg import wide
from .sums import SOME, Axis, add_up, sum_products, summed


def sum(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    if x.size < SOME and x.itemsize > 2:
        y = add_up(x, axis, x.dtype, None, keepdims)
    else:
        y = summed(x, axis, keepdims).astype(x.dtype, copy=False)
    return y if keepdims else _shaped(y, at_least_1d)


def mean(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    if x.dtype.kind in "biuc" or not x.size:
        dtype = x.dtype if x.dtype.kind not in "biu" else None
        return _shaped(x.mean(axis, keepdims=keepdims, dtype=dtype), at_least_1d)
    y = summed(x, axis, keepdims)
    y = y / y.dtype.type(x.size // y.size)
    return _shaped(y if y.dtype == x.dtype else y.astype(x.dtype), at_least_1d)


def prod(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    y = x.prod(axis, keepdims=keepdims, dtype=wide(x.dtype))
    return _shaped(y if y.dtype == x.dtype else y.astype(x.dtype), at_least_1d)


def sum_squares(x: Any) -> Any:
    return summed(np.square(x), None, False)


def max(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return _shaped(x.max(axis, keepdims=keepdims), at_least_1d)


def min(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return _shaped(x.min(axis, keepdims=keepdims), at_least_1d)


def nansum(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return sum(_known(x, 0), axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)


def nanprod(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return prod(_known(x, 1), axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)


def _known(x: Any, value: int) -> Any:
    """Return `x` with NaN replaced by `value`."""
    lost = np.isnan(x)
    return np.where(lost, x.dtype.type(value), x) if lost.any() else x


def norm(
    x: Any, *, ord: int = 2, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False
) -> Any:
    if ord not in (1, 2):
        raise ValueError(f"ord={ord!r} is neither 1 nor 2")
    if ord == 1:
        return sum(np.abs(x), axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)
    kind = np.dtype(np.float64) if x.dtype.kind in "biu" else wide(x.dtype)
    root = _length(x.astype(kind, copy=False), axis).astype(x.dtype, copy=False)
    return _shaped(root if keepdims else root.squeeze(axis), at_least_1d)


def _length(x: Any, axis: Axis) -> Any:
    """Return the 2-norm over `axis`, with that axis kept."""
    if x.dtype.kind == "f":
        with np.errstate(over="ignore", under="ignore"):
            squares = sum_products(x, x, axis)
        # The sums are safe if no significant square underflowed or overflowed.
        if (squares > np.finfo(x.dtype).tiny * 2**60).all() and np.isfinite(squares).all():
            return np.sqrt(squares)
    # Scale by the largest entry, so that squares neither overflow nor underflow.
    scale = np.abs(x).max(axis, keepdims=True, initial=0)
    safe = np.where((scale == 0) | ~np.isfinite(scale), scale.dtype.type(1), scale)
    return np.sqrt(summed(np.square(x / safe), axis)) * safe


def _shaped(x: Any, at_least_1d: bool) -> Any:
    """Return shape (1,) in place of (): MXNet's classic arrays have at least one axis."""
    return x.reshape(1) if at_least_1d and not x.ndim else x


def sum_to(x: Any, *, shape: tuple[int, ...]) -> Any:
    """Undo a broadcast from `shape`: sum over the axes that were stretched or added."""
    if x.shape == shape:
        return x
    if (own := getattr(x, "_sum_to", None)) is not None:  # the engine calls this kernel itself
        return own(shape)
    extra = x.ndim - len(shape)
    axes = [k for k, n in enumerate(x.shape) if k < extra or n != shape[k - extra]]
    if x.size < SOME and x.itemsize > 2:
        return add_up(x, tuple(axes), x.dtype).reshape(shape)
    return sum(x, axis=tuple(axes)).reshape(shape)


def restore(x: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    """Undo a reduction over `axis` of an array of `shape`: stretch along the reduced axes."""
    if x.shape == shape:
        return x
    out = np.empty(shape, x.dtype)  # faster than broadcast_to for small arrays, and writable
    if x.ndim != len(shape):
        x = x.reshape(() if axis is None else kept_shape(axis, shape))
    out[...] = x
    return out


def kept_shape(axis: Axis, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a reduction with ``keepdims=True`` gives."""
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    reduced = {a % len(shape) for a in axes} if shape else set()
    return tuple([1 if k in reduced else n for k, n in enumerate(shape)])


def surely(flag: Any) -> bool:
    """Whether a flag, raw or not, is set; inside `vmap`, in each example."""
    raw = getattr(flag, "raw", flag)
    everywhere = getattr(raw, "_everywhere", None)
    return bool(raw) if everywhere is None else everywhere()


def of_all(raw: Any) -> Any:
    """The values of `raw`; inside `vmap`, those of all examples, along axes of their own."""
    return of_all(raw.data) if hasattr(raw, "each_of") else raw


def argmax(x: Any, *, axis: int | None = None, keepdims: bool = False) -> Any:
    return x.argmax(axis, keepdims=keepdims)


def argmin(x: Any, *, axis: int | None = None, keepdims: bool = False) -> Any:
    return x.argmin(axis, keepdims=keepdims)


def count(axis: Axis, shape: tuple[int, ...]) -> int:
    """How many values are reduced to one."""
    kept = kept_shape(axis, shape)
    return math.prod([n for n, k in zip(shape, kept) if k == 1])


def allclose(a: Any, b: Any, *, rtol: float, atol: float, equal_nan: bool) -> Any:
    if a.shape != b.shape:
        raise ValueError(f"a has shape {a.shape} and b {b.shape}; they must be equal")
    return np.asarray(np.allclose(a, b, rtol, atol, equal_nan), np.uint8)


def any(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return x.any(axis, keepdims=keepdims)


def all(x: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return x.all(axis, keepdims=keepdims)
