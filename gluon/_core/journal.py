"""Who is told of what Python does to the values of arrays, in a thread or task.

Mostly it is nobody. A checkpoint takes writes back, and needs to know which handles were written
to. Who repeats a step without Python also needs what was written, and what depended on values.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
#: Handles that are about to be written to, by id, with their buffer and node; see `inplace.note`.
JOURNAL: ContextVar[dict[int, tuple] | None] = ContextVar("gluon_journal", default=None)
#: The code of the functions that take values from arrays, so that what follows depends on them.
READERS: set[Any] = set()


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

    def part(self, name: str) -> AbstractContextManager[Any]:
        """What the call of a part of the step, such as a layer, runs in."""
        return nullcontext()

    def fail(self, reason: str) -> None:
        """Hear that something happened of which the others do not tell."""


def watcher() -> Journal | None:
    """Who is to be told of writes in this thread or task; mostly nobody."""
    journal = JOURNAL.get()
    return journal if isinstance(journal, Journal) else None


def reads(function: F) -> F:
    """Decorate what reads the values of arrays for Python: nobody can repeat what follows."""
    READERS.add(function.__code__)
    return function


@reads
def taken(array: Any) -> Any:
    """``array.raw``, for values that no operator will compute with."""
    return array.raw


def again(call: Callable) -> Callable:
    """Decorate what depends on more than its arrays, such as counts and settings.

    Who repeats a step without Python calls it anew each time.
    """

    @wraps(call)
    def told(*args: Any, **kwargs: Any) -> Any:
        if isinstance(journal := JOURNAL.get(), Journal):
            return journal.acted(call, args, kwargs)
        return call(*args, **kwargs)

    return told
