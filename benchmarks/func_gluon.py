"""The rows of `func.py`, as users of gluon write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gluon import func, nd, np

from .func import BATCH, SIZES, drawn, filters, labels, weights
from .processes import Maker

Array = Any


def mlp(params: Sequence[Array], x: Array) -> Array:
    for w in params[:-1]:
        x = np.tanh(np.dot(x, w))
    return np.dot(x, params[-1])


def cnn(params: Sequence[Array], x: Array) -> Array:
    for w in params[:2]:
        x = nd.relu(nd.Convolution(x, w, no_bias=True, kernel=(3, 3), num_filter=w.shape[0]))
        x = nd.Pooling(x, kernel=(2, 2), stride=(2, 2))
    return nd.dot(x.reshape((x.shape[0], -1)), params[2])


def dense_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    scores = mlp(params, x)
    return (np.log(np.exp(scores).sum(axis=-1)) - (scores * y).sum(axis=-1)).sum()


def conv_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    return -(nd.log_softmax(cnn(params, x)) * y).sum()


def elementwise(x: Array) -> Array:
    return np.sin(x) * np.exp(-x * x) + np.tanh(x)


def jvp(f: Callable[[Array], Array], x: Array) -> Callable[[], Any]:
    v = x * 0 + 1
    return lambda: func.jvp(f, (x,), (v,))


def layer(w: Array, x: Array) -> Array:
    return np.tanh(np.dot(x, w))


def energy(w: Array, x: Array) -> Array:
    return np.log(1 + np.exp(np.dot(x, w))).sum()


def distances(points: Array) -> Array:
    pair = lambda a, b: np.sqrt(((a - b) ** 2).sum() + 1)  # noqa: E731
    return func.vmap(func.vmap(pair, (None, 0)), (0, None))(points, points)


def dense() -> tuple[list[Array], Array, Array]:
    y = np.array(labels()[:, None] == range(10), dtype="float32")
    return [np.array(w) for w in weights(*SIZES)], np.array(drawn(BATCH, SIZES[0])), y


def conv() -> tuple[list[Array], Array, Array]:
    y = nd.array(labels()[:, None] == range(10), dtype="float32")
    return [nd.array(w) for w in filters()], nd.array(drawn(BATCH, 1, 28, 28)), y


def value(f: Callable[..., Array], *arguments: Any) -> Callable[[], Any]:
    return lambda: f(*arguments)


def each_conv(params: Sequence[Array], x: Array, y: Array) -> Array:
    return conv_loss(params, x.expand_dims(0), y.expand_dims(0))


def rows(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    params, x, y = dense()
    filters, pictures, classes = conv()
    numbers = np.array(drawn(100_000))
    wide, tall = np.array(drawn(8, 64)), np.array(drawn(64, 8))
    points, w = np.array(drawn(64, 3)), np.array(drawn(16))
    data = np.array(drawn(100, 16))
    each = func.vmap(func.grad(dense_loss), (None, 0, 0))
    each_picture = func.vmap(func.grad(each_conv), (None, 0, 0))
    return {
        "mlp": partial(value, mlp, params, x),
        "mlp jvp": partial(jvp, partial(mlp, params), x),
        "elementwise": partial(value, elementwise, numbers),
        "elementwise jvp": partial(jvp, elementwise, numbers),
        "cnn": partial(value, cnn, filters, pictures),
        "cnn jvp": partial(jvp, partial(cnn, filters), pictures),
        "jacfwd 8 to 64": partial(value, func.jacfwd(partial(layer, wide)), tall[0]),
        "jacrev 64 to 8": partial(value, func.jacrev(partial(layer, tall)), wide[0]),
        "hessian 16": partial(value, func.hessian(energy), w, data),
        "vmap mlp": partial(value, func.vmap(mlp, (None, 0)), params, x),
        "vmap distances": partial(value, distances, points),
        "mlp gradient": partial(value, func.grad(dense_loss), params, x, y),
        "mlp per example": partial(value, each, params, x, y),
        "cnn gradient": partial(value, func.grad(conv_loss), filters, pictures, classes),
        "cnn per example": partial(value, each_picture, filters, pictures, classes),
    }
