"""Whether onnxruntime computes what a symbol computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import onnxruntime as runtime
import pytest

from gluon import nd, npx
from gluon import np as gluon_np
from gluon.onnx.exporting import model_of
from gluon.symbol.program import Program

runtime.set_default_logger_severity(4)

#: Marks what the last onnxruntime for Python 3.10 refuses, or computes otherwise than ONNX says.
needs_new_runtime = pytest.mark.skipif(
    tuple(map(int, runtime.__version__.split(".")[:2])) < (1, 24),
    reason="onnxruntime before 1.24 does not follow the standard here",
)


def session(model: Any) -> runtime.InferenceSession:
    """A session for a file or a model, on one thread: starting more takes longer than most runs."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    data = model if isinstance(model, (str, bytes)) else model.SerializeToString()
    return runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def ran(model: Any, arrays: Mapping[str, Any]) -> list[np.ndarray]:
    """Return the results of onnxruntime for a file or a model."""
    started = session(model)
    return started.run(None, {one.name: arrays[one.name] for one in started.get_inputs()})


def check(
    net: Any,
    arrays: Mapping[str, np.ndarray],
    opset: int | None = None,
    rtol: float = 1e-5,
    shapes: Mapping[str, Any] | None = None,
) -> Any:
    """Export a symbol, check that onnxruntime computes the same, and return the model.

    Parameters
    ----------
    net : Symbol
    arrays : dict of str to numpy.ndarray
        The inputs.
    opset : int, optional
    rtol : float
    shapes : dict, optional
        Those to write, if they are not those of the arrays.
    """
    array = gluon_np.array if npx.is_np_shape() else nd.array
    given = {name: array(raw, dtype=raw.dtype) for name, raw in arrays.items()}
    right = Program(net._heads).run([given[name] for name in net.list_inputs()])
    shapes = shapes or {name: raw.shape for name, raw in arrays.items()}
    model = model_of(net, {}, shapes, {name: raw.dtype for name, raw in arrays.items()}, opset)
    onnx.checker.check_model(model)
    for found, wanted in zip(ran(model, arrays), right):
        expected = wanted.asnumpy()
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        finite = np.abs(expected[np.isfinite(expected)]).astype("float64")
        near = 1e-2 if expected.dtype == "float16" else rtol
        scale = np.max(finite, initial=1.0)
        np.testing.assert_allclose(
            found.astype("float64"), expected.astype("float64"), rtol=near, atol=near * scale
        )
    return model
