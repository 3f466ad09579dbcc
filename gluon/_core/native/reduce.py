"""Sums, means, norms, maxima and minima over axes, and the places of the last two."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from math import prod
from typing import Any

import numpy as np

from ..kernels.sums import Axis, reduced_axes
from .loading import operation, runner
from .stand_ins import FLOATS, stands_in, suits

_run, _search = runner("reduce"), runner("search")
_plus = operation("add", np.add)
#: In the order of the kinds in reduce.c.
SUM, SQUARES, MAX, MIN = range(4)
Shape = tuple[int, ...]


@lru_cache(4096)
def _planned(shape: Shape, axis: Axis) -> tuple[tuple | None, Shape, Shape, int]:
    """Return the sizes for reduce.c, the shape with and without the axes, and the count.

    Sizes are (outer, n, inner, m), or None where axes alternate more often; the count is that of
    the values that are reduced to one.
    """
    axes = reduced_axes(axis, len(shape))
    sides = [(k in axes, n) for k, n in enumerate(shape) if n != 1]
    runs = [(gone, prod(n for _, n in run)) for gone, run in groupby(sides, key=lambda s: s[0])]
    if runs and not runs[-1][0]:
        runs.append((True, 1))
    while len(runs) < 4:
        runs.insert(0, (not (runs and runs[0][0]), 1))
    sizes = tuple(n for _, n in runs)
    if sizes[1] > 1 and sizes[2] == 1:  # the reduced values are contiguous
        sizes = (sizes[0], 1, 1, sizes[1] * sizes[3])
    fits = len(sizes) == 4 and sizes[1] * sizes[3] > 1
    kept = tuple(1 if k in axes else n for k, n in enumerate(shape))
    dropped = tuple(n for k, n in enumerate(shape) if k not in axes)
    return (sizes if fits else None), kept, dropped, prod(shape[k] for k in axes)


def reduced(
    x: Any, axis: Any, keepdims: bool, at_least_1d: bool, kind: int, mean: bool = False
) -> Any:
    """The result, or None where the library does not compute it."""
    if not suits(x, dtypes=FLOATS):
        return None
    sizes, kept, dropped, count = _planned(x.shape, tuple(axis) if type(axis) is list else axis)
    if sizes is None:
        return None
    shape = kept if keepdims else dropped or ((1,) if at_least_1d else ())
    if kind == SUM and sizes[1] == 2 and sizes[3] == 1 and not mean:
        pairs = x.reshape(sizes[0], 2, sizes[2])  # adding two halves needs no initial zeros
        return _plus(pairs[:, 0], pairs[:, 1]).reshape(shape)
    y = np.empty(shape, x.dtype)
    return y if _run((x, y), (*sizes, kind), (float(count if mean else 1),)) else None


def _stand_in(name: str, kind: int, mean: bool = False) -> None:
    def stand_in(
        plain: Callable,
        x: Any,
        *,
        axis: Axis = None,
        keepdims: bool = False,
        at_least_1d: bool = False,
    ) -> Any:
        y = reduced(x, axis, keepdims, at_least_1d, kind, mean)
        if y is None:
            return plain(x, axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)
        return y

    stands_in(name)(stand_in)


_stand_in("sum", SUM)
_stand_in("mean", SUM, mean=True)
_stand_in("max", MAX)
_stand_in("min", MIN)


@stands_in("norm")
def _norm(
    plain: Callable,
    x: Any,
    *,
    ord: int = 2,
    axis: Axis = None,
    keepdims: bool = False,
    at_least_1d: bool = False,
) -> Any:
    squares = reduced(x, axis, keepdims, at_least_1d, SQUARES) if ord == 2 else None
    if squares is not None:
        # The sums are safe if no significant square underflowed or overflowed.
        low, high = squares.min(), squares.max()
        if low > np.finfo(x.dtype).tiny * 2**60 and high < np.inf:
            return np.sqrt(squares, out=squares)
    return plain(x, ord=ord, axis=axis, keepdims=keepdims, at_least_1d=at_least_1d)


@stands_in("sum_squares")
def _sum_squares(plain: Callable, x: Any) -> Any:
    y = reduced(x, None, False, False, SQUARES)
    return plain(x) if y is None else y


@stands_in("sum_to")
def summed_to(plain: Callable, x: Any, *, shape: Shape) -> Any:
    if x.shape == shape:
        return x
    extra = x.ndim - len(shape)
    axes = tuple(k for k, n in enumerate(x.shape) if k < extra or n != shape[k - extra])
    y = reduced(x, axes, False, False, SUM)
    return plain(x, shape=shape) if y is None else y.reshape(shape)


def _places(name: str, largest: bool) -> None:
    def stand_in(
        plain: Callable, x: Any, *, axis: int | None = None, keepdims: bool = False
    ) -> Any:
        if suits(x, dtypes=FLOATS):
            sizes, kept, dropped, _ = _planned(x.shape, axis)
            if sizes is not None and 1 in (sizes[1], sizes[3]):
                outer, n, inner, m = sizes
                rows = (outer * inner, m, 1) if n == 1 else (outer, n, inner)
                y = np.empty(kept if keepdims else dropped, np.int64)
                if _search((x, y), (*rows, largest)):
                    return y
        return plain(x, axis=axis, keepdims=keepdims)

    stands_in(name)(stand_in)


_places("argmax", True)
_places("argmin", False)
