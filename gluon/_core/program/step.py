"""A step that runs as a program where that is known to be right, and as it is written elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Lock
from typing import Any

from numpy import ndarray

from ..arrays.context import CONTEXTS
from ..arrays.laxness import lax
from ..arrays.switch import semantics
from ..changes import CHANGES
from ..engine.array import Array
from ..engine.mode import Mode, mode
from ..engine.node import Blank, Variable
from ..engine.tape import RECORDING
from ..instruments import base
from ..instruments.base import see_programs
from ..journal import JOURNAL
from ..kernels.generator import is_varied
from ..kernels.memory import Buffer
from .arguments import apart
from .trace import is_looked_at, users_line
from .variant import Variant
from .whole import Whole

#: Forms of arguments, and changes of what a step uses, after which it stays as it is.
MOST = 8
#: Forms that are remembered although no program was made for them, and how often they are
#: forgotten before a step without any program stays as it is.
COLD, FORGOTTEN = 64, 4
#: Calls of a hybridized block that run as written before any is watched, and then calls for each
#: form of the arguments. To watch takes the time of 3 to 25 calls: so a block is slower nowhere.
PATIENCE = 50


def is_on() -> bool:
    """Whether programs are used: ``GLUON_PROGRAM=0`` switches them off."""
    return os.environ.get("GLUON_PROGRAM") != "0"


def patience() -> int:
    """How many calls a block waits; ``GLUON_PROGRAM=1`` makes programs as soon as possible."""
    return 0 if os.environ.get("GLUON_PROGRAM") == "1" else PATIENCE


class Compiled:
    """A step and its programs, one for each form of the arguments.

    Parameters
    ----------
    function : callable, optional
    exact : bool
        Whether sums must be added in the order of the kernels.
    """

    variant: type[Variant] = Whole
    #: Whether one of the arguments has to be an array.
    of_arrays = False

    def __init__(self, function: Any = None, exact: bool = False, wait: int = 1) -> None:
        self.function, self.exact, self.wait = function, exact, wait
        self.variants: dict[Any, Variant] = {}
        self.last: tuple[Any, Any] = None, None  # the key and the variant of the last call
        self.making = Lock()
        self.dropped = self.forgotten = 0
        self.why: dict[str, int] = {}

    def call(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Call the step, which is `function`."""
        if self.forgotten > FORGOTTEN:
            return self._eager("the forms of arguments change all the time", function, args, kwargs)
        leaves, key = self._key(args, kwargs)
        if type(key) is str:
            return self._eager(key, function, args, kwargs)
        last, variant = self.last
        if key[0] is not None or key != last:  # other forms may not be comparable
            variant = self._variant(key, leaves)
        if variant.ready:
            if CHANGES.last != variant.seen and not variant.has_same_layers():
                return self._changed(key, variant, function, args, kwargs)
            if variant.unproven and not variant.is_proven(leaves):
                if see_programs():  # no trace can be open beside instruments
                    return function(*args, **kwargs)
                with self.making:
                    if variant.ready:
                        return self._proved(key, variant, function, args, kwargs, leaves)
                return function(*args, **kwargs)
            found = variant.run(leaves, function, key[0])
            return found[0] if found else self._changed(key, variant, function, args, kwargs)
        if variant.is_cold:
            return variant.as_written(function, args, kwargs)
        if see_programs():
            why = "a profiler was open before there was a program"
            return self._eager(why, function, args, kwargs)
        if variant.failed or not self.making.acquire(blocking=False):
            return function(*args, **kwargs)  # another thread is making a program
        try:
            if not is_on():
                return self._eager("GLUON_PROGRAM=0", function, args, kwargs)
            if variant.calls == variant.wait and sum(map(_is_warm, self._all())) >= MOST:
                variant.fail(f"more than {MOST} forms of arguments")
                return function(*args, **kwargs)
            variant.calls += 1
            return variant.watched(function, args, kwargs, leaves)
        finally:
            self.making.release()

    def _proved(self, key: tuple, variant: Variant, *call: Any) -> Any:
        """Call the step watched, to prove its program for other arguments."""
        found = variant.watched(*call)
        if not variant.ready and not variant.failed:  # sums are to be added as the kernels do
            self.variants[key] = exact = self.variant(True, call[-1], 0)
            self.last = key, exact
        return found

    def _all(self) -> list[Variant]:
        return list(self.variants.values())

    def _variant(self, key: tuple, leaves: list) -> Variant:
        """The variant for a key."""
        variant = self.variants.get(key)
        if variant is None:
            if len(self.variants) >= COLD:
                warm = {k: v for k, v in [*self.variants.items()] if _is_warm(v)}
                self.forgotten += not any(v.ready for v in warm.values())
                self.variants = warm
            variant = self.variants[key] = self.variant(self.exact, leaves, self.wait)
        self.last = key, variant
        return variant

    def _changed(self, key: tuple, variant: Variant, *call: Any) -> Any:
        """Call the step as it is written, because its program does not fit any longer."""
        self.dropped += 1
        if self.dropped > MOST:
            variant.fail("the arrays that the step uses change all the time")
        else:
            self.variants.pop(key, None)
            self.last = None, None
        return self._eager(
            "an array, a layer or a number that the step uses is another one now", *call
        )

    def forget(self) -> None:
        """Make all programs anew."""
        self.variants.clear()
        self.last = None, None

    def _eager(self, why: str, function: Callable, args: tuple, kwargs: dict) -> Any:
        self.why[why] = self.why.get(why, 0) + 1
        return function(*args, **kwargs)

    def _key(self, args: tuple, kwargs: dict) -> tuple[Any, Any]:
        """The arrays, and what chooses a program; a reason in words where there can be none."""
        now = mode()
        tapes, training, blank, *_ = now
        why = why_not(now) or (tapes and self.why_not(tapes))
        if why:
            return (), why
        leaves: Any = args
        form: Any = None
        is_nested = bool(kwargs)
        for x in args:
            is_nested = is_nested or not isinstance(x, Array)
        if is_nested:
            leaves, form = apart((args, kwargs))
        known = [form, tapes, training, blank, semantics(), CONTEXTS.current(None)]
        known += lax.__dict__.values()
        for x in leaves:
            raw, node = x.raw, x._node
            plain = type(node) is Blank and not node.inherited and not node.zeros
            kind = () if plain else self.kind(node, tapes)
            if isinstance(raw, Buffer):
                return leaves, "an argument on a device"
            if kind is None or type(raw) is not ndarray:
                return leaves, "an argument that was recorded before"
            known += raw.shape, raw.strides, raw.dtype, type(x), x._ctx, kind
        if len(leaves) > 1:
            ids = [*map(id, leaves)]
            if len(set(ids)) < len(ids):
                known.append(tuple([ids.index(one) for one in ids]))
        key = tuple(known)
        if form is not None:
            if not leaves and self.of_arrays:
                return leaves, "no argument is an array"
            try:
                hash(key)
            except TypeError:
                return leaves, f"an argument that cannot be compared, {users_line()}"
        return leaves, key

    def why_not(self, tapes: tuple) -> str:
        """Why there can be no program while `tapes` record; empty if there can."""
        return "called while a tape records"

    def kind(self, node: Any, tapes: tuple) -> Any:
        """What a program must know of an argument besides its values; None if it cannot take it.

        `node` is that of the argument, and `tapes` record.
        """
        if type(node) is Blank:
            return None if node.zeros else ()
        if type(node) is Variable and node.tapes in ((), RECORDING):
            return node.req, node.tapes, node.grad is None
        return None


def _is_warm(variant: Variant) -> bool:
    """Whether it was watched."""
    return variant.calls > variant.wait


def why_not(now: Mode) -> str:
    """Why no program can stand in for a call now; empty if one can."""
    if type(now.blank) is not Blank or now.walked is not None:
        return "called while a tape records"
    if is_varied():
        return "called inside vmap"
    if JOURNAL.get() is not None:
        return "called inside a checkpoint or another step"
    if (base._active or base._wrapping[0]) and is_looked_at():
        return "an instrument, such as the profiler, is open"
    return ""
