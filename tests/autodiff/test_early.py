"""Callbacks that start with gradients during the backward pass."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gluon import nd
from gluon.autodiff import GradManager
from gluon.autodiff.checks import Awaited, Beginning
from gluon.autograd import Function


class Noted(Beginning, Awaited):
    """Records when and for which tensor it is called; doubles gradients when they are awaited."""

    def __init__(self, events):
        self.events = events

    def begin(self, tensors):
        self.tensors = tensors

        def called(tensor, grad):
            self.events.append([tensor is one for one in tensors].index(True))
            later = Noted(self.events)
            later.grad = grad * 2
            return later

        return called

    def wait(self):
        self.events.append("wait")
        return self.grad

    def __call__(self, tensor, grad):
        self.events.append("after")
        return grad * 2


def noting(events, name):
    """Return an operator that records when the backward pass reaches it."""

    class Noting(Function):
        def forward(self, x):
            return x * 1

        def backward(self, dy):
            events.append(name)
            return dy * 1

    return Noting()


def test_gradients_leave_while_the_backward_pass_goes_on():
    weights = [nd.array([k + 2.0]) for k in range(3)]
    events = []
    with GradManager().attach(weights, Noted(events)) as manager:
        y = nd.array([3.0]) * weights[0]
        for k in (1, 2):
            y = noting(events, f"layer {k}")(y) * weights[k]
        manager.backward(y)
    assert events == [2, "layer 2", 1, "layer 1", 0, "wait", "wait", "wait"]
    assert [w.grad.asscalar() for w in weights] == [2 * 3 * 12, 2 * 3 * 8, 2 * 3 * 6]


def test_gradients_leave_in_one_order_whatever_the_order_of_use():
    for used in itertools.permutations(range(3)):
        weights, events = [nd.array([k + 2.0]) for k in range(3)], []
        with GradManager().attach(weights, Noted(events)) as manager:
            y = nd.array([3.0])
            for k in used:
                y = y * weights[k]
            manager.backward(y)
        assert events[:3] == [2, 1, 0]
        assert [w.grad.asscalar() for w in weights] == [2 * 3 * 12, 2 * 3 * 8, 2 * 3 * 6]


def drawn_graph(draws, weights):
    values = [*weights, nd.array([0.5, 1.5])]
    for _ in range(12):
        a, b = (values[draws.randint(len(values))] for _ in range(2))
        made = (a + b, a * b, a - b, nd.tanh(a), nd.BlockGrad(a) * b, nd.concat(a, b, dim=0)[1:3])
        values.append(made[draws.randint(6)] * 0.5)
    return sum(values[-4:], nd.zeros((2,)))


@pytest.mark.parametrize("seed", range(30))
def test_gradients_that_leave_early_are_the_same(seed):
    found = []
    for callbacks in (Noted([]), lambda t, g: g * 2, [Noted([]), lambda t, g: g]):
        weights = [nd.array([k + 0.5, k - 0.5]) for k in range(4)]
        hook = {"keep": None}
        with GradManager().attach(weights, callbacks) as manager:
            if seed % 3 == 0:
                hook["keep"] = weights[1].register_hook(lambda g: g + 1)
            heads = [drawn_graph(np.random.RandomState(seed), weights)]
            if seed % 2:
                heads.append(weights[0])
            manager.backward(heads)
        found.append([None if w.grad is None else w.grad.asnumpy() for w in weights])
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                assert_allclose(one, other, rtol=1e-6)


def test_what_an_outer_manager_records_leaves_after_the_pass():
    x = nd.array([1.0, 2.0, 3.0])
    events = []
    outer, inner = GradManager().attach(x), GradManager().attach(x, Noted(events))
    with outer:
        with inner:
            slope = inner.backward((x * x).sum())
        x.grad = None
        outer.backward(slope)
    assert events == ["after"]
    assert_allclose(x.grad.asnumpy(), [4, 4, 4])


def test_a_failed_pass_leaves_nothing_to_the_next():
    x = nd.array([1.0, 2.0, 3.0])

    class Fails(Function):
        def forward(self, x):
            return x * 1

        def backward(self, dy):
            raise KeyError("no gradient")

    events, w = [], nd.array([2.0])
    manager = GradManager().attach([x, w], Noted(events))
    with manager, pytest.raises(KeyError):
        manager.backward((Fails()(x) * w).sum())
    assert events == [1]
    assert w.grad is None
    with manager:
        manager.backward((x * w).sum())
    assert_allclose(w.grad.asnumpy(), [12])
