"""Bilinear interpolation and adaptive averages, with their gradients: sums over a few pixels."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ..kernels.resample import Size, matrices
from .loading import runner
from .stand_ins import stands_in, suits

_resample = runner("resample")
#: With more taps, matrix products are as fast.
MOST_TAPS = 8


def _taps(matrix: Any, dtype: np.dtype) -> tuple[Any, Any] | None:
    """Return the positions and nonzero weights in each row of a matrix; None if there are many.

    Rows with fewer have the first place several times, each with a share of its weight: a weight
    of 0 would make NaN of infinity.
    """
    counts = np.count_nonzero(matrix, axis=1)
    most = int(counts.max())
    if most > MOST_TAPS or not counts.all():
        return None
    places = np.argsort(matrix == 0, axis=1, kind="stable")[:, :most]
    weights = np.take_along_axis(matrix, places, 1)
    weights[:, 0] /= most - counts + 1
    used = weights != 0
    places = np.where(used, places, places[:, :1])
    return places, np.where(used, weights, weights[:, :1]).astype(dtype)


@lru_cache(64)
def _both(
    method: str, size: Size, out: Size, align_corners: bool, transposed: bool, dtype: np.dtype
) -> tuple | None:
    """Return the taps of the rows and of the columns; of the gradient if `transposed`."""
    pair = matrices(method, size, out, align_corners)
    rows, columns = (_taps(matrix.T if transposed else matrix, dtype) for matrix in pair)
    return (*rows, *columns) if rows and columns else None


def _stand_in(name: str, transposed: bool) -> None:
    def stand_in(
        plain: Callable, x: Any, *, size: Size, method: str, align_corners: bool = True
    ) -> Any:
        if x.ndim == 4 and min(size) > 0 and suits(x):
            y = np.empty((*x.shape[:2], *size), x.dtype)
            ends = (tuple(size), x.shape[2:]) if transposed else (x.shape[2:], tuple(size))
            taps = _both(method, *ends, align_corners, transposed, x.dtype)
            pictures = x.shape[0] * x.shape[1]
            if taps and _resample((x, *taps, y), (pictures, *x.shape[2:], *size)):
                return y
        return plain(x, size=size, method=method, align_corners=align_corners)

    stands_in(name)(stand_in)


_stand_in("resize", transposed=False)
_stand_in("resize_grad", transposed=True)
