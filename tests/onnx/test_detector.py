"""A detector that PyTorch exported: it finds what onnxruntime finds, at every threshold."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from gluon import autograd, nd

pytest.importorskip("onnx")
from gluon import onnx

FOLDER = Path(__file__).resolve().parents[2] / "recorded" / "onnx" / "detectors"
#: At most so many boxes of a class, of this overlap at most, of a higher score than this.
THRESHOLDS = list(product((0, 1, 3, 100), (0.0, 0.2, 0.5, 0.8, 1.0), (0.0, 0.25, 0.4, 0.9)))


def inputs(
    shape: tuple[int, ...], most: int, overlap: float, score: float
) -> dict[str, np.ndarray]:
    return {
        "x": np.random.default_rng(0).normal(size=shape).astype("float32"),
        "most": np.array([most]),
        "overlap": np.array([overlap], "float32"),
        "score": np.array([score], "float32"),
    }


def found_by(net, given):
    return net(*(nd.array(one, dtype=one.dtype) for one in given.values()))


@pytest.mark.parametrize("shape", [(2, 3, 32, 40), (1, 3, 40, 56)], ids=str)
@pytest.mark.parametrize("exporter", ["older", "newer"])
def test_it_finds_what_onnxruntime_finds(exporter, shape):
    pytest.importorskip("onnxruntime")
    from .agreement import session

    path = str(FOLDER / f"{exporter}.onnx")
    net = onnx.import_to_gluon(path)
    started = session(path)
    counts = set()
    for thresholds in THRESHOLDS:
        given = inputs(shape, *thresholds)
        found = found_by(net, given)
        counts.add(len(found[0]))
        for one, right in zip(found, started.run(None, given), strict=True):
            np.testing.assert_allclose(
                one.asnumpy(), right, rtol=1e-4, atol=1e-5, err_msg=f"{thresholds}"
            )
    assert len(counts) > 5


@pytest.mark.parametrize("exporter", ["older", "newer"])
def test_gradients_of_the_boxes_that_are_found(exporter):
    net = onnx.import_to_gluon(FOLDER / f"{exporter}.onnx")
    given = inputs((1, 3, 32, 40), 10, 0.5, 0.1)
    arrays = [nd.array(one, dtype=one.dtype) for one in given.values()]
    arrays[0].attach_grad()
    with autograd.record(train_mode=False):
        places, boxes, scores, _ = net(*arrays)
        total = boxes.sum() + scores.sum()
    total.backward()
    slope = arrays[0].grad.asnumpy()
    step = 3e-3 * slope / np.linalg.norm(slope)
    ends = [found_by(net, {**given, "x": given["x"] + way * step}) for way in (1, -1)]
    assert all(np.array_equal(one[0].asnumpy(), places.asnumpy()) for one in ends)
    sums = [sum(one.asnumpy().astype("float64").sum() for one in end[1:3]) for end in ends]
    np.testing.assert_allclose(sums[0] - sums[1], 2 * (slope * step).sum(), rtol=1e-2)
