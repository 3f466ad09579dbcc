"""Products and linear algebra."""

from __future__ import annotations

import numpy as np

from tests.ops.sample import s

TRANSPOSES = [
    ("2x3", "3x4", {}),
    ("3x2", "3x4", {"transpose_a": True}),
    ("2x3", "4x3", {"transpose_b": True}),
    ("3x2", "4x3", {"transpose_a": True, "transpose_b": True}),
]
SAMPLES = [
    *(s("dot", a, b, **attrs) for a, b, attrs in TRANSPOSES),
    s("dot", "3", "3"),
    s("dot", "2x3", "3"),
    s("dot", "2x3x4", "4x2"),
    s("dot", "2x3x4", "4x2x3"),
    s("dot", "2x3 float64", "3x4 float64"),
    s("dot", "2x3", "2x3"),
    *(s("batch_dot", f"2x{a}", f"2x{b}", **attrs) for a, b, attrs in TRANSPOSES),
    s("batch_dot", "2x3x4", "3x4x2"),
    s("F.matmul", "2x3x4", "4x2").but(right=np.matmul),
    *(s("linalg.gemm2", f"2x{a}", f"2x{b}", alpha=1.5, **attrs) for a, b, attrs in TRANSPOSES),
    *(s("linalg.gemm", a, b, "2x4", alpha=1.5, beta=-0.5, **attrs) for a, b, attrs in TRANSPOSES),
    s("linalg.syrk", "2x3", alpha=2.0),
    s("linalg.syrk", "2x2x3", transpose=True),
    *(
        s(
            f"linalg.{name}",
            "3x3 lower",
            "3x2" if not side else "2x3",
            rightside=side,
            transpose=turn,
            lower=low,
        )
        for name in ("trmm", "trsm")
        for side in (False, True)
        for turn in (False, True)
        for low in ((True,) if name == "trsm" else (True, False))
    ),
    s("linalg.trsm", "2x3x3 lower", "2x3x2", alpha=0.5),
    s("linalg.potrf", "3x3 spd").but(rtol=3e-5),
    s("linalg.potrf", "2x3x3 spd").but(rtol=3e-5),
    s("linalg.potri", "3x3 lower").but(rtol=1e-4),
    s("linalg.inverse", "3x3 spd").but(rtol=3e-5),
    s("linalg.inverse", "2x2x2 spd").but(rtol=3e-5),
    s("linalg.det", "3x3 spd").but(rtol=3e-5),
    s("linalg.det", "2x3x3 float64"),
    s("linalg.slogdet", "3x3 spd").but(rtol=3e-5),
    s("linalg.slogdet", "2x3x3 float64"),
    s("linalg.sumlogdiag", "3x3 spd"),
    s("linalg.sumlogdiag", "2x3x3 spd"),
    s("linalg.gelqf", "2x3").but(rtol=1e-4),
    s("linalg.gelqf", "2x2x4 float64"),
    s("linalg.syevd", "3x3 symmetric").but(rtol=1e-4),
    s("linalg.syevd", "2x3x3 symmetric float64"),
    s("linalg.extractdiag", "3x3"),
    s("linalg.extractdiag", "2x3x3", offset=1),
    s("linalg.makediag", "3"),
    s("linalg.makediag", "2x2", offset=-1),
    s("linalg.extracttrian", "3x3"),
    s("linalg.extracttrian", "2x3x3", offset=1, lower=False),
    s("linalg.maketrian", "6"),
    s("linalg.maketrian", "2x3", lower=False),
    s("khatri_rao", "2x3", "4x3"),
    s("F.tril", "3x4", k=1).but(right=lambda x: np.tril(x, 1)),
    s("F.triu", "3x4", k=-1).but(right=lambda x: np.triu(x, -1)),
]
