"""The names of gluon for the rows of `func.py`."""

from __future__ import annotations

from typing import Any

from gluon import func, np, npx

from .func_rows import Library, drawn, rows
from .processes import Maker

Array = Any


def convolved(x: Array, w: Array) -> Array:
    x = npx.relu(npx.convolution(x, w, no_bias=True, kernel=(3, 3), num_filter=w.shape[0]))
    return npx.pooling(x, kernel=(2, 2), stride=(2, 2))


def makers(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    gamma, beta = np.array(drawn(512)), np.array(drawn(512, seed=2))
    layers = {
        "convolved": convolved,
        "softmax": npx.softmax,
        "log_softmax": npx.log_softmax,
        "layer_norm": lambda x: npx.layer_norm(x, gamma, beta),
        "amax": lambda x: x.max(1),
    }
    return rows(Library(np.array, np, func, lambda f, x, v: func.jvp(f, (x,), (v,)), layers))
