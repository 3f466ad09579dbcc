"""The handles that a program finds by themselves: what they must still be, and their buffers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np


class Held:
    """A handle from before the step, and what was found right of it in the last run.

    Attributes
    ----------
    handle, raw : weak reference
        The handle, and the buffer that it had in the last run.
    node, tapes, req, grad : object
        What it must still have. Where `marked` is false, the last two may change.
    like : tuple or None
        The shape, strides and dtype of its buffer; None if no run reads it.
    place : int
        Where its buffer belongs among those that are given; -1 for nowhere.
    """

    __slots__ = ("grad", "handle", "like", "marked", "node", "place", "raw", "req", "tapes")

    def __init__(self, handle: Any, marked: bool) -> None:
        node = handle()._node
        self.handle, self.node, self.tapes, self.marked = handle, node, node.tapes, marked
        self.req: Any = node.req if marked else None
        self.grad: Any = node.grad if marked else None
        self.raw: Any = _nothing
        self.like: Any = None
        self.place = -1


def _nothing() -> None:
    return None


def fetch(held: list[Held], arrays: list, may_be: Callable[[Held, Any], bool]) -> bool:
    """Put the buffers of all handles into their places; whether they are what they must be.

    ``may_be(held, node)`` says of another node than that of the last run whether it will do.
    """
    for one in held:
        handle = one.handle()
        if handle is None:
            return False
        node = handle._node
        if node is not one.node or node.tapes is not one.tapes:
            if not may_be(one, node):
                return False
            one.node, one.tapes = node, node.tapes
        if one.marked and (node.grad is not one.grad or node.req != one.req):
            return False
        if one.place < 0:
            continue
        raw = handle.raw
        if raw is not one.raw():
            if type(raw) is not np.ndarray or (raw.shape, raw.strides, raw.dtype) != one.like:
                return False
            one.raw = ref(raw)
        arrays[one.place] = raw
    return True
