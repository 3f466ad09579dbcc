"""What is compared before a program is used: a program that is wrong must not look right."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, nd
from gluon._core.program import lower, order, plan
from gluon._core.program.probe import Probe, Unknown
from tests._core.program.test_compiled import needs_library


def state(jitted):
    """The one variant of a step."""
    (variant,) = jitted._compiled.variants.values()
    return variant


@needs_library
@pytest.mark.parametrize("n", [3000, 4099, 20000])
def test_a_value_that_is_not_loaded_is_noticed(monkeypatch, n):
    class Forgetful(plan._Registers):
        def __init__(self, *args) -> None:
            super().__init__(*args)
            self.loads = self.loads[:-1]

    def step(x, z):
        return nd.sigmoid(x) * z

    x, z = nd.array(np.linspace(-3, 3, n)), nd.array(np.linspace(1, 2, n))
    for _ in range(4):  # which leaves the right values in the registers
        other = gluon.jit(step)
        for _ in range(4):
            right = other(x, z).asnumpy()
    monkeypatch.setattr(plan, "_Registers", Forgetful)
    jitted = gluon.jit(step)
    for _ in range(6):
        assert (jitted(x, z).asnumpy() == right).all()
    assert "another result" in state(jitted).failed


def test_a_value_that_is_not_computed_is_noticed(monkeypatch):
    monkeypatch.setattr(plan, "needed", lambda nodes, kept: order.needed(nodes, kept)[1:])
    jitted = gluon.jit(lambda x: nd.dot(nd.tanh(x), x))
    x = nd.array(np.linspace(-1, 1, 144).reshape(12, 12))
    for _ in range(6):
        np.testing.assert_allclose(jitted(x).asnumpy(), nd.dot(nd.tanh(x), x).asnumpy(), 1e-5, 1e-6)
    assert "another result" in state(jitted).failed


def test_sums_that_differ_for_later_arguments_are_added_as_the_kernels_do():
    """A program that was right for some values is compared for others; here their sum cancels."""
    jitted = gluon.jit(lambda x: x.sum(axis=0))
    x = nd.array(np.random.RandomState(0).rand(1000, 3))
    for _ in range(4):
        jitted(x)
    first = state(jitted)
    assert first.ready
    assert not first.exact
    first.program.plan.made.clear()  # so that it gives something else
    z = nd.array(np.random.RandomState(1).randn(1000, 3))
    for _ in range(4):
        assert (jitted(z + 0).asnumpy() == z.sum(axis=0).asnumpy()).all()
    assert state(jitted).exact
    assert state(jitted).ready


def test_a_move_of_an_array_that_is_a_view():
    w, s = (nd.array(np.arange(12).reshape(3, 4)) for _ in range(2))
    w.attach_grad()

    @gluon.jit
    def step(x):
        with autograd.record():
            y = (w * s * x).sum()
            with autograd.pause():
                part = s[:2]
                part += 0.25
                del part
            y = y + (w * s).sum()
            with autograd.pause():
                s[:] = s * 0.9
        y.backward()
        return nd.transpose(s) * 2

    x = nd.ones((3, 4))
    right = s.asnumpy()
    for _ in range(6):
        before = right.copy()
        right[:2] += 0.25
        right *= np.float32(0.9)
        found = step(x)
        np.testing.assert_allclose(found.asnumpy(), right.T * 2, 1e-6)
        np.testing.assert_allclose(w.grad.asnumpy(), before + right / np.float32(0.9), 1e-6)
    assert state(step).ready, state(step).failed


@pytest.mark.parametrize("read", [lambda x: x[0, 0], lambda x: x[0][1], lambda x: x.reshape(-1)[2]])
def test_a_value_that_a_kernel_takes_out_is_not_a_constant(read):
    with pytest.raises(Unknown):
        read(np.ones((2, 3)).view(Probe))


def test_an_array_with_equal_values_is_not_a_constant():
    listener = lower.Lowering.__new__(lower.Lowering)
    listener.memory, listener.alike, listener.keep = {}, set(), []
    with pytest.raises(Unknown):
        listener._operand(np.ones(3), np.dtype(float), (3,))
