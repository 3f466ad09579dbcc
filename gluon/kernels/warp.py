"""Kernels that read pictures (batch, channels, height, width) between their pixels.

A point between pixels has the bilinear interpolation of the four around it. Both its slopes have
the same form with other weights, so that one kernel and its transpose give all derivatives.

Pixels are taken from rows of (channels,), for which each picture gets a border of zeros one pixel
wide: pixel (r, c) is row (r + 1, c + 1), and what lies outside is a row as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .indexing import add_rows
from .linalg import gemm, wide

Ints = tuple[int, ...]
#: border -> which places along an axis of n pixels have a value, that of the nearest pixel where
#: they lie outside. With the border "zero" the picture goes on with zeros instead.
INSIDE: dict[str, Callable] = {
    "deform": lambda at, n: (at >= 0) & (at < n),
    "part": lambda at, n: (at >= -0.5) & (at <= n - 0.5),
    "align": lambda at, n: (at >= -1) & (at <= n),
}


# -------------------------------------------------------------------------------- weights


def neighbours(at: Any, n: int, border: str) -> tuple[Any, Any, Any]:
    """The pixels before and after each place along an axis, in [0, n + 1], and how far it is on.

    0 and n + 1 are the border of zeros.
    """
    if border != "zero":
        inside = INSIDE[border](at, n)
        beyond = at < 0
        at = np.clip(at, 0, n - 1)
    with np.errstate(invalid="ignore"):  # of a place that is no number so is the fraction
        whole = np.floor(at)
        fraction = at - whole
    low = np.nan_to_num(np.clip(whole, -2, n), nan=-2).astype(np.intp) + 1
    high = low + 1
    if border != "zero":
        high = np.minimum(high, n)
        high[beyond] = 1
        low[~inside] = high[~inside] = 0
    return np.maximum(low, 0), np.clip(high, 0, n + 1), fraction


def _weighted(at: Any, n: int, border: str, slope: int) -> list[tuple[Any, Any]]:
    """Two pixels of an axis and their weights, or the slopes of these."""
    low, high, fraction = neighbours(at, n, border)
    if slope:
        one = np.ones_like(fraction)
        return [(low, -one), (high, one)]
    return [(low, 1 - fraction), (high, fraction)]


def corners(
    shape: Ints, rows: Any, columns: Any, images: Any, border: str, slope: Ints = (0, 0)
) -> Iterator[tuple[Any, Any]]:
    """The places of the four pixels around each point among all pixels, and their weights."""
    height, width = shape[2:]
    start = np.arange(len(rows)) if images is None else images
    if len(start) and start.max() >= shape[0]:
        raise IndexError(f"picture {start.max()} is asked for, but there are only {shape[0]}")
    start = (start * (height + 2) * (width + 2))[:, None]
    for row, row_weight in _weighted(rows, height, border, slope[0]):
        for column, column_weight in _weighted(columns, width, border, slope[1]):
            places = start + row * (width + 2) + column
            yield np.where(start < 0, 0, places), row_weight * column_weight


# --------------------------------------------------------------------------------- pixels


def pixels(x: Any) -> Any:
    """Each pixel of all pictures as a row, with the borders."""
    n, channels, height, width = x.shape
    out = np.zeros((n, height + 2, width + 2, channels), wide(x.dtype))
    out[:, 1:-1, 1:-1] = x.transpose(0, 2, 3, 1)
    return out.reshape(-1, channels)


def pictures(rows: Any, shape: Ints, dtype: Any) -> Any:
    """The transpose of `pixels`."""
    n, channels, height, width = shape
    x = rows.reshape(n, height + 2, width + 2, channels)[:, 1:-1, 1:-1]
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2), dtype)


def gather(table: Any, weighted: Iterator) -> Any:
    """The weighted sum of the pixels of each point: (lists, points, channels)."""
    total: Any = 0
    for places, weights in weighted:
        total = total + table[places] * weights[..., None]
    return total


def scatter(values: Any, weighted: Iterator, count: int) -> Any:
    """The transpose of `gather`, to a table of `count` pixels."""
    channels = values.shape[-1]
    total = np.zeros((count, channels), values.dtype)
    for places, weights in weighted:
        rows = (values * weights[..., None]).reshape(places.size, channels)
        total += add_rows(rows, places.ravel(), count)
    return total


def _check(shape: Ints, rows: Any, columns: Any) -> None:
    if len(shape) != 4 or not (shape[2] and shape[3]):
        raise ValueError(f"pictures are (batch, channels, height, width), not {shape}")
    if rows.ndim != 2 or rows.shape != columns.shape:
        raise ValueError(
            f"rows and columns are both (lists, points), not {rows.shape} and {columns.shape}"
        )


def sample(
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    border: str = "zero",
    slope: Ints = (0, 0),
) -> Any:
    """The pictures at lists of points, (lists, channels, points); list k is of picture images[k].

    `slope` says how often to differentiate by the row and by the column.
    """
    _check(x.shape, rows, columns)
    if max(slope) > 1:
        return np.zeros((len(rows), x.shape[1], rows.shape[1]), x.dtype)
    rows, columns = (at.astype(wide(at.dtype), copy=False) for at in (rows, columns))
    y = gather(pixels(x), corners(x.shape, rows, columns, images, border, slope))
    return np.ascontiguousarray(y.swapaxes(1, 2), x.dtype)


def sample_grad(
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    shape: Ints,
    border: str = "zero",
    slope: Ints = (0, 0),
) -> Any:
    """The transpose of `sample` from pictures of `shape`."""
    _check(shape, rows, columns)
    if max(slope) > 1:
        return np.zeros(shape, x.dtype)
    rows, columns = (at.astype(wide(at.dtype), copy=False) for at in (rows, columns))
    values = x.swapaxes(1, 2).astype(wide(x.dtype), copy=False)
    count = shape[0] * (shape[2] + 2) * (shape[3] + 2)
    total = scatter(values, corners(shape, rows, columns, images, border, slope), count)
    return pictures(total, shape, x.dtype)


# ---------------------------------------------------------------------------------- grids


def _axis(n: int) -> Any:
    """`n` places from -1 to 1; a single one is in the middle."""
    return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)


def _plane(size: Ints, dtype: Any) -> Any:
    """The points (x, y, 1) of a picture of `size`, one a column."""
    y, x = np.meshgrid(_axis(size[0]), _axis(size[1]), indexing="ij")
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)]).astype(dtype)


def affine_grid(x: Any, *, size: Ints) -> Any:
    """Where the matrices x, (batch, 6), move the points of a picture: (batch, 2, *size)."""
    if x.ndim != 2 or x.shape[1] != 6 or len(size) != 2 or min(size) < 1:
        raise ValueError(f"x is (batch, 6) and size two positive numbers, not {x.shape} and {size}")
    return gemm(x.reshape(-1, 2, 3), _plane(size, x.dtype)).reshape(len(x), 2, *size)


def affine_grid_grad(x: Any) -> Any:
    """The transpose of `affine_grid`."""
    flat = x.reshape(len(x), 2, x.shape[2] * x.shape[3])
    return gemm(flat, _plane(x.shape[2:], x.dtype).T).reshape(len(x), 6)


def _halves(shape: Ints, dtype: Any) -> Any:
    """Half the distance between the first and the last pixel, for x and for y."""
    return np.array([shape[3] - 1, shape[2] - 1], dtype).reshape(2, 1, 1) / 2


def flow_grid(x: Any) -> Any:
    """Where the flow x, (batch, 2, height, width) in pixels, moves the points of a picture."""
    if x.ndim != 4 or x.shape[1] != 2 or min(x.shape[2:]) < 2:
        raise ValueError(
            f"a flow is (batch, 2, height, width) of 2 x 2 pixels or more, not {x.shape}"
        )
    down, along = np.indices(x.shape[2:]).astype(x.dtype)
    return (x + np.stack([along, down])) / _halves(x.shape, x.dtype) - x.dtype.type(1)


def flow_grid_grad(x: Any) -> Any:
    """The transpose of the linear part of `flow_grid`, which is its own."""
    return x / _halves(x.shape, x.dtype)
