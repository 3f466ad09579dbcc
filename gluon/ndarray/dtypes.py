"""The dtypes an NDArray can have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import DTypeError

NAMES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")


def bfloat16() -> Any:
    """The bfloat16 dtype of ``ml_dtypes``; raises `DTypeError` where that is not installed."""
    try:
        import ml_dtypes
    except ImportError:
        raise DTypeError("dtype bfloat16 needs the package ml_dtypes; install it") from None
    return np.dtype(ml_dtypes.bfloat16)


def as_dtype(dtype: Any) -> np.dtype:
    """`dtype` (a name, a NumPy type, None for float32) as a NumPy dtype that arrays can have.

    Raises
    ------
    DTypeError
        If it is none of float16/32/64, int8/16/32/64, uint8, bool and bfloat16.
    """
    if dtype is None:
        return np.dtype(np.float32)
    if isinstance(dtype, str) and dtype == "bfloat16":
        return bfloat16()
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found is None or (found.name not in (*NAMES, "int16", "bfloat16")):
        raise DTypeError(
            f"dtype {dtype!r} is not supported; use one of {', '.join(NAMES)}, int16, bfloat16"
        )
    return found
