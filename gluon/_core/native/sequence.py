"""Sorting orders along an axis, complete or of the first few values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import loading
from .layout import in_order
from .loading import runner
from .stand_ins import FLOATS, stands_in

_run = runner("order")


@stands_in("order")
def order(
    plain: Callable,
    x: Any,
    *,
    axis: int = -1,
    is_ascend: bool = True,
    k: int = 0,
    stable: bool = True,
) -> Any:
    n = x.shape[axis] if -x.ndim <= axis < x.ndim else 0
    if x.dtype in FLOATS and x.size >= loading.LEAST and 0 <= k <= n:
        lines = in_order(np.moveaxis(x, axis, -1))
        y = np.empty((*lines.shape[:-1], k or n), np.int64)
        if _run((lines, y), (lines.size // n, n, k or n, not is_ascend)):
            return np.moveaxis(y, -1, axis)
    return plain(x, axis=axis, is_ascend=is_ascend, k=k, stable=stable)
