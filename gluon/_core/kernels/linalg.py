"""Kernels that multiply matrices: dot, batch_dot, matmul, fully_connected."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .parallel import in_parts

#: Up to this many values, the overhead of a call exceeds its computation.
FEW = 1024
#: Up to how many multiplications BLAS uses one thread, and its multiplications per nanosecond.
SERIAL, PER_NANOSECOND = 1 << 18, 64
#: What multiplies large matrices, like ``np.matmul(a, b, out=None)``; compiled kernels put theirs
#: here.
multiply: Callable[..., Any] = np.matmul


def is_half(dtype: Any) -> bool:
    """Whether numbers have 16 bits and a fraction: float16, and bfloat16, of NumPy's kind "V"."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def wide(dtype: Any) -> Any:
    """The dtype to compute in: float32 for half precision, which BLAS lacks."""
    return np.dtype(np.float32) if is_half(dtype) else dtype


def need_floats(x: Any) -> None:
    """Raise for integers, to which a function would lose its fractions."""
    if x.dtype.kind in "biu":
        raise TypeError(f"{x.dtype} is not a floating dtype; cast the data to a float first")


def gemm(a: Any, b: Any) -> Any:
    """``a @ b``, with half precision accumulated in single."""
    if a.itemsize == 2 and a.dtype == b.dtype and is_half(a.dtype):
        return gemm(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    if (
        a.size and a.ndim > 2 == b.ndim
    ):  # a single product: NumPy would compute one per matrix of the stack
        return gemm(rows(a, first=False), b).reshape(*a.shape[:-1], b.shape[1])
    if a.ndim == b.ndim == 3 and a.shape[0] == b.shape[0] and a.dtype == b.dtype:
        count, work = len(a), a.shape[1] * a.shape[2] * b.shape[2]
        if a.shape[2] == b.shape[1] and a.dtype.kind == "f" and work <= SERIAL < count * work:
            return _stack_of_products(a, b, count * work)
    try:
        # The method has half the overhead, but first fills a large result with zeros.
        few = a.size <= FEW and a.ndim == b.ndim == 2 and b.size <= SERIAL
        return a.dot(b) if few else multiply(a, b)
    except ValueError:
        text = f"matrices of shapes {a.shape} and {b.shape} do not multiply"
        if a.ndim > 1 < b.ndim and a.shape[-1] != b.shape[-2]:
            text += f": {a.shape[-1]} columns meet {b.shape[-2]} rows; transpose one of the two"
        raise ValueError(text) from None


def _stack_of_products(a: Any, b: Any, work: int) -> Any:
    """Compute ``a @ b`` in parts, since each product uses only one thread."""
    y = np.empty((*a.shape[:2], b.shape[2]), a.dtype)

    def part(begin: int, end: int) -> None:
        np.matmul(a[begin:end], b[begin:end], out=y[begin:end])

    in_parts(part, len(a), work // PER_NANOSECOND)
    return y


def sparsely(product: Callable[..., Any], x: Any) -> Any:
    """``product(x)``, linear with weights of 0 and more, where 0 times infinity and NaN is 0."""
    finite = np.isfinite(x)
    if finite.all():
        return product(x)
    y = product(np.where(finite, x, x.dtype.type(0)))
    with np.errstate(invalid="ignore"):
        for value, places in ((np.inf, x == np.inf), (-np.inf, x == -np.inf), (np.nan, x != x)):
            y = y + np.where(product(places.astype(x.dtype)) > 0, y.dtype.type(value), 0)
    return y.astype(x.dtype, copy=False)


def rows(x: Any, first: bool) -> Any:
    """`x` as a matrix whose rows run over its first axis, or over all but the last."""
    n = x.shape[0] if first else prod(x.shape[:-1])
    return x if x.ndim == 2 else x.reshape(n, x.size // n if n else prod(x.shape[1:]))


def dot(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """Sum over the last axis of `a` and the first of `b`; transposed: the first, the last."""
    if a.ndim == b.ndim == 2:
        return gemm(a.T if transpose_a else a, b.T if transpose_b else b)
    if not (a.ndim and b.ndim):
        raise ValueError("dot takes arrays of one or more axes; use * to multiply by a number")
    if a.ndim == b.ndim == 1 and (transpose_a or transpose_b):
        raise ValueError("vectors cannot be transposed; leave transpose_a and transpose_b out")
    inner_a, outer_a = (a.shape[0], a.shape[1:]) if transpose_a else (a.shape[-1], a.shape[:-1])
    inner_b, outer_b = (b.shape[-1], b.shape[:-1]) if transpose_b else (b.shape[0], b.shape[1:])
    if inner_a != inner_b:
        raise ValueError(
            f"the axes to sum over differ: {inner_a} in shape {a.shape}, {inner_b} in {b.shape}"
            + "; batch_dot multiplies stacks of matrices" * (a.ndim == b.ndim > 2)
        )
    if a.ndim != 2:
        a = a.reshape((inner_a, prod(outer_a)) if transpose_a else (prod(outer_a), inner_a))
    if b.ndim != 2:
        b = b.reshape((prod(outer_b), inner_b) if transpose_b else (inner_b, prod(outer_b)))
    y = gemm(a.T if transpose_a else a, b.T if transpose_b else b)
    return y.reshape(outer_a + outer_b or (1,))


def batch_dot(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """The matrix products of two stacks of matrices."""
    if a.ndim < 3 or a.ndim != b.ndim or a.shape[:-2] != b.shape[:-2]:
        raise ValueError(
            "batch_dot takes two stacks of matrices with the same leading axes, three axes or "
            f"more, not shapes {a.shape} and {b.shape}; use dot or matmul"
        )
    return gemm(a.swapaxes(-1, -2) if transpose_a else a, b.swapaxes(-1, -2) if transpose_b else b)


def matmul(a: Any, b: Any) -> Any:
    """NumPy's ``a @ b``."""
    return gemm(a, b)


def fully_connected(x: Any, weight: Any, bias: Any = None, *, flatten: bool = True) -> Any:
    """``x @ weight.T + bias``, over the last axis of x or over all but the first."""
    if not x.ndim or weight.ndim != 2:
        raise ValueError(
            f"x needs an axis and weight has shape (units, in_units), not {x.shape}, {weight.shape}"
        )
    x = rows(x, first=True) if flatten and x.ndim != 2 else x
    if x.shape[-1] != weight.shape[1]:
        raise ValueError(
            f"x has {x.shape[-1]} features{' once flattened' * flatten}, weight takes "
            f"{weight.shape[1]}; weight has shape (units, in_units)"
            + "; a single sample needs a first axis of length 1"
            * (flatten and x.shape[-1] == 1)
        )
    y = gemm(x, weight.T)
    if bias is None:
        return y
    if bias.shape != weight.shape[:1]:
        raise ValueError(
            f"bias has shape {bias.shape}; it needs {weight.shape[:1]}, one value for each unit"
        )
    return np.add(y, bias, out=y if bias.dtype == y.dtype else None)
