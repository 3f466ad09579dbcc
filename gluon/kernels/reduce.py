"""Kernels that sum, average, take extremes or norms over axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Axis = int | tuple[int, ...] | None
#: What ``x.sum()`` ends up calling, without the detour.
add_up: Any = np.add.reduce
#: From how many values on a longer way through faster loops pays.
LARGE = 4096
#: The least and the greatest length of rows that BLAS adds up.
BLAS_ROW = (128, 4096)


def sum(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    if x.size >= LARGE and axis is not None:
        y = sum_products(x, None, axis)
        return _shaped(y if keepdims else y.squeeze(axis), at_least_1d)
    y = add_up(x, axis, x.dtype, None, keepdims)
    return y if keepdims else _shaped(y, at_least_1d)


def sum_products(x: Any, y: Any, axis: Axis) -> Any:
    """The sum of ``x * y`` (None: of `x`) over `axis`, kept with length 1.

    Over the last axes of many values it is BLAS that adds, in half the time: without threads of
    its own for rows of such a length, and in many partial sums, so that no digits are lost.
    """
    if x.size < LARGE or x.dtype.char not in "fd":
        return add_up(x if y is None else x * y, axis, x.dtype, None, True)
    axes = (axis,) if isinstance(axis, int) else range(x.ndim) if axis is None else axis
    first = x.ndim
    while first and (first - 1 in axes or first - 1 - x.ndim in axes):
        first -= 1
    n = math.prod(x.shape[first:])
    if not BLAS_ROW[0] <= n <= BLAS_ROW[1]:
        return add_up(x if y is None else x * y, axis, x.dtype, None, True)
    columns = np.ones((n, 1), x.dtype) if y is None else y.reshape(-1, n, 1)
    rows = np.matmul(x.reshape(-1, 1, n), columns)
    rows = rows.reshape(*x.shape[:first], *(1,) * (x.ndim - first))
    others = tuple([a for a in axes if a % x.ndim < first])
    return add_up(rows, others, None, None, True) if others else rows


def mean(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    if x.dtype.char not in "fd" or not x.size:
        dtype = x.dtype if x.dtype.kind not in "biu" else None
        return _shaped(x.mean(axis, keepdims=keepdims, dtype=dtype), at_least_1d)
    total = sum(x, axis=axis, keepdims=keepdims)
    return _shaped(total / x.dtype.type(x.size // total.size), at_least_1d)


def prod(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return _shaped(x.prod(axis, keepdims=keepdims, dtype=x.dtype), at_least_1d)


def max(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return _shaped(x.max(axis, keepdims=keepdims), at_least_1d)


def min(x: Any, *, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False) -> Any:
    return _shaped(x.min(axis, keepdims=keepdims), at_least_1d)


# The overloads of NumPy 2.5 take a `keepdims` written out as True or False, and no bool.
def nansum(x: Any, *, axis: Axis = None, keepdims: Any = False, at_least_1d: bool = False) -> Any:
    return _shaped(np.nansum(x, axis, keepdims=keepdims, dtype=x.dtype), at_least_1d)


def nanprod(x: Any, *, axis: Axis = None, keepdims: Any = False, at_least_1d: bool = False) -> Any:
    return _shaped(np.nanprod(x, axis, keepdims=keepdims, dtype=x.dtype), at_least_1d)


def norm(
    x: Any, *, ord: int = 2, axis: Axis = None, keepdims: bool = False, at_least_1d: bool = False
) -> Any:
    if ord not in (1, 2):
        raise ValueError(f"ord={ord!r} is neither 1 nor 2")
    if ord == 1:
        return _shaped(np.abs(x).sum(axis, keepdims=keepdims, dtype=x.dtype), at_least_1d)
    if x.dtype.kind in "biu":
        wide = norm(x.astype(np.float64), axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)
        return wide.astype(x.dtype)
    root = _length(x, axis)
    return _shaped(root if keepdims else root.squeeze(axis), at_least_1d)


def _length(x: Any, axis: Axis) -> Any:
    """The 2-norm over `axis`, which keeps length 1."""
    if x.dtype.kind == "f" and x.itemsize > 2:
        with np.errstate(over="ignore", under="ignore"):
            total = sum_products(x, x, axis)
        # Of the squares that count none was lost to the limits of the dtype.
        if (total > np.finfo(x.dtype).tiny * 2**60).all() and np.isfinite(total).all():
            return np.sqrt(total)
    # Scaled by the largest entry, so that squares neither overflow nor vanish.
    scale = np.abs(x).max(axis, keepdims=True, initial=0)
    safe = np.where((scale == 0) | ~np.isfinite(scale), scale.dtype.type(1), scale)
    return np.sqrt(np.square(x / safe).sum(axis, keepdims=True, dtype=x.dtype)) * safe


def _shaped(x: Any, at_least_1d: bool) -> Any:
    """MXNet's classic arrays have at least one axis: shape (1,) in place of ()."""
    return x.reshape(1) if at_least_1d and not x.ndim else x


def sum_to(x: Any, *, shape: tuple[int, ...]) -> Any:
    """Undo a broadcast from `shape`: sum over the axes that were stretched or added."""
    if x.shape == shape:
        return x
    extra = x.ndim - len(shape)
    axes = [k for k, n in enumerate(x.shape) if k < extra or n != shape[k - extra]]
    return (x.sum(tuple(axes)) if axes else x).reshape(shape)


def restore(x: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    """Undo a reduction over `axis` of an array of `shape`: stretch along the reduced axes."""
    if x.shape == shape:
        return x
    out = np.empty(shape, x.dtype)  # for small arrays faster than broadcast_to, and writable
    if x.ndim != len(shape):
        x = x.reshape(() if axis is None else kept_shape(axis, shape))
    out[...] = x
    return out


def kept_shape(axis: Axis, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a reduction with ``keepdims=True`` gives."""
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    reduced = {a % len(shape) for a in axes} if shape else set()
    return tuple([1 if k in reduced else n for k, n in enumerate(shape)])


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
