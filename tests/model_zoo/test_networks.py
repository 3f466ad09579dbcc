"""The networks have MXNet's structures, names and shapes, and give the same outputs."""

from __future__ import annotations

import numpy as np
import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.model_zoo.programs import NETWORKS, WHOLE, programs
from tests.nn.replay import given

REFERENCE = load(HERE / "zoo.npz")
PROGRAMS = programs()
#: Published networks that always run, one of each kind; the others are slow.
QUICK = {
    "alexnet()",
    "mobilenet0_25()",
    "mobilenet_v2_0_25()",
    "resnet18_v1()",
    "resnet18_v2()",
    "squeezenet1_0()",
}
SLOW = {text for text, _ in NETWORKS if text.endswith("()")} - QUICK
SLOW |= {text for text, _ in NETWORKS if "vgg" in text or "50" in text}
SLOW |= {f"{kind} {name}" for kind in ("whole", "summary of") for name, _ in WHOLE}
SLOW -= {f"{kind} mobilenet_v2_0_25" for kind in ("whole", "summary of")}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in PROGRAMS]
)
def test_network(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run recorded/make_zoo.py"
    want = REFERENCE[name]
    assert "error" not in want
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    texts, arrays = given(PROGRAMS[name])
    for text, expected in zip(texts, want["texts"], strict=True):
        assert text.splitlines() == expected.splitlines()
    for got, expected in zip(arrays, want["outputs"], strict=True):
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        scale = max(abs(expected).max(), 0.03)  # some gradients are only rounding errors
        # In float64, too, MXNet moves statistics by a momentum that it keeps in float32.
        share = 1e-4 if expected.dtype == np.float32 else 2e-8
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=share * scale)
