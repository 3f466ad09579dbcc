"""Products of vectors, matrices and arrays with more axes; the first ones are with linalg."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s

OTHER_DTYPES = ("float16", "int32", "int64", "int8", "uint8", "bool")
ANY_DTYPE = "any dtype is supported; MXNet takes float32 and float64 on a CPU"
SPECIAL = "[[nan, 1, 0], [inf, 0, 1], [1, -inf, 2]]"
TURNS: list[dict] = [
    {},
    {"transpose_a": True},
    {"transpose_b": True},
    {"transpose_a": True, "transpose_b": True},
]
#: Shapes with what fits them in some of the `TURNS`.
SHAPES = [
    *(("4", "4"), ("3", "3x2"), ("2", "3x2"), ("3x2", "3"), ("2x4", "4"), ("1", "1")),
    *(("2x3x4", "4x3x2"), ("2x3x4", "2x3x4"), ("4x2", "4x3x2"), ("2x3x4", "3x2x4"), ("3x3", "3x3")),
    *(("1x3", "3x1"), ("3x1", "1x3"), ("1x1", "1x1")),
]


def _dots() -> list[Sample]:
    found = [s("dot", a, b, **turns) for a, b in SHAPES for turns in TURNS]
    found += [
        s("dot", a, b).but(right=np.dot)
        for a, b in (("0x3", "3x2"), ("2x0", "0x3"), ("2x3", "3x0"), ("0", "0x2"))
    ]
    found.append(s("dot", "0", "0").but(right=lambda a, b: np.zeros(1, a.dtype)))
    for dtype in OTHER_DTYPES:
        one = s("dot", f"2x3 natural {dtype}", f"3x2 natural {dtype}")
        found.append(one.but(differs=ANY_DTYPE, right=np.dot, rtol=4e-3, kink=True))
        one = s("batch_dot", f"2x1x3 natural {dtype}", f"2x3x2 natural {dtype}")
        found.append(one.but(differs=ANY_DTYPE, right=np.matmul, rtol=4e-3, kink=True))
    return [
        *found,
        s("dot", SPECIAL, "3x2 positive").but(kink=True),
        s("dot", "[[1e30, 1]]", "[[1e30], [1]]").but(kink=True),
        s("dot", "[[1e-30]]", "[[1e-10]]").but(kink=True),
        s("dot", "2x3", "3x2", forward_stype="default"),
        s("dot", "2x3", "3x2", forward_stype="nonsense"),
        s("dot", "2x3", "3x2 float64").but(
            wrt=(), differs="dtypes promote", right=lambda a, b: a.astype("float64") @ b
        ),
        s("dot", "2x3", 2.0).but(wrt=()),
        s("dot", "2x3", None).but(wrt=()),
    ]


def _batches() -> list[Sample]:
    found = [
        s("batch_dot", a, b, **turns)
        for a, b in (
            ("2x3x4", "2x4x3"),
            ("2x3x3", "2x3x3"),
            ("1x1x4", "1x1x4"),
            ("2x1x2x3", "2x1x3x2"),
        )
        for turns in TURNS
    ]
    found += [
        s("batch_dot", a, b).but(right=np.matmul)
        for a, b in (("0x2x3", "0x3x2"), ("2x0x3", "2x3x1"), ("2x2x0", "2x0x2"))
    ]
    wrong = [("2x3", "3x2"), ("3", "3"), ("2x3x4", "1x4x3"), ("2x3x4", "4x3"), ("2x3x4", "2x2x4x3")]
    found += [s("batch_dot", a, b) for a, b in wrong]
    return [
        *found,
        s("batch_dot", "2x3x4 float64", "2x4x2 float64"),
        s("batch_dot", f"[{SPECIAL}]", "1x3x2 positive").but(kink=True),
        s("batch_dot", "1x2x3", "1x3x2", forward_stype="nonsense"),
    ]


def _khatri_rao() -> list[Sample]:
    found = [s("khatri_rao", "2x3"), s("khatri_rao", "2x3", "1x3", "4x3")]
    found += [s("khatri_rao", "1x1", "1x1"), s("khatri_rao", "2x3 float64", "2x3 float64")]
    wrong = [("2x3", "2x4"), ("2x3", "2x1"), ("3", "3"), ("2x3x1", "2x3x1"), ()]
    found += [s("khatri_rao", *arrays) for arrays in wrong]
    for dtype in OTHER_DTYPES[1:5]:
        found.append(
            s("khatri_rao", f"[[1, 2], [3, 4]] {dtype}", f"[[5, 6]] {dtype}").but(
                differs="any dtype is supported; MXNet takes floats",
                right=lambda a, b: np.array([[5, 12], [15, 24]], a.dtype),
            )
        )
    return [
        *found,
        s("khatri_rao", SPECIAL, "2x3 positive").but(kink=True),
        s("khatri_rao", "0x3", "2x3").but(right=lambda a, b: a),
    ]


SAMPLES = [*_dots(), *_batches(), *_khatri_rao()]
