"""The kernel of Hawkes processes, whose intensity decays."""

from __future__ import annotations

from typing import Any


def linear_scan(a: Any, b: Any) -> Any:
    """``y[k] = a[k] * y[k - 1] + b[k]`` along the second axis, from ``y[0] = b[0]`` on."""
    out = b.copy()
    for k in range(1, out.shape[1]):
        out[:, k] += a[:, k] * out[:, k - 1]
    return out
