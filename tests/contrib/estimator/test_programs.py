"""Training by an estimator gives the same results as MXNet's."""

from __future__ import annotations

import re

import numpy as np
import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.compared import assert_equal
from tests.contrib.estimator.programs import programs
from tests.nn.replay import given

REFERENCE = load(HERE / "estimator.npz")
PROGRAMS = programs()


#: A value of a metric in a line.
VALUE = re.compile(r"-?\d+\.\d{4}\b")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_oracle(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run recorded/make_estimator.py"
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    want = REFERENCE[name]
    texts, arrays = given(PROGRAMS[name])
    said, wanted = ([VALUE.sub("", line) for line in lines] for lines in (texts, want["texts"]))
    assert_equal(said, wanted, "texts")
    np.testing.assert_allclose(values(texts), values(want["texts"]), atol=3e-4)
    assert len(arrays) == len(want["outputs"])
    for got, expected in zip(arrays, want["outputs"]):
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, 1e-4, 1e-5)


def values(lines):
    """All values of metrics in lines."""
    return [float(value) for line in lines for value in VALUE.findall(line)]
