"""Every optimizer and schedule: weights, states and rates as in MXNet, update by update."""

from __future__ import annotations

import pytest

from recorded.make import HERE, load
from tests.nn.replay import assert_as, given
from tests.optimizer.programs import programs

REFERENCE = load(HERE / "optimizers.npz")
PROGRAMS = programs()
#: kind of program -> how far from the oracle; it rounds settings to float32, even 1 - beta2
TOLERANCE = {"float16": 1e-2, "schedule": 1e-12, "overruled": 1e-12, "trained": 2e-4}


@pytest.mark.filterwarnings("ignore:lr_scheduler.base_lr=1 is set")
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_oracle(name):
    assert name in REFERENCE, "no reference yet: run recorded/make_optimizers.py"
    rtol = TOLERANCE.get(name.split()[0], 5e-5)
    assert_as(REFERENCE[name], *given(PROGRAMS[name]), rtol, rtol / 5)
