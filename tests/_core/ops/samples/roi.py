"""Pooling of regions of interest."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import s

BEYOND = "MXNet reads the memory before or after the images"
#: Inside, of one pixel, over the border, outside, turned round, of the second image.
ROIS = (
    "[[0, 0, 0, 4, 4], [0, 2, 1, 2, 1], [1, -3, -2, 2.6, 3.3], [0, 20, 20, 25, 25],"
    " [0, 4, 3, 1, 1], [1, 0.5, 1.5, 5.5, 2.49]]"
)
PADDING = "MXNet returns uninitialized memory"
#: Centre, width, height and angle.
ROTATED = (
    "[[0, 3, 3, 4, 2, 0], [1, 3, 2.5, 4, 2, 30], [0, 3, 3, 0.5, 0.5, 45], [0, 0, 0, 4, 4, -60],"
    " [1, -9, -9, 2, 2, 10], [0, 2, 2, 7, 5, 135]]"
)
HALF = {"pooled_size": (2, 3), "spatial_scale": 0.7}
SPLIT = {"spatial_scale": 0.7, "output_dim": 2, "pooled_size": 2, "group_size": 2}


def nothing(regions, *shape):
    """The result for no regions, or for padding."""
    return lambda x, rois: np.zeros((regions, *shape), x.dtype)


SAMPLES = [
    *(
        s("ROIPooling", data, ROIS, **spec).but(wrt=(0,))
        for data, spec in (
            ("2x3x5x6", {"pooled_size": (2, 2), "spatial_scale": 1.0}),
            ("2x3x5x6", HALF),
            ("2x1x9x11 distinct", {"pooled_size": (1, 1), "spatial_scale": 1.0}),
            ("2x2x5x6", {"pooled_size": (7, 7), "spatial_scale": 0.4}),
            ("2x2x5x6", {"pooled_size": (2, 2), "spatial_scale": 0.0}),
        )
    ),
    s("ROIPooling", "2x3x5x6 float64", f"{ROIS} float64", **HALF).but(wrt=(0,)),
    s("ROIPooling", "2x3x5x6 float16", f"{ROIS} float16", **HALF).but(wrt=(0,), rtol=2e-3),
    s("ROIPooling", "2x3x5x6 integers", ROIS, **HALF).but(wrt=(0,), kink=True),
    s(
        "ROIPooling", "2x3x5x6", "[[-1, 0, 0, 4, 4], [2, 0, 0, 4, 4], [0.7, 0, 0, 4, 4]]", **HALF
    ).but(wrt=(0,)),
    s("ROIPooling", "1x1x2x2", "0x5", **HALF).but(wrt=(), right=nothing(0, 1, 2, 3)),
    s(
        "ROIPooling", "[[[[1, nan, 3]]]]", "[[0, 0, 0, 2, 0]]", pooled_size=(1, 1), spatial_scale=1
    ).but(
        wrt=(0,),
        kink=True,
        differs="NaN passes through, as in max pooling",
        right=lambda x, rois: np.full((1, 1, 1, 1), np.nan, x.dtype),
    ),
    s("ROIPooling", "1x1x2x2", "[[0, nan, 0, 1, 1]]", **HALF).but(
        refused=True, differs="MXNet treats NaN as outside the image"
    ),
    s("ROIPooling", "1x1x5x6", "1x4", **HALF),
    s("ROIPooling", "1x5x6", "1x5", **HALF),
    s("ROIPooling", "1x1x5x6", "1x5", pooled_size=(0, 2), spatial_scale=1),
    s("ROIPooling", "1x1x5x6", "1x5", pooled_size=2, spatial_scale=1),
    s("ROIPooling", "1x1x5x6", "1x5", pooled_size=(2, 2), spatial_scale=1.5),
    s("ROIPooling", "1x1x5x6 integers int32", "1x5 integers int32", **HALF),
    *(
        s("contrib.ROIAlign", data, ROIS, **spec).but(wrt=(0,))
        for data, spec in (
            ("2x3x5x6", {"pooled_size": (2, 2), "spatial_scale": 1.0}),
            ("2x3x5x6", HALF),
            ("2x3x5x6", {"sample_ratio": 2, **HALF}),
            ("2x3x5x6", {"sample_ratio": 3, "pooled_size": (1, 1), "spatial_scale": 0.3}),
            ("2x6x5x6", {"position_sensitive": True, **HALF}),
            ("2x8x5x6", {"position_sensitive": True, "pooled_size": (2, 2), "spatial_scale": 1.0}),
        )
    ),
    *(
        s("contrib.ROIAlign", "2x6x5x6", "[[0, 0, 0, 4, 4], [1, -3, -2, 2.6, 3.3]]", **spec).but(
            wrt=(0,)
        )
        for spec in (
            {"aligned": True, **HALF},
            {"aligned": True, "sample_ratio": 2, **HALF},
            {"aligned": True, "position_sensitive": True, **HALF},
        )
    ),
    s("contrib.ROIAlign", "2x3x5x6 float64", f"{ROIS} float64", **HALF).but(wrt=(0,)),
    s("contrib.ROIAlign", "2x3x5x6 float16", f"{ROIS} float16", **HALF).but(wrt=(0,), rtol=1e-2),
    s("contrib.ROIAlign", "2x1x2x2", "[[-1, 0, 0, 4, 4]]", **HALF).but(
        differs=PADDING, right=nothing(1, 1, 2, 3), wrt=(0,)
    ),
    s("contrib.ROIAlign", "2x1x1x1", "[[1, -1e9, -1e9, -1e6, -1e6]]", **HALF).but(
        differs="MXNet takes hours to compute it", right=nothing(1, 1, 2, 3), wrt=(0,)
    ),
    s("contrib.ROIAlign", "2x1x2x2", "[[-1, 0, 0, 0, 0]]", aligned=True, **HALF).but(
        differs=PADDING, right=nothing(1, 1, 2, 3), wrt=(0,)
    ),
    s("contrib.ROIAlign", "2x1x2x2", "[[2, 0, 0, 1, 1]]", **HALF).but(refused=True, differs=BEYOND),
    s("contrib.ROIAlign", "2x1x2x2", "[[0, 0, 0, nan, 1]]", **HALF).but(
        refused=True, differs="MXNet reads outside the image"
    ),
    s(
        "contrib.ROIAlign",
        "[[[[1, 2, nan, 4, inf, 6], [3, 4, 5, 6, 7, 8]]]]",
        "[[0, 0.2, 0.1, 1.3, 1.3], [0, 0.3, 0.2, 2.3, 1.3], [0, 3.1, 0.2, 5.2, 0.9]]",
        pooled_size=(1, 1),
        spatial_scale=1.0,
    ).but(wrt=(0,), kink=True),
    s("contrib.ROIAlign", "1x1x2x2", "0x5", **HALF).but(wrt=(), right=nothing(0, 1, 2, 3)),
    s("contrib.ROIAlign", "1x1x5x6", "[[0, 3, 3, 1, 1]]", aligned=True, **HALF),
    s("contrib.ROIAlign", "1x5x5x6", "1x5", position_sensitive=True, **HALF),
    s("contrib.ROIAlign", "1x1x5x6", "1x4", **HALF),
    s("contrib.ROIAlign", "1x1x5x6", "1x5", pooled_size=(2, 2), spatial_scale=-1),
    s("contrib.ROIAlign", "1x1x5x6 integers int32", "1x5 integers int32", **HALF),
    *(
        s("contrib.RROIAlign", "2x3x6x7", ROTATED, **spec).but(wrt=(0,))
        for spec in (
            {"pooled_size": (2, 2), "spatial_scale": 1.0},
            HALF,
            {"sampling_ratio": 2, **HALF},
            {"sampling_ratio": 3, "pooled_size": (1, 1), "spatial_scale": 0.3},
        )
    ),
    s("contrib.RROIAlign", "2x3x6x7 float64", f"{ROTATED} float64", **HALF).but(wrt=(0,)),
    s("contrib.RROIAlign", "2x3x6x7 float16", f"{ROTATED} float16", **HALF).but(
        wrt=(0,), rtol=2e-2
    ),
    s("contrib.RROIAlign", "2x1x2x2", "[[-1, 0, 0, 1, 1, 0]]", **HALF).but(
        differs=BEYOND, right=nothing(1, 1, 2, 3), wrt=(0,)
    ),
    s("contrib.RROIAlign", "2x1x2x2", "[[2, 0, 0, 1, 1, 0]]", **HALF).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.RROIAlign", "1x1x2x2", "0x6", **HALF).but(wrt=(), right=nothing(0, 1, 2, 3)),
    s("contrib.RROIAlign", "1x1x5x6", "1x5", **HALF),
    *(
        s("contrib.PSROIPooling", data, ROIS, **{**SPLIT, **spec}).but(wrt=(0,))
        for data, spec in (
            ("2x8x5x6", {}),
            ("2x8x5x6", {"group_size": 0}),
            ("2x8x5x6", {"pooled_size": 3, "spatial_scale": 1.0}),
            ("2x8x5x6", {"pooled_size": 1}),
            ("2x8x5x6", {"output_dim": 1}),
            ("2x9x5x6", {"group_size": 3, "output_dim": 1}),
        )
    ),
    s("contrib.PSROIPooling", "2x8x5x6 float64", f"{ROIS} float64", **SPLIT).but(wrt=(0,)),
    s("contrib.PSROIPooling", "2x8x5x6 float16", f"{ROIS} float16", **SPLIT).but(
        wrt=(0,), rtol=1e-2
    ),
    s("contrib.PSROIPooling", "2x8x5x6", "[[-1, 0, 0, 1, 1]]", **SPLIT).but(
        differs=BEYOND, right=nothing(1, 2, 2, 2), wrt=(0,)
    ),
    s("contrib.PSROIPooling", "2x8x5x6", "[[2, 0, 0, 1, 1]]", **SPLIT).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.PSROIPooling", "2x7x5x6", "[[0, 0, 0, 1, 1]]", **SPLIT).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.PSROIPooling", "2x8x5x6", "1x4", **SPLIT),
]
