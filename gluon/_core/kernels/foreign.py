"""Copies of values that their owner can still modify, for the graph to keep."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

#: Immutable types.
FIXED = frozenset({int, float, bool, str, slice, type, type(None), type(Ellipsis)})


def own(value: Any) -> Any:
    """`value` with copies of the NumPy arrays, lists and dicts in it."""
    kind = type(value)
    if kind in FIXED:
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    if kind is tuple or kind is list:
        return kind(map(own, value))
    if kind is dict:
        return {key: own(part) for key, part in value.items()}
    is_named = isinstance(value, tuple) and hasattr(value, "_make")
    return value._make(map(own, value)) if is_named else value


def is_loose(kernel: Any, name: str) -> bool:
    """Whether an attribute of a kernel can be an array or a list, as its annotation says."""
    words = re.findall(r"\w+", str(getattr(kernel, "__annotations__", {}).get(name)))
    return not {"Any", "Sequence", "list"}.isdisjoint(words)


def own_attribute(attrs: dict[Any, Any], name: str, value: Any) -> Any:
    """``attrs[name]``, which is `value`, as `own` makes it; the graph alone has `attrs`."""
    if type(value) is tuple and FIXED.issuperset(map(type, value)):
        return value
    value = own(value)
    if name in attrs:
        attrs[name] = value
    return value
