"""Interpolated reading of images, and grids of points.

`sample` is linear in the images and, but for kinks at whole pixels, bilinear in the points: its
slopes are samples with other weights, counted by the attribute ``slope``.
"""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import warp as kernels


def _sample(
    F: Any,
    g: Any,
    x: Any,
    rows: Any,
    columns: Any,
    images: Any,
    needs: Any,
    border: str,
    slope: Any,
) -> tuple:
    """At kinks, the slope from the right is used."""
    where = {"border": border, "slope": slope}
    picture = F.sample_grad(g, rows, columns, images, shape=x.shape, **where) if needs[0] else None
    points = (
        F.sample_slopes(x, g, rows, columns, images, **where) if any(needs[1:3]) else [None] * 2
    )
    return picture, *points, None


sample: Final = define(
    "sample",
    kernels.sample,
    "The bilinear interpolation of images at points, or its slopes",
    joint=_sample,
)


def _sample_grad(
    F: Any,
    g: Any,
    x: Any,
    rows: Any,
    columns: Any,
    images: Any,
    needs: Any,
    border: str,
    slope: Any,
) -> tuple:
    where = {"border": border, "slope": slope}
    values = F.sample(g, rows, columns, images, **where) if needs[0] else None
    points = (
        F.sample_slopes(g, x, rows, columns, images, **where) if any(needs[1:3]) else [None] * 2
    )
    return values, *points, None


sample_grad: Final = define(
    "sample_grad",
    kernels.sample_grad,
    "The gradient of sample: each value shared out among the pixels around its point",
    joint=_sample_grad,
)


def _sample_slopes(
    F: Any,
    g: tuple,
    x: Any,
    values: Any,
    rows: Any,
    columns: Any,
    images: Any,
    needs: Any,
    border: str,
    slope: Any,
) -> list:
    """Sum the contributions of both slopes, one order higher than `slope`, to each input."""
    totals: list = [None] * 5
    for part, steeper in zip(g, ((slope[0] + 1, slope[1]), (slope[0], slope[1] + 1))):
        if part is None:
            continue
        where, spread = {"border": border, "slope": steeper}, F.expand_dims(part, axis=1)
        grads: list = [None] * 5
        if needs[0]:
            grads[0] = F.sample_grad(values * spread, rows, columns, images, shape=x.shape, **where)
        if needs[1]:
            grads[1] = F.sample(x, rows, columns, images, **where) * spread
        if any(needs[2:4]):
            slopes = F.sample_slopes(x, values, rows, columns, images, **where)
            grads[2:4] = [part * one for one in slopes]
        totals = [b if a is None else a if b is None else a + b for a, b in zip(totals, grads)]
    return totals


sample_slopes: Final = define(
    "sample_slopes",
    kernels.sample_slopes,
    "The sum over channels of values times the slopes of sample, by the row and by the column",
    many=True,
    joint=_sample_slopes,
)
affine_grid: Final = define(
    "affine_grid",
    kernels.affine_grid,
    "Where affine maps (batch, 6) move the points of an image of `size`",
    x=lambda F, g: F.affine_grid_grad(g),
)
affine_grid_grad: Final = define(
    "affine_grid_grad",
    kernels.affine_grid_grad,
    "The gradient of affine_grid: from points back to maps",
    x=lambda F, g, x_shape: F.affine_grid(g, size=x_shape[2:]),
)
flow_grid: Final = define(
    "flow_grid",
    kernels.flow_grid,
    "Where a flow in pixels moves the points of an image, in coordinates from -1 to 1",
    x=lambda F, g: F.flow_grid_grad(g),
)
flow_grid_grad: Final = define(
    "flow_grid_grad",
    kernels.flow_grid_grad,
    "The gradient of flow_grid: over half the size of the image",
    x=lambda F, g: F.flow_grid_grad(g),
)
