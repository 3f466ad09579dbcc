"""What a run is given: the buffers of its arguments, and of handles that it finds by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np

from ..engine.inplace import all_writable
from .plan import Plan
from .values import Source

#: Stands for an array that a segment does not use.
NOTHING = np.empty(0, np.uint8)


class Held:
    """A handle from before the step, and the buffer that it had in the last run.

    Attributes
    ----------
    handle, raw : weak reference
    node, tapes, req, grad : object
        What it must still have. Where `marked` is false, the last two may change.
    like : tuple or None
        The shape, strides and dtype that its buffer must have; None if no run reads it.
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


class Inputs:
    """How to find what a run is given.

    Parameters
    ----------
    plan : Plan
    held : list of Held
        The handles that the step uses besides its arguments.
    may_be : callable
        ``may_be(held, node)`` says of another node than that of the last run whether it will do.
    count : int
        The number of arguments; those that follow are told when they are known.
    """

    def __init__(
        self, plan: Plan, held: list[Held], may_be: Callable[[Held, Any], bool], count: int
    ) -> None:
        self.held, self.may_be = held, may_be
        self.written = [b.source for b in plan.written]
        self.blank: list[Any] = [NOTHING] * len(plan.given)
        #: By the place among what is given: arguments, what follows them, and gradients of some.
        self.places: list[tuple[int, int]] = []
        self.later: list[tuple[int, int]] = []
        self.others: list[tuple] = []
        known = {id(one.handle()): one for one in held}
        for one in held:
            raw = one.handle().raw  # one without values is not given, but must stay so
            one.like = None if raw.size else (raw.shape, raw.strides, raw.dtype)
        for k, buffer in enumerate(plan.given):
            source = buffer.source
            if source.kind == "argument":
                some = self.places if source.place < count else self.later
                some.append((k, source.place))
            elif source.kind == "handle" and id(source.handle()) in known:
                one = known[id(source.handle())]
                one.place, one.like = k, buffer.like
            else:
                self.others.append((k, source, buffer.like))

    def fetch(self, leaves: list) -> list | None:
        """The buffers, in their places; None if one is gone or has another form."""
        if self.written:
            handles = found_by(self.written, leaves)
            for handle in handles:
                if handle is None:
                    return None
            all_writable(handles)
        found = [*self.blank]
        for k, place in self.places:
            found[k] = leaves[place].raw
        for one in self.held:
            handle = one.handle()
            if handle is None:
                return None
            node = handle._node
            if node is not one.node or node.tapes is not one.tapes:
                if not self.may_be(one, node):
                    return None
                one.node, one.tapes = node, node.tapes
            if one.marked and (node.grad is not one.grad or node.req != one.req):
                return None
            if one.like is not None:
                raw = handle.raw
                if raw is not one.raw():
                    if not _is_like(raw, one.like):
                        return None
                    one.raw = ref(raw)
                if one.place >= 0:
                    found[one.place] = raw
        for k, source, like in self.others:
            handle = source.find(leaves)
            if handle is None:
                return None
            raw = found[k] = handle.raw
            if not _is_like(raw, like):
                return None
        return None if self.written and _share(found) else found


def found_by(sources: list[Source], leaves: list) -> list:
    """The handles; None for those that are gone."""
    return [one.handle() if one.handle else one.find(leaves) for one in sources]


def _is_like(raw: Any, like: tuple) -> bool:
    return type(raw) is np.ndarray and (raw.shape, raw.strides, raw.dtype) == like


def _share(raws: list) -> bool:
    """Whether two arrays lie in the same memory."""
    return len({id(x if x.base is None else x.base) for x in raws}) < len(raws)
