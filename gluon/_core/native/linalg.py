"""Stacks of matrix products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.linalg import SERIAL
from .loading import runner
from .stand_ins import FLOATS, stands_in

_multiply = runner("multiply_stacks")
#: OpenBLAS shares out products with more multiplications than this, and those of fewer matrices.
LARGE, MANY = 1 << 22, 8


@stands_in("batch_dot")
def batch_dot(
    plain: Callable, a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False
) -> Any:
    y = _product(a, b, transpose_a, transpose_b)
    return plain(a, b, transpose_a=transpose_a, transpose_b=transpose_b) if y is None else y


@stands_in("matmul")
def matmul(plain: Callable, a: Any, b: Any) -> Any:
    y = _product(a, b)
    return plain(a, b) if y is None else y


def _product(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """``a @ b`` of two stacks of matrices; None if they do not fit, or OpenBLAS shares them out."""
    if not (type(a) is type(b) is np.ndarray and a.ndim == b.ndim > 2):
        return None
    a = a.swapaxes(-1, -2) if transpose_a else a
    b = b.swapaxes(-1, -2) if transpose_b else b
    if a.shape[:-2] != b.shape[:-2] or a.dtype not in FLOATS:
        return None
    if b.dtype != a.dtype or a.shape[-1] != b.shape[-2]:
        return None
    every, each = a.size * b.shape[-1], a.shape[-2] * a.shape[-1] * b.shape[-1]
    if every <= SERIAL or (each > SERIAL and (each > LARGE or every < MANY * each)):
        return None
    y = np.empty((*a.shape[:-1], b.shape[-1]), a.dtype)
    return y if _multiply((a, b, y)) else None
