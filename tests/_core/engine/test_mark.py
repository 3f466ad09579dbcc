"""Marked variables, and how their gradients are handed to them."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd
from gluon._core.errors import ArgumentError
from gluon.autodiff import GradManager


def values(array) -> list:
    return array.asnumpy().tolist()


@pytest.fixture
def x():
    return nd.array([1.0, 2.0])


def test_attach_grad_in_the_session_of_a_manager_cuts_it_off_from_nothing(x):
    with GradManager().attach(x) as manager:
        y = x * x
        x.attach_grad()
        with autograd.record():
            z = y * x
        dx = manager.backward(z)
    assert values(dx) == values(x.grad) == [3, 12]
    z.backward()
    assert values(x.grad) == [1, 4]  # to record(), y was a constant


def test_attach_grad_on_what_a_manager_recorded_cuts_its_history(x):
    with GradManager().attach(x) as manager:
        y = x * 2
        y.attach_grad()
        assert manager.backward(y * 3) is None
    with autograd.record():
        z = y * y
    z.backward()
    assert values(y.grad) == [4, 8]


def test_what_was_written_in_a_session_keeps_its_history_for_others(x):
    w = nd.array([3.0, 5.0])
    with GradManager().attach(w) as outer:
        with GradManager().attach(x) as inner:
            x *= w
            assert values(inner.backward(x)) == [3, 5]
        assert values(outer.backward(x)) == [1, 2]


def test_null_in_the_session_of_a_manager_is_null_to_autograd_alone(x):
    x.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y = x * x
        x.attach_grad("null")
        y.backward()
        assert x.grad is None
        assert values(manager.backward(x * 3)) == [3, 3]


def test_a_gradient_that_was_taken_away_comes_back(x):
    x.attach_grad()
    x.grad = None
    with autograd.record():
        y = x * x
    y.backward()
    assert values(x.grad) == [2, 4]
    assert x.fresh_grad


@pytest.mark.parametrize(("grad_req", "before"), [("add", 10), ("write", 0)])
def test_a_manager_records_how_a_gradient_is_handed_over(x, grad_req, before):
    x.attach_grad(grad_req)
    x.grad[:] = 10
    with GradManager().attach(x) as manager:
        with autograd.record():
            y = x**3
            y.backward()
        slope = x.grad * 1
        assert values(slope) == [before + 3, before + 12]
        assert values(manager.backward(slope)) == [6, 12]


def test_a_manager_records_how_gradients_are_added_up(x):
    x.attach_grad("add")
    with GradManager().attach(x) as manager:
        with autograd.record():
            y, z = x**3, x**2
        y.backward()
        z.backward()
        assert values(x.grad) == [5, 16]
        assert values(manager.backward(x.grad * 1)) == [8, 14]


def test_a_session_that_ends_leaves_the_gradient_of_another_alone(x):
    x.grad = nd.array([10.0, 10.0])
    outer, first, second = GradManager().attach(x), GradManager().attach(x), GradManager()
    with outer:
        with first:
            x *= 2
            with second.attach(x):
                second.backward(x * 5)
        assert values(x.grad) == [15, 15]


@pytest.mark.parametrize("create_graph", [True, False])
def test_a_gradient_has_the_dtype_of_its_variable(x, create_graph):
    x.attach_grad()
    with autograd.record():
        y = x * x * nd.array([3.0, 5.0], dtype="float64")
        (dx,) = autograd.grad(y, x, create_graph=create_graph)
    assert (y.dtype, dx.dtype) == (np.float64, np.float32)
    assert values(dx) == [6, 20]
    if create_graph:
        (ddx,) = autograd.grad(dx, x)
        assert (ddx.dtype, values(ddx)) == (np.float32, [6, 10])


def test_a_recorded_write_keeps_shape_and_dtype(x):
    x.attach_grad()
    with autograd.record():
        y = x * x
        with pytest.raises(ArgumentError, match=r"\(2, 2\).*\(2,\).*keep the shape"):
            y += nd.ones((2, 2))
        y += x * nd.array([3.0, 5.0], dtype="float64")
    y.backward()
    assert (y.dtype, values(y), values(x.grad)) == (np.float32, [4, 14], [5, 9])
