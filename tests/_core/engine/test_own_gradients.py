"""Gradients own their memory: nobody can modify them through other memory."""

from __future__ import annotations

import ctypes

import numpy
import pytest

from gluon import autograd, nd, np
from gluon.autodiff import GradManager


def variable(*values: float):
    x = nd.array(values)
    x.attach_grad()
    return x


class Buffered(autograd.Function):
    """x, with the gradient in memory of NumPy that is used again."""

    buffer = numpy.zeros(2, "float32")

    def forward(self, x):
        return x * 1

    def backward(self, g):
        self.buffer[:] = 2 * g.asnumpy()
        return nd.from_numpy(self.buffer[:])  # the view becomes read-only


def shared(raw):
    return nd.from_numpy(raw[:])


def shared_view(raw):
    return nd.from_numpy(raw[:]).reshape((2, 1)).reshape((2,))


def shared_by_dlpack(raw):
    return nd.from_dlpack(raw)


HOW = [shared, shared_view, shared_by_dlpack]


@pytest.mark.parametrize("share", HOW)
@pytest.mark.parametrize("req", ["write", "add"])
def test_a_head_gradient_in_memory_of_numpy(share, req):
    x, raw = nd.array([1, 2]), numpy.ones(2, "float32")
    x.attach_grad(req)
    with autograd.record():
        y = x + 0
    y.backward(share(raw))
    raw[:] = 9
    assert x.grad.asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize("share", HOW)
def test_what_grad_and_vjp_return(share):
    x, raw = variable(1, 2), numpy.ones(2, "float32")
    with autograd.record():
        (found,) = autograd.grad(x + 0, [x], head_grads=share(raw))
    (_, through) = autograd.vjp(lambda x: x + 0, x, share(raw))
    raw[:] = 9
    assert found.asnumpy().tolist() == [1, 1]
    assert through.asnumpy().tolist() == [1, 1]


def test_a_second_derivative_keeps_the_head_gradient_it_saw():
    x, raw = variable(1, 2), numpy.ones(2, "float32")
    with autograd.record():
        (slope,) = autograd.grad(x**3, [x], head_grads=shared(raw), create_graph=True)
    raw[:] = 9
    slope.backward()
    assert x.grad.asnumpy().tolist() == [6, 12]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_function_that_returns_memory_which_it_uses_again(create_graph):
    x, z = variable(1, 2), variable(1, 2)
    with autograd.record():
        y = Buffered()(x)
        (first,) = autograd.grad(y, [x], create_graph=create_graph)
    with autograd.record():
        y = Buffered()(z) * 5
    y.backward()
    assert first.asnumpy().tolist() == [2, 2]
    assert z.grad.asnumpy().tolist() == [10, 10]
    Buffered.buffer[:] = 99
    assert z.grad.asnumpy().tolist() == [10, 10]


@pytest.mark.parametrize("share", [shared, lambda raw: nd.array(raw)])
def test_a_callback_that_returns_memory_which_it_uses_again(share):
    raw = numpy.zeros(2, "float32")
    buffer = share(raw)

    def doubled(tensor, grad):
        buffer[:] = grad * 2
        return buffer

    x, z = nd.array([1, 2]), nd.array([3, 4])
    manager = GradManager().attach([x, z], doubled)
    with manager:
        manager.backward(x * 3 + z)
    buffer[:] = 77
    raw[:] = 88
    assert (x.grad.asnumpy().tolist(), z.grad.asnumpy().tolist()) == ([6, 6], [2, 2])


def test_a_cotangent_given_to_a_manager():
    x, raw = nd.array([1, 2]), numpy.ones(2, "float32")
    manager = GradManager().attach(x)
    with manager:
        found = manager.backward(x + 0, shared(raw))
    raw[:] = 9
    assert found.asnumpy().tolist() == x.grad.asnumpy().tolist() == [1, 1]


def test_a_gradient_that_is_a_constant_in_memory_of_numpy():
    class Constant(autograd.Function):
        def forward(self, x):
            return x * 1

        def backward(self, g):
            return slope

    raw = numpy.ones(2, "float32")
    slope = shared(raw)
    x = variable(1, 2)
    with autograd.record():
        y = Constant()(x)
    y.backward()
    raw[:] = 9
    assert x.grad.asnumpy().tolist() == [1, 1]


def test_memory_that_was_handed_out_by_dlpack():
    x, g = variable(1, 2), nd.ones(2)
    theirs = numpy.from_dlpack(g)
    with autograd.record():
        y = x + 0
    y.backward(g)
    ctypes.memset(theirs.ctypes.data, 0, theirs.nbytes)  # as libraries do that may write
    assert x.grad.asnumpy().tolist() == [1, 1]


def test_the_buffer_given_to_mark_variables_is_the_callers():
    x, raw = nd.array([1, 2]), numpy.zeros(2, "float32")
    buffer = nd.from_numpy(raw)
    autograd.mark_variables([x], [buffer])
    for factor in (1, 10):
        with autograd.record():
            y = factor * x
        y.backward()
        assert (
            raw.tolist() == buffer.asnumpy().tolist() == x.grad.asnumpy().tolist() == [factor] * 2
        )
    buffer[:] = 7  # as in MXNet, where it is the gradient itself
    assert raw.tolist() == x.grad.asnumpy().tolist() == [7, 7]


def test_memory_of_the_array_itself_is_no_copy():
    x = np.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = x * 3
    y.backward()
    assert x.grad.tolist() == [3, 3]
    assert x.grad.raw.base is None
