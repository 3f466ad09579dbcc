"""Helpers in MXNet's modules give the same results as in MXNet."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

import gluon.mxnet
from tests.each import each
from tests.mxnet.helpers import calls, methods
from tests.mxnet.helpers.calls import outcome

REFERENCE = Path(__file__).resolve().parents[3] / "recorded" / "mxnet_helpers.json"
CALLS = {**calls.CALLS, **methods.CALLS}
GIVEN = json.loads(REFERENCE.read_text())


def alike(one, other) -> bool:
    """Whether two outcomes are the same, numbers up to rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return np.isclose(one, other, rtol=1e-3, atol=2e-4)
    return one == other


@pytest.fixture
def library():
    """The `mxnet` of gluon: entering and leaving the hook takes longer than most calls."""
    with gluon.mxnet.installed():
        yield importlib.import_module("mxnet")


@pytest.mark.filterwarnings("ignore")
@each("name", CALLS)
def test_a_helper_does_what_mxnet_s_does(library, name):
    found = json.loads(json.dumps(outcome(CALLS[name], library, GIVEN[name])))
    assert alike(found, GIVEN[name]), f"{found}, not {GIVEN[name]}"


def test_every_call_has_its_reference():
    assert set(CALLS) == set(GIVEN)
