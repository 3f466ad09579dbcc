"""Activations and softmax."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import SPECIAL, s

SAMPLES = [
    *(
        s("Activation", "2x3", act_type=kind)
        for kind in "relu sigmoid tanh softrelu softsign".split()
    ),
    s("Activation", "2x3", act_type="nonsense"),
    s("Activation", SPECIAL, act_type="softrelu").but(kink=True, wrt=()),
    s("Activation", "0x3", act_type="relu"),
    *(s("LeakyReLU", "2x3 large", act_type=kind, slope=0.1) for kind in "leaky elu gelu".split()),
    s("LeakyReLU", "2x3", act_type="selu").but(differs_grad="MXNet drops a factor"),
    s("LeakyReLU", "2x3"),
    s("LeakyReLU", "2x3 float64", act_type="gelu"),
    s("LeakyReLU", "4 float16", act_type="elu", slope=0.3).but(rtol=2e-3),
    s("LeakyReLU", "2x3x4", "3", act_type="prelu"),
    s("LeakyReLU", "2x3", "1", act_type="prelu"),
    s("LeakyReLU", "2x3", act_type="rrelu", lower_bound=0.1, upper_bound=0.3).but(
        differs="MXNet also returns its mask",
        right=lambda x: np.where(x > 0, x, np.float32(0.2) * x),
    ),
    *(
        s(name, "2x3x4", **attrs)
        for name in ("softmax", "log_softmax", "softmin")
        for attrs in ({}, {"axis": 1}, {"axis": 0}, {"temperature": 2.5})
    ),
    *(s(name, "3x4 large", axis=-1) for name in ("softmax", "log_softmax", "softmin")),
    *(
        s(name, "[[nan, 1], [inf, 0], [-inf, 2], [1000, 1000]]").but(kink=True, wrt=())
        for name in ("softmax", "log_softmax")
    ),
    s("softmax", "3x4 float16").but(rtol=2e-3),
    s("softmax", "3x4 float64"),
    s("softmax", "3x4", dtype="float64").but(kink=True),
    s("softmax", "0x4"),
    s("softmax", "3x4 integers int32").but(differs="MXNet takes no integers"),
    s("softmax", "2x4", "[2, 3] int32", axis=1, use_length=True).but(wrt=(0,)),
    s("softmax", "2x4", "[2, 0] int32", axis=1, use_length=True).but(wrt=(0,)),
    s("softmax", "2x3x4", "[[1, 2, 3, 1], [3, 3, 2, 1]] int32", axis=1, use_length=True).but(
        wrt=(0,)
    ),
    s("SoftmaxActivation", "2x3x4").but(differs_grad="MXNet sends the wrong slope back"),
    s("SoftmaxActivation", "2x3"),
    s("SoftmaxActivation", "2x3x4", mode="channel"),
    s("softmax_cross_entropy", "3x4", "3 index4").but(wrt=(0,)),
    s("smooth_l1", "3x4 large"),
    s("smooth_l1", "3x4", scalar=2.0),
    s("hard_sigmoid", "3x4 large", alpha=0.1, beta=0.4),
    s("digamma", "3x4 positive").but(differs="mx.nd has none"),
    s("F.polygamma", "3x4 positive", n=1),
]
