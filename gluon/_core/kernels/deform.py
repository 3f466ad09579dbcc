"""Kernels that create the unmoved sampling points of deformable convolution and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from .conv import make_window
from .elementwise import round_away
from .linalg import wide
from .roi import present, read
from .warp import INSIDE

Ints = tuple[int, ...]


def kernel_points(
    x: Any, *, shape: Ints, kernel: Ints, stride: Any = None, pad: Any = None, dilate: Any = None
) -> Any:
    """The row and the column of each kernel element at each position, laid out as the offsets x.

    These are (batch, groups * elements * 2, *positions); `shape` is that of the images.
    """
    window = make_window(tuple(shape), tuple(kernel), stride, pad, dilate)
    elements = kernel[0] * kernel[1]
    given = x.shape if x.ndim == 4 else (0, 0, 0, 0)
    if given[1] % (2 * elements) or given[2:] != window.out or not given[1]:
        raise ValueError(
            f"offsets have shape {x.shape}; they need (batch, a multiple of {2 * elements},"
            f" {window.out[0]}, {window.out[1]})"
        )
    points = np.empty((*kernel, 2, *window.out), x.dtype)
    for axis, (n, s, p, d) in enumerate(zip(window.out, window.stride, window.pad, window.dilate)):
        element = np.arange(kernel[axis]) * d
        along = element[:, None] + np.arange(n) * s - p
        points[:, :, axis] = along[:, None, :, None] if axis == 0 else along[None, :, None, :]
    groups = given[1] // (2 * elements)
    flat = points.reshape(elements * 2, *window.out)
    return np.broadcast_to(np.tile(flat, (groups, 1, 1)), x.shape)


def part_points(
    x: Any, rois: Any, *, classes: int, groups: int, pooled: int, samples: int, scale: float
) -> tuple[Any, ...]:
    """The points that the bins of regions average before their parts are moved.

    Returns rows and columns, both (regions, 1, pooled, pooled, samples * samples), heights and
    widths of the regions, (regions, 1, 1, 1, 1), and for each bin the number of its image, where
    each class and group of channels has images of its own: (regions, classes, pooled, pooled).
    """
    images, boxes = read(rois, x.shape)
    present(images, len(x))
    rounded = round_away(boxes)
    start = rounded[:, 1::-1] * scale - 0.5
    size = np.maximum((rounded[:, 3:1:-1] + 1) * scale - 0.5 - start, 0.1)
    number = np.arange(pooled, dtype=size.dtype)[:, None]
    point = np.arange(samples, dtype=size.dtype)
    step = (size / pooled)[:, :, None, None]
    along = number * step + start[:, :, None, None] + point * (step / samples)
    full = (len(rois), 1, pooled, pooled, samples, samples)
    down = np.broadcast_to(along[:, 0, None, :, None, :, None], full)
    across = np.broadcast_to(along[:, 1, None, None, :, None, :], full)
    flat = (len(rois), 1, pooled, pooled, samples * samples)
    lengths = (side.reshape(-1, 1, 1, 1, 1).astype(x.dtype) for side in size.T)
    group = np.arange(pooled) * groups // pooled
    cell = group[:, None] * groups + group
    image = images[:, None, None, None] * classes + np.arange(classes)[:, None, None]
    image = np.where(image < 0, -1, image * groups * groups + cell)
    points = (side.reshape(flat).astype(x.dtype) for side in (down, across))
    return (*points, *lengths, image)


def inside_count(rows: Any, columns: Any, *, size: Ints, border: str) -> Any:
    """How many points along the last axis lie inside an image of `size`, at least 1."""
    inside = [
        INSIDE[border](at.astype(wide(at.dtype), copy=False), n)
        for at, n in zip((rows, columns), size)
    ]
    return np.maximum((inside[0] & inside[1]).sum(-1), 1).astype(rows.dtype)
