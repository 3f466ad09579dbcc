"""The names of JAX for the rows of `func.py`."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from .func_rows import Library, drawn, rows
from .processes import Maker

Array = Any


def convolved(x: Array, w: Array) -> Array:
    x = jax.nn.relu(lax.conv(x, w, (1, 1), "VALID"))
    window = (1, 1, 2, 2)
    return lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")


def makers(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    gamma, beta = jnp.asarray(drawn(512)), jnp.asarray(drawn(512, seed=2))

    def layer_norm(x: Array) -> Array:
        return jax.nn.standardize(x, epsilon=1e-5) * gamma + beta

    layers = {
        "convolved": convolved,
        "softmax": jax.nn.softmax,
        "log_softmax": jax.nn.log_softmax,
        "layer_norm": layer_norm,
        "amax": lambda x: x.max(1),
    }

    def jvp(f: Any, x: Array, v: Array) -> Any:
        return jax.jvp(f, (x,), (v,))

    return rows(Library(jnp.asarray, jnp, jax, jvp, layers, jax.block_until_ready))
