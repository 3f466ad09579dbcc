"""Pooling over moving windows.

Summing windows is linear and its gradient is its transpose, and the other way round; so are
picking the maximum of each window (`max_pool_push`) and putting it back (`max_pool_grad`).
"""

from __future__ import annotations

from typing import Any, Final

from ..engine.op import define
from ..kernels import pool as kernels


def _attributes(kernel: Any, stride: Any, pad: Any, convention: str) -> dict:
    return {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}


sum_pool: Final = define(
    "sum_pool",
    kernels.sum_pool,
    "The sum over each window, divided by its size, all of it or the part inside the data",
    x=lambda F, g, x_shape, kernel, stride, pad, convention, divide_by: F.sum_pool_grad(
        g,
        shape=x_shape[2:],
        divide_by=divide_by,
        **_attributes(kernel, stride, pad, convention),
    ),
)
sum_pool_grad: Final = define(
    "sum_pool_grad",
    kernels.sum_pool_grad,
    "The gradient of sum_pool: to each element of `shape` the sum over its windows",
    x=lambda F, g, kernel, stride, pad, convention, divide_by: F.sum_pool(
        g, divide_by=divide_by, **_attributes(kernel, stride, pad, convention)
    ),
)


def _max_pool(
    F: Any, g: Any, x: Any, y: Any, kernel: Any, stride: Any, pad: Any, convention: str
) -> Any:
    """The first maximum of each window gets its cotangent."""
    return F.max_pool_grad(g, x, y, **_attributes(kernel, stride, pad, convention))


def _max_pool_grad(
    F: Any, g: Any, x: Any, y: Any, kernel: Any, stride: Any, pad: Any, convention: str
) -> Any:
    return F.max_pool_push(g, x, y, **_attributes(kernel, stride, pad, convention))


max_pool: Final = define("max_pool", kernels.max_pool, "The maximum over each window", x=_max_pool)
max_pool_grad: Final = define(
    "max_pool_grad",
    kernels.max_pool_grad,
    "The gradient of max_pool: to the first maximum y of each window in x, its out_grad",
    out_grad=_max_pool_grad,
)
max_pool_push: Final = define(
    "max_pool_push",
    kernels.max_pool_push,
    "The tangent of max_pool: of each window that at the first maximum y in x",
    tangent=_max_pool,
)


def _lp_pool(
    F: Any,
    g: Any,
    x: Any,
    y: Any,
    p: int,
    kernel: Any,
    stride: Any,
    pad: Any,
    convention: str,
) -> Any:
    """x ** (p - 1) / y ** (p - 1) times g; the subgradient at 0 is 0."""
    if p > 1:
        root = F.where(y == 0, 1.0, y)
        g = F.where(y == 0, 0.0, g / root ** (p - 1))
    g = F.sum_pool_grad(g, shape=x.shape[2:], **_attributes(kernel, stride, pad, convention))
    return g if p == 1 else g * x ** (p - 1)


lp_pool: Final = define(
    "lp_pool",
    kernels.lp_pool,
    "The p-th root of the sum of x ** p over each window; no absolute values are taken",
    x=_lp_pool,
)
