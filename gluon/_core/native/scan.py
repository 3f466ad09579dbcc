"""Recurrences along an axis."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .loading import runner
from .stand_ins import FLOATS, stands_in, suits

_run = runner("recurrence")


@stands_in("recurrence")
def _recurrence(plain: Callable, a: Any, b: Any, *, axis: int, reverse: bool = False) -> Any:
    if suits(a, b, dtypes=FLOATS) and a.shape == b.shape and a.size:
        y = np.empty(a.shape, a.dtype)
        k = axis % a.ndim
        sizes = (prod(a.shape[:k]), a.shape[k], prod(a.shape[k + 1 :]), reverse)
        if _run((a, b, y), sizes):
            return y
    return plain(a, b, axis=axis, reverse=reverse)
