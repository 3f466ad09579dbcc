"""Pooling."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from tests._core.ops.sample import s

FLAT = "2x2x6x7"
KINDS = ("max", "avg", "sum")
CONVENTIONS = ("valid", "full")
#: kernel, stride, pad over 6 x 7 pixels
WINDOWS = [
    ((2, 2), (1, 1), (0, 0)),
    ((3, 2), (2, 2), (0, 0)),
    ((3, 3), (2, 2), (1, 1)),
    ((2, 3), (3, 2), (1, 1)),
    ((4, 5), (3, 4), (2, 3)),
    ((1, 1), (2, 3), (0, 0)),
    ((6, 7), (1, 1), (0, 0)),
    ((2, 2), (4, 5), (1, 0)),
]
#: Those of which "full" makes windows without a pixel, whose maximum is the lowest number.
BEYOND = WINDOWS[5::2]
#: data, kernel, stride, pad in one and in three dimensions
OTHERS = [
    ("2x2x7", (3,), (2,), (0,)),
    ("2x2x7", (3,), (1,), (1,)),
    ("2x2x8", (3,), (3,), (2,)),
    ("1x2x1", (1,), (1,), (0,)),
    ("1x2x4x4x4", (2, 2, 2), (2, 2, 2), (0, 0, 0)),
    ("1x2x4x5x3", (2, 3, 2), (1, 2, 2), (1, 1, 0)),
]


def window(kernel: tuple, stride: tuple, pad: tuple) -> dict:
    return {"kernel": kernel, "stride": stride, "pad": pad}


def same(x: Any, kind: str, kernel: tuple, stride: tuple) -> Any:
    """The maximum, sum or average over windows from each `stride` on, cut at the border."""
    out = np.empty((*x.shape[:2], *(-(-n // k) for n, k in zip(x.shape[2:], stride))), x.dtype)
    combine = {"max": np.max, "sum": np.sum, "avg": np.mean}[kind]
    for place in np.ndindex(*out.shape[2:]):
        part = tuple(slice(p * k, p * k + n) for p, k, n in zip(place, stride, kernel))
        out[(..., *place)] = combine(x[(..., *part)], tuple(range(2, x.ndim)))
    return out


POOLS = [
    *(
        s("Pooling", FLAT, pool_type=kind, pooling_convention=convention, **window(*sizes)).but(
            kink=(kind, convention) == ("max", "full") and sizes in BEYOND
        )
        for kind, convention, sizes in product(KINDS, CONVENTIONS, WINDOWS)
    ),
    *(
        s(
            "Pooling",
            FLAT,
            pool_type="avg",
            count_include_pad=count,
            pooling_convention=convention,
            **window(*sizes),
        )
        for count, convention, sizes in product((True, False), CONVENTIONS, WINDOWS[2:5])
    ),
    *(
        s("Pooling", data, pool_type=kind, pooling_convention=convention, **window(*sizes))
        for kind, convention, (data, *sizes) in product(KINDS, CONVENTIONS, OTHERS)
    ),
    *(
        s("Pooling", data, pool_type="avg", count_include_pad=False, **window(*sizes))
        for data, *sizes in OTHERS
    ),
    *(
        s(
            "Pooling",
            f"{data} positive",
            pool_type="lp",
            p_value=p,
            pooling_convention=convention,
            **window(*sizes),
        )
        for p, convention, (data, *sizes) in product(
            (1, 2, 3),
            CONVENTIONS,
            [("2x2x5x5", *WINDOWS[1]), ("2x2x5x5", *WINDOWS[2]), *OTHERS[:2]],
        )
    ),
    *(s("Pooling", "2x2x5x5", pool_type="lp", p_value=p, kernel=(2, 2)) for p in (1, 2, 3)),
    s("Pooling", "[[[0, 0, 1, 0]]]", pool_type="lp", p_value=2, kernel=(2,)).but(kink=True),
    *(
        s("Pooling", data, pool_type=kind, global_pool=True, kernel=kernel)
        for kind in KINDS
        for data, kernel in (("2x2x7", (3,)), ("2x2x6x7", (2, 2)), ("1x2x2x3x4", (1, 1, 1)))
    ),
    *(s("Pooling", FLAT, pool_type=kind, global_pool=True) for kind in KINDS),
    s("Pooling", "2x2x3x3 positive", pool_type="lp", p_value=2, global_pool=True),
    s("Pooling", FLAT, global_pool=True, kernel=(2, 2), stride=(2, 2), pad=(1, 1)),
    s("Pooling", FLAT, pool_type="avg", global_pool=True, kernel=(2, 2), pad=(1, 1)),
    *(
        s("Pooling", f"1x1x4x4 {number}", pool_type=kind, kernel=(2, 2), stride=(2, 2))
        for kind in KINDS
        for number in ("float64", "float16")
    ),
    *(
        s("Pooling", f"1x1x4x4 integers {number}", pool_type=kind, kernel=(2, 2))
        for kind in KINDS
        for number in ("int32", "int64", "int8", "uint8")
    ),
    s("Pooling", "1x1x4x4 float16", pool_type="lp", p_value=2, kernel=(2, 2)).but(rtol=1e-3),
    *(
        s("Pooling", "1x1x4x4", pool_type=kind, kernel=(3, 3), pooling_convention=convention)
        for kind in ("max", "avg")
        for convention in CONVENTIONS
    ),
    s(
        "Pooling",
        "1x2x2x4x3",
        pool_type="avg",
        kernel=(1, 1, 1),
        stride=(1, 2, 1),
        pooling_convention="full",
    ).but(
        differs="MXNet divides by zero in three dimensions",
        right=lambda x: np.pad(x[:, :, :, ::2], [(0, 0), (0, 0), (0, 0), (0, 1), (0, 0)]),
    ),
    s("Pooling", "[[[1, 1, 0, 1]]]", kernel=(3,)).but(kink=True),
    s("Pooling", "[[[-inf, -inf, inf, 1]]]", kernel=(2,)).but(
        kink=True,
        differs="MXNet gives the lowest finite number",
        right=lambda x: np.maximum(x[..., 1:], x[..., :-1]),
    ),
    s("Pooling", "[[[inf, 1, -inf, nan, 2]]]", pool_type="avg", kernel=(2,)).but(kink=True),
    s("Pooling", "[[[-5, -3, -4]]]", kernel=(2,), pad=(1,)),
    s("Pooling", "[[[1e30, 3e38, 3e38]]]", pool_type="sum", kernel=(2,)).but(kink=True),
]
LAYOUTS = [
    s("Pooling", data, pool_type=kind, kernel=kernel, layout=layout)
    for kind in ("max", "avg")
    for data, kernel, layout in (
        ("2x3x5", (2,), "NCW"),
        ("2x5x3", (2,), "NWC"),
        ("2x3x4x5", (2, 3), "NCHW"),
        ("2x4x5x3", (2, 3), "NHWC"),
        ("1x2x3x4x5", (2, 2, 2), "NCDHW"),
        ("1x3x4x5x2", (2, 2, 2), "NDHWC"),
        ("2x3x4x5", (2, 3), "NCW"),
        ("2x3x4x5", (2, 3), "CHWN"),
    )
]
SAME = [
    s("Pooling", data, pool_type=kind, kernel=kernel, stride=stride, pooling_convention="same").but(
        differs="MXNet fails", right=partial(same, kind=kind, kernel=kernel, stride=stride)
    )
    for kind in KINDS
    for data, kernel, stride in (
        ("2x2x7", (3,), (2,)),
        ("2x2x7x6", (3, 2), (2, 2)),
        ("1x1x4x5x3", (2, 2, 2), (2, 1, 3)),
    )
]
MISTAKES = [
    s("Pooling", "1x1x2x2", kernel=(3, 3)),
    s("Pooling", "1x1x4x4", pool_type="mean", kernel=(2, 2)),
    s("Pooling", "1x1x4x4", kernel=(2, 2), pooling_convention="half"),
    s("Pooling", "1x1x4x4", kernel=(2,)),
    s("Pooling", "1x1x4x4", kernel=(2, 2, 2)),
    s("Pooling", "1x1x4x4", kernel=(2, 2), stride=(1,)),
    s("Pooling", "1x1x4x4", kernel=(2, 2), pad=(1,)),
    *(
        s("Pooling", "1x1x4x4", kernel=(2, 2), pad=pad, pool_type=kind).but(
            differs="MXNet accepts it without oneDNN", refused=True
        )
        for pad in ((2, 2), (0, 3), (-1, 0))
        for kind in KINDS
    ),
    s("Pooling", "1x1x4x4", kernel=(2, 2), stride=(0, 1)),
    s("Pooling", "1x1x4x4", kernel=(0, 2)),
    s("Pooling", "1x1x4x4"),
    s("Pooling", "1x1x4x4", kernel=(2, 2), pool_type="lp"),
    s("Pooling", "1x1x4x4", kernel=(2, 2), pool_type="lp", p_value=4),
    s("Pooling", "4x4", kernel=(2, 2)),
    s("Pooling", "4x4", kernel=(2,)),
    s("Pooling", "1x1x4x4", kernel=(2, 2), global_pool=True, layout="NHWC"),
    s("Pooling", "0x1x4x4", kernel=(2, 2)),
    s("Pooling", "1x0x4x4", kernel=(2, 2), pool_type="avg"),
]
ADAPTIVE = [
    *(
        s("contrib.AdaptiveAvgPooling2D", data, output_size=size)
        for data in ("1x2x5x6", "2x1x4x4")
        for size in ((2, 3), (5, 6), (1, 1), (7, 8), (3,), 1, 2, ())
    ),
    s("contrib.AdaptiveAvgPooling2D", "1x2x5x6"),
    s("contrib.AdaptiveAvgPooling2D", "1x2x5x6 float64", output_size=2),
    s("contrib.AdaptiveAvgPooling2D", "1x2x5x6 float16", output_size=2).but(rtol=2e-3),
    s("contrib.AdaptiveAvgPooling2D", "2x5x6", output_size=2),
    *(
        s("contrib.AdaptiveAvgPooling2D", "1x2x5x6", output_size=size).but(
            differs="MXNet returns an unspecified result", refused=True
        )
        for size in ((1, 2, 3), (0, 2), (-1, 2))
    ),
    s("contrib.AdaptiveAvgPooling2D", "1x1x4x4 integers int32", output_size=2),
]

OLD: list[dict] = [
    {"kernel": (2, 2)},
    {"kernel": (3, 2), "stride": (2, 2)},
    {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)},
    {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
    {"kernel": (2, 3), "stride": (3, 2), "pad": (1, 1), "pooling_convention": "full"},
    {"kernel": (2, 2), "global_pool": True},
]
SAMPLES = [
    *POOLS,
    *LAYOUTS,
    *SAME,
    *MISTAKES,
    *ADAPTIVE,
    *(
        s("Pooling_v1", "2x2x6x7 distinct", pool_type=kind, **attrs)
        for kind in ("max", "avg", "sum")
        for attrs in OLD
    ),
    s("Pooling_v1", "1x2x4x4x4", pool_type="avg", kernel=(2, 3, 2), pad=(1, 1, 1)).but(
        differs="MXNet takes two axes only"
    ),
    s("Pooling_v1", "1x1x4x4 float64", kernel=(2, 2)),
    s(
        "Pooling_v1",
        "1x1x4x4 positive",
        global_pool=True,
        pool_type="avg",
        pad=(1, 1),
        stride=(2, 2),
    ),
    s("Pooling_v1", "1x1x4x4", kernel=(2, 2), pool_type="lp"),
    s("Pooling_v1", "1x1x4x4"),
    s("Pooling_v1", "1x1x2x2", kernel=(3, 3)),
    s("Pooling_v1", "[[[[1, nan, 1], [2, 2, 3]]]]", kernel=(2, 2)).but(wrt=(), kink=True),
    # values as strings
    s(
        "Pooling",
        "1x2x4x4 distinct",
        kernel="(2, 2)",
        stride="(2,2)",
        pool_type="max",
        global_pool="0",
    ),
    s(
        "Pooling",
        "1x2x4x4",
        kernel="(2, 2)",
        pool_type="avg",
        count_include_pad="false",
        pad="(1, 1)",
    ),
    s(
        "F.max_pool_push",
        "1x1x6",
        "[[[1, 3, 3, 2, 9, 8]]]",
        "[[[3, 3, 9]]]",
        kernel=(2,),
        stride=(2,),
        pad=(0,),
        convention="valid",
    ).but(wrt=(0,), differs="mx.nd has none", right=lambda t, x, y: t[..., [1, 2, 4]]),
]
