"""Reductions over axes, and their undoing."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..engine.op import define
from ..kernels import reduce as kernels
from ..kernels.memory import beside
from ..kernels.reduce import count, surely

restore: Final = define(
    "restore",
    kernels.restore,
    "Stretch the result of a reduction over `axis` back to `shape`",
    x=lambda F, g, axis, x_shape: F.reshape(F.sum(g, axis=axis), shape=x_shape),
)
sum_to: Final = define(
    "sum_to",
    kernels.sum_to,
    "Sum over the axes along which `shape` was broadcast",
    x=lambda F, g, x_shape: F.broadcast_to(g, shape=x_shape),
)
sum: Final = define(
    "sum",
    kernels.sum,
    "The sum over `axis`",
    x=lambda F, g, x_shape, axis: F.restore(g, axis=axis, shape=x_shape),
)
mean: Final = define(
    "mean",
    kernels.mean,
    "The mean over `axis`",
    x=lambda F, g, x_shape, axis: F.restore(
        g * (1 / (count(axis, x_shape) or 1)), axis=axis, shape=x_shape
    ),
)
sum_squares: Final = define(
    "sum_squares",
    kernels.sum_squares,
    "The sum of the squares of all values",
    x=lambda F, g, x: F.multiply(F.multiply(g, 2.0), x),
)


def _extreme(F: Any, g: Any, x: Any, y: Any, axis: Any) -> Any:
    """Every place that holds the extreme value gets the whole cotangent, as in MXNet."""
    chosen = x == F.restore(y, axis=axis, shape=x.shape)
    return F.restore(g, axis=axis, shape=x.shape) * chosen


EXTREME = "over `axis`; the whole gradient goes to each element that has this value"
max: Final = define("max", kernels.max, f"The maximum {EXTREME}", x=_extreme)
min: Final = define("min", kernels.min, f"The minimum {EXTREME}", x=_extreme)


def _prod(F: Any, g: Any, x: Any, y: Any, axis: Any) -> Any:
    """The product of the other factors: y / x, or spelled out where one is 0 or infinite."""
    if surely(F.all(F.logical_and(F.isfinite(y), y != 0))) or surely(
        F.all(F.logical_and(F.logical_not(F.isinf(x)), x != 0))
    ):
        return F.restore(g * y, axis=axis, shape=x.shape) / x
    kept = kernels.kept_shape(axis, x.shape)
    reduced = [k for k, (n, m) in enumerate(zip(kept, x.shape)) if n != m or m == 1]
    order = [k for k in range(x.ndim) if k not in reduced] + reduced
    moved = F.transpose(x, axes=order)
    n = count(axis, x.shape)
    rows = F.reshape(moved, shape=(-1, 1, n))
    others = F.prod(F.where(beside(x, np.eye(n, dtype=bool)), 1.0, rows), axis=2)
    back = F.transpose(F.reshape(others, shape=moved.shape), axes=np.argsort(order).tolist())
    return F.restore(g, axis=axis, shape=x.shape) * back


prod: Final = define("prod", kernels.prod, "The product over `axis`", x=_prod)
nansum: Final = define(
    "nansum",
    kernels.nansum,
    "The sum over `axis`, NaN counted as 0",
    x=lambda F, g, x, axis: F.where(F.isnan(x), 0.0, F.restore(g, axis=axis, shape=x.shape)),
)
nanprod: Final = define(
    "nanprod",
    kernels.nanprod,
    "The product over `axis`, NaN counted as 1",
    x=lambda F, g, x, y, axis: F.where(
        F.isnan(x), 0.0, _prod(F, g, F.where(F.isnan(x), 1.0, x), y, axis)
    ),
)


def _norm(F: Any, g: Any, x: Any, y: Any, ord: int, axis: Any) -> Any:
    """x / |x| times g; the subgradient at 0 is 0."""
    kept = kernels.kept_shape(axis, x.shape)
    g = F.reshape(g, shape=kept)
    if ord == 1:
        return F.multiply(F.sign(x), g)
    length = F.reshape(y, shape=kept)
    return F.multiply(F.divide(x, F.where(length == 0, 1.0, length)), g)


norm: Final = define("norm", kernels.norm, "The `ord`-norm (1 or 2) over `axis`", x=_norm)
argmax: Final = define("argmax", kernels.argmax, "The index of the largest value along `axis`")
argmin: Final = define("argmin", kernels.argmin, "The index of the smallest value along `axis`")
any: Final = define("any", kernels.any, "Whether any value over `axis` is not 0")
all: Final = define("all", kernels.all, "Whether all values over `axis` are not 0")
allclose: Final = define(
    "allclose", kernels.allclose, "Whether a is close to b everywhere, as 1 or 0"
)
