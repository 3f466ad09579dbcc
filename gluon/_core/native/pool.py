"""Pooling over one to three axes, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from ..kernels.pool import DIVISORS, FEW, windows
from .layout import in_order
from .loading import runner
from .reduce import SUM, reduced
from .stand_ins import FLOATS, stands_in, suits

_run_max = runner("max_pool")
_run_sum, _run_sum_grad = runner("sum_pool"), runner("sum_pool_grad")


@lru_cache(1024)
def _sizes(size: tuple, kernel: Any, stride: Any, pad: Any, convention: str) -> tuple:
    """Return the shape of the results, the elements of a window, and the integers for C."""
    axes = windows(size, kernel, stride, pad, convention)
    fill = (1,) * (3 - len(axes))
    lengths, sides, steps = (
        (*fill, *(getattr(axis, name) for axis in axes)) for name in ("size", "kernel", "stride")
    )
    out = tuple(axis.out for axis in axes)
    pads = (*(0 for _ in fill), *(axis.pad for axis in axes))
    return out, prod(sides), (*lengths, *fill, *out, *sides, *steps, *pads)


def _planned(shape: tuple, kernel: Any, stride: Any, pad: Any, convention: str) -> tuple | None:
    """Return `_sizes` for data of `shape`; None if it has too many axes."""
    if not 3 <= len(shape) <= 5:
        return None
    window = [tuple(v) if hasattr(v, "__iter__") else v for v in (kernel, stride, pad)]
    return _sizes(shape[2:], *window, convention)


@stands_in("max_pool")
def _max_pool(
    plain: Callable,
    x: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    if suits(x, dtypes=FLOATS) and (planned := _planned(x.shape, kernel, stride, pad, convention)):
        out, _, sizes = planned
        y = np.empty((*x.shape[:2], *out), x.dtype)
        if _run_max((x, y), (prod(x.shape[:2]), *sizes, 0)):
            return y
    return plain(x, kernel=kernel, stride=stride, pad=pad, convention=convention)


def _slopes(name: str, push: bool) -> Callable:
    run = runner(name)

    def stand_in(
        plain: Callable,
        given: Any,
        x: Any,
        y: Any,
        *,
        kernel: Any,
        stride: Any = None,
        pad: Any = None,
        convention: str = "valid",
    ) -> Any:
        if (
            suits(x, y, dtypes=FLOATS)
            and given.dtype == x.dtype
            and given.shape == (x if push else y).shape
            and (planned := _planned(x.shape, kernel, stride, pad, convention))
        ):
            _, elements, sizes = planned
            found = np.empty_like(y if push else x)
            integers = (prod(x.shape[:2]), *sizes, elements > FEW)
            if run((in_order(given), x, y, found), integers):
                return found
        return plain(given, x, y, kernel=kernel, stride=stride, pad=pad, convention=convention)

    return stand_in


for _name in ("max_pool_grad", "max_pool_push"):
    stands_in(_name)(_slopes(_name, _name == "max_pool_push"))


@stands_in("sum_pool")
def _sum_pool(
    plain: Callable,
    x: Any,
    *,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    window = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    if (
        suits(x, dtypes=FLOATS)
        and divide_by in DIVISORS
        and (planned := _planned(x.shape, kernel, stride, pad, convention))
    ):
        out, elements, sizes = planned
        if prod(out) == 1 and elements == prod(x.shape[2:]) and not any(sizes[-3:]):
            axes = tuple(range(2, x.ndim))
            y = reduced(x, axes, True, False, SUM, mean=divide_by is not None)
            return plain(x, divide_by=divide_by, **window) if y is None else y
        y = np.empty((*x.shape[:2], *out), x.dtype)
        # A single window is a long sum, which the plain kernel computes more accurately.
        number = DIVISORS.index(divide_by)
        if prod(out) > 1 and _run_sum((x, y), (prod(x.shape[:2]), *sizes, number)):
            return y
    return plain(x, divide_by=divide_by, **window)


@stands_in("sum_pool_grad")
def _sum_pool_grad(
    plain: Callable,
    x: Any,
    *,
    shape: tuple,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
    divide_by: str | None = None,
) -> Any:
    full = (*x.shape[:2], *shape)
    if (
        type(x) is np.ndarray
        and x.dtype in FLOATS
        and divide_by in DIVISORS
        and (planned := _planned(full, kernel, stride, pad, convention))
    ):
        grad = np.empty(full, x.dtype)
        integers = (prod(x.shape[:2]), *planned[2], DIVISORS.index(divide_by))
        if _run_sum_grad((in_order(x), grad), integers):
            return grad
    window = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    return plain(x, shape=shape, divide_by=divide_by, **window)


@stands_in("lp_pool")
def _lp_pool(
    plain: Callable,
    x: Any,
    *,
    p: int,
    kernel: Any,
    stride: Any = None,
    pad: Any = None,
    convention: str = "valid",
) -> Any:
    window = {"kernel": kernel, "stride": stride, "pad": pad, "convention": convention}
    if p in (1, 2) and suits(x, dtypes=FLOATS):

        def left(*_: Any, **__: Any) -> None:
            return None

        total = _sum_pool(left, x if p == 1 else np.square(x), **window)
        if total is not None:
            return total if p == 1 else np.sqrt(total, out=total)
    return plain(x, p=p, **window)
