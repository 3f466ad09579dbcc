"""Convolution and its transpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests._core.ops.sample import Sample, s

#: data shape, weight shape, the rest
CONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x7", "4x3x3", {}),
    ("2x3x7", "4x3x3", {"stride": (2,), "pad": (1,)}),
    ("2x3x7", "4x3x2", {"dilate": (3,)}),
    ("2x4x7", "6x2x3", {"num_group": 2, "stride": (3,), "pad": (4,), "dilate": (2,)}),
    ("1x1x1", "1x1x1", {}),
    ("1x1x1", "2x1x1", {"pad": (3,)}),
    ("2x2x5x6", "3x2x3x2", {}),
    ("2x2x5x6", "3x2x3x2", {"stride": (2, 1), "pad": (1, 1)}),
    ("1x2x7x7", "2x2x3x3", {"dilate": (2, 2), "pad": (2, 1)}),
    ("1x2x7x8", "2x2x3x2", {"dilate": (1, 3), "stride": (2, 3), "pad": (0, 2)}),
    ("2x4x5x5", "6x2x3x3", {"num_group": 2}),
    ("2x3x5x5", "3x1x3x3", {"num_group": 3, "stride": (2, 2)}),
    ("2x3x5x5", "6x1x3x3", {"num_group": 3, "pad": (1, 1)}),
    ("2x4x5x5", "4x2x1x1", {"num_group": 2}),
    ("2x3x4x4", "5x3x1x1", {}),
    ("2x3x4x4", "5x3x1x1", {"stride": (2, 3)}),
    ("2x3x4x4", "5x3x1x1", {"pad": (1, 0)}),
    ("1x1x5x5", "1x1x5x5", {}),
    ("9x2x3x3", "3x2x2x2", {}),
    ("1x2x4x4x4", "2x2x2x2x2", {}),
    ("1x2x4x5x4", "2x1x3x2x2", {"num_group": 2, "stride": (1, 2, 1), "pad": (1, 0, 1)}),
    ("1x2x5x4x3", "3x2x2x2x1", {"dilate": (3, 2, 1), "stride": (1, 1, 2)}),
]
#: data shape, weight shape, the rest
DECONVOLUTIONS: list[tuple[str, str, dict]] = [
    ("2x3x5", "3x4x3", {}),
    ("2x3x5", "3x4x3", {"stride": (2,), "pad": (1,), "adj": (1,)}),
    ("2x3x5", "3x4x3", {"stride": (3,), "adj": (2,)}),
    ("2x3x4", "3x2x2", {"stride": (2,), "target_shape": (7,)}),
    ("2x3x4", "3x2x2", {"stride": (2,), "pad": (1,), "adj": (1,), "target_shape": (5,)}),
    ("2x2x4x3", "2x3x3x2", {}),
    ("2x2x4x3", "2x3x3x2", {"stride": (2, 2), "pad": (1, 0)}),
    ("2x2x4x3", "2x3x3x2", {"stride": (3, 2), "pad": (2, 1), "adj": (2, 1)}),
    ("1x4x3x3", "4x2x2x2", {"num_group": 2, "stride": (2, 2)}),
    ("1x3x3x3", "3x1x3x3", {"num_group": 3, "stride": (2, 2), "pad": (1, 1), "adj": (1, 1)}),
    ("1x2x3x3", "2x1x3x3", {"dilate": (2, 2)}),
    ("1x2x3x4", "2x1x2x3", {"dilate": (2, 1), "stride": (1, 2), "pad": (1, 2)}),
    ("1x2x3x3", "2x2x3x3", {"stride": (2, 2), "target_shape": (6, 6)}),
    ("1x2x3x3", "2x2x3x3", {"stride": (2, 2), "target_shape": (5, 4)}),
    ("1x2x3x3", "2x2x3x3", {"stride": (2, 2), "target_shape": (7, 7)}),
    ("2x3x2x2", "3x4x1x1", {}),
]


def convolution(data: str, weight: str, bias: bool, kind: str = "", **attrs: Any) -> Sample:
    filters, _, *kernel = map(int, weight.split("x"))
    inputs = (data + kind, weight + kind, f"{filters}{kind}" if bias else None)
    attrs = {"kernel": tuple(kernel), "num_filter": filters, **attrs}
    return s("Convolution", *inputs, no_bias=not bias, **attrs)


def deconvolution(data: str, weight: str, bias: bool, kind: str = "", **attrs: Any) -> Sample:
    _, per_group, *kernel = map(int, weight.split("x"))
    filters = per_group * attrs.get("num_group", 1)
    inputs = (data + kind, weight + kind, f"{filters}{kind}" if bias else None)
    attrs = {"kernel": tuple(kernel), "num_filter": filters, **attrs}
    return s("Deconvolution", *inputs, no_bias=not bias, **attrs)


def direct(x: Any, weight: Any, bias: Any = 0) -> Any:
    """Convolution as the sum over the places of the kernel, in float64."""
    kind, kernel = np.result_type(x, weight), weight.shape[2:]
    out = [n - k + 1 for n, k in zip(x.shape[2:], kernel)]
    y = np.zeros((len(x), len(weight), *out))
    for place in np.ndindex(*kernel):
        part = tuple(slice(p, p + n) for p, n in zip(place, out))
        y += np.einsum("nc...,fc->nf...", x[(..., *part)].astype(float), weight[(..., *place)])
    return (y + np.reshape(bias, (-1, *(1 for _ in kernel)))).astype(kind)


def direct_transposed(x: Any, weight: Any, bias: Any = 0) -> Any:
    """Deconvolution: the convolution of the padded data with the weight flipped."""
    pad = [(0, 0), (0, 0), *((k - 1, k - 1) for k in weight.shape[2:])]
    turned = np.flip(weight, tuple(range(2, weight.ndim))).swapaxes(0, 1)
    return direct(np.pad(x, pad), turned, 0 if bias is None else bias)


NO_HALF = "MXNet needs a GPU for float16"
TYPES = [
    *(convolution("2x2x4x4", "3x2x2x2", True, " float64", layout=lay) for lay in (None, "NCHW")),
    convolution("2x2x4x4", "3x2x2x2", True, " float16").but(
        rtol=2e-3, differs=NO_HALF, right=direct
    ),
    convolution("2x2x4x4", "3x2x2x2", True, " integers int32"),
    *(
        s("Convolution", x, w, no_bias=True, kernel=(2, 2), num_filter=3).but(
            differs="MXNet requires a single dtype", right=direct, wrt=()
        )
        for x, w in (
            ("2x2x4x4 float64", "3x2x2x2"),
            ("2x2x4x4", "3x2x2x2 float64"),
            ("2x2x4x4 float16", "3x2x2x2"),
        )
    ),
    deconvolution("2x2x4x4", "2x3x2x2", True, " float64"),
    deconvolution("2x2x4x4", "2x3x2x2", True, " float16").but(
        rtol=2e-3, differs=NO_HALF, right=direct_transposed
    ),
    s("Deconvolution", "2x2x4x4", "2x3x2x2 float64", kernel=(2, 2), num_filter=3).but(
        differs="MXNet requires a single dtype", right=direct_transposed, wrt=()
    ),
    deconvolution("2x2x4x4", "2x3x2x2", True, " integers int32"),
    convolution("[[[nan, 1, 2, inf, 3]]]", "1x1x2", False, kernel=(2,)).but(wrt=()),
]
#: The layouts with the channels last, and data and weights in them.
LAST = [
    ("NWC", "2x7x3", "4x2x3", "3x2x4"),
    ("NHWC", "2x5x6x2", "3x3x2x2", "2x3x2x3"),
    ("NDHWC", "1x4x4x3x2", "3x1x2x3x2", "2x1x2x3x3"),
]


def channels_last(function: Callable) -> Callable:
    def call(x: Any, weight: Any) -> Any:
        y = function(np.moveaxis(x, -1, 1), np.moveaxis(weight, -1, 1))
        return np.moveaxis(y, 1, -1)

    return call


LAYOUTS = [
    s(op, data, weight, no_bias=True, kernel=kernel, num_filter=filters, layout=layout).but(
        differs="MXNet needs a GPU or oneDNN for it", right=channels_last(right)
    )
    for layout, data, forth, back in LAST
    for op, weight, right, place in (
        ("Convolution", forth, direct, 0),
        ("Deconvolution", back, direct_transposed, -1),
    )
    for filters in [int(weight.split("x")[place])]
    for kernel in [tuple(map(int, weight.split("x")[1:-1]))]
]
MISTAKES = [
    convolution("2x3x4x4", "3x2x2x2", True),
    convolution("2x2x4x4", "3x2x2x2", True, kernel=(5, 5)),
    convolution("2x2x4x4", "3x2x5x5", True),
    convolution("2x2x4x4", "3x2x2x2", True, num_filter=4),
    convolution("2x2x4x4", "3x2x2x2", False, num_group=2),
    convolution("2x2x4x4", "3x2x2x2", False, num_group=0),
    convolution("2x2x4x4", "3x2x2x2", False, stride=(0, 1)),
    convolution("2x2x4x4", "3x2x2x2", False, stride=(1,)),
    convolution("2x2x4x4", "3x2x2x2", False, dilate=(0, 1)),
    convolution("2x2x4x4", "3x2x2x2", False, pad=(1,)),
    convolution("2x2x4x4", "3x2x2x2", False, pad=(1, 1, 1)),
    convolution("2x2x4x4", "3x2x2x2", False, layout="NWC"),
    convolution("2x2x4x4", "3x2x2x2", False, layout="CHWN"),
    convolution("2x4", "3x4", False),
    convolution("2x2x4x4", "3x2x2", False),
    convolution("2x2x4x4", "3x2x2x2", False).but(inputs=("2x2x4x4", "3x2x2x2", "4")),
    s("Convolution", "2x2x4x4", "3x2x2x2", "3", kernel=(2, 2), num_filter=3, no_bias=True),
    s("Convolution", "2x2x4x4", "3x2x2x2", kernel=(2, 2), num_filter=3),
    s("Convolution", "2x2x4x4", "3x2x2x2", "4", kernel=(2, 2), num_filter=3),
    deconvolution("2x3x4x4", "2x3x2x2", False),
    deconvolution("2x2x4x4", "2x3x2x2", False, num_filter=4),
    deconvolution("2x2x4x4", "2x3x2x2", False, kernel=(3, 3)),
    deconvolution("2x2x4x4", "2x3x2x2", False, adj=(1, 1)),
    deconvolution("2x2x4x4", "2x3x2x2", False, stride=(2, 2), adj=(2, 0)),
    deconvolution("2x2x4x4", "2x3x2x2", False, target_shape=(9, 9)),
    deconvolution("2x2x4x4", "2x3x2x2", False, target_shape=(4,)),
    deconvolution("2x2x1x1", "2x3x2x2", False, pad=(1, 1)).but(
        differs="MXNet returns an empty image", refused=True
    ),
    deconvolution("2x2x4x4", "2x3x2x2", False, num_group=3),
    deconvolution("2x2x4x4", "2x3x2x2", False, pad=(1, 1), target_shape=(0, 0)),
    deconvolution("2x2x4x4", "2x3x2x2", True).but(inputs=("2x2x4x4", "2x3x2x2", "4")),
]

ONLY_PICTURES = "MXNet supports two dimensions only"
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


def _placed(start: int, size: int) -> Callable:
    """`numpy.convolve`, of which `size` places from `start` on are wanted, 0 outside."""

    def right(a: Any, v: Any) -> Any:
        full = np.pad(np.convolve(a, v), 20)
        return full[20 + start :][:size]

    return right


SAMPLES = [
    *(convolution(x, w, True, **attrs) for x, w, attrs in CONVOLUTIONS),
    *(convolution(x, w, False, **attrs) for x, w, attrs in CONVOLUTIONS[1:9]),
    *(deconvolution(x, w, False, **attrs) for x, w, attrs in DECONVOLUTIONS),
    *(deconvolution(x, w, True, **attrs) for x, w, attrs in DECONVOLUTIONS[1:9]),
    deconvolution("1x2x2x3x2", "2x1x2x2x2", False, stride=(2, 1, 2)).but(
        differs="MXNet supports it on some machines only"
    ),
    *TYPES,
    *LAYOUTS,
    s("Deconvolution", "[[[1, 2, 3]]]", "[[[1, 10, 100]]]", stride=(3,), dilate=(2,)).but(
        differs="MXNet is wrong here without oneDNN",
        right=lambda x, weight: np.array([[[1, 0, 10, 2, 100, 20, 3, 200, 30, 0, 300]]], x.dtype),
    ),
    *MISTAKES,
    convolution("0x3x7", "4x3x3", True),
    s(
        "Convolution",
        "1x1x4",
        "1x1x2",
        kernel=(2,),
        num_filter=1,
        no_bias=True,
        workspace=1,
        cudnn_tune="off",
        cudnn_off=True,
    ),
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
    # values as strings
    s("Convolution", "2x3x5x5", "4x3x3x3", None, kernel="(3, 3)", num_filter="4", no_bias="True"),
    s(
        "Convolution",
        "2x3x5x5",
        "4x3x3x3",
        "4",
        kernel="(3,3)",
        num_filter="4",
        no_bias="False",
        pad="(1,1)",
        layout="None",
    ),
    s("Convolution", "2x3x5x5", "4x3x3x3", "4", kernel="(3,", num_filter="4"),
    s("Convolution", "2x0x5x5", "4x0x3x3", None, no_bias=True, kernel=(3, 3), num_filter=4).but(
        differs="MXNet does not support empty arrays", refused=True
    ),
    # places of the convolution of two lines: all, the full overlaps, few, and beyond both ends
    *(
        s("F.convolve", f"{n} float64", f"{m} float64", start=start, size=size).but(
            right=_placed(start, size)
        )
        for n, m, start, size in (
            *((5, 3, 0, 7), (3, 5, 2, 3), (5, 3, 1, 5), (4, 4, -2, 12), (9, 9, 1, 2)),
            *((9, 4, 11, 1), (1, 1, 0, 1), (6, 2, 9, 3), (9, 9, 14, 3)),
        )
    ),
    s("F.convolve", "5 float16", "3 float16", start=0, size=7).but(
        right=lambda a, v: np.convolve(a.astype("f"), v.astype("f")).astype("e"),
        rtol=1e-3,
    ),
]
