"""Batches that are any tuple with data, as MXNet's scripts for prediction make them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from gluon import cpu, io, module, nd, sym

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


@pytest.mark.parametrize("count", [2, 3, 5])
def test_data_and_labels_need_one_number_of_samples(count):
    both = sym.Group([sym.sum(sym.var("a"), axis=1), sym.sum(sym.var("b"), axis=1)])
    model = module.Module(both, ["a", "b"], None)
    with pytest.raises(ValueError, match=r"the same number of samples, not \{'a': 4, 'b': 5\}"):
        model.bind([("a", (4, 3)), ("b", (5, 3))])
    model.bind([("a", (4, 3)), ("b", (4, 3))], for_training=False)
    model.init_params()
    for counts in ((count, 4), (4, count)):
        with pytest.raises(ValueError, match="the same number of samples"):
            model.forward(Batch([nd.ones((n, 3)) for n in counts]))
    model.forward(Batch([nd.ones((count, 3))] * 2))
    assert [one.shape for one in model.get_outputs()] == [(count,)] * 2


def test_more_labels_than_samples_are_left_out():
    model = MODULES["with a loss"]()
    model.bind([("data", (2, 4))], [("softmax_label", (2,))])
    model.init_params(arg_params=VALUES)
    model.forward(io.DataBatch([nd.ones((2, 4))], [nd.array([1, 2, 0])]))
    assert model._exec_group.execs[0].arg_dict["softmax_label"].asnumpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match="the same number of samples"):
        model.forward(io.DataBatch([nd.ones((3, 4))], [nd.array([1, 2])]))


def test_a_list_of_batches_has_one_for_each_context():
    model = module.Module(sym.SoftmaxOutput(SCORES, name="softmax"), context=[cpu(0), cpu(1)])
    model.bind([("data", (4, 4))], [("softmax_label", (4,))])
    model.init_params(arg_params=VALUES)
    for counts in ((2, 2), (3, 3), (1, 1)):
        model.forward([io.DataBatch([nd.ones((n, 4))], [nd.zeros(n)]) for n in counts])
        assert model.get_outputs()[0].shape == (sum(counts), 3)
    for counts in ((1, 2), (2, 1), (2,), (2, 2, 2)):
        with pytest.raises(ValueError, match="one for each of the 2 contexts"):
            model.forward([io.DataBatch([nd.ones((n, 4))], [nd.zeros(n)]) for n in counts])


def test_groups_need_a_context_for_each_of_the_module():
    for groups in ([{"a": cpu(1)}], {"a": [cpu(1), cpu(2), cpu(3)]}):
        with pytest.raises(ValueError, match="for each of the 2 contexts"):
            module.Module(SCORES, label_names=None, context=[cpu(0), cpu(1)], group2ctxs=groups)


def test_arrays_are_fed_by_the_names_of_the_iterator():
    names = ["user", "item"]
    batches = io.NDArrayIter(
        {"user": np.array([0, 1]), "item": np.array([3, 4])}, {"score": np.zeros(2)}, batch_size=2
    )
    assert [one.name for one in batches.provide_data] == ["item", "user"]
    both = sym.Group([sym.identity(sym.var(name)) for name in names])
    model = module.Module(both, data_names=names, label_names=None)
    model.bind(batches.provide_data, for_training=False)
    model.init_params()
    model.forward(next(batches))
    assert [one.asnumpy().tolist() for one in model.get_outputs()] == [[0, 1], [3, 4]]
    model.forward(io.DataBatch([nd.array([5]), nd.array([2])]))  # another size, the same order
    assert [one.asnumpy().tolist() for one in model.get_outputs()] == [[2], [5]]
