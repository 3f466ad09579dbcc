"""Functions of functions inside `gluon.jit`: programs, with the values of the functions."""

from __future__ import annotations

import gc

import numpy
import pytest
from numpy.testing import assert_allclose

import gluon
from gluon import autograd, func, nd, nn, np
from gluon import loss as losses

X = numpy.random.RandomState(0).normal(size=(4, 3))
W = numpy.array([0.5, -1.0, 2.0])


def f(w, x):
    return np.tanh(w * x).sum() ** 2


SHARED = np.array(X, dtype="float64")
#: Each is a function of w and x; the last argument says what x is.
FUNCTIONS = {
    "grad": (func.grad(f), X[0]),
    "value_and_grad": (func.value_and_grad(f, (0, 1)), X[0]),
    "vmap": (func.vmap(f, (None, 0)), X),
    "vmap of grad": (func.vmap(func.grad(f), (None, 0)), X),
    "grad of vmap": (func.grad(lambda w, x: func.vmap(f, (None, 0))(w, x).sum()), X),
    "vmap of vmap": (func.vmap(func.vmap(f), (None, 0)), X[:, None] + numpy.zeros((4, 3, 3))),
    "jvp": (lambda w, x: func.jvp(f, (w, x), (w, x))[1], X[0]),
    "jacfwd": (func.jacfwd(lambda w, x: np.sin(w) * x), X[0]),
    "jacrev": (func.jacrev(lambda w, x: np.sin(w) * x), X[0]),
    "hessian": (func.hessian(f), X[0]),
    "vmap of hessian": (func.vmap(func.hessian(f), (None, 0)), X),
    "captured": (func.grad(lambda w, x: func.vmap(f, (None, 0))(w, SHARED).sum()), X),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.usefixtures("no_cycle_collector")
def test_functions_of_functions_are_programs(name):
    function, x = FUNCTIONS[name]
    step = gluon.jit(function)
    for k in range(6):
        w, moved = np.array(W + k, dtype="float64"), np.array(x + k / 10, dtype="float64")
        found, wanted = step(w, moved), function(w, moved)
        for one, other in zip(func.tree.leaves(found), func.tree.leaves(wanted)):
            assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-9, atol=1e-12)
    assert "instruction" in str(step.program()), step.program()


def test_gradients_of_a_network_for_each_example():
    gluon.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu", in_units=5), nn.Dense(3, in_units=8))
    net.initialize()
    criterion = losses.SoftmaxCrossEntropyLoss()

    def one(params, x, y):
        out = func.functional_call(net, params, x.expand_dims(0))
        return criterion(out, y.expand_dims(0)).sum()

    each = func.vmap(func.grad(one), (None, 0, 0))
    params = {name: p.data() for name, p in net.collect_params().items()}
    step = gluon.jit(each)
    for k in range(5):
        x, y = nd.random.normal(shape=(4, 5)), nd.array([k % 3, 0, 1, 2])
        found, wanted = step(params, x, y), each(params, x, y)
        for name, grad in wanted.items():
            assert_allclose(found[name].asnumpy(), grad.asnumpy(), rtol=1e-4, atol=1e-6)


def test_a_training_step_with_a_gradient_inside():
    """Adversarial training: the attack is a gradient of its own."""
    gluon.random.seed(2)
    net = nn.Dense(1, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

    def score(x):
        return (net(x) ** 2).sum()

    def step(x):
        x = x + 0.1 * nd.sign(func.grad(score)(x))
        with autograd.record():
            loss = score(x)
        loss.backward()
        trainer.step(len(x))
        return loss

    def run(step):
        net.initialize("ones", force_reinit=True)
        return [float(step(nd.array(X)).asscalar()) for _ in range(6)]

    jitted = gluon.jit(step)
    assert_allclose(run(jitted), run(step), rtol=1e-5)


def test_vmap_works_after_a_step_that_used_it_first():
    gluon.jit(func.vmap(f, (None, 0)))(np.array(W), np.array(X))
    gc.collect()
    found = func.vmap(func.grad(f), (None, 0))(W, X)
    assert_allclose(found.asnumpy(), [func.grad(f)(W, x).asnumpy() for x in X])
