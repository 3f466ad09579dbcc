"""Results that share memory, and views after writes, moves and in graphs."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from gluon import autograd, nd
from tests._core.arrays.programs import VIEWS
from tests._core.arrays.replay import assert_as_the_oracle, programs


@pytest.mark.parametrize("program", programs(VIEWS, {}))
def test_writes_show_where_they_do_in_the_oracle(program):
    assert_as_the_oracle(program)


@pytest.fixture
def x():
    return nd.arange(12).reshape((3, 4)).copy()


def test_a_view_of_a_view_reaches_the_base(x):
    x[1:].reshape((8,))[2:4][:] = -1
    assert x.asnumpy()[1].tolist() == [4, 5, -1, -1]


def test_views_follow_the_base_when_a_graph_keeps_its_buffer(x):
    """A write moves base and views together; the graph keeps the old values."""
    x.attach_grad()
    row, flat = x[1], x.reshape((12,))
    with autograd.record():
        y = (x * x).sum()
    x[:] = 1
    assert row.asnumpy().tolist() == [1] * 4
    assert flat.asnumpy().tolist() == [1] * 12
    row[:] = 2
    flat[0] = 3
    assert x.asnumpy().tolist() == [[3, 1, 1, 1], [2] * 4, [1] * 4]
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 2 * np.arange(12).reshape(3, 4))


def test_a_write_through_a_view_is_seen_by_the_base_while_a_graph_keeps_it(x):
    x.attach_grad()
    row = x[2]
    with autograd.record():
        y = (x * x).sum()
    row += 100
    assert x.asnumpy()[2].tolist() == [108, 109, 110, 111]
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 2 * np.arange(12).reshape(3, 4))


def test_a_view_outlives_its_base(x):
    row = x[1]
    del x
    row[:] = 5
    assert row.asnumpy().tolist() == [5] * 4


def test_siblings_see_each_other_after_the_base_is_gone(x):
    top, bottom, middle = x[:2], x[1:], x[1]
    del x
    middle[:] = 7
    assert top.asnumpy()[1].tolist() == bottom.asnumpy()[0].tolist() == [7] * 4


def test_the_gradient_of_a_variable_is_a_handle_that_stays(x):
    """``x.grad`` and views of it are written in place by backward."""
    x.attach_grad()
    grad, row = x.grad, x.grad[1]
    with autograd.record():
        y = (x * 3).sum()
    y.backward()
    assert grad is x.grad
    assert row.asnumpy().tolist() == [3] * 4


def test_detach_shares_memory_but_not_history(x):
    x.attach_grad()
    with autograd.record():
        y = x * 2
        z = (y.detach() * y).sum()
    z.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 4 * np.arange(12).reshape(3, 4))
    y.detach()[:] = 0
    assert not y.asnumpy().any()


def test_many_short_lived_views_leave_nothing_behind(x):
    for _ in range(100):
        x[0]
    assert len(x._group) < 20


def test_a_view_recorded_reaches_the_base_with_its_gradient(x):
    x.attach_grad()
    with autograd.record():
        y = (x[1] * x.reshape((12,))[4:8]).sum()
    y.backward()
    want = np.zeros((3, 4))
    want[1] = 2 * np.arange(4, 8)
    np.testing.assert_array_equal(x.grad.asnumpy(), want)


def test_the_backward_of_an_iteration_is_linear_in_its_length():
    def calls(length):
        """How many frames of Python a backward pass through all parts runs, generators too."""
        x = nd.ones((length,))
        x.attach_grad()
        with autograd.record():
            total = sum(list(x), nd.zeros((1,)))
        count = 0

        def profile(frame, event, argument):
            nonlocal count
            count += event == "call"

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            total.backward()
        finally:
            sys.setprofile(before)
        assert x.grad.asnumpy().tolist() == [1] * length
        return count

    calls(4)
    short, middle, long = calls(50), calls(100), calls(200)
    assert long - middle < 2.5 * (middle - short)
