"""The rows of `func.py`, as users of HIPS autograd write them; it has neither vmap nor networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import autograd
from autograd import numpy as np

from .func import BATCH, SIZES, drawn, labels, weights
from .processes import Maker

Array = Any


def mlp(params: Sequence[Array], x: Array) -> Array:
    for w in params[:-1]:
        x = np.tanh(np.dot(x, w))
    return np.dot(x, params[-1])


def dense_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    scores = mlp(params, x)
    return np.sum(np.log(np.sum(np.exp(scores), axis=-1)) - np.sum(scores * y, axis=-1))


def elementwise(x: Array) -> Array:
    return np.sin(x) * np.exp(-x * x) + np.tanh(x)


def jvp(f: Callable[[Array], Array], x: Array) -> Callable[[], Any]:
    v = np.ones_like(x)
    return lambda: autograd.make_jvp(f)(x)(v)


def layer(w: Array, x: Array) -> Array:
    return np.tanh(np.dot(x, w))


def energy(w: Array, x: Array) -> Array:
    return np.sum(np.log(1 + np.exp(np.dot(x, w))))


def value(f: Callable[..., Array], *arguments: Any) -> Callable[[], Any]:
    return lambda: f(*arguments)


def rows(threads: int) -> dict[str, Maker]:
    """Return the rows that HIPS autograd has, by name."""
    params, x = weights(*SIZES), drawn(BATCH, SIZES[0])
    y = (labels()[:, None] == range(10)).astype("float32")
    numbers, wide, tall = drawn(100_000), drawn(8, 64), drawn(64, 8)
    w, data = drawn(16), drawn(100, 16)
    return {
        "mlp": partial(value, mlp, params, x),
        "mlp jvp": partial(jvp, partial(mlp, params), x),
        "elementwise": partial(value, elementwise, numbers),
        "elementwise jvp": partial(jvp, elementwise, numbers),
        "jacrev 64 to 8": partial(value, autograd.jacobian(partial(layer, tall)), wide[0]),
        "hessian 16": partial(value, autograd.hessian(energy), w, data),
        "mlp gradient": partial(value, autograd.grad(dense_loss), params, x, y),
    }
