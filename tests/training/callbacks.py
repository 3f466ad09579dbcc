"""Programs of callbacks, that run on MXNet 1.9.1 and on gluon alike: what they log and save."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from unittest import mock

Batch = namedtuple("Batch", "epoch nbatch eval_metric locals")


@contextlib.contextmanager
def logs() -> Iterator[list[str]]:
    """The lines that are logged."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(f"{record.levelname} {record.getMessage()}")

    root, keep, level = logging.getLogger(), Keep(), logging.getLogger().level
    root.addHandler(keep)
    root.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.removeHandler(keep)
        root.setLevel(level)


def measured(mx, seed=0):
    """Two metrics that have seen one batch, or one that has."""
    labels, preds = mx.nd.array([0, 1, seed]), mx.nd.array([[1, 0], [1, 0], [0, 1]])
    metric = mx.metric.create(["acc", "ce"] if seed else "acc")
    metric.update(labels, preds)
    return metric


def speed(mx) -> list:
    """Two epochs: with a metric that is reset or not, and without one."""
    with logs() as lines:
        for auto_reset, metric in ((True, measured(mx, 1)), (False, measured(mx)), (True, None)):
            speedometer = mx.callback.Speedometer(32, frequent=2, auto_reset=auto_reset)
            for epoch in range(2):
                for nbatch in range(7):
                    now = 100.25 * epoch + nbatch**2 / 8
                    with mock.patch("time.time", return_value=now):
                        speedometer(Batch(epoch, nbatch, metric, None))
            lines.append(repr(sorted(vars(speedometer).items())[:2]))
        at_once = mx.callback.Speedometer(8, 1)
        with mock.patch("time.time", return_value=5.0):
            for _ in range(3):
                at_once(Batch(0, 1, None, None))
    return lines


def metrics(mx) -> list:
    with logs() as lines:
        for period, auto_reset in ((1, False), (2, False), (2, True)):
            log = mx.callback.log_train_metric(period, auto_reset)
            metric = measured(mx, 1)
            for nbatch in range(5):
                log(Batch(3, nbatch, metric, None))
            log(Batch(3, 0, None, None))
        validation = mx.callback.LogValidationMetricsCallback()
        for metric in (measured(mx), measured(mx, 1), None):
            validation(Batch(4, 7, metric, None))
    return lines


def progress(mx) -> list:
    with logs() as lines:
        for total, length in ((4, 8), (3, 80), (7, 5), (1, 1)):
            bar = mx.callback.ProgressBar(total, length)
            for nbatch in range(total + 1):
                bar(Batch(0, nbatch, None, None))
    return lines


def modules(mx) -> list:
    """What a module is asked to save."""
    found: list[str] = []

    class Module:
        def save_checkpoint(self, *args, **kwargs):
            found.append(f"{args} {kwargs}")

    for period in (1, 2, 0, -3, 2.7):
        save = mx.callback.module_checkpoint(Module(), "net", period, period == 2)
        for epoch in range(4):
            save(epoch, None, None, None)
        save(7)
    return found


def checkpoints(mx) -> list:
    """The names of the files that are saved, and the arrays in them."""
    found: list = []
    args = {"weight": mx.nd.array([[1, 2]]), "bias": mx.nd.array([3])}
    aux = {"mean": mx.nd.array([4, 5])}
    with tempfile.TemporaryDirectory() as folder, logs() as lines:
        prefix = os.path.join(folder, "net")
        for period in (2, 0):
            save = mx.callback.do_checkpoint(prefix, period)
            for epoch in range(3):
                save(epoch, None, args, aux)
        mx.callback.save_checkpoint(prefix, 12345, None, args, {}, remove_amp_cast=False)
        for name in sorted(os.listdir(folder)):
            saved = mx.nd.load(os.path.join(folder, name))
            found += [name, repr(list(saved)), *saved.values()]
        lines = [line.replace(folder + os.sep, "") for line in lines]
    return found + lines


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    return {f"callback {f.__name__}": f for f in (speed, metrics, progress, modules, checkpoints)}
