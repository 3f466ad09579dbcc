"""A tape records what depends on its own variables, and nothing else."""

from __future__ import annotations

import weakref

import pytest
from numpy.testing import assert_array_equal

from gluon import autograd, nd
from gluon.autodiff import GradManager
from gluon.engine.errors import AutogradError


class Product(autograd.Function):
    def forward(self, x, w):
        self.save_for_backward(x, w)
        return x * w

    def backward(self, dy):
        x, w = self.saved_tensors
        return dy * w, dy * x


#: Of one input, of two, of any number, written by the user.
CALLS = [
    lambda x, w: x.exp(),
    lambda x, w: x * w,
    lambda x, w: nd.concat(x, w, dim=0),
    lambda x, w: Product()(x, w),
]


@pytest.fixture
def x():
    return nd.array([1.0, 2.0])


@pytest.mark.parametrize("call", CALLS)
def test_what_only_a_manager_tracks_is_nothing_to_record(x, call):
    with GradManager().attach(x) as manager, autograd.record():
        y = call(x, nd.ones((2,)))
        with pytest.raises(AutogradError, match="only a GradManager recorded it"):
            y.backward()
        assert manager.backward(y) is not None


@pytest.mark.parametrize("call", CALLS)
def test_what_only_record_tracks_is_a_constant_to_a_manager(x, call):
    other = nd.array([3.0, 4.0])
    x.attach_grad()
    with GradManager().attach(other) as manager, autograd.record():
        y = call(x, nd.ones((2,)))
        assert manager.backward(y) is None
    y.backward()
    assert x.grad.asnumpy().all()


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("call", CALLS[:3])
def test_a_tape_that_did_not_see_a_call_does_not_keep_it_alive(x, call):
    x.attach_grad()
    with GradManager().attach(nd.ones((2,))), autograd.record():
        middle = x.exp()
        kept = weakref.ref(middle._raw)
        y = call(middle, nd.ones((2,))) * middle[0]
        del middle
        y.backward()
        assert kept() is None


def test_each_tape_walks_its_own_part_of_one_graph(x):
    w = nd.array([3.0, 4.0])
    w.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y = x * w + x.exp() * w.exp()
        dx = manager.backward(y)
        y.backward()
    assert_array_equal(dx.asnumpy(), (w + x.exp() * w.exp()).asnumpy())
    assert_array_equal(w.grad.asnumpy(), (x + x.exp() * w.exp()).asnumpy())
