"""The networks have the oracle's structures, names and shapes, and give what they give."""

from __future__ import annotations

import numpy as np
import pytest

from gluon.block import naming
from tests.model_zoo.programs import programs
from tests.nn.replay import given
from tests.reference.make import HERE, load

REFERENCE = load(HERE / "zoo.npz")
PROGRAMS = programs()
#: The networks that take a second or more to run; one of each family is not here.
SLOW = {
    "densenet121()",
    "densenet161()",
    "densenet169()",
    "densenet201()",
    "inception_v3()",
    *(f"resnet{layers}_v{version}()" for layers in (34, 50, 101, 152) for version in (1, 2)),
    *(f"vgg{layers}{end}()" for layers in (13, 16, 19) for end in ("", "_bn")),
    "vgg11()",
    "get_vgg(11, batch_norm=True, classes=10)",
    "vgg11_bn(batch_norm=False, classes=10)",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in PROGRAMS]
)
def test_network(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run tests/reference/make_zoo.py"
    want = REFERENCE[name]
    assert "error" not in want
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    texts, arrays = given(PROGRAMS[name])
    for text, expected in zip(texts, want["texts"], strict=True):
        assert text.splitlines() == expected.splitlines()
    for got, expected in zip(arrays, want["outputs"], strict=True):
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        scale = max(abs(expected).max(), 0.03)  # some gradients are nothing but rounding errors
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-4 * scale)
