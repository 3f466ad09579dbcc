"""Operators along a sequence: sorting, cumulative sums, masks by length."""

from __future__ import annotations

from typing import Any

from ..engine.op import define
from ..kernels import sequence as kernels

order = define("order", kernels.order, "The places of the first k values in order; 0 for all")
order_mask = define("order_mask", kernels.order_mask, "1 at the first k values in order")


def _cumsum(F: Any, g: Any, x_shape: Any, x_dtype: Any, axis: int | None) -> Any:
    along = 0 if axis is None else axis
    g = g if g.dtype == x_dtype else F.cast(g, dtype=x_dtype)
    total = F.flip(F.cumsum(F.flip(g, axis=along), axis=along), axis=along)
    return F.reshape(total, shape=x_shape)


cumsum = define(
    "cumsum", kernels.cumsum, "The sums up to each place of `axis`, or of all values", x=_cumsum
)
sequence_mask = define(
    "sequence_mask",
    kernels.sequence_mask,
    "`value` in the places of `axis` from the length on",
    x=lambda F, g, length, axis: F.sequence_mask(g, length, axis=axis),
)
sequence_last = define(
    "sequence_last",
    kernels.sequence_last,
    "The last element of each sequence along `axis`",
    x=lambda F, g, x_shape, length, axis: F.sequence_last_grad(g, length, axis=axis, shape=x_shape),
)
sequence_last_grad = define(
    "sequence_last_grad",
    kernels.sequence_last_grad,
    "The gradient of sequence_last: zeros of `shape` but for the last elements",
    x=lambda F, g, length, axis: F.sequence_last(g, length, axis=axis),
)
sequence_reverse = define(
    "sequence_reverse",
    kernels.sequence_reverse,
    "Each sequence along axis 0 turned round within its length",
    x=lambda F, g, length: F.sequence_reverse(g, length),
)
