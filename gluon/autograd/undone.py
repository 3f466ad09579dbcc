"""Take back what was written into arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._core.engine.inplace import JOURNAL


@contextmanager
def undone() -> Iterator[None]:
    """Take back, at the end, what was written into arrays inside, in this thread or task."""
    outer = JOURNAL.get()
    before: dict[int, tuple] = {}
    try:
        JOURNAL.set(before)
        yield
    finally:
        JOURNAL.set(outer)
        for member, raw, node in before.values():
            member.raw, member._node = raw, node
