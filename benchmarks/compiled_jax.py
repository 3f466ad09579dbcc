"""The steps of `compiled.py`, as users of JAX write them: pure functions of parameters and data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .processes import Maker
from .steps import drawn, labels

Step = Callable[[], Any]


def weights(*shape: int) -> Any:
    return jnp.asarray((np.random.RandomState(2).randn(*shape) * 0.05).astype("float32"))


def dense(*units: int) -> list:
    return [(weights(m, n), jnp.zeros(n)) for m, n in pairwise(units)]


def through(layers: list, x: Any) -> Any:
    """The output of dense layers, with relu between them."""
    for k, (w, b) in enumerate(layers):
        x = x @ w + b
        x = x if k == len(layers) - 1 else jax.nn.relu(x)
    return x


def cross_entropy(scores: Any, y: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(scores), y[:, None], -1)[:, 0]


def descend(rate: float, parameters: Any, slopes: Any) -> Any:
    return jax.tree_util.tree_map(lambda p, g: p - rate * g, parameters, slopes)


def trained(loss_of: Callable, parameters: Any, *data: Any, rate: float = 0.01) -> Step:
    """Run one step of gradient descent on a loss of parameters and data."""

    @jax.jit
    def step(parameters: Any, *data: Any) -> tuple:
        loss, slopes = jax.value_and_grad(loss_of)(parameters, *data)
        return descend(rate, parameters, slopes), loss

    state = [parameters]

    def run() -> float:
        state[0], loss = step(state[0], *data)
        return float(loss)

    return run


def chain() -> Step:
    x = jnp.asarray(drawn(16))

    def last(x: Any) -> tuple:
        y = x
        for _ in range(100):
            y = y * 1.01 + x
        return y.sum(), y

    step = jax.jit(jax.grad(last, has_aux=True))
    return lambda: [np.asarray(one) for one in step(x)]


def linreg() -> Step:
    def loss_of(parameters: Any, x: Any, y: Any) -> Any:
        w, b = parameters
        return ((x @ w + b - y) ** 2 / 2).sum()

    start = jnp.asarray(drawn(2, 1)), jnp.zeros(1)
    data = jnp.asarray(drawn(10, 2)), jnp.asarray(drawn(10, 1))
    return trained(loss_of, start, *data, rate=0.003)


def of_classes(net: Callable, parameters: Any, x: Any, y: Any) -> Step:
    def loss_of(parameters: Any, x: Any, y: Any) -> Any:
        return cross_entropy(net(parameters, x), y).mean()

    return trained(loss_of, parameters, jnp.asarray(x), jnp.asarray(y))


def mlp() -> Step:
    return of_classes(through, dense(784, 256, 256, 10), drawn(128, 784), labels(128))


def small_adam() -> Step:
    x, y = jnp.asarray(drawn(32, 20)), jnp.asarray(labels(32))

    def loss_of(layers: Any, x: Any, y: Any) -> Any:
        return cross_entropy(through(layers, x), y).mean()

    @jax.jit
    def step(p: Any, m: Any, v: Any, t: Any, x: Any, y: Any) -> tuple:
        each = jax.tree_util.tree_map
        loss, g = jax.value_and_grad(loss_of)(p, x, y)
        t = t + 1
        m = each(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = each(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        rate = 0.001 * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        p = each(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), p, m, v)
        return p, m, v, t, loss

    layers = dense(20, 64, 64, 10)
    zeros = jax.tree_util.tree_map(jnp.zeros_like, layers)
    state = [layers, zeros, zeros, jnp.float32(0)]

    def run() -> float:
        *state[:], loss = step(*state, x, y)
        return float(loss)

    return run


def hvp() -> Step:
    x, v = jnp.asarray(drawn(64, 100)), jnp.asarray(drawn(100, 100))
    w = jnp.asarray(drawn(100, 100) / 10)

    def value(w: Any, x: Any) -> Any:
        return (jax.nn.sigmoid(x @ w) @ w).sum()

    @jax.jit
    def step(w: Any, x: Any, v: Any) -> Any:
        return jax.grad(lambda w: (jax.grad(value)(w, x) * v).sum())(w)

    return lambda: np.asarray(step(w, x, v))


def elementwise() -> Step:
    x = jnp.asarray(drawn(4_000_000))
    step = jax.jit(jax.value_and_grad(lambda x: (jnp.tanh(x) * jnp.exp(-x * x) + x).sum()))

    def run() -> float:
        value, slope = step(x)
        slope.block_until_ready()
        return float(value)

    return run


# ---------------------------------------------------------------------------- recurrent


def cell(parameters: Any, state: tuple, gates: Any) -> tuple:
    """One step of an LSTM; `gates` has the input's part of them."""
    (h, c), (w, b) = state, parameters
    enter, forget, new, leave = jnp.split(gates + h @ w + b, 4, axis=-1)
    c = jax.nn.sigmoid(forget) * c + jax.nn.sigmoid(enter) * jnp.tanh(new)
    return jax.nn.sigmoid(leave) * jnp.tanh(c), c


def lstm_weights(inputs: int, units: int) -> tuple:
    return dense(inputs, 4 * units)[0], dense(units, 4 * units)[0]


def lstm() -> Step:
    def loss_of(parameters: Any, x: Any) -> Any:
        (w, b), inner = parameters
        start = jnp.zeros((x.shape[1], 256)), jnp.zeros((x.shape[1], 256))

        def one(state: tuple, gates: Any) -> tuple:
            state = cell(inner, state, gates)
            return state, state[0]

        return jnp.square(lax.scan(one, start, x @ w + b)[1]).mean()

    return trained(loss_of, lstm_weights(128, 256), jnp.asarray(drawn(35, 32, 128)))


def cells() -> Step:
    def loss_of(parameters: Any, x: Any) -> Any:
        (w, b), inner = parameters
        state = jnp.zeros((8, 64)), jnp.zeros((8, 64))
        outputs = []
        for one in x:
            state = cell(inner, state, one @ w + b)
            outputs.append(state[0])
        return jnp.square(jnp.stack(outputs)).mean()

    return trained(loss_of, lstm_weights(32, 64), jnp.asarray(drawn(20, 8, 32)))


# -------------------------------------------------------------------------- convolutions


def lenet_weights() -> list:
    kernels = [(weights(20, 1, 5, 5), jnp.zeros(20)), (weights(50, 20, 5, 5), jnp.zeros(50))]
    return [kernels, dense(800, 500, 10)]


def lenet_of(parameters: Any, x: Any) -> Any:
    kernels, layers = parameters
    for w, b in kernels:
        x = lax.conv_general_dilated(x, w, (1, 1), "VALID") + b[:, None, None]
        window = 1, 1, 2, 2
        x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, window, window, "VALID")
    return through(layers, x.reshape(len(x), -1))


def lenet() -> Step:
    return of_classes(lenet_of, lenet_weights(), drawn(64, 1, 28, 28), labels(64))


def fgsm() -> Step:
    x, y, parameters = jnp.asarray(drawn(64, 1, 28, 28)), jnp.asarray(labels(64)), lenet_weights()

    @jax.jit
    def step(parameters: Any, x: Any, y: Any) -> Any:
        return jax.grad(lambda x: cross_entropy(lenet_of(parameters, x), y).sum())(x)

    return lambda: np.asarray(step(parameters, x, y))


# --------------------------------------------------------------------------- transformer


def normed(parameters: tuple, x: Any) -> Any:
    gamma, beta = parameters
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gamma * (x - mean) * lax.rsqrt(var + 1e-5) + beta


def encoder(p: Any, x: Any, heads: int = 8) -> Any:
    """A post-norm layer on (steps, batch, units), and the scores of classes."""
    steps, batch, units = x.shape

    def apply(name: str, x: Any) -> Any:
        w, b = p[name]
        return x @ w + b

    mixed = apply("attend", x).reshape(steps, batch, heads, 3, units // heads)
    q, k, v = (mixed[..., j, :] for j in range(3))
    scores = jnp.einsum("ibhd,jbhd->bhij", q, k) / (units // heads) ** 0.5
    found = jnp.einsum("bhij,jbhd->ibhd", jax.nn.softmax(scores), v).reshape(x.shape)
    x = normed(p["norm0"], x + apply("join", found))
    x = normed(p["norm1"], x + apply("narrow", jax.nn.relu(apply("widen", x))))
    return apply("classify", x.mean(0))


def transformer() -> Step:
    sizes = {"attend": (256, 768), "join": (256, 256), "widen": (256, 1024)}
    sizes |= {"narrow": (1024, 256), "classify": (256, 10)}
    parameters = {name: dense(*size)[0] for name, size in sizes.items()}
    parameters |= {f"norm{k}": (jnp.ones(256), jnp.zeros(256)) for k in range(2)}
    return of_classes(partial(encoder), parameters, drawn(64, 16, 256), labels(16))


def steps() -> dict[str, Maker]:
    """Return the steps, by name."""
    makers = (
        chain,
        linreg,
        small_adam,
        hvp,
        cells,
        mlp,
        elementwise,
        lenet,
        fgsm,
        lstm,
        transformer,
    )
    return {make.__name__: make for make in makers}
