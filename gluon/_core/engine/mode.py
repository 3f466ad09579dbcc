"""The recording state: one immutable `Mode` in one context variable.

Each thread starts with the default mode and each asyncio task with a copy of its creator's,
so neither sees what another one switches on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from .node import CREATED, PAUSED, UNTRACKED, Blank, InFunction

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
    entry : Entry or None
        Of the innermost `gluon._core.scopes.scope`.
    """

    tapes: tuple[Tape, ...] = ()
    training: bool = False
    blank: Blank = CREATED
    held: tuple[Tape, ...] = ()
    walked: Tape | None = None
    entry: Any = None

    def recorded_by(
        self,
        tapes: tuple[Tape, ...],
        training: bool | None = None,
        walked: Tape | None = None,
        entry: Any = None,
    ) -> Mode:
        """The same with exactly `tapes` recording, and with the other fields that are given."""
        training = self.training if training is None else training
        why = UNTRACKED if tapes else CREATED
        return new_tuple(
            Mode, (tapes, training, why, self.held, walked or self.walked, entry or self.entry)
        )

    def paused(self, training: bool | None = None, entry: Any = None) -> Mode:
        """The same with every tape silenced, and with the other fields that are given."""
        training = self.training if training is None else training
        if type(self.blank) is InFunction:  # nothing is recorded already
            return self.trained(training, entry)
        held = self.tapes or self.held
        return new_tuple(Mode, ((), training, PAUSED, held, self.walked, entry or self.entry))

    def trained(self, training: bool, entry: Any = None) -> Mode:
        """The same with this `training`."""
        return new_tuple(Mode, (self.tapes, training, *self[2:5], entry or self.entry))


FIELDS = Mode._fields
#: Creates a mode in half the time of ``Mode(...)`` and a tenth of that of ``_replace``.
new_tuple = tuple.__new__
_mode: ContextVar[Mode] = ContextVar("gluon_mode", default=Mode())
mode = _mode.get
set_mode = _mode.set


def under(inside: Mode, function: Callable[..., Any], *arguments: Any) -> Any:
    """What ``function(*arguments)`` returns in mode `inside`: a `scope` in half the time."""
    before = mode()
    set_mode(inside)
    try:
        return function(*arguments)
    finally:
        now = mode()
        set_mode(before if now is inside else undo(before, inside, now))


def undo(before: Mode, inside: Mode, now: Mode) -> Mode:
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
