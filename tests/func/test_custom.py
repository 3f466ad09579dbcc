"""custom_vjp, custom_jvp and Function under all transformations."""

from __future__ import annotations

import warnings
from functools import partial

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


def by_name():
    f = func.custom_vjp(lambda x, *, y: x)
    f.defvjp(lambda x: (x, None), lambda held, g: (g,))
    return f


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
    "cube: got an unexpected keyword argument 'y'": lambda: cubed()(X, y=X),
    "has no arguments that are given by name alone; got y": lambda: by_name()(X, y=1),
    "output is str": lambda: with_rule(lambda x: ("a", None), None)(X),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_function(message):
    with pytest.raises(GluonError, match=message):
        WRONG[message]()


def powers(decorator):
    """``x**n * f(y)``, of n and f without derivatives, with doubled gradients of x and y."""

    @partial(decorator, nondiff_argnums=(0, 2))
    def power(n, x, f, y=2.0):
        return x**n * f(y)

    if decorator is func.custom_vjp:

        def fwd(n, x, f, y):
            return power(n, x, f, y), (x, y)

        def bwd(n, f, held, g):
            x, y = held
            return 2 * g * n * x ** (n - 1) * f(y), 2 * g * x**n * func.grad(f)(y)

        power.defvjp(fwd, bwd)
    else:

        @power.defjvp
        def rule(n, f, primals, tangents):
            (x, y), (of_x, of_y) = primals, tangents
            moved = n * x ** (n - 1) * f(y) * of_x + x**n * func.grad(f)(y) * of_y
            return power(n, x, f, y), 2 * moved

    return power


@pytest.mark.parametrize("decorator", [func.custom_vjp, func.custom_jvp])
def test_arguments_without_a_derivative_stand_anywhere_and_have_names_and_defaults(decorator):
    power = powers(decorator)
    x, y = np.array(1.5, dtype="float64"), np.array(0.5, dtype="float64")
    by_x = func.grad(lambda x: power(3, x, np.sin, y))
    close(by_x(x), 6 * 1.5**2 * numpy.sin(0.5))
    close(func.grad(lambda y: power(f=np.sin, x=x, n=3, y=y))(y), 2 * 1.5**3 * numpy.cos(0.5))
    close(func.grad(by_x)(x), 12 * 1.5 * numpy.sin(0.5))
    close(func.jvp(lambda x: power(3, x, np.sin, y), (x,), (x,))[1], 6 * 1.5**3 * numpy.sin(0.5))
    X = np.array([1.0, 2.0], dtype="float64")
    both = func.vmap(func.grad(lambda x: power(2, x, lambda y: y * y)))
    close(both(X), 4 * numpy.array([1.0, 2.0]) * 4)
    with pytest.raises(GluonError, match="power: missing a required argument: 'f'"):
        power(3, x)


def test_a_rule_of_vmap_gets_all_arguments():
    power, seen = powers(func.custom_vjp), []

    @power.defvmap
    def rule(size, batched, n, x, f, y):
        seen.append((size, batched, n))
        return x**n * f(y)

    x = np.array([1.0, 2.0], dtype="float64")
    close(func.vmap(lambda x: power(3, x, np.sqrt, 4.0))(x), [2.0, 16.0])
    assert seen == [(2, (False, True, False, False), 3)]


def test_rules_of_each_argument_are_added():
    @func.custom_jvp
    def f(x, y, z):
        return np.sin(x) * y + z

    f.defjvps(lambda t, value, x, y, z: 10 * t, None, lambda t, value, x, y, z: t * value)
    args = [np.array(one, dtype="float64") for one in (0.5, 2.0, 3.0)]
    wanted = [10.0, 0.0, numpy.sin(0.5) * 2 + 3]
    assert_allclose([float(g) for g in func.grad(f, (0, 1, 2))(*args)], wanted)
    f.defjvps(None)
    with pytest.raises(GluonError, match="f: defjvps got 1 rules for 3 arguments"):
        func.grad(f)(*args)


@pytest.mark.parametrize("where", ["function", "fwd", "argument", "partial"])
def test_recorded_arrays_that_are_no_arguments_are_refused(where):
    """They would have no gradient."""

    def scaled(a, x):
        def times(x):
            return a * x

        f = func.custom_vjp(times if where == "function" else lambda x: x)
        fwd = times if where == "fwd" else lambda x: x
        f.defvjp(lambda x: (fwd(x), None), lambda held, g: (g,))
        if where in ("argument", "partial"):
            f = func.custom_vjp(lambda g, x: g(x), nondiff_argnums=0)
            f.defvjp(lambda g, x: (g(x), None), lambda g, held, dy: (dy,))
            return f(times if where == "argument" else partial(np.multiply, a), x)
        return f(x)

    with pytest.raises(GluonError, match="is a recorded array, but no gradient passes to it"):
        func.grad(scaled)(np.array(2.0), np.array(3.0))
    assert float(func.grad(scaled, 1)(np.array(2.0), np.array(3.0))) == 1


def test_an_error_of_a_rule_names_the_function():
    @func.custom_vjp
    def f(x):
        return x

    f.defvjp(lambda x: (x, None), lambda held, g: g)
    with pytest.raises(GluonError, match=r"^in f\.backward: f: its rule must return a tuple of 1"):
        func.grad(f)(1.0)


def test_residuals_that_fwd_computed_are_differentiated_again():
    @func.custom_vjp
    def exp(x):
        return np.exp(x)

    def fwd(x):
        factors = {"e": np.exp(x), "x": x}
        return factors["e"] * 1, factors

    exp.defvjp(fwd, lambda factors, g: (g * factors["e"],))
    x = X[0]

    def total(x):
        return exp(x).sum()

    def total_slope(x):
        return func.grad(total)(x).sum()

    wanted = numpy.exp(x)
    close(func.grad(total_slope)(x), wanted)
    close(func.jvp(func.grad(total), (x,), (numpy.ones(3),))[1], wanted)
    close(func.linearize(func.grad(total), x)[1](numpy.ones(3)), wanted)
    close(func.hessian(total)(x), numpy.diag(wanted))
    close(func.vmap(func.hessian(total))(X)[0], numpy.diag(wanted))
    close(func.grad(lambda x: func.grad(total_slope)(x).sum())(x), wanted)


def test_an_array_that_forward_kept_has_no_tangent():
    class Exp(autograd.Function):
        def forward(self, x):
            self.y = np.exp(x)
            return self.y * 1

        def backward(self, g):
            return g * self.y

    slope = func.grad(lambda x: Exp()(x).sum())
    x = np.array(X[0])
    close(slope(x), numpy.exp(X[0]))
    match = "Exp: its gradient cannot be differentiated again, because backward uses an array"
    with pytest.raises(GluonError, match=match):
        func.jvp(slope, (x,), (x,))
    with pytest.raises(GluonError, match=match):
        func.linearize(slope, x)[1](x)
