"""Correct code with `nd`, in which type checkers find no errors."""

from __future__ import annotations

from gluon import Block, HybridBlock, autograd, nd
from gluon.nd import NDArray


def layer(x: NDArray, weight: NDArray) -> NDArray:
    return nd.relu(nd.dot(x, weight, transpose_b=True))


def loss(y: NDArray, target: NDArray) -> NDArray:
    difference = y - target
    return (difference**2).mean(axis=-1) / 2 + 0.1 * y.abs().sum()


def penalty(parameters: list[NDArray]) -> NDArray:
    total = nd.zeros((1,))
    for one in parameters:
        total += one.square().sum()
    return -total * 2 / 3


def scaled(x: NDArray, low: float, high: float) -> NDArray:
    x = (x - x.min()) / (x.max(axis=0, keepdims=True) + 1e-6)
    return nd.clip(x * (high - low) + low, low, high)


def largest(x: NDArray) -> NDArray:
    mask: NDArray = x == x.max()
    return nd.where(mask, x, nd.zeros_like(x))[0]


def numbers(x: NDArray) -> tuple[float, int, tuple[int, ...], int]:
    return float(x.sum().asscalar()), int(x.size), x.shape, len(x)


def both(x: NDArray, out: NDArray) -> list[NDArray]:
    first: NDArray = nd.exp(x, out=out)
    second = nd.add(x, 2, out=out)
    third = nd.broadcast_maximum(2.0, x)
    return [first, second, third, nd.elemwise_add(x, x, name="sum"), x.softmax(axis=1)]


def moved(x: NDArray) -> NDArray:
    x = x.reshape((-1, 2)).transpose().expand_dims(axis=0)
    x = nd.concat(x, x, dim=0).slice_axis(axis=0, begin=0, end=1).squeeze(axis=0)
    return nd.stack(x.T, x.T, axis=1).astype("float64").copy()


def drawn(batch: int) -> NDArray:
    noise = nd.random.normal(0, 1, shape=(batch, 3))
    return noise + nd.random_uniform(shape=(batch, 3)) + nd.linalg.potrf(nd.eye(3))


def image(x: NDArray, weight: NDArray) -> NDArray:
    y = nd.Convolution(x, weight, kernel=(3, 3), num_filter=8, no_bias=True)
    y = nd.Pooling(y, pool_type="max", kernel=(2, 2), stride=(2, 2))
    return nd.Dropout(nd.Activation(y, act_type="relu"), p=0.5)


def normalised(x: NDArray, one: NDArray, zero: NDArray) -> NDArray:
    y: NDArray = nd.BatchNorm(x, one, zero, zero, one)
    return nd.contrib.div_sqrt_dim(y)


class Twice(Block):
    def forward(self, x: NDArray, factor: float = 2) -> NDArray:
        return x * factor


class Gated(HybridBlock):
    def forward(self, x: NDArray, gate: NDArray | None = None) -> NDArray:
        return x if gate is None else x * gate.sigmoid()


class Cube(autograd.Function):
    def forward(self, x: NDArray) -> NDArray:
        self.save_for_backward(x)
        return x**3

    def backward(self, dy: NDArray) -> NDArray:
        x: NDArray = self.saved_tensors[0]
        return 3 * x**2 * dy


x = nd.array([[1.0, 2.0], [3.0, 4.0]])
doubled: NDArray = Twice()(Gated()(x))
x.attach_grad()
with autograd.record():
    y = loss(layer(x, nd.ones((2, 2))), nd.zeros((2, 2))) + penalty([x])
y.backward()
gradient: NDArray = x.grad
nd.sgd_update(x, gradient, lr=0.1, out=x)
for row in x:
    print(row.asnumpy().tolist(), 2 - row, 1 / row, row % 2, row > 1, row != 2)
