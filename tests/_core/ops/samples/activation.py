"""Activations and softmax."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests._core.ops.sample import SPECIAL, Raw, Sample, s

WHOLE_DTYPES = ("int32", "int64", "int8", "uint8", "bool")
FLOAT_DTYPES = (("float64", 1e-5), ("float16", 4e-3))
SIZES = (
    "[30, -30, 80, -80]",
    "[1e10, -1e10]",
    "[3e38, -3e38]",
    "[1e-4, -3e-4]",
    "[1e-20, -3e-20]",
    "[1e-40, -3e-42]",
)
KINKS = "[-3, -2.5, -1, 0.0, -0.0, 1, 2.5, 3]"
#: One call of each function of single values.
ONE_BY_ONE: list[tuple[str, dict]] = [
    *(("Activation", {"act_type": kind}) for kind in "relu sigmoid tanh softrelu softsign".split()),
    *(("LeakyReLU", {"act_type": kind}) for kind in "leaky elu selu gelu".split()),
    ("hard_sigmoid", {"alpha": 0.3}),
    ("smooth_l1", {}),
    ("smooth_l1", {"scalar": 2.0}),
]


def _one_by_one() -> list[Sample]:
    found: list[Sample] = []
    for name, attrs in ONE_BY_ONE:
        found += [s(name, shape, **attrs) for shape in ("2x3x1", "0x3", "1", "2x1x2x1x2")]
        for dtype, rtol in FLOAT_DTYPES:
            found += [
                s(name, f"2x3 {dtype}", **attrs).but(rtol=rtol),
                s(name, f"{SPECIAL} {dtype}", **attrs).but(kink=True, rtol=rtol),
            ]
        found += [s(name, x, **attrs).but(kink=True) for x in (SPECIAL, KINKS, *SIZES)]
        found += [s(name, f"[0, 1, 2] {dtype}", **attrs) for dtype in WHOLE_DTYPES]
    selu = "MXNet omits a factor"
    return [
        one.but(differs_grad=selu) if one.attrs.get("act_type") == "selu" else one for one in found
    ]


def _rectifiers() -> list[Sample]:
    found = [
        s("LeakyReLU", KINKS, act_type=kind, slope=slope).but(kink=True)
        for kind in ("leaky", "elu")
        for slope in (0.0, 1.0, 2.0)
    ]
    found += [
        s("LeakyReLU", KINKS, act_type=kind, slope=-0.5).but(
            kink=True, differs_grad="MXNet uses the sign of the result in place of that of the data"
        )
        for kind in ("leaky", "elu")
    ]
    found += [
        s("LeakyReLU", x, gamma, act_type="prelu")
        for x, gamma in (
            ("2x3x4", "3"),
            ("2x3x4x2", "3"),
            ("2x3", "3"),
            ("2x3", "1"),
            ("2x3x4", "1"),
            ("3", "3"),
            ("3", "1"),
            ("2x3x4", "4"),
            ("2x3x4", "1x3x1"),
            ("0x3", "3"),
        )
    ]
    found += [
        s("LeakyReLU", KINKS, "[0.25]", act_type="prelu").but(kink=True),
        s("LeakyReLU", "2x3 float64", "3 float64", act_type="prelu"),
    ]
    found += [
        s("LeakyReLU", "2x3 float16", "3 float16", act_type="prelu").but(rtol=4e-3),
        s("LeakyReLU", "2x3", act_type="prelu"),
        *(
            s("LeakyReLU", "2x3", gamma, act_type="prelu").but(
                differs="gamma has one slope, or one for each channel; MXNet reads past the end",
                refused=True,
            )
            for gamma in ("2", "1x3")
        ),
        s("LeakyReLU", "2x3", "3", act_type="leaky").but(wrt=(0,)),
        s("LeakyReLU", "2x3", act_type="nonsense"),
        s("LeakyReLU", KINKS, act_type="rrelu", lower_bound=0.2, upper_bound=0.2).but(
            kink=True,
            differs="MXNet also returns its mask",
            right=lambda x: np.where(x > 0, x, np.float32(0.2) * x),
        ),
        s("LeakyReLU", "3 large", act_type="rrelu", lower_bound=0.25, upper_bound=0.25).but(
            training=True,
            differs="MXNet also returns its mask",
            right=lambda x: np.where(x > 0, x, x / 4),
        ),
    ]
    found += [
        s("hard_sigmoid", "[-2.5, 2.5, -3, 0, 3, nan]", alpha=a, beta=b).but(kink=True)
        for a, b in ((0.2, 0.5), (0.0, 0.5), (-0.2, 0.5), (1.0, 0.0))
    ]
    found += [
        s("smooth_l1", "[-1, 1, 0.25, -0.25, 0, 5]", scalar=scalar).but(kink=True)
        for scalar in (1, 2, 0.5, -1.0, 0.0, 3)
    ]
    found += [
        s("Activation", "2x3", act_type=kind) for kind in ("", "ReLU", None, "log_sigmoid", "mish")
    ]
    return found


SOFT = ("softmax", "log_softmax", "softmin")
ROWS = (
    "[[nan, 1, 2], [inf, 0, 1], [-inf, 2, 1], [1000, 1000, -1000], [-inf, -inf, -inf],"
    " [inf, inf, 0], [1e-30, 0, -1e-30], [3e38, -3e38, 0]]"
)
COLD = {"differs": "a division by 0 is an error; MXNet gives nan", "refused": True}
SPREADS = "the gradient of a row with nan is nan; MXNet returns 0 beyond the length"
WHOLE = "integers are supported; MXNet raises"


def _numpy(name: str, x: Raw) -> Raw:
    """The function of a small array, as float32."""
    weights = np.exp(-x.astype("float64") if name == "softmin" else x.astype("float64"))
    y = weights / weights.sum(-1, keepdims=True)
    return (np.log(y) if name == "log_softmax" else y).astype("float32")


def _soft() -> list[Sample]:
    found = []
    for name in SOFT:
        found += [
            s(name, "2x3x4", **attrs)
            for attrs in (
                {},
                {"axis": 1},
                {"axis": 0},
                {"axis": -3},
                {"axis": -2},
                {"temperature": 2.5},
                {"temperature": 0.5, "axis": 1},
                {"temperature": 1.0},
                {"temperature": None},
                {"temperature": -1.0},
                {"axis": 3},
                {"axis": -4},
                {"axis": "x"},
                {"temperature": "hot"},
                {"use_length": False},
            )
        ]
        found += [s(name, f"{shape} large") for shape in ("3x4", "1x1", "1", "5", "3x1", "2x2x1x3")]
        found += [s(name, ROWS).but(kink=True), s(name, f"{ROWS} float64").but(kink=True)]
        found += [
            s(name, "[[1000, 0, -1000], [60000, 1, -60000]] float16").but(kink=True, rtol=4e-3)
        ]
        found += [s(name, f"3x4 {dtype}", axis=0).but(rtol=rtol) for dtype, rtol in FLOAT_DTYPES]
        found += [
            s(name, "3x4", dtype=dtype).but(kink=True, rtol=4e-3, wrt=())
            for dtype in ("float64", "float16", "float32", "int32", "nonsense")
        ]
        found += [s(name, "3x4 float16", dtype="float32").but(kink=True, rtol=4e-3)]
        for dtype in WHOLE_DTYPES[: 4 if name == "softmin" else None]:
            one = s(name, f"3x4 natural {dtype}")
            found.append(one.but(differs=WHOLE, right=partial(_numpy, name)))
        found += [
            s(name, shape, axis=axis).but(right=np.copy)
            for shape, axis in (("0x4", 1), ("0x4", 0), ("2x0", 1))
        ]
        found += [
            s(name, "3x4", temperature=0.0).but(**COLD),
            s(name, "2x4", "[2, 3]", use_length=True).but(wrt=(0,)),
            s(name, "2x4", use_length=True),
        ]
    lengths = (
        ("2x4", "[2, 3] int32", 1),
        ("2x4", "[2, 0] int32", 1),
        ("2x4", "[-1, 1] int32", 1),
        ("2x4", "[2, 3] int64", -1),
        ("2x4", "[1, 2, 0, 1] int32", 0),
        ("2x4", "[2, 3]", 1),
        ("2x4", "[1, 1] bool", 1),
        ("2x4", "[1, 2, 3] int32", 1),
        ("2x4", "[[1, 2]] int32", 1),
        ("2x3x4", "[[1, 2, 3, 1], [3, 3, 0, 1]] int32", 1),
        ("2x3x4", "[[1, 2, 4], [3, 0, 1]] int32", 2),
        ("3", "[2] int32", 0),
        ("[[nan, 1, 2], [3, inf, 1]]", "[1, 2] int32", 1),
        ("[[1, nan, 2], [3, inf, 1]]", "[1, 1] int32", 1),
    )
    for x, length, axis in lengths:
        found.append(
            s("softmax", x, length, axis=axis, use_length=True).but(
                wrt=(0,), kink="nan" in x, differs_grad=SPREADS if "inf" in x else ""
            )
        )
    found.append(
        s("softmax", "2x4", "[9, 4] int32", axis=1, use_length=True).but(
            differs="MXNet reads past the end of the array", refused=True
        )
    )
    found += [
        s("softmax", "2x4", "[2, 3] int32", axis=1, use_length=True, temperature=2.0).but(wrt=(0,)),
        s("softmax", "2x4 float16", "[2, 3] int32", axis=1, use_length=True).but(
            wrt=(0,), rtol=4e-3
        ),
        s("softmax", "2x4 float16", "[2, 3] int32", axis=1, use_length=True, dtype="float32").but(
            wrt=(0,), rtol=4e-3, kink=True
        ),
        s("softmax", "2x4", "[2, 3] int32", axis=1).but(wrt=()),
        s("softmax", "2x4", None, axis=1, use_length=False),
    ]
    return found


def _activation_and_loss() -> list[Sample]:
    found = [
        s("SoftmaxActivation", "2x3x1x2", mode="channel"),
        s("SoftmaxActivation", "2x3x1x2").but(differs_grad="MXNet's gradient is wrong"),
        s("SoftmaxActivation", "3"),
        s("SoftmaxActivation", "3", mode="channel"),
        s("SoftmaxActivation", ROWS).but(kink=True),
        s("SoftmaxActivation", "2x3", mode="row"),
        s("SoftmaxActivation", "2x3", mode="channel").but(
            differs="MXNet requires three axes", right=partial(_numpy, "softmax")
        ),
    ]
    for dtype, rtol in (*FLOAT_DTYPES, ("int32", 1e-5)):
        found.append(
            s("SoftmaxActivation", f"2x3 {dtype}").but(
                rtol=rtol,
                differs="MXNet takes float32 only",
                right=lambda x: _numpy("softmax", x).astype(
                    "float32" if x.dtype.kind == "i" else x.dtype
                ),
            )
        )
    found += [
        s("softmax_cross_entropy", x, label).but(
            wrt=(0,), rtol=4e-3 if "16" in x else 1e-5, kink=x.startswith("[")
        )
        for x, label in (
            ("3x4", "[0, 3, 1]"),
            ("3x4 float64", "[0, 3, 1] float64"),
            ("3x4 float16", "[0, 3, 1] float16"),
            ("1x1", "[0]"),
            ("3x4", "[0.5, 1.5, 2.9]"),
            ("3x4", "[0, 1]"),
            ("3x4", "3x1"),
            ("2x3x4", "2"),
            ("4", "1"),
            (ROWS, "[0, 1, 2, 0, 1, 2, 0, 1]"),
            ("3x4 natural int32", "[0, 3, 1] int32"),
        )
    ]
    return [
        *found,
        s("softmax_cross_entropy", "0x4", "0").but(wrt=(0,), right=lambda x, _: np.zeros(1, "f")),
        s("softmax_cross_entropy", "[[0, 100], [0, 1]]", "[0, 1]").but(
            wrt=(0,),
            differs="MXNet limits probabilities to at least 1e-8",
            right=lambda x, _: np.float32([100 + np.log1p(np.exp(-1))]),
        ),
        s("softmax_cross_entropy", "3x4", "[0, 3, 1] int32").but(
            wrt=(0,), differs="labels have any dtype; MXNet requires the dtype of the data"
        ),
        *(
            s("softmax_cross_entropy", "3x4", f"[0, 1, {label}]").but(
                differs="an error, since there is no such class; MXNet uses another class",
                refused=True,
            )
            for label in (4, -1)
        ),
    ]


SAMPLES = [
    *_one_by_one(),
    *_rectifiers(),
    *_soft(),
    *_activation_and_loss(),
    s("Activation", "2x3", act_type="nonsense"),
    *(s("LeakyReLU", "2x3 large", act_type=kind, slope=0.1) for kind in "leaky elu gelu".split()),
    s("LeakyReLU", "2x3"),
    s("LeakyReLU", "2x3", act_type="rrelu", lower_bound=0.1, upper_bound=0.3).but(
        differs="MXNet also returns its mask",
        right=lambda x: np.where(x > 0, x, np.float32(0.2) * x),
    ),
    s("SoftmaxActivation", "2x3x4").but(differs_grad="MXNet's gradient is wrong"),
    s("SoftmaxActivation", "2x3x4", mode="channel"),
    s("digamma", "3x4 positive").but(differs="mx.nd has none"),
    s("F.polygamma", "3x4 positive", n=1),
    s("F.leaky_relu_slope", "[-2, -0.0, 0, 3]", slope=0.3).but(
        right=lambda x: np.where(x > 0, x.dtype.type(1), x.dtype.type(0.3)), kink=True
    ),
    s("F.sigmoid_grad", "3x4", "3x4").but(right=lambda g, p: g * p * (1 - p)),
    s("F.log_softmax_push", "3x4", "3x4", axis=1).but(
        right=lambda t, p: t - (np.exp(p) * t).sum(1, keepdims=True)
    ),
    s("F.log_softmax_push", "3x4", "3x4", axis=0).but(
        right=lambda t, p: t - (np.exp(p) * t).sum(0, keepdims=True)
    ),
    s("F.tanh_grad", "3x4", "3x4").but(right=lambda g, p: g * (1 - p * p)),
    s("F.relu_grad", "3x4", "3x4 positive").but(right=lambda g, p: g),
    s("F.square_grad", "3x4", "3x4").but(right=lambda g, x: g * 2 * x),
]
