"""The recording state: one immutable `Mode` in one context variable.

Each thread starts with the default mode and each asyncio task with a copy of its creator's,
so neither sees what another one switches on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from .node import CREATED, PAUSED, UNTRACKED, Blank

if TYPE_CHECKING:
    from .tape import Tape


class Mode(NamedTuple):
    """Who records, and how operators behave.

    Attributes
    ----------
    tapes : tuple of Tape
        Who is recording, outermost first.
    training : bool
        Whether Dropout, BatchNorm and the like behave as in training.
    blank : Blank
        The node given to results that nobody tracks: it says why.
    held : tuple of Tape
        The tapes silenced by ``set_recording(False)``, which ``True`` brings back.
    walked : Tape or None
        The tape whose backward pass runs.
    """

    tapes: tuple[Tape, ...] = ()
    training: bool = False
    blank: Blank = CREATED
    held: tuple[Tape, ...] = ()
    walked: Tape | None = None

    def recorded_by(
        self,
        tapes: tuple[Tape, ...],
        training: bool | None = None,
        walked: Tape | None = None,
    ) -> Mode:
        """The same with exactly `tapes` recording, and with the other fields that are given."""
        training = self[1] if training is None else training
        why = UNTRACKED if tapes else CREATED
        return new_tuple(Mode, (tapes, training, why, self[3], walked or self[4]))

    def paused(self, training: bool | None = None) -> Mode:
        """The same with every tape silenced, and with `training` if it is given."""
        training = self[1] if training is None else training
        return new_tuple(Mode, ((), training, PAUSED, self[0] or self[3], self[4]))


FIELDS = Mode._fields
#: Makes a mode in half the time of ``Mode(...)`` and a tenth of that of ``_replace``.
new_tuple = tuple.__new__
_mode: ContextVar[Mode] = ContextVar("gluon_mode", default=Mode())
mode = _mode.get
set_mode = _mode.set


class scope(ContextDecorator):
    """Another mode for the length of a ``with`` block or a decorated call.

    Parameters
    ----------
    change : callable
        Takes the mode before, returns the mode inside; asked at every entry.

    Notes
    -----
    On leaving, the changed fields are put back, but for tapes that a manager closed or opened
    in between: a scope undoes only its own change.
    """

    def __init__(self, change: Callable[[Mode], Mode]) -> None:
        self.change = change
        self.entered: list[tuple[Mode, Mode]] = []

    def _recreate_cm(self) -> scope:
        # A decorated function may run in several threads at once: each call has its own scope.
        return scope(self.change)

    def __enter__(self) -> None:
        before = mode()
        inside = self.change(before)
        self.entered.append((before, inside))
        set_mode(inside)

    def __exit__(self, *exc: object) -> None:
        before, inside = self.entered.pop()
        now = mode()
        set_mode(before if now is inside else _undo(before, inside, now))


def under(inside: Mode, function: Callable, *arguments: Any) -> Any:
    """What ``function(*arguments)`` returns in mode `inside`; a `scope` in half the time."""
    before = mode()
    set_mode(inside)
    try:
        return function(*arguments)
    finally:
        now = mode()
        set_mode(before if now is inside else _undo(before, inside, now))


def _undo(before: Mode, inside: Mode, now: Mode) -> Mode:
    """The mode after a scope that led from `before` to `inside` and is left in `now`."""
    changed: dict[str, Any] = {
        name: was for name, was in zip(FIELDS, before) if was is not getattr(inside, name)
    }
    if "tapes" in changed:
        kept = tuple(tape for tape in before.tapes if tape.open)
        opened = tuple(tape for tape in now.tapes if tape not in inside.tapes + before.tapes)
        changed["tapes"] = kept + opened
        if kept + opened:
            changed["blank"] = UNTRACKED
        elif before.blank is UNTRACKED:
            changed["blank"] = CREATED
    return now._replace(**changed)
