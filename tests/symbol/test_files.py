"""Symbol files: those of old versions, and damaged, huge or hostile ones."""

from __future__ import annotations

import json
import tracemalloc
from copy import deepcopy

import pytest

from gluon import GluonError, sym
from gluon._core.errors import MissingFileError

from . import loops

GRAPH = json.loads(sym.exp(sym.var("x"), name="e").tojson())


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", "null", "{}", "\0", "[" * 100_000, '{"nodes":' * 50_000,
     json.dumps(GRAPH)[:-40]],
)  # fmt: skip
def test_no_graph(text):
    with pytest.raises(GluonError, match="load_json"):
        sym.load_json(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": [[1, 0, 0]]}, "node 1, which does not come before it"),
        ({"inputs": [[10**9, 0, 0]]}, "which does not come before it"),
        ({"inputs": [[-1, 0, 0]]}, "which does not come before it"),
        ({"inputs": [[0, 1, 0]]}, "output 1 of 1"),
        ({"inputs": [[0, 0, 0]] * 2}, "exp has 2 inputs, not the 1 of data"),
        ({"inputs": [[0.5, 0, 0]]}, "is <class 'list'>"),
        ({"inputs": None}, "not a list"),
        ({"op": "__import__"}, "no operator '__import__'"),
        ({"op": 3}, "'op' of node 1 is 3"),
        ({"name": None}, "'name' of node 1 is None"),
        ({"op": "softmax", "attrs": {"a": "1"}}, "no argument 'a'"),
        ({"attrs": {"a": 1}}, "is 1, not a text"),
        ({"op": "UpSampling", "attrs": {"scale": "2"}}, "'sample_type' is missing"),
        ({"op": "SliceChannel", "attrs": {"num_outputs": "None"}}, "0 outputs"),
        ({"op": "SliceChannel", "attrs": {"num_outputs": "1000000000"}}, "1000000000 outputs"),
        ({"op": "SliceChannel", "attrs": {"num_outputs": "exit()"}}, "must be an integer"),
        ({"op": "slice", "attrs": {"begin": "(" * 10**5, "end": "()"}}, "begin="),
    ],
)
def test_a_wrong_node(change, message):
    graph = deepcopy(GRAPH)
    graph["nodes"][1].update(change)
    with pytest.raises(GluonError) as caught:
        sym.load_json(json.dumps(graph))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("dtype", ["(1,1", "[" * 500, "9" * 5000, "i4,i4", "", "V8", "O"])
@pytest.mark.parametrize("key", ["dtype", "__dtype__"])
def test_a_wrong_dtype(dtype, key):
    made = {"op": "_zeros", "name": "x", "attrs": {"shape": "(2,)", key: dtype}, "inputs": []}
    if key == "__dtype__":
        made = {**made, "op": "null", "attrs": {key: dtype}}
    graph = {"nodes": [made], "arg_nodes": [0], "heads": [[0, 0, 0]]}
    with pytest.raises(GluonError, match="is not supported"):
        sym.load_json(json.dumps(graph)).infer_type()


@pytest.mark.parametrize("value", ["(null)", "None", "(None, 0)", "9" * 5000])
def test_wrong_places_of_a_loop(value):
    graph = json.loads(loops.foreach(sym)[0].tojson())
    loop = next(node for node in graph["nodes"] if node["op"] == "_foreach")
    for key in ("in_data_locs", "in_state_locs", "remain_locs", "num_outputs"):
        damaged = deepcopy(graph)
        damaged["nodes"][graph["nodes"].index(loop)]["attrs"][key] = value
        with pytest.raises(GluonError, match=f"_foreach: {key}="):
            sym.load_json(json.dumps(damaged))


@pytest.mark.parametrize("heads", [[], [[2, 0, 0]], [[1, 1, 0]], [["1", 0]], None, [[]]])
def test_wrong_heads(heads):
    with pytest.raises(GluonError, match="load_json"):
        sym.load_json(json.dumps({**GRAPH, "heads": heads}))


def old(**node):
    """A graph as MXNet 0.8 wrote it: no version, and attributes under another key."""
    nodes = [
        {"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
        {"op": "null", "param": {}, "name": "bn_gamma", "inputs": []},
        {"op": "null", "param": {}, "name": "bn_beta", "inputs": []},
        {**node, "name": "bn", "inputs": [[0, 0], [1, 0], [2, 0]]},
    ]
    return json.dumps({"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": [[3, 0]]})


def test_states_that_old_files_leave_out():
    net = sym.load_json(old(op="BatchNorm", param={"eps": "0.1"}, attr={"lr_mult": "2"}))
    assert net.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]
    assert net.attr("eps") == "0.1"
    assert net.attr("__lr_mult__") == "2"
    assert net.attr_dict()["bn_moving_var"]["__init__"] == '["one", {}]'
    assert net.infer_shape(data=(2, 3))[1] == [(2, 3)]


def test_multipliers_that_old_files_have_in_the_layer():
    net = sym.load_json(old(op="BatchNorm", attr={"gamma_lr_mult": "0"}))
    assert net.attr_dict()["bn_gamma"]["lr_mult"] == "0"


def test_old_names_of_operators():
    graph = deepcopy(GRAPH)
    graph["nodes"][1].update(op="_PlusScalar", attrs={"scalar": "2"})
    assert json.loads(sym.load_json(json.dumps(graph)).tojson())["nodes"][1]["op"] == "_plus_scalar"


def test_a_file(tmp_path):
    net = sym.exp(sym.var("x"), name="e")
    net.save(tmp_path / "net-symbol.json")
    assert sym.load(tmp_path / "net-symbol.json").tojson() == net.tojson()
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GluonError, match="bytes"):
        sym.load(tmp_path / "bytes")
    with pytest.raises(MissingFileError, match=r"^load: cannot find the file '.*none.json'"):
        sym.load(tmp_path / "none.json")


def test_a_long_chain_is_no_recursion():
    x = sym.var("x")
    for _ in range(5_000):
        x = x + 1
    assert sym.load_json(x.tojson()).infer_shape(x=(2,))[1] == [(2,)]


def test_a_network_for_100_gb_is_inferred_without_memory():
    x = sym.var("data", shape=(1000, 1000, 200, 128))
    for k in range(1000):
        x = sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=1000, name=f"c{k}")
    tracemalloc.start()
    assert x.infer_shape()[1] == [(1000, 1000, 200, 128)]
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**24


def test_contradictions_name_the_operator_its_input_and_both_shapes():
    y = sym.elemwise_add(sym.var("a"), sym.var("b"), name="plus")
    with pytest.raises(GluonError, match=r"'plus': input rhs is of shape \(3, 2\).*\(2, 3\)"):
        y.infer_shape(a=(2, 3), b=(3, 2))


def of_nodes(*nodes):
    """The text of a graph whose last node is the output."""
    return json.dumps({**GRAPH, "nodes": nodes, "heads": [[len(nodes) - 1, 0, 0]]})


VARIABLE = {"op": "null", "name": "x", "inputs": []}
LONG = 10_000


@pytest.mark.parametrize(
    ("operator", "attrs", "count"),
    [
        ("tile", {"reps": "(" + "2," * 100_000 + ")"}, 1),
        ("Reshape", {"shape": "(" + "-1," * 100_000 + ")"}, 1),
        ("Reshape", {"shape": "(" + "-1," * 9_000 + ")"}, 1),
        ("_npx_reshape", {"newshape": "(" + "-4," * 9_000 + ")"}, 1),
        ("_npi_einsum", {"subscripts": "a" * 10**6, "num_args": "1"}, 1),
        ("_npi_pad", {"pad_width": "9" * 5_000}, 1),
        ("_npi_pad", {"pad_width": "__import__('os')"}, 1),
        ("_sample_multinomial", {"shape": "exit()"}, 1),
        ("_zeros", {"shape": "(1e9"}, 0),
        ("_arange", {"start": "0", "stop": "1e300", "step": "1e-300"}, 0),
        ("_npi_arange", {"start": "0", "stop": "nan", "step": "0"}, 0),
        ("repeat", {"repeats": "9" * 5_000}, 1),
        ("_plus_scalar", {"scalar": "__import__('os')"}, 1),
        ("Pooling", {"kernel": "(0,0)", "stride": "(0,0)"}, 1),
        ("space_to_depth", {"block_size": "0"}, 1),
        ("multi_sgd_update", {"num_weights": "100000000"}, 2),
        ("RNN", {"state_size": "9" * 20, "num_layers": "9" * 20, "mode": "lstm"}, 4),
        ("Custom", {"op_type": "os.system"}, 1),
        ("_contrib_MultiBoxPrior", {"sizes": "abc"}, 1),
        ("BatchNorm", {"axis": "99"}, 5),
        ("_npi_indices", {"dimensions": "(3,"}, 0),
    ],
)
def test_hostile_arguments(operator, attrs, count):
    last = {"op": operator, "name": "o", "attrs": attrs, "inputs": [[0, 0, 0]] * count}
    with pytest.raises(GluonError) as caught:
        sym.load_json(of_nodes(VARIABLE, last)).infer_shape_partial(
            **({"x": (2, 3, 4, 4)} if count else {})
        )
    assert len(str(caught.value)) < 1000


def test_giant_graphs_take_no_longer_for_each_node():
    chain = [{"op": "exp", "name": f"e{k}", "inputs": [[k, 0, 0]]} for k in range(LONG)]
    assert sym.load_json(of_nodes(VARIABLE, *chain)).infer_shape(x=(2,))[1] == [(2,)]
    pairs = [
        {"op": "Concat", "name": f"c{k}", "attrs": {"dim": "0"}, "inputs": [[k, 0, 0]] * 2}
        for k in range(100)
    ]
    assert sym.load_json(of_nodes(VARIABLE, *pairs)).infer_shape(x=(1,))[1] == [(2**100,)]
    sources = [{**VARIABLE, "name": f"x{k}"} for k in range(LONG)]
    total = {"op": "add_n", "name": "sum", "inputs": [[k, 0, 0] for k in range(LONG)]}
    wide = sym.load_json(of_nodes(*sources, total))
    assert wide.infer_shape(x0=(2,))[0] == [(2,)] * LONG
