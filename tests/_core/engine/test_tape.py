"""A tape records only results that depend on its own variables."""

from __future__ import annotations

import weakref

import pytest
from numpy.testing import assert_array_equal

from gluon import autograd, nd
from gluon._core.errors import AutogradError
from gluon.autodiff import GradManager


class Product(autograd.Function):
    def forward(self, x, w):
        self.save_for_backward(x, w)
        return x * w

    def backward(self, dy):
        x, w = self.saved_tensors
        return dy * w, dy * x


def normalized(x, w):
    """An operator with one rule for the gradients of all its inputs."""
    return nd.LayerNorm(x.reshape((1, 2)), w, nd.zeros((2,)))


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
        kept = weakref.ref(middle.raw)
        y = call(middle, nd.ones((2,))) * middle[0]
        del middle
        y.backward()
        assert kept() is None


@pytest.mark.parametrize("first", ["record", "manager"])
def test_what_one_tape_released_is_there_for_the_other_and_then_gone(x, first):
    x.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y = x.exp()
        if first == "record":
            y.backward()
            with pytest.raises(AutogradError, match="'exp' was released"):
                y.backward()
            assert_array_equal(manager.backward(y).asnumpy(), y.asnumpy())
        else:
            manager.backward(y)
            y.backward()
    with pytest.raises(AutogradError, match="'exp' was released"):
        y.backward()


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize(
    "order", ["record, manager", "manager, record", "record", "released, record"]
)
def test_the_last_tape_that_is_open_frees_the_graph(x, order):
    x.attach_grad()
    manager = GradManager().attach(x)
    with manager, autograd.record():
        middle = x.exp()
        kept = weakref.ref(middle.raw)
        y = middle * middle
        del middle
        steps = {
            "record": y.backward,
            "manager": lambda: manager.backward(y),
            "released": manager.release,
        }
        for step in order.split(", "):
            assert kept() is not None
            steps[step]()
        assert (kept() is None) is (order != "record")
    y = steps = None
    assert kept() is None


@pytest.mark.parametrize("call", [*CALLS[1:], normalized])
def test_each_tape_walks_behind_its_own_inputs_alone(x, call):
    w = nd.array([0.5, 0.25])
    w.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y = call(x.exp(), w.exp())
        y.backward()
        dx = manager.backward(y)
    x.attach_grad()
    dw = w.grad.copy()
    with autograd.record():
        y = call(x.exp(), w.exp())
    y.backward()
    assert_array_equal(dx.asnumpy(), x.grad.asnumpy())
    assert_array_equal(dw.asnumpy(), w.grad.asnumpy())


def test_each_tape_walks_its_own_part_of_one_graph(x):
    w = nd.array([3.0, 4.0])
    w.attach_grad()
    with GradManager().attach(x) as manager, autograd.record():
        y = x * w + x.exp() * w.exp()
        dx = manager.backward(y)
        y.backward()
    assert_array_equal(dx.asnumpy(), (w + x.exp() * w.exp()).asnumpy())
    assert_array_equal(w.grad.asnumpy(), (x + x.exp() * w.exp()).asnumpy())


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("call", [*CALLS[1:], normalized])
def test_a_tape_that_does_not_record_is_no_witness(x, call, swapped):
    """Results of record() are constants to the manager, which neither walks nor frees them."""
    x.attach_grad()
    w = nd.array([0.5, 0.25])
    with autograd.record():
        middle = x.exp()
    with GradManager().attach(w) as manager:
        y = call(w.exp(), middle) if swapped else call(middle, w.exp())
        assert manager.backward(y) is not None
    assert x.grad.asnumpy().tolist() == [0, 0]
    middle.backward()
    assert_array_equal(x.grad.asnumpy(), middle.asnumpy())


@pytest.mark.parametrize("call", CALLS)
def test_what_only_silent_tapes_track_is_not_recorded(x, call):
    x.attach_grad()
    with autograd.record():
        middle = x.exp()
    other = nd.ones((2,))
    with GradManager().attach(other) as manager:
        y = call(middle, nd.ones((2,)))
        assert not manager.backward(y)
    with pytest.raises(AutogradError, match="computed from arrays that nobody tracks"):
        y.backward()
