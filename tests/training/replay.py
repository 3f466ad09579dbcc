"""Run a program of training on gluon and compare with what the oracle gave."""

from __future__ import annotations

from typing import Any

from gluon.block import naming
from recorded.make import HERE, load
from tests.nn.replay import assert_as, given
from tests.training.programs import programs

REFERENCE = load(HERE / "training.npz")
PROGRAMS = programs()


def assert_as_the_oracle(
    name: str, monkeypatch: Any, rtol: float = 1e-5, atol: float = 1e-6
) -> None:
    """The same texts, shapes, dtypes and values as the oracle's."""
    assert name in REFERENCE, "no reference yet: run recorded/make_training.py"
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol, atol)


def named(prefix: str) -> list[str]:
    """Return the programs whose names start with `prefix`."""
    return [name for name in PROGRAMS if name.startswith(prefix)]
