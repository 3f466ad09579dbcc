"""Output layers where MXNet's `nd` gives no reference."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import autograd, nd

ACTIVE = nd.array([[0.2, 0.9, 0.5], [0.3, 0.2, 0.1]])
#: What MXNet gives through a bound symbol, for a head gradient of 2 and a running average of 0.5.
BOUND = [
    ({"penalty": 1.0}, [0.475, 0.505, 0.48], [3.50376, 3.62016, 3.52244]),
    (
        {"penalty": 1.0, "sparseness_target": 0.3},
        [0.475, 0.505, 0.48],
        [2.70175, 2.82008, 2.72115],
    ),
    ({"penalty": 1.0, "momentum": 0.1}, [0.275, 0.545, 0.32], [2.87774, 3.79454, 3.01103]),
]


@pytest.mark.parametrize(("how", "average", "grad"), BOUND)
def test_a_sparseness_penalty_is_what_a_symbol_of_mxnet_gives(how, average, grad):
    x, moving = ACTIVE.copy(), nd.full((3,), 0.5)
    x.attach_grad()
    with autograd.record():
        y = nd.IdentityAttachKLSparseReg(x, moving_avg=moving, **how)
    y.backward(nd.full((2, 3), 2))
    np.testing.assert_array_equal(y.asnumpy(), x.asnumpy())
    np.testing.assert_allclose(moving.asnumpy(), average, rtol=1e-6)
    np.testing.assert_allclose(x.grad.asnumpy(), [grad, grad], rtol=1e-5)


def test_a_sparseness_penalty_leaves_the_average_alone_in_predict_mode():
    moving = nd.full((3,), 0.5)
    nd.IdentityAttachKLSparseReg(ACTIVE, moving_avg=moving)
    assert moving.asnumpy().tolist() == [0.5, 0.5, 0.5]


def test_a_sparseness_penalty_without_an_average_is_that_of_the_batch():
    grads = []
    for how in ({}, {"momentum": 0.0, "moving_avg": nd.full((3,), 0.5)}):
        x = ACTIVE.copy()
        x.attach_grad()
        with autograd.record():
            y = nd.IdentityAttachKLSparseReg(x, penalty=2.0, **how)
        y.backward()
        grads.append(x.grad.asnumpy())
    np.testing.assert_allclose(*grads)


def test_sums_of_squares_have_their_gradients():
    x, y = nd.array([1, -2]), nd.array([[3.0]], dtype="float64")
    for one in (x, y):
        one.attach_grad()
    with autograd.record():
        sums = nd.multi_sum_sq(x, y, num_arrays=2)
    sums.backward(nd.array([1, 10]))
    assert (x.grad.asnumpy().tolist(), y.grad.asnumpy().tolist()) == ([2, -4], [[60]])
