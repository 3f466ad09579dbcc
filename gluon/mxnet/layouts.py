"""Functions of `np` that refuse the layouts and casts that MXNet lacks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .. import np
from .._core.errors import ArgumentError, LayoutError
from ..np import ndarray

#: What `astype` takes of each argument.
CASTS = {"order": ("C", "K", None), "casting": ("unsafe",), "subok": (True,)}


def in_c_order(function: Callable[..., Any], taken: str = "C") -> Callable[..., Any]:
    """Wrap `function` to accept only the layouts in `taken`."""
    name = function.__name__
    parameters = list(inspect.signature(function).parameters.values())
    place = next(k for k, one in enumerate(parameters) if one.name == "order")
    by_place = parameters[place].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        order = args[place] if by_place and place < len(args) else kwargs.get("order", "C")
        if order not in tuple(taken):
            raise LayoutError(f"{name}: order={order!r} is not available; MXNet has order='C'")
        return function(*args, **kwargs)

    return call


def in_one_way(astype: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `astype` to accept only the values in `CASTS`."""

    @functools.wraps(astype)
    def call(*args: Any, **kwargs: Any) -> Any:
        for key, taken in CASTS.items():
            if key in kwargs and kwargs[key] not in taken:
                raise ArgumentError(
                    f"astype: {key}={kwargs[key]!r} is not available; MXNet has {key}={taken[0]!r}"
                )
        return astype(*args, **kwargs)

    return call


#: Functions and methods | what wraps them.
WRAPPERS: dict[tuple[ModuleType | type, str], Callable[[Callable], Callable]] = {
    (np, "ravel"): functools.partial(in_c_order, taken="CKA"),
    (np, "unravel_index"): in_c_order,
    (ndarray, "astype"): in_one_way,
    (ndarray, "copy"): in_c_order,
    (ndarray, "flatten"): in_c_order,
    (ndarray, "ravel"): in_c_order,
    (ndarray, "reshape"): in_c_order,
}
