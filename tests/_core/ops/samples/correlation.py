"""Correlation of the patches of two images."""

from __future__ import annotations

from tests._core.ops.sample import s

SPECS: list[dict] = [
    {},
    {"kernel_size": 3, "max_displacement": 2, "pad_size": 2},
    {"max_displacement": 2, "stride2": 2},
    {"max_displacement": 3, "stride2": 2, "pad_size": 3},
    {"stride1": 2, "stride2": 3, "max_displacement": 3, "pad_size": 4, "kernel_size": 3},
    {"max_displacement": 0},
    {"stride1": 7, "pad_size": 3},
    {"kernel_size": 5, "stride1": 3, "max_displacement": 0},
]
HOW = {"kernel": 3, "reach": 2, "stride1": 2, "stride2": 1, "pad": 2}

SAMPLES = [
    *(s("Correlation", "2x3x6x7", "2x3x6x7", **spec) for spec in SPECS),
    *(
        # Both are 0 in the padding, where the slope meets nothing.
        s("Correlation", "2x3x6x7", "2x3x6x7", is_multiply=False, **spec)
        for spec in SPECS
    ),
    s("Correlation", "2x3x6x7 float64", "2x3x6x7 float64", pad_size=1),
    s("Correlation", "2x3x6x7 float64", "2x3x6x7 float64", pad_size=1, is_multiply=False),
    s("Correlation", "1x3x4x4 float16", "1x3x4x4 float16").but(rtol=4e-3),
    s("Correlation", "1x3x4x4 integers", "1x3x4x4 integers", is_multiply=False).but(kink=True),
    s("Correlation", "0x3x4x4", "0x3x4x4").but(
        kink=True, differs="MXNet does not support empty arrays"
    ),
    s("Correlation", "1x3x4x4", "1x3x4x5").but(
        refused=True, differs="MXNet reads past the smaller image"
    ),
    s("Correlation", "1x3x4x4", "1x3x4x5", is_multiply=False).but(
        refused=True, differs="MXNet reads past the smaller image"
    ),
    s("Correlation", "1x3x4x4", "1x3x4x4", stride2=0).but(refused=True, differs="MXNet crashes"),
    s("Correlation", "1x3x4x4", "1x3x4x4", stride1=0),
    s("Correlation", "1x3x4x4", "1x3x4x4", kernel_size=2),
    s("Correlation", "1x3x4x4", "1x3x4x4", max_displacement=4),
    s("Correlation", "3x4x4", "3x4x4"),
    s("Correlation", "1x3x4x4", "1x3x4x4 float64"),
    s("Correlation", "1x3x4x4 integers int32", "1x3x4x4 integers int32"),
    s("F.distance_slope", "1x2x6x5", "1x2x6x5", "1x2x6x5", first=True, **HOW),
    s("F.distance_slope", "1x2x6x5", "1x2x6x5", "1x2x6x5", first=False, **HOW),
]
