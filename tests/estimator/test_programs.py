"""Training by an estimator goes as the oracle's."""

from __future__ import annotations

import pytest

from gluon.block import naming
from tests.estimator.programs import programs
from tests.nn.replay import assert_as, given
from tests.reference.make import HERE, load

REFERENCE = load(HERE / "estimator.npz")
PROGRAMS = programs()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_oracle(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run tests/reference/make_estimator.py"
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), 1e-4, 1e-5)
