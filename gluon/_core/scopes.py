"""Context managers: `scope` changes the mode; `Stack` has what ``with`` blocks make current."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from .engine.mode import Mode, mode, set_mode, undo
from .errors import AutogradError
from .journal import JOURNAL, watcher

#: For each prefix of names, the number of symbols and blocks outside of all name scopes.
COUNTS: dict[str, int] = {}


class Entered(NamedTuple):
    """One entry of a `Stack`: the value, the manager that made it current, and the entry before."""

    value: Any
    manager: Any
    before: Entered | None


class Stack:
    """What ``with`` blocks make current, in this thread or task.

    Parameters
    ----------
    name : str
        Of the context variable.
    """

    def __init__(self, name: str) -> None:
        self._innermost: ContextVar[Entered | None] = ContextVar(name, default=None)

    def current(self, default: Any) -> Any:
        """The value of the innermost block; `default` outside all blocks."""
        entry = self._innermost.get()
        return default if entry is None else entry.value

    def enter(self, manager: Any, value: Any = None) -> None:
        """Make `value`, or else `manager`, the current value."""
        value = manager if value is None else value
        self._innermost.set(Entered(value, manager, self._innermost.get()))

    def replace(self, value: Any) -> None:
        """Make `value` the current one, to the end of the innermost block."""
        _, manager, before = self._innermost.get() or (None, None, None)
        self._innermost.set(Entered(value, manager, before))

    def leave(self, manager: Any) -> None:
        """Return to what was current before `manager` was entered."""
        entry = self._innermost.get()
        while entry is not None and entry.manager is not manager:
            entry = entry.before
        if entry is not None:
            self._innermost.set(entry.before)


class Entry:
    """One entry of a `scope`, which the mode inside holds.

    Attributes
    ----------
    manager : scope
    before, inside : Mode
        What to return to, and the mode with which the block begins; None after its end.
    """

    __slots__ = ("before", "inside", "manager")
    before: Mode
    inside: Mode | None
    manager: scope


#: What names the symbols that are made, with a method ``get(name, hint)``.
MANAGERS = Stack("gluon_mxnet_NameManager")


class scope(ContextDecorator):
    """Another mode for the length of a ``with`` block or a decorated call.

    Parameters
    ----------
    change : callable
        Takes the mode before and the `Entry`, returns the mode inside, which is to hold that;
        asked at every entry.

    Notes
    -----
    On leaving, the changed fields are put back, except for tapes that a manager closed or opened
    in between: a scope undoes only its own change. What is entered is part of the mode, so
    threads may share a scope.
    """

    #: The number of its blocks that an enclosing scope has ended.
    _ended = 0

    def __init__(self, change: Callable[[Mode, Entry], Mode]) -> None:
        self.change = change

    def __enter__(self) -> None:
        entry = Entry()
        entry.manager, entry.before = self, mode()
        entry.inside = self.change(entry.before, entry)
        set_mode(entry.inside)

    def __exit__(self, kind: Any = None, *exc: object) -> None:
        now = mode()
        entry = now.entry
        if entry is not None and entry.manager is self:
            set_mode(_outside(entry, now))
            entry.inside = None  # it holds the entry: a cycle
            return
        entries = self._end()
        for entry in entries[:-1]:
            entry.manager._ended += 1
        if not entries and self._ended:
            self._ended -= 1
        elif kind is None:  # no other exception is being raised
            raise AutogradError(_OUT_OF_ORDER if entries else _NOT_ENTERED)

    def _end(self) -> list[Entry]:
        """End the scopes from the innermost to this one; nothing if it is not entered here.

        Returns
        -------
        list of Entry
            Those that have ended, innermost first.
        """
        now, entries = mode(), []
        while (entry := now.entry) is not None:
            now = _outside(entry, now)
            entries.append(entry)
            if entry.manager is self:
                set_mode(now)
                return entries
        return []


_OUT_OF_ORDER = (
    "a scope such as record() was left before another one that was entered inside it; both have"
    " ended now. Leave scopes in the reverse order, as nested `with` blocks do"
)
_NOT_ENTERED = (
    "a scope such as record() was left that is not entered here: it was left twice, or entered in"
    " another thread or task. Use it in a `with` block"
)


def _outside(entry: Entry, now: Mode) -> Mode:
    """Return the mode outside the innermost scope, whose `entry` is given."""
    before = entry.before
    if now is entry.inside and (not before.tapes or all(tape.open for tape in before.tapes)):
        return before
    return undo(before, entry.inside or now, now)


@contextmanager
def restored_writes() -> Iterator[None]:
    """Take back, at the end, what was written into arrays inside, in this thread or task."""
    outer, watching = JOURNAL.get(), watcher()
    if watching is not None:
        watching.fail("writes are taken back, as a checkpoint does")
    before: dict[int, tuple] = {}
    try:
        JOURNAL.set(before)
        yield
    finally:
        JOURNAL.set(outer)
        for member, raw, node in before.values():
            member.raw, member._node = raw, node
