"""Graphs that go out: control flow, and symbols with NumPy's interface."""

from __future__ import annotations

import numpy as np
import pytest

from gluon import sym
from tests.symbol import loops

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from .agreement import check, ran

OPSETS = (13, 17, 21)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("case", loops.CASES, ids=lambda case: case.__name__)
def test_control_flow(case, opset):
    net, given = case(sym)
    arguments, _, states = net.infer_shape(**given)
    names = net.list_arguments() + net.list_auxiliary_states()
    draw = np.random.default_rng(0)
    arrays = {
        name: draw.uniform(0.5, 1.5, shape).astype("float32")
        for name, shape in zip(names, [*arguments, *states])
    }
    check(net, arrays, opset)


def test_a_loop_takes_any_number_of_slices():
    net, _ = loops.foreach(sym)
    shapes = {"data": (None, 2, 4), "state": (2, 3), "w": (2, 3), "q": (2, 3)}
    arrays = {
        name: np.ones([n or 5 for n in shape], "float32")
        for name, shape in {**shapes, "fc_weight": (3, 4), "fc_bias": (3,)}.items()
    }
    model = check(net, arrays, shapes={**{k: v.shape for k, v in arrays.items()}, **shapes})
    arrays["data"] = np.ones((7, 2, 4), "float32")
    assert ran(model, arrays)[0].shape == (7, 2, 3)


def test_a_loop_without_a_step_gives_zeros():
    net, _ = loops.while_loop(sym)
    one = np.ones(1, "float32")
    check(net, {"i": 3 * one, "s": one, "w": one})
