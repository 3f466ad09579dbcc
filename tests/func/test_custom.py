"""custom_vjp, custom_jvp and Function under all transformations."""

from __future__ import annotations

import warnings

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, func, np

X = numpy.array([[0.3, -0.7, 1.1], [2.0, 0.1, -0.4]])


def close(found, wanted):
    assert_allclose(found.asnumpy(), wanted, rtol=1e-10, atol=1e-12)


def cubed():
    @func.custom_vjp
    def cube(x):
        return x**3

    cube.defvjp(lambda x: (x**3, x), lambda x, g: (g * 3 * x * x,))
    return cube


def cubed_forward():
    @func.custom_jvp
    def cube(x):
        return x**3

    @cube.defjvp
    def rule(primals, tangents):
        (x,), (t,) = primals, tangents
        return x**3, 3 * x * x * t

    return cube


class Cube(autograd.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return np.array(x.asnumpy() ** 3, dtype="float64")

    def backward(self, dy):
        (x,) = self.saved_tensors
        return dy * 3 * x * x


MAKERS = {
    "custom_vjp": cubed,
    "custom_jvp": cubed_forward,
    "Function": lambda: lambda x: Cube()(x),
}


@pytest.mark.parametrize("name", MAKERS)
def test_rules_serve_every_transformation(name):
    warnings.simplefilter("ignore")
    cube, x = MAKERS[name](), X[0]
    close(cube(np.array(x, dtype="float64")), x**3)
    f = lambda x: cube(x).sum()  # noqa: E731
    close(func.grad(f)(x), 3 * x**2)
    close(func.jvp(cube, (x,), (x,))[1], 3 * x**3)
    close(func.jacfwd(cube)(x), numpy.diag(3 * x**2))
    close(func.jacrev(cube)(x), numpy.diag(3 * x**2))
    close(func.hessian(f)(x), numpy.diag(6 * x))
    close(func.jacrev(func.grad(f))(x), numpy.diag(6 * x))
    close(func.vmap(cube)(X), X**3)
    close(func.vmap(func.grad(f))(X), 3 * X**2)
    close(func.grad(lambda X: func.vmap(f)(X).sum())(X), 3 * X**2)
    close(func.vmap(func.hessian(f))(X), [numpy.diag(6 * x) for x in X])
    close(func.grad(lambda X: (func.vmap(func.grad(f))(X) ** 2).sum())(X), 36 * X**3)
    close(func.jvp(func.vmap(cube), (X,), (X,))[1], 3 * X**3)


def test_a_function_in_a_loop_gives_each_example_its_own_gradient_of_what_all_share():
    class Product(autograd.Function):
        def forward(self, w, x):
            self.save_for_backward(w, x)
            return w * x

        def backward(self, dy):
            w, x = self.saved_tensors
            return dy * x, dy * w

    def f(w, x):
        return (Product()(w, x) ** 2).sum()

    w = numpy.array([1.0, 2.0, 3.0])
    with pytest.warns(RuntimeWarning, match="vmap: Product runs in a loop"):
        found = func.vmap(func.grad(f), (None, 0))(w, X)
    close(found, 2 * w * X**2)
    total = func.grad(lambda w: func.vmap(lambda x: f(w, x))(X).sum())
    close(total(w), (2 * w * X**2).sum(0))


def test_the_rule_is_what_counts():
    @func.custom_vjp
    def clipped(p):
        return {"y": p["x"] * p["scale"]}

    def fwd(p):
        return {"y": p["x"] * p["scale"]}, p

    def bwd(p, g):
        return ({"x": np.clip(g["y"], -1, 1), "scale": None},)

    clipped.defvjp(fwd, bwd)
    x, v = X[0], numpy.array([0.5, 3.0, -9.0])
    found = func.grad(lambda x: (clipped({"x": x, "scale": np.array(2.0)})["y"] * v).sum())(x)
    close(found, [0.5, 1, -1])


def test_a_rule_for_vmap():
    called = []
    cube = cubed()

    @cube.defvmap
    def rule(axis_size, in_batched, x):
        called.append((axis_size, in_batched, x.shape))
        return x * x * x

    close(func.vmap(cube)(X), X**3)
    assert called == [(2, (True,), (2, 3))]
    close(func.vmap(func.grad(lambda x: cube(x).sum()))(X), 3 * X**2)


def test_under_record():
    x = np.array(X, dtype="float64")
    x.attach_grad()
    with autograd.record():
        y = cubed()(x).sum()
    y.backward()
    close(x.grad, 3 * X**2)


def without_rule():
    return func.custom_vjp(lambda x: x)


def with_rule(fwd, bwd):
    f = func.custom_vjp(lambda x: x)
    f.defvjp(fwd, bwd)
    return f


WRONG = {
    "custom_vjp: give a function, not int": lambda: func.custom_vjp(3),
    "<lambda>: call its defvjp": lambda: without_rule()(X),
    "<lambda>: call its defjvp": lambda: func.custom_jvp(lambda x: x)(X),
    "fwd must return a pair": lambda: with_rule(lambda x: x, None)(X),
    "must return a tuple of 1 gradients, one for each argument; got 2": lambda: func.grad(
        lambda x: with_rule(lambda x: (x * 1, None), lambda r, g: (g, g))(x).sum()
    )(X),
    "takes positional arguments alone; got x": lambda: cubed()(x=X),
    "output is str": lambda: with_rule(lambda x: ("a", None), None)(X),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_function(message):
    with pytest.raises(GluonError, match=message):
        WRONG[message]()
