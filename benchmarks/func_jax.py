"""The rows of `func.py`, as users of JAX write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from .func import BATCH, SIZES, drawn, filters, labels, weights
from .processes import Maker

Array = Any


def mlp(params: Sequence[Array], x: Array) -> Array:
    for w in params[:-1]:
        x = jnp.tanh(x @ w)
    return x @ params[-1]


def cnn(params: Sequence[Array], x: Array) -> Array:
    for w in params[:2]:
        x = jax.nn.relu(lax.conv(x, w, (1, 1), "VALID"))
        window = (1, 1, 2, 2)
        x = lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID")
    return x.reshape(len(x), -1) @ params[2]


def dense_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    scores = mlp(params, x)
    return (jnp.log(jnp.exp(scores).sum(-1)) - (scores * y).sum(-1)).sum()


def conv_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    return -(jax.nn.log_softmax(cnn(params, x)) * y).sum()


def elementwise(x: Array) -> Array:
    return jnp.sin(x) * jnp.exp(-x * x) + jnp.tanh(x)


def jvp(f: Callable[[Array], Array], x: Array) -> Callable[[], Any]:
    v = jnp.ones_like(x)
    return lambda: jax.block_until_ready(jax.jvp(f, (x,), (v,)))


def layer(w: Array, x: Array) -> Array:
    return jnp.tanh(x @ w)


def energy(w: Array, x: Array) -> Array:
    return jnp.log(1 + jnp.exp(x @ w)).sum()


def distances(points: Array) -> Array:
    pair = lambda a, b: jnp.sqrt(((a - b) ** 2).sum() + 1)  # noqa: E731
    return jax.vmap(jax.vmap(pair, (None, 0)), (0, None))(points, points)


def value(f: Callable[..., Array], *arguments: Any) -> Callable[[], Any]:
    return lambda: jax.block_until_ready(f(*arguments))


def each_conv(params: Sequence[Array], x: Array, y: Array) -> Array:
    return conv_loss(params, x[None], y[None])


def rows(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    params, kernels = [[jnp.asarray(w) for w in ws] for ws in (weights(*SIZES), filters())]
    x, pictures = jnp.asarray(drawn(BATCH, SIZES[0])), jnp.asarray(drawn(BATCH, 1, 28, 28))
    y = jax.nn.one_hot(labels(), 10)
    numbers = jnp.asarray(drawn(100_000))
    wide, tall = jnp.asarray(drawn(8, 64)), jnp.asarray(drawn(64, 8))
    points, w = jnp.asarray(drawn(64, 3)), jnp.asarray(drawn(16))
    data = jnp.asarray(drawn(100, 16))
    each = jax.vmap(jax.grad(dense_loss), (None, 0, 0))
    each_picture = jax.vmap(jax.grad(each_conv), (None, 0, 0))
    return {
        "mlp": partial(value, mlp, params, x),
        "mlp jvp": partial(jvp, partial(mlp, params), x),
        "elementwise": partial(value, elementwise, numbers),
        "elementwise jvp": partial(jvp, elementwise, numbers),
        "cnn": partial(value, cnn, kernels, pictures),
        "cnn jvp": partial(jvp, partial(cnn, kernels), pictures),
        "jacfwd 8 to 64": partial(value, jax.jacfwd(partial(layer, wide)), tall[0]),
        "jacrev 64 to 8": partial(value, jax.jacrev(partial(layer, tall)), wide[0]),
        "hessian 16": partial(value, jax.hessian(energy), w, data),
        "vmap mlp": partial(value, jax.vmap(mlp, (None, 0)), params, x),
        "vmap distances": partial(value, distances, points),
        "mlp gradient": partial(value, jax.grad(dense_loss), params, x, y),
        "mlp per example": partial(value, each, params, x, y),
        "cnn gradient": partial(value, jax.grad(conv_loss), kernels, pictures, y),
        "cnn per example": partial(value, each_picture, kernels, pictures, y),
    }
