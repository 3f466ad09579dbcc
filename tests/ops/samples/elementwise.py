"""Elementwise functions."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import SPECIAL, Sample, s

#: name -> the kind of numbers it is defined on
UNARY = {
    **dict.fromkeys(
        "abs arctan arcsinh cbrt ceil cos cosh degrees erf exp expm1 fix floor".split(), ""
    ),
    **dict.fromkeys("negative radians relu rint round sigmoid sign sin sinh softsign".split(), ""),
    **dict.fromkeys("square tan tanh trunc hard_sigmoid".split(), ""),
    **dict.fromkeys(
        "gamma gammaln log log10 log1p log2 rcbrt reciprocal rsqrt sqrt".split(), "positive"
    ),
    **dict.fromkeys("arccos arcsin arctanh erfinv".split(), "unit"),
    "arccosh": "above",
}
#: What differs at NaN: MXNet compares, and a comparison with NaN is false.
AT_NAN: dict[str, dict] = {
    "gamma": {"differs_grad": "at the poles the gradient is nan or infinite"},
    "gammaln": {"differs_grad": "at the poles the gradient is nan or infinite"},
    "abs": {"differs_grad": "the gradient at nan is nan; MXNet says 0"},
    "relu": {"differs_grad": "the gradient at nan is 0; MXNet says nan"},
    "sign": {"differs": "the sign of nan is nan, as in NumPy; MXNet says 0", "right": np.sign},
}


def _unary() -> list[Sample]:
    found = []
    for name, kind in UNARY.items():
        found += [
            s(name, f"2x3 {kind}"),
            s(name, f"2x1x2 {kind} float64"),
            s(name, f"5 {kind} float16").but(rtol=2e-3),
            s(name, f"0x3 {kind}"),
            s(name, SPECIAL).but(kink=True, **AT_NAN.get(name, {})),
        ]
    return found


BINARY = {
    **dict.fromkeys("add subtract multiply broadcast_add broadcast_sub broadcast_mul".split(), ""),
    **dict.fromkeys("maximum minimum broadcast_maximum broadcast_minimum".split(), ""),
    **dict.fromkeys("broadcast_plus broadcast_minus".split(), ""),
    **dict.fromkeys("divide modulo power broadcast_div broadcast_mod".split(), "positive"),
    **dict.fromkeys("broadcast_power broadcast_hypot".split(), "positive"),
}
COMPARE = """equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or
logical_xor""".split()
COMPARE += ["broadcast_" + name for name in COMPARE]


def _binary() -> list[Sample]:
    found = []
    for name, kind in BINARY.items():
        found += [
            s(name, f"2x3 {kind}", f"2x3 {kind}"),
            s(name, f"2x3 {kind}", f"1x3 {kind}"),
            s(name, f"2x1 {kind} float64", f"1x3 {kind} float64"),
            s(name, f"3 {kind} float16", f"3 {kind} float16").but(rtol=2e-3),
            s(name, "2x3 natural int32", "2x3 natural int32"),
            s(name, "[nan, 1, inf, 0, 2]", "[1, nan, 2, 2, inf]").but(
                kink=True, differs_grad=ZERO_BASE if "power" in name else ""
            ),
            s(name, f"0x3 {kind}", f"1x3 {kind}"),
        ]
        if not name.startswith("broadcast_"):
            found += [s(name, f"2x3 {kind}", 2.0), s(name, 3.0, f"2x3 {kind}")]
            found += [s(name, "4 natural int32", 2), s(name, 7, "4 natural int64")]
    for name in COMPARE:
        found += [
            s(name, "2x3 integers", "2x3 integers").but(kink=True),
            s(name, "2x1 integers int32", "1x3 integers int32"),
            s(name, "[nan, 0, 1] float64", "[nan, 1, 0] float64").but(kink=True),
        ]
        if not name.startswith("broadcast_"):
            found.append(s(name, "6 integers", 1.0).but(kink=True))
    return found


ZERO_BASE = "0 ** x is flat for x > 0, where MXNet computes 0 * log(0)"

SAMPLES = [
    *_unary(),
    *_binary(),
    *(s(f"elemwise_{name}", "2x3", "2x3 positive") for name in "add sub mul div".split()),
    *(
        s(f"elemwise_{name}", "4 natural int32", "4 natural int32")
        for name in "add sub mul".split()
    ),
    s("true_divide", "2x3", "2x3 positive"),
    s("power", "[-2, -1.5, 0, 0, 3]", 2).but(kink=True),
    s("power", "[-2, -1.5, 0.0, 3]", 3.0),
    s("power", "3x2 positive", -1.5),
    s("power", "3x2 positive", 0),
    s("power", 0.5, "3x2"),
    s("power", "3x2", 1),
    s("exp", "3 integers int32").but(wrt=()),
    s("sqrt", "3 natural int32").but(wrt=()),
    s("abs", "3 integers int64").but(wrt=()),
    s("negative", "3 integers int8").but(wrt=()),
    s("square", "3 integers uint8").but(wrt=()),
    s("floor", "3 integers int32").but(wrt=()),
    s("sign", "3 integers int32").but(wrt=()),
    s("relu", "3 integers int32").but(wrt=()),
    s("clip", "3x4", a_min=-0.5, a_max=0.75),
    s("clip", "[-1, -0.5, 0, 0.75, 2, inf]", a_min=-0.5, a_max=0.75).but(kink=True),
    s("clip", "[nan, 1]", a_min=0, a_max=2).but(
        kink=True, differs_grad="the gradient at nan is 0, as in other libraries"
    ),
    s("clip", "5 integers int32", a_min=-1, a_max=2),
    s("clip", "5 float16", a_min=-1, a_max=0.5).but(rtol=1e-3),
    s("clip", "0x2", a_min=-1, a_max=1),
    s("where", "2x3 bools", "2x3", "2x3").but(wrt=(1, 2)),
    s("where", "2x3 bools int32", "2x3 float64", "2x3 float64").but(wrt=(1, 2)),
    s("where", "2 bools", "2x3", "2x3").but(wrt=(1, 2)),
    s("where", "[nan, 0, -1, 2]", "4", "4").but(wrt=(1, 2)),
    s("where", "0x3 bools", "0x3", "0x3").but(wrt=(1, 2)),
    s("where", "2x3 bools", "4x3", "2x3").but(wrt=(1, 2)),
    s("cast", "2x3", dtype="float64").but(kink=True),
    s("cast", "2x3", dtype="float16").but(kink=True, rtol=1e-3),
    s("cast", "2x3 large", dtype="int32").but(wrt=()),
    s("cast", "2x3 integers int32", dtype="float32"),
    s("cast", "2x3 integers", dtype="int8").but(wrt=()),
    s("Cast", "0x3", dtype="float64").but(kink=True),
    s("identity", "2x3"),
    s("logical_not", "2x3 bools").but(kink=True),
    s("logical_not", "[nan, 0, -0.0, 5]").but(kink=True),
    s("logical_not", "3 bools int32"),
    s("add_n", "2x3", "2x3", "2x3"),
    s("add_n", "2x3"),
    s("add_n", "4 integers int32", "4 integers int32"),
    s("ElementWiseSum", "3 float64", "3 float64"),
    s("zeros_like", "2x3"),
    s("zeros_like", "2x3 integers int32"),
    s("ones_like", "2x3"),
    s("ones_like", "3 float16"),
    s("full_like", "2x3", fill_value=2.5).but(
        wrt=(), differs="only mx.np has it", right=lambda x: np.full_like(x, 2.5)
    ),
    s("stop_gradient", "2x3").but(kink=True),
    s("BlockGrad", "2x3").but(kink=True),
    s("add", "2x3", "4x3"),
    s("broadcast_add", "2x3", "2x4"),
    s("elemwise_mul", "2x3", "3x2"),
    # operators that only gradient rules and NDArray's methods use
    s("F.add", "()", "()"),
    s("F.multiply", "()", "2x3"),
    s("F.exp", "()"),
    s("F.isnan", SPECIAL).but(right=np.isnan, kink=True),
    s("F.isinf", SPECIAL).but(right=np.isinf, kink=True),
    s("F.isfinite", SPECIAL).but(right=np.isfinite, kink=True),
    s("F.floor_divide", "4 large", "4 positive").but(right=np.floor_divide, kink=True),
    s("F.bitwise_and", "4 bools int32", "4 index8 int32").but(right=np.bitwise_and),
    s("F.bitwise_or", "4 bools int32", "4 index8 int32").but(right=np.bitwise_or),
    s("F.softrelu", "2x3").but(right=lambda x: np.log1p(np.exp(x))),
    s("F.softrelu", "[1000, -1000, 0]").but(
        right=lambda x: np.float32([1000, 0, np.log(2)]), kink=True
    ),
    s("F.arctan2", "2x3", "2x3 positive").but(right=np.arctan2),
    s("F.arctan2", "2x1", "3 positive").but(right=np.arctan2),
    s("F.copy", "2x3").but(right=np.copy),
    s("contrib.div_sqrt_dim", "2x4"),
    s("contrib.quadratic", "2x3", a=1.5, b=-2.0, c=0.5),
    *(s(f"contrib.{name}", SPECIAL).but(wrt=()) for name in ("isnan", "isinf", "isfinite")),
    s("cast_storage", "2x3", stype="default"),
    s("cast_storage", "2x3 integers int32", stype="default"),
    s("cast_storage", "2x3", stype="nonsense"),
]
