"""The arguments of `export_model`, one by one, as users give them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gluon import GluonError, nd, nn, sym

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon import onnx as gluon_onnx  # noqa: E402

from .agreement import ran  # noqa: E402

#: Those of MXNet 1.9.1, in this order.
OF_MXNET = """
    sym params in_shapes in_types onnx_file_path verbose dynamic dynamic_input_shapes
    run_shape_inference input_type input_shape
""".split()
SHAPE = (2, 3, 6, 6)


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Any:
    """The two files of a network, its symbol and parameters, an input and what it computes."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Dense(3))
    net.initialize("xavier")
    net.hybridize()
    x = nd.array(np.random.default_rng(0).normal(size=SHAPE).astype("float32"))
    y = net(x).asnumpy()
    files = net.export(str(tmp_path_factory.mktemp("files") / "net"))
    arrays = nd.load(files[1])
    arguments, states = (
        {key[4:]: one for key, one in arrays.items() if key.startswith(kind)}
        for kind in ("arg:", "aux:")
    )
    return files, sym.load(files[0]), arguments, states, x.asnumpy(), y


def test_they_are_those_of_mxnet():
    assert list(inspect.signature(gluon_onnx.export_model).parameters)[: len(OF_MXNET)] == OF_MXNET


def test_each_way_to_give_the_network(trained, tmp_path):
    files, symbol, arguments, states, x, y = trained
    both = {**arguments, **states}
    paths = [Path(one) for one in files]
    raw = {name: one.asnumpy() for name, one in both.items()}
    path = str(tmp_path / "net.onnx")
    for network, params in (
        files,
        paths,
        (symbol, files[1]),
        (symbol, both),
        (symbol, [arguments, states]),
        (symbol, (arguments, states)),
        (symbol, nd.load(files[1])),
        (symbol, raw),
    ):
        found = gluon_onnx.export_model(network, params, [SHAPE], onnx_file_path=path)
        assert found == path
        np.testing.assert_allclose(ran(path, {"data": x})[0], y, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "types", ["float32", np.float32, np.dtype("float32"), ["float32"], [np.float32], (np.float32,)]
)
def test_each_way_to_give_the_dtypes(types, trained, tmp_path):
    _, symbol, arguments, states, x, y = trained
    path = str(tmp_path / "net.onnx")
    gluon_onnx.export_model(symbol, [arguments, states], [SHAPE], types, path)
    np.testing.assert_allclose(ran(path, {"data": x})[0], y, rtol=1e-4, atol=1e-5)


def test_the_file_is_model_onnx_by_default(trained, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, symbol, arguments, states, _, _ = trained
    assert gluon_onnx.export_model(symbol, [arguments, states], [SHAPE]) == "model.onnx"
    assert (tmp_path / "model.onnx").is_file()


def test_large_model_writes_a_second_file(trained, tmp_path):
    _, symbol, arguments, states, x, y = trained
    arguments = {**arguments, "w": nd.ones((1, 1024))}
    net = sym.broadcast_add(symbol, sym.sum(sym.var("w")) * 0)
    path = str(tmp_path / "net.onnx")
    gluon_onnx.export_model(
        net, [arguments, states], [SHAPE], onnx_file_path=path, large_model=True
    )
    assert (tmp_path / "net.onnx.data").stat().st_size >= 4096
    np.testing.assert_allclose(ran(path, {"data": x})[0], y, rtol=1e-4, atol=1e-5)
    back = gluon_onnx.import_to_gluon(path)
    np.testing.assert_allclose(back(nd.array(x)).asnumpy(), y, rtol=1e-4, atol=1e-5)
    gluon_onnx.export_model(net, [arguments, states], [SHAPE], onnx_file_path=path)
    assert [one.name for one in tmp_path.iterdir()] == ["net.onnx"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dynamic_input_shapes": [("n", 3, 6, 6)]}, "dynamic_input_shapes=.* needs dynamic=True"),
        ({"in_types": ["float32"] * 2}, "2 in_types for the inputs"),
        ({"in_shapes": None}, "give in_shapes for the inputs"),
        ({"in_shapes": SHAPE}, "in_shapes=.*; give a list with a tuple per input"),
        ({"in_shapes": [SHAPE] * 2}, "2 in_shapes for the inputs"),
        ({"in_shapes": [(2, 3, 1, 1)]}, "kernel"),
        ({"sym": nn.Dense(1, prefix="one_")}, "sym is a Dense; .*net.export_onnx"),
        ({"sym": "none-symbol.json"}, "cannot find"),
        ({"params": None}, "params is a NoneType"),
        ({"params": {"net_dense0_bias": [1.0]}}, "'net_dense0_bias' is a list; give an NDArray"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, dict) else "",
)
def test_what_does_not_fit_is_said(changes, words, trained, tmp_path):
    _, symbol, arguments, states, _, _ = trained
    if changes.get("params"):
        changes = {"params": {**arguments, **states, **changes["params"]}}
    call = {"sym": symbol, "params": [arguments, states], "in_shapes": [SHAPE], **changes}
    with pytest.raises(GluonError, match=words):
        gluon_onnx.export_model(**call, onnx_file_path=str(tmp_path / "net.onnx"))
    assert list(tmp_path.iterdir()) == []
