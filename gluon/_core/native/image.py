"""Images of bytes in another size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.image import Taps
from ..kernels.steps import STAND_INS
from . import loading
from .loading import runner

_resize = runner("weigh_bytes")


def weigh_bytes(plain: Callable, x: Any, rows: Taps, columns: Taps, halved: bool) -> Any:
    *batch, height, width, channels = x.shape
    size = len(rows.places), len(columns.places)
    y = np.empty((*batch, *size, channels), np.uint8)
    if x.size and max(x.size, y.size) >= loading.LEAST:
        ways = [
            np.ascontiguousarray(part, kind)
            for way, n in ((rows, height), (columns, width))
            for part, kind in ((np.clip(way.places, 0, n - 1), np.int64), (way.weights, np.int32))
        ]
        numbers = (y.size // (size[0] * size[1] * channels), *x.shape[-3:], *size, halved)
        # The dtype of the first array selects the float or double version; otherwise it is float.
        if _resize((np.ascontiguousarray(x), *ways, y), numbers):
            return y
    return plain(x, rows, columns, halved)


STAND_INS["weigh_bytes"] = weigh_bytes
