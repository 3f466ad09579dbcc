"""Batches that are any tuple with data, as MXNet's scripts for prediction make them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from gluon import module, nd, sym

Batch = namedtuple("Batch", ["data"])
x = sym.var("data")
SCORES = sym.FullyConnected(x, num_hidden=3, name="fc")
VALUES = {"fc_weight": nd.ones((3, 4)), "fc_bias": nd.zeros((3,))}


def of(net: Any, **names: Any) -> Any:
    return module.Module(net, **names)


def in_sequence() -> Any:
    both = module.SequentialModule().add(of(SCORES, label_names=None))
    return both.add(of(sym.tanh(x, name="y"), label_names=None), auto_wiring=True)


MODULES = {
    "plain": lambda: of(SCORES, label_names=None),
    "with a loss": lambda: of(sym.SoftmaxOutput(SCORES, name="softmax")),
    "in a sequence": in_sequence,
}


@pytest.mark.parametrize("name", MODULES)
def test_a_batch_needs_no_labels(name):
    model = MODULES[name]()
    model.bind([("data", (2, 4))], for_training=False)
    model.init_params(arg_params=VALUES)
    wanted = {"plain": 4, "with a loss": 1 / 3, "in a sequence": np.tanh(4)}[name]
    for count in (2, 3):
        model.forward(Batch([nd.ones((count, 4))]))
        (found,) = model.get_outputs()
        np.testing.assert_allclose(found.asnumpy(), np.full((count, 3), wanted), rtol=1e-5)
    if name == "plain":
        model.forward([Batch([nd.ones((3, 4))])])
        assert model.get_outputs()[0].shape == (3, 3)


def test_labels_that_were_described_must_come():
    model = MODULES["with a loss"]()
    model.bind([("data", (2, 4))], [("softmax_label", (2,))])
    model.init_params(arg_params=VALUES)
    with pytest.raises(AttributeError, match="label"):
        model.forward(Batch([nd.ones((2, 4))]))
