"""Outputs with a gradient of their own."""

from __future__ import annotations

from tests.ops.sample import s

NO_AVERAGE: dict = {
    "differs": "MXNet's nd cannot pass the running average",
    "right": lambda x, *rest: x,
}
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
    s("contrib.gradientmultiplier", "3x4 float64", scalar=2.5, is_int=False).but(own=True),
    s("contrib.gradientmultiplier", "3x4 integers int32", scalar=3),
    *(
        s("SVMOutput", "4x3", "[0, 2, 1, 2]", **attrs).but(wrt=(0,), own=True)
        for attrs in (
            {},
            {"margin": 0.4},
            {"regularization_coefficient": 2.5},
            {"use_linear": True},
            {"use_linear": True, "margin": 2.0, "regularization_coefficient": 0.5},
        )
    ),
    s("SVMOutput", "2x4x3", "2x4 index3").but(wrt=(0,), own=True),
    s("SVMOutput", "3x4", "[-1, 7, 1.9]").but(wrt=(0,), own=True),
    s("SVMOutput", "2x3 float64", "[0, 2] float64").but(wrt=(0,), own=True),
    s("SVMOutput", "2x3 float16", "[0, 2] float16").but(wrt=(0,), own=True, rtol=2e-3),
    s("SVMOutput", "[[1, -1, 0], [1, 1, -1]]", "[0, 1]", use_linear=True).but(wrt=(0,), kink=True),
    s("SVMOutput", "2x3 integers int32", "[0, 2] int32"),
    s("SVMOutput", "2x3", "[0, 1, 2]"),
    s("SVMOutput", "3", "[0, 1, 2]"),
    *(
        s("IdentityAttachKLSparseReg", data, *regularisation, moving).but(
            wrt=(0,), own=True, training=True, writes=(4,) if moving else (), **NO_AVERAGE
        )
        for data, moving in [("4x3 prob", "3 prob"), ("2x3x2 prob", "3 prob"), ("4x3 prob", None)]
        for regularisation in [(0.1, 0.001, 0.9), (0.3, 2.0, 0.5)]
    ),
    s("IdentityAttachKLSparseReg", "2x3 prob", 0.1, 1.0, 0.9, "3 prob").but(
        wrt=(0,), own=True, **NO_AVERAGE
    ),
    s("IdentityAttachKLSparseReg", "3 prob"),
    s("contrib.round_ste", "3x4 large").but(own=True),
    s("contrib.round_ste", "[-2.5, -0.5, 0.5, 1.5, 2.5, nan, inf] float64").but(
        kink=True, own=True
    ),
    s("contrib.round_ste", "3x4 float16").but(own=True),
    s("contrib.round_ste", "3x4 integers int32"),
    s("contrib.sign_ste", "3x4").but(own=True),
    s("contrib.sign_ste", "[0.0, -0.0, inf, -inf] float64").but(kink=True, own=True),
    s("contrib.sign_ste", "3x4 integers int8"),
]
