"""Losses: values, gradients and names as the oracle's."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import loss, nd
from tests.nn.replay import assert_as_the_oracle, named


@pytest.mark.parametrize("name", [*named("loss"), "pos_weight"])
def test_loss(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch)


def test_the_sigmoid_loss_is_stable():
    pred = nd.array([-1000, 1000])
    pred.attach_grad()
    got = loss.SigmoidBCELoss()(pred, nd.array([1, 0]))
    assert got.asnumpy().tolist() == [1000, 1000]


def test_the_softmax_loss_is_stable():
    got = loss.SoftmaxCELoss()(nd.array([[-1000, 1000]]), nd.array([0]))
    assert got.asnumpy().tolist() == [2000]


def test_labels_of_another_shape_with_as_many_values():
    pred, label = nd.array([[1, 2], [3, 4]]), nd.array([1, 2, 3, 5])
    np.testing.assert_allclose(loss.L1Loss()(pred, label).asnumpy(), [0, 0.5])


def test_errors():
    with pytest.raises(TypeError, match=r"L2Loss: weight is a number.*sample_weight"):
        loss.L2Loss(weight=nd.ones((3,)))
    with pytest.raises(ValueError, match=r"in L2Loss 'l'.*\(2, 3\), \(5,\)"):
        loss.L2Loss(prefix="l_")(nd.ones((2, 3)), nd.ones((5,)))
