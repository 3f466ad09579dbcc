"""``mxnet.test_utils``: small helpers of the checks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ..._core.runtime import Features

_features = Features()


def _sorted_items(d: Mapping) -> list[tuple]:
    """Return the items of a dictionary, sorted by key."""
    return sorted(d.items(), key=lambda pair: pair[0])


def _sorted_dict(d: Mapping) -> OrderedDict:
    """Return a dictionary sorted by key."""
    return OrderedDict(_sorted_items(d))


def _find_max_violation(a: Any, b: Any, rtol: float, atol: float) -> tuple[tuple, float]:
    """Return where two arrays differ most, and the difference in multiples of the tolerance."""
    with np.errstate(invalid="ignore"):
        apart = np.where(np.equal(a, b), 0, np.abs(a - b)) / (atol + rtol * np.abs(b) + 1e-20)
    return np.unravel_index(np.argmax(apart), apart.shape), np.max(apart)


def _validate_csr_generation_inputs(
    num_rows: int, num_cols: int, density: float, distribution: str = "uniform"
) -> None:
    """Raise ValueError if the settings of a random sparse matrix are invalid."""
    if not 0 <= density <= 1:
        raise ArgumentError(f"density={density} is not between 0 and 1")
    if num_rows <= 0 or num_cols <= 0:
        raise ArgumentError(f"num_rows={num_rows} and num_cols={num_cols} must be positive")
