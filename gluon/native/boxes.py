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
    plain: Callable, boxes: Any, groups: Any, threshold: float, most: int | None = None
) -> Any:
    kept = np.zeros(len(boxes), bool)
    if len(boxes) and boxes.dtype in FLOATS:
        edges = np.ascontiguousarray(boxes.T)
        arrays = edges, groups.astype(boxes.dtype), kept
        if _suppress(arrays, (len(boxes) if most is None else most,), (threshold,)):
            return kept
    return plain(boxes, groups, threshold, most)


STAND_INS["suppress"] = suppress
