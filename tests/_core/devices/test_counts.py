"""How often a step waits for the device, and copies to it: these numbers may only fall."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import gluon
from benchmarks import steps_gluon
from gluon import autograd, nd
from gluon._core.devices.common import COUNTS

pytestmark = pytest.mark.parametrize("played", ["torch:cpu"], indirect=True)

#: Step, and its waits and uploads. One wait is for the loss, and one for each check of indices.
CEILINGS = {
    "linreg": (1, 0),
    "lenet": (2, 0),
    "resblock": (2, 0),
    "lstm": (1, 2),
    "transformer": (2, 2),
    "lm": (3, 0),
}


@pytest.mark.parametrize("name", CEILINGS)
def test_waits_and_uploads_in_a_step(name, device):
    step = steps_gluon.steps(nd, autograd, gluon)[name]()
    step()
    before = COUNTS.copy()
    step()
    counts = COUNTS - before
    waits, uploads = CEILINGS[name]
    assert counts["waits"] <= waits
    assert counts["uploads"] <= uploads
    assert counts["host"] == 0


def test_clipped_indices_are_not_waited_for(device):
    labels, rows = nd.array([0, 1]), nd.ones((2, 3))
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    gluon.util.set_clip_indices(True)
    try:
        loss_of(rows, labels)  # the first call looks at the values
        before = COUNTS.copy()
        loss_of(rows, labels)
        assert before == COUNTS
    finally:
        gluon.util.set_clip_indices(False)
    with pytest.raises(gluon.GluonError, match="out of range"):
        loss_of(rows, nd.array([0, 3]))
