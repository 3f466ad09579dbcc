"""Reading pictures between their pixels, and the grids of points to read.

`sample` is linear in the pictures and, but for kinks at whole pixels, bilinear in the points: its
slopes are samples with other weights, counted by the attribute ``slope``.
"""

from __future__ import annotations

from typing import Any

from ..engine.op import define
from ..kernels import warp as kernels


def _steeper(slope: tuple[int, int], axis: int) -> tuple[int, int]:
    """`slope`, differentiated once more by the row (0) or by the column (1)."""
    return (slope[0] + 1, slope[1]) if axis == 0 else (slope[0], slope[1] + 1)


def _point(axis: int) -> Any:
    """The rule for the rows or the columns of `sample`: at kinks the slope on the right."""

    def rule(
        F: Any, g: Any, x: Any, rows: Any, columns: Any, images: Any, border: str, slope: Any
    ) -> Any:
        slope = _steeper(slope, axis)
        return F.sum(g * F.sample(x, rows, columns, images, border=border, slope=slope), axis=1)

    return rule


def _point_grad(axis: int) -> Any:
    """The rule for the rows or the columns of `sample_grad`."""

    def rule(
        F: Any, g: Any, x: Any, rows: Any, columns: Any, images: Any, border: str, slope: Any
    ) -> Any:
        slope = _steeper(slope, axis)
        return F.sum(x * F.sample(g, rows, columns, images, border=border, slope=slope), axis=1)

    return rule


sample = define(
    "sample",
    kernels.sample,
    "The bilinear interpolation of pictures at points, or its slopes",
    x=lambda F, g, x_shape, rows, columns, images, border, slope: F.sample_grad(
        g, rows, columns, images, shape=x_shape, border=border, slope=slope
    ),
    rows=_point(0),
    columns=_point(1),
)
sample_grad = define(
    "sample_grad",
    kernels.sample_grad,
    "The gradient of sample: each value shared out among the pixels around its point",
    x=lambda F, g, rows, columns, images, border, slope: F.sample(
        g, rows, columns, images, border=border, slope=slope
    ),
    rows=_point_grad(0),
    columns=_point_grad(1),
)
affine_grid = define(
    "affine_grid",
    kernels.affine_grid,
    "Where affine maps (batch, 6) move the points of a picture of `size`",
    x=lambda F, g: F.affine_grid_grad(g),
)
affine_grid_grad = define(
    "affine_grid_grad",
    kernels.affine_grid_grad,
    "The gradient of affine_grid: from points back to maps",
    x=lambda F, g, x_shape: F.affine_grid(g, size=x_shape[2:]),
)
flow_grid = define(
    "flow_grid",
    kernels.flow_grid,
    "Where a flow in pixels moves the points of a picture, in coordinates from -1 to 1",
    x=lambda F, g: F.flow_grid_grad(g),
)
flow_grid_grad = define(
    "flow_grid_grad",
    kernels.flow_grid_grad,
    "The gradient of flow_grid: over half the size of the picture",
    x=lambda F, g: F.flow_grid_grad(g),
)
