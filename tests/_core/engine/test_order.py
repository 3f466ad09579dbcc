"""Gradients of every order, with ``create_graph`` inside and outside ``record()``."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gluon import GluonError, autograd, nd
from gluon.autograd import Function


def variable(*values: float, dtype: str = "float64"):
    x = nd.array(values, dtype=dtype)
    x.attach_grad()
    return x


FUNCTIONS = {
    "exp": (nd.exp, lambda x, n: np.exp(x)),
    "sin": (nd.sin, lambda x, n: np.sin(x + n * np.pi / 2)),
    "power": (lambda x: x**7, lambda x, n: math.perm(7, n) * x ** (7 - n)),
    "product": (lambda x: x * nd.exp(x), lambda x, n: (x + n) * np.exp(x)),
    "log": (nd.log, lambda x, n: (-1) ** (n - 1) * math.factorial(n - 1) / x**n),
    "reciprocal": (lambda x: 1 / x, lambda x, n: (-1) ** n * math.factorial(n) / x ** (n + 1)),
    "reshaped": (
        lambda x: (x.reshape((1, 2)).T ** 5).reshape((-1,)),
        lambda x, n: math.perm(5, n) * x ** (5 - n),
    ),
    "indexed": (
        lambda x: nd.concat(x[:1], x[1:], dim=0) ** 5,
        lambda x, n: math.perm(5, n) * x ** (5 - n),
    ),
}


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_of_any_order(name, order):
    function, derivative = FUNCTIONS[name]
    x = variable(0.7, 1.3)
    with autograd.record():
        y = function(x)
        for _ in range(order):
            (y,) = autograd.grad(y, [x], create_graph=True)
    np.testing.assert_allclose(y.asnumpy(), derivative(x.asnumpy(), order), rtol=1e-9)


@pytest.mark.parametrize("inside", [True, False])
def test_create_graph_inside_and_outside_record(inside):
    x = variable(2.0)
    with autograd.record():
        y = x**4
        if inside:
            (first,) = autograd.grad(y, [x], create_graph=True)
    if not inside:
        (first,) = autograd.grad(y, [x], create_graph=True)
    (second,) = autograd.grad(first, [x], create_graph=True)
    second.backward()
    assert (first.asscalar(), second.asscalar(), x.grad.asscalar()) == (32, 48, 48)


def test_without_create_graph_a_gradient_has_no_history():
    x = variable(2.0)
    with autograd.record():
        y = x**3
        (dx,) = autograd.grad(y, [x])
        with pytest.raises(GluonError):
            dx.backward()


def test_a_gradient_penalty():
    """The gradient of a loss that contains a gradient."""
    w = variable(0.5, -1.5)
    with autograd.record():
        out = (w**3).sum()
        (slope,) = autograd.grad(out, [w], create_graph=True)
        loss = out + (slope * slope).sum()
    loss.backward()
    values = w.asnumpy()
    np.testing.assert_allclose(w.grad.asnumpy(), 3 * values**2 + 36 * values**3)


def test_mixed_derivatives_agree_in_either_order():
    x, y = variable(0.4), variable(1.1)

    def mixed(first, second):
        with autograd.record():
            z = nd.sin(x * y) * nd.exp(y)
            (one,) = autograd.grad(z, [first], create_graph=True)
            (two,) = autograd.grad(one, [second], create_graph=True)
        return two.asscalar()

    assert mixed(x, y) == pytest.approx(mixed(y, x), rel=1e-12)


def test_a_hessian_row_by_row():
    x = variable(1.0, 2.0, 3.0)
    with autograd.record():
        y = x[0] * x[1] * x[2] + x[0] ** 3
        (g,) = autograd.grad(y, [x], create_graph=True)
        rows = [autograd.grad(g[k], [x], retain_graph=True)[0].asnumpy() for k in range(3)]
    np.testing.assert_allclose(np.stack(rows), [[6, 3, 2], [3, 0, 1], [2, 1, 0]])


def test_forward_mode_from_two_reverse_passes():
    """A Jacobian times a vector is the derivative of a vector-Jacobian product by its vector."""
    x, dummy = variable(0.3, 0.8), variable(0.0, 0.0)
    v = nd.array([1.0, -2.0], dtype="float64")
    with autograd.record():
        y = nd.sin(x) * x
        (pulled,) = autograd.grad(y, [x], dummy, create_graph=True)
        (pushed,) = autograd.grad(pulled, [dummy], v)
    values = x.asnumpy()
    np.testing.assert_allclose(
        pushed.asnumpy(), (np.cos(values) * values + np.sin(values)) * v.asnumpy()
    )


def test_the_gradient_with_respect_to_the_head_gradient():
    x, h = variable(3.0), variable(5.0)
    with autograd.record():
        y = x * x
        (g,) = autograd.grad(y, [x], h, create_graph=True)
    g.backward()
    assert (h.grad.asscalar(), x.grad.asscalar()) == (6, 10)


def test_a_function_is_differentiable_twice():
    class Cube(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, g):
            (x,) = self.saved_tensors
            return 3 * x * x * g

    x = variable(2.0)
    with autograd.record():
        y = Cube()(x)
        for want in (12, 12, 6):
            (y,) = autograd.grad(y, [x], create_graph=True)
            assert y.asscalar() == want


def test_linear_operators_have_a_zero_second_derivative():
    x = variable(1.0, 2.0)
    with autograd.record():
        y = (x * 3).sum()
        (g,) = autograd.grad(y, [x], create_graph=True)
        loss = (g * x).sum()
    loss.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]
