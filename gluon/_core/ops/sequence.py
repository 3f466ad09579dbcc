"""Operators along a sequence: sorting, cumulative sums, masks by length."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import sequence as kernels
from ..kernels.memory import beside

order: Final = define(
    "order", kernels.order, "The places of the first k values in order; 0 for all"
)
sort: Final = define(
    "sort",
    kernels.sort,
    "The values in order along `axis`",
    x=lambda F, g, x, axis, is_ascend, stable: F.put_along(
        g,
        F.order(x, axis=axis, is_ascend=is_ascend, stable=stable),
        axis=axis,
        size=x.shape[axis],
        unique=True,
    ),
)
order_mask: Final = define("order_mask", kernels.order_mask, "1 at the first k values in order")


def _cumsum(F: Any, g: Any, x_shape: Any, x_dtype: Any, axis: int | None) -> Any:
    along = 0 if axis is None else axis
    g = g if g.dtype == x_dtype else F.cast(g, dtype=x_dtype)
    total = F.flip(F.cumsum(F.flip(g, axis=along), axis=along), axis=along)
    return F.reshape(total, shape=x_shape)


cumsum: Final = define(
    "cumsum", kernels.cumsum, "The sums up to each place of `axis`, or of all values", x=_cumsum
)


def moved(F: Any, x: Any, axis: int, first: float, back: bool) -> Any:
    """Shift `x` by one position, backwards with `back`: `first` enters, one value leaves."""
    n, before = x.shape[axis], (slice(None),) * (axis % len(x.shape))
    kept = F.getitem(x, key=(*before, slice(1, None) if back else slice(n - 1)))
    start = np.full((*kept.shape[: len(before)], 1, *kept.shape[len(before) + 1 :]), first, x.dtype)
    start = beside(x, start)
    return F.concat(*((kept, start) if back else (start, kept)), axis=axis)


def _cumprod(F: Any, g: Any, x: Any, y: Any, axis: int) -> Any:
    """Without division: a product over earlier values, times a recurrence over later ones."""
    if not x.shape[axis]:
        return g
    after = F.recurrence(moved(F, x, axis, 0, True), g, axis=axis, reverse=True)
    return moved(F, y, axis, 1, False) * after


cumprod: Final = define(
    "cumprod", kernels.cumprod, "The products up to each place of `axis`", x=_cumprod
)


def _recurrence(F: Any, g: Any, a: Any, y: Any, axis: int, reverse: bool) -> Any:
    later = moved(F, a, axis, 0, not reverse)
    g = F.recurrence(later, g, axis=axis, reverse=not reverse)
    return g * moved(F, y, axis, 0, reverse), g


recurrence: Final = define(
    "recurrence",
    kernels.recurrence,
    "y[k] = a[k] * y[k - 1] + b[k] along `axis`, from 0; from the end with `reverse`",
    joint=_recurrence,
)
sequence_mask: Final = define(
    "sequence_mask",
    kernels.sequence_mask,
    "`value` in the places of `axis` from the length on",
    x=lambda F, g, length, axis: F.sequence_mask(g, length, axis=axis),
)
sequence_last: Final = define(
    "sequence_last",
    kernels.sequence_last,
    "The last element of each sequence along `axis`",
    x=lambda F, g, x_shape, length, axis: F.sequence_last_grad(g, length, axis=axis, shape=x_shape),
)
sequence_last_grad: Final = define(
    "sequence_last_grad",
    kernels.sequence_last_grad,
    "The gradient of sequence_last: zeros of `shape` but for the last elements",
    x=lambda F, g, length, axis: F.sequence_last(g, length, axis=axis),
)
sequence_reverse: Final = define(
    "sequence_reverse",
    kernels.sequence_reverse,
    "Each sequence along axis 0 reversed within its length",
    x=lambda F, g, length: F.sequence_reverse(g, length),
)
