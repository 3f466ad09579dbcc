"""Not covered by ONNX's own tests of operators: gradients, and saved symbols."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from gluon import autograd, nd

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from gluon import onnx as gluon_onnx  # noqa: E402


def model(nodes: Any, shape: Any, opset: int = 20, dtype: int = TensorProto.FLOAT, **given: Any):
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", dtype, shape)],
        [helper.make_tensor_value_info("y", dtype, ())],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in given.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()


def slope_of(data: bytes, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The result, and the gradient of its product with 0, 1, 2, ..."""
    net = gluon_onnx.import_to_gluon(data)
    given = nd.array(x)
    given.attach_grad()
    with autograd.record():
        y = net(given)
        total = (y * nd.array(np.arange(y.size, dtype="float32").reshape(y.shape))).sum()
    total.backward()
    return y.asnumpy(), given.grad.asnumpy()


def test_gradients_pass_through_values_that_are_quantized_and_back(tmp_path):
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
    ]
    data = model(nodes, (5,), scale=np.float32(0.5), zero=np.int8(1))
    x = np.array([-70, -0.6, 0.2, 63, 65], "float32")
    y, slope = slope_of(data, x)
    np.testing.assert_array_equal(y, [-64.5, -0.5, 0, 63, 63])
    np.testing.assert_array_equal(slope, [0, 1, 2, 3, 0])  # none where a limit is met
    again = gluon_onnx.import_to_gluon(data).export_onnx(str(tmp_path / "q.onnx"), nd.array(x))
    (written,) = (one for one in onnx.load(again).graph.node if one.op_type == "DequantizeLinear")
    assert list(written.input) == ["q", "scale", "zero"]


@pytest.mark.parametrize("onesided", [0, 1])
def test_gradients_of_fourier_transforms(onesided):
    x = np.random.default_rng(0).normal(size=(1, 7, 1)).astype("float32")
    node = helper.make_node("DFT", ["x", "", "axis"], ["y"], onesided=onesided)
    y, slope = slope_of(model([node], x.shape, axis=np.int64(1)), x)
    matrix = np.fft.fft(np.eye(7))[: y.shape[1]]
    right = np.stack([(matrix @ x[0, :, 0]).real, (matrix @ x[0, :, 0]).imag], -1)
    np.testing.assert_allclose(y[0], right, atol=1e-5)
    heads = np.arange(y.size).reshape(y.shape[1:])
    expected = matrix.real.T @ heads[:, 0] + matrix.imag.T @ heads[:, 1]
    np.testing.assert_allclose(slope[0, :, 0], expected, atol=1e-4)


def test_a_length_of_zero_has_a_zero_gradient():
    node = helper.make_node("ReduceL2", ["x", "axis"], ["y"], keepdims=0)
    data = model([node], (3, 2), axis=np.array([1]))
    y, slope = slope_of(data, np.array([[3, 4], [0, 0], [0, 2]], "float32"))
    np.testing.assert_allclose(y, [5, 0, 2])
    np.testing.assert_allclose(slope, [[0, 0], [0, 0], [0, 2]])


def test_a_loop_gathers_a_sequence():
    body = helper.make_graph(
        [
            helper.make_node("Mul", ["state", "x"], ["next"]),
            helper.make_node("SequenceInsert", ["list", "next"], ["longer"]),
            helper.make_node("Identity", ["go"], ["goes"]),
        ],
        "body",
        [helper.make_empty_tensor_value_info(name) for name in ("step", "go", "state", "list")],
        [helper.make_empty_tensor_value_info(name) for name in ("goes", "next", "longer")],
    )
    nodes = [
        helper.make_node("SequenceEmpty", [], ["empty"]),
        helper.make_node("Loop", ["count", "", "x", "empty"], ["last", "powers"], body=body),
        helper.make_node("ConcatFromSequence", ["powers"], ["y"], axis=0, new_axis=1),
    ]
    y, slope = slope_of(model(nodes, (1,), count=np.int64(3)), np.array([2], "float32"))
    np.testing.assert_array_equal(y[:, 0], [4, 8, 16])
    assert slope == 12 + 2 * 32


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_integers_are_divided_towards_zero(dtype):
    x = np.array([7, 2**40 + 1 if dtype == "int64" else 9, 250 if dtype == "uint8" else -7], dtype)
    code = helper.np_dtype_to_tensor_dtype(x.dtype)
    data = model([helper.make_node("Div", ["x", "w"], ["y"])], (3,), dtype=code, w=x.dtype.type(2))
    y = gluon_onnx.import_to_gluon(data)(nd.array(x, dtype=dtype)).asnumpy()
    assert y.dtype == dtype
    assert y.tolist() == [int(n / 2) for n in x.tolist()]


def test_symbols_with_operators_of_onnx_are_loaded_without_an_import(tmp_path):
    data = model([helper.make_node("Relu", ["x"], ["y"])], (2,))
    path = str(tmp_path / "net.json")
    gluon_onnx.import_model(data)[0].save(path)
    code = (
        "import sys; from gluon import sym; net = sym.load(sys.argv[1]);"
        " assert 'onnx' not in sys.modules; print(net.list_outputs())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['y_output']"


@pytest.mark.parametrize("kind", ["ReduceMax", "ReduceMin"])
@pytest.mark.parametrize("keepdims", [0, 1])
def test_equal_extremes_share_their_gradient(kind, keepdims):
    """As in PyTorch, TensorFlow and JAX; infinities too, and NaN passes on."""
    data = model([helper.make_node(kind, ["x"], ["y"], axes=[1], keepdims=keepdims)], (4, 3), 13)
    x = np.array([[2, 1, 2], [0, 0, 0], [np.inf, 1, np.inf], [3, 4, 5]], "float32")
    x = x if kind == "ReduceMax" else -x
    y, slope = slope_of(data, x)
    np.testing.assert_array_equal(y.ravel(), x.max(1) if kind == "ReduceMax" else x.min(1))
    wanted = [[0, 0, 0], [1 / 3] * 3, [1, 0, 1], [0, 0, 3]]
    finite = [0, 1, 3]
    np.testing.assert_allclose(slope[finite], np.array(wanted, "float32")[finite], rtol=1e-6)
    assert np.isnan(slope_of(data, np.full((4, 3), np.nan, "float32"))[0]).all()


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("change", ["half_pixel", "pytorch_half_pixel", "align_corners"])
def test_lengths_that_are_rounded_down_are_resized_as_in_onnxruntime(mode, change):
    runtime = pytest.importorskip("onnxruntime")
    shape = (1, 2, 5, 6)
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    for scale in (1.7, 0.6, 2.5):
        data = model(
            [
                helper.make_node(
                    "Resize",
                    ["x", "", "scales"],
                    ["y"],
                    mode=mode,
                    coordinate_transformation_mode=change,
                    nearest_mode="floor",
                )
            ],
            shape,
            scales=np.array([1, 1, scale, 0.7], "float32"),
        )
        options = runtime.SessionOptions()
        options.log_severity_level = 4  # the shape of the result is no scalar
        session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        (wanted,) = session.run(None, {"x": x})
        found = gluon_onnx.import_to_gluon(data)(nd.array(x)).asnumpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
