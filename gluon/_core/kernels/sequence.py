"""Kernels along a sequence: sorting, cumulative sums, masks by length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .indexing import axis_length
from .linalg import wide
from .parallel import PART, rowwise

#: Rows of this width, and as few rows as this, justify one NumPy call per step.
WIDE, SHORT = 256, 32
#: Up to this many first values are found by repeated search instead of sorting.
FEW = 16


def order(
    x: Any, *, axis: int = -1, is_ascend: bool = True, k: int = 0, stable: bool = True
) -> Any:
    """The places of the first `k` values in order, all for 0; of equal values the first first.

    NaN counts as larger than any number.
    """
    n = axis_length(x, axis)
    if not 0 <= k <= n:
        raise ValueError(
            f"k={k} is out of range for an axis of length {n} (1 to {n}, or 0 for all)"
        )
    if k == 1 and not is_ascend:
        return x.argmax(axis, keepdims=True)
    if 0 < k <= FEW and n >= 2 * FEW and x.dtype.kind == "f":
        places = _few(x, axis % x.ndim, is_ascend, k)
        if places is not None:
            return places
    if FEW < k <= n // 4 and x.dtype.kind == "f":
        places = _some(x, axis, is_ascend, k)
        if places is not None:
            return places
    if not stable and not k:
        places = x.argsort(axis)
        return places if is_ascend else np.flip(places, axis)
    if is_ascend:
        places = _stable(x, axis)
    else:  # reversed twice to keep the order of equal values
        turned = _stable(np.flip(x, axis), axis)
        places = n - 1 - np.flip(turned, axis)
    if not k or k == n:
        return places
    return places[(slice(None),) * (axis % x.ndim) + (slice(k),)]


def sort(
    x: Any, *, axis: int = -1, is_ascend: bool = True, kind: Any = None, stable: bool = True
) -> Any:
    """The values in order along `axis`, NaN as the largest; `kind` is NumPy's.

    `stable` says to the gradient that of equal values the first comes first.
    """
    y = np.sort(x, axis, kind)
    return y if is_ascend else np.flip(y, axis)


def _stable(x: Any, axis: int) -> Any:
    """Return the stable sorting order of the values."""
    if x.size < 2 * PART:
        return x.argsort(axis, kind="stable")
    return rowwise(_stable_rows, axis, x, dtype=np.intp)


def _stable_rows(x: Any, places: Any, axis: int) -> None:
    places[...] = x.argsort(axis, kind="stable")


def _few(x: Any, axis: int, is_ascend: bool, k: int) -> Any:
    """Return the result of `order` from `k` searches, or None if they cannot determine it."""
    left = x.copy()
    found = []
    for _ in range(k):
        found.append((left.argmin if is_ascend else left.argmax)(axis, keepdims=True))
        np.put_along_axis(left, found[-1], np.inf if is_ascend else -np.inf, axis)
    places = np.concatenate(found, axis)
    values = np.take_along_axis(x, places, axis)
    # An infinite value looks like one already found, and NaN like the minimum.
    return places if np.isfinite(values).all() else None


def _some(x: Any, axis: int, is_ascend: bool, k: int) -> Any:
    """Return the result of `order`, with only the first `k` values sorted; None if some are equal.

    That is, where it is not the value alone that says which are the first. So it is with NaN, which
    has no opposite.
    """
    if not is_ascend and np.isnan(x).any():
        return None
    lines = np.moveaxis(x if is_ascend else -x, axis, -1)
    last = np.partition(lines, k - 1, -1)[..., k - 1 : k]
    found = lines <= last
    if not (found.sum(-1) == k).all():
        return None
    places = np.nonzero(found)[-1].reshape(*lines.shape[:-1], k)
    order = np.take_along_axis(lines, places, -1).argsort(-1, kind="stable")
    return np.moveaxis(np.take_along_axis(places, order, -1), -1, axis)


def order_mask(x: Any, *, axis: int = -1, is_ascend: bool = False, k: int = 1) -> Any:
    """1 at the first `k` values in order, 0 elsewhere."""
    out = np.zeros_like(x)
    np.put_along_axis(out, order(x, axis=axis, is_ascend=is_ascend, k=k), 1, axis)
    return out


def cumsum(x: Any, *, axis: int | None = None, dtype: Any = None) -> Any:
    dtype = dtype or (np.int64 if x.dtype == bool else x.dtype)
    y = x.cumsum(axis, wide(np.dtype(dtype)))
    return y.astype(dtype, copy=False)


def cumprod(x: Any, *, axis: int) -> Any:
    return x.cumprod(axis, x.dtype)


def recurrence(a: Any, b: Any, *, axis: int, reverse: bool = False) -> Any:
    """y[k] = a[k] * y[k - 1] + b[k] along `axis`, from 0; from the end with `reverse`."""
    kind, turn = a.dtype, slice(None, None, -1 if reverse else 1)
    a, b = [np.moveaxis(one, axis, 0)[turn].astype(wide(kind)) for one in (a, b)]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        y = _recur(a.reshape(len(a), -1), b.reshape(len(b), -1)).reshape(b.shape)
    return np.moveaxis(y[turn], 0, axis).astype(kind, copy=False)


def _recur(a: Any, b: Any) -> Any:
    """Compute `recurrence` along the first of two axes; `b` becomes the result."""
    n, width = a.shape
    if width >= WIDE or n <= SHORT:
        for k in range(1, n):
            b[k] += a[k] * b[k - 1]
        return b
    # Compute all pieces side by side, each from 0; then add the contribution of the piece before.
    count = math.isqrt(n)
    length = -(-n // count)
    a, b = [_pieces(one, count, length) for one in (a, b)]
    product = np.multiply.accumulate(a, 0)
    b = _recur(a, b)
    ends = [one[-1].reshape(count, width).copy() for one in (product, b)]
    carry = np.zeros((count, width), b.dtype)
    carry[1:] = _recur(*ends)[:-1]
    carry = carry.ravel()
    product *= carry
    product[:, carry == 0] = 0  # a factor may overflow although nothing is to be added
    b += product
    return b.reshape(length, count, width).swapaxes(0, 1).reshape(-1, width)[:n]


def _pieces(x: Any, count: int, length: int) -> Any:
    """Cut the rows of `x` into pieces, side by side; zeros fill up the last piece."""
    n, width = x.shape
    y = np.zeros((count * length, width), x.dtype)
    y[:n] = x
    return y.reshape(count, length, width).swapaxes(0, 1).reshape(length, count * width)


# ------------------------------------------------------------------------------- by length


def lengths_of(x: Any, length: Any, axis: int, least: int | None) -> Any:
    """The lengths as integers, one for each place of the batch axis, the other one of 0 and 1."""
    if axis not in (0, 1) or x.ndim < 2:
        raise ValueError(f"axis={axis} is neither 0 nor 1 of data with two axes or more, {x.shape}")
    if length.shape != (x.shape[1 - axis],):
        raise ValueError(
            f"sequence_length has shape {length.shape}; it needs one length for each of the"
            f" {x.shape[1 - axis]} places of axis {1 - axis} of the data {x.shape}"
        )
    lengths = length.astype(np.intp)
    n = x.shape[axis]
    if least is not None and lengths.size and not least <= lengths.min() <= lengths.max() <= n:
        raise ValueError(f"sequence_length has values outside {least} to {n}, the longest sequence")
    return lengths


def sequence_mask(x: Any, length: Any, *, value: float = 0, axis: int = 0) -> Any:
    """`value` in the places of `axis` from the length on."""
    lengths = lengths_of(x, length, axis, None)
    places = np.arange(x.shape[axis])
    out = x.copy()  # with an assignment, this is twice as fast as numpy.where
    out[places[:, None] >= lengths if axis == 0 else places >= lengths[:, None]] = value
    return out


def _last(x: Any, length: Any, axis: int) -> tuple:
    last, batch = lengths_of(x, length, axis, 1) - 1, np.arange(x.shape[1 - axis])
    return (last, batch) if axis == 0 else (batch, last)


def sequence_last(x: Any, length: Any, *, axis: int = 0) -> Any:
    """The last element of each sequence along `axis`."""
    return x[_last(x, length, axis)]


def sequence_last_grad(x: Any, length: Any, *, axis: int, shape: tuple[int, ...]) -> Any:
    """The transpose of `sequence_last` from an array of `shape`."""
    out = np.zeros(shape, x.dtype)
    out[_last(out, length, axis)] = x
    return out


def sequence_reverse(x: Any, length: Any) -> Any:
    """Each sequence along axis 0 reversed within its length."""
    lengths = lengths_of(x, length, 0, 0)
    places = np.arange(len(x))[:, None]
    source = np.where(places < lengths, lengths - 1 - places, places)
    return x[source, np.arange(x.shape[1])]
