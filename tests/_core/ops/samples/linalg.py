"""Products of arrays."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import s

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
    s("khatri_rao", "2x3", "4x3"),
    s("F.tril", "3x4", k=1).but(right=lambda x: np.tril(x, 1)),
    s("F.triu", "3x4", k=-1).but(right=lambda x: np.triu(x, -1)),
]
