"""Sums over products of entries with common indices."""

from __future__ import annotations

from typing import Any

import numpy as np


def einsum(*xs: Any, subscripts: str, optimize: Any = False) -> Any:
    return np.einsum(subscripts, *xs, optimize=optimize)
