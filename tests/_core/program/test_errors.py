"""Errors inside programs: they name the operator, the layer and the line of the user."""

from __future__ import annotations

import pytest
from gluon.errors import IndexRangeError

import gluon
from gluon import nd, nn


class Loss(gluon.HybridBlock):
    def hybrid_forward(self, F, x, label):
        for _ in range(8):
            x = F.tanh(x) * 0.5 + F.sigmoid(x)
        return F.softmax_cross_entropy(x, label)


def called(step, *extra):
    for k in range(5):
        step(nd.ones((2, 3)) * k, nd.array([k % 3, 1]))
    with pytest.raises(IndexRangeError) as found:
        step(nd.ones((2, 3)), nd.array([0, 7]))
    return str(found.value)


def test_a_jitted_step_names_the_layer_and_the_line():
    loss = Loss(prefix="loss_")

    @gluon.jit
    def step(x, label):
        return loss(x * 2, label)

    text = called(step)
    (variant,) = step._compiled.variants.values()
    assert variant.ready, step.program()
    assert text.startswith("in loss, test_errors.py:")
    assert "softmax_cross_entropy(x: float32[2, 3], label: float32[2]): label 7 is out of" in text


def test_a_jitted_step_without_layers_names_the_line():
    @gluon.jit
    def step(x, label):
        return nd.softmax_cross_entropy(x * 2, label)

    assert called(step).startswith("in test_errors.py:")


@pytest.mark.parametrize("draws", [False, True])
def test_a_hybridized_block_names_its_layer(draws, monkeypatch):
    monkeypatch.setenv("GLUON_PROGRAM", "1")

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="net_")
            with self.name_scope():
                self.dropout, self.loss = nn.Dropout(0.5), Loss()

        def hybrid_forward(self, F, x, label):
            return self.loss(self.dropout(x) if draws else x, label)

    net = Net()
    net.hybridize()
    with gluon.autograd.train_mode():
        text = called(net)
    assert "net_loss" in text
    assert "softmax_cross_entropy(" in text
    assert text.count("label 7") == 1
