"""Moments, sums of squares, checks for finite values, and division by a length."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import s

ANY_DTYPE = "MXNet takes floats of one dtype only"
SAMPLES = [
    *(
        s("moments", "4x3x2", axes=axes, keepdims=keepdims)
        for axes in (0, -1, (0,), (0, 2), (-1, 0), (0, 1, 2), [0, 1])
        for keepdims in (False, True)
    ),
    *(s("moments", "2x3", axes=axes) for axes in (5, -3, (0, 0), (0, -2), "x", 0.5)),
    *(
        s("moments", f"[[1, 2, 6], [3, 3, 3]] {dtype}", axes=axes).but(
            **({"rtol": 2e-3} if dtype == "float16" else {})  # MXNet rounds on the way
        )
        for dtype in ("float64", "float16", "int32", "int8")
        for axes in (1, (0, 1))
    ),
    s("moments", "[[nan, 1], [1e3, 1001]]", axes=1).but(kink=True),
    s("moments", "[[inf, 2]]", axes=1).but(
        kink=True,
        differs="infinities of one sign add up; MXNet gives nan",
        right=lambda x: [np.float32([np.inf]), np.float32([np.nan])],
    ),
    s("moments", "[[1e4, 10001, 10002]]", axes=1),
    s("moments", "[[1e-20, 3e-20]]", axes=1).but(kink=True),
    s("moments", "3x1", axes=1),
    *(
        s("moments", "2x3", **axes).but(
            differs="MXNet raises", right=lambda x: [x.mean().reshape(1), x.var().reshape(1)]
        )
        for axes in ({}, {"axes": ()}, {"axes": None})
    ),
    s("moments", "0x3", axes=0).but(right=lambda x: [x.mean(0), x.var(0)]),
    s("moments", "0x3", axes=1).but(right=lambda x: [x.mean(1), x.var(1)]),
    s("multi_sum_sq", "3", "2x2", num_arrays=2).but(kink=True, differs_grad="MXNet has none"),
    s("multi_sum_sq", "3", num_arrays=1).but(kink=True, differs_grad="MXNet has none"),
    s("multi_sum_sq", "3 float64", "1 float64", num_arrays=2).but(
        kink=True, differs_grad="MXNet has none"
    ),
    s("multi_sum_sq", "3 float16", "2x3 float16", num_arrays=2).but(wrt=(), rtol=2e-3),
    s("multi_sum_sq", "[300, 2] float16", num_arrays=1).but(
        wrt=(), differs="MXNet overflows", right=lambda x: np.float32([90004])
    ),
    s("multi_sum_sq", "[nan, 1]", "[inf, 1]", "[1e-30, 1e-20]", num_arrays=3).but(wrt=()),
    s("multi_sum_sq", "[1, 2] int32", num_arrays=1).but(
        differs=ANY_DTYPE, right=lambda x: np.float32([5])
    ),
    s("multi_sum_sq", "2", "[1, 2] float16", num_arrays=2).but(wrt=(), differs=ANY_DTYPE),
    s("multi_sum_sq", "2", "2", num_arrays=1).but(wrt=()),
    s("multi_sum_sq", num_arrays=0),
    s("multi_sum_sq", "2").but(wrt=(), differs="num_arrays may be left out"),
    s("all_finite", "3x4"),
    *(
        s("all_finite", f"[1, {bad}] {dtype}")
        for bad in ("nan", "inf", "-inf", "2")
        for dtype in ("float32", "float64", "float16")
    ),
    *(
        s("all_finite", f"[1, 0] {dtype}").but(differs=ANY_DTYPE, right=lambda x: np.ones(1, "f"))
        for dtype in ("int32", "bool")
    ),
    s("all_finite", "2", init_output=False).but(differs="not available", refused=True),
    s("multi_all_finite", "3", "[inf, 2]", num_arrays=2),
    s("multi_all_finite", "3", "2x2", "1", num_arrays=3),
    s("multi_all_finite", "3 float16", "2 float16", num_arrays=2),
    s("multi_all_finite", "3", "2 float16", num_arrays=2).but(
        differs=ANY_DTYPE, right=lambda x, y: np.ones(1, "f")
    ),
    s("multi_all_finite", "3", "2", num_arrays=1),
    s("multi_all_finite", "3"),
    s("multi_all_finite", num_arrays=0),
    *(
        s("L2Normalization", "2x3x2x2", mode=mode, eps=1e-3)
        for mode in ("instance", "channel", "spatial")
    ),
    *(
        s("L2Normalization", f"2x3x1 {dtype}", mode=mode).but(rtol=4e-3)
        for mode in ("instance", "channel", "spatial")
        for dtype in ("float64", "float16")
    ),
    s("L2Normalization", "[[0, 0], [3, -4]]").but(kink=True),
    s("L2Normalization", "[[nan, 1], [inf, 2], [1e-20, 3e-20]]").but(kink=True),
    s("L2Normalization", "3x4"),
    s("L2Normalization", "3x4", mode="channel"),
    s("L2Normalization", "3x4", mode="spatial"),
    s("L2Normalization", "3"),
    s("L2Normalization", "2x3", mode="rows"),
    s("L2Normalization", "[[3, 4]] int32"),
]
