"""Powers to the exponents that are simpler operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import loading
from .stand_ins import FLOATS, stands_in


def _cube(x: Any) -> Any:
    return x * x * x


_SIMPLER = {
    exponent: loading.library.Elementwise(plain, name, loading.LEAST)
    for exponent, name, plain in (
        (2, "square", np.square),
        (3, "cube", _cube),
        (0.5, "sqrt", np.sqrt),
        (-1, "reciprocal", np.reciprocal),
    )
}


@stands_in("power")
def _power(plain: Callable, x1: Any, x2: Any) -> Any:
    simpler = _SIMPLER.get(x2) if type(x2) in (int, float) else None
    if simpler and type(x1) is np.ndarray and x1.dtype in FLOATS:
        return simpler(x1)
    return plain(x1, x2)
