"""Operators of which ONNX has no tests, or too few: they compute what onnxruntime computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gluon import autograd, nd

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from onnx import TensorProto, helper  # noqa: E402

from gluon import onnx as gluon_onnx  # noqa: E402

from .agreement import needs_new_runtime, ran  # noqa: E402


def model(node: Any, given: dict[str, np.ndarray], opset: int = 17, domain: str = "") -> Any:
    inputs = [
        helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape
        )
        for name, value in given.items()
    ]
    y = helper.make_empty_tensor_value_info("y")
    graph = helper.make_graph([node], "net", inputs, [y])
    versions = [helper.make_opsetid("", opset)]
    versions += [helper.make_opsetid(domain, 1)] if domain else []
    graph.output[0].type.tensor_type.elem_type = (
        TensorProto.INT32 if node.op_type == "Multinomial" else TensorProto.FLOAT
    )
    graph.output[0].type.tensor_type.shape.SetInParent()
    return helper.make_model(graph, opset_imports=versions, ir_version=8)


def result(made: Any, given: dict[str, np.ndarray]) -> np.ndarray:
    net = gluon_onnx.import_to_gluon(made.SerializeToString())
    return net(*(nd.array(one, dtype=one.dtype) for one in given.values())).asnumpy()


@needs_new_runtime
@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize(("skips", "least", "most"), [(0, 1, 1), (5, 2, 2), (3, 1, 2), (7, 2, 3)])
def test_counts_of_words(mode, skips, least, most):
    node = helper.make_node(
        "TfIdfVectorizer",
        ["x"],
        ["y"],
        mode=mode,
        min_gram_length=least,
        max_gram_length=most,
        max_skip_count=skips,
        ngram_counts=[0, 4, 10],
        ngram_indexes=[3, 0, 1, 2, 4, 6, 5, 8, 7],
        pool_int64s=[0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 1, 2, 3, 0, 0, 1],
        weights=[0.5, 1, 2, 3, 4, 5, 6, 7, 8],
    )
    given = {"x": np.random.default_rng(skips).integers(0, 6, (3, 12))}
    made = model(node, given)
    right = ran(made, given)[0]
    assert right.any()
    np.testing.assert_array_equal(result(made, given), right)


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_maxima_of_regions(scale):
    draw = np.random.default_rng(0)
    corners = np.sort(draw.uniform(0, 14, (5, 2, 2)), 1).reshape(5, 4)
    given = {
        "x": draw.normal(size=(2, 3, 12, 15)).astype("float32"),
        "rois": np.c_[[0, 1, 1, 0, 1], corners].astype("float32"),
    }
    node = helper.make_node(
        "MaxRoiPool", ["x", "rois"], ["y"], pooled_shape=[2, 3], spatial_scale=scale
    )
    made = model(node, given)
    np.testing.assert_allclose(result(made, given), ran(made, given)[0], rtol=1e-6)


def test_drawn_classes_have_their_probabilities():
    shares = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0]])
    with np.errstate(divide="ignore"):
        given = {"x": (np.log(shares) + 3).astype("float32")}
    node = helper.make_node("Multinomial", ["x"], ["y"], sample_size=10_000)
    drawn = result(model(node, given), given)
    assert drawn.dtype == "int32"
    assert drawn.shape == (2, 10_000)
    found = np.stack([np.bincount(row, minlength=3) / 10_000 for row in drawn])
    np.testing.assert_allclose(found, shares, atol=0.04)
    assert not found[1, 2]


def flex(captures: bool) -> Any:
    """Attention whose scores are halved, by a constant or by a value around the body."""
    value = helper.make_empty_tensor_value_info
    halved = helper.make_graph(
        [helper.make_node("Mul", ["s", "half"], ["t"])], "halved", [value("s")], [value("t")]
    )
    if not captures:
        halved.initializer.append(onnx.numpy_helper.from_array(np.float32(0.5), "half"))
    return helper.make_node(
        "FlexAttention", ["x", "x", "x"], ["y"], score_mod=halved, domain="ai.onnx.preview"
    )


@pytest.mark.parametrize("captures", [True, False])
def test_attention_with_scores_of_ones_own(captures, tmp_path):
    x = np.random.default_rng(0).normal(size=(1, 2, 3, 4)).astype("float32")
    given = {"x": x} | ({"half": np.array(0.5, "float32")} if captures else {})
    made = model(flex(captures), given, 24, "ai.onnx.preview")
    net = gluon_onnx.import_to_gluon(made.SerializeToString())
    arrays = [nd.array(one) for one in given.values()]
    arrays[0].attach_grad()
    with autograd.record():
        y = net(*arrays)
        total = (y * y).sum()
    total.backward()
    scores = np.exp(x @ x.swapaxes(-1, -2) / 4)
    right = scores / scores.sum(-1, keepdims=True) @ x
    np.testing.assert_allclose(y.asnumpy(), right, rtol=1e-5)
    step = 1e-2 * np.sign(arrays[0].grad.asnumpy())
    ends = [net(nd.array(x + way * step), *arrays[1:]).asnumpy() for way in (1, -1)]
    slope = ((ends[0] ** 2).sum() - (ends[1] ** 2).sum()) / 2
    np.testing.assert_allclose(slope, (arrays[0].grad.asnumpy() * step).sum(), rtol=1e-2)
    again = net.export_onnx(str(tmp_path / "again.onnx"), *arrays)
    found = gluon_onnx.import_to_gluon(again)(*arrays)
    np.testing.assert_allclose(found.asnumpy(), right, rtol=1e-5)


def test_bytes_that_are_no_picture_give_an_empty_one():
    pytest.importorskip("PIL")
    made = model(helper.make_node("ImageDecoder", ["x"], ["y"]), {}, 20)
    x = helper.make_tensor_value_info("x", TensorProto.UINT8, (None,))
    made.graph.input.append(x)
    made.graph.output[0].type.tensor_type.elem_type = TensorProto.UINT8
    net = gluon_onnx.import_to_gluon(made.SerializeToString())
    assert net(nd.array([1, 2, 3], dtype="uint8")).shape == (0, 0, 3)
    pixel = np.frombuffer(b"P6 1 1 255 " + bytes([1, 2, 3]), "uint8")
    assert net(nd.array(pixel, dtype="uint8")).asnumpy().tolist() == [[[1, 2, 3]]]
