"""Drawn programs: forward mode, reverse mode, finite differences, vmap and loops agree."""

from __future__ import annotations

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon import func, np, npx

ROWS, COLUMNS = 3, 4


def _written(x, y):
    z = x * 1
    z[1:] = y[:2] * 2
    z[0] = z[0] + x[2]
    return z


#: Of one array of shape (3, 4), smooth everywhere; results have the same shape.
UNARY = {
    "sin": np.sin,
    "tanh": np.tanh,
    "exp": lambda x: np.exp(-x * x),
    "sqrt": lambda x: np.sqrt(1 + x * x),
    "log": lambda x: np.log(2 + np.cos(x)),
    "power": lambda x: (1.5 + np.sin(x)) ** 2.5,
    "number": lambda x: 2 / (3 + np.square(np.tanh(x))) - x,
    "softmax": npx.softmax,
    "log_softmax": lambda x: npx.log_softmax(x, axis=0),
    "layer_norm": lambda x: npx.layer_norm(x, np.sin(x[0]), np.cos(x[1]), eps=0.5),
    "turned": lambda x: np.flip(np.roll(x, 1, axis=1), axis=0),
    "reshaped": lambda x: x.T.reshape(ROWS, COLUMNS),
    "taken": lambda x: x[[2, 0, 1]] + x[:1],
    "product": lambda x: np.dot(np.dot(x, x.T), x) / 10,
    "einsum": lambda x: np.einsum("ij,kj->ik", np.tanh(x), x)[:, :1] * np.ones_like(x),
    "sum": lambda x: x - x.sum(axis=1, keepdims=True) / 3,
    "mean": lambda x: x * x.mean(axis=0),
    "var": lambda x: x / (1 + x.var()),
    "norm": lambda x: x / (1 + np.linalg.norm(x, axis=1, keepdims=True)),
    "prod": lambda x: x + np.tanh(x).prod(axis=1, keepdims=True),
    "cumsum": lambda x: np.cumsum(x, axis=1) / 4,
    "joined": lambda x: np.concatenate([x[:, 2:], np.sin(x[:, :2])], axis=1),
    "padded": lambda x: np.pad(x[:, 1:], ((0, 0), (1, 0)), constant_values=1.0),
}
BINARY = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * np.tanh(y),
    "divide": lambda x, y: x / (2 + np.sin(y)),
    "subtract row": lambda x, y: x - y[1],
    "column": lambda x, y: x * y[:, :1],
    "hypot": lambda x, y: np.hypot(x, 1 + np.square(y)),
    "where": lambda x, y: np.where(np.array([True, False, True, True]), x, y),
    "stack": lambda x, y: np.stack([x, y]).sum(axis=0),
    "matmul": lambda x, y: np.matmul(np.matmul(x, np.tanh(y).T), x) / 5,
    "written": _written,
}


@st.composite
def programs(draw):
    """A list of (name, places of the inputs among what was computed before)."""
    steps = []
    for k in range(draw(st.integers(1, 6))):
        name = draw(st.sampled_from([*UNARY, *BINARY]))
        count = 1 if name in UNARY else 2
        steps.append((name, [draw(st.integers(0, k)) for _ in range(count)]))
    return steps


def run(steps, x):
    """The results of all steps, the last of which matters most."""
    found = [x]
    for name, places in steps:
        found.append((UNARY | BINARY)[name](*[found[k] for k in places]))
    return found[-1] + 0.1 * found[len(found) // 2]


def close(found, wanted, rtol=1e-9):
    scale = float(numpy.abs(wanted).max(initial=1))
    numpy.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol * scale)


def drawn(seed, *shape):
    return numpy.random.RandomState(seed).normal(size=shape)


@settings(max_examples=60)
@given(steps=programs(), seed=st.integers(0, 1000))
def test_forward_and_reverse_mode_agree_with_differences(steps, seed):
    x, v, w = (np.array(drawn(seed + k, ROWS, COLUMNS), dtype="float64") for k in range(3))

    def f(x):
        return run(steps, x)

    value, tangent = func.jvp(f, (x,), (v,))
    close(value.asnumpy(), f(x).asnumpy())
    step = 1e-6
    wanted = (f(x + step * v) - f(x - step * v)).asnumpy() / (2 * step)
    close(tangent.asnumpy(), wanted, 1e-5)
    _, pull = func.vjp(f, x)
    close((pull(w)[0] * v).sum().item(), (tangent * w).sum().item())
    _, push = func.linearize(f, x)
    close(push(v).asnumpy(), tangent.asnumpy())

    def slope(x):
        return func.grad(lambda x: (f(x) * w).sum())(x)

    by_forward = func.jvp(slope, (x,), (v,))[1].asnumpy()
    close(by_forward, func.grad(lambda x: (slope(x) * v).sum())(x).asnumpy(), 1e-8)
    over = func.jvp(lambda x: func.jvp(f, (x,), (v,))[1], (x,), (v,))[1]
    close((over * w).sum().item(), (by_forward * v.asnumpy()).sum(), 1e-8)


@settings(max_examples=40)
@given(steps=programs(), seed=st.integers(0, 1000))
def test_vmap_agrees_with_a_loop(steps, seed):
    xs, v = (np.array(drawn(seed + k, 2, ROWS, COLUMNS), dtype="float64") for k in range(2))

    def f(x):
        return run(steps, x)

    def loss(x):
        return (f(x) ** 2).sum()

    for one, arrays in (
        (f, (xs,)),
        (func.grad(loss), (xs,)),
        (lambda x, v: func.jvp(f, (x,), (v,))[1], (xs, v)),
        (lambda x, v: func.jvp(func.grad(loss), (x,), (v,))[1], (xs, v)),
    ):
        found = func.vmap(one)(*arrays).asnumpy()
        wanted = numpy.stack([one(*[a[k] for a in arrays]).asnumpy() for k in range(2)])
        close(found, wanted)
    each = func.vmap(f)
    tangent = func.jvp(each, (xs,), (v,))[1]
    close(tangent.asnumpy(), func.vmap(lambda x, v: func.jvp(f, (x,), (v,))[1])(xs, v).asnumpy())
    whole = func.grad(lambda xs: (each(xs) ** 2).sum())(xs)
    close(whole.asnumpy(), func.vmap(func.grad(loss))(xs).asnumpy())
