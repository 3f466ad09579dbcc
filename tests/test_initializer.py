"""Initializers: the fixed ones as the oracle's, the random ones by their distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gluon
from gluon import init, nd
from tests.nn.replay import assert_as_the_oracle


def test_what_is_not_random(monkeypatch):
    assert_as_the_oracle("initializers", monkeypatch)


def drawn(made, shape=(40, 30, 5, 5)):
    gluon.random.seed(0)
    weight = nd.zeros(shape)
    made("x_weight", weight)
    return weight.asnumpy()


@pytest.mark.parametrize(
    ("made", "bound"),
    [
        (init.Uniform(), 0.07),
        (init.Uniform(2), 2),
        (init.Xavier(), math.sqrt(3 / (35 * 25))),
        (init.Xavier(factor_type="in", magnitude=2), math.sqrt(2 / (30 * 25))),
        (init.Xavier("uniform", "out"), math.sqrt(3 / (40 * 25))),
    ],
)
def test_uniform_ones(made, bound):
    values = drawn(made)
    assert abs(values).max() == pytest.approx(bound, rel=1e-3)
    assert values.std() == pytest.approx(bound / math.sqrt(3), rel=0.01)
    assert abs(values.mean()) < 0.01 * bound


@pytest.mark.parametrize(
    ("made", "deviation"),
    [
        (init.Normal(), 0.01),
        (init.Normal(3), 3),
        (init.Xavier("gaussian"), math.sqrt(3 / (35 * 25))),
        (init.MSRAPrelu(), math.sqrt(2 / (1 + 0.25**2) / (35 * 25))),
        (init.MSRAPrelu("in", 0), math.sqrt(2 / (30 * 25))),
    ],
)
def test_normal_ones(made, deviation):
    values = drawn(made)
    assert values.std() == pytest.approx(deviation, rel=0.01)
    assert abs(values.mean()) < 0.02 * deviation
    assert abs(values).max() > 3.5 * deviation


@pytest.mark.parametrize("rand_type", ["uniform", "normal"])
@pytest.mark.parametrize("shape", [(3, 8), (8, 3), (4, 2, 2)])
def test_orthogonal(rand_type, shape):
    values = drawn(init.Orthogonal(rand_type=rand_type), shape).reshape(shape[0], -1)
    product = values @ values.T if len(values) <= values.shape[1] else values.T @ values
    np.testing.assert_allclose(product, 1.414**2 * np.eye(len(product)), atol=1e-6)


def test_the_seed_decides():
    one, two = drawn(init.Normal()), drawn(init.Normal())
    np.testing.assert_array_equal(one, two)


def test_one_of_your_own():
    @init.register
    @init.alias("three")
    class Three(init.Initializer):
        def _init_weight(self, name, arr):
            arr[:] = 3

        def _init_bias(self, name, arr):
            arr[:] = -3

    net = gluon.nn.Dense(1, in_units=1, bias_initializer=None)
    net.initialize("three")
    assert (net.weight.data().asscalar(), net.bias.data().asscalar()) == (3, 3)
    bias = nd.zeros((1,))
    init.create("Three")("x_bias", bias)
    assert bias.asscalar() == -3
    for name in ("three",):
        del init.REGISTRY[name]


def test_equality():
    assert init.Constant(3) == init.Constant(3) != init.Constant(4)
    assert init.Zero() != init.One()
    assert init.create(init.Xavier("gaussian").dumps()) == init.Xavier("gaussian")


def test_constant_takes_arrays():
    for value in ([1, 2], np.array([1, 2]), nd.array([1, 2])):
        parameter = gluon.Parameter("p", shape=(3, 2), init=init.Constant(value))
        parameter.initialize()
        assert parameter.data().asnumpy().tolist() == [[1, 2]] * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: init.create("xaver"), "no initializer is called 'xaver'; there are .*xavier"),
        (lambda: init.Xavier("cauchy")("w_weight", nd.ones((2, 2))), "'cauchy' is not uniform"),
        (lambda: init.Xavier("uniform", "up")("w_weight", nd.ones((2, 2))), "'up' is not avg"),
        (lambda: init.Bilinear()("w_weight", nd.ones((2, 2))), "needs a weight of 4 axes"),
        (lambda: init.One()("other", nd.ones((1,))), "'other': its name does not end in weight"),
        (lambda: init.create(3), "a name or an Initializer, not int"),
    ],
)
def test_errors(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
