"""A run on copies of all arrays, to be compared with the step that is traced meanwhile."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernels import generator
from .check import cancels, close
from .listing import Listing
from .plan import Plan
from .run import Program, Room
from .values import Buffer


class Copies:
    """What a run is given, copied before the step runs where that writes to it.

    Parameters
    ----------
    plan : Plan
    leaves : list of Array
        The arguments.
    """

    def __init__(self, plan: Plan, leaves: list) -> None:
        self.given = plan.given
        found = [b.source.find(leaves) for b in plan.given]
        self.handles = [h for h in found if h is not None]
        self.arrays: list[Any] = []
        touched = {*plan.written}, {one.source.key for one in plan.outputs}
        for buffer, handle in zip(plan.given, found):
            raw = None if handle is None else handle.raw
            if plan.actions or buffer in touched[0] or buffer.source.key in touched[1]:
                raw = None if raw is None else _laid_out(buffer, raw)
            elif type(raw) is not np.ndarray or (raw.shape, raw.strides, raw.dtype) != buffer.like:
                raw = None
            self.arrays.append(raw)
        self.ids = [id(handle) for handle in found]
        later = [v.buffer for group in plan.groups[plan.starts[1] :] for v in _reads(group)]
        #: Those of which a run needs the values that functions of Python give them.
        self.watched = [h for b, h in zip(plan.given, found) if h is not None and b in later]
        self.state = generator.generator().bit_generator.state

    def run(self, program: Program, listing: Listing) -> str:
        """Run over the copies; return what differs from the step that `listing` traced."""
        if any(x is None for x in self.arrays):
            return "an array has another form in the next call"
        plan = program.plan
        if len(listing.outputs) != len(plan.outputs) or listing.segment + 1 != plan.segments:
            return "the step does other things in another call"
        made = [poisoned(*form) for form in plan.made]
        if len(made) != len(listing.outputs) + len(listing.results):
            return "the step gives other results in another call"
        room = Room(program, poisons=True)
        actions = [e.event for e in listing.entries if hasattr(e.event, "after")]
        with generator.replaying(self.state):
            for segment in range(plan.segments):
                room.run(segment, (*self.arrays, *made))
                if segment < len(actions):
                    self._act(actions[segment].after)
        right = [*[o.raw for o in listing.outputs], *listing.raws]
        for k, (one, raw) in enumerate(zip(made, right)):
            if not close(one, raw) and not cancels(one, raw, listing):
                return f"the program gives another result (number {k})"
        return self._written(plan)

    def _act(self, after: dict) -> None:
        for k, (buffer, key) in enumerate(zip(self.given, self.ids)):
            if key in after:
                self.arrays[k] = _laid_out(buffer, after[key])

    def _written(self, plan: Plan) -> str:
        for k, buffer in enumerate(self.given):
            if buffer in plan.written:
                handle = next(h for h in self.handles if id(h) == self.ids[k])
                if not close(self.arrays[k], handle.raw):
                    return "the program writes other values"
        return ""


def _reads(group: list) -> list:
    return [v for node in group for v in node.reads]


def poisoned(shape: tuple, dtype: Any) -> Any:
    """An array that looks wrong where nobody writes to it."""
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    return np.ndarray(shape, dtype, np.full(nbytes, 255, np.uint8))


def _laid_out(buffer: Buffer, raw: Any) -> Any:
    """Return a copy in the layout that a run expects; None if it cannot have it."""
    shape, strides, dtype = buffer.like
    if raw.shape != shape or raw.dtype != dtype:
        return None
    memory = np.zeros(max(buffer.nbytes, 1), np.uint8)
    copied = np.ndarray(shape, dtype, memory, 0, strides)
    if raw.size:
        copied[...] = raw
    return copied
