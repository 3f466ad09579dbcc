"""Private functions and methods that libraries call, with the arguments that MXNet's take."""

from __future__ import annotations

import inspect
import json
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gluon.mxnet
from gluon import autograd, nd, nn
from gluon.parameter import Parameter
from recorded.make_private_methods import required

REFERENCE = Path(__file__).resolve().parents[2] / "recorded" / "private_methods.json"
EXPECTED = json.loads(REFERENCE.read_text())


def found(path: str):
    """The function that gluon has there, if it has one in Python."""
    module, _, names = path.partition(":")
    value = import_module(module)
    for name in names.split("."):
        look_up = getattr if inspect.ismodule(value) else inspect.getattr_static
        value = look_up(value, name, None)
    value = getattr(value, "__func__", value)
    return value if inspect.isfunction(value) else None


@pytest.mark.filterwarnings("ignore")
def test_they_ask_for_no_more_than_those_of_mxnet():
    with gluon.mxnet.installed():
        functions = {path: found(path) for path in EXPECTED}
        ours = {path: required(one) for path, one in functions.items() if one is not None}
    # MXNet's generated functions ask for no argument and fail without.
    ours = {path: names for path, names in ours.items() if ":_contrib_" not in path}
    assert len(ours) > 100
    assert {path: names for path, names in ours.items() if len(names) > len(EXPECTED[path])} == {}


@pytest.mark.parametrize("hybrid", [False, True])
def test_a_checkpoint_handler_writes_the_symbol_of_a_network_that_was_hybridized(tmp_path, hybrid):
    net = nn.Dense(1)
    net.initialize()
    if hybrid:
        net.hybridize()
    net(nd.ones((1, 2)))
    logged = []
    logger = SimpleNamespace(info=lambda text, *args: logged.append(text % args))
    with gluon.mxnet.installed():
        handler = gluon.contrib.estimator.CheckpointHandler(str(tmp_path), "net")
        handler._save_symbol(SimpleNamespace(net=net, logger=logger))
    assert [path.name for path in tmp_path.iterdir()] == ["net-symbol.json"] * hybrid
    if hybrid:
        symbol = gluon.sym.load(str(tmp_path / "net-symbol.json"))
        assert symbol.list_arguments() == ["data", net.weight.name, net.bias.name]
    else:
        assert "hybridize()" in logged[0]


def test_saved_values_of_a_parameter():
    weight = Parameter("w", shape=(2,))
    weight._load_init(nd.array([1, 2]), gluon.cpu())
    assert weight.data().asnumpy().tolist() == [1, 2]


def test_update_of_a_trainer():
    layer = nn.Dense(1, in_units=2)
    layer.initialize("ones")
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 1})
    with autograd.record():
        layer(nd.array([[1, 2]])).backward()
    trainer._allreduce_grads()
    trainer._update()
    np.testing.assert_allclose(layer.weight.data().asnumpy(), [[0, -1]])
