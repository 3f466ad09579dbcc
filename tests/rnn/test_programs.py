"""Every cell and layer: names, descriptions, outputs, states and gradients as in MXNet."""

from __future__ import annotations

import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.each import each
from tests.nn.replay import assert_as, given
from tests.rnn.programs import cells, layers

PROGRAMS = cells() | layers()
REFERENCE = load(HERE / "rnn_cells.npz") | load(HERE / "rnn_layers.npz")


@pytest.mark.filterwarnings("ignore:.*dropout=0.5 is between layers")
@each("name", PROGRAMS, size=10)
def test_as_the_oracle(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run recorded/make_rnn.py"
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol=1e-4, atol=1e-5)
