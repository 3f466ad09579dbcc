"""A whole step as a program: its arguments and results have no history."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any
from weakref import ref

from numpy import empty

from ..engine.array import Array
from ..engine.node import CREATED, Blank, Node, Variable
from ..errors import DTypeError
from ..kernels.memory import ALONE
from .arguments import together
from .inputs import Held, found_by
from .listing import Failed, Listing
from .results import wrapped
from .variant import Variant


class Whole(Variant):
    """A step for arguments of certain forms, with its backward passes and updates."""

    def listed(self, listing: Listing, leaves: list, found: Any) -> None:
        super().listed(listing, leaves, found)
        #: By segment, what its backward passes came to, and the argument with that mark, or -1.
        marks = {id(x._mark): k for k, x in enumerate(leaves) if x._mark is not None}
        self.received: list[list] = [[] for _ in range(listing.segment + 1)]
        for segment, v in dict.fromkeys(listing.trace.received):
            if v.grad is not None:
                self.received[segment].append((v, marks.get(id(v), -1)))

    def node_of(self, node: Node) -> Node:
        if node.zeros if isinstance(node, Blank) else node.edges is not None and node.tapes:
            raise Failed("the step returns an array that can still be differentiated")
        return CREATED

    def hold(self, handle: Any) -> Held:
        node = handle._node
        if type(node) is not Variable and (type(node) is not Blank or node.zeros):
            raise Failed("an array that was recorded before the step")
        return Held(ref(handle), type(node) is Variable)

    @staticmethod
    def may_be(held: Held, node: Any) -> bool:
        is_blank = type(held.node) is Blank and type(node) is Blank
        return is_blank and not node.zeros and not held.marked

    def prepare(self) -> None:
        super().prepare()
        plan = self.program.plan
        read = {b.source.key for b in plan.given}
        pure = all(one is not None for one in plan.instructions)
        #: The form of what a run makes, and which handle's buffer may be used again for it.
        self.forms: list[tuple] = [(None, form) for form in plan.made]
        self.count = len(plan.outputs)
        for k, o in enumerate(plan.outputs):
            if pure and o.source.key not in read:
                self.forms[k] = k, plan.made[k]
        #: By segment, whether it computes and delivers, and the function of Python that follows.
        self.parts = [
            (end > first, bool(outputs or received), action)
            for first, end, outputs, received, action in zip(
                plan.starts,
                plan.starts[1:],
                self.delivered,
                self.received,
                [*plan.actions, None],
            )
        ]

    # ------------------------------------------------------------------------- running

    def run(self, leaves: list, function: Callable, form: Any) -> Any:
        given = self.given(leaves)
        if given is None:
            return None
        handles = found_by(self.targets, leaves)
        made = [empty(*form) if k is None else _room(handles[k], *form) for k, form in self.forms]
        room = self.program.room()
        for segment, (computes, delivers, action) in enumerate(self.parts):
            if computes:
                given = self._again(segment, leaves) if segment else given
                room.run(segment, (*given, *made))
            if delivers:
                self.deliver(segment, made, handles)
                for v, k in self.received[segment]:
                    (v if k < 0 else leaves[k]._mark).fresh = True
            if action is not None:
                given = []  # what an action writes to would move if anybody held it
                action.call(*action.args, **action.kwargs)
        self.program.give_back(room)
        found = wrapped(self.results, made[self.count :], None, leaves)
        if self.form is Array:
            return found
        return [together(self.form, [found[k] for k in self.order])]

    def _again(self, segment: int, leaves: list) -> list:
        """What a later segment is given."""
        given = self.inputs.fetch(leaves)
        if given is None:
            action = self.program.plan.actions[segment - 1]
            raise DTypeError(
                f"{action.call.__qualname__} changed the form of an array that a jitted step uses"
                " later; call it outside of the step"
            )
        return given


def _room(handle: Any, shape: tuple, dtype: Any) -> Any:
    """The buffer that a gradient has, if nobody else holds it, or a new one."""
    raw_of = handle.raw
    is_own = handle._group is None and raw_of.base is None and raw_of.flags.c_contiguous
    fits = raw_of.shape == shape and raw_of.dtype == dtype
    if is_own and fits and getrefcount(raw_of) <= ALONE + 1:
        return raw_of
    return empty(shape, dtype)
