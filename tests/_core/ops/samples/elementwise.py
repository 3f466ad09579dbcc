"""Elementwise functions."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import SPECIAL, Raw, Sample, s

BOOLEANS = {"differs": "bool arrays give what NumPy gives; MXNet raises an error"}

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
    "abs": {"differs_grad": "the gradient at nan is nan; MXNet returns 0"},
    "relu": {"differs_grad": "the gradient at nan is 0; MXNet returns nan"},
    "sign": {"differs": "the sign of nan is nan, as in NumPy; MXNet returns 0", "right": np.sign},
}


#: Literals by size: each function is asked about every one of them that lies in its domain.
SIZES = {
    "": ["[30, -30, 80, -80]", "[1e10, -1e10]", "[3e38, -3e38]"],
    "positive": ["[30, 80]", "[1e10]", "[3e38]"],
    "above": ["[30, 80]", "[1e10]", "[3e38]"],
    "unit": ["[0.999999, -0.999999]"],
}
FLOAT_DTYPES = (("float32", 1e-5), ("float64", 1e-5), ("float16", 2e-3))
TINY = ["[1e-4, -3e-4]", "[1e-20, -3e-20]", "[1e-40, -3e-42]"]
#: Integers on which a function of integers does not overflow.
WHOLE = {
    "": "[-3, -2, -1, 0, 1, 2, 3]",
    "positive": "[1, 2, 3, 4]",
    "above": "[1, 2, 3, 4]",
    "unit": "[0, 0]",
}


def _unary() -> list[Sample]:
    found = []
    for name, kind in UNARY.items():
        shapes = ("2x3", "1x1x1x1", "0x3")
        found += [s(name, f"{shape} {kind}") for shape in shapes]
        found += [
            s(name, f"2x1x2 {kind} float64"),
            s(name, f"5 {kind} float16").but(rtol=2e-3),
            s(name, f"2x0x3 {kind} float16"),
            s(name, "[0, 1] bool").but(wrt=()),
            s(name, "[0, 1, 2, 3] uint8" if kind == "" else "[1, 1] uint8").but(wrt=()),
        ]
        for dtype, rtol in FLOAT_DTYPES:
            sizes = SIZES[kind] + (TINY if kind != "above" else [])
            about = AT_NAN[name] if "gamma" in name and dtype == "float16" else {}
            found += [
                s(name, f"{size} {dtype}").but(kink=True, rtol=rtol, **about) for size in sizes
            ]
            about = AT_NAN.get(name, {})
            found.append(s(name, f"{SPECIAL} {dtype}").but(kink=True, rtol=rtol, **about))
        found += [
            s(name, f"{WHOLE[kind]} {dtype}").but(wrt=()) for dtype in ("int32", "int64", "int8")
        ]
    return found


DTYPES = ("float64", "float16", "int32", "int64", "int8", "uint8", "bool")


def _clip() -> list[Sample]:
    bounds = [(-1, 2), (0.5, 2.5), (-0.5, 1.5), (-np.inf, 1), (0, np.inf), (-1000, 1000)]
    found = []
    for dtype in ("float32", *DTYPES):
        x = f"[5, 9, 0, 1, 2, 3] {dtype}" if dtype == "uint8" else f"[-3, -1, 0, 1, 2, 3] {dtype}"
        found += [s("clip", x, a_min=low, a_max=high).but(kink=True) for low, high in bounds]
        if dtype != "bool":
            for low, high in ((2, 1), (np.nan, 1), (1, np.nan)):
                nothing = s("clip", x, a_min=low, a_max=high)
                found.append(
                    nothing.but(differs="an error, since the range is empty", refused=True)
                )
    return [
        *found,
        s("clip", "[1e200, -1e-200] float64", a_min=-1e39, a_max=1e39).but(
            differs="MXNet's bounds are float32", right=lambda x: np.clip(x, -1e39, 1e39), kink=True
        ),
        s("clip", "3", a_min=None, a_max=1),
        s("clip", "3", a_min="low", a_max=1),
    ]


def _where() -> list[Sample]:
    condition = "[[0, 1, 2], [1, 0, 0]]"
    found = []
    for dtype in DTYPES[:-1]:
        wrt = (1, 2) if dtype[0] == "f" else ()
        values = f"2x3 natural {dtype}"
        found += [
            s("where", f"{condition} {dtype}", "2x3", "2x3").but(wrt=(1, 2)),
            s("where", condition, values, values).but(wrt=wrt),
        ]
    masks = {"differs": "MXNet does not support booleans", "right": np.where}
    found += [
        s("where", f"{condition} bool", "2x3", "2x3").but(wrt=(1, 2), **masks),
        s("where", condition, "2x3 bools bool", "2x3 bools bool").but(wrt=(), **masks),
        s("where", "[nan, inf, -inf, -0.0, 1e-30]", "[1, 2, 3, 4, 5]", "[nan, nan, inf, 1, 2]").but(
            wrt=(1, 2), kink=True
        ),
        s("where", "[1, 0, 1]", "[nan, 2, inf]", "[1, nan, -inf]").but(wrt=(1, 2), kink=True),
        s("where", "2 bools", "2x3x4", "2x3x4").but(wrt=(1, 2)),
        s("where", "[1]", "1x3", "1x3").but(wrt=(1, 2)),
        s("where", "0x3 bools", "0x3 float16", "0x3 float16").but(wrt=(1, 2)),
    ]
    wrong = [("1x3", "2x3", "2x3"), ("3", "2x3", "2x3"), ("2x1", "2x3", "2x3")]
    wrong += [("2x3", "2x3", "2x1"), ("2x3", "1x3", "2x3"), ("2x3", "3", "3"), ("3", "3", "4")]
    found += [s("where", f"{shape} bools", x, y) for shape, x, y in wrong]
    numbers = {"differs": "MXNet requires arrays", "right": _where_float32}
    return [
        *found,
        s("where", "2x3 bools", "2x3", 2.5).but(wrt=(1,), **numbers),
        s("where", "2x3 bools", 2.5, "2x3").but(wrt=(2,), **numbers),
        s("where", "2x3 bools", 1.0, 2.0).but(wrt=(), **numbers),
        s("where", "[1, 0]", "[3, 4] int32", 2.5).but(
            differs="a number takes the dtype of the array", right=lambda c, x, y: np.int32([3, 2])
        ),
        s("where", "2x3 bools", "2x3", None).but(wrt=()),
        s("where", "2 bools", "2x3", 2.0).but(wrt=(1,), differs=numbers["differs"]),
        s("where", "2x3 bools", "2x3", "2x3 float64").but(
            wrt=(), differs="dtypes promote", right=np.where
        ),
    ]


def _where_float32(condition: Raw, x: Raw, y: Raw) -> Raw:
    return np.where(condition, x, y).astype(np.float32)


def _cast() -> list[Sample]:
    whole = "[0, 1, 2, 100]"
    found = [
        s("cast", f"{whole} {source}", dtype=target).but(kink=True)
        for source in ("float32", *DTYPES)
        for target in ("float32", *DTYPES)
    ]
    found += [
        s("cast", "[-1.5, -0.5, 0.5, 1.5, 2.7]", dtype=target).but(kink=True)
        for target in ("int32", "int64", "int8", "bool", "float16")
    ]
    found += [
        s("cast", "[nan, inf, -inf, -0.0]", dtype=target).but(kink=True)
        for target in ("float64", "float16", "bool")
    ]
    found += [
        s("cast", "[1e10, -1e30, 70000, 1e-9, 1e-40]", dtype="float16").but(kink=True),
        s("cast", "[1e300, -1e300, 1e-300, 0.1] float64", dtype="float32").but(kink=True),
        s("cast", "[16777217, -16777219] int32", dtype="float32"),
        s("cast", "[300, -129, 127] int32", dtype="int8"),
        s("cast", "[300, -1, 255] int64", dtype="uint8"),
        s("cast", "2x3", dtype="nonsense"),
        s("cast", "2x3", dtype="complex64"),
        s("Cast", "2x1x3", dtype="float16").but(kink=True, rtol=1e-3),
    ]
    return found


def _others() -> list[Sample]:
    found = [*_clip(), *_where(), *_cast()]
    for name in "identity stop_gradient BlockGrad zeros_like ones_like logical_not".split():
        found += [
            s(name, f"[[0, 1, 2], [3, 0, 5]] {dtype}").but(kink=True) for dtype in DTYPES[:-1]
        ]
        masks = s(name, "[[0, 1], [1, 0]] bool")
        found.append(
            masks.but(**BOOLEANS, right=np.logical_not) if name == "logical_not" else masks
        )
        found += [
            s(name, SPECIAL).but(kink=True),
            s(name, "0x3").but(kink=True),
            s(name, "1x1x2").but(kink=True),
        ]
    for dtype in DTYPES[:-1]:
        found.append(
            s("add_n", f"[1, 100, 0] {dtype}", f"[1, 100, 0] {dtype}", f"[1, 3, 0] {dtype}").but(
                rtol=4e-3
            )
        )
    found += [
        s("add_n", "2x1", "2x1", "2x1", "2x1", "2x1", "2x1"),
        s("add_n", SPECIAL, SPECIAL).but(kink=True),
        s("add_n", "0x2", "0x2"),
        s("add_n", "[1, 0] bool", "[1, 1] bool").but(**BOOLEANS, right=np.logical_or),
        s("add_n", "2x3", "1x3"),
        s("add_n", "2x3", "3x2"),
        s("add_n"),
    ]
    return found


SAMPLES = [
    *_unary(),
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
    *_others(),
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
    s("F.move", "2x3", to=None, back=None).but(right=np.copy),
    s("contrib.div_sqrt_dim", "2x4"),
    s("contrib.quadratic", "2x3", a=1.5, b=-2.0, c=0.5),
    *(s(f"contrib.{name}", SPECIAL).but(wrt=()) for name in ("isnan", "isinf", "isfinite")),
    # of small integers, in more digits than float16 has
    *(s(name, "[255, 17, 9, 3, 0] uint8") for name in ("degrees", "sqrt", "log1p", "cbrt")),
    s("cast_storage", "2x3", stype="default"),
    s("cast_storage", "2x3 integers int32", stype="default"),
    s("cast_storage", "2x3", stype="nonsense"),
]
