"""Learning rate schedules: what `tests/optimizer` does not compare with the oracle."""

from __future__ import annotations

import logging

import pytest

from gluon import lr_scheduler


def test_a_schedule_is_a_function_of_the_update():
    schedule = lr_scheduler.FactorScheduler(2, 0.5, base_lr=1)
    assert schedule(9) == 1 / 16
    assert schedule(1) == 1
    assert lr_scheduler.CosineScheduler(10, base_lr=1, final_lr=0.1)(1000) == 0.1
    assert lr_scheduler.PolyScheduler(10, base_lr=1)(1000) == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: lr_scheduler.FactorScheduler(0),
        lambda: lr_scheduler.PolyScheduler(10, pwr=-1),
        lambda: lr_scheduler.FactorScheduler(1, factor=2),
        lambda: lr_scheduler.FactorScheduler(1, warmup_steps=-1),
        lambda: lr_scheduler.FactorScheduler(1, warmup_steps=1, warmup_begin_lr=1),
        lambda: lr_scheduler.FactorScheduler(1, warmup_mode="slow"),
        lambda: lr_scheduler.MultiFactorScheduler([]),
        lambda: lr_scheduler.MultiFactorScheduler([3, 2]),
        lambda: lr_scheduler.MultiFactorScheduler([0, 2]),
        lambda: lr_scheduler.PolyScheduler(0),
        lambda: lr_scheduler.CosineScheduler(3, warmup_steps=3),
    ],
)
def test_errors(make):
    with pytest.raises(ValueError, match="Scheduler: "):
        make()


def test_the_base_has_no_schedule():
    with pytest.raises(NotImplementedError, match="must define after_warmup"):
        lr_scheduler.LRScheduler()(1)


def test_what_falls_is_logged_once(caplog):
    caplog.set_level(logging.INFO)
    factor = lr_scheduler.FactorScheduler(3, 0.1, stop_factor_lr=1e-3, base_lr=0.1)
    several = lr_scheduler.MultiFactorScheduler([2, 6], 0.1, base_lr=0.1)
    for schedule in (factor, several):
        for n in (*range(12), *range(12)):
            schedule(n)
    assert caplog.messages == [
        "Update[4]: Change learning rate to 1.00000e-02",
        "Update[7]: Change learning rate to 1.00000e-03",
        "Update[10]: now learning rate arrived at 1.00000e-03, will not change in the future",
        "Update[3]: Change learning rate to 1.00000e-02",
        "Update[7]: Change learning rate to 1.00000e-03",
    ]
