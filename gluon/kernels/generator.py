"""The random generator that all sampling shares."""

from __future__ import annotations

import numpy as np

_state = np.random.default_rng()


def generator() -> np.random.Generator:
    """The generator in use; its methods may be called from several threads."""
    return _state


def seed(value: int | None) -> None:
    """Restart the generator from `value`; None takes fresh entropy."""
    global _state
    # NumPy takes no negative seeds.
    _state = np.random.default_rng(None if value is None else value % 2**64)
