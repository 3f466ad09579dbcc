"""Warn where the one array that a layer returned is unpacked, as if it had returned two."""

from __future__ import annotations

import sys
import weakref
from dis import opmap
from typing import TYPE_CHECKING, Any

from ..engine.array import Array
from ..errors import warn_caller

if TYPE_CHECKING:
    from .base import A

_UNPACK = opmap["UNPACK_SEQUENCE"]


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
    """Warn if what `alone` was told of is unpacked two calls above, as in ``y, h = layer(x)``."""
    if _Alone.array is None or _Alone.array() is not array:
        return
    _Alone.array, frame = None, sys._getframe(2)
    if frame.f_code.co_code[frame.f_lasti] == _UNPACK:
        what = f"the first axis of an array of shape {array.shape} is unpacked"
        warn_caller(f"{what}: {_Alone.reason}")
