"""The rows of `func.py`, as users of torch.func write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import func
from torch.nn import functional

from .func import BATCH, SIZES, drawn, filters, labels, weights
from .processes import Maker

Array = Any


def mlp(params: Sequence[Array], x: Array) -> Array:
    for w in params[:-1]:
        x = torch.tanh(x @ w)
    return x @ params[-1]


def cnn(params: Sequence[Array], x: Array) -> Array:
    for w in params[:2]:
        x = functional.max_pool2d(torch.relu(functional.conv2d(x, w)), 2)
    return x.reshape(len(x), -1) @ params[2]


def dense_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    scores = mlp(params, x)
    return (torch.log(torch.exp(scores).sum(-1)) - (scores * y).sum(-1)).sum()


def conv_loss(params: Sequence[Array], x: Array, y: Array) -> Array:
    return -(torch.log_softmax(cnn(params, x), -1) * y).sum()


def elementwise(x: Array) -> Array:
    return torch.sin(x) * torch.exp(-x * x) + torch.tanh(x)


def jvp(f: Callable[[Array], Array], x: Array) -> Callable[[], Any]:
    v = torch.ones_like(x)
    return lambda: func.jvp(f, (x,), (v,))


def layer(w: Array, x: Array) -> Array:
    return torch.tanh(x @ w)


def energy(w: Array, x: Array) -> Array:
    return torch.log(1 + torch.exp(x @ w)).sum()


def distances(points: Array) -> Array:
    pair = lambda a, b: torch.sqrt(((a - b) ** 2).sum() + 1)  # noqa: E731
    return func.vmap(func.vmap(pair, (None, 0)), (0, None))(points, points)


def value(f: Callable[..., Array], *arguments: Any) -> Callable[[], Any]:
    return lambda: f(*arguments)


def each_conv(params: Sequence[Array], x: Array, y: Array) -> Array:
    return conv_loss(params, x[None], y[None])


def rows(threads: int) -> dict[str, Maker]:
    """Return the rows, by name."""
    torch.set_num_threads(threads)
    params, kernels = [[torch.tensor(w) for w in ws] for ws in (weights(*SIZES), filters())]
    x, pictures = torch.tensor(drawn(BATCH, SIZES[0])), torch.tensor(drawn(BATCH, 1, 28, 28))
    y = functional.one_hot(torch.tensor(labels())).float()
    numbers = torch.tensor(drawn(100_000))
    wide, tall = torch.tensor(drawn(8, 64)), torch.tensor(drawn(64, 8))
    points, w = torch.tensor(drawn(64, 3)), torch.tensor(drawn(16))
    data = torch.tensor(drawn(100, 16))
    each = func.vmap(func.grad(dense_loss), (None, 0, 0))
    each_picture = func.vmap(func.grad(each_conv), (None, 0, 0))
    return {
        "mlp": partial(value, mlp, params, x),
        "mlp jvp": partial(jvp, partial(mlp, params), x),
        "elementwise": partial(value, elementwise, numbers),
        "elementwise jvp": partial(jvp, elementwise, numbers),
        "cnn": partial(value, cnn, kernels, pictures),
        "cnn jvp": partial(jvp, partial(cnn, kernels), pictures),
        "jacfwd 8 to 64": partial(value, func.jacfwd(partial(layer, wide)), tall[0]),
        "jacrev 64 to 8": partial(value, func.jacrev(partial(layer, tall)), wide[0]),
        "hessian 16": partial(value, func.hessian(energy), w, data),
        "vmap mlp": partial(value, func.vmap(mlp, (None, 0)), params, x),
        "vmap distances": partial(value, distances, points),
        "mlp gradient": partial(value, func.grad(dense_loss), params, x, y),
        "mlp per example": partial(value, each, params, x, y),
        "cnn gradient": partial(value, func.grad(conv_loss), kernels, pictures, y),
        "cnn per example": partial(value, each_picture, kernels, pictures, y),
    }
