"""The programs of this folder end as they do with MXNet 1.9.1."""

from __future__ import annotations

import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.module import epochs, executors
from tests.module.programs import programs
from tests.nn.replay import assert_as, given

REFERENCE = load(HERE / "module.npz")
PROGRAMS = programs() | epochs.programs() | executors.programs()


@pytest.mark.filterwarnings("ignore:a loop over .* begins at its end")
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_with_mxnet(name, monkeypatch):
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol=1e-4, atol=2e-5)
