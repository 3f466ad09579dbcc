"""What HIPS autograd promises of gradients, Jacobians, containers and products, as programs."""

from __future__ import annotations

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import func, np

X = numpy.array([0.3, -0.7, 1.1])
A = numpy.random.RandomState(0).normal(size=(3, 3))


def close(found, wanted):
    assert_allclose(numpy.asarray(found.asnumpy()), wanted, rtol=1e-10, atol=1e-12)


# ----------------------------------------------------------------------- paths of values

SCALAR = {
    "fanout": (lambda x: (np.sin(np.sin(x) + np.sin(x)), 2 * np.cos(2 * np.sin(x)) * np.cos(x))),
    "identity": (lambda x: (x * 1, np.ones_like(x))),
    "constant": (lambda x: (x * 0 + 1, np.zeros_like(x))),
    "assigned again": (lambda x: (_again(x), 8 * x**7)),
    "quotient": (lambda x: (x / (1 + x * x), (1 - x * x) / (1 + x * x) ** 2)),
    "powers": (lambda x: (2**x + x**3, 2**x * numpy.log(2) + 3 * x**2)),
}


def _again(x):
    y = x * x
    y = y * y
    return y * y


@pytest.mark.parametrize("name", SCALAR)
def test_derivatives_of_numbers(name):
    for x in (0.4, -1.3):
        x = np.array(x, dtype="float64")
        close(func.grad(lambda x: SCALAR[name](x)[0])(x), SCALAR[name](x)[1].asnumpy())
        second = func.grad(lambda x: SCALAR[name](x)[1])(x).asnumpy()
        close(func.grad(func.grad(lambda x: SCALAR[name](x)[0]))(x), second)


@pytest.mark.parametrize("x", [2.0, -3.0])
def test_branches_and_loops_of_python_see_values(x):
    def f(x):
        if x > 0:
            return x**2
        while x < 1:
            x = x + 1.5
        return x * x * x

    close(func.grad(f)(x), 2 * x if x > 0 else 3 * (x + 3.0) ** 2 if x + 3 >= 1 else 3 * 1.5**2)


def test_closures_at_every_depth():
    # d/dx x d/dy x y d/dz x y z
    f = func.grad(lambda x: x * func.grad(lambda y: x * y * func.grad(lambda z: x * y * z)(x))(x))
    # z: x y; y: 2 x**2 y at y = x: 2 x**3; x: x 2 x**3
    close(f(1.5), 8 * 1.5**3)


# ------------------------------------------------------------------ Jacobians and Hessians


def test_jacobian_of_a_scalar_is_the_gradient_and_of_a_number_a_column():
    f = lambda x: np.sum(np.sin(x) ** 2)  # noqa: E731
    for jac in (func.jacrev, func.jacfwd):
        close(jac(f)(X), func.grad(f)(X).asnumpy())
        close(jac(lambda t: np.array([1.0, 2.0, 3.0], dtype="float64") * t)(0.5), [1, 2, 3])


def test_jacobians_of_higher_orders_have_an_axis_for_each():
    f = lambda x: np.sin(np.outer(x, x)) + np.cos(np.dot(x, x))  # noqa: E731
    first, second = func.jacrev(f)(X), func.jacrev(func.jacfwd(f))(X)
    assert first.shape == (3, 3, 3)
    assert second.shape == (3, 3, 3, 3)
    assert func.jacfwd(func.jacrev(func.jacfwd(f)))(X).shape == (3, 3, 3, 3, 3)
    close(func.grad(lambda x: np.sum(f(x)))(X), first.asnumpy().sum((0, 1)))
    close(func.hessian(lambda x: np.sum(f(x)))(X), second.asnumpy().sum((0, 1)))


def test_hessians_of_vectors_and_matrices():
    B = A + A.T
    close(func.hessian(lambda x: np.dot(x, np.dot(np.array(A), x)))(X), B)
    H = func.hessian(lambda m: np.sum(m * m * m) + m[0, 1] * m[2, 0])(A)
    wanted = numpy.zeros((3, 3, 3, 3))
    for i, j in numpy.ndindex(3, 3):
        wanted[i, j, i, j] = 6 * A[i, j]
    wanted[0, 1, 2, 0] = wanted[2, 0, 0, 1] = 1
    close(H, wanted)


def test_products_agree_with_matrices():
    f = lambda x: np.tanh(np.dot(np.array(A), x)) * x[0]  # noqa: E731
    J, v = func.jacrev(f)(X).asnumpy(), numpy.array([1.0, -2.0, 0.5])
    close(func.make_jvp(f)(X)(v)[1], J @ v)
    close(func.make_vjp(f)(X)[0](v), v @ J)
    H = func.hessian(lambda x: f(x).sum())(X).asnumpy()
    product = func.grad(lambda x: np.dot(func.grad(lambda x: f(x).sum())(x), np.array(v)))
    close(product(X), H @ v)
    close(func.make_jvp(func.grad(lambda x: f(x).sum()))(X)(v)[1], H @ v)
    # of Gauss and Newton: the transposed Jacobian times the Jacobian times v
    close(func.make_vjp(f)(X)[0](func.make_jvp(f)(X)(v)[1]), J.T @ J @ v)


def test_elementwise_grad_of_one_of_several_arguments():
    f = lambda x, y: np.exp(x) * y**2  # noqa: E731
    close(func.elementwise_grad(f)(X, 2 * X), numpy.exp(X) * 4 * X**2)
    close(func.elementwise_grad(f, 1)(X, 2 * X), numpy.exp(X) * 4 * X)
    both = func.elementwise_grad(f, (0, 1))(A, A)
    close(both[0], numpy.exp(A) * A**2)
    close(both[1], numpy.exp(A) * 2 * A)
    thrice = func.elementwise_grad(func.elementwise_grad(func.elementwise_grad(np.tanh)))
    y = numpy.tanh(X)
    close(thrice(X), (1 - y**2) * (6 * y**2 - 2))


# ------------------------------------------------------------------------------ containers


def test_lists_tuples_and_dicts_inside_of_each_other():
    def f(p):
        assert isinstance(p["pair"], tuple)
        assert isinstance(p["list"], list)
        assert len(p["list"]) == 2
        first, second = p["pair"]
        total = np.sum(first * second)
        for one in p["list"]:
            total = total + np.sum(np.sin(one["x"]))
        return total * p["list"][-1]["x"][0]

    p = {"pair": (X, 2 * X), "list": [{"x": X}, {"x": A[0]}]}
    found = func.grad(f)(p)
    assert func.tree.structure(found) == func.tree.structure(p)
    close(found["pair"][0], 2 * X * A[0, 0])
    close(found["list"][0]["x"], numpy.cos(X) * A[0, 0])
    total = 2 * X @ X + numpy.sin(X).sum() + numpy.sin(A[0]).sum()
    wanted = numpy.cos(A[0]) * A[0, 0]
    wanted[0] += total
    close(found["list"][1]["x"], wanted)


def test_functions_make_containers_of_what_they_compute():
    def f(x):
        made = {"sum": x.sum(), "parts": [x * 2, (x * x, x[:1])]}
        squares, head = made["parts"][1]
        return made["sum"] * squares.sum() + made["parts"][0][1] * head[0]

    wanted = (X**2).sum() + 2 * X * X.sum()
    wanted[:2] += 2 * X[1::-1]
    close(func.grad(f)(X), wanted)
    close(func.jacfwd(f)(X), wanted)


def test_gradients_of_gradients_in_containers():
    def f(p):
        return (p["a"] ** 2 * p["b"]).sum()

    def length(p):
        slope = func.grad(f)(p)
        return sum((one**2).sum() for one in func.tree.leaves(slope))

    found = func.grad(length)({"a": X, "b": 2 * X})
    # slopes 2 a b and a**2
    close(found["a"], 8 * X * 4 * X**2 + 4 * X**3)
    close(found["b"], 8 * X**2 * 2 * X)


def test_a_value_with_more_beside_it():
    def f(x):
        return (x**2).sum(), [x * 3, "text"]

    slope, (more, text) = func.grad(f, has_aux=True)(X)
    close(slope, 2 * X)
    close(more, 3 * X)
    assert text == "text"
    J, (more, _) = func.jacfwd(lambda x: (x * x, [x, None]), has_aux=True)(X)
    close(J, numpy.diag(2 * X))
    close(more, X)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_gradients_have_the_dtype_of_the_argument(dtype):
    x = X.astype(dtype)
    for found in (
        func.grad(lambda x: (x * x).sum())(x),
        func.jacfwd(lambda x: x * x)(x),
        func.jvp(lambda x: x * x, (x,), (X,))[1],
        func.vmap(func.grad(lambda x: x * x))(x),
    ):
        assert found.dtype == dtype
