"""What is known of the arrays of a step, without holding them: so that their memory is free early.

An array is known by its id, which a later one may have as soon as it is gone. So each record is a
weak reference to the array, and goes with it.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from .values import extent


class Seen:
    """A handle from before the step, and what was known of it when it was first used.

    Attributes
    ----------
    handle : weak reference
    node, mark : object
    like : tuple or None
        The shape, strides and dtype of its buffer, if that is an array of NumPy.
    at, end : int
        Where its first value was, and where its memory ended.
    """

    __slots__ = ("at", "end", "handle", "like", "mark", "node")

    def __init__(self, handle: Any, raw: Any) -> None:
        self.handle, self.node, self.mark = ref(handle), handle._node, handle._mark
        self.like: Any = None
        self.at = self.end = 0
        if type(raw) is np.ndarray:
            self.like = raw.shape, raw.strides, raw.dtype
            self.at, _, self.end = extent(raw)


class Known(ref):
    """A weak reference to an array, with what is known of it.

    Attributes
    ----------
    key : int
        The id of the array.
    seen : Seen or None
        The first handle from before the step that held it.
    is_computed : bool
        Whether its values are known to come from an operator, or from before the step.
    is_held : bool
        Whether a handle got it that the step made.
    is_fresh : bool
        Whether it is a copy that was made to be written to.
    place : tuple or None
        The buffer that its memory is, and where that starts.
    handle : weak reference or None
        Where a run finds it, if the run is given it.
    is_stale : bool
        Whether a function of Python has let that handle hold another one.
    bound : float
        If it is a sum of floats, the largest sum of the sizes of its terms.
    """

    __slots__ = "bound handle is_computed is_fresh is_held is_stale key place seen".split()

    def __init__(self, raw: Any, callback: Any) -> None:
        super().__init__(raw, callback)  # type: ignore[call-arg]
        self.key = id(raw)
        self.seen: Seen | None = None
        self.is_computed = self.is_held = self.is_fresh = self.is_stale = False
        self.handle: Any = None
        self.place: tuple | None = None
        self.bound = -1.0


class Arrays:
    """The arrays that are there, by id."""

    def __init__(self) -> None:
        self.known: dict[int, Known] = {}
        known = self.known

        def retire(one: Known) -> None:
            if known.get(one.key) is one:
                del known[one.key]

        self._retire = retire

    def get(self, raw: Any) -> Known | None:
        """What is known of an array; None if nothing is."""
        one = self.known.get(id(raw))
        return one if one is not None and one() is raw else None

    def of(self, raw: Any) -> Known:
        """What is known of an array, to be added to."""
        one = self.get(raw)
        if one is None:
            one = self.known[id(raw)] = Known(raw, self._retire)
        return one
