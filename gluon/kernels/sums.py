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
#: What ``x.sum()`` ends up calling, without the detour.
add_up: Any = np.add.reduce
#: From how many values on a longer way through faster or more exact loops pays.
LARGE, SOME = 4096, 1024
#: The least and the greatest length of rows that BLAS adds up.
BLAS_ROW = (128, 4096)
#: Up to how many values NumPy adds well enough, one after the other; in larger sums fewer.
FEW, FEW_ROWS = 64, 32
#: Up to which length a last axis is short.
SHORT = 12
#: Into how many parts more of them are cut: the first of these, or what divides their number.
PARTS = (24, 32, 25, 20, 28, 18, 16)
#: How many sums are worked on at a time.
IN_CACHE = 16384


def summed(x: Any, axis: Axis, keepdims: bool = True) -> Any:
    """The sum over `axis`, of half precision in float32."""
    dtype = x.dtype
    if dtype.itemsize == 2 and is_half(dtype):
        x, dtype = x.astype(np.float32), np.dtype(np.float32)
    # All values of a row in memory NumPy adds pairwise.
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
    """The sum over a short last axis, place by place: NumPy would start a loop for each sum."""
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
        add_up(np.empty((1,) * ndim), axis)  # NumPy says what is wrong
    return found


def _first_of_last(axes: list[int], ndim: int) -> int:
    """Where the axes begin that are summed over up to the last one; `ndim` for none."""
    first = ndim
    while first and first - 1 in axes:
        first -= 1
    return first


def _total(x: Any, axes: list[int]) -> Any:
    """The sum over `axes`, which keep length 1, of many values."""
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
    # Of what is left, runs of neighbouring axes with others behind them, the last run first.
    while axes := [k for k in axes if k < first]:
        end = axes[-1] + 1
        first = _first_of_last(axes, end)
        x = _rows(x.reshape(-1, math.prod(x_shape[first:end]), math.prod(shape[end:])))
    return x.reshape(shape)


def _rows(x: Any) -> Any:
    """The sum over axis 1 of three, in an order that depends on its length alone."""
    outer, n, width = x.shape
    if n <= FEW_ROWS:
        return add_up(x, 1)
    # So many parts of the rows, one after the other, are added up; then what comes of that.
    parts = next((count for count in PARTS if n % count == 0), PARTS[0])
    rows = n // parts
    end, length = rows * parts, rows * width
    values = x[:, :end].reshape(outer, parts, length)
    sums = np.empty((outer, length), x.dtype)
    for k in range(0, length, IN_CACHE):
        add_up(values[..., k : k + IN_CACHE], 1, None, sums[:, k : k + IN_CACHE])
    y = _rows(sums.reshape(outer, rows, width))
    return y if end == n else y + _rows(x[:, end:])
