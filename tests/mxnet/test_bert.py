"""Parameters of a network built like BERT, as MXNet wrote them, give MXNet's outputs."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gluon.mxnet
from gluon import nd
from recorded.make import HERE
from tests.mxnet import bert

RECORD = json.loads((HERE / "bert.json").read_text())


@pytest.fixture
def mx():
    with gluon.mxnet.installed():
        import mxnet

        yield mxnet


def as_the_oracle(mx, net):
    for found, expected in zip(bert.outputs(mx, net), RECORD["outputs"]):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("prefix", ["bert_", "other_"])
def test_parameters_by_attributes(mx, prefix, hybridize):
    net = bert.build(mx, prefix)
    assert sorted(net._collect_params_with_prefix()) == RECORD["names"]
    if hybridize:
        net.hybridize()
    net.load_parameters(str(HERE / "bert.params"))
    assert net.decoder[3].weight is net.word_embed[0].weight
    as_the_oracle(mx, net)


def test_parameters_by_full_names(mx):
    net = bert.build(mx)
    net.collect_params().load(str(HERE / "bert_full.params"))
    as_the_oracle(mx, net)


def test_what_is_saved_here_has_the_names_of_mxnet(mx, tmp_path):
    net = bert.build(mx)
    net.load_parameters(str(HERE / "bert.params"))
    net.save_parameters(str(tmp_path / "again.params"))
    saved = nd.load(str(tmp_path / "again.params"))
    theirs = nd.load(str(HERE / "bert.params"))
    assert sorted(saved) == sorted(theirs)
    assert all((saved[name] == one).asnumpy().all() for name, one in theirs.items())
