"""Writing into arrays: copy on write, so that a graph keeps the values it saw.

An operator never copies. The price is paid here, at the write: if anything but the handles of
an array still holds its buffer, most likely a recorded graph, then handle and views move to a
fresh copy and the write goes there. Who holds a buffer is read off its reference count.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount
from typing import Any
from weakref import ref

from ..errors import ArgumentError
from ..journal import JOURNAL, Journal
from ..kernels.memory import ALONE, BUFFERS, held_elsewhere, same_place
from ..kernels.sparse import is_sparse
from .array import Array
from .node import Variable


def write(array: Array, key: Any, value: Any) -> None:
    """``array.raw[key] = value``, after a move if one is needed; `value` is raw or a number."""
    raw = writable(array)
    raw[key] = value
    if isinstance(journal := JOURNAL.get(), Journal):
        journal.wrote(raw, key, value)


def compute(array: Array, ufunc: Any, value: Any) -> None:
    """``ufunc(array, value)`` in the memory of `array`, after a move if one is needed."""
    raw = writable(array)  # first, because it counts references to the buffer
    if isinstance(value, Array):
        value = value.raw
    ufunc(raw, value, out=raw, casting="unsafe")
    if isinstance(journal := JOURNAL.get(), Journal):
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
    all_writable((array,))
    return array.raw


def all_writable(arrays: Iterable[Array]) -> None:
    """Let each array have a buffer for writing, as `writable` does."""
    nobody = JOURNAL.get() is None
    for array in arrays:
        # The common case costs no call: trainers write at every step.
        owns = array._group is None and array.raw.base is None
        if owns and array.raw.flags.writeable and getrefcount(array.raw) <= ALONE and nobody:
            if type(array._node) is Variable:
                array._node.writes += 1
            continue
        if is_sparse(array.held):
            raise ArgumentError(
                f"values cannot be written into an array stored as {array.held.stype}; convert it"
                " with tostype('default'), or write all of it, as in x[:] = y"
            )
        members = handles(array)
        note(members)
        if held_elsewhere(members):
            _move(array, members)


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
    base = array.raw.base
    owner = base if isinstance(base, BUFFERS) and len(members) > 1 else array.raw
    fresh = owner.copy(order="K") if len(members) > 1 else owner.copy()
    if isinstance(journal := JOURNAL.get(), Journal):
        journal.moved(owner, fresh)
    if len(members) == 1:
        array.raw = fresh
        return
    for member in members:
        member.raw = same_place(member.raw, owner, fresh)
