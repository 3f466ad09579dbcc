"""Kernels that pick and place values by index."""

from __future__ import annotations

from typing import Any

import numpy as np


def getitem(x: Any, *, key: Any) -> Any:
    return x[key]


def scatter_add(x: Any, *, key: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of `shape` with `x` added at ``[key]``; indices may repeat."""
    out = np.zeros(shape, x.dtype)
    if is_basic(key):
        out[key] = x
    else:
        np.add.at(out, key, x)
    return out


def setitem(x: Any, value: Any, *, key: Any) -> Any:
    """A copy of `x` with ``[key]`` replaced."""
    out = x.copy()
    out[key] = value
    return out


def is_basic(key: Any) -> bool:
    """Whether `key` has only integers, slices, None and Ellipsis."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(
        isinstance(part, (slice, int, np.integer, type(None), type(Ellipsis)))
        and not isinstance(part, (bool, np.bool_))
        for part in parts
    )
