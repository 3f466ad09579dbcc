"""Elementwise kernels for NumPy functions that are not ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np


def nan_to_num(
    x: Any, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Any:
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


def round_even(x: Any, *, decimals: int = 0) -> Any:
    return np.round(x, decimals)


def fraction(x: Any) -> Any:
    return np.modf(x)[0]


def frexp(x: Any) -> tuple[Any, Any]:
    return np.frexp(x)
