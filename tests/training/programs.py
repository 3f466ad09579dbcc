"""Programs for parts of training besides the model, which run on MXNet 1.9.1 and on gluon."""

from __future__ import annotations

from collections.abc import Callable

from tests.training import callbacks, initializers, losses, metrics, stores, utilities


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found: dict[str, Callable] = {}
    for module in (losses, metrics, initializers, stores, callbacks, utilities):
        found |= module.programs()
    return found
