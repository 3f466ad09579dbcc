"""Data sets, record files, images and transforms, as in MXNet."""

from __future__ import annotations

import pytest

from gluon.block import naming
from recorded.make import HERE, load
from tests.data.programs import programs
from tests.nn.replay import assert_as, given

REFERENCE = load(HERE / "data.npz")
PROGRAMS = programs()
#: Programs that read image files.
PILLOW = ("files",)


@pytest.mark.filterwarnings("ignore:fixed_crop.* reaches beyond")
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, monkeypatch):
    assert name in REFERENCE, "no reference yet: run recorded/make_data.py"
    if name in PILLOW:
        pytest.importorskip("PIL.Image", reason="the extra image is not installed")
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol=1e-5, atol=1e-5)
