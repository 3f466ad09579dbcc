"""Run a program on gluon and compare with what the oracle gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gluon
from gluon.block import naming
from recorded.make import HERE, load
from tests.compared import assert_equal
from tests.nn.programs import programs

REFERENCE = load(HERE / "gluon.npz")
PROGRAMS = programs()


class MX:
    """gluon with the module names of ``mxnet``."""

    gluon = gluon

    def __getattr__(self, name: str) -> Any:
        return getattr(gluon, name)


def replay(name: str, monkeypatch: Any) -> tuple[dict, list[str], list[np.ndarray]]:
    """The oracle's results, and the texts and arrays that a program returns with gluon."""
    monkeypatch.setattr(naming.ROOT, "_counts", {})  # names start from 0, as in a new process
    return REFERENCE[name], *given(PROGRAMS[name])


def given(program: Callable) -> tuple[list[str], list[np.ndarray]]:
    """The texts and arrays that a program returns with gluon."""
    results = program(MX())
    texts = [one for one in results if isinstance(one, str)]
    arrays = [one for one in results if not isinstance(one, str)]
    return texts, [getattr(one, "raw", one) for one in arrays]


def assert_as_the_oracle(
    name: str, monkeypatch: Any, rtol: float = 1e-4, atol: float = 2e-5
) -> None:
    """Check that texts, shapes, dtypes and values are those of the oracle."""
    assert name in REFERENCE, "no reference yet: run recorded/make_gluon.py"
    want, texts, arrays = replay(name, monkeypatch)
    assert_as(want, texts, arrays, rtol, atol)


def assert_as(
    want: dict, texts: list[str], arrays: list[np.ndarray], rtol: float, atol: float
) -> None:
    """The `texts` and `arrays` are those of the record `want`."""
    assert "error" not in want
    assert_equal(texts, want["texts"], "texts")
    assert [one.shape for one in arrays] == [one.shape for one in want["outputs"]]
    for got, expected in zip(arrays, want["outputs"]):
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol, atol)


def named(prefix: str) -> list[str]:
    """Return the programs whose names start with `prefix`."""
    return [name for name in PROGRAMS if name.startswith(prefix)]
