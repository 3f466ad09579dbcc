"""Kernels that draw from a `numpy.random.Generator`."""

from __future__ import annotations

from typing import Any

import numpy as np


def dropout_mask(x: Any, *, p: float, axes: tuple[int, ...] = (), rng: Any) -> Any:
    """0 with probability `p`, else ``1 / (1 - p)``; one draw serves all places along `axes`."""
    if not 0 <= p <= 1:
        raise ValueError(f"p={p} is not a probability: it must lie between 0 and 1")
    if not all(-x.ndim <= axis < x.ndim for axis in axes):
        raise ValueError(f"axes={axes} are out of range for {x.ndim} axes")
    shared = {axis % x.ndim for axis in axes}
    shape = tuple(1 if k in shared else n for k, n in enumerate(x.shape))
    if p == 1:
        return np.zeros(shape, x.dtype)
    kept = rng.random(shape, np.float32) >= np.float32(p)
    return kept * x.dtype.type(1 / (1 - p))
