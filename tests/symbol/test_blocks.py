"""Every block called with symbols: names as with MXNet, values as with arrays."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from gluon import SymbolBlock, autograd, contrib, loss, nd, nn, rnn, sym
from gluon.block import Block, HybridBlock, naming
from gluon.data.vision import transforms
from gluon.mxnet.name import NameManager
from tests.compared import assert_equal
from tests.nn.replay import MX

from . import blocks

DATA = Path(__file__).resolve().parents[2] / "recorded" / "symbol_blocks.json.gz"
RECORDED = json.loads(gzip.decompress(DATA.read_bytes()))
#: Blocks that take no arrays, that are no blocks to call, or that no symbol can stand for.
OTHERS = {
    *("Block", "HybridBlock", "HybridRecurrentCell", "Lambda", "Loss", "ModifierCell"),
    *("RecurrentCell", "Sequential", "SymbolBlock", "Concurrent", "SparseEmbedding"),
}


@pytest.fixture(autouse=True)
def fresh_names(monkeypatch):
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    with NameManager():
        yield


@pytest.mark.parametrize("name", RECORDED)
def test_names_and_graphs_are_as_with_mxnet(name):
    found = json.loads(json.dumps(blocks.described(MX(), blocks.CASES[name])))
    for key, want in RECORDED[name].items():
        assert_equal(found[key], want, key)


@pytest.mark.filterwarnings("ignore:KLDivLoss")  # drawn values are no logarithms
@pytest.mark.filterwarnings("ignore:to_tensor")  # nor numbers up to 255
@pytest.mark.parametrize("name", blocks.CASES)
def test_a_symbol_computes_what_the_block_does(name):
    case = blocks.CASES[name]
    given = [nd.array(x) for x in blocks.values(case)]
    block, symbol = blocks.composed(MX(), case)
    block.initialize()
    wanted = list(blocks.flat(case.call(block, *given)))
    params = block.collect_params()
    bound = symbol.simple_bind(**{f"data{k}": x.shape for k, x in enumerate(given)})
    for array in (bound.arg_dict, bound.aux_dict):
        for one, own in array.items():
            own[:] = params[one].data() if one in params else given[int(one.removeprefix("data"))]
    found = bound.forward()
    assert len(found) == len(wanted)
    for y, expected in zip(found, wanted):
        np.testing.assert_allclose(y.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


#: Random in training, or of whole numbers.
WITHOUT_GRADIENTS = re.compile(
    "Drop|Zoneout|SequentialRNNCell|with lengths|Cross.*Loss$|CTC|Embedding$"
)


@pytest.mark.filterwarnings("ignore:KLDivLoss")  # drawn values are no logarithms
@pytest.mark.filterwarnings("ignore:to_tensor")  # nor numbers up to 255
@pytest.mark.parametrize("name", [one for one in blocks.CASES if not WITHOUT_GRADIENTS.search(one)])
def test_its_gradients_are_those_of_the_block(name):
    case = blocks.CASES[name]
    given = [nd.array(x) for x in blocks.values(case)]
    block, symbol = blocks.composed(MX(), case)
    block.initialize()
    for x in given:
        x.attach_grad()
    with autograd.record():
        wanted = list(blocks.flat(case.call(block, *given)))
    heads = [one for one in wanted if np.dtype(one.dtype).kind == "f"]
    autograd.backward(heads)
    params = block.collect_params()
    values = {f"data{k}": x for k, x in enumerate(given)}
    requests = {
        one: params[one].grad_req if one in params else "write" for one in symbol.list_arguments()
    }
    bound = symbol.simple_bind(grad_req=requests, **{k: x.shape for k, x in values.items()})
    values |= {one: params[one].data() for one in params}
    bound.copy_params_from(values, values, allow_extra_params=True)
    bound.forward(is_train=True)
    bound.backward([nd.ones_like(y) for y in bound.outputs])
    for key, grad in bound.grad_dict.items():
        if grad is None:
            continue
        own = params[key].grad() if key in params else values[key].grad
        np.testing.assert_allclose(grad.asnumpy(), own.asnumpy(), rtol=1e-4, atol=1e-5)


def test_every_block_is_in_the_table():
    called = " ".join(blocks.CASES)
    for module in (nn, rnn, contrib.nn, contrib.rnn, contrib.cnn, loss):
        for name in module.__all__:
            kind = getattr(module, name)
            if isinstance(kind, type) and issubclass(kind, Block) and name == kind.__name__:
                assert name in OTHERS or name in called, name
                assert name in OTHERS or issubclass(kind, HybridBlock) or "Cell" in name, name


@pytest.mark.parametrize(
    ("make", "name", "shape"),
    [
        (lambda: nn.Dense(4, flatten=False), "weight", (4, 5)),
        (lambda: rnn.LSTM(3), "l0_i2h_weight", (12, 5)),
        (lambda: nn.GroupNorm(3), "gamma", (3,)),
        (lambda: nn.BatchNorm(axis=2), "running_var", (5,)),
    ],
)
def test_shapes_of_parameters_follow_from_a_symbol(make, name, shape):
    layer = make()
    layer.infer_shape(sym.var("data", shape=(2, 3, 5)))
    assert getattr(layer, name).shape == shape


def test_the_variable_of_a_parameter_is_one_and_says_what_it_knows():
    layer = nn.Dense(4, in_units=3, prefix="fc_")
    variable = layer.weight.var()
    assert variable is layer.weight.var()
    assert variable.attr("__shape__") == "(4, 3)"
    assert layer(sym.var("data")).list_arguments() == ["data", "fc_weight", "fc_bias"]


@pytest.mark.parametrize("made", ["RandomGray", "HybridRandomApply"])
def test_a_symbol_of_what_happens_at_random_draws_at_each_run(made):
    kind = getattr(transforms, made)
    layer = kind(0.5) if made == "RandomGray" else kind(transforms.Normalize(1.0, 1.0), 0.5)
    x = nd.array(np.arange(18.0).reshape(3, 2, 3))
    bound = layer(sym.var("x")).bind(None, [x])
    changed = [bound.forward()[0].asnumpy().tolist() != x.asnumpy().tolist() for _ in range(60)]
    assert set(changed) == {False, True}


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_recurrent_layers_go_through_files(kind, bidirectional, tmp_path):
    net = nn.HybridSequential()
    net.add(getattr(rnn, kind)(4, 2, bidirectional=bidirectional), nn.Dense(2, flatten=False))
    net.initialize()
    net.hybridize()
    x = nd.array(np.random.RandomState(0).randn(3, 2, 5))
    y = net(x)
    files = net.export(str(tmp_path / "net"))
    again = SymbolBlock.imports(files[0], "data", files[1])
    for more in (x, nd.concat(x, x, dim=1)):  # of another batch too
        np.testing.assert_allclose(again(more).asnumpy()[:, :2], y.asnumpy(), rtol=1e-5, atol=1e-6)
