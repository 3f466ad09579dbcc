"""Copies into other layouts and dtypes, choices between two arrays, sorting along any axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernels.parallel import in_parts
from . import loading
from .loading import runner
from .stand_ins import stands_in

_layout, _choose = runner("layout"), runner("choose")
_not_zero = loading.operation("not_equal", np.not_equal)
FLOAT16 = np.dtype(np.float16)
#: Maps the size of a value to a dtype that the library knows.
BY_SIZE = {n: np.dtype(name) for n, name in ((1, "u1"), (2, "f2"), (4, "i4"), (8, "i8"))}
#: Fewer values occupy one thread, and NumPy is as fast: a multiple of `loading.LEAST`.
MANY = 32
#: Whether `reshape` supports ``copy=False``.
KNOWS_VIEWS = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)


def _as_bits(x: Any) -> Any:
    """View `x` in a dtype of the same size that the library knows."""
    kind = BY_SIZE.get(x.dtype.itemsize)
    return x if kind is None or x.dtype.hasobject else x.view(kind)


def _is_brain(dtype: Any) -> bool:
    return dtype.kind == "V" and dtype.name == "bfloat16"


def put(y: Any, x: Any) -> bool:
    """``y[...] = x`` by the library; False where that is left to NumPy."""
    if x.dtype == y.dtype:
        return _layout((_as_bits(x), _as_bits(y)))
    if not (_is_brain(x.dtype) or _is_brain(y.dtype)):
        return _layout((x, y))
    if FLOAT16 in (x.dtype, y.dtype):
        return False
    both = [array.view(FLOAT16) if _is_brain(array.dtype) else array for array in (x, y)]
    return _layout(tuple(both), (1,))


def in_order(x: Any) -> Any:
    """The values of `x` in C order: itself or a copy."""
    if x.flags.c_contiguous:
        return x
    y = np.empty(x.shape, x.dtype)
    return y if put(y, x) else np.ascontiguousarray(x)


@stands_in("copy", "stop_gradient")
def _copied(plain: Callable, x: Any) -> Any:
    if x.size >= loading.LEAST * (MANY if x.flags.c_contiguous else 1):
        y = np.empty(x.shape, x.dtype)
        if put(y, x):
            return y
    return plain(x)


@stands_in("cast")
def _cast(plain: Callable, x: Any, *, dtype: Any) -> Any:
    kind = np.dtype(dtype)
    if x.size >= loading.LEAST * (1 if 2 in (x.itemsize, kind.itemsize) else MANY):
        y = np.empty_like(x, kind)
        if put(y, x):
            return y
    return plain(x, dtype=dtype)


@stands_in("reshape")
def _reshaped(plain: Callable, x: Any, *, shape: tuple[int, ...]) -> Any:
    if not x.flags.c_contiguous and KNOWS_VIEWS:
        try:
            return x.reshape(shape, copy=False)
        except ValueError:
            x = in_order(x)
    return plain(x, shape=shape)


# --------------------------------------------------------------------------------- choices


def _as_array_of(x: Any, other: Any) -> Any:
    """Return a number as an array of the other operand's dtype."""
    return np.full((), x, other.dtype) if type(x) in (int, float) and hasattr(other, "dtype") else x


def _chosen(condition: Any, x1: Any, x2: Any) -> Any:
    """Return x1 where `condition` is not 0, x2 elsewhere; None if NumPy must compute it."""
    arrays = condition, x1, x2
    if any(type(x) is not np.ndarray for x in arrays) or x1.dtype != x2.dtype:
        return None
    try:
        y = np.empty(np.broadcast(*arrays).shape, x1.dtype)
    except ValueError:  # the shapes do not fit
        return None
    flags = condition if condition.itemsize == 1 else np.asarray(_not_zero(condition, 0.0))
    return y if _choose((*map(_as_bits, (x1, x2, flags)), _as_bits(y))) else None


@stands_in("where")
def _where(plain: Callable, condition: Any, x1: Any, x2: Any) -> Any:
    y = _chosen(condition, _as_array_of(x1, x2), _as_array_of(x2, x1))
    return plain(condition, x1, x2) if y is None else y


# --------------------------------------------------------------------------------- sorting


@stands_in("sort")
def _sort(
    plain: Callable,
    x: Any,
    *,
    axis: int = -1,
    is_ascend: bool = True,
    kind: Any = None,
    stable: bool = True,
) -> Any:
    """Sort each line with NumPy, in threads; lines that are not rows are transposed first."""
    if kind is not None or x.size < loading.LEAST * MANY or not -x.ndim <= axis < x.ndim:
        return plain(x, axis=axis, is_ascend=is_ascend, kind=kind, stable=stable)
    lines = np.empty_like(np.moveaxis(x, axis, -1), order="C")
    if not put(lines, np.moveaxis(x, axis, -1)):
        return plain(x, axis=axis, is_ascend=is_ascend, kind=kind, stable=stable)
    rows = lines.reshape(-1, lines.shape[-1])
    in_parts(lambda begin, end: rows[begin:end].sort(-1), len(rows), x.size)
    y = in_order(np.moveaxis(lines, -1, axis))
    return y if is_ascend else np.flip(y, axis)
