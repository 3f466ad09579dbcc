"""Outputs with a gradient of their own."""

from __future__ import annotations

from tests.ops.sample import s

SAMPLES = [
    *(
        s(name, "3x4", "3x4 positive", **attrs).but(wrt=(0,), own=True)
        for name in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput")
        for attrs in ({}, {"grad_scale": 2.5})
    ),
    *(
        s("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", **attrs).but(wrt=(0,), own=True)
        for attrs in (
            {},
            {"grad_scale": 0.5},
            {"use_ignore": True, "ignore_label": 2},
            {"normalization": "batch"},
            {"normalization": "valid", "use_ignore": True, "ignore_label": 2},
            {"smooth_alpha": 0.1},
        )
    ),
    s("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", out_grad=True).but(
        wrt=(0,), own=True, differs_grad="MXNet multiplies by the output, not by its gradient"
    ),
    s("SoftmaxOutput", "2x3x4", "2x4 index3", multi_output=True).but(wrt=(0,), own=True),
    *(
        s("MakeLoss", "3x4 positive", **attrs).but(own=True)
        for attrs in (
            {},
            {"grad_scale": 3.0},
            {"normalization": "batch"},
            {"normalization": "valid", "valid_thresh": 0.9},
        )
    ),
    s("make_loss", "3x4").but(own=True),
    s("contrib.gradientmultiplier", "3x4", scalar=-0.5).but(own=True),
]
