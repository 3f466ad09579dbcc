"""Files that request excessive arrays or graphs raise before memory is allocated."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd
from gluon import onnx as gluon_onnx

pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper

from gluon.onnx import sizes

INTEGERS = {"huge": [2**40, 2, 3], "wide": [1, 1, 2**24, 2**24], "negative": [-5, 2, 3]}
INTEGERS |= {"far": [77], "one": [1], "step": [0], "many": [2**45], "below": [-5]}
INTEGERS |= {"pads": [2**32, 0, 2**20, 0], "parts": [5, -3], "counts": [2**30, 2**20]}
#: The tensors in the files, which are the inputs of the nodes below.
GIVEN = {name: np.array(value, "int64") for name, value in INTEGERS.items()}
GIVEN["places"] = np.zeros((1, 1, 4, 4), "int64")
GIVEN |= {"scalar": np.int64(2**45), "minus": np.int64(-5), "ends": np.array([0, 1], "float32")}
GIVEN |= {"zero": np.float32(0), "end": np.float32(1e18), "by": np.float32(1)}
GIVEN |= {"tiny": np.float32(1e-30), "scales": np.array([1, 1, 1e9, 1e9], "float32")}
GIVEN |= {"shrunk": np.array([1, 1, -2, 2], "float32"), "none": np.array([1, 1, 0, 0], "float32")}
GIVEN |= {"filter": np.ones((1, 1, 3, 3), "float32"), "theta": np.ones((1, 2, 3), "float32")}
GIVEN |= {"box": np.array([[0, 0, 1, 1]], "float32")}
GIVEN |= {"vast": np.array([[0, 0, 1e9, 1e9]], "float32")}
IMAGE, WIDE = (1, 1, 4, 4), 2**24

#: An operator, its inputs, its attributes: all of them ask for more than any network needs.
ABSURD: list[tuple[str, str, dict[str, Any]]] = [
    ("Expand", "x huge", {}),
    ("Expand", "x negative", {}),
    ("ConstantOfShape", "huge", {}),
    ("ConstantOfShape", "many", {}),
    ("ConstantOfShape", "below", {}),
    ("Tile", "m counts", {}),
    ("Tile", "m parts", {}),
    ("Range", "zero end by", {}),
    ("Range", "zero by tiny", {}),
    ("Range", "zero by zero", {}),
    *(("Resize", "x   wide", {"mode": mode}) for mode in ("nearest", "linear", "cubic")),
    *(("Resize", f"x  {scales}", {}) for scales in ("scales", "shrunk", "none")),
    *(("Pad", "m pads", {"mode": mode}) for mode in ("constant", "edge", "reflect")),
    ("CenterCropPad", "m counts", {}),
    ("OneHot", "one scalar ends", {}),
    ("OneHot", "one minus ends", {}),
    ("RandomNormal", "", {"shape": [2**20, 2**20]}),
    ("RandomUniform", "", {"shape": [2**40, 2**40]}),
    ("RandomUniform", "", {"shape": [-4]}),
    ("MaxUnpool", "x places wide", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("MaxUnpool", "x places", {"kernel_shape": [WIDE, WIDE], "strides": [WIDE, WIDE]}),
    ("ConvTranspose", "x filter", {"strides": [WIDE, WIDE]}),
    ("ConvTranspose", "x filter", {"output_shape": [WIDE, WIDE]}),
    ("ConvTranspose", "x filter", {"output_padding": [WIDE, WIDE]}),
    ("ConvTranspose", "x filter", {"dilations": [WIDE, WIDE]}),
    ("Conv", "x filter", {"pads": [WIDE] * 4}),
    ("Conv", "x filter", {"dilations": [2**40, 2**40]}),
    ("Conv", "x filter", {"strides": [0, 0]}),
    ("Conv", "x filter", {"group": 2**40}),
    *(
        (kind, "x", {"kernel_shape": [3, 3], "pads": [WIDE] * 4})
        for kind in ("MaxPool", "AveragePool", "LpPool")
    ),
    ("MaxPool", "x", {"kernel_shape": [2**40, 2**40]}),
    ("RoiAlign", "x box step", {"output_height": WIDE, "output_width": WIDE}),
    ("RoiAlign", "x box step", {"sampling_ratio": WIDE}),
    ("RoiAlign", "x vast step", {}),
    ("RoiAlign", "x box far", {}),
    ("AffineGrid", "theta wide", {}),
    ("HannWindow", "scalar", {}),
    ("HannWindow", "minus", {}),
    ("DFT", "x scalar", {"axis": 0}),
    ("Col2Im", "x counts counts", {}),
    ("Split", "m parts", {"axis": 0}),
    ("Split", "m", {"num_outputs": 2**40}),
    ("TopK", "x many", {}),
    ("TopK", "x below", {}),
    ("DepthToSpace", "x", {"blocksize": 2**30}),
    ("Reshape", "x counts", {}),
    ("Gather", "x far", {}),
    ("GatherND", "x far", {}),
    ("Slice", "m step one far", {}),
    ("ReduceSum", "m far", {}),
    ("Softmax", "m", {"axis": 77}),
    ("Flatten", "m", {"axis": 77}),
    ("Unsqueeze", "m far", {}),
    ("LayerNormalization", "m one", {"axis": 77}),
    ("Resize", "x  scales", {"nearest_mode": "best"}),
    ("Add", "x ", {}),
]


def model(nodes: Any, opset: int = 20, functions: Any = ()) -> bytes:
    used = {name for node in nodes for name in node.input} & GIVEN.keys()
    graph = helper.make_graph(
        nodes,
        "net",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, IMAGE),
            helper.make_tensor_value_info("m", TensorProto.FLOAT, (2, 3)),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(GIVEN[name], name) for name in sorted(used)],
    )
    graph.output[0].type.tensor_type.shape.SetInParent()
    versions = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    return helper.make_model(
        graph, opset_imports=versions, ir_version=8, functions=functions
    ).SerializeToString()


def used_by(data: bytes) -> Any:
    """What the network computes."""
    net = gluon_onnx.import_to_gluon(data)
    return net(nd.ones(IMAGE), nd.ones((2, 3)))


@pytest.mark.parametrize(
    "case", ABSURD, ids=lambda case: " ".join(f"{case[0]} {case[1]} {case[2]}".split())
)
def test_absurd_numbers_take_no_memory(case):
    kind, inputs, attributes = case
    data = model([helper.make_node(kind, inputs.split(" ") if inputs else [], ["y"], **attributes)])
    tracemalloc.start()
    try:
        with pytest.raises(GluonError):
            used_by(data)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def branches(depth: int) -> Any:
    """Branches inside of branches, of which the innermost adds."""
    value = helper.make_empty_tensor_value_info
    other = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["e"])], "other", [], [value("e")]
    )
    node = helper.make_node("Add", ["x", "by"], ["z0"])
    for k in range(depth):
        inner = helper.make_graph([node], "inner", [], [value(f"z{k}")])
        output = "y" if k == depth - 1 else f"z{k + 1}"
        node = helper.make_node("If", ["go"], [output], then_branch=inner, else_branch=other)
    return node


def test_branches_in_branches_do_not_grow_with_the_power_of_their_depth(tmp_path):
    depth = 25
    nodes = [helper.make_node("Cast", ["by"], ["go"], to=TensorProto.BOOL), branches(depth)]
    data = model(nodes)
    tracemalloc.start()
    net = gluon_onnx.import_to_gluon(data)
    np.testing.assert_array_equal(net(nd.ones(IMAGE), nd.ones((2, 3))).asnumpy(), np.full(IMAGE, 2))
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()
    again = gluon_onnx.import_to_gluon(
        net.export_onnx(str(tmp_path / "again.onnx"), nd.ones(IMAGE), nd.ones((2, 3)))
    )
    np.testing.assert_array_equal(again(nd.ones(IMAGE)).asnumpy(), np.full(IMAGE, 2))
    net.export(str(tmp_path / "net"))
    assert sum(one.stat().st_size for one in tmp_path.iterdir()) < 100 * len(data)


def function(name: str, *calls: str) -> Any:
    """A function that calls others, one after the other."""
    names = ["a", *(f"t{k}" for k in range(len(calls) - 1)), "b"]
    nodes = [
        helper.make_node(call, [names[k]], [names[k + 1]], domain="" if call == "Relu" else "own")
        for k, call in enumerate(calls)
    ]
    versions = [helper.make_opsetid("", 20), helper.make_opsetid("own", 1)]
    return helper.make_function("own", name, ["a"], ["b"], nodes, versions)


def test_functions_are_replaced():
    made = [function("f", "Relu"), function("g", "f", "f")]
    data = model([helper.make_node("g", ["x"], ["y"], domain="own")], functions=made)
    np.testing.assert_array_equal(used_by(data).asnumpy(), np.ones(IMAGE))


@pytest.mark.parametrize(
    "functions",
    [
        [function("f", "f")],
        [function("f", "g"), function("g", "f")],
        [function("f0", "Relu"), *(function(f"f{k}", *[f"f{k - 1}"] * 10) for k in range(1, 13))],
    ],
    ids=["itself", "each other", "growing"],
)
def test_functions_that_never_end_or_grow(functions):
    name = functions[-1].name
    data = model([helper.make_node(name, ["x"], ["y"], domain="own")], functions=functions)
    tracemalloc.start()
    with pytest.raises(GluonError, match="import_model"):
        gluon_onnx.import_model(data)
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def test_functions_with_other_inputs_than_they_are_called_with():
    made = [function("f", "Relu")]
    data = model([helper.make_node("f", ["x", "x"], ["y"], domain="own")], functions=made)
    with pytest.raises(GluonError, match="do not fit"):
        gluon_onnx.import_model(data)


def result(name: str) -> Any:
    """A float array of some shape."""
    found = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    found.type.tensor_type.shape.SetInParent()
    return found


def outer(count: int, sums: int) -> bytes:
    """An outer product of `count` values, and sums with it that all exist at the end."""
    one = np.ones((count, 1), "float32")
    nodes = [helper.make_node("Mul", ["a", "b"], ["t0"])]
    nodes += [helper.make_node("Add", [f"t{k}", "x"], [f"t{k + 1}"]) for k in range(sums)]
    nodes.append(helper.make_node("Sum", [f"t{k}" for k in range(sums + 1)], ["y"]))
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 1))],
        [result("y")],
        [numpy_helper.from_array(one, "a"), numpy_helper.from_array(one.T, "b")],
    )
    imports = [helper.make_opsetid("", 20)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


def test_outer_products_that_ask_for_all_memory(monkeypatch):
    with pytest.raises(
        GluonError,
        match=r"'t0' has the shape \(65536, 65536\), with more than 2147483647.*open axes",
    ):
        gluon_onnx.import_model(outer(2**16, 1))
    monkeypatch.setattr(sizes, "memory", lambda: 2**24)
    data = outer(2**10, 5)  # six arrays of four megabytes
    with pytest.raises(GluonError, match=r"needs 0\.0 GB or more at 't4'"):
        gluon_onnx.import_model(data)
    monkeypatch.setattr(sizes, "memory", lambda: 2**25)
    found = gluon_onnx.import_to_gluon(data)(nd.zeros((1, 1))).asnumpy()
    np.testing.assert_array_equal(found, np.full((2**10, 2**10), 6))


def test_arrays_that_are_not_used_any_more_count_no_longer(monkeypatch):
    """A chain needs as much as its largest step, and views need nothing."""
    monkeypatch.setattr(sizes, "memory", lambda: 3 * 2**20)
    nodes = [helper.make_node("Add", ["x", "x"], ["t0"])]
    for k in range(20):
        nodes.append(helper.make_node("Tanh", [f"t{k}"], [f"u{k}"]))
        nodes.append(helper.make_node("Transpose", [f"u{k}"], [f"t{k + 1}"]))
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (512, 512))],
        [result("t20")],
    )
    imports = [helper.make_opsetid("", 20)]
    found = helper.make_model(graph, opset_imports=imports, ir_version=8)
    assert gluon_onnx.import_to_gluon(found)(nd.zeros((512, 512))).asnumpy().max() == 0


def test_large_arrays_in_bodies_of_branches():
    big = helper.make_node("Mul", ["a", "b"], ["inner"])
    other = helper.make_node("Identity", ["x"], ["outer"])
    value = helper.make_empty_tensor_value_info
    node = helper.make_node(
        "If",
        ["go"],
        ["y"],
        then_branch=helper.make_graph([big], "then", [], [value("inner")]),
        else_branch=helper.make_graph([other], "else", [], [value("outer")]),
    )
    one = np.ones((2**17, 1), "float32")
    graph = helper.make_graph(
        [helper.make_node("Cast", ["x"], ["go"], to=TensorProto.BOOL), node],
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ())],
        [result("y")],
        [numpy_helper.from_array(one, "a"), numpy_helper.from_array(one.T, "b")],
    )
    imports = [helper.make_opsetid("", 20)]
    with pytest.raises(GluonError, match="'inner' has the shape"):
        gluon_onnx.import_model(helper.make_model(graph, opset_imports=imports, ir_version=8))
