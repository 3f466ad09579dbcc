"""Elementwise kernels that NumPy does not have under one name."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np


def power(x1: Any, x2: Any) -> Any:
    try:
        return x1**x2  # the operator, not the ufunc: it is fast for exponents 2, 1, 0.5 and -1
    except ValueError:
        if np.result_type(x1, x2).kind != "i":
            raise
        # NumPy refuses whole numbers to negative powers: 1, -1 or 0, and no number for base 0.
        return np.power(x1, x2, dtype=np.float64).astype(np.result_type(x1, x2))


def where(condition: Any, x1: Any, x2: Any) -> Any:
    return np.where(condition, _as_dtype(x1, x2), _as_dtype(x2, x1))


def _as_dtype(x: Any, other: Any) -> Any:
    # A number takes the dtype of the array it stands beside: bfloat16 promotes with nothing.
    if hasattr(x, "dtype") or getattr(other, "dtype", np.dtype(bool)).kind not in "fV":
        return x
    return np.asarray(x, other.dtype)


def clip(x: Any, *, a_min: float, a_max: float) -> Any:
    return np.minimum(np.maximum(x, x.dtype.type(a_min)), x.dtype.type(a_max))


def rsqrt(x: Any) -> Any:
    return 1 / np.sqrt(x)


def rcbrt(x: Any) -> Any:
    return 1 / np.cbrt(x)


def relu(x: Any) -> Any:
    return np.maximum(x, _zero(x.dtype))


@cache
def _zero(dtype: Any) -> Any:
    # As an array of the dtype, a constant needs no conversion at each call.
    return np.zeros((), dtype)


def sigmoid(x: Any) -> Any:
    # tanh saturates where exp would overflow.
    return 0.5 * np.tanh(0.5 * x) + 0.5


def softrelu(x: Any) -> Any:
    return np.logaddexp(x, x.dtype.type(0))


def softsign(x: Any) -> Any:
    return x / (1 + np.abs(x))


def round_away(x: Any) -> Any:
    return np.trunc(x + np.copysign(x.dtype.type(0.5), x)) if x.dtype.kind == "f" else x


def round_down(x: Any) -> Any:
    low = np.floor(x)
    return low + (x - low > 0.5) if x.dtype.kind == "f" else x


def cast(x: Any, *, dtype: Any) -> Any:
    return x.astype(dtype)


def copy(x: Any) -> Any:
    return x.copy()


def zeros_like(x: Any, *, dtype: Any = None) -> Any:
    return np.zeros_like(x, dtype)


def ones_like(x: Any, *, dtype: Any = None) -> Any:
    return np.ones_like(x, dtype)
