"""Matrix products, and stacks of them, on the threads of the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels import linalg
from ..kernels.linalg import SERIAL
from .loading import SHARES_THREADS, is_told, runner
from .stand_ins import FLOATS, stands_in

_multiply = runner("multiply_stacks")


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


def multiply(a: Any, b: Any, out: Any = None) -> Any:
    """``np.matmul``, whose large products OpenBLAS would compute with threads of its own."""
    if a.ndim > 1 < b.ndim and a.shape[:-2] != b.shape[:-2] and a.shape[-2] * b.size > SERIAL:
        stacks = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = (np.broadcast_to(x, (*stacks, *x.shape[-2:])) for x in (a, b))
    y = _product(a, b, out=out)
    return np.matmul(a, b, out=out) if y is None else y


def _product(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, out: Any = None
) -> Any:
    """``a @ b`` of two matrices or stacks; None if they do not fit, or NumPy uses one thread."""
    if not (type(a) is type(b) is np.ndarray and a.ndim == b.ndim > 1):
        return None
    a = a.swapaxes(-1, -2) if transpose_a else a
    b = b.swapaxes(-1, -2) if transpose_b else b
    if a.shape[:-2] != b.shape[:-2] or a.dtype not in FLOATS:
        return None
    if b.dtype != a.dtype or a.shape[-1] != b.shape[-2]:
        return None
    if a.size * b.shape[-1] <= SERIAL and not is_told():
        return None
    y = np.empty((*a.shape[:-1], b.shape[-1]), a.dtype) if out is None else out
    return y if _multiply((a, b, y)) else None


if SHARES_THREADS:
    linalg.multiply = multiply
