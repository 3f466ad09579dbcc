"""Elementwise kernels that NumPy does not have under one name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .linalg import wide
from .memory import on_host
from .parallel import elementwise

#: From this many values on, a longer path through faster loops pays off.
LARGE = 4096
#: The integer dtypes, by the size of a value.
BITS = {4: np.int32, 8: np.int64}


def power(x1: Any, x2: Any) -> Any:
    if type(x1) is np.ndarray and x1.size >= LARGE and np.ndim(x2) == 0 and x2 == 3:
        return x1 * x1 * x1  # NumPy would use a logarithm
    try:
        return x1**x2  # the operator is faster than the ufunc for exponents 2, 1, 0.5 and -1
    except ValueError:
        if np.result_type(x1, x2).kind != "i":
            raise
        # NumPy rejects integers to negative powers: the result is 1, -1 or 0, undefined for base 0.
        return np.power(x1, x2, dtype=np.float64).astype(np.result_type(x1, x2))


def where(condition: Any, x1: Any, x2: Any) -> Any:
    x1, x2 = _as_dtype(x1, x2), _as_dtype(x2, x1)
    if condition.size >= LARGE and _alike(condition, x1, x2):
        return _selected(condition, x1, x2)
    return np.where(condition, x1, x2)


def _alike(condition: Any, x1: Any, x2: Any) -> bool:
    """Whether both are 0-d or have the condition's shape, and share a dtype of 4 or 8 bytes."""
    arrays = isinstance(x1, np.ndarray) and isinstance(x2, np.ndarray) and x1.dtype == x2.dtype
    shapes = ((), condition.shape)
    return arrays and x1.shape in shapes and x2.shape in shapes and x1.itemsize in BITS


def _selected(condition: Any, x1: Any, x2: Any) -> Any:
    """`where` on bits, which avoids mispredicted branches."""
    bits = BITS[x1.itemsize]
    mask = np.negative(np.not_equal(condition, 0).view(np.int8), dtype=bits)
    one, other = (np.asarray(x, order="C").view(bits) for x in (x1, x2))
    mask &= np.bitwise_xor(one, other)
    if other.ndim or other:
        mask ^= other
    return mask.view(x1.dtype)


def bitwise_and(x1: Any, x2: Any) -> Any:
    """The bits that both have."""
    return _of_bits(np.bitwise_and, x1, x2)


def bitwise_or(x1: Any, x2: Any) -> Any:
    """The bits that one of them has."""
    return _of_bits(np.bitwise_or, x1, x2)


def _of_bits(function: Callable[..., Any], x1: Any, x2: Any) -> Any:
    try:
        return function(x1, x2)
    except TypeError:
        raise TypeError(
            "& and | take integers and booleans; combine float masks, as comparisons of nd give"
            " them, by nd.logical_and(x1, x2) or nd.logical_or(x1, x2)"
        ) from None


def _as_dtype(x: Any, other: Any) -> Any:
    # A number takes the dtype of the array in the same operation: bfloat16 does not promote.
    if hasattr(x, "dtype") or getattr(other, "dtype", np.dtype(bool)).kind not in "fV":
        return x
    return np.asarray(x, other.dtype)


def clip(x: Any, *, a_min: float, a_max: float) -> Any:
    if not a_min <= a_max:
        raise ValueError("a_min must be a number that is not above a_max")
    if x.dtype.kind == "b":
        raise TypeError("clip is undefined for booleans; cast them to numbers first")
    if x.dtype.kind in "iu":
        limits = np.iinfo(x.dtype)
        a_min, a_max = (int(min(max(a, limits.min), limits.max)) for a in (a_min, a_max))
    low, high = x.dtype.type(a_min), x.dtype.type(a_max)
    if x.size >= LARGE:
        return x.clip(low, high)  # slower to start, but a single pass
    return np.minimum(np.maximum(x, low), high)


def rsqrt(x: Any) -> Any:
    return 1 / np.sqrt(x)


def rcbrt(x: Any) -> Any:
    return 1 / np.cbrt(x)


def relu(x: Any) -> Any:
    if x.size >= LARGE and x.dtype.kind == "f":
        return x.clip(0, np.inf)  # for many values faster than maximum
    return np.maximum(x, _zero(x.dtype))


@cache
def _zero(dtype: Any) -> Any:
    # As an array of the right dtype, a constant needs no conversion in each call.
    return np.array(0, dtype)  # on the host always: it is kept


def sigmoid(x: Any) -> Any:
    kind = wide(x.dtype) if x.dtype.kind in "fV" else np.dtype(np.float64)
    with np.errstate(over="ignore"):  # 1 / inf is the correct limit
        z = x.astype(kind, copy=False)
        y = 1 / (np.exp(-z) + 1) if x.size < LARGE else elementwise(_sigmoid, z)
    return y.astype(x.dtype if x.dtype.kind in "fV" else kind, copy=False)


def _sigmoid(x: Any, y: Any) -> None:
    np.exp(np.negative(x, out=y), out=y)
    y += 1
    np.divide(1, y, out=y)


def sigmoid_grad(out_grad: Any, p: Any) -> Any:
    """The cotangent before a sigmoid `p`."""
    return out_grad * (p * (1 - p))


def tanh_grad(out_grad: Any, p: Any) -> Any:
    """The cotangent before a hyperbolic tangent `p`."""
    return out_grad * (1 - p * p)


def relu_grad(out_grad: Any, p: Any) -> Any:
    """The cotangent before a `relu` that gave `p`, or of `p` before its size was taken."""
    return out_grad * np.sign(p)


def square_grad(out_grad: Any, x: Any) -> Any:
    """The cotangent of `x` in its square."""
    return out_grad * (2 * x)


def quotient(x1: Any, x2: Any) -> Any:
    """Integers divided, the fraction dropped; 0 where x2 is 0, with NumPy's warning."""
    low = np.floor_divide(x1, x2)
    return low + ((low < 0) & (low * x2 != x1))


def softrelu(x: Any) -> Any:
    if x.size < LARGE or x.itemsize not in BITS or x.dtype.kind != "f":
        return np.logaddexp(x, x.dtype.type(0))
    return elementwise(_softrelu, x)


def _softrelu(x: Any, y: Any) -> None:
    """max(x, 0) + log1p(z) for z = exp(-|x|).

    log1p(z) is log(w) + (z - (w - 1)), where w is 1 + z rounded: NumPy's log is several times as
    fast as its log1p and logaddexp. What is left out, a factor 1 / w in the small term, is less
    than what z is rounded by.
    """
    np.negative(np.abs(x, out=y), out=y)
    np.exp(y, out=y)
    w = y + 1
    y += 1 - w
    y += np.log(w, out=w)
    y += np.clip(x, 0, np.inf, out=w)


def softsign(x: Any) -> Any:
    # for integers it is 0, even if 1 + |x| overflows
    return x / (1 + np.abs(x)) if x.dtype.kind not in "iu" else np.zeros_like(x)


def round_away(x: Any) -> Any:
    """The nearest integer, of two the one away from 0.

    Where numbers have fractions, half a step down from the integer above is exact; from larger
    integers it leads to themselves or below, and nothing moves. The same holds for `round_down`.
    """

    def away(x: Any) -> Any:
        size = np.abs(x)
        high = np.ceil(size)
        return np.copysign(high - (size < high - x.dtype.type(0.5)), x)

    return _rounded(away, x)


def round_down(x: Any) -> Any:
    """The nearest integer, of two the lower one."""

    def down(x: Any) -> Any:
        low = np.floor(x)
        return np.copysign(low + (x > low + x.dtype.type(0.5)), x)

    return _rounded(down, x)


def _rounded(function: Callable[[Any], Any], x: Any) -> Any:
    if x.dtype.kind == "V":  # bfloat16
        return function(x.astype(wide(x.dtype))).astype(x.dtype)
    return function(x) if x.dtype.kind == "f" else x


def cast(x: Any, *, dtype: Any) -> Any:
    return x.astype(dtype)


def copy(x: Any) -> Any:
    return x.copy()


def move(x: Any, *, to: Any, back: Any) -> Any:
    """A copy where the context `to` is; None is the host."""
    copied = on_host(x) if to is None else to._placed(x)
    return copied.copy() if copied is x else copied


def zeros_like(x: Any, *, dtype: Any = None) -> Any:
    return np.zeros_like(x, dtype)


def ones_like(x: Any, *, dtype: Any = None) -> Any:
    return np.ones_like(x, dtype)
