"""Triangular systems of equations with few right-hand sides."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .loading import runner
from .stand_ins import FLOATS, stands_in, suits

_solve = runner("solve_triangular")
#: With more right-hand sides, matrix products are faster.
FEW = 2


@stands_in("solve_triangular")
def solve_triangular(plain: Callable, a: Any, b: Any, *, lower: bool = True) -> Any:
    if a.ndim > 1 and b.ndim == a.ndim and b.shape[:-1] == a.shape[:-1] and b.shape[-1] <= FEW:
        turned = not a.flags.c_contiguous
        matrices, sides = a.swapaxes(-1, -2) if turned else a, np.ascontiguousarray(b)
        if suits(matrices, sides, dtypes=FLOATS) and a.shape[-1] == a.shape[-2]:
            y = np.empty(b.shape, b.dtype)
            sizes = prod(a.shape[:-2]), *b.shape[-2:], lower, turned
            if _solve((matrices, sides, y), sizes):
                return y
    return plain(a, b, lower=lower)
