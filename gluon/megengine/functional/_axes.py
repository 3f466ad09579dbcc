"""Checks of axes."""

from __future__ import annotations

from typing import Any

from ..._core.errors import IndexRangeError


class AxisError(IndexRangeError, AssertionError):
    """An axis is out of range; MegEngine raises an AssertionError for some of them."""


def check_axis(name: str, x: Any, axis: Any, new: int = 0) -> Any:
    """The `axis` as it is, if `x` with `new` axes more has it."""
    if axis is not None:
        axis, ndim = int(axis), x.ndim + new
        if not -ndim <= axis < ndim:
            raise AxisError(f"{name}: axis {axis} is out of range for a tensor of shape {x.shape}")
    return axis
