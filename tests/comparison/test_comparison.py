"""The README's comparison table has the outcomes of its programs."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy
import pytest

from tests.compared import assert_equal
from tests.comparison.claims import CLAIMS
from tests.comparison.running import facts, outcome
from tests.comparison.summary import needed, times

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECORDED = json.loads((ROOT / "recorded/comparison.json").read_text())
COLUMNS = {
    "gluon": "gluon",
    "mxnet": "MXNet",
    "megengine": "MegEngine",
    "torch": "PyTorch",
    "autograd": "HIPS autograd",
    "mygrad": "MyGrad",
}
ROWS = {
    "Gradient at the recorded values, after an array was overwritten": "recorded_values",
    "Writing into a computed array while recording, differentiated": "in_place",
    "Second derivatives through softmax and reshape": "second_order",
    "Third derivative of tanh": "third_order",
    "A function with a custom gradient, differentiated twice": "own_function",
    "Backward through a chain of 100,000 operators": "long_chain",
    "Gradients through BatchNorm and Dropout in predict mode": "predict_mode",
    "Two independent recordings at the same time": "peers",
    "Products of the Jacobian with a vector (jvp)": "jvp",
    "A head gradient of the wrong shape is an error": "wrong_head",
    "Works with NumPy 2": "numpy_2",
}


def table() -> dict[str, dict[str, str]]:
    """The cells of the table, by row and library."""
    section = README.split("## How it compares")[1].split("\n## ")[0]
    lines = re.findall(r"^\| (.*) \|$", section, re.M)
    header, _, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    assert header[-6:] == list(COLUMNS.values())
    return {label: dict(zip(COLUMNS, cells)) for label, *cells in rows}


def test_every_row_of_the_table_is_backed_by_a_program():
    told = table()
    assert set(ROWS.values()) == set(CLAIMS)
    for label, claim in ROWS.items():
        recorded = {library: RECORDED[library]["outcomes"][claim] for library in COLUMNS}
        assert told.pop(label) == recorded, label
    required = {library: str(needed(RECORDED[library])) for library in COLUMNS}
    assert told.pop("Packages that must be installed with it") == required
    small, large = times((ROOT / "benchmarks/README.md").read_text(encoding="utf-8"))
    for label, measured in (("small", small), ("large", large)):
        row = told.pop(f"Time of one recorded {label} operator, gluon = 1")
        assert row == {library: measured.get(library, "-") for library in COLUMNS}
    assert not told


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_table_has_the_figures_of_the_comparison(page):
    (speed,) = re.findall(r"^\| \*\*Speed.*$", (ROOT / page).read_text(encoding="utf-8"), re.M)
    names = {name: library for library, name in COLUMNS.items()}
    told = re.findall(r"([\d.]+) times as fast as in ([A-Z]\w+(?: autograd)?)", speed)
    small, large = times((ROOT / "benchmarks/README.md").read_text(encoding="utf-8"))
    sizes = iter([small] * 3 + [large] * 2)
    assert [(one, names[name]) for one, name in told] == [
        (next(sizes)[library], library)
        for library in ("torch", "autograd", "mxnet", "torch", "mxnet")
    ]


def test_the_versions_that_were_compared_are_named():
    for library, name in list(COLUMNS.items())[1:]:
        version = RECORDED[library]["version"].split("+")[0]
        assert re.search(rf"{name}\s+{re.escape(version)}\b", README), name


NUMPY_2 = int(numpy.__version__.split(".")[0]) >= 2
CASES = [
    pytest.param(library, claim, marks=[] if library == "gluon" else pytest.mark.slow)
    for library in ("gluon", "torch", "autograd", "mygrad")
    for claim in CLAIMS
]


@pytest.mark.slow
@pytest.mark.parametrize(("library", "claim"), CASES)
def test_the_outcomes_are_still_so(library, claim):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    if claim == "numpy_2" and not NUMPY_2:
        pytest.skip("NumPy 2 is not installed")
    assert_equal(outcome(library, claim), RECORDED[library]["outcomes"][claim])


def test_gluon_needs_numpy_alone():
    assert needed(facts("gluon")) == 1


def test_a_program_that_fails_is_no_yes():
    assert outcome("gluon", "no_such_claim") == "no"
    assert outcome("mxnet", "jvp") == "no"
    if importlib.util.find_spec("mxnet") is None:
        assert outcome("mxnet", "in_place") == "error"
