"""`linalg`: products, factors and inverses of stacks of matrices."""

from __future__ import annotations

from itertools import product

import numpy as np

from tests._core.ops.sample import s

FLAGS = (False, True)
DOUBLE = " float64"
#: Shapes of A and B, and which of them is transposed.
TRANSPOSES = [
    ("2x3", "3x4", {}),
    ("3x2", "3x4", {"transpose_a": True}),
    ("2x3", "4x3", {"transpose_b": True}),
    ("3x2", "4x3", {"transpose_a": True, "transpose_b": True}),
]
SINGULAR = "[[1, 2], [2, 4]]"
INDEFINITE = "[[1, 2], [2, 1]]"
WIDE = "[[1e-6, 0.001], [0.001, 1e6]]"

PRODUCTS = [
    *(s("linalg.gemm2", f"2x{a}", f"2x{b}", alpha=1.5, **attrs) for a, b, attrs in TRANSPOSES),
    *(s("linalg.gemm2", a, b, **attrs) for a, b, attrs in TRANSPOSES),
    *(s("linalg.gemm2", a + DOUBLE, b + DOUBLE, **attrs) for a, b, attrs in TRANSPOSES),
    s("linalg.gemm2", "2x3x2x3", "2x3x3x1", alpha=-2.0),
    s("linalg.gemm2", "2x3", "3x4", alpha=0.0),
    *(s("linalg.gemm2", "2x3x4x5", "2x3x5x4", axis=axis) for axis in (-2, 2)),
    *(s("linalg.gemm2", "2x3x4x5", "5x3x4x2", axis=axis) for axis in (0, -4)),
    *(s("linalg.gemm2", "4x2x3x5", "4x5x3x2", axis=axis) for axis in (1, -3)),
    s("linalg.gemm2", "2x4x5", "3x4x5", axis=0, transpose_b=True),
    s("linalg.gemm2", "4x2x5", "4x2x3", axis=0, transpose_a=True),
    s("linalg.gemm2", "2x4x5", "2x5x4", axis=-1),
    s("linalg.gemm2", "2x4x5", "2x5x4", axis=3),
    s("linalg.gemm2", "2x3", "4x3"),
    s("linalg.gemm2", "2x3x4", "3x4x2"),
    s("linalg.gemm2", "2x3x4", "4x2"),
    s("linalg.gemm2", "3", "3"),
    s("linalg.gemm2", "2x3 integers int32", "3x2 integers int32").but(
        differs="MXNet takes floats only", right=np.matmul
    ),
    *(s("linalg.gemm", a, b, "2x4", alpha=1.5, beta=-0.5, **attrs) for a, b, attrs in TRANSPOSES),
    s("linalg.gemm", "2x3" + DOUBLE, "3x4" + DOUBLE, "2x4" + DOUBLE),
    s("linalg.gemm", "2x2x3", "2x3x4", "2x2x4", beta=2.0),
    s("linalg.gemm", "2x3", "3x4", "2x4", alpha=0.0, beta=0.0),
    s("linalg.gemm", "4x2x3x5", "4x5x3x2", "4x2x3x2", axis=1),
    s("linalg.gemm", "2x4x5", "3x4x5", "2x4x3", axis=0, transpose_b=True),
    s("linalg.gemm", "2x3", "3x4", "4"),
    s("linalg.gemm", "2x3", "3x4", "1x4"),
    s("linalg.gemm", "2x3", "2x4", "2x4"),
    *(
        s("linalg.syrk", f"{shape}{kind}", transpose=turn, alpha=alpha)
        for shape, kind in (("2x3", ""), ("2x2x3", ""), ("3x1", DOUBLE))
        for turn in FLAGS
        for alpha in (1.0, -2.0)
    ),
    s("linalg.syrk", "3"),
    *(
        s(
            f"linalg.{name}",
            "3x3 lower",
            "2x3" if side else "3x2",
            rightside=side,
            transpose=turn,
            lower=low,
        )
        for name, side, turn, low in product(("trmm", "trsm"), FLAGS, FLAGS, FLAGS)
        if low or name == "trmm"
    ),
    *(
        s(
            f"linalg.{name}",
            "[[2, 1, -1], [5, 3, 0.5], [7, 8, 1.5]]",
            "2x3" if side else "3x2",
            rightside=side,
            transpose=turn,
            lower=low,
            alpha=0.5,
        )
        for name, side, turn, low in product(("trmm", "trsm"), FLAGS, FLAGS, FLAGS)
    ),
    *(s(f"linalg.{name}", "2x3x3 lower", "2x3x2", alpha=0.5) for name in ("trmm", "trsm")),
    *(
        s(f"linalg.{name}", "2x3x3 lower" + DOUBLE, "2x2x3" + DOUBLE, rightside=True)
        for name in ("trmm", "trsm")
    ),
    *(s(f"linalg.{name}", "1x1 lower", "1x1") for name in ("trmm", "trsm")),
    *(s(f"linalg.{name}", "3x3 lower", "2x3") for name in ("trmm", "trsm")),
    *(s(f"linalg.{name}", "3x2", "2x3") for name in ("trmm", "trsm")),
    *(s(f"linalg.{name}", "3x3 lower", "2x3x3") for name in ("trmm", "trsm")),
    s("linalg.trsm", "[[1, 0], [1, 0]]", "2x2").but(differs="MXNet divides by zero", refused=True),
]
FACTORS = [
    *(
        s(f"linalg.{name}", f"{shape} {kind}").but(rtol=rtol)
        for name, kind, rtol in (
            ("potrf", "spd", 3e-5),
            ("potri", "lower", 1e-4),
            ("inverse", "spd", 3e-5),
            ("det", "spd", 3e-5),
            ("slogdet", "spd", 3e-5),
            ("sumlogdiag", "spd", 1e-5),
            ("syevd", "symmetric", 1e-4),
        )
        for shape in ("3x3", "1x1", "2x3x3", "1x2x2x2")
    ),
    *(
        s(f"linalg.{name}", f"2x3x3 {kind} float64")
        for name, kind in (
            ("potrf", "spd"),
            ("potri", "lower"),
            ("inverse", "normal"),
            ("det", "normal"),
            ("slogdet", "normal"),
            ("sumlogdiag", "spd"),
            ("syevd", "symmetric"),
        )
    ),
    *(
        s(f"linalg.{name}", shape)
        for name in ("potrf", "potri", "inverse", "det", "slogdet", "sumlogdiag", "syevd")
        for shape in ("2x3", "3")
    ),
    s("linalg.potrf", INDEFINITE),
    s("linalg.potrf", "[[0, 0], [0, 0]]"),
    s("linalg.potrf", "[[4, 9], [2, 5]]").but(kink=True),
    s("linalg.potrf", "2x3x3 spd", lower=False),
    s("linalg.potrf", "[[4, 2], [9, 5]]", lower=False).but(kink=True),
    s("linalg.potri", "[[2, 1], [7, 3]]", lower=False).but(rtol=3e-5),
    s("linalg.potri", "[[1, 0], [1, 0]]"),
    s("linalg.potri", "[[2, 7], [1, 3]]").but(rtol=3e-5),
    s("linalg.inverse", SINGULAR),
    s("linalg.inverse", "[[0, 1], [1, 0]]"),
    s("linalg.inverse", WIDE).but(kink=True, rtol=1e-4),
    s("linalg.inverse", "3x3 integers int32"),
    *(
        s("linalg.det", singular).but(
            kink=True, differs_grad="MXNet's is 0 where the determinant is"
        )
        for singular in (SINGULAR, "[[0, 0], [0, 0]]", "[[1, 2, 3], [2, 4, 6], [1, 1, 0]]", "[[0]]")
    ),
    s("linalg.det", "[[0, 1], [1, 0]]"),
    s("linalg.slogdet", SINGULAR).but(wrt=()),
    s("linalg.slogdet", "[[0, 1], [1, 0]]"),
    s("linalg.slogdet", "[[1, 2], [3, 4]]"),
    s("linalg.det", "[[nan, 0], [0, 1]]").but(kink=True),
    s("linalg.det", "[[[nan, 0], [0, 1]], [[1, 2], [3, 4]]]").but(kink=True),
    s("linalg.sumlogdiag", "[[1, 0], [0, 0]]").but(wrt=()),
    s("linalg.sumlogdiag", "[[-1, 0], [0, 1]]").but(wrt=()),
    *(s("linalg.gelqf", shape).but(rtol=1e-4) for shape in ("2x3", "1x3", "3x3", "1x1", "2x2x3")),
    s("linalg.gelqf", "2x2x4 float64"),
    s("linalg.gelqf", "3x2"),
    s("linalg.gelqf", "3"),
    s("linalg.syevd", "[[2, 0], [0, 2]]").but(wrt=()),
    s("linalg.syevd", "0x0").but(
        differs="MXNet does not support empty arrays",
        right=lambda x: (x, x[0:0].reshape(0)),
        wrt=(),
    ),
    s("linalg.syevd", "[[1, 9], [2, 3]]").but(wrt=(), rtol=1e-4),
    s("linalg.syevd", "[[3, 0, 0], [0, 1, 0], [0, 0, 2]]").but(kink=True),
    s("linalg.syevd", "[[-3, 1], [1, -2]] float64").but(kink=True),
]
OFFSETS = (0, 1, 2, -1, -2)
PARTS = [
    *(s("linalg.extractdiag", shape, offset=k) for shape in ("3x3", "2x3x3") for k in OFFSETS),
    *(s("linalg.extractdiag", "3x3", offset=k) for k in (3, -3)),
    s("linalg.extractdiag", "1x1 float64"),
    s("linalg.extractdiag", "2x3"),
    s("linalg.extractdiag", "3"),
    *(s("linalg.makediag", shape, offset=k) for shape in ("3", "2x2", "1") for k in OFFSETS),
    s("linalg.makediag", "2x3 float64"),
    *(
        s("linalg.extracttrian", shape, offset=k, lower=low)
        for shape in ("3x3", "2x3x3")
        for k in OFFSETS
        for low in FLAGS
    ),
    *(s("linalg.extracttrian", "3x3", offset=k) for k in (3, -3)),
    s("linalg.extracttrian", "3x3 float64"),
    s("linalg.extracttrian", "1x1"),
    s("linalg.extracttrian", "2x3"),
    s("linalg.extracttrian", "3"),
    *(
        s("linalg.maketrian", shape, offset=k, lower=low)
        for shape in ("6", "2x3")
        for k in OFFSETS
        for low in FLAGS
    ),
    s("linalg.maketrian", "1"),
    s("linalg.maketrian", "6 float64"),
    s("linalg.maketrian", "4"),
]
#: What the gradient of `det` needs where there is no inverse.
OTHERS = [
    *(s("F.cofactors", f"{shape} float64") for shape in ("2x3x3", "1x1", "2x2")),
    s("F.cofactors", SINGULAR).but(right=lambda x: np.array([[4, -2], [-2, 1]], "float32")),
]
REAL = "[[1, 0.3, 0.2], [0.1, 2, 0.4], [0.2, 0.1, 4]]"


def _eig(x: np.ndarray) -> list[np.ndarray]:
    """NumPy's, whose results are complex from 2.5 on even where they are real."""
    return [one.real for one in np.linalg.eig(x)]


#: What `np.linalg` is made of besides.
GENERAL = [
    *(s("F.solve", f"{a} float64", f"{b} float64") for a, b in (("3x3", "3x2"), ("2x3x3", "3x1"))),
    s("F.solve", REAL, "3x2").but(right=np.linalg.solve),
    *(s("F.pinv", f"{shape} float64") for shape in ("2x3", "3x2", "2x3x3")),
    s("F.pinv", REAL).but(right=np.linalg.pinv),
    *(s("F.svd", f"{shape} float64") for shape in ("2x3", "3x2", "2x3x3")),
    s("F.eig", REAL).but(right=_eig),
]
SAMPLES = [*OTHERS, *GENERAL, *PRODUCTS, *FACTORS, *PARTS]
