"""Steps of pooling regions of interest: the pixels of bins, and the positions of maxima."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.steps import STAND_INS
from .loading import runner
from .stand_ins import FLOATS

_take, _give, _maxima = map(runner, ("take_bins", "give_bins", "first_maxima"))


def _sizes(channels: int, rows: Any, columns: Any, groups: tuple[int, ...]) -> tuple[int, ...]:
    """Return the integers for roi.c."""
    (n, down, height), (across, width) = rows.shape, columns.shape[1:]
    return (channels, n, down, across, height, width, *(groups or (1, 1)))


def take_bins(plain: Callable, rows: Any, columns: Any, picture: Any) -> Any:
    channels = len(picture)
    if picture.dtype in FLOATS:
        y = np.empty((len(rows), channels, rows.shape[1], columns.shape[1]), picture.dtype)
        arrays = map(np.ascontiguousarray, (picture, rows, columns))
        if _take((*arrays, y), _sizes(channels, rows, columns, picture.shape[1:-2])):
            return y
    return plain(rows, columns, picture)


def give_bins(
    plain: Callable, rows: Any, columns: Any, values: Any, groups: tuple[int, ...] = ()
) -> Any:
    channels = values.shape[1]
    if values.dtype in FLOATS:
        y = np.empty((channels, *groups, rows.shape[2], columns.shape[2]), values.dtype)
        arrays = map(np.ascontiguousarray, (values, rows, columns))
        if _give((*arrays, y), _sizes(channels, rows, columns, groups)):
            return y
    return plain(rows, columns, values, groups)


def first_maxima(plain: Callable, x: Any, image: Any, *edges: Any) -> Any:
    if x.dtype in FLOATS:
        places = np.empty((len(image), x.shape[1]), np.int64)
        bins = (np.ascontiguousarray(v, np.int64) for v in (image, *edges))
        if _maxima((np.ascontiguousarray(x), *bins, places), x.shape):
            return places
    return plain(x, image, *edges)


STAND_INS.update(take_bins=take_bins, give_bins=give_bins, first_maxima=first_maxima)
