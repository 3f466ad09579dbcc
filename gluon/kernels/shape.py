"""Kernels that rearrange values: reshape, transpose, join, split, repeat, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Shape = tuple[int, ...]


def reshape(x: Any, *, shape: Shape) -> Any:
    try:
        return x.reshape(shape)
    except ValueError as error:
        raise ValueError(f"{x.size} values of shape {x.shape} do not fit {shape}") from error


def transpose(x: Any, *, axes: Sequence[int] | None = None) -> Any:
    return x.transpose(axes)


def expand_dims(x: Any, *, axis: int) -> Any:
    return np.expand_dims(x, axis)


def squeeze(x: Any, *, axis: int | Shape | None = None) -> Any:
    return x.squeeze(axis)


def broadcast_to(x: Any, *, shape: Shape) -> Any:
    return np.broadcast_to(x, shape)


def concat(*xs: Any, axis: int = 0) -> Any:
    return np.concatenate(xs, axis)


def stack(*xs: Any, axis: int = 0) -> Any:
    return np.stack(xs, axis)


def split(x: Any, *, sections: int | Sequence[int], axis: int = 0) -> Any:
    """`sections` is a number of equal parts, or the places to split at."""
    return np.split(x, sections, axis)


def flip(x: Any, *, axis: int | Shape) -> Any:
    return np.flip(x, axis)


def tile(x: Any, *, reps: Shape) -> Any:
    return np.tile(x, reps)


def repeat(x: Any, *, repeats: int, axis: int | None = None) -> Any:
    return np.repeat(x, repeats, axis)


def pad(x: Any, *, width: Any, mode: Any = "constant", value: float = 0) -> Any:
    """`width` is a pair (before, after) for each axis; modes as in `numpy.pad`."""
    if mode == "constant":
        return np.pad(x, width, mode, constant_values=value)
    return np.pad(x, width, mode)
