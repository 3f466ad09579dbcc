"""Files that are damaged, hostile or unknown raise an error of gluon before memory is allocated."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd, nn
from gluon import onnx as gluon_onnx

onnx = pytest.importorskip("onnx")
from google.protobuf.message import EncodeError  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402

FLOAT = TensorProto.FLOAT


def model(nodes: Any, initializers: Any = (), shape: Any = (2, 3), outputs: Any = ("y",)) -> Any:
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", FLOAT, shape)],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        list(initializers),
    )
    for output in graph.output:
        output.type.tensor_type.shape.SetInParent()
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def add(weight: Any) -> Any:
    return model([helper.make_node("Add", ["x", "w"], ["y"])], [weight])


def outside(location: str, **spec: Any) -> bytes:
    """A model whose values lie in another file."""
    weight = TensorProto(name="w", data_type=FLOAT, dims=[3])
    weight.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **spec}.items():
        weight.external_data.add(key=key, value=str(value))
    return add(weight).SerializeToString()


def refused(data: Any, match: str = "import_model") -> None:
    for read in (gluon_onnx.import_model, gluon_onnx.import_to_gluon):
        with pytest.raises(GluonError, match=match):
            read(data)


def small(tmp_path) -> bytes:
    net = nn.Dense(3)
    net.initialize("xavier")
    path = net.export_onnx(str(tmp_path / "net.onnx"), nd.ones((2, 4)))
    with open(path, "rb") as file:
        return file.read()


def test_truncated_files(tmp_path):
    data = small(tmp_path)
    whole = gluon_onnx.import_to_gluon(data)(nd.ones((2, 4))).asnumpy()
    assert whole.shape == (2, 3)
    opened = 0
    for length in range(0, len(data), 3):
        try:
            net = gluon_onnx.import_to_gluon(data[:length])
        except GluonError:
            continue
        opened += 1  # what is missing was no part of the network
        np.testing.assert_array_equal(net(nd.ones((2, 4))).asnumpy(), whole)
    assert opened < 10


def test_random_bytes(tmp_path):
    draw = np.random.default_rng(0)
    for length in (1, 2, 10, 100, 1000):
        for _ in range(20):
            refused(draw.bytes(length))


def test_flipped_bytes(tmp_path):
    """A damaged file may be another network, but never causes anything but an error of gluon."""
    data = small(tmp_path)
    draw = np.random.default_rng(1)
    raised = 0
    for _ in range(200):
        damaged = bytearray(data)
        damaged[draw.integers(len(data))] = draw.integers(256)
        try:
            gluon_onnx.import_to_gluon(bytes(damaged))
        except GluonError:
            raised += 1
    assert raised > 50


def test_cycles():
    nodes = [helper.make_node("Add", ["x", "b"], ["y"]), helper.make_node("Relu", ["y"], ["b"])]
    refused(model(nodes).SerializeToString())


def test_values_outside_of_the_folder(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(bytes(12))
    (folder / "link").symlink_to(tmp_path / "secret")
    path = folder / "net.onnx"
    for location in ("../secret", str(tmp_path / "secret"), "link", "", "a/../../secret"):
        path.write_bytes(outside(location))
        refused(path, "outside of the model's folder")
    refused(outside("secret"), "give the path of the model")


def test_values_beside_the_file_that_are_not_there(tmp_path):
    (tmp_path / "data").write_bytes(bytes(11))
    path = tmp_path / "net.onnx"
    cases: list[dict[str, Any]] = [{}, {"offset": -4}, {"offset": 2**40}, {"offset": "x"}]
    for spec in cases:
        path.write_bytes(outside("data", **spec))
        refused(path, "which are not there")
    path.write_bytes(outside("none"))
    refused(path, "which are not there")


def test_values_beside_the_file_are_read(tmp_path):
    (tmp_path / "data").write_bytes(np.arange(4, dtype="float32").tobytes())
    path = tmp_path / "net.onnx"
    path.write_bytes(outside("data", offset=4))
    net = gluon_onnx.import_to_gluon(path)
    np.testing.assert_array_equal(net(nd.zeros((1, 3))).asnumpy(), [[1, 2, 3]])


@pytest.mark.parametrize("dims", [[2**40], [2**31, 2**31, 2**31], [-1], [2, -3], [4], [0]], ids=str)
def test_absurd_shapes_take_no_memory(dims):
    for values in ({"raw_data": bytes(12)}, {"float_data": [1.0, 2.0, 3.0]}):
        weight = TensorProto(name="w", data_type=FLOAT, dims=dims, **values)
        data = add(weight).SerializeToString()
        tracemalloc.start()
        refused(data, "w")
        assert tracemalloc.get_traced_memory()[1] < 2**24
        tracemalloc.stop()


def test_missing_outputs():
    refused(model([helper.make_node("Relu", ["x"], ["z"])]).SerializeToString())
    empty = model([helper.make_node("Relu", ["x"], ["y"])], outputs=())
    refused(empty.SerializeToString(), "no outputs")


def test_unknown_operators_are_listed_at_once():
    nodes = [
        helper.make_node("Nonsense", ["x"], ["a"], "first", domain="my.own"),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Folly", ["b"], ["y"], "second", domain="my.own"),
    ]
    found = model(nodes)
    found.opset_import.append(helper.make_opsetid("my.own", 1))
    refused(found.SerializeToString(), r"Nonsense \(node 'first'\), .*Folly \(node 'second'\)")


def test_unknown_operators_of_onnx_itself_are_listed_too():
    inner = helper.make_graph([helper.make_node("Folly", ["x"], ["z"], "second")], "in", [], [])
    inner.output.add(name="z")
    nodes = [
        helper.make_node("Erfc", ["x"], ["a"], "first"),
        helper.make_node("If", ["a"], ["y"], then_branch=inner, else_branch=inner),
    ]
    refused(model(nodes).SerializeToString(), r"Erfc \(node 'first'\), Folly \(node 'second'\)")


def test_wrong_attributes():
    refused(model([helper.make_node("Relu", ["x"], ["y"], size=3)]).SerializeToString())
    missing = model([helper.make_node("Cast", ["x"], ["y"])])
    refused(missing.SerializeToString())


def test_a_file_that_is_not_there(tmp_path):
    for path in (tmp_path / "none.onnx", tmp_path):
        refused(path, "cannot find the file")


def test_the_package_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(GluonError, match=r"gluon-autograd\[onnx\]"):
        gluon_onnx.import_model(b"")


def test_a_model_that_is_too_large_to_check(monkeypatch):
    def check_model(_):
        raise EncodeError("Failed to serialize proto")

    monkeypatch.setattr(onnx.checker, "check_model", check_model)
    with pytest.raises(GluonError, match="more than two gigabytes; give the path of its file"):
        gluon_onnx.import_to_gluon(model([helper.make_node("Neg", ["x"], ["y"])]))
