"""Checks of axes, and of other integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.engine.array import Array
from ..._core.errors import IndexRangeError


class AxisError(IndexRangeError, AssertionError):
    """An axis is out of range; MegEngine raises an AssertionError for some of them."""


def _raw(value: Any) -> Any:
    return value.raw if isinstance(value, Array) else value


def whole(value: Any) -> int:
    """An integer; also one that a float or a tensor without axes holds."""
    value = _raw(value)
    value = value.item() if isinstance(value, np.ndarray) else value
    if isinstance(value, str) or int(value) != value:
        raise ValueError(f"{value!r} is not an integer")
    return int(value)


def shape_of(shape: Any) -> tuple[int, ...]:
    """A shape given as a number, a sequence, an array or a tensor; fractions are cut off."""
    shape = _raw(shape)
    shape = shape.tolist() if isinstance(shape, np.ndarray) else shape
    return tuple(map(int, shape)) if isinstance(shape, (list, tuple)) else (int(shape),)


def integers(values: Any) -> tuple[int, ...]:
    """What `shape_of` takes, without fractions."""
    values = _raw(values)
    values = values.tolist() if isinstance(values, np.ndarray) else values
    return tuple(map(whole, values)) if isinstance(values, (list, tuple)) else (whole(values),)


def check_axis(name: str, x: Any, axis: Any, new: int = 0) -> Any:
    """The `axis` as it is, if `x` with `new` axes more has it."""
    if axis is not None:
        axis, ndim = whole(axis), x.ndim + new
        if not -ndim <= axis < ndim:
            raise AxisError(f"{name}: axis {axis} is out of range for a tensor of shape {x.shape}")
    return axis
