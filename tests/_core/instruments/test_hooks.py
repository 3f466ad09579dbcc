"""Hooks on arrays."""

from __future__ import annotations

import gc

import numpy
import pytest

from gluon import autograd, nd, nn, np
from gluon._core.engine import sweep
from gluon._core.errors import ArgumentError, AutogradError, DTypeError
from gluon.autodiff import GradManager


@pytest.fixture
def x():
    x = nd.array([1, 2])
    x.attach_grad()
    return x


def test_a_hook_sees_the_whole_gradient_once_and_may_change_it(x):
    seen = []
    with autograd.record():
        y = 3 * x
        z = y * y + y

    def hook(grad):
        seen.append(grad.tolist())
        return grad * 10

    y.register_hook(hook)
    z.backward()
    assert seen == [[7, 13]]
    assert x.grad.tolist() == [210, 390]


@pytest.mark.parametrize("make", [nd.array, np.array])
def test_a_hook_on_a_marked_array_changes_what_is_delivered(make):
    w = make([1.0, 2.0])
    w.attach_grad("add")
    kinds = []
    w.register_hook(lambda grad: kinds.append(type(grad)))
    w.register_hook(lambda grad: grad.clip(-1, 1))
    for _ in range(2):
        with autograd.record():
            y = w * w
        y.backward()
    assert (kinds, w.grad.tolist()) == ([type(w)] * 2, [2, 2])


def test_a_hook_is_removed(x):
    seen = []
    handle = x.register_hook(seen.append)
    with x.register_hook(lambda grad: grad * 0), autograd.record():
        y = x * x
        y.backward()
    assert x.grad.tolist() == [0, 0]
    handle.remove()
    handle.remove()
    with autograd.record():
        y = x * x
    y.backward()
    assert (len(seen), x.grad.tolist()) == (1, [2, 4])


def test_a_head_and_one_of_several_outputs(x):
    with autograd.record():
        a, b = nd.split(x, 2, axis=0)
        y = a * b
    y.register_hook(lambda grad: grad * 2)
    b.register_hook(lambda grad: grad + 100)
    y.backward()
    assert x.grad.tolist() == [4, 102]


def test_grad_of_what_is_in_between(x):
    with autograd.record():
        y = x * x
        z = y * y
    y.register_hook(lambda grad: grad * 2)
    assert autograd.grad([z], [y], retain_graph=True)[0].tolist() == [4, 16]
    assert autograd.grad([z], [x])[0].tolist() == [8, 64]


def test_higher_orders_pass_through_a_hook(x):
    x.register_hook(lambda grad: grad * grad)
    with autograd.record():
        y = x * x * x
        slope = autograd.grad([y], [x], create_graph=True)[0]  # (3 x²)²
        assert slope.tolist() == [9, 144]
    handle = x.register_hook(lambda grad: grad)
    handle.remove()
    slope.backward()  # its derivative is 36 x³, the square of which the hook gives
    numpy.testing.assert_allclose(x.grad.asnumpy(), [36**2, 288**2], rtol=1e-5)


def test_in_sessions_of_managers():
    x = nd.array([3.0])
    manager = GradManager().attach(x)
    with manager:
        y = x * x
        y.register_hook(lambda grad: grad * 5)
        x.register_hook(lambda grad: grad + 1)
        manager.backward(y)
    assert x.grad.tolist() == [31]


def test_a_hook_on_a_weight_lasts_while_a_network_is_trained():
    net = nn.Dense(1, in_units=2, use_bias=False)
    net.initialize()
    norms = []
    net.weight.data().register_hook(lambda grad: norms.append(grad.norm().item()))
    for _ in range(2):
        with autograd.record():
            y = net(nd.array([[3, 4]]))
        y.backward()
    assert norms == [5, 5]


def test_what_a_hook_writes_to_changes_nothing(x):
    def hook(grad):
        grad[:] = 0

    with autograd.record():
        y = x * 2
        z = y + x
    y.register_hook(hook)
    z.backward()
    assert x.grad.tolist() == [3, 3]


def test_nothing_is_left_when_the_hooked_arrays_are_gone(x, no_cycle_collector):
    with autograd.record():
        y = x * x
    y.register_hook(lambda grad: None)
    assert sweep._walker is not None
    del y
    with autograd.record():
        y = x * x
    y.backward()
    assert sweep._walker is None


def test_hooks_and_instruments(x):
    y = None
    with autograd.detect_anomaly():
        x.register_hook(lambda grad: grad * 2)
        with autograd.record():
            y = x * x
        y.backward()
    with autograd.record():
        y = x * x
    y.backward()
    assert x.grad.tolist() == [4, 8]


def test_bad_hooks_are_named(x):
    with pytest.raises(AutogradError, match=r"register_hook: an array of shape .*attach_grad"):
        nd.ones(2).register_hook(print)
    with pytest.raises(DTypeError, match="give a function"):
        x.register_hook(2)
    for given, kind, says in (
        (lambda grad: 3, DTypeError, "returned an int"),
        (lambda grad: grad[:1], ArgumentError, r"shape \(1,\) for an array of shape \(2,\)"),
    ):
        with x.register_hook(given), autograd.record():
            y = x * x
            with pytest.raises(kind, match=says):
                y.backward()
    gc.collect()
