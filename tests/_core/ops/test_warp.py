"""Sampling between pixels: derivatives of higher order, and points far away."""

from __future__ import annotations

import numpy as np

from gluon import autograd, nd


def chain(x, grid):
    """d/dx of d/drow of d/dcolumn of a sum of samples, weighted so that all of them count."""
    for array in (x, grid):
        array.attach_grad()
    with autograd.record():
        y = (nd.BilinearSampler(x, grid) ** 2).sum()
        (g,) = autograd.grad(y, [grid], create_graph=True)
        score = (g[:, 0] * nd.array([[[1, -2]]], dtype="float64")).sum()
        (g,) = autograd.grad(score, [grid], create_graph=True)
        score = (g[:, 1] * nd.array([[[3, 1]]], dtype="float64")).sum()
        return score, autograd.grad(score, [x])[0]


def test_the_third_gradient_is_the_slope_of_the_second():
    rng = np.random.default_rng(0)
    x, step = rng.normal(size=(2, 1, 2, 3, 4))
    grid = nd.array([[[[0.1, -0.6]], [[0.3, 0.7]]]], dtype="float64")
    _, found = chain(nd.array(x, dtype="float64"), grid)
    ends = [
        chain(nd.array(x + sign * 1e-6 * step, dtype="float64"), grid)[0].item() for sign in (1, -1)
    ]
    np.testing.assert_allclose((found.asnumpy() * step).sum(), (ends[0] - ends[1]) / 2e-6, 1e-6)


def test_points_far_away_read_zeros_and_give_no_gradient():
    x = nd.ones((1, 1, 2, 2))
    x.attach_grad()
    grid = nd.array([[[[3e38, -3e38, 1e20]], [[0, 1e10, -3e38]]]])
    with autograd.record():
        y = nd.BilinearSampler(x, grid)
    y.backward()
    assert not y.asnumpy().any()
    assert not x.grad.asnumpy().any()
