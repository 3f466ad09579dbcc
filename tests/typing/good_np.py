"""Correct code with `np` and `npx`, in which type checkers find no errors."""

import numpy

from gluon import autograd, cpu, np, npx


def arithmetic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    z = -x * 2 + y / 3.0 - 1
    z += x
    z @= y
    z = 2 ** abs(z) % 3 // 2
    z = x + [1, 2] + numpy.ones(2) + np.float32(1)  # noqa: RUF005
    mask = (x > 0) & (y <= 1) | ~(x == y)
    quotient, rest = divmod(x, 2)
    return np.where(mask, z, quotient) + rest @ y


def methods(x: np.ndarray) -> np.ndarray:
    total: np.ndarray = x.sum(axis=0, keepdims=True)
    mean = x.mean((0, 1), dtype="float64")
    shaped = x.reshape(2, -1).transpose().T.flatten().astype(np.int32).copy()
    best = x.argmax(axis=-1)
    x.sort()
    number: float = x.std().item()
    shape: tuple[int, ...] = x.shape
    values: numpy.ndarray = x.asnumpy()
    x.flat[0] = number + len(shape) + values.size + x.size
    x[1:, ..., None] = 0
    for row in x:
        total = total + row.clip(0, 1).round(2)
    return total + mean + shaped + best + x.dot(x) + x.to_device(cpu())


def functions(x: np.ndarray) -> np.ndarray:
    y = np.exp(x, out=x) + np.maximum(x, 0) + np.log1p([1, 2], dtype="float64")
    y = np.sum(y, axis=(0, 1)) + np.concatenate([x, x], axis=0) + np.stack((x, x))
    y = y + np.zeros((2, 3), dtype=np.float32, ctx=cpu()) + np.ones_like(x) + np.arange(3)
    y = y + np.array([[1, 2], [3, 4]], dtype="int32") + np.full(2, np.pi) + np.vstack([x, y])
    y = y + np.clip(x, 0, None) + np.transpose(x, (1, 0)) + np.expand_dims(x, 0)
    parts: list[np.ndarray] = np.split(x, 2)
    values, vectors = np.linalg.eigh(x)
    y = y + np.linalg.norm(x, axis=1) + np.random.normal(0, 1, size=(2, 3)) + values + vectors
    return y + parts[0] + np.tril(x, k=1) + np.quantile(x, [0.5]) + np.hanning(3)


def operators(x: np.ndarray) -> np.ndarray:
    npx.set_np()
    x.attach_grad()
    with autograd.record():
        y = npx.masked_softmax(x, x > 0) + npx.index_add(x, [[0]], 1)
    y.backward()
    npx.random.seed(1)
    return y.detach() + npx.reshape(x, (-2, -1)) + npx.random.bernoulli(0.5, size=3)


def numbers() -> float:
    root: float = np.sqrt(2.0)
    total: float = -np.exp(2.0) * 3 + np.add(1, 2) + root
    return total
