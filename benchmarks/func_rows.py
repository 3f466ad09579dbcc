"""The rows of `func.py`, built of the names of one library.

The libraries share their names to such a degree that programs are the same but for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy

from .processes import Maker

Array = Any
#: The sizes of the dense network, and how many examples there are.
SIZES, BATCH = (784, 256, 256, 10), 64


class Library(NamedTuple):
    """What the rows are built of.

    Attributes
    ----------
    array : callable
        An array of the library, of one of NumPy.
    np : object
        Has ``tanh``, ``exp`` and others.
    transforms : object
        Has `grad`, `jacrev` and `hessian`; also `vmap` and `jacfwd`, if the library has them.
    jvp : callable
        ``jvp(f, x, v)``: the value and the derivative.
    layers : dict of str to callable
        Functions for networks: ``convolved(x, w)``, a convolution, relu and maxima of 2 x 2;
        ``softmax(x)``, ``log_softmax(x)``, ``layer_norm(x)`` of the last axis; ``amax(x)``.
    ready : callable
        Waits for a result.
    """

    array: Callable[[numpy.ndarray], Array]
    np: Any
    transforms: Any
    jvp: Callable[..., Any]
    layers: dict[str, Callable[..., Array]]
    ready: Callable[[Any], Any] = lambda result: result


def drawn(*shape: int, seed: int = 1) -> numpy.ndarray:
    """Return inputs that are the same in every library."""
    return numpy.random.RandomState(seed).normal(size=shape).astype("float32")


def weights(*sizes: int) -> list[numpy.ndarray]:
    """Return the weights of dense layers, such that values keep their size."""
    found = enumerate(pairwise(sizes))
    return [drawn(n, m, seed=k) / numpy.sqrt(n, dtype="float32") for k, (n, m) in found]


def filters() -> list[numpy.ndarray]:
    """Return the weights of two convolutions and a dense layer, for pictures of 1 x 28 x 28."""
    return [drawn(16, 1, 3, 3) / 3, drawn(32, 16, 3, 3) / 12, drawn(800, 10) / 28]


def rows(library: Library) -> dict[str, Maker]:
    """Return the rows that a library can have, by name."""
    array, np, func, jvp, layers, ready = library

    def mlp(params: Sequence[Array], x: Array) -> Array:
        for w in params[:-1]:
            x = np.tanh(x @ w)
        return x @ params[-1]

    def dense_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
        scores = mlp(params, x)
        return (np.log(np.exp(scores).sum(-1)) - (scores * y).sum(-1)).sum()

    def elementwise(x: Array) -> Array:
        return np.sin(x) * np.exp(-x * x) + np.tanh(x)

    def layer(w: Array, x: Array) -> Array:
        return np.tanh(x @ w)

    def energy(w: Array, x: Array) -> Array:
        return np.log(1 + np.exp(x @ w)).sum()

    def value(f: Callable[..., Array], *arguments: Any) -> Callable[[], Any]:
        return lambda: ready(f(*arguments))

    def pushed(f: Callable[[Array], Array], x: Array) -> Callable[[], Any]:
        v = array(numpy.ones(tuple(x.shape), "float32"))
        return lambda: ready(jvp(f, x, v))

    def both(name: str, f: Callable[[Array], Array], x: Array) -> dict[str, Maker]:
        return {name: partial(value, f, x), f"{name} jvp": partial(pushed, f, x)}

    params, x = [array(w) for w in weights(*SIZES)], array(drawn(BATCH, SIZES[0]))
    y = array((numpy.arange(BATCH)[:, None] % 10 == range(10)).astype("float32"))
    wide, tall, w = (array(drawn(*shape)) for shape in ((8, 64), (64, 8), (16,)))
    lines = array(drawn(128, 512))
    made = {
        **both("mlp", partial(mlp, params), x),
        **both("elementwise", elementwise, array(drawn(100_000))),
        **both("elementwise 16", elementwise, array(drawn(16))),
        "jacrev 64 to 8": partial(value, func.jacrev(partial(layer, tall)), wide[0]),
        "hessian 16": partial(value, func.hessian(energy), w, array(drawn(100, 16))),
        "mlp gradient": partial(value, func.grad(dense_loss), params, x, y),
    }
    for name in ("softmax", "log_softmax", "layer_norm", "amax"):
        if name in layers:
            made |= both(name, layers[name], lines)
    if hasattr(func, "jacfwd"):
        made["jacfwd 8 to 64"] = partial(value, func.jacfwd(partial(layer, wide)), tall[0])
    if hasattr(func, "vmap"):
        each = func.vmap(func.grad(dense_loss), (None, 0, 0))
        made["vmap mlp"] = partial(value, func.vmap(mlp, (None, 0)), params, x)
        made["mlp per example"] = partial(value, each, params, x, y)
        made["vmap distances"] = partial(value, distances(np, func.vmap), array(drawn(64, 3)))
    return made | pictures(library, y, both) if "convolved" in layers else made


def distances(np: Any, vmap: Any) -> Callable[[Array], Array]:
    """Return a function that maps one of two points twice."""

    def pair(a: Array, b: Array) -> Array:
        return np.sqrt(((a - b) ** 2).sum() + 1)

    all_pairs = vmap(vmap(pair, (None, 0)), (0, None))
    return lambda points: all_pairs(points, points)


def pictures(library: Library, y: Array, both: Callable[..., dict[str, Maker]]) -> dict[str, Maker]:
    """Return the rows of a convolutional network."""
    array, _, func, _, layers, ready = library

    def cnn(params: Sequence[Array], x: Array) -> Array:
        for w in params[:2]:
            x = layers["convolved"](x, w)
        return x.reshape((x.shape[0], -1)) @ params[2]

    def loss(params: Sequence[Array], x: Array, y: Array) -> Array:
        return -(layers["log_softmax"](cnn(params, x)) * y).sum()

    def of_one(params: Sequence[Array], x: Array, y: Array) -> Array:
        return loss(params, x[None], y[None])

    params, x = [array(w) for w in filters()], array(drawn(BATCH, 1, 28, 28))
    batch, each = func.grad(loss), func.vmap(func.grad(of_one), (None, 0, 0))
    return {
        **both("cnn", partial(cnn, params), x),
        "cnn gradient": lambda: lambda: ready(batch(params, x, y)),
        "cnn per example": lambda: lambda: ready(each(params, x, y)),
    }
