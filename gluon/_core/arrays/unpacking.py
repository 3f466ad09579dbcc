"""Warn where the one array that a layer returned may be unpacked, as if there were two."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from ..engine.array import Array
from ..errors import warn_caller

if TYPE_CHECKING:
    from .base import A


class _Alone:
    """What `alone` was told of last."""

    array: Any = None
    reason = ""


def alone(array: A, reason: str) -> A:
    """The `array`, which a layer returns alone: to unpack it at once is a mistake, for a `reason`.

    Only the last such array is remembered.
    """
    if isinstance(array, Array):  # and no symbol
        _Alone.array, _Alone.reason = weakref.ref(array), reason
    return array


def warn_of_unpacking(array: Any) -> None:
    """Warn if what `alone` was told of has two parts and is iterated, as in ``y, h = layer(x)``.

    With more parts, Python raises an error.
    """
    if _Alone.array is None or _Alone.array() is not array:
        return
    _Alone.array = None
    if len(array) == 2:
        what = f"iterating over the first axis of an array of shape {array.shape}"
        warn_caller(f"{what}: {_Alone.reason}")
