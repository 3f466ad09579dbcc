"""Drawn steps with and without `jit`: views, broadcasts, sums, products, joins and writes."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, nd
from gluon._core.program import loops

UNARY = (
    lambda x: nd.tanh(x),
    lambda x: nd.sigmoid(x),
    lambda x: nd.relu(x),
    lambda x: nd.sqrt(nd.abs(x) + 0.5),
    lambda x: x * 0.7 - 1,
    lambda x: nd.where(x > 0, x, x * 0.1),
    lambda x: 2.0 - x.astype("float64").astype("float32"),
)
#: In-place updates of a state `s` by a value `u`, another state `t` and rows `i` to `j`.
WRITES = (
    lambda s, u, t, i, j: s.__setitem__(slice(None), s * 0.9 + nd.sigmoid(u) * 0.1),
    lambda s, u, t, i, j: s.__setitem__(slice(None), t * 0.5 + s * 0.3),
    lambda s, u, t, i, j: s.__setitem__(slice(i, j), t[i:j] * 0.5 + 0.1),
    lambda s, u, t, i, j: s.__imul__(0.5),
    lambda s, u, t, i, j: s.__iadd__(u * 0.01),
    lambda s, u, t, i, j: s[i:j].__iadd__(0.25),
)
BINARY = (
    nd.broadcast_add,
    nd.broadcast_sub,
    nd.broadcast_maximum,
    lambda x, z: nd.broadcast_mul(x, nd.sigmoid(z)),  # so that values stay small
)


def grown(values: list, kind: int, r: np.random.RandomState, w) -> None:
    """Add one more value to those of a step."""
    u, v = (values[r.randint(len(values))] for _ in range(2))
    n, m = u.shape
    if kind == 0:
        values.append(UNARY[r.randint(len(UNARY))](u))
    elif kind == 1:
        values.append(BINARY[r.randint(len(BINARY))](u, v))
    elif kind == 2:
        values.append(nd.tanh(nd.dot(u, w)))
    elif kind == 3:
        values.append(nd.broadcast_add(u, u.mean(axis=int(r.randint(2)), keepdims=True)))
    elif kind == 4:
        values.append((u.reshape((m, n)) * 1.5).reshape((n, m)))
    elif kind == 5:
        values.append(nd.concat(u, v, dim=1)[:, 1 : m + 1])
    elif kind == 6:
        values.append(nd.concat(u[: n // 2] * 2, u[n // 2 :], dim=0))
    else:
        values.append(nd.tanh(nd.dot(u, nd.transpose(v)).mean()) * u)


def written(states: list, values: list, r: np.random.RandomState) -> None:
    """Write to one of the states."""
    i, n = int(r.randint(len(states[0]))), len(states[0])
    s, t = (states[r.randint(2)] for _ in range(2))
    u = values[r.randint(len(values))].detach()
    WRITES[r.randint(len(WRITES))](s, u, t, i, int(r.randint(i, n)) + 1)


def drawn(seed: int):
    """A step, its argument and its variables."""
    r = np.random.RandomState(seed)
    n, m = int(r.choice([3, 8, 17, 50, 64])), int(r.choice([4, 5, 32, 65, 111]))
    shapes = (n, m), (m, m), (m,), (n, m), (n, m), (n, m)
    made = [(r.randn(*shape) * 0.3).astype("float32") for shape in shapes]
    a, w, b, x, *states = map(nd.array, made)
    for one in (a, w, b):
        one.attach_grad("add" if r.randint(5) == 0 else "write")
    steps = [(int(r.randint(12)), int(r.randint(1 << 30))) for _ in range(r.randint(4, 20))]

    def step(x):
        with autograd.record():
            values = [a, x, nd.broadcast_add(a, b)]
            for kind, k in steps:
                if kind < 8:
                    grown(values, kind, np.random.RandomState(k), w)
                elif kind == 8:
                    values.append(values[-1] * states[0].detach())
                else:
                    written(states, values, np.random.RandomState(k))
            loss = sum(one.mean() for one in values[1:])
        loss.backward()
        a[:] = a - 0.1 * a.grad
        b[1:3] = b[:2] + 0.1
        return loss

    return step, x, (a, w, b, *states)


def same(found, right) -> bool:
    found, right = found.asnumpy(), right.asnumpy()
    return bool(np.allclose(found, right, 1e-4, 1e-4 * np.abs(right).max()))


def compared(seed: int, **options) -> bool:
    """Compare five calls with and without `jit`; whether the step became a program."""
    step, x, variables = drawn(seed)
    other, z, others = drawn(seed)
    jitted = gluon.jit(other, **options)
    for k in range(5):
        right, found = step(x), jitted(z)
        assert same(found, right), (seed, k)
        for one, two in zip(variables, others):
            assert same(two, one), (seed, k)
            assert one.grad is None or same(two.grad, one.grad), (seed, k)
        x, z = x * 0.9 + 0.01, z * 0.9 + 0.01
    return any(variant.ready for variant in jitted._compiled.variants.values())


@pytest.mark.parametrize("start", [0, 10, 20, pytest.param(100, marks=pytest.mark.slow)])
def test_drawn_steps(start):
    assert sum(compared(seed) for seed in range(start, start + 10)) == 10


def test_drawn_steps_with_the_loops_of_the_library(monkeypatch):
    monkeypatch.setattr(loops, "LEAST", 1)
    assert sum(compared(seed) for seed in range(30, 45)) == 15


def test_drawn_steps_with_exact_sums():
    assert sum(compared(seed, exact=True) for seed in range(5)) == 5


def test_drawn_steps_without_the_library(monkeypatch):
    monkeypatch.setattr(loops, "READABLE", False)
    assert sum(compared(seed) for seed in range(5)) == 5
