"""Tapes: who records, and who watches a tape's backward pass.

A tape remembers who was recording when it opened, its *outer* tapes, and its backward is
played to exactly that audience. That one rule is all of nesting, of peers (``gm | gm2`` get
the same outer tapes) and of higher order (``create_graph`` adds the tape to its audience).
"""

from __future__ import annotations

from .mode import mode


class Tape:
    """The recording of one ``GradManager`` session."""

    __slots__ = ("open", "outer")
    #: Why what it recorded cannot be differentiated from outside, if not because of a manager.
    reason = ""

    def __init__(self, outer: tuple[Tape, ...] = ()) -> None:
        self.outer = outer
        self.open = True

    def audience(self) -> tuple[Tape, ...]:
        """The tapes that record this tape's backward: the outer ones that still record."""
        active = mode().tapes
        return tuple(tape for tape in self.outer if tape in active and tape.open)


class Ambient(Tape):
    """The tape behind ``autograd.record()``: never closed, its place is found when asked."""

    __slots__ = ()

    def audience(self) -> tuple[Tape, ...]:
        """The tapes that record outside this one, or all when it does not record."""
        active = tuple([tape for tape in mode().tapes if tape.open])
        return active[: active.index(self)] if self in active else active


AMBIENT = Ambient()
#: The tapes of a plain ``autograd.record()``, one object so that ``is`` recognises it.
RECORDING = (AMBIENT,)


def common(tapes: tuple[Tape, ...], seen: tuple[Tape, ...]) -> tuple[Tape, ...]:
    """The members of `tapes` in `seen`; `tapes` itself, the same object, when all are."""
    if len(tapes) == 1:
        return tapes if tapes[0] in seen else ()
    both = tuple([tape for tape in tapes if tape in seen])
    return tapes if len(both) == len(tapes) else both


def union(tapes: tuple[Tape, ...], *seens: tuple[Tape, ...]) -> tuple[Tape, ...]:
    """The members of `tapes` in any of `seens`, in the order of `tapes`."""
    return tapes if tapes in seens else common(tapes, sum(seens, ()))
