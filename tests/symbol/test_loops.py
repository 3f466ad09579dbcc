"""Control flow on symbols: beside MXNet's, computed, inferred, differentiated, and damaged."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from gluon import GluonError, HybridBlock, SymbolBlock, autograd, nd, nn, sym
from gluon.mxnet.name import NameManager
from gluon.symbol import control
from gluon.symbol import loops as counted
from tests.compared import assert_equal

from . import graphs, loops

RECORDED = json.loads(
    (Path(__file__).resolve().parents[2] / "recorded" / "symbol_loops.json").read_text()
)


@pytest.fixture(autouse=True)
def _counts(monkeypatch):
    monkeypatch.setattr(counted, "COUNTS", type(counted.COUNTS)())


def described(case):
    with NameManager():
        symbol, given = case(sym)
        return json.loads(json.dumps(graphs.described(symbol, given)))


@pytest.mark.parametrize("case", loops.CASES, ids=lambda case: case.__name__)
def test_a_symbol_is_as_in_mxnet(case):
    found, expected = described(case), RECORDED[case.__name__]
    if expected["shapes"] is None:  # MXNet infers nothing through these
        found["shapes"] = None
    assert_equal(found, expected)


@pytest.mark.parametrize("case", loops.CASES, ids=lambda case: case.__name__)
def test_what_is_inferred_is_what_running_gives(case):
    symbol, given = case(sym)
    symbol = sym.load_json(symbol.tojson())
    ex = symbol.simple_bind(**given)
    for array in ex.arg_arrays:
        array[:] = 0.5
    outputs = ex.forward(is_train=True)
    assert [one.shape for one in outputs] == symbol.infer_shape(**given)[1]
    assert {one.dtype for one in outputs} == set(symbol.infer_type(data="float32")[1] or [
        np.float32]) if "data" in given else True  # fmt: skip
    ex.backward([nd.ones(one.shape) for one in outputs])


def recurrence(F, x, state, weight):
    """The same loop on symbols and on arrays."""

    def body(part, s):
        s = F.tanh(F.FullyConnected(part, weight, no_bias=True, num_hidden=2) + s)
        return s * 2, s

    outputs, last = F.contrib.foreach(body, x, state)
    total, _ = F.contrib.while_loop(
        lambda i, y: i < 3, lambda i, y: (y * i, [i + 1, y + i]), [F.ones((1,)), F.sum(last)],
        max_iterations=4,
    )  # fmt: skip
    chosen = F.contrib.cond(F.sum(last) > 0, lambda: outputs * 3, lambda: outputs)
    return F.sum(chosen) + F.sum(total)


@pytest.mark.parametrize("sign", [1, -1])
def test_values_and_gradients_are_those_of_arrays(sign):
    rng = np.random.RandomState(0)
    given = {
        "x": nd.array(sign * rng.rand(3, 2, 4)),
        "state": nd.array(sign * rng.rand(2, 2)),
        "weight": nd.array(rng.rand(2, 4)),
    }
    ex = recurrence(sym, *map(sym.var, given)).simple_bind(
        **{name: array.shape for name, array in given.items()}
    )
    found = ex.forward(is_train=True, **given)
    ex.backward(nd.ones((1,)))
    for array in given.values():
        array.attach_grad()
    with autograd.record():
        y = recurrence(nd, *given.values())
    y.backward()
    np.testing.assert_allclose(found[0].asnumpy(), y.asnumpy(), rtol=1e-6)
    for name, array in given.items():
        np.testing.assert_allclose(ex.grad_dict[name].asnumpy(), array.grad.asnumpy(), rtol=1e-5)


def test_a_loop_without_a_step_gives_zeros():
    outputs, last = sym.contrib.while_loop(
        lambda i: i < 0, lambda i: (i * 2, i + 1), sym.var("i"), max_iterations=3
    )
    found = sym.Group([outputs, last]).eval(i=nd.array([1, 2])[:1])
    assert [one.asnumpy().tolist() for one in found] == [[[0]] * 3, [1]]


class Loop(HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.step = nn.Dense(3)
            self.norm = nn.BatchNorm()
            self.scale = self.params.get("scale", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, state, scale):
        def body(part, s):
            s = self.norm(self.step(part)) + s
            return F.broadcast_mul(s, scale), s

        return F.contrib.foreach(body, x, state)[0]


def test_a_block_is_exported_and_loaded(tmp_path):
    net = Loop(prefix="loop_")
    net.initialize()
    net.hybridize()
    x, state = nd.array(np.random.RandomState(0).rand(4, 2, 5)), nd.zeros((2, 3))
    y = net(x, state)
    files = net.export(str(tmp_path / "loop"))
    again = SymbolBlock.imports(files[0], ["data0", "data1"], files[1])
    np.testing.assert_allclose(again(x, state).asnumpy(), y.asnumpy(), rtol=1e-6)
    with autograd.record():
        y = again(x, state)
    y.backward()
    assert again.collect_params()["loop_dense0_weight"].grad().asnumpy().any()


def test_shapes_flow_back_out_of_a_body():
    symbol, _ = loops.foreach(sym)
    found = dict(zip(symbol.list_arguments(), symbol.infer_shape_partial(data=(5, 0, 4))[0]))
    assert found["fc_weight"] == (3, 4)
    assert found["w"] == found["state"] == (0, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: sym.contrib.foreach(lambda a, s: (a, a), x, sym.var("s")), "does not use 's'"),
        (lambda x: sym.contrib.foreach(lambda a, s: (a, [s, s]), x, sym.var("s")), "2 states for"),
        (lambda x: sym.contrib.foreach(lambda a, s: (1, s), x, sym.var("s")), "is an int"),
        (lambda x: sym.contrib.foreach(lambda a, s: (a, s), nd.ones((2,)), x), "is an NDArray"),
        (lambda x: sym.contrib.while_loop(lambda a: a, lambda a: (a, a), x), "max_iterations"),
        (lambda x: sym.contrib.while_loop(lambda: 1, lambda: 1, [], 3), "is empty"),
        (lambda x: sym.contrib.while_loop(lambda a: 1, lambda a: (a, a), x, 3), "is an int"),
        (lambda x: sym.contrib.while_loop(lambda a: a, lambda a: (a, []), x, 3), "0 loop variab"),
        (lambda x: sym.contrib.cond(x, lambda: x, lambda: [x, x]), "then_func 1 and else_func 2"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(GluonError, match=message):
        call(sym.var("x"))


GRAPH = json.loads(loops.while_loop(sym)[0].tojson())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"subgraphs": []}, "0 subgraphs, not 2"),
        ({"subgraphs": None}, "not a list"),
        ({"subgraphs": [1, 2]}, "the graph is 1"),
        ({"attrs": {"func_var_locs": "[9]"}}, "func_var_locs"),
        ({"attrs": {"cond_input_locs": "[-1, 0]"}}, "places"),
        ({"attrs": {"cond_input_locs": "[99999999, 0]"}}, "places"),
        ({"attrs": {"cond_input_locs": "[0]"}}, "places"),
        ({"attrs": {"num_outputs": "1000000000"}}, "num"),
        ({"attrs": {"num_out_data": "-5"}}, "num"),
        ({"attrs": {"max_iterations": "exit()"}}, "must be an integer"),
        ({"inputs": []}, "has 0 inputs, not the 4"),
    ],
)
def test_a_damaged_loop(change, message):
    graph = deepcopy(GRAPH)
    node = next(one for one in graph["nodes"] if one["op"] == "_while_loop")
    node.update({**change, "attrs": {**node["attrs"], **change.get("attrs", {})}})
    with pytest.raises(GluonError, match=message):
        sym.load_json(json.dumps(graph))


def test_graphs_in_graphs_end():
    graph = json.loads(loops.states_alone(sym)[0].tojson())
    for _ in range(60):
        outer = deepcopy(graph)
        outer["nodes"][2]["subgraphs"] = [graph]
        graph = outer
    with pytest.raises(GluonError, match="more than 50 graphs"):
        sym.load_json(json.dumps(graph))


def test_loops_in_loops_are_inferred_once(monkeypatch):
    def deep(level):
        def body(x, s):
            return deep(level - 1)(x, s) if level else (x + s, x * s)

        return lambda x, s: sym.contrib.foreach(body, x, s, name=f"level{level}")

    outputs, _ = deep(20)(sym.var("x"), sym.var("s"))
    visits = []
    run = control.graph_shapes
    monkeypatch.setattr(control, "graph_shapes", lambda *args: visits.append(1) or run(*args))
    shape = (2,) * 21 + (3,)
    assert outputs.infer_shape(x=shape, s=(3,))[1] == [shape]
    assert len(visits) < 200
