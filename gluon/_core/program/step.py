"""A step that runs as a program where that is known to be right, and as it is written elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from ..arrays.laxness import lax
from ..arrays.switch import semantics
from ..engine.array import Array
from ..engine.inplace import JOURNAL
from ..engine.mode import Mode, mode
from ..engine.node import Blank, Variable
from ..engine.tape import RECORDING
from .arguments import apart
from .trace import is_looked_at, users_line
from .variant import Variant

#: Forms of arguments, and changes of what a step uses, after which it stays as it is.
MOST = 8


def is_on() -> bool:
    """Whether programs are used: ``GLUON_PROGRAM=0`` switches them off."""
    return os.environ.get("GLUON_PROGRAM", "1") != "0"


class Compiled:
    """A step and its programs, one for each form of the arguments.

    Parameters
    ----------
    function : callable, optional
    exact : bool
        Whether sums must be added in the order of the kernels.
    """

    variant: type[Variant] = Variant

    def __init__(self, function: Any = None, exact: bool = False) -> None:
        self.function, self.exact = function, exact
        self.variants: dict[Any, Variant] = {}
        self.making = Lock()
        self.dropped = 0
        self.why: dict[str, int] = {}

    def __call__(self, args: tuple, kwargs: dict) -> Any:
        return self.call(self.function, args, kwargs)

    def call(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Call the step, which is `function`."""
        leaves, key = self._key(args, kwargs)
        if isinstance(key, str):
            return self._eager(key, function, args, kwargs)
        variant = self.variants.get(key)
        if variant is None:
            if len(self.variants) >= MOST:
                why = f"more than {MOST} forms of arguments"
                return self._eager(why, function, args, kwargs)
            variant = self.variants[key] = self.variant(self.exact, leaves)
        if variant.ready and not variant.is_proven(leaves):
            with self.making:
                if variant.ready:
                    return variant.watched(function, args, kwargs, leaves)
        if variant.ready:
            found = variant.run(leaves, function, key[0])
            if found is not None:
                return found[0]
            self.dropped += 1
            if self.dropped > MOST:
                variant.fail("the arrays that the step uses change all the time")
            else:
                self.variants.pop(key, None)
            why = "an array that the step uses is another one now"
            return self._eager(why, function, args, kwargs)
        if variant.failed or not self.making.acquire(blocking=False):
            return function(*args, **kwargs)  # another thread is making a program
        try:
            return variant.call(function, args, kwargs, leaves)
        finally:
            self.making.release()

    def _eager(self, why: str, function: Callable, args: tuple, kwargs: dict) -> Any:
        self.why[why] = self.why.get(why, 0) + 1
        return function(*args, **kwargs)

    def _key(self, args: tuple, kwargs: dict) -> tuple[list, Any]:
        """The arrays, and what chooses a program; a reason in words where there can be none."""
        now = mode()
        why = why_not(now) or self.why_not(now)
        if why:
            return [], why
        leaves, form = apart((args, kwargs))
        ids = [id(x) for x in leaves]
        alike = len(set(ids)) < len(ids) and tuple([ids.index(one) for one in ids])
        parts: list[Any] = [form, alike, now.tapes, now.training, now.blank, semantics()]
        parts += vars(lax).values()
        for x in leaves:
            kind = self.kind(x)
            raw = x.raw
            if kind is None or type(raw) is not np.ndarray:
                return leaves, "an argument that was recorded before"
            parts += raw.shape, raw.strides, raw.dtype, type(x), x._ctx, kind
        key = tuple(parts)
        try:
            hash(key)
        except TypeError:
            return leaves, f"an argument that cannot be compared, {users_line()}"
        return leaves, key

    def why_not(self, now: Mode) -> str:
        """Why there can be no program in this mode; empty if there can."""
        return "called while a tape records" if now.tapes else ""

    def kind(self, x: Array) -> Any:
        """What a program must know of an argument besides its values; None if it cannot take it."""
        node = x._node
        if type(node) is Blank:
            return None if node.zeros else ()
        if type(node) is Variable and node.tapes in ((), RECORDING):
            return node.req, node.tapes, node.grad is None
        return None


def why_not(now: Mode) -> str:
    """Why no program can stand in for a call now; empty if one can."""
    if not is_on():
        return "GLUON_PROGRAM=0"
    if type(now.blank) is not Blank or now.walked is not None:
        return "called while a tape records"
    if JOURNAL.get() is not None:
        return "called inside a checkpoint or another step"
    if is_looked_at():
        return "an instrument, such as the profiler, is open"
    return ""
