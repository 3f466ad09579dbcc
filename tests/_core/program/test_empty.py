"""Arrays without values in programs."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
import gluon.np as mnp
from gluon import autograd, nn

HELD, WRITTEN, SUM = mnp.zeros((0, 3)), mnp.zeros((0, 3)), mnp.zeros((3,))


def writing(x, y):
    WRITTEN[:] = x * 2
    SUM[:] = x.sum(axis=0) + y[0]
    return SUM * 2


STEPS = {
    "elementwise": lambda x, y: (mnp.tanh(x * 2), y * 3),
    "sums": lambda x, y: x.sum(axis=0) * 2 + y + x.sum(),
    "running sums": lambda x, y: mnp.cumsum(x, axis=0).sum(axis=0) * y,
    "dot": lambda x, y: mnp.dot(y.T[:, :0], x) + 1,
    "joined": lambda x, y: mnp.concatenate([HELD, x * 2, y * 3, y[:0]]),
    "softmax": lambda x, y: (gluon.npx.softmax(x), y * 2),
    "moved": lambda x, y: (x.reshape(3, 0).T + 1, y[mnp.array([], dtype="int64")]),
}


def called(step, k: int) -> list:
    x, y = mnp.zeros((0, 3)), mnp.array(np.arange(6.0).reshape(2, 3) + k)
    for one in (x, y):
        one.attach_grad()
    found = step(x, y)
    found = [*found] if isinstance(found, tuple) else [found]
    return [one.asnumpy() for one in (*found, x.grad, y.grad)]


def differentiated(function):
    def step(x, y):
        with autograd.record():
            found = function(x, y)
            loss = sum(one.sum() for one in (found if isinstance(found, tuple) else [found]))
        loss.backward()
        return loss.detach()

    return step


ALL = [writing, *STEPS.values(), *map(differentiated, STEPS.values())]


@pytest.mark.parametrize("step", ALL)
def test_a_step_is_a_program(step):
    jitted = gluon.jit(step)
    for k in range(6):
        for found, right in zip(called(jitted, k), called(step, k), strict=True):
            assert found.shape == right.shape
            np.testing.assert_allclose(found, right, 1e-6)
    (variant,) = jitted._compiled.variants.values()
    assert variant.ready, jitted.program()


def test_an_array_that_has_values_later_is_noticed():
    held = mnp.zeros((0, 3))
    step = gluon.jit(lambda x: mnp.concatenate([held, x]) * 2)
    x = mnp.ones((2, 3))
    for _ in range(4):
        assert step(x).shape == (2, 3)
    held.raw = np.ones((1, 3), held.dtype)
    assert step(x).shape == (3, 3)


def test_a_hybridized_block(monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")
    net = nn.HybridSequential()
    net.add(
        nn.Dense(4, activation="tanh", in_units=3),
        nn.LayerNorm(in_channels=4),
        nn.Dense(2, in_units=4),
    )
    net.initialize()
    net.hybridize()
    x = mnp.ones((0, 3)).as_nd_ndarray()
    for _ in range(5):
        with autograd.record():
            y = net(x).sum()
        y.backward()
        assert y.asscalar() == 0
        assert not net[0].weight.grad().asnumpy().any()
