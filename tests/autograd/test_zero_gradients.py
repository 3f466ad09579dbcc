"""Operators whose gradient is zero: the graph continues behind them, with zeros."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import gluon
import gluon.mxnet
from gluon import autograd, nd
from gluon import np as gnp
from gluon._core.errors import AutogradError

FLAT = {
    "zeros_like": nd.zeros_like,
    "ones_like": nd.ones_like,
    "BlockGrad": nd.BlockGrad,
    "stop_gradient": nd.stop_gradient,
    "argmax": lambda x: nd.argmax(x, axis=0),
    "argmin": lambda x: nd.argmin(x, axis=0),
    "argsort": nd.argsort,
    "topk": nd.topk,
    "one_hot": lambda x: nd.one_hot(x, 3),
    "shape_array": lambda x: nd.shape_array(x).astype("float32"),
    "size_array": lambda x: nd.size_array(x).astype("float32"),
    "isnan": nd.contrib.isnan,
    "isinf": nd.contrib.isinf,
    "isfinite": nd.contrib.isfinite,
    "logical_not": nd.logical_not,
    "logical_and": lambda x: nd.logical_and(x, nd.ones((3,))),
    "logical_or": lambda x: x.detach() + nd.logical_or(nd.ones((3,)), x),
    "greater": lambda x: x > 0.5,
    "less_equal": lambda x: nd.ones((3,)) <= x,
    "equal": lambda x: x == x,
    "where": lambda x: nd.where(x > 0.5, nd.ones((3,)), nd.zeros((3,))),
    "where, condition": lambda x: nd.where(x, nd.ones((3,)), nd.zeros((3,))),
    "take, indices": lambda x: nd.take(nd.ones((5,)), x),
    "pick, index": lambda x: nd.pick(nd.ones((3, 5)), x),
    "reshape_like": lambda x: nd.reshape_like(nd.ones((1, 3)), x),
    "broadcast_like": lambda x: nd.broadcast_like(nd.ones((1,)), x),
    "slice_like": lambda x: nd.slice_like(nd.ones((5,)), x),
    "arange_like": nd.contrib.arange_like,
    "several in a row": lambda x: nd.sqrt(2 * (x > 0.5) + nd.ones((3,))) * (x < 1),
    "normal_like": nd.random.normal_like,
}


@pytest.fixture
def x():
    x = nd.array([0.0, 1.0, 2.0])
    x.attach_grad()
    x.grad[:] = 7
    return x


@pytest.fixture
def w():
    w = nd.array([1.0, 2.0, 3.0])
    w.attach_grad()
    return w


@pytest.mark.parametrize("function", FLAT.values(), ids=FLAT)
def test_zeros_arrive(function, x, w):
    with autograd.record():
        y = w.sum() + function(x * 2).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]
    assert w.grad.asnumpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize("function", FLAT.values(), ids=FLAT)
def test_grad_gives_zeros(function, x, w):
    with autograd.record():
        y = w.sum() * function(x * 2).sum()
    assert autograd.grad(y, x, retain_graph=True)[0].asnumpy().tolist() == [0, 0, 0]
    assert autograd.grad([y, y], [x, w])[0].asnumpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "function",
    [gnp.argsort, gnp.argmax, gnp.isnan, lambda x: x > 1, lambda x: x.nonzero()[0], gnp.zeros_like],
)
def test_zeros_arrive_in_np(function):
    x, w = gnp.array([0.0, 1.0, 2.0]), gnp.array([1.0, 2.0, 3.0])
    x.attach_grad()
    w.attach_grad()
    x.grad[:] = 7
    with autograd.record():
        y = w.sum() + function(x * 2).sum()
    y.backward()
    assert x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "BlockGrad", "stop_gradient"])
def test_it_can_be_the_head_where_that_is_meant(name, x):
    with autograd.record():
        y = nd.exp(FLAT[name](x * 2)) * 3
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize(("name", "operator"), [("argmax", "argmax"), ("argsort", "order")])
def test_it_cannot_where_that_looks_like_a_mistake(name, operator, x):
    with autograd.record():
        y = FLAT[name](x * 2) * 3
    with pytest.raises(AutogradError, match=f"computed by {operator}, which has no gradient"):
        y.backward()
    with gluon.mxnet.installed():
        y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]


def test_softmax_output_behind_block_grad_has_its_gradient():
    logits, label = nd.array([[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]), nd.array([0, 2])
    logits.attach_grad()
    with autograd.record():
        p = nd.SoftmaxOutput(logits, label)
        loss = -nd.log(nd.pick(nd.BlockGrad(p), label)).sum()
    loss.backward()
    expected = p.asnumpy() - np.eye(3)[[0, 2]]
    np.testing.assert_allclose(logits.grad.asnumpy(), expected, rtol=1e-6)


def test_a_trainer_steps_after_it():
    net, other = gluon.nn.Dense(1, in_units=2), gluon.nn.Dense(1, in_units=2)
    for block in (net, other):
        block.initialize()
    before = other.weight.data().asnumpy()
    params = gluon.parameter.ParameterDict()
    params.update(net.collect_params())
    params.update(other.collect_params())
    trainer = gluon.Trainer(params, "sgd", {"learning_rate": 0.1})
    x = nd.ones((4, 2))
    for _ in range(2):
        with autograd.record():
            loss = (net(x) + nd.ones_like(other(x))).sum()
        loss.backward()
        trainer.step(4)
    np.testing.assert_array_equal(other.weight.data().asnumpy(), before)


def test_detach_is_a_cut(x, w):
    with autograd.record():
        y = (w + (x * 2).detach()).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [7, 7, 7]


def test_a_manager_gives_none_to_what_is_not_reached(x, w):
    manager = gluon.autodiff.GradManager().attach([x, w])
    with manager:
        grads = manager.backward((w + (x > 1)).sum())
    assert grads[0] is None
    assert x.grad.asnumpy().tolist() == [7, 7, 7]


def test_a_mask_serves_two_backwards(x, w):
    with autograd.record():
        mask = x * 2 > 1
        first, second = (w * mask).sum(), (w * mask * 2).sum()
    first.backward()
    x.grad[:] = 7
    second.backward()  # the path to x was released, with its gradient
    assert w.grad.asnumpy().tolist() == [0, 2, 2]
    assert x.grad.asnumpy().tolist() == [7, 7, 7]


def test_a_mask_of_what_was_released(x, w):
    with autograd.record():
        h = x * 2
        (h * h).sum().backward()
        y = (w * (h > 1)).sum()
    y.backward()
    assert w.grad.asnumpy().tolist() == [0, 1, 1]


def test_functions_lead_on(x, w):
    class Twice(autograd.Function):
        def forward(self, a, b):
            return a * 2 + b

        def backward(self, g):
            return g * 2, g

    with autograd.record():
        y = Twice()(w, x > 1).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]
    assert w.grad.asnumpy().tolist() == [2, 2, 2]


def test_a_gradient_of_zeros_does_not_disturb_another(x):
    with autograd.record():
        y = (x * (x > 0.5) * nd.BlockGrad(x) + nd.round(x)).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "function",
    [nd.radians, nd.degrees, lambda x: nd.clip(x, 0, 1.5), lambda x: x * 3, nd.Dropout, nd.relu],
)
def test_second_derivatives_of_what_is_linear_are_zeros(function, x):
    with autograd.record():
        y = function(x)
        g = autograd.grad(y, x, create_graph=True)[0]
        total = (g * g).sum()
    total.backward()
    assert x.grad.asnumpy().tolist() == [0, 0, 0]


def test_second_derivatives_of_a_loss_with_a_gradient_of_its_own_are_zeros(x):
    with autograd.record():
        g = autograd.grad(nd.MakeLoss(x * x), x, create_graph=True)[0]
        total = nd.BlockGrad(g).sum()
    total.backward()
    assert np.isfinite(x.grad.asnumpy()).all()


def test_nothing_is_kept_and_no_chain_grows(x, no_cycle_collector):
    """Count over many batches: released nodes are dropped."""
    count = nd.zeros((1,))
    for _ in range(20):
        with autograd.record():
            y = nd.exp(x)
            count = count + (y > 1).sum()
        y.backward()
    assert len(count._node.zeros) == 1
    kept = weakref.ref(y)
    with autograd.record():
        mask = nd.exp(x) > 1
    assert len(mask._node.zeros) == 1
    del y
    assert kept() is None
    assert not gc.garbage
