"""vmap: axes, nesting, gradients inside and outside, networks, draws, and what it refuses."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
import pytest
from gluon.errors import AutogradError
from numpy.testing import assert_allclose

from gluon import GluonError, autograd, func, loss, nd, nn, np
from gluon._core.engine.op import KERNELS
from gluon._core.transforms import batched
from gluon.autodiff import GradManager
from gluon.random import seed

X = numpy.random.RandomState(0).normal(size=(4, 3))
W = numpy.array([0.5, -1.0, 2.0])


def close(found, wanted, rtol=1e-10):
    assert_allclose(found.asnumpy(), wanted, rtol=rtol, atol=1e-12)


@pytest.fixture(autouse=True)
def no_loops():
    """Nothing here runs in a loop, unless the test says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# ------------------------------------------------------------------------------------ axes


def test_axes_of_arguments_and_outputs():
    f = func.vmap(lambda a, b: (a * b, a.sum()), in_axes=(1, None), out_axes=(-1, 0))
    product, total = f(X, numpy.ones(4))
    close(product, X)
    close(total, X.sum(0))
    close(func.vmap(lambda a: a * 2, in_axes=-1, out_axes=1)(X), 2 * X)
    close(func.vmap(lambda a: a, out_axes=1)(X), X.T)


def test_axes_for_leaves_of_trees():
    def f(p, scale):
        return {"y": (p["w"] * p["x"]).sum() * scale, "w": p["w"]}

    mapped = func.vmap(f, in_axes=({"w": None, "x": 0}, None), out_axes={"y": 0, "w": None})
    found = mapped({"w": W, "x": X}, 2.0)
    close(found["y"], 2 * X @ W)
    assert found["w"].shape == (3,)
    close(
        func.vmap(f, in_axes=({"w": None, "x": 0}, None))({"w": W, "x": X}, 2.0)["w"],
        numpy.tile(W, (4, 1)),
    )


class Pair(NamedTuple):
    w: Any
    b: Any


@dataclass
class Two:
    w: Any
    b: Any


@pytest.mark.parametrize("node", [Pair, Two])
def test_axes_for_the_fields_of_named_tuples_and_dataclasses(node):
    f = func.vmap(lambda p: node(p.w * p.b, p.b), (node(0, None),), node(1, None))
    found = f(node(X, W))
    close(found.w, (X * W).T)
    close(found.b, W)
    with pytest.raises(GluonError, match=r"in_axes for p=.* does not fit an array of shape"):
        f(X)


def test_keyword_arguments_are_mapped_along_axis_0():
    close(func.vmap(lambda a, b: a * b)(X, b=X), X * X)


def test_an_output_that_all_share_is_repeated():
    close(func.vmap(lambda x: np.array([1.0, 2.0], dtype="float64"))(X), [[1, 2]] * 4)
    close(func.vmap(lambda x: 3.0)(X), [3.0] * 4)
    close(func.vmap(lambda: np.ones(2, dtype="float64"), axis_size=3)(), numpy.ones((3, 2)))


def test_one_example_and_none():
    close(func.vmap(lambda x: x.sum())(X[:1]), X[:1].sum(1))
    assert func.vmap(lambda x: np.tanh(x) * x.sum())(X[:0]).shape == (0, 3)


@pytest.mark.parametrize("module", [nd, np], ids=["nd", "np"])
def test_arrays_of_both_interfaces(module):
    x = module.array(X, dtype="float64")
    found = func.vmap(lambda x: x * x.sum())(x)
    assert type(found) is type(x)
    close(found, X * X.sum(1, keepdims=True))


def test_nested():
    outer = func.vmap(func.vmap(lambda a, b: a * b, (None, 0)), (0, None))
    close(outer(W, W), numpy.outer(W, W))
    pairs = func.vmap(lambda x: func.vmap(lambda y: ((x - y) ** 2).sum())(X))(X)
    close(pairs, ((X[:, None] - X[None]) ** 2).sum(-1))
    thrice = func.vmap(func.vmap(func.vmap(np.sin)))(X.reshape(2, 2, 3))
    close(thrice, numpy.sin(X.reshape(2, 2, 3)))


def test_products_of_matrices_and_vectors():
    A = numpy.random.RandomState(1).normal(size=(4, 3, 3))
    close(func.vmap(np.dot)(A, X), numpy.einsum("bij,bj->bi", A, X))
    close(func.vmap(np.dot, (0, None))(A, W), A @ W)
    close(func.vmap(np.dot, (None, 0))(A[0], X), X @ A[0].T)
    close(func.vmap(np.dot, (None, 0))(W, X), X @ W)
    close(func.vmap(np.matmul)(A, A), A @ A)
    close(func.vmap(lambda a, x: a @ x)(A, X), numpy.einsum("bij,bj->bi", A, X))
    close(
        func.vmap(lambda a, x: np.einsum("ij,j->i", a, x))(A, X), numpy.einsum("bij,bj->bi", A, X)
    )


def test_indexing_by_the_example_and_by_all():
    places = numpy.array([0, 2, 1, 2])
    close(
        func.vmap(lambda x, k: x[k])(np.array(X, dtype="float64"), np.array(places, dtype="int64")),
        X[numpy.arange(4), places],
    )
    close(func.vmap(lambda x: x[1:])(X), X[:, 1:])
    close(func.vmap(lambda x: x[None, ::-1])(X), X[:, None, ::-1])
    table = np.array(X, dtype="float64")
    close(func.vmap(lambda k: table[k])(np.array(places, dtype="int64")), X[places])

    def picked(x, k):
        return (x[k] ** 2).sum()

    found = func.vmap(func.grad(picked), (0, 0))(
        np.array(X, dtype="float64"), np.array([[0, 0], [1, 2], [2, 2], [0, 1]], dtype="int64")
    )
    wanted = numpy.zeros((4, 3))
    for b, row in enumerate([[0, 0], [1, 2], [2, 2], [0, 1]]):
        for k in row:
            wanted[b, k] += 2 * X[b, k]
    close(found, wanted)


# ------------------------------------------------------------------------------- gradients


def by_hand(w, x):
    return 2 * (w * x).sum() * x


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_rows_of_a_table_for_each_example(depth):
    """Also of a table of each example, and their gradients."""
    rng = numpy.random.RandomState(2)
    tables, places = rng.normal(size=(4, 6, 3)), rng.randint(0, 6, (4, 5, 2)[: depth + 1])
    rows = np.array(places, dtype="int32")

    def total(table, rows):
        return (np.take(table, rows, axis=0) ** 3).sum()

    for axes, table in ((0, tables), (None, tables[0])):
        of_each = [tables[k] if axes == 0 else tables[0] for k in range(4)]
        for make in (func.grad, func.hessian):
            found = func.vmap(make(total), (axes, 0))(table, rows)
            wanted = [make(total)(one, rows[k]).asnumpy() for k, one in enumerate(of_each)]
            close(found, numpy.stack(wanted))


def test_gradients_for_each_example():
    f = lambda w, x: (w * x).sum() ** 2  # noqa: E731
    close(func.vmap(func.grad(f), (None, 0))(W, X), [by_hand(W, x) for x in X])
    value, slope = func.vmap(func.value_and_grad(f), (None, 0))(W, X)
    close(value, (X @ W) ** 2)
    close(slope, [by_hand(W, x) for x in X])


def test_the_gradient_of_what_all_share_is_the_sum():
    def total(w):
        return func.vmap(lambda x: (np.sin(w) * x).sum() ** 2)(X).sum()

    def loop(w):
        return sum((np.sin(w) * np.array(x)).sum() ** 2 for x in X)

    close(func.grad(total)(W), func.grad(loop)(W).asnumpy())
    close(func.hessian(total)(W), func.hessian(loop)(W).asnumpy())
    close(func.jacrev(func.jacrev(total))(W), func.hessian(loop)(W).asnumpy())
    close(func.jacfwd(func.jacfwd(total))(W), func.hessian(loop)(W).asnumpy())


def test_gradients_of_gradients_for_each_example():
    def one(w, x):
        return (np.sin(w) * x * w).sum() ** 2

    def norm(w):
        return (func.vmap(func.grad(one), (None, 0))(w, X) ** 2).sum()

    def loop(w):
        return sum((func.grad(one)(w, np.array(x)) ** 2).sum() for x in X)

    close(norm(W), loop(W).asnumpy())
    close(func.grad(norm)(W), func.grad(loop)(W).asnumpy())
    close(func.jvp(norm, (W,), (W,))[1], func.jvp(loop, (W,), (W,))[1].asnumpy())
    close(func.hessian(norm)(W), func.hessian(loop)(W).asnumpy(), rtol=1e-8)


def test_a_value_from_outside_that_a_function_inside_differentiates():
    def f(w):
        return func.vmap(lambda x: func.grad(lambda v: (v * x * v).sum())(w).sum())(X).sum()

    def loop(w):
        return sum(func.grad(lambda v: (v * np.array(x) * v).sum())(w).sum() for x in X)  # noqa: B023

    close(func.grad(f)(W), func.grad(loop)(W).asnumpy())


def test_derivatives_in_every_mode_inside():
    f = lambda x: np.tanh(x) * x.sum()  # noqa: E731
    for jac in (func.jacrev, func.jacfwd):
        close(func.vmap(jac(f))(X), [jac(f)(x).asnumpy() for x in X])
    hessians = func.vmap(func.hessian(lambda x: f(x).sum()))(X)
    close(hessians, [func.hessian(lambda x: f(x).sum())(x).asnumpy() for x in X])
    tangents = func.vmap(lambda x, v: func.jvp(f, (x,), (v,))[1])(X, X)
    close(tangents, [func.jvp(f, (x,), (x,))[1].asnumpy() for x in X])
    pulled = func.vmap(lambda x: func.vjp(f, x)[1](x)[0])(X)
    close(pulled, [func.vjp(f, x)[1](x)[0].asnumpy() for x in X])


def test_a_jacobian_by_a_batch_of_pulls():
    f = lambda x: np.sin(x) * x.sum()  # noqa: E731
    _, pull = func.vjp(f, W)
    close(func.vmap(pull)(numpy.eye(3))[0], func.jacrev(f)(W).asnumpy())
    _, push = func.linearize(f, W)
    close(func.vmap(push)(numpy.eye(3)), func.jacrev(f)(W).asnumpy().T)


@pytest.mark.parametrize(
    "inner", [lambda x: x.sum(), lambda x: np.sin(x) * x.sum(), lambda x: x[0]]
)
def test_the_cotangent_of_a_mapped_function_has_a_gradient(inner):
    mapped, x = func.vmap(inner), np.array(X)
    y = mapped(x)
    J = func.jacrev(mapped)(x).asnumpy()
    pulled = lambda g: func.vjp(mapped, x)[1](g)[0]  # noqa: E731
    _, pull = func.vjp(pulled, y)
    close(pull(x)[0], numpy.tensordot(J, X, 2))
    axes = [*range(y.ndim, J.ndim), *range(y.ndim)]
    for jac in (func.jacrev, func.jacfwd):
        close(jac(pulled)(y), J.transpose(axes))
    assert autograd.gradgradcheck(mapped, x)


def test_inside_record_and_managers():
    w = nd.array(W, dtype="float64")
    w.attach_grad()
    with autograd.record():
        y = func.vmap(lambda x: (w * x).sum() ** 2)(nd.array(X, dtype="float64")).sum()
    y.backward()
    close(w.grad, sum(by_hand(W, x) for x in X))
    w.grad[:] = 0  # managers add
    gm = GradManager().attach([w])
    with gm:
        y = func.vmap(lambda x: (w * x).sum() ** 2)(nd.array(X, dtype="float64")).sum()
        gm.backward(y)
    close(w.grad, sum(by_hand(W, x) for x in X))


def test_record_inside():
    def slope(x):
        x = x.copy()
        x.attach_grad()
        with autograd.record():
            y = (x**3).sum()
        y.backward()
        return x.grad

    close(func.vmap(slope)(np.array(X, dtype="float64")), 3 * X**2)


def test_checkpoint_and_anomaly_detection():
    def f(x):
        return autograd.checkpoint(lambda x: np.tanh(x) * x, x).sum()

    wanted = func.vmap(func.grad(lambda x: (np.tanh(x) * x).sum()))(X)
    close(func.vmap(func.grad(f))(X), wanted.asnumpy())
    close(func.grad(lambda x: func.vmap(f)(x).sum())(X), wanted.asnumpy())
    with autograd.detect_anomaly():
        close(func.vmap(func.grad(lambda x: (np.tanh(x) * x).sum()))(X), wanted.asnumpy())


# -------------------------------------------------------------------------------- networks


def per_example(net, x, y, criterion):
    params = net.collect_params()

    def one(params, x, y):
        out = func.functional_call(net, params, x.expand_dims(0))
        return criterion(out, y.expand_dims(0)).sum()

    together = func.vmap(func.grad(one), (None, 0, 0))(params, x, y)
    for k in range(len(x)):
        alone = func.grad(one)(params, x[k], nd.array([y[k].asscalar()]).reshape(()))
        for name, grad in alone.items():
            assert_allclose(together[name][k].asnumpy(), grad.asnumpy(), rtol=2e-4, atol=2e-5)


NETWORKS = {
    "dense": (
        lambda: [nn.Dense(8, activation="relu", in_units=5), nn.LayerNorm(in_channels=8),
                 nn.Dense(3, in_units=8)],
        (5,),
    ),
    "convolutional": (
        lambda: [
            nn.Conv2D(4, 3, in_channels=2, activation="relu", padding=1),
            nn.MaxPool2D(2),
            nn.Conv2D(4, 3, in_channels=4, groups=2),
            nn.GroupNorm(2),
            nn.AvgPool2D(2),
            nn.GlobalAvgPool2D(),
            nn.Flatten(),
            nn.Dense(3, in_units=4),
        ],
        (2, 10, 10),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.filterwarnings("ignore:vmap.*in a loop:RuntimeWarning")
def test_gradients_of_networks_for_each_example(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed(1)
        layers, shape = NETWORKS[name]
        net = nn.HybridSequential()
        net.add(*layers())
        net.initialize()
        x = nd.random.normal(shape=(4, *shape))
        per_example(net, x, nd.array([0, 2, 1, 2]), loss.SoftmaxCrossEntropyLoss())


def test_batch_norm_is_refused_in_training_and_works_otherwise():
    net = nn.BatchNorm(in_channels=3)
    net.initialize()
    x = nd.random.normal(shape=(2, 5, 3))
    with warnings.catch_warnings(), autograd.train_mode():
        warnings.simplefilter("ignore")
        with pytest.raises(GluonError, match=r"running statistics.*GroupNorm"):
            func.vmap(net)(x)
    close(func.vmap(net)(x), numpy.stack([net(one).asnumpy() for one in x]), rtol=1e-5)


# -------------------------------------------------------------------------------- random


def test_draws_follow_randomness():
    draw = lambda x: np.random.normal(size=(2,))  # noqa: E731
    with pytest.raises(GluonError, match="draws random numbers; pass randomness='different'"):
        func.vmap(draw)(X)
    seed(3)
    different = func.vmap(draw, randomness="different")(X).asnumpy()
    assert len({tuple(row) for row in different}) == 4
    seed(3)
    same = func.vmap(draw, randomness="same")(X).asnumpy()
    assert len({tuple(row) for row in same}) == 1
    seed(3)
    close(np.random.normal(size=(2,)), same[0])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: np.random.normal(size=(2,)),
        lambda: np.random.randint(0, 10**6, size=(2,)),
        lambda: np.random.choice(10**6, size=(2,)),
        lambda: np.random.permutation(10**3)[:2],
    ],
)
def test_draws_for_each_of_nested_examples(draw):
    def drawn(outer, inner):
        f = func.vmap(lambda x: draw(), randomness=inner)
        return func.vmap(f, randomness=outer)(numpy.ones((3, 4))).asnumpy()

    both = drawn("different", "different")
    assert both.shape == (3, 4, 2)
    assert len(numpy.unique(both[..., 0])) > 8
    rows = drawn("different", "same")
    assert (rows == rows[:, :1]).all()
    assert (rows[0] != rows[1]).any()
    columns = drawn("same", "different")
    assert (columns == columns[:1]).all()
    assert (columns[:, 0] != columns[:, 1]).any()


def test_dropout_for_each_example():
    def f(x):
        return nd.Dropout(x, p=0.5, mode="always")

    ones = nd.ones((4, 100))
    seed(3)
    masks = func.vmap(f, randomness="different")(ones).asnumpy()
    assert len({tuple(row) for row in masks}) == 4
    assert set(masks.ravel()) == {0, 2}
    same = func.vmap(f, randomness="same")(ones).asnumpy()
    assert len({tuple(row) for row in same}) == 1
    with pytest.raises(GluonError, match="draws random numbers"):
        func.vmap(f)(ones)


def test_the_generator_is_as_before_afterwards():
    func.vmap(lambda x: x)(X)
    assert nd.random.normal(shape=(2,)).shape == (2,)


# --------------------------------------------------------------------------------- errors

KEPT: list = []
WRONG = {
    "asked for, by bool.., if or while; there is one for each of 4": lambda: func.vmap(
        lambda x: x if x.sum() > 0 else -x
    )(X),
    r"asked for, as by float\(\), int\(\) or asnumpy": lambda: func.vmap(lambda x: x.asnumpy())(X),
    r"asked for, as by float\(\), .*": lambda: func.vmap(lambda x: float(x.sum()))(X),
    "asked for, by tolist": lambda: func.vmap(lambda x: x.tolist())(X),
    "mapped axes of <lambda> have different lengths: 4 in x, 3 in y": lambda: func.vmap(
        lambda x, y: x
    )(X, W),
    r"x of <lambda> has shape \(4, 3\), without axis 2": lambda: func.vmap(lambda x: x, 2)(X),
    r"k of <lambda> has shape \(\), without axis 0; keyword .* functools.partial": lambda: (
        func.vmap(lambda x, k: x)(X, k=2.0)
    ),
    r"k of <lambda> is str, which has no axis 0; .* functools.partial": lambda: func.vmap(
        lambda x, k: x
    )(X, k="two"),
    "in_axes=.0, 0. for 1 arguments": lambda: func.vmap(lambda x: x, (0, 0))(X),
    r"in_axes for x=.'a': 0. does not fit an array of shape": lambda: func.vmap(
        lambda x: x, ({"a": 0},)
    )(X),
    r"in_axes for x has 1 entries for 2": lambda: func.vmap(lambda x: x, ((0,),))((X, X)),
    "no argument of <lambda> has an axis": lambda: func.vmap(lambda x: x, None)(X),
    "x of <lambda> is str, which has no axis 0": lambda: func.vmap(lambda x: x)("a"),
    "output of <lambda> differs from example to example": lambda: func.vmap(
        lambda x: x, out_axes=None
    )(X),
    r"output of <lambda> has shape \(3,\) for one example; out_axes": lambda: func.vmap(
        lambda x: x, out_axes=3
    )(X),
    r"output\['a'\] of <lambda> is str": lambda: func.vmap(lambda x: {"a": "b"})(X),
    "randomness='no'; give one of": lambda: func.vmap(lambda x: x, randomness="no"),
    "vmap: give a function, not int": lambda: func.vmap(3),
    "writes values of each of 4 examples into an array": lambda: func.vmap(_into(np.ones(3)))(
        np.array(X)
    ),
    "writes into an array of which another one is a view": lambda: func.vmap(_in_view)(
        np.array(X, dtype="float64")
    ),
    "an array left <lambda>, in which it stood for one": lambda: _leaked() + 1,
    "an array left <lambda>, in which": lambda: _leaked().asnumpy(),
    "an array left": lambda: np.sin(_leaked()),
    "different shapes for different examples": lambda: func.vmap(lambda x: x[x > 0])(
        np.array(X, dtype="float64")
    ),
}


def _into(target):
    def write(x):
        target[:] = x
        return target

    return write


def _in_view(x):
    y = x[1:]
    y += 1
    return x


def _leaked():
    func.vmap(lambda x: KEPT.append(x) or x)(X)
    return KEPT.pop()


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_function_and_the_way_out(message):
    warnings.simplefilter("ignore")
    with pytest.raises(GluonError, match=message):
        WRONG[message]()
    assert batched.LEVELS.get() == ()


def test_writes_into_an_array_of_the_example_stay_inside():
    def f(x):
        y = x * 2
        y[0] = 7.0
        y += x
        return y

    wanted = 3 * X
    wanted[:, 0] = 7 + X[:, 0]
    close(func.vmap(f)(np.array(X, dtype="float64")), wanted)


def test_an_operator_without_a_rule_says_once_that_it_runs_in_a_loop(monkeypatch):
    monkeypatch.setattr(batched, "_told", set())
    f = func.vmap(lambda x: np.convolve(x[0], x[1]))
    x = np.array(numpy.arange(18.0).reshape(2, 3, 3))
    with pytest.warns(RuntimeWarning, match="vmap: convolve runs in a loop over the examples"):
        close(f(x), numpy.stack([numpy.convolve(one[0], one[1]) for one in x.asnumpy()]))
    f(x)  # not again: a warning would be an error


def test_threads_do_not_see_each_others_levels():
    inside, failed = threading.Event(), []

    def other():
        inside.wait(10)
        try:
            close(func.grad(lambda x: (x * np.random.normal(size=())).sum() * 0)(X), 0 * X)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=other)
    thread.start()

    def f(x):
        inside.set()
        thread.join(10)
        return x * 2

    close(func.vmap(f)(X), 2 * X)
    assert not failed


@pytest.mark.parametrize("product", [np.dot, np.matmul])
def test_gradients_of_weights_for_each_example_are_written_once(product, monkeypatch):
    shapes, matmul = [], KERNELS.matmul

    def spy(a, b):
        if type(a) is type(b) is numpy.ndarray:  # of all examples
            shapes.append((a.shape[-1], b.shape[-2]))
        return matmul(a, b)

    monkeypatch.setattr(KERNELS, "matmul", spy)
    each = func.vmap(func.grad(lambda w, x: (product(x, w) ** 2).sum()), in_axes=(None, 0))
    w = numpy.arange(6.0).reshape(3, 2)
    close(each(w, X), 2 * X[:, :, None] * (X @ w)[:, None])
    assert shapes
    assert (1, 1) not in shapes  # products of a column and a row are no sums


def test_values_can_be_written_once_their_views_are_gone():
    def running(x):
        total = x * 1
        for k in range(1, 3):
            total[k] = total[k - 1] + total[k]
        return total

    close(func.vmap(running)(np.array(X)), X.cumsum(1), 1e-6)
    wanted = numpy.broadcast_to(numpy.ones(3), X.shape)
    close(func.vmap(func.grad(lambda x: running(x)[2]))(np.array(X)), wanted)

    def kept(x):
        total = x * 1
        part = total[1:]
        total[0] = 3
        return part

    with pytest.raises(AutogradError, match="of which another one is a view"):
        func.vmap(kept)(np.array(X))


NORMS = {
    "LayerNorm": lambda x, g, b: nd.LayerNorm(x, g, b),
    "LayerNorm of axis 1": lambda x, g, b: nd.LayerNorm(x.swapaxes(1, 2), g, b, axis=1),
    "InstanceNorm": lambda x, g, b: nd.InstanceNorm(x.swapaxes(1, 2), g, b),
    "GroupNorm": lambda x, g, b: nd.GroupNorm(x.tile((1, 1, 2)).swapaxes(1, 2), g, b, num_groups=3),
    "BatchNorm": lambda x, g, b: nd.BatchNorm(
        x, g, b, g * 2, nd.exp(b), axis=2, use_global_stats=True, fix_gamma=False
    ),
}


@pytest.mark.parametrize("name", NORMS)
def test_each_example_can_have_its_own_parameters_of_a_normalization(name):
    rng, f = numpy.random.RandomState(3), NORMS[name]
    xs = nd.array(rng.normal(size=(5, 2, 4, 3)), dtype="float64")
    gs, bs = (nd.array(rng.normal(size=(5, 3)), dtype="float64") for _ in range(2))
    for one in (f, func.grad(lambda *x: (f(*x) ** 2).sum(), argnums=(0, 1, 2))):
        for axes in ((0, 0, 0), (None, 0, None)):
            given = [x if axis == 0 else x[0] for x, axis in zip((xs, gs, bs), axes)]
            found = func.vmap(one, axes)(*given)
            rows = [
                one(*[x[k] if axis == 0 else x for x, axis in zip(given, axes)]) for k in range(5)
            ]
            if one is f:
                found, rows = (found,), [(row,) for row in rows]
            for part, columns in zip(found, zip(*rows)):
                close(part, numpy.stack([y.asnumpy() for y in columns]))
