"""Context managers that survive interrupts, among them `scope`, which changes the mode.

A signal handler can raise between any two instructions. Raised at the first instruction of
``__exit__``, its exception would leave a plain context manager entered for ever. So the managers
of gluon have an `Exit` for their ``__exit__``, which notices that, and undoes the entry.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from contextvars import ContextVar
from types import MethodType
from typing import Any
from weakref import ref

from .engine.mode import Mode, mode, set_mode, undo
from .errors import AutogradError

#: For each prefix of names, the number of symbols and blocks outside of all name scopes.
COUNTS: dict[str, int] = {}


class Entry(ref[Any]):
    """One entry of a context manager: a weak reference to what the ``with`` statement holds.

    Attributes
    ----------
    manager : object
        What was entered; like the others, it is set on entering.
    before, value : object
        What to return to, and what a `Stack` makes current.
    """

    __slots__ = ("before", "manager", "value")
    before: Any
    manager: Any
    value: Any


class Exit(property):
    """The ``__exit__`` of a class, with a second chance.

    A ``with`` statement looks ``__exit__`` up before it calls ``__enter__``, and holds what it
    found until it is over: here, a bound method of its own. When that dies, the statement is
    over: if the entry still stands, nobody will call ``__exit__`` any more.

    Parameters
    ----------
    leave : callable
        What ``__exit__`` does: takes the manager and the three arguments.
    undo : callable
        Takes an `Entry` of a statement that is over, and undoes it if it still stands.
    """

    def __init__(self, leave: Callable[..., Any], undo: Callable[[Entry], Any]) -> None:
        def look_up(manager: Any) -> Callable[..., Any]:
            bound = MethodType(leave, manager)
            _set_looked_up(Entry(bound, undo))
            return bound

        super().__init__(look_up)
        self.leave = leave

    def __call__(self, manager: Any, *exc: object) -> Any:
        """Called by `ExitStack` and others, which look up ``__exit__`` in the class."""
        return self.leave(manager, *exc)


#: The entry of the last ``__exit__`` that was looked up in this thread or task.
_looked_up: ContextVar[Entry | None] = ContextVar("gluon_exit_looked_up", default=None)
_get_looked_up, _set_looked_up = _looked_up.get, _looked_up.set


def entering(manager: Any) -> Entry:
    """The `Entry` of the statement that enters `manager` now.

    `ExitStack` and the like look nothing up beforehand: their entries have no second chance.
    """
    entry = _get_looked_up()
    exit: Any = entry and entry()
    if entry is None or exit is None or exit.__self__ is not manager:
        return Entry(entering)
    _set_looked_up(None)
    return entry


class Stack:
    """What ``with`` blocks make current, in this thread or task.

    Parameters
    ----------
    name : str
        Of the context variable.
    """

    def __init__(self, name: str) -> None:
        self._innermost: ContextVar[Entry | None] = ContextVar(name, default=None)

    def current(self, default: Any) -> Any:
        """The value of the innermost block; `default` outside all blocks."""
        entry = self._innermost.get()
        return default if entry is None else entry.value

    def enter(self, manager: Any, value: Any = None) -> None:
        """Make `value`, or else `manager`, the current value."""
        entry = entering(manager)
        entry.manager, entry.before = manager, self._innermost.get()
        entry.value = manager if value is None else value
        self._innermost.set(entry)

    def replace(self, value: Any) -> None:
        """Make `value` the current one, to the end of the innermost block."""
        old = self._innermost.get()
        new = Entry(old() or entering, self.undo) if old else Entry(entering)
        new.manager, new.before = (old.manager, old.before) if old else (None, None)
        new.value = value
        self._innermost.set(new)

    def leave(self, manager: Any) -> None:
        """Return to what was current before `manager` was entered."""
        self._return(lambda entry: entry.manager is manager)

    def undo(self, gone: Entry) -> None:
        """Return to what was current before the entry `gone`, if it still stands."""
        self._return(lambda entry: entry is gone)

    def _return(self, is_last: Callable[[Entry], bool]) -> None:
        entry = self._innermost.get()
        while entry is not None and not is_last(entry):
            entry = entry.before
        if entry is not None:
            self._innermost.set(entry.before)

    def exit(self) -> Exit:
        """The ``__exit__`` of managers on this stack."""
        return Exit(lambda manager, *exc: self.leave(manager), self.undo)


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
        entry = entering(self)
        entry.manager = self
        entry.before = before = mode()
        set_mode(self.change(before, entry))

    def _leave(self, kind: Any = None, *exc: object) -> None:
        now = mode()
        entry = now.entry
        if entry is not None and entry.manager is self:
            set_mode(_outside(entry, now))
            return
        entries = _end(lambda entry: entry.manager is self)
        for entry in entries[:-1]:
            entry.manager._ended += 1
        if not entries and self._ended:
            self._ended -= 1
        elif kind is None:  # no other exception is being raised
            raise AutogradError(_OUT_OF_ORDER if entries else _NOT_ENTERED)

    __exit__: Exit = Exit(_leave, lambda gone: _end(lambda entry: entry is gone))


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
    if now.entered is None and False not in [tape.open for tape in before.tapes]:
        return before
    return undo(before, now.entered or now, now)


def _end(until: Callable[[Entry], bool]) -> list[Entry]:
    """End the scopes from the innermost to the first for which `until` is true, if any.

    Returns
    -------
    list of Entry
        Those that have ended, innermost first.
    """
    now, entries = mode(), []
    while (entry := now.entry) is not None:
        now = _outside(entry, now)
        entries.append(entry)
        if until(entry):
            set_mode(now)
            return entries
    return []
