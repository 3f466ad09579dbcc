"""Products of sparse matrices, and what makes and groups their indices."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..kernels.sparse import INT64
from ..kernels.steps import STAND_INS
from .copy import KNOWN
from .loading import runner
from .stand_ins import FLOATS

_dot, _nonzero = runner("csr_dot"), runner("nonzero")
_group, _take = runner("group_places"), runner("take_rows")


def csr_product(plain: Callable, b: Any, indices: Any, indptr: Any, data: Any) -> Any:
    turned = not b.flags.c_contiguous
    given = b.T if turned else b
    y = np.empty((len(indptr) - 1, b.shape[1]), b.dtype)
    if b.dtype in FLOATS and _dot((given, indices, indptr, data, y), (len(y), *b.shape, turned)):
        return y
    return plain(b, indices, indptr, data)


def grouped(plain: Callable, places: Any, size: int) -> tuple[Any, Any, Any]:
    n = len(places)
    order, starts, unique = (np.empty(length, INT64) for length in (n, n + 1, n))
    count = np.empty(1, INT64)
    if _group((places, order, starts, unique, count), (size,)):
        found = int(count[0])
        return unique[:found].copy(), order, starts[: found + 1]
    return plain(places, size)


def nonzero(plain: Callable, x: Any) -> tuple[Any, Any, Any]:
    indptr = np.zeros(len(x) + 1, INT64)
    if x.dtype in FLOATS and _nonzero((x, indptr, None, None), x.shape):
        np.cumsum(indptr, out=indptr)
        data, columns = np.empty(indptr[-1], x.dtype), np.empty(indptr[-1], INT64)
        if _nonzero((x, indptr, data, columns), x.shape):
            return data, columns, indptr
    return plain(x)


def picked(plain: Callable, x: Any, places: Any) -> Any:
    if x.dtype in KNOWN:
        y = np.empty((*places.shape, *x.shape[1:]), x.dtype)
        if _take((x, places, y), (prod(x.shape[1:]),)):
            return y
    return plain(x, places)


STAND_INS.update({one.__name__: one for one in (csr_product, grouped, nonzero, picked)})
