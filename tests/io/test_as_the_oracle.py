"""Data iterators and augmenters, as in MXNet."""

from __future__ import annotations

import pytest

from recorded.make import HERE, load
from tests.io import det_records
from tests.io.programs import ROUNDED, programs
from tests.nn.replay import assert_as, given

REFERENCE = load(HERE / "io.npz")
PROGRAMS = programs() | det_records.programs()
#: Programs that read image files.
PILLOW = ("pictures", "moved", "image_", "det_", "parts", "labelled", "ImageRecord")


def tolerance(name: str) -> float:
    """How far values from 0 to 255 may be from the oracle's."""
    if name.startswith("moved"):
        return 3
    return (
        1.01
        if any(one in name for one in (*ROUNDED, "det_iter", "det_records", "image_", "(1, 8"))
        else 2e-3
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    assert name in REFERENCE, "no reference yet: run recorded/make_io.py"
    if name.startswith(PILLOW):
        pytest.importorskip("PIL.Image", reason="the extra image is not installed")
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol=1e-5, atol=tolerance(name))
