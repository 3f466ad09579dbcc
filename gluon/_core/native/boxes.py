"""Suppression of the boxes that overlap better ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.steps import STAND_INS
from .loading import runner
from .stand_ins import FLOATS

_suppress = runner("suppress")


def suppress(
    plain: Callable, edges: Any, groups: Any, threshold: float, most: int | None = None
) -> Any:
    kept = np.zeros(len(groups), bool)
    if len(groups) and edges.dtype in FLOATS:
        arrays = edges, groups.astype(edges.dtype), kept
        if _suppress(arrays, (len(groups) if most is None else most,), (threshold,)):
            return kept
    return plain(edges, groups, threshold, most)


STAND_INS["suppress"] = suppress
