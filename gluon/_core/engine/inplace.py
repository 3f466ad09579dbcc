"""Writing into arrays: copy on write, so that a graph keeps the values it saw.

An operator never copies. The price is paid here, at the write: if anything but the handles of
an array still holds its buffer, most likely a recorded graph, then handle and views move to a
fresh copy and the write goes there. Who holds a buffer is read off its reference count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import wraps
from sys import getrefcount
from typing import Any, TypeVar
from weakref import ref

import numpy

from ..errors import ArgumentError
from ..kernels.memory import ALONE, held_elsewhere, same_place
from ..kernels.sparse import is_sparse
from .array import Array
from .node import Variable

F = TypeVar("F", bound=Callable[..., Any])
#: Handles that are about to be written to, by id, with their buffer and node; see `note`.
JOURNAL: ContextVar[dict[int, tuple] | None] = ContextVar("gluon_journal", default=None)


class Journal(dict[int, tuple]):
    """A journal that is also told what was written, in the thread or task where it is `JOURNAL`."""

    def wrote(self, raw: Any, key: Any, value: Any) -> None:
        """Hear of ``raw[key] = value``."""

    def computed(self, raw: Any, ufunc: Any, value: Any) -> None:
        """Hear of ``raw = ufunc(raw, value)``, computed in place."""

    def moved(self, owner: Any, fresh: Any) -> None:
        """Hear that the handles of the memory `owner` move to `fresh`, a copy."""

    def acted(self, call: Callable, args: tuple, kwargs: dict) -> Any:
        """Run ``call(*args, **kwargs)``, whose effect depends on more than its arguments."""
        return call(*args, **kwargs)

    def checked(self, call: Callable, args: tuple) -> None:
        """Run ``call(*args)``, which only looks at its arguments and may raise."""
        call(*args)

    def fixed(self, raw: Any) -> None:
        """Hear that the values of `raw` depend on no array."""

    def fail(self, reason: str) -> None:
        """Hear that something happened of which the others do not tell."""


#: The code of the functions that take values from arrays, so that what follows depends on them.
READERS: set[Any] = set()


def reads(function: F) -> F:
    """Decorate what reads the values of arrays for Python: nobody can repeat what follows."""
    READERS.add(function.__code__)
    return function


@reads
def taken(array: Array) -> Any:
    """``array.raw``, for values that no operator will compute with."""
    return array.raw


def watcher() -> Journal | None:
    """Who is to be told of writes in this thread or task; mostly nobody."""
    journal = JOURNAL.get()
    return journal if isinstance(journal, Journal) else None


def again(call: Callable) -> Callable:
    """Decorate what depends on more than its arrays, such as counts and settings.

    Who repeats a step without Python calls it anew each time.
    """

    @wraps(call)
    def told(*args: Any, **kwargs: Any) -> Any:
        journal = JOURNAL.get()
        if journal is None or not isinstance(journal, Journal):
            return call(*args, **kwargs)
        return journal.acted(call, args, kwargs)

    return told


def write(array: Array, key: Any, value: Any) -> None:
    """``array.raw[key] = value``, after a move if one is needed; `value` is raw or a number."""
    raw = writable(array)
    raw[key] = value
    if (journal := JOURNAL.get()) is not None and isinstance(journal, Journal):
        journal.wrote(raw, key, value)


def compute(array: Array, ufunc: Any, value: Any) -> None:
    """``ufunc(array, value)`` in the memory of `array`, after a move if one is needed."""
    raw = writable(array)  # first, because it counts references to the buffer
    if isinstance(value, Array):
        value = value.raw
    ufunc(raw, value, out=raw, casting="unsafe")
    if (journal := JOURNAL.get()) is not None and isinstance(journal, Journal):
        journal.computed(raw, ufunc, value)


def join(array: Array, other: Array) -> None:
    """Let `other`, if its buffer is a view of `array`'s, see the writes to it and the reverse."""
    base = other.raw.base
    if base is None or (base is not array.raw and base is not array.raw.base):
        return
    group = array._group
    if group is None:
        array._group = group = [ref(array)]
    elif (size := len(group)) > 8 and not size & (size - 1):
        # Remove dead members each time the group has doubled, for an amortized constant cost.
        group[1:] = [member for member in group[1:] if member() is not None]
    group.append(ref(other))
    other._group = group


def writable(array: Array) -> Any:
    """The buffer of `array`, for writing: a fresh one when a graph still keeps the old.

    Returns
    -------
    numpy.ndarray
        ``array.raw`` after the move, if one was needed.
    """
    if (
        array._group is None
        and array.raw.base is None
        and array.raw.flags.writeable
        and getrefcount(array.raw) <= ALONE
        and JOURNAL.get() is None
    ):  # the common case, written as one call: trainers write at every step
        if type(array._node) is Variable:
            array._node.writes += 1
        return array.raw
    if is_sparse(array.held):
        raise ArgumentError(
            f"values cannot be written into an array stored as {array.held.stype}; convert it with"
            " tostype('default'), or write all of it, as in x[:] = y"
        )
    members = handles(array)
    note(members)
    if held_elsewhere(members):
        _move(array, members)
    return array.raw


def note(members: Iterable[Array]) -> None:
    """Say that these handles are about to be written to."""
    before = JOURNAL.get()
    for member in members:
        if before is not None:
            before.setdefault(id(member), (member, member.held, member._node))
        elif type(member._node) is Variable:
            member._node.writes += 1


def handles(array: Array) -> list[Array]:
    """The living handles that share the buffer of `array`, itself included, oldest first."""
    group = array._group
    if group is None:
        return [array]
    return [member for member in (member() for member in group) if member is not None]


def _move(array: Array, members: list) -> None:
    journal = watcher()
    base = array.raw.base
    owner = base if isinstance(base, numpy.ndarray) and len(members) > 1 else array.raw
    fresh = owner.copy(order="K") if len(members) > 1 else owner.copy()
    if journal is not None:
        journal.moved(owner, fresh)
    if len(members) == 1:
        array.raw = fresh
        return
    for member in members:
        member.raw = same_place(member.raw, owner, fresh)
