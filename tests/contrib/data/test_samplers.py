"""`gluon.contrib.data`: what `tests/data/programs.py` does not compare with the oracle."""

from __future__ import annotations

import pytest

from gluon.contrib.data import IntervalSampler


@pytest.mark.parametrize("rollover", [True, False])
@pytest.mark.parametrize("interval", range(1, 6))
def test_the_length_is_that_of_what_comes(interval, rollover):
    sampler = IntervalSampler(5, interval, rollover)
    assert len(sampler) == len(list(sampler))
    assert set(sampler) == set(range(5) if rollover else range(0, 5, interval))


@pytest.mark.parametrize("interval", [0, -1, 6])
def test_an_interval_that_does_not_fit(interval):
    with pytest.raises(ValueError, match=f"interval={interval} must lie between 1 and length=5"):
        IntervalSampler(5, interval)
