"""Run a program on gluon and compare with what the oracle gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gluon
from gluon import GluonError, nd
from gluon.nd import NDArray
from recorded.make import HERE, load
from tests._core.arrays.programs import run

REFERENCE = load(HERE / "ndarray.npz")
#: How gluon may refuse: its own errors, or those of the Python protocol at work.
ERRORS = (GluonError, TypeError, ValueError, IndexError)


def gluon_gives(program: str) -> Any:
    """The result of a program with gluon."""
    return run(program, nd, gluon)


def assert_as_the_oracle(program: str, rtol: float = 1e-6) -> None:
    """Check that values, dtype and shape are those of the oracle, or that both raise an error."""
    assert program in REFERENCE, "no reference yet: run recorded/make_ndarray.py"
    reference = REFERENCE[program]
    if "error" in reference:
        with pytest.raises(ERRORS):
            gluon_gives(program)
        return
    result = gluon_gives(program)
    if "value" in reference:
        assert repr(result) == reference["value"]
        return
    (want,) = reference["outputs"]
    got = result.asnumpy() if isinstance(result, NDArray) else result
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    rtol = 2e-3 if got.dtype == np.float16 else rtol
    np.testing.assert_allclose(got, want, rtol=rtol)


def programs(group: list[str], but: dict[str, str]) -> list[str]:
    """All programs of `group` but those that differ on purpose."""
    unknown = set(but) - set(group)
    assert not unknown, f"no such programs: {unknown}"
    return [one for one in group if one not in but]
