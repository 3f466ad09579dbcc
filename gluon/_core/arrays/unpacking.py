"""Warn where the one array that a layer returned may be unpacked, as if there were two."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..engine.array import Array
from ..errors import warn_caller

if TYPE_CHECKING:
    from .base import A


class _Alone:
    """What `alone` was told of last."""

    array: Any = None
    reason = ""
    two = True


def alone(array: A, reason: str, two: bool = True) -> A:
    """The `array`, which a layer returns alone: to unpack it at once is a mistake, for a `reason`.

    Only the last such array is remembered; without `two`, one that has two parts may be unpacked.
    """
    if isinstance(array, Array):  # and no symbol
        _Alone.array, _Alone.reason, _Alone.two = weakref.ref(array), reason, two
    return array


def watched(array: Any, parts: Iterator[Any]) -> Iterator[Any]:
    """`parts`, the iterator over an array, which warns of unpacking as in ``y, h = layer(x)``.

    That is likely if `alone` was told of the array, and two parts were taken and there are no
    more, or three and nobody wants the others: Python does this to find that there are too many.
    """
    if _Alone.array is None or _Alone.array() is not array:
        return parts
    _Alone.array = None
    what = f"iterating over the first axis of an array of shape {array.shape}: {_Alone.reason}"
    if len(array) == 2 and _Alone.two:
        warn_caller(what)
    return _counted(parts, what) if len(array) > 2 else parts


def _counted(parts: Iterator[Any], warning: str) -> Iterator[Any]:
    """Yield `parts`, with a `warning` if exactly three are taken."""
    taken = 0
    try:
        for one in parts:
            taken += 1
            yield one
    except GeneratorExit:
        if taken == 3:
            warn_caller(warning)
        raise
