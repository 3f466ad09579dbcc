"""The page on precision: its tables list all reductions, and its bound holds on this machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import precision

TEXT = (Path(__file__).resolve().parents[2] / "docs/concepts/precision.md").read_text("utf-8")
BOUND = float(re.search(r"errors are at most\s+(\d+) ulp", TEXT)[1])
#: What is there for comparison, or is said to be less exact.
OTHERS = {"cumsum", "numpy.sum"}


def test_the_tables_have_all_reductions():
    for table in re.findall(r"^\| ulp .*\n(?:\|.*\n)+", TEXT, re.M):
        header, _, *rows = [line.strip("|").split("|") for line in table.splitlines()]
        assert [cell.strip() for cell in header[1:]] == list(precision.PLACES)
        assert [row[0].strip() for row in rows] == list(precision.REDUCTIONS)
        for name, *errors in rows:
            assert name.strip() in OTHERS or max(map(float, errors)) <= BOUND


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("place", precision.PLACES)
@pytest.mark.parametrize("name", sorted(set(precision.REDUCTIONS) - OTHERS))
def test_the_bound_holds(name, place, dtype):
    assert precision.error(name, place, dtype) <= BOUND
