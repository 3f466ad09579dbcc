"""Reductions."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import Sample, s

AXES: list[dict] = [
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": (), "keepdims": True},
    {"axis": 1, "keepdims": True},
    {"axis": (-1, 0), "keepdims": True},
    {"axis": 1, "exclude": True},
    {"axis": (0, -1), "exclude": True, "keepdims": True},
]


def _reductions() -> list[Sample]:
    found = []
    for name in "sum mean prod max min nansum nanprod".split():
        found += [s(name, "2x3x4 distinct", **attrs) for attrs in AXES]
        found += [
            s(name, "3x1x2", axis=1),
            s(name, "1"),
            s(name, "2x3 float64", axis=0),
            s(name, "2x3 float16", axis=1).but(rtol=4e-3),
            s(name, "2x3 integers int32", axis=1),
            s(name, "2x3 integers int64"),
            s(name, "[[nan, 1], [2, inf], [nan, nan]]", axis=1).but(kink=True),
            s(name, "2x3", axis=5),
            s(name, "2x3", axis=-3),
            s(name, "2x3", axis=(0, 0)),
        ]
        found += [s(name, "0x3", axis=0)] if name not in ("max", "min") else []
        found += [s(name, "0x3", axis=1)]
    return found


SAMPLES = [
    *_reductions(),
    *(s(name, "2x3x4 distinct", axis=1) for name in "sum_axis max_axis min_axis".split()),
    s("prod", "[[0.0, 2, 3], [1, 2, 4], [0, 0, 5]]", axis=1).but(
        differs_grad="MXNet divides by the zero factor"
    ),
    s("prod", "[[0.0, 2], [3, 4]]").but(differs_grad="MXNet divides by the zero factor"),
    s("max", "[[1, 1, 0], [2, 2, 2]]", axis=1).but(kink=True),
    s("min", "[1, 1, 3]").but(kink=True),
    s("nansum", "[[nan, 1], [2, 3]]", axis=0).but(kink=True),
    s("nanprod", "[[nan, 2], [3, 4]]", axis=0).but(kink=True),
    *(
        s("norm", "2x3x4", **attrs)
        for attrs in AXES
        if "exclude" not in attrs and attrs.get("axis") != ()
    ),
    *(
        s("norm", "2x3", ord=1, **attrs)
        for attrs in ({}, {"axis": 1}, {"axis": 0, "keepdims": True})
    ),
    s("norm", "2x3 float64", ord=2, axis=-1),
    s("norm", "4 float16").but(rtol=4e-3),
    s("norm", "[[0, 0], [3, 4]]", axis=1).but(
        kink=True, differs_grad="MXNet gives nan at 0; the subgradient is 0"
    ),
    s("norm", "[3e30, 4e30]").but(
        differs="MXNet's squares overflow", right=lambda x: np.float32([5e30]), kink=True
    ),
    *(
        s(name, "2x3x4 distinct", **attrs).but(wrt=())
        for name in ("argmax", "argmin")
        for attrs in ({}, {"axis": 0}, {"axis": -1}, {"axis": 1, "keepdims": True})
    ),
    s("argmax", "[[1, 3, 3], [2, 2, 0]]", axis=1).but(wrt=()),
    s("argmin", "[[1, 0, 0], [2, 2, 3]] float64", axis=1).but(wrt=()),
    s("argmax", "3x4 integers int32", axis=1),
    s("argmax_channel", "3x4").but(wrt=()),
    s("F.restore", "2x4", axis=1, shape=(2, 3, 4)).but(right=lambda x: np.repeat(x[:, None], 3, 1)),
    s("F.restore", "()", axis=None, shape=(2, 3)).but(right=lambda x: np.full((2, 3), x)),
    s("F.sum_to", "2x3x4", shape=(3, 1)).but(right=lambda x: x.sum((0, 2))[:, None]),
    s("F.any", "[[0, 0], [0, 2]]", axis=1).but(right=lambda x: x.any(1), kink=True),
    s("F.all", "[[1, 0], [3, 2]]", axis=1).but(right=lambda x: x.all(1), kink=True),
    s("norm", "2x3", out_dtype="float32", axis=1).but(kink=True),
    s("norm", "2x3", axis=0, out_dtype="float64").but(
        differs="MXNet fails", right=lambda x: np.hypot(*x).astype("float64"), wrt=()
    ),
    s("all_finite", "3x4"),
    s("all_finite", "[1, nan]"),
    s("multi_all_finite", "3", "[inf, 2]", num_arrays=2),
    s("multi_sum_sq", "3", "2x2", num_arrays=2).but(wrt=()),
    s("contrib.allclose", "[1, 2]", "[1, 2.00001]").but(wrt=()),
    s("contrib.allclose", "[1, 2]", "[1, 2.1]").but(wrt=()),
    s("contrib.allclose", "[1, 2]", "[1.1, 2.1]", rtol=0.1, atol=0.01).but(wrt=()),
    s("contrib.allclose", "[1, nan, inf]", "[1, nan, inf]").but(wrt=()),
    s("contrib.allclose", "[1, nan]", "[1, nan]", equal_nan=False).but(wrt=()),
    s("contrib.allclose", "[nan, 1]", "[1, nan]").but(wrt=()),
    s("contrib.allclose", "2x3 float16", "2x3 float16").but(wrt=()),
    s("contrib.allclose", "[1, 2] float64", "[1, 2.000001] float64").but(wrt=()),
    s("contrib.allclose", "2x3 index9 int32", "2x3 index9 int32"),
    s("contrib.allclose", "[1, 2]", "[[1, 2]]"),
    s("contrib.allclose", "[1, 2]", "[1]"),
    s("contrib.allclose", "[1, inf]", "[1, -inf]").but(
        wrt=(),
        differs="MXNet takes infinities for equal to anything",
        right=lambda a, b: np.uint8(0),
    ),
]
