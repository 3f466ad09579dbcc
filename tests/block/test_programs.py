"""Layers, blocks, parameters and their files behave as in MXNet."""

from __future__ import annotations

import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.block.programs import mkldnn, plain
from tests.nn.replay import assert_as, given

REFERENCE = {**load(HERE / "block_plain.npz"), **load(HERE / "block_mkldnn.npz")}
PROGRAMS = {**plain(), **mkldnn()}


@pytest.mark.filterwarnings("ignore:register_forward_hook", "ignore:Parameter 'o.*not collected")
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run recorded/make_block.py"
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol=1e-4, atol=2e-5)
