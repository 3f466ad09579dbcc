"""The programs of a hybridized block, and what they take as fixed: children, hooks, attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._core.changes import CHANGES, changes
from .._core.engine.mode import mode
from .._core.journal import JOURNAL
from .._core.program import convolutions  # noqa: F401  (the rules of operators, before the first use)
from .._core.program.pair import Calls
from .._core.program.picture import shown
from .._core.program.step import is_on, patience
from .._core.program.variant import INSIDE
from ..nd import NDArray
from .shapes import inferring

if TYPE_CHECKING:
    from .base import Block
    from .hybrid import HybridBlock

#: How often the layers may change between calls that are watched before the block stays as it is.
MOST = 8


class Programs:
    """Calls a block by its programs where it has some, and as it is written elsewhere.

    A copy of a block has none at first.
    """

    def __init__(self) -> None:
        self.on, self.wait = is_on(), patience()
        self.calls = Calls(wait=max(self.wait, 1))
        self.last = -1
        self.state: tuple = ()
        self.why = ""
        self.changed = 0
        self.noted = False
        #: The tapes under which a program would save too little.
        self.small: tuple = ()

    def __reduce__(self) -> Any:
        return Programs, ()

    def __call__(self, block: HybridBlock, args: tuple) -> Any:
        """What ``block.forward(*args)`` gives."""
        if CHANGES.last != self.last:
            self._look(block, args)
        tapes = mode().tapes
        if (
            not self.on
            or tapes in self.small
            or JOURNAL.get() is not None
            or INSIDE.get()
            or inferring.get()
        ):
            return block.forward(*args)
        if self.wait:
            return self._as_written(block, args)
        if self.why:
            self.calls.why[self.why] = self.calls.why.get(self.why, 0) + 1
            return block.forward(*args)
        found = self.calls.call(block.forward, args, {})
        last = self.calls.last[1]
        if last is not None and last.small:
            _leave(block, tapes)
        return found

    def _as_written(self, block: HybridBlock, args: tuple) -> Any:
        """One of the first calls, in which the blocks inside count nothing."""
        self.wait -= 1
        token = INSIDE.set(True)
        try:
            return block.forward(*args)
        finally:
            INSIDE.reset(token)

    def text(self, name: str) -> str:
        """What is known of the programs, and of calls that ran as written."""
        if not self.on:
            return f"{name}: runs as written: GLUON_PROGRAM=0 when hybridize() was called"
        if self.wait:
            return f"{name}: the next {self.wait} calls run as written"
        return shown(name, self.calls)

    def _look(self, block: HybridBlock, args: tuple) -> None:
        """Find out whether something changed that the programs take as fixed."""
        if not self.noted and not inferring.get():
            block._called_with, self.noted = structure(args), True  # for `export`
        self.last = CHANGES.last
        state = tuple(_state(block))
        if state == self.state:
            return
        self.state, self.small = state, ()
        if any(one.calls > one.wait for one in self.calls.variants.values()):
            self.calls.forget()
            self.changed += 1
        self.why = _why_not(block)
        if self.changed > MOST:
            self.why = "the layers, or their attributes, change all the time"


def _leave(block: Block, tapes: tuple) -> None:
    """Let a block and those inside run as they are written as long as `tapes` record."""
    if block._programs is not None and tapes not in block._programs.small:
        block._programs.small += (tapes,)
    for child in block._children.values():
        _leave(child, tapes)


def structure(args: Any) -> Any:
    """The nested list with the class of each array, and None for anything else."""
    if isinstance(args, (list, tuple)):
        return [structure(one) for one in args]
    return type(args) if isinstance(args, NDArray) else None


def _state(block: Block) -> Iterator[tuple]:
    """How often a block and everything in it was changed, in numbers."""
    yield changes(block)
    for child in block._children.values():
        yield from _state(child)


def _why_not(block: Block) -> str:
    """Why a block has to run as it is written; empty if it need not."""
    if block._op_hooks:
        return f"operator hooks of {block.name}"
    for child in block._children.values():
        if child._forward_hooks or child._forward_pre_hooks:
            return f"hooks of {child.name}"
        if why := _why_not(child):
            return why
    return ""
