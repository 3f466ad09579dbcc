"""Random numbers of dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.random import mask_shape
from . import loading
from .loading import runner
from .stand_ins import FLOATS, stands_in

_run = runner("dropout")
#: A multiple of the usual minimum: reading and setting the generator takes 20 µs.
MORE = 8


def _drop(y: Any, p: float, rng: Any) -> bool:
    """Fill `y` with draws and advance the generator; return False if the library cannot."""
    source = rng.bit_generator
    if type(source) is not np.random.PCG64:
        return False
    with source.lock:
        known = source.state
        numbers = known["state"]
        halves = [half for k in ("state", "inc") for half in divmod(numbers[k], 1 << 64)]
        state = np.array([*halves, known["has_uint32"], known["uinteger"]], np.uint64)
        if not _run((y, state.view(np.int64)), (), (p, 1 / (1 - p))):
            return False
        high, low, *_, has_half, half = state.tolist()
        numbers["state"] = high << 64 | low
        source.state = {**known, "has_uint32": has_half, "uinteger": half}
    return True


@stands_in("dropout_mask")
def _dropout_mask(plain: Callable, x: Any, *, p: float, axes: tuple = (), rng: Any) -> Any:
    if type(x) is np.ndarray and x.dtype in FLOATS and 0 <= p < 1:
        y = np.empty(mask_shape(x, p, axes), x.dtype)
        if y.size >= MORE * loading.LEAST and _drop(y, p, rng):
            return y
    return plain(x, p=p, axes=axes, rng=rng)
