"""Sums over axes that lose no digits: of a few values at a time, and half precision in single.

NumPy adds pairwise along the last axis alone: along others it adds row after row, so that the
error grows with their number. Here rows are added in blocks, and then the sums of the blocks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .linalg import is_half, wide

Axis = int | tuple[int, ...] | None
#: The function that ``x.sum()`` eventually calls.
add_up: Any = np.add.reduce
#: From this many values on, a longer path through faster or more accurate loops pays off.
LARGE, SOME = 4096, 1024
#: The minimum and maximum length of rows that BLAS sums.
BLAS_ROW = (128, 4096)
#: Up to how many values NumPy sums accurately in sequence; fewer within larger sums.
FEW, FEW_ROWS = 64, 32
#: The maximum length of a short last axis.
SHORT = 12
#: The first of these that divides the length is the number of parts; otherwise PARTS[0].
PARTS = (24, 32, 25, 20, 28, 18, 16)
#: The number of sums computed at a time.
IN_CACHE = 16384


def summed(x: Any, axis: Axis, keepdims: bool = True) -> Any:
    """The sum over `axis`, of half precision in float32."""
    dtype = x.dtype
    if dtype.itemsize == 2 and is_half(dtype):
        x, dtype = x.astype(np.float32), np.dtype(np.float32)
    # NumPy sums a contiguous row pairwise.
    if x.size < SOME or dtype.char not in "fd" or (axis is None and x.flags.c_contiguous):
        return add_up(x, axis, dtype, None, keepdims)
    axes = reduced_axes(axis, x.ndim)
    n = math.prod([x.shape[k] for k in axes])
    if axes == [x.ndim - 1] and 0 < n <= SHORT and x.size >= LARGE:
        y = _side_by_side(x)
    elif n <= FEW:
        return add_up(x, axis, dtype, None, keepdims)
    else:
        y = _total(x, axes)
    return y if keepdims else y.reshape(()) if axis is None else y.squeeze(axis)


def _side_by_side(x: Any) -> Any:
    """Sum over a short last axis, position by position: NumPy would start a loop per sum."""
    y = x[..., 0].copy()
    for k in range(1, x.shape[-1]):
        y += x[..., k]
    return y[..., None]


def sum_products(x: Any, y: Any, axis: Axis) -> Any:
    """`summed` of ``x * y``, which is computed in single for half precision; axes are kept.

    Over the last axes of many values it is BLAS that adds, in half the time: without threads of
    its own for rows of such a length, and in many partial sums, so that no digits are lost.
    """
    kind = wide(x.dtype)
    x, y = x.astype(kind, copy=False), y.astype(kind, copy=False)
    if x.size >= LARGE and kind.char in "fd":
        axes = reduced_axes(axis, x.ndim)
        first = _first_of_last(axes, x.ndim)
        n = math.prod(x.shape[first:])
        if BLAS_ROW[0] <= n <= BLAS_ROW[1]:
            rows = np.matmul(x.reshape(-1, 1, n), y.reshape(-1, n, 1))
            rows = rows.reshape(*x.shape[:first], *(1,) * (x.ndim - first))
            return _total(rows, [k for k in axes if k < first])
    return summed(x * y, axis)


def reduced_axes(axis: Axis, ndim: int) -> list[int]:
    """`axis` as a list of axes counted from the start, in order."""
    if axis is None:
        return list(range(ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = sorted([k + ndim if k < 0 else k for k in axes])
    if found and (found[0] < 0 or found[-1] >= ndim or len(set(found)) < len(found)):
        add_up(np.empty((1,) * ndim), axis)  # NumPy raises the error
    return found


def _first_of_last(axes: list[int], ndim: int) -> int:
    """Return where the trailing run of summed axes begins; `ndim` if there is none."""
    first = ndim
    while first and first - 1 in axes:
        first -= 1
    return first


def _total(x: Any, axes: list[int]) -> Any:
    """Sum many values over `axes`, which are kept with length 1."""
    if not x.flags.c_contiguous:
        order = sorted(range(x.ndim), key=lambda k: -abs(x.strides[k]))
        if order == sorted(order):
            return _total(np.ascontiguousarray(x), axes)
        y = _total(x.transpose(order), sorted([order.index(k) for k in axes]))
        return y.transpose(np.argsort(order))
    x_shape = x.shape
    shape = [1 if k in axes else n for k, n in enumerate(x_shape)]
    first = _first_of_last(axes, x.ndim)
    n = math.prod(x_shape[first:])
    if first < x.ndim and x.size:
        if x.size >= LARGE and BLAS_ROW[0] <= n <= BLAS_ROW[1]:
            x = np.matmul(x.reshape(-1, 1, n), np.ones((n, 1), x.dtype))
        else:
            x = add_up(x.reshape(-1, n), 1)
    # Then sum over the other runs of adjacent axes, the last run first.
    while axes := [k for k in axes if k < first]:
        end = axes[-1] + 1
        first = _first_of_last(axes, end)
        x = _rows(x.reshape(-1, math.prod(x_shape[first:end]), math.prod(shape[end:])))
    return x.reshape(shape)


def _rows(x: Any) -> Any:
    """Sum over axis 1 of three, in an order that depends only on its length."""
    outer, n, width = x.shape
    if n <= FEW_ROWS:
        return add_up(x, 1)
    # Sum the parts of the rows one after the other, and then the partial sums.
    parts = next((count for count in PARTS if n % count == 0), PARTS[0])
    rows = n // parts
    end, length = rows * parts, rows * width
    values = x[:, :end].reshape(outer, parts, length)
    sums = np.empty((outer, length), x.dtype)
    for k in range(0, length, IN_CACHE):
        add_up(values[..., k : k + IN_CACHE], 1, None, sums[:, k : k + IN_CACHE])
    y = _rows(sums.reshape(outer, rows, width))
    return y if end == n else y + _rows(x[:, end:])
