"""The inputs of operators that get a gradient, zeros included, are those in MXNet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gluon
from tests._core.ops.samples import FAMILIES
from tests.each import each
from tests.reference.make_zero_gradients import chosen, reached

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference" / "zero_gradients.json").read_text()
)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
SAMPLES = [sample for sample in chosen(FAMILIES) if str(sample) in REFERENCE]


def test_the_reference_has_every_operator():
    assert {sample.op for sample in chosen(FAMILIES)} == {sample.op for sample in SAMPLES}


@each("sample", [sample for sample in SAMPLES if "error" not in REFERENCE[str(sample)]])
def test_inputs_are_reached_as_in_mxnet(sample):
    expected = REFERENCE[str(sample)]
    found = reached(gluon, sample)
    assert "error" not in found, found
    missing = [
        k
        for k, (ours, theirs) in enumerate(zip(found["reached"], expected["reached"]))
        if ours == "no" and theirs != "no"
    ]
    assert not missing
