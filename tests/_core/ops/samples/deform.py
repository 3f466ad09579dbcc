"""Convolution and pooling at points that are moved by offsets."""

from __future__ import annotations

from itertools import product

import numpy as np

from tests._core.ops.sample import s

BEYOND = "MXNet reads the memory before or after the images"
#: data, offset, weight, the rest
CONVOLUTIONS: list[tuple[str, str, str, dict]] = [
    ("2x2x5x6", "2x8x4x5", "3x2x2x2", {}),
    ("1x4x5x6", "1x36x5x6", "4x4x3x3", {"num_deformable_group": 2, "pad": (1, 1)}),
    ("2x4x5x6", "2x12x3x4", "6x2x3x2", {"num_group": 2, "stride": (2, 2), "pad": (1, 1)}),
    ("1x2x6x6", "1x8x6x4", "3x2x2x2", {"dilate": (2, 2), "pad": (1, 0)}),
    ("1x2x3x3", "1x2x3x3 large", "1x2x1x1", {}),
]
#: Rows, then columns, of a line of four: on pixels, between them, at the border and outside.
OFFSETS = "[[[[-1, -0.5, 0, 1]], [[0, 0, 0.5, 0]]], [[[0, 0, 0, 0]], [[-0.5, 2.5, 1.5, 1]]]]"
ROIS = "[[0, 0, 0, 4, 4], [1, 2, 1, 2, 1], [1, -3, -2, 2.6, 3.3], [0, 20, 20, 25, 25]]"
PARTS = {
    "spatial_scale": 0.7,
    "output_dim": 2,
    "group_size": 2,
    "pooled_size": 2,
    "sample_per_part": 2,
    "trans_std": 0.1,
}


def spec_of(weight: str, attrs: dict) -> dict:
    sizes = tuple(map(int, weight.split("x")))
    return {"kernel": sizes[2:], "num_filter": sizes[0], **attrs}


def masked(offset: str) -> str:
    """The mask that belongs to an offset."""
    n, channels, *rest = offset.split()[0].split("x")
    return "x".join([n, str(int(channels) // 2), *rest])


def typed(dtype: str, *inputs: str) -> list[str]:
    return [f"{one} {dtype}" for one in inputs]


def interpolated(picture, row, column):
    """A point of an image that goes on with zeros, by definition."""
    return sum(
        picture[i, j] * max(0, 1 - abs(row - i)) * max(0, 1 - abs(column - j))
        for i, j in np.ndindex(picture.shape)
    )


def modulated(x, offset, mask, weight, bias=None):
    """ModulatedDeformableConvolution of one group, by definition, one value at a time."""
    n, channels, _, _ = x.shape
    filters, _, height, width = weight.shape
    y = np.zeros((n, filters, *offset.shape[2:]), x.dtype)
    for b, f, i, j in np.ndindex(y.shape):
        for k, (h, w) in enumerate(product(range(height), range(width))):
            row, column = i + h + offset[b, 2 * k, i, j], j + w + offset[b, 2 * k + 1, i, j]
            for c in range(channels):
                value = interpolated(x[b, c], row, column) * mask[b, k, i, j]
                y[b, f, i, j] += weight[f, c, h, w] * value
    return y if bias is None else y + bias[:, None, None]


SAMPLES = [
    *(
        s("contrib.DeformableConvolution", x, o, w, w.split("x")[0], **spec_of(w, attrs))
        for x, o, w, attrs in CONVOLUTIONS
    ),
    s(
        "contrib.DeformableConvolution",
        *typed("float64", "2x2x5x6", "2x8x4x5", "3x2x2x2"),
        None,
        no_bias=True,
        **spec_of("3x2x2x2", {}),
    ),
    s(
        "contrib.DeformableConvolution",
        "2x1x1x4",
        OFFSETS,
        "1x1x1x1",
        None,
        no_bias=True,
        **spec_of("1x1x1x1", {}),
    ).but(kink=True),
    s(
        "contrib.DeformableConvolution",
        "1x2x4x4",
        "[[" + ", ".join(["[[0] * 4] * 4"] * 18) + "]]",
        "2x2x3x3",
        None,
        no_bias=True,
        **spec_of("2x2x3x3", {"pad": (1, 1)}),
    ).but(kink=True),
    s(
        "contrib.DeformableConvolution",
        "0x2x5x6",
        "0x8x4x5",
        "3x2x2x2",
        "3",
        **spec_of("3x2x2x2", {}),
    ).but(wrt=(), right=lambda x, o, w, b: np.zeros((0, 3, 4, 5), "f4")),
    *(
        s("contrib.DeformableConvolution", *inputs, **{**spec_of("3x2x2x2", {}), **attrs})
        for inputs, attrs in (
            (("2x2x5x6", "2x8x4x4", "3x2x2x2", "3"), {}),
            (("2x2x5x6", "2x6x4x5", "3x2x2x2", "3"), {}),
            (("2x2x5x6", "2x8x4x5", "3x2x2x2", "3"), {"num_deformable_group": 3}),
            (("2x2x5x6", "2x8x4x5", "3x2x2x2", "2"), {}),
            (("2x4x5x6", "2x8x4x5", "3x2x2x2", "3"), {}),
            (("2x2x5x6", "2x8x4x5", "3x2x3x2", "3"), {}),
            (("2x2x5x6", "2x8x4x5 float64", "3x2x2x2", "3"), {}),
            (("2x2x5x6", "2x8x4x5", "3x2x2x2", "3"), {"layout": "NHWC"}),
        )
    ),
    *(
        s(
            "contrib.ModulatedDeformableConvolution",
            *(x, o, masked(o), w, w.split("x")[0]),
            **spec_of(w, attrs),
        )
        for x, o, w, attrs in CONVOLUTIONS
    ),
    s(
        "contrib.ModulatedDeformableConvolution",
        *typed("float64", "1x2x3x4", "1x8x2x3", "1x4x2x3", "2x2x2x2", "2"),
        **spec_of("2x2x2x2", {}),
    ).but(differs="checked against the definition", right=modulated),
    s(
        "contrib.ModulatedDeformableConvolution",
        "2x1x1x4",
        OFFSETS,
        "2x1x1x4",
        "1x1x1x1",
        None,
        no_bias=True,
        **spec_of("1x1x1x1", {}),
    ).but(kink=True),
    s(
        "contrib.ModulatedDeformableConvolution",
        *("2x2x5x6", "2x8x4x5", "2x8x4x5", "3x2x2x2", "3"),
        **spec_of("3x2x2x2", {}),
    ),
    *(
        s("contrib.DeformablePSROIPooling", x, ROIS, trans, **{**PARTS, **attrs}).but(wrt=(0, 2))
        for x, trans, attrs in (
            ("2x8x5x6", "4x2x2x2", {}),
            ("2x8x5x6", "4x4x2x2", {"part_size": 2, "sample_per_part": 3}),
            ("2x8x5x6", "4x2x1x1 large", {"part_size": 1}),
            ("2x8x5x6", "4x2x2x2", {"part_size": 2, "pooled_size": 3}),
            ("2x8x5x6", "4x2x3x3", {"part_size": 3, "sample_per_part": 4}),
            ("2x18x5x6", "4x2x3x3", {"group_size": 3, "pooled_size": 3, "spatial_scale": 1.0}),
        )
    ),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", "0x5", no_trans=True, **PARTS).but(
        wrt=(), right=lambda x, rois: np.zeros((0, 2, 2, 2), x.dtype)
    ),
    s(
        "contrib.DeformablePSROIPooling",
        *typed("float64", "2x8x5x6", ROIS, "4x2x2x2"),
        **PARTS,
    ).but(wrt=(0, 2)),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", ROIS, no_trans=True, **PARTS).but(wrt=(0,)),
    s(
        "contrib.DeformablePSROIPooling",
        *typed("float16", "2x8x5x6", ROIS, "4x2x2x2"),
        **PARTS,
    ).but(wrt=(0, 2), rtol=2e-2),
    s(
        "contrib.DeformablePSROIPooling", "2x8x5x6", "[[-1, 0, 0, 4, 4]]", no_trans=True, **PARTS
    ).but(wrt=(0,), differs=BEYOND, right=lambda x, rois: np.zeros((1, 2, 2, 2), x.dtype)),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", "[[2, 0, 0, 4, 4]]", no_trans=True, **PARTS).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", ROIS, "3x2x2x2", **PARTS).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", ROIS, "4x2x3x3", **PARTS).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.DeformablePSROIPooling", "2x7x5x6", ROIS, no_trans=True, **PARTS).but(
        refused=True, differs=BEYOND
    ),
    s("contrib.DeformablePSROIPooling", "2x8x5x6", ROIS, **PARTS),
]
