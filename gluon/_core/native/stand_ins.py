"""The Python side of the compiled kernels: which function replaces which plain kernel.

A stand-in takes the plain kernel first, then what that takes. It returns the result of the
compiled kernel, or calls the plain one: for other dtypes, for layouts that the C code does not
walk, and for arrays so small that NumPy is as fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import loading

#: Maps the name of an operator to ``stand_in(plain, *inputs, **attributes)``.
STAND_INS: dict[str, Callable] = {}

#: Operators that make large arrays from small ones, and the minimum size for their stand-ins.
SMALL = {"einsum": 64, "restore": 0}
#: Operators with stand-ins for non-contiguous arrays only.
STRIDED = {"reshape"}

FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)
FLOATS = (FLOAT32, FLOAT64)


def stands_in(*names: str) -> Callable[[Callable], Callable]:
    """Let a function stand in for the plain kernels of the operators `names`."""

    def register(function: Callable) -> Callable:
        STAND_INS.update(dict.fromkeys(names, function))
        return function

    return register


def suits(*arrays: Any, dtypes: tuple = (FLOAT32,)) -> bool:
    """Whether all are contiguous arrays of one of `dtypes`, and the first is large enough."""
    first = arrays[0]
    return (
        type(first) is np.ndarray
        and first.ndim > 0
        and (first.size >= loading.LEAST or loading.is_told())
        and first.dtype in dtypes
        and all(
            type(x) is np.ndarray and x.dtype == first.dtype and x.flags.c_contiguous
            for x in arrays
        )
    )
