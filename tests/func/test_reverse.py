"""grad, value_and_grad, vjp, jacrev and their like, as HIPS autograd's own tests expect them."""

from __future__ import annotations

import gc
import weakref
from collections import namedtuple

import numpy
import pytest
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, func, nd, nn, np
from gluon.autodiff import GradManager

X = numpy.array([0.3, -0.7, 1.1])


def close(found, wanted):
    assert_allclose(numpy.asarray(found.asnumpy()), wanted, rtol=1e-10, atol=1e-12)


def numeric(f, x):
    step = 1e-6 * numpy.eye(x.size).reshape((-1, *x.shape))
    return numpy.stack([(f(x + h) - f(x - h)) / 2e-6 for h in step], axis=-1)


# ------------------------------------------------------------------------------------ grad


def test_grad_of_floats_and_of_numpy_arrays():
    slope = func.grad(lambda x: np.sin(x) * x)(0.5)
    close(slope, numpy.cos(0.5) * 0.5 + numpy.sin(0.5))
    assert slope.shape == ()
    assert slope.dtype == numpy.float64
    found = func.grad(lambda x: (x**2).sum())(X.astype("float32"))
    assert found.dtype == numpy.float32
    assert_allclose(found.asnumpy(), 2 * X, rtol=1e-6)


@pytest.mark.parametrize("module", [nd, np], ids=["nd", "np"])
def test_gradients_are_arrays_of_the_class_of_the_argument(module):
    x = module.array(X, dtype="float64")
    found = func.grad(lambda x: (x * x).sum())(x)
    assert type(found) is type(x)
    close(found, 2 * X)
    assert x.grad is None


def test_argnums_choose_and_order_the_arguments():
    def f(x, y, z):
        return x * y**2 * z**3

    close(func.grad(f, 1)(2.0, 3.0, 5.0), 2 * 2 * 3 * 125)
    found = func.grad(f, (-1, 0))(2.0, 3.0, 5.0)
    close(found[0], 2 * 9 * 75)
    close(found[1], 9 * 125)
    assert isinstance(func.grad(f, [1])(2.0, 3.0, 5.0), tuple)


def test_any_order_by_nesting():
    f = lambda x: np.exp(2 * x)  # noqa: E731
    for order in range(1, 5):
        f = func.grad(f)
        close(f(0.1), 2**order * numpy.exp(0.2))


def test_an_inner_gradient_does_not_confuse_its_variable_with_the_outer_one():
    # d/dx [x * d/dy (x + y)] is 1, not 2
    f = func.grad(lambda x: x * func.grad(lambda y: x + y)(x * 1.0))
    close(f(3.0), 1.0)


def test_containers():
    Pair = namedtuple("Pair", "w b")

    def f(p, scale=1.0):
        return ((p["layers"][0].w * p["layers"][0].b).sum() + p["shift"] * 2) * scale

    p = {"layers": [Pair(np.array(X), 3.0)], "shift": 1.0}
    found = func.grad(f)(p, scale=2.0)
    assert isinstance(found["layers"][0], Pair)
    close(found["layers"][0].w, numpy.full(3, 6.0))
    close(found["layers"][0].b, 2 * X.sum())
    close(found["shift"], 4.0)


def test_what_no_output_depends_on_has_a_gradient_of_zeros():
    found = func.grad(lambda x, y: (x * 2).sum(), (0, 1))(X, X)
    close(found[1], numpy.zeros(3))


def test_aux_is_passed_on_and_holds_no_graph():
    def f(x):
        y = x * x
        return y.sum(), {"squares": y, "text": "kept"}

    slope, aux = func.grad(f, has_aux=True)(np.array(X, dtype="float64"))
    assert aux["text"] == "kept"
    close(aux["squares"], X**2)
    assert aux["squares"]._node.edges == ()
    (value, aux), slope = func.value_and_grad(f, has_aux=True)(np.array(X, dtype="float64"))
    close(value, (X**2).sum())
    close(slope, 2 * X)


def test_value_and_grad_needs_a_scalar():
    value, slope = func.value_and_grad(lambda x: (x**3).sum())(X)
    close(value, (X**3).sum())
    close(slope, 3 * X**2)
    with pytest.raises(GluonError, match=r"value_and_grad: the function returned shape \(3,\)"):
        func.value_and_grad(lambda x: x * x)(X)


def test_elementwise_grad():
    close(func.elementwise_grad(np.tanh)(X), 1 - numpy.tanh(X) ** 2)
    close(func.elementwise_grad(func.elementwise_grad(np.sin))(X), -numpy.sin(X))


# ------------------------------------------------------------------------------- Jacobians


def test_jacobians_against_finite_differences():
    def f(x):
        return np.stack([np.sin(x).sum(), x[0] * x[1], x[2] ** 2, x.prod()])

    J = func.jacrev(f)(X)
    assert_allclose(J.asnumpy(), numeric(lambda x: f(np.array(x)).asnumpy(), X), rtol=1e-7)
    close(func.jacfwd(f)(X), J.asnumpy())


@pytest.mark.parametrize("jac", [func.jacrev, func.jacfwd])
def test_jacobians_of_trees(jac):
    def f(p):
        return {"sum": p["a"].sum() * p["b"], "both": [p["a"] * 2, p["b"] * p["a"]]}

    found = jac(f)({"a": np.array(X, dtype="float64"), "b": 2.0})
    assert found["sum"]["a"].shape == (3,)
    close(found["sum"]["b"], X.sum())
    close(found["both"][0]["a"], 2 * numpy.eye(3))
    close(found["both"][0]["b"], numpy.zeros(3))
    close(found["both"][1]["a"], 2 * numpy.eye(3))
    pair = jac(lambda x, y: x * y, (0, 1))(X, 2 * X)
    close(pair[0], numpy.diag(2 * X))
    close(jac(lambda x: x.reshape((3, 1)) * x)(X).sum(axis=(0, 1)), 2 * X.sum() * numpy.ones(3))
    assert jac(lambda x: x * 2)(numpy.zeros((0, 2))).shape == (0, 2, 0, 2)


@pytest.mark.parametrize("outer", [func.jacrev, func.jacfwd])
@pytest.mark.parametrize("inner", [func.jacrev, func.jacfwd])
def test_hessians_by_any_two(outer, inner):
    def f(x):
        return (np.sin(x) * x[0]).sum() ** 2

    wanted = numeric(lambda x: func.grad(f)(x).asnumpy(), X)
    assert_allclose(outer(inner(f))(X).asnumpy(), wanted, rtol=1e-5, atol=1e-7)
    close(func.hessian(f)(X), outer(inner(f))(X).asnumpy())


# ---------------------------------------------------------------------------------- products


def test_vjp_can_be_pulled_often_and_differentiated():
    value, pull = func.vjp(lambda x, y: {"p": x * y, "s": x.sum()}, X, 2 * X)
    close(value["p"], 2 * X**2)
    for v in (numpy.ones(3), X):
        of_x, of_y = pull({"p": v, "s": 1.0})
        close(of_x, 2 * X * v + 1)
        close(of_y, X * v)
    of_v = func.jacrev(lambda v: pull({"p": v, "s": 0.0})[0])(X)
    close(of_v, numpy.diag(2 * X))


def test_a_pull_is_differentiable_in_what_was_tracked_outside():
    def f(x):
        _, pull = func.vjp(lambda x: x**3, x)
        return pull(np.ones_like(x))[0].sum()

    close(func.grad(f)(X), 6 * X)


def test_make_vjp_has_the_form_of_hips_autograd():
    pull, value = func.make_vjp(lambda x: x * x)(X)
    close(value, X**2)
    close(pull(numpy.ones(3)), 2 * X)


def test_vjp_with_aux():
    _, pull, aux = func.vjp(lambda x: (x * 2, "more"), X, has_aux=True)
    assert aux == "more"
    close(pull(X)[0], 2 * X)


# ------------------------------------------------------------------------ with the rest


def test_inside_record_results_are_recorded():
    x = nd.array(X, dtype="float64")
    x.attach_grad()
    with autograd.record():
        slope = func.grad(lambda x: (x**3).sum())(x)
        loss = (slope * slope).sum()
    loss.backward()
    close(x.grad, 2 * 3 * X**2 * 6 * X)


def test_under_a_manager():
    x = nd.array(X, dtype="float64")
    gm = GradManager().attach([x])
    with gm:
        loss = func.jvp(lambda x: x**3, (x,), (nd.ones(3, dtype="float64"),))[1].sum()
        gm.backward(loss)
    close(x.grad, 6 * X)


def test_checkpoint_and_gradcheck():
    def f(x):
        return autograd.checkpoint(lambda x: np.tanh(x) * x, x).sum()

    plain = func.grad(lambda x: (np.tanh(x) * x).sum())(X)
    close(func.grad(f)(X), plain.asnumpy())
    assert autograd.gradcheck(func.grad(lambda x: (x**3).sum()), np.array(X, dtype="float64"))


def test_a_function_of_the_user():
    class Cube(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x**3

        def backward(self, dy):
            (x,) = self.saved_tensors
            return dy * 3 * x * x

    f = lambda x: Cube()(x).sum()  # noqa: E731
    close(func.grad(f)(X), 3 * X**2)
    close(func.hessian(f)(X), numpy.diag(6 * X))
    close(func.jvp(lambda x: Cube()(x), (X,), (X,))[1], 3 * X**3)


def test_nothing_is_left_when_a_function_fails():
    with pytest.raises(ZeroDivisionError):
        func.grad(lambda x: 1 / 0)(X)
    with pytest.raises(ZeroDivisionError):
        func.jvp(lambda x: 1 / 0, (X,), (X,))
    assert not autograd.is_recording()


def test_gradients_free_their_graphs_without_the_collector():
    gc.disable()
    try:
        alive = []

        def f(x):
            y = np.exp(x)
            alive.append(weakref.ref(y))
            return y.sum()

        func.grad(f)(X)
        func.jvp(f, (X,), (X,))
        func.grad(lambda x: func.jvp(f, (x,), (X,))[1])(X)
        assert [one() for one in alive] == [None] * 3
    finally:
        gc.enable()


# ------------------------------------------------------------------------------------ errors

WRONG = {
    r"grad: the function returned shape \(3,\); it must return a single value, so": lambda: (
        func.grad(lambda x: x * x)(X)
    ),
    r"grad: argnums=2, but the number of positional arguments is 1": lambda: func.grad(sum, 2)([X]),
    r"grad: argnums='x'; give the number": lambda: func.grad(lambda x: x, "x")(X),
    r"hessian: argnums=None; give .* several, as in argnums=.0, 1.": lambda: func.hessian(
        sum, None
    )(X),
    r"jvp: choose at least one argument.*; give them": lambda: func.jvp(sum, (), ()),
    r"grad: choose at least one argument": lambda: func.grad(lambda x: x, ())(X),
    r"grad: params\['w'\]\[0\], of shape \(2,\), has dtype int64": lambda: func.grad(
        lambda params: 0
    )({"w": [numpy.arange(2)]}),
    r"grad: x is int 3; give a float or an array, or leave": lambda: func.grad(lambda x: x * x)(3),
    r"grad: config\['name'\] is str 'relu'; give a float or": lambda: func.grad(lambda config: 0)(
        {"name": "relu"}
    ),
    r"grad: x has no leaf": lambda: func.grad(lambda x: 0)({}),
    r"grad: give a function, not ndarray; grad returns another": lambda: func.grad(np.ones(2)),
    r"grad: output 0 of the function is float": lambda: func.grad(lambda x: 3.0)(X),
    r"grad: output\['a'\] of the function is int": lambda: func.grad(lambda x: {"a": 3})(X),
    r"grad: with has_aux=True the function must return a pair": lambda: func.grad(
        lambda x: x.sum(), has_aux=True
    )(X),
    r"grad: the function returned no array; .* missing return": lambda: func.grad(lambda x: None)(
        1.0
    ),
    r"vjp: the cotangent must be a single leaf, as the output is; got a tuple": lambda: func.vjp(
        np.sin, X
    )[1]((X,)),
    r"vjp: the cotangent has another form than the output: it lacks \[0\]": lambda: func.vjp(
        lambda x: (x, x), X
    )[1](X),
    r"vjp: the cotangent has shape \(2,\); it must have that of the value, \(3,\)": lambda: (
        func.vjp(lambda x: x * 1, X)[1](X[:2])
    ),
    r"vjp: the cotangent is one tree, like the value; got 2 arguments": lambda: func.vjp(
        lambda x: (x, x), X
    )[1](X, X),
    r"gluon.func.tree' has no attribute 'tree_map': use func.tree.map": lambda: func.tree.tree_map,
    r"holomorphic'; leave it out": lambda: func.grad(sum, holomorphic=True),
    r"vjp: choose at least one argument": lambda: func.vjp(lambda: 3),
    r"jvp: primals must be a tuple": lambda: func.jvp(lambda x: x, X, X),
    r"jvp: tangents must be a tuple of 1": lambda: func.jvp(lambda x: x, (X,), (X, X)),
    r"jvp: tangents for x has shape \(2,\)": lambda: func.jvp(lambda x: x, (X,), (X[:2],)),
    r"jvp: tangents for x is str 'a'; give an array": lambda: func.jvp(lambda x: x, (X,), ("a",)),
    r"grad: got an unexpected keyword argument 'argnum'": lambda: func.grad(sum, argnum=1),
    r"has no 'gard'|grad": lambda: func.gard,
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_function_and_the_place(message):
    with pytest.raises(GluonError, match=message):
        WRONG[message]()


# --------------------------------------------------------------------------- networks


def network():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="tanh", in_units=3), nn.Dense(1, in_units=4))
    net.initialize()
    return net


def test_networks_as_functions_of_their_parameters():
    net, x = network(), nd.random.normal(shape=(5, 3))
    params = net.collect_params()

    def loss(params, x):
        return (func.functional_call(net, params, x) ** 2).sum()

    found = func.grad(loss)(params, x)
    with autograd.record():
        wanted = (net(x) ** 2).sum()
    wanted.backward()
    assert list(found) == list(params)
    for name, grad in found.items():
        assert_allclose(grad.asnumpy(), params[name].grad().asnumpy(), rtol=1e-5)
    step = {name: one.data() - 0.1 * found[name] for name, one in params.items()}
    assert loss(step, x).asscalar() < loss(params, x).asscalar()
    by_file = {"0.weight": nd.zeros((4, 3)), "1.bias": nd.ones(1)}
    assert func.functional_call(net, by_file, (x,)).shape == (5, 1)


def test_a_block_has_its_own_values_again_after_a_call():
    net = network()
    before = {name: one.data() for name, one in net.collect_params().items()}
    with pytest.raises(GluonError):
        func.functional_call(net, {"0.weight": nd.zeros((4, 3))}, nd.ones((2, 7)))
    for name, one in net.collect_params().items():
        assert one.data() is before[name]


def test_wrong_parameters_are_errors_that_name_them():
    net = network()
    with pytest.raises(GluonError, match=r"the block has no parameter '0.wieght'; did you mean"):
        func.functional_call(net, {"0.wieght": 1.0}, nd.ones((2, 3)))
    with pytest.raises(GluonError, match=r"parameters\['0.weight'\] has shape \(3, 4\)"):
        func.functional_call(net, {"0.weight": nd.ones((3, 4))}, nd.ones((2, 3)))
    with pytest.raises(GluonError, match=r"parameters\['0.weight'\] is str; give an array"):
        func.functional_call(net, {"0.weight": "a"}, nd.ones((2, 3)))
    with pytest.raises(GluonError, match="functional_call: give a block"):
        func.functional_call(sum, {}, nd.ones((2, 3)))
    with pytest.raises(GluonError, match="parameters must be a dict"):
        func.functional_call(net, nd.ones(3), nd.ones((2, 3)))
