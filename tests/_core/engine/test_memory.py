"""Which objects keep others alive: reference counting frees graphs at once, without recursion."""

from __future__ import annotations

import sys
import time
import weakref

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.autograd import Function
from tests._core.ops.test_table import graph

pytestmark = pytest.mark.usefixtures("no_cycle_collector")
LONG = 100_000


@pytest.fixture
def x():
    x = nd.ones((4,)) * 0.5
    x.attach_grad()
    return x


def kept(head) -> list[weakref.ref]:
    """Weak references to every buffer that the graph of `head` keeps."""
    found = []

    def collect(value):
        if isinstance(value, np.ndarray):
            found.append(weakref.ref(value))
        elif isinstance(value, (tuple, list)):
            for one in value:
                collect(one)

    for node in graph([head]):
        collect(getattr(node, "kept", None))
    return found


def alive(refs: list[weakref.ref]) -> int:
    """Return the number of live buffers; only that of the variable may be left."""
    return len({id(ref()) for ref in refs if ref() is not None})


def activations(x):
    """A chain whose every step keeps an activation that nothing else holds."""
    y = x
    for _ in range(5):
        y = nd.exp(nd.sin(y) * 0.1)
    return y.sum()


def test_a_dropped_graph_is_freed_at_once(x):
    with autograd.record():
        loss = activations(x)
    refs = kept(loss)
    assert alive(refs) > 8
    del loss
    assert {id(ref()) for ref in refs} == {id(x.raw), id(None)}


def test_after_backward_no_activation_is_alive_though_the_loss_is_held(x):
    with autograd.record():
        loss = activations(x)
    refs = kept(loss)
    loss.backward()
    assert alive(refs) == 1
    assert {id(ref()) for ref in refs} == {id(x.raw), id(None)}


def test_after_grad_no_activation_is_alive(x):
    with autograd.record():
        loss = activations(x)
    refs = kept(loss)
    autograd.grad(loss, [x])
    assert alive(refs) == 1


def test_retain_graph_keeps_the_activations(x):
    with autograd.record():
        loss = activations(x)
    refs = kept(loss)
    before = alive(refs)
    loss.backward(retain_graph=True)
    assert alive(refs) == before > 8
    loss.backward()
    assert alive(refs) == 1


def test_a_failed_backward_keeps_no_activation_once_the_loss_is_gone(x):
    with autograd.record():
        loss = activations(x)
    refs = kept(loss)
    with pytest.raises(GluonError):
        loss.backward(nd.ones((3,)))
    del loss
    assert alive(refs) == 1


def test_a_second_order_graph_is_freed(x):
    with autograd.record():
        loss = activations(x)
        (g,) = autograd.grad(loss, [x], create_graph=True)
        total = (g * g).sum()
    refs = kept(total)
    total.backward()
    del g, total, loss
    assert alive(refs) == 1


def test_nothing_is_kept_for_inputs_that_nobody_tracks(x):
    constant = nd.ones((4,))
    with autograd.record():
        y = constant * constant
        z = (y + x).sum()
    ref = weakref.ref(y.raw)
    del y
    assert ref() is None
    z.backward()


@pytest.mark.parametrize(
    "multiply",
    [
        lambda a, b: a * b,
        lambda a, b: b * a,
        nd.batch_dot,
        lambda a, b: nd.FullyConnected(a, nd.ones((3, 4)), num_hidden=3, no_bias=True),
    ],
)
def test_an_input_is_not_kept_for_the_gradient_of_one_that_nobody_tracks(x, multiply):
    with autograd.record():
        y = x.reshape((1, 2, 2)) + 1
        z = multiply(y, nd.ones((1, 2, 2)))
    ref = weakref.ref(y.raw)
    del y
    assert ref() is None
    z.backward()
    assert x.grad.asnumpy().all()


def test_nothing_is_kept_outside_record(x):
    y = nd.exp(x)
    ref = weakref.ref(y.raw)
    z = y * y
    del y
    assert ref() is None
    assert not next(graph([z])).tapes


def test_a_branch_that_leads_nowhere_dies_while_the_rest_is_recorded(x):
    with autograd.record():
        y = nd.exp(x)
        dead = nd.sin(y * 2)
        ref = weakref.ref(dead.raw)
        loss = y.sum()
        del dead
        assert ref() is None
    loss.backward()


def test_a_function_makes_no_cycle(x):
    class Double(Function):
        def forward(self, x):
            self.x, self.y = x, x * 2
            self.save_for_backward(x, self.y)
            return self.y

        def backward(self, g):
            return g * 2

    function = Double()
    with autograd.record():
        y = function(x)
        loss = y.sum()
    ref, buffer = weakref.ref(function), weakref.ref(y.raw)
    del function, y
    loss.backward()
    assert ref() is None
    assert buffer() is None


def test_training_steps_leave_nothing_behind(x):
    def step():
        with autograd.record():
            loss = activations(x * x)
        refs = kept(loss)
        loss.backward()
        return refs

    refs = [ref for _ in range(5) for ref in step()]
    assert {id(ref()) for ref in refs if ref() is not None} <= {id(x.raw)}


def chain(x, length: int):
    y = x
    for _ in range(length):
        y = y * 1.0001
    return y


@pytest.mark.parametrize("leave", ["backward", "grad", "drop", "higher order"])
def test_a_long_chain_needs_no_recursion(x, leave):
    length = LONG if leave != "higher order" else LONG // 10
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        with autograd.record():
            y = chain(x, length)
            if leave == "higher order":
                (g,) = autograd.grad((y * y).sum(), [x], create_graph=True)
                y = g.sum()
        if leave == "drop":
            del y
        elif leave == "grad":
            (g,) = autograd.grad(y, [x])
        else:
            y.backward()
    finally:
        sys.setrecursionlimit(limit)
    if leave == "backward":
        np.testing.assert_allclose(x.grad.asnumpy(), 1.0001**length, rtol=2e-2)


def test_a_long_chain_takes_linear_time(x):
    """Five times the operators take about five times as long: linear, not quadratic."""

    def seconds(length: int) -> float:
        start = time.process_time()
        with autograd.record():
            y = chain(x, length)
        y.backward()
        return time.process_time() - start

    seconds(1000)
    short = min(seconds(LONG // 5) for _ in range(3))
    assert seconds(LONG) < 12 * short


def test_a_wide_graph_takes_linear_time(x):
    def seconds(width: int) -> float:
        start = time.process_time()
        with autograd.record():
            total = sum((x * float(k) for k in range(width)), x)
        total.backward()
        return time.process_time() - start

    seconds(100)
    short = min(seconds(4000) for _ in range(3))
    assert seconds(20_000) < 12 * short


def test_a_graph_with_many_paths_is_walked_once_per_node(x):
    """2**200 paths, 200 nodes."""
    with autograd.record():
        y = x
        for _ in range(200):
            y = y * 0.5 + y * 0.5
    y.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), 1, rtol=1e-5)
