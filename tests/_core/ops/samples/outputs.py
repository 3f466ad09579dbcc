"""Outputs with a gradient of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests._core.ops.sample import Sample, s

FLAGS = (False, True)
ONE_DTYPE = "MXNet requires a single dtype"
REGRESSIONS = ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput")
NORMALIZATIONS = ("null", "batch", "valid")


def output(op: str, *inputs: Any, **attrs: Any) -> Sample:
    return s(op, *inputs, **attrs).but(wrt=(0,), own=True)


REGRESSION = [
    *(
        output(name, "3x4", "3x4 positive", **attrs)
        for name in REGRESSIONS
        for attrs in ({}, {"grad_scale": 2.5}, {"grad_scale": 0.0}, {"grad_scale": -1.0})
    ),
    *(
        output(name, data, label)
        for name in REGRESSIONS
        for data, label in (
            ("3", "3"),
            ("3x1", "3"),
            ("3", "3x1"),
            ("2x3x4", "2x3x4"),
            ("2x3x4", "2x12"),
            ("1x1", "1x1"),
            ("3x4 float64", "3x4 float64"),
            ("3x4 float16", "3x4 float16"),
            ("3x4", "3x5"),
            ("3x4", "4x3"),
            ("3x4", "12"),
            ("3x4", "3x1"),
            ("3x4 integers int32", "3x4 integers int32"),
            ("0x4", "0x4"),
        )
    ),
    *(
        output(name, "3x4", label).but(
            differs=ONE_DTYPE,
            right=lambda x, _, name=name: 1 / (1 + np.exp(-x)) if "Log" in name else x,
        )
        for name in REGRESSIONS
        for label in ("3x4 float64", "3x4 integers int32")
    ),
    output("MAERegressionOutput", "[1, 2, 3]", "[1, 3, 2]").but(kink=True),
    output("LogisticRegressionOutput", "[-1000, 1000, 0]", "[0, 1, 1]").but(kink=True),
    output("LinearRegressionOutput", "[nan, 1, inf]", "[0, 1, 1]").but(kink=True),
]


def surprise(x: Any, label: Any, axis: int) -> Any:
    """-log softmax(x) at the labels, in double precision."""
    wide = x.astype("float64")
    label = np.expand_dims(label, axis) if label.ndim < x.ndim else label
    taken = np.take_along_axis(wide, label.astype(int), axis)
    top = wide.max(axis, keepdims=True)
    return (np.log(np.exp(wide - top).sum(axis, keepdims=True)) + top - taken).astype(x.dtype)


def surprise_slope(x: Any, label: Any, axis: int) -> Any:
    """softmax(x), less 1 at the labels."""
    wide = np.exp(x.astype("float64"))
    places = np.arange(x.shape[axis]).reshape(-1, *(1,) * (x.ndim - 1 - axis % x.ndim))
    label = np.expand_dims(label, axis) if label.ndim < x.ndim else label
    return (wide / wide.sum(axis, keepdims=True) - (places == label)).astype(x.dtype)


IGNORED = {"use_ignore": True, "ignore_label": 2}
SOFTMAX = [
    *(
        output("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", normalization=norm, **attrs)
        for norm in NORMALIZATIONS
        for attrs in (
            {},
            {"grad_scale": 0.5},
            IGNORED,
            {**IGNORED, "grad_scale": -2.0},
            {"smooth_alpha": 0.1},
            {"smooth_alpha": 0.3, **IGNORED},
            {"ignore_label": 2},
        )
    ),
    *(
        output(
            "SoftmaxOutput", "2x3x4", "2x4 index3", multi_output=True, normalization=norm, **attrs
        )
        for norm in NORMALIZATIONS
        for attrs in ({}, {"use_ignore": True, "ignore_label": 1}, {"grad_scale": 3.0})
    ),
    *(
        output("SoftmaxOutput", data, label, multi_output=True)
        for data, label in (
            ("2x3x2x2", "2x2x2 index3"),
            ("2x3x2x2", "2x4 index3"),
            ("2x3x2x2", "2x1x2x2 index3"),
            ("2x3", "2 index3"),
            ("2x3x4", "2x3 index3"),
            ("2x3x4", "8 index3"),
        )
    ),
    *(
        output("SoftmaxOutput", data, label, preserve_shape=True, normalization=norm)
        for norm in NORMALIZATIONS
        for data, label in (
            ("2x3x4", "2x3 index4"),
            ("4x3", "4 index3"),
            ("2x2x2x3", "2x2x2 index3"),
        )
    ),
    output("SoftmaxOutput", "2x3x4", "2x3 index4", preserve_shape=True, **IGNORED),
    *(
        output("SoftmaxOutput", "2x3x4", label, preserve_shape=True, multi_output=True)
        for label in ("2x3 index4", "2x4 index3")
    ),
    *(
        output("SoftmaxOutput", "4x3", "4x3 prob", **attrs)
        for attrs in (
            {},
            {"grad_scale": 2.0},
            {"normalization": "batch"},
            {"normalization": "valid"},
            {"smooth_alpha": 0.1},
            {"use_ignore": True, "ignore_label": 0},
        )
    ),
    output("SoftmaxOutput", "2x3x4", "2x3x4 positive", multi_output=True),
    output("SoftmaxOutput", "2x3x4", "2x3x4 positive", preserve_shape=True),
    output("SoftmaxOutput", "4x3", "[0, 2, 1, 2]", out_grad=True).but(
        differs_grad="MXNet multiplies by the output, not by its gradient"
    ),
    *(
        output("SoftmaxOutput", f"4x3 {kind}", f"[0, 2, 1, 2] {kind}").but(rtol=rtol)
        for kind, rtol in (("float64", 1e-9), ("float16", 1e-3))
    ),
    *(
        output("SoftmaxOutput", "4x3", f"[0, 2, 1, 2] {kind}").but(
            differs=ONE_DTYPE,
            right=lambda x, _: np.exp(x) / np.exp(x).sum(1, keepdims=True),
        )
        for kind in ("int32", "float64")
    ),
    output("SoftmaxOutput", "4x3", "[-1, 3, 1, 5]"),
    output("SoftmaxOutput", "4x3", "[0.9, 1.5, 1, 2]"),
    output("SoftmaxOutput", "1x1", "[0]"),
    output("SoftmaxOutput", "3x1", "[0, 0, 0]", smooth_alpha=0.1),
    output("SoftmaxOutput", "4x3 large", "[0, 2, 1, 2]"),
    output("SoftmaxOutput", "[[1000, 0], [-1000, 0]]", "[0, 0]").but(kink=True),
    output("SoftmaxOutput", "[[nan, 0], [inf, 0]]", "[0, 0]").but(kink=True),
    output("SoftmaxOutput", "0x3", "0", normalization="batch"),
    output("SoftmaxOutput", "4x3", "[0, 1, 2]"),
    output("SoftmaxOutput", "4x3", "4x2"),
    output("SoftmaxOutput", "4x3", "[0, 1, 2, 1]", normalization="sum"),
    output("SoftmaxOutput", "4x3 integers int32", "[0, 1, 2, 1] int32"),
    output("SoftmaxOutput", "3", "[0, 1, 1]"),
    output("SoftmaxOutput", "4x3x2", "4 index6").but(
        differs="MXNet requires more labels",
        right=lambda x, _: np.exp(x) / np.exp(x).sum((1, 2), keepdims=True),
    ),
    output("Softmax", "4x3", "[0, 2, 1, 2]"),
]
LOSSES = [
    *(
        s("MakeLoss", "3x4 positive", **attrs).but(own=True)
        for attrs in (
            {},
            {"grad_scale": 3.0},
            {"normalization": "batch"},
            {"normalization": "valid"},
            {"normalization": "valid", "valid_thresh": 0.9},
            {"normalization": "valid", "valid_thresh": 100.0},
            {"normalization": "batch", "grad_scale": 3.0},
        )
    ),
    *(
        s("MakeLoss", data, normalization="batch").but(own=True)
        for data in ("3", "1", "2x3x4", "3x4 float64", "3x4 float16")
    ),
    s("MakeLoss", "0x4", normalization="batch").but(own=True),
    s("MakeLoss", "3x4", normalization="sum"),
    s("MakeLoss", "3x4 integers int32"),
    *(s("make_loss", f"3x4{kind}").but(own=True) for kind in ("", " float64", " float16")),
    s("make_loss", "3x4 integers int32"),
    s("softmax_cross_entropy", "3x4 large", "3 index4").but(
        wrt=(0,),
        differs="MXNet limits probabilities to at least 1e-8",
        right=lambda x, label: (
            np.log(np.exp(x - x[np.arange(3), label.astype(int)][:, None]).sum(1, "float64"))
            .sum(keepdims=True)
            .astype("float32")
        ),
    ),
    *(
        s("F.cross_entropy", data, label, axis=axis).but(
            wrt=(0,),
            rtol=4e-3 if "16" in data else 1e-5,
            right=lambda x, label, axis=axis: surprise(x, label, axis),
        )
        for data, label, axis in (
            ("3x4", "3 index4", -1),
            ("3x4 large", "3x1 index4 int32", 1),
            ("3x4 float64", "4 index3", 0),
            ("3x4 float16", "3 index4", 1),
            ("2x3x4", "2x1x4 index3", 1),
            ("4", "[2]", 0),
        )
    ),
    *(
        s("F.cross_entropy_grad", g, data, label, axis=axis).but(
            wrt=(0, 1), right=lambda g, x, label, axis=axis: g * surprise_slope(x, label, axis)
        )
        for g, data, label, axis in (
            ("3x1", "3x4", "3 index4", -1),
            ("2x1x4", "2x3x4 float64", "2x4 index3", 1),
        )
    ),
    *(s("contrib.gradientmultiplier", "3x4", scalar=k).but(own=True) for k in (1.0, -0.5, 0.0)),
    s("contrib.gradientmultiplier", "3x4 float64", scalar=2.0).but(own=True),
    s("contrib.gradientmultiplier", "3x4 float16", scalar=2.0).but(own=True),
    s("contrib.gradientmultiplier", "3x4").but(own=True),
    s("contrib.gradientmultiplier", "3x4 integers int32"),
]

NO_AVERAGE: dict = {
    "differs": "MXNet's nd cannot pass the running average",
    "right": lambda x, *rest: x,
}


SAMPLES = [
    *REGRESSION,
    *SOFTMAX,
    *LOSSES,
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
