"""The dtypes an array can have."""

from __future__ import annotations

import re
import reprlib
from functools import lru_cache
from typing import Any

import numpy as np

from ..engine.array import Array
from ..errors import DTypeError, LayoutError, warn_caller

NAMES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")
#: Dtypes that MXNet lacks.
MORE = ("int16", "bfloat16")
UNSIGNED = ("uint16", "uint32", "uint64")


def bfloat16() -> Any:
    """The bfloat16 dtype of ``ml_dtypes``; raises `DTypeError` where that is not installed."""
    try:
        import ml_dtypes
    except ImportError:
        raise DTypeError("dtype bfloat16 needs the package ml_dtypes; install it") from None
    return np.dtype(ml_dtypes.bfloat16)


def as_dtype(dtype: Any, more: tuple[str, ...] = ()) -> np.dtype:
    """`dtype` (a name, a NumPy type, None for float32) as a NumPy dtype that arrays can have.

    Parameters
    ----------
    dtype : str, numpy type, array or None
        An array stands for its own dtype, as in NumPy.
    more : tuple of str
        Names allowed besides `NAMES` and `MORE`.

    Raises
    ------
    DTypeError
        If it is not one of float16/32/64, int8/16/32/64, uint8, bool, bfloat16 and `more`.
    """
    if dtype is None:
        return np.dtype(np.float32)
    if isinstance(dtype, str) and dtype == "bfloat16":
        return bfloat16()
    if isinstance(dtype, Array):
        dtype = dtype.raw.dtype
    try:
        # NumPy evaluates other text, such as that of several fields, as Python.
        is_name = not isinstance(dtype, str) or re.fullmatch(r"[<>=|]?\w{1,20}", dtype)
        found = np.dtype(dtype) if is_name else None
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or not is_one_of(found, more):
        raise DTypeError(
            f"dtype {reprlib.repr(dtype)} is not supported; use one of"
            f" {', '.join((*NAMES, *MORE, *more))}"
            + "; a shape of several axes is one tuple, as in (2, 3)"
            * (type(dtype) is int)
        )
    return found


def castable(source: Any, dtype: np.dtype) -> Any:
    """`source`, for a dtype of integers as a raw array of them: those wrap around, as in MXNet.

    NumPy 2 refuses numbers and lists of numbers that `dtype` cannot hold.
    """
    if dtype.kind not in "iu" or isinstance(source, np.ndarray):
        return source
    found = np.asarray(source)
    if found.dtype.kind == "f" and np.isfinite(found).all():
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        return source
    if found.size:
        held, ends = np.iinfo(dtype), (found.min(), found.max())
        if wrong := [one for one in ends if not held.min <= one <= held.max]:
            warn_caller(
                f"{wrong[0]} does not fit into {dtype.name}, which holds {held.min} to"
                f" {held.max}, and becomes {wrong[0].astype(dtype)}"
            )
    return found


@lru_cache(maxsize=64)
def is_one_of(dtype: np.dtype, more: tuple[str, ...]) -> bool:
    """Whether an array can have `dtype`; kept, since NumPy puts a name together on each demand."""
    return dtype.name in (*NAMES, *MORE, *more)


def as_numpy_dtype(dtype: Any) -> np.dtype:
    """`dtype` as one that an array of `gluon.np` can have: `as_dtype`, and unsigned integers."""
    return as_dtype(dtype, UNSIGNED)


def is_supported(dtype: np.dtype) -> bool:
    """Whether an array of `gluon.np` can have `dtype`."""
    return is_one_of(dtype, UNSIGNED)


def check_casting(name: str, given: Any, wanted: Any, casting: str) -> None:
    """Raise unless `given` may be cast to the dtype `wanted`."""
    if casting != "unsafe" and not np.can_cast(given, wanted, casting):  # type: ignore[arg-type]
        raise DTypeError(f"{name}: casting={casting!r} forbids {given} as {wanted}")


def check_order(name: str, order: str) -> None:
    """Raise unless `order` is the layout arrays have."""
    if order not in ("C", "K", "A"):
        raise LayoutError(f"{name}: order={order!r} is not available; arrays are laid out as 'C'")
