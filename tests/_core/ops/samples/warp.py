"""Sampling of images between pixels."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import s

ONLY_SINGLE = "MXNet makes grids of float32 only"
#: A map that leaves no pixel on another, and one that leaves the image.
MAPS = "[[0.837, 0.113, 0.071, -0.137, 0.713, 0.293], [1.913, 0.311, -0.419, 0.207, -1.301, 0.617]]"
#: x and y of the corners, of pixels and of places between them, at the border and outside.
POINTS = (
    "[[[[-1, -1, 1, 1, -0.5, 0, 0.5, 0.25, 1.2, -1.2, -3, 1e30]],"
    " [[-1, 1, -1, 1, 0, -1, 1, 0, 0.3, 0.3, 0, 0]]]]"
)
#: As above, but away from the pixels.
BETWEEN = (
    "[[[[0.13, -0.57, 0.91, 1.13, -1.21, 0.2, 0.4, 7]],"
    " [[0.31, 0.77, -0.9, 0.4, -0.3, 1.3, -1.1, 0]]]]"
)
TRANSFORM = {"transform_type": "affine", "sampler_type": "bilinear"}


def affine(theta, height=2, width=3):
    """The grid of GridGenerator by definition, one value at a time."""
    grid = np.zeros((len(theta), 2, height, width), theta.dtype)
    for n, k, i, j in np.ndindex(grid.shape):
        point = (2 * j / (width - 1) - 1 if width > 1 else 0, 2 * i / (height - 1) - 1, 1)
        grid[n, k, i, j] = theta[n, 3 * k : 3 * k + 3] @ np.array(point)
    return grid


def flow(x):
    """The grid of GridGenerator by definition, one value at a time."""
    grid = np.zeros_like(x)
    for n, k, i, j in np.ndindex(x.shape):
        grid[n, k, i, j] = (x[n, k, i, j] + (j, i)[k]) * 2 / (x.shape[3 - k] - 1) - 1
    return grid


SAMPLES = [
    s("GridGenerator", MAPS, transform_type="affine", target_shape=(2, 3)),
    s("GridGenerator", "3x6", transform_type="affine", target_shape=(5, 2)),
    s("GridGenerator", f"{MAPS} float64", transform_type="affine", target_shape=(2, 3)).but(
        differs=ONLY_SINGLE, right=affine
    ),
    s("GridGenerator", f"{MAPS} float16", transform_type="affine", target_shape=(2, 3)).but(
        differs=ONLY_SINGLE, right=affine, rtol=2e-3
    ),
    s("GridGenerator", MAPS, transform_type="affine", target_shape=(2, 1)).but(
        differs="MXNet divides by 0 for an axis of one pixel", right=lambda x: affine(x, 2, 1)
    ),
    s("GridGenerator", "0x6", transform_type="affine", target_shape=(2, 3)).but(right=affine),
    s("GridGenerator", "2x2x3x4", transform_type="warp"),
    s("GridGenerator", "1x2x2x5 large", transform_type="warp", target_shape=(9, 9)),
    s("GridGenerator", "2x2x3x4 float64", transform_type="warp").but(
        differs=ONLY_SINGLE, right=flow
    ),
    s("GridGenerator", "1x2x1x3", transform_type="warp").but(
        differs="MXNet divides by 0 for an axis of one pixel", refused=True
    ),
    s("GridGenerator", "2x6 integers int32", transform_type="affine", target_shape=(2, 3)),
    s("GridGenerator", "2x5", transform_type="affine", target_shape=(2, 3)),
    s("GridGenerator", "1x2x3", transform_type="affine", target_shape=(2, 3)),
    s("GridGenerator", "2x6", transform_type="affine"),
    s("GridGenerator", "2x6", transform_type="bicubic", target_shape=(2, 3)),
    s("GridGenerator", "1x3x2x3", transform_type="warp"),
    s("BilinearSampler", "1x2x3x5", POINTS).but(kink=True),
    s("BilinearSampler", "1x2x3x5", BETWEEN),
    s("BilinearSampler", "1x2x3x5 float64", f"{BETWEEN} float64"),
    s("BilinearSampler", "2x3x4x4", "2x2x3x2"),
    s("BilinearSampler", "2x40x4x4", "2x2x3x5"),
    s("BilinearSampler", "2x1x1x1", "2x2x2x2 unit").but(kink=True),
    s("BilinearSampler", "2x3x4x4 float16", "2x2x3x2 float16").but(rtol=2e-2),
    s("BilinearSampler", "1x1x2x2", "[[[[nan, 0.1]], [[0, 0.1]]]]").but(kink=True, wrt=(0,)),
    s("BilinearSampler", "0x3x4x4", "0x2x3x2").but(right=lambda x, g: np.zeros((0, 3, 3, 2), "f4")),
    s("BilinearSampler", "1x1x2x2 float64", "1x2x1x1"),
    s("BilinearSampler", "1x1x2x2 integers int32", "1x2x1x1 integers int32"),
    s("BilinearSampler", "1x1x2x2", "2x2x1x1"),
    s("BilinearSampler", "1x1x2x2", "1x3x1x1"),
    s("BilinearSampler", "1x2x2", "1x2x1x1"),
    s("SpatialTransformer", "2x3x4x5", MAPS, target_shape=(3, 4), **TRANSFORM),
    s(
        "SpatialTransformer",
        "2x3x4x5 float64",
        f"{MAPS} float64",
        target_shape=(2, 7),
        **TRANSFORM,
    ),
    s("SpatialTransformer", "2x3x4x5", "2x6", target_shape=(4, 5), **TRANSFORM),
    s("SpatialTransformer", "1x3x4x5", MAPS, target_shape=(4, 5), **TRANSFORM),
    s("SpatialTransformer", "2x3x4x5", MAPS, **TRANSFORM),
    s("SpatialTransformer", "2x3x4x5", MAPS, target_shape=(4, 5), sampler_type="bilinear"),
    s("SpatialTransformer", "2x3x4x5", "2x2x3", target_shape=(4, 5), **TRANSFORM),
    # The slopes, and what has no slope any more.
    s("F.sample", "2x3x4x5", *["2x3 positive"] * 2, None, border="align", slope=(1, 0)),
    s("F.sample", "2x3x4x5", *["2x3 positive"] * 2, None, border="part", slope=(1, 1)),
    s("F.sample", "2x3x4x5", *["3x2 positive"] * 2, "[1, 0, -1] int64", border="deform"),
    s("F.sample_grad", "2x3x4", *["2x4 positive"] * 2, None, shape=(2, 3, 5, 4)),
    s("F.sample_slopes", "2x3x4x5", "2x3x6", *["2x6 positive"] * 2, None),
    s("F.sample_slopes", "2x3x4x5", "2x3x6", *["2x6 positive"] * 2, None, slope=(1, 0)),
]
