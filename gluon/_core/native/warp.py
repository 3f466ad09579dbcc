"""Interpolated reading of images, with its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .loading import runner
from .stand_ins import stands_in, suits

_sample, _sample_grad, _sample_slopes = map(runner, ("sample", "sample_grad", "sample_slopes"))
#: In the order of `enum border` in warp.c.
BORDERS = ("zero", "deform", "part", "align")


def _arguments(
    shape: tuple[int, ...], rows: Any, columns: Any, images: Any, border: str, slope: tuple
) -> tuple[tuple, tuple[int, ...]] | None:
    """Return the arrays of the points, and the integers for warp.c."""
    if len(shape) != 4 or rows.ndim != 2 or rows.shape != columns.shape or max(slope) > 1:
        return None
    images = np.arange(len(rows)) if images is None else images
    points = (*map(np.ascontiguousarray, (rows, columns)), np.ascontiguousarray(images, np.int64))
    return points, (*shape, *rows.shape, BORDERS.index(border), *slope)


@stands_in("sample")
def sample(
    plain: Callable,
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    border: str = "zero",
    slope: tuple = (0, 0),
) -> Any:
    known = _arguments(x.shape, rows, columns, images, border, slope)
    if known and suits(x):
        points, sizes = known
        y = np.empty((len(rows), x.shape[1], rows.shape[1]), x.dtype)
        if _sample((x, *points, y), sizes):
            return y
    return plain(x, rows, columns, images, border=border, slope=slope)


@stands_in("sample_grad")
def sample_grad(
    plain: Callable,
    x: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    shape: tuple[int, ...],
    border: str = "zero",
    slope: tuple = (0, 0),
) -> Any:
    known = _arguments(shape, rows, columns, images, border, slope)
    if known and suits(x):
        points, sizes = known
        y = np.empty(shape, x.dtype)
        if _sample_grad((x, *points, y), sizes):
            return y
    return plain(x, rows, columns, images, shape=shape, border=border, slope=slope)


@stands_in("sample_slopes")
def sample_slopes(
    plain: Callable,
    x: Any,
    values: Any,
    rows: Any,
    columns: Any,
    images: Any = None,
    *,
    border: str = "zero",
    slope: tuple = (0, 0),
) -> Any:
    known = _arguments(x.shape, rows, columns, images, border, slope)
    if known and not max(slope) and suits(x, values):
        points, sizes = known
        y, along = (np.empty(rows.shape, rows.dtype) for _ in range(2))
        if _sample_slopes((x, values, *points, y, along), sizes):
            return y, along
    return plain(x, values, rows, columns, images, border=border, slope=slope)
