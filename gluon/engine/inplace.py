"""Writing into arrays: copy on write, so that a graph keeps the values it saw.

An operator never copies. The price is paid here, at the write: if anything but the handles of
an array still holds its buffer, most likely a recorded graph, then handle and views move to a
fresh copy and the write goes there. Who holds a buffer is read off its reference count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from sys import getrefcount
from typing import Any
from weakref import ref

import numpy

from ..kernels.memory import same_place
from .array import Array
from .node import Variable

#: The handles written to inside `undone`, each with its buffer and node before.
_journal: ContextVar[dict[int, tuple] | None] = ContextVar("gluon_journal", default=None)


def join(array: Array, other: Array) -> None:
    """Let `other`, if its buffer is a view of `array`'s, see the writes to it and the reverse."""
    base = other.raw.base
    if base is None or (base is not array.raw and base is not array.raw.base):
        return
    group = array._group
    if group is None:
        array._group = group = [ref(array)]
    elif (size := len(group)) > 8 and not size & (size - 1):
        # Forget the dead whenever the group has doubled: many views cost no more than few.
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
        and getrefcount(array.raw) <= _RAW_ALONE
        and _journal.get() is None
    ):  # as below, in one call, for what trainers write to at every step
        if type(array._node) is Variable:
            array._node.writes += 1
        return array.raw
    members = handles(array)
    note(members)
    if _held_elsewhere(members):
        _move(array, members)
    return array.raw


def note(members: Iterable[Array]) -> None:
    """Say that these handles are about to be written to."""
    before = _journal.get()
    for member in members:
        if before is not None:
            before.setdefault(id(member), (member, member.raw, member._node))
        elif type(member._node) is Variable:
            member._node.writes += 1


@contextmanager
def undone() -> Iterator[None]:
    """Take back, at the end, what was written into arrays inside, in this thread or task."""
    outer = _journal.get()
    before: dict[int, tuple] = {}
    try:
        _journal.set(before)
        yield
    finally:
        _journal.set(outer)
        for member, raw, node in before.values():
            member.raw, member._node = raw, node


def handles(array: Array) -> list[Array]:
    """The living handles that share the buffer of `array`, itself included, oldest first."""
    group = array._group
    if group is None:
        return [array]
    return [member for member in (member() for member in group) if member is not None]


class _Holder:
    """What holds a buffer as a handle does."""

    __slots__ = ("raw",)
    raw: Any


def _raw_count(holder: Any) -> int:
    return getrefcount(holder.raw)


def _base_count(holder: Any) -> int:
    return getrefcount(holder.raw.base)


# What the two functions show for a buffer with exactly one owner: Python versions differ.
_holder = _Holder()
_holder.raw = numpy.empty(2)
_RAW_ALONE = _raw_count(_holder)
_holder.raw = numpy.empty(2)[:1]
_BASE_ALONE = _base_count(_holder)


def _held_elsewhere(members: list) -> bool:
    """Whether anything but `members`, the handles of one buffer, holds it.

    Each owner of an object is one reference to it: the slot of a handle, the ``base`` of a view,
    a graph, a variable of the caller. The functions above add those of their own call, which is the
    same number in each call, whatever the Python, and was measured for one owner. So a buffer that
    only `members` hold has that count, one more for each view of it among `members`, and one more
    for each variable here; and with an owner elsewhere its count is higher. It could be lower only
    where a Python does not count each owner, which ``tests/engine/test_inplace.py`` looks for. A
    count that is too high costs a copy, never a wrong value.
    """
    views = [member for member in members if isinstance(member.raw.base, numpy.ndarray)]
    for member in members:
        if not member.raw.flags.writeable:
            return True
        expected = _RAW_ALONE
        if views and not isinstance(member.raw.base, numpy.ndarray):
            expected += sum(other.raw.base is member.raw for other in views)
        if _raw_count(member) > expected:
            return True
    for member in views:
        base = member.raw.base  # one reference
        owners = sum(other.raw is base for other in members)
        sharing = sum(other.raw.base is base for other in views)
        if _base_count(member) > _BASE_ALONE + 1 + owners + sharing - 1:
            return True
    return False


def _move(array: Array, members: list) -> None:
    if len(members) == 1:
        array.raw = array.raw.copy()
        return
    base = array.raw.base
    owner = base if isinstance(base, numpy.ndarray) else array.raw
    fresh = owner.copy(order="K")
    for member in members:
        member.raw = same_place(member.raw, owner, fresh)
