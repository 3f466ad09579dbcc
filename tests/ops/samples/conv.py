"""Convolution."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import s

#: data shape, weight shape, the rest
CONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x7", "4x3x3", {}),
    ("2x3x7", "4x3x3", {"stride": 2, "pad": 1}),
    ("2x2x5x6", "3x2x3x2", {}),
    ("2x2x5x6", "3x2x3x2", {"stride": (2, 1), "pad": (1, 1)}),
    ("1x2x7x7", "2x2x3x3", {"dilate": (2, 2), "pad": (2, 1)}),
    ("2x4x5x5", "6x2x3x3", {"num_group": 2}),
    ("2x3x5x5", "3x1x3x3", {"num_group": 3, "stride": (2, 2)}),
    ("1x2x4x4x4", "2x2x2x2x2", {}),
    ("1x2x4x5x4", "2x1x3x2x2", {"num_group": 2, "stride": (1, 2, 1), "pad": (1, 0, 1)}),
    ("2x3x4x4", "5x3x1x1", {}),
    ("1x1x5x5", "1x1x5x5", {}),
]


def _kernel(weight: str, attrs: dict) -> dict:
    sizes = tuple(map(int, weight.split("x")))
    found = {"kernel": sizes[2:], "num_filter": sizes[0], **attrs}
    return {
        key: (v,) if isinstance(v, int) and key in ("stride", "pad") else v
        for key, v in found.items()
    }


def _transposed(weight: str, attrs: dict) -> dict:
    found = _kernel(weight, attrs)
    return {**found, "num_filter": int(weight.split("x")[1]) * attrs.get("num_group", 1)}


DECONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x5", "3x4x3", {}),
    ("2x3x5", "3x4x3", {"stride": 2, "pad": 1, "adj": (1,)}),
    ("2x2x4x3", "2x3x3x2", {}),
    ("2x2x4x3", "2x3x3x2", {"stride": (2, 2), "pad": (1, 0)}),
    ("1x4x3x3", "4x2x2x2", {"num_group": 2, "stride": (2, 2)}),
    ("1x2x3x3", "2x1x3x3", {"dilate": (2, 2)}),
    ("1x2x3x3", "2x2x3x3", {"stride": (2, 2), "target_shape": (6, 6)}),
]

ONLY_PICTURES = "MXNet fails but in two dimensions"
#: data, the rest
WINDOWS: list[tuple[str, dict]] = [
    ("2x3x5x6", {"kernel": (2, 2)}),
    ("2x3x5x6", {"kernel": (2, 3), "stride": (2, 1), "pad": (1, 2)}),
    ("1x2x7x7", {"kernel": (3, 2), "dilate": (2, 3), "pad": (1, 1)}),
    ("1x1x4x4", {"kernel": (4, 4)}),
    ("2x3x5x6 float64", {"kernel": (2, 2)}),
]


def columns(x):
    """im2col with a kernel of (2, 2, 2) and strides of (1, 2, 1), by definition."""
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2, 2), (2, 3, 4))[:, :, :, ::2]
    return windows.transpose(0, 1, 5, 6, 7, 2, 3, 4).reshape(1, 16, 8)


SAMPLES = [
    *(
        s("Convolution", data, weight, weight.split("x")[0], **_kernel(weight, attrs))
        for data, weight, attrs in CONVOLUTIONS
    ),
    *(
        s("Convolution", data, weight, None, no_bias=True, **_kernel(weight, attrs))
        for data, weight, attrs in CONVOLUTIONS[1:4]
    ),
    s(
        "Convolution",
        "2x2x4x4 float64",
        "3x2x2x2 float64",
        "3 float64",
        kernel=(2, 2),
        num_filter=3,
    ),
    s("Convolution", "2x3x4x4", "3x2x2x2", "3", kernel=(2, 2), num_filter=3),
    s("Convolution", "2x2x4x4", "3x2x2x2", "3", kernel=(5, 5), num_filter=3),
    s("Convolution", "2x2x4x4", "3x2x2x2", "4", kernel=(2, 2), num_filter=3),
    *(
        s("Deconvolution", data, weight, no_bias=True, **_transposed(weight, attrs))
        for data, weight, attrs in DECONVOLUTIONS
    ),
    s("Deconvolution", "2x2x3x3", "2x3x2x2", "3", kernel=(2, 2), num_filter=3, no_bias=False),
    s(
        "Deconvolution",
        "1x2x2x3x2",
        "2x1x2x2x2",
        no_bias=True,
        kernel=(2, 2, 2),
        num_filter=1,
        stride=(2, 1, 2),
    ).but(differs="MXNet has it on some machines only"),
    *(s("im2col", data, **attrs) for data, attrs in WINDOWS),
    s("im2col", "2x3x5x6 float16", kernel=(2, 2), pad=(1, 1)).but(rtol=2e-3),
    s("im2col", "1x2x3x4x3", kernel=(2, 2, 2), stride=(1, 2, 1)).but(
        differs=ONLY_PICTURES, right=columns
    ),
    s("im2col", "2x3x7", kernel=(3,), stride=(2,)).but(
        differs=ONLY_PICTURES,
        right=lambda x: np.stack([x[..., k : k + 5 : 2] for k in range(3)], 2).reshape(2, 9, 3),
    ),
    s("im2col", "0x2x3", kernel=(2,)).but(right=lambda x: np.zeros((0, 4, 2), x.dtype)),
    s("im2col", "2x3x5x6", kernel=(7, 7)),
    s("im2col", "2x3x5x6", kernel=(0, 2)),
    s("im2col", "2x3x5x6", kernel=(2, 2), stride=(0, 1)),
    s("im2col", "3x4", kernel=(2,)),
    s("im2col", "2x3x7", kernel=(2, 2)),
    s("col2im", "2x12x20", kernel=(2, 2), output_size=(5, 6)),
    s("col2im", "2x12x20", kernel=(1, 2), output_size=(5, 6), stride=(1, 2), pad=(0, 1)),
    s("col2im", "1x8x9", kernel=(2, 2), output_size=(5, 5), stride=(2, 2), pad=(1, 1)),
    s("col2im", "1x8x9 float64", kernel=(2, 2), output_size=(5, 5), dilate=(2, 2)),
    s("col2im", "1x8x9 float16", kernel=(2, 2), output_size=(4, 4)).but(rtol=4e-3),
    s("col2im", "1x2x3", kernel=(2,), output_size=(4,)).but(
        differs=ONLY_PICTURES,
        right=lambda x: (
            np.pad(x[:, :1], [(0, 0), (0, 0), (0, 1)]) + np.pad(x[:, 1:], [(0, 0), (0, 0), (1, 0)])
        ),
    ),
    s("col2im", "2x12x20", kernel=(2, 2), output_size=(5, 5)),
    s("col2im", "2x12x20", kernel=(2, 2), output_size=(5,)),
    s("col2im", "2x11x20", kernel=(2, 2), output_size=(5, 6)),
    s("col2im", "2x12", kernel=(2, 2), output_size=(5, 6)),
    s("FullyConnected", "4x3", "2x3", "2", num_hidden=2),
    s("FullyConnected", "4x3", "2x3", None, num_hidden=2, no_bias=True),
    s("FullyConnected", "4x3x2", "5x6", "5", num_hidden=5),
    s("FullyConnected", "4x3x2", "5x2", "5", num_hidden=5, flatten=False),
    s("FullyConnected", "4x3 float64", "2x3 float64", "2 float64", num_hidden=2),
    s("FullyConnected", "4x3 float16", "2x3 float16", "2 float16", num_hidden=2).but(
        rtol=4e-3, differs="MXNet needs a GPU for float16", right=lambda x, w, b: x @ w.T + b
    ),
    s("FullyConnected", "4x3", "2x4", "2", num_hidden=2),
    s("FullyConnected", "0x3", "2x3", "2", num_hidden=2),
]
