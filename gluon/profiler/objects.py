"""Timers and counters for programs: MXNet's domains and their objects."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter_ns
from typing import Any

from .._core.errors import ArgumentError, GluonError
from .profile import running
from .trace import REACH


@contextmanager
def scope(name: str) -> Iterator[None]:
    """Context manager that names a part of the program in profiles.

    Parameters
    ----------
    name : str

    Returns
    -------
    context manager

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> with profiler.profile() as p, profiler.scope("attention"):
    ...     y = nd.ones((2, 2)).exp()
    >>> [(event.kind, event.name) for event in p.events]
    [('forward', 'exp'), ('scope', 'attention')]
    """
    with ExitStack() as stack:
        for one in running():
            stack.enter_context(one._recorder.span("scope", name))
        yield


class Domain:
    """A category for user-defined profiling objects.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> from gluon import profiler
    >>> domain = profiler.Domain("input")
    >>> loading = domain.new_task("loading")
    >>> with profiler.profile() as p:
    ...     loading.start()
    ...     loading.stop()
    >>> p.events[0].name
    'loading'
    >>> type(domain.new_frame("batch")).__name__, type(domain.new_marker("loaded")).__name__
    ('Frame', 'Marker')
    >>> domain.new_counter("waiting", 3).value
    3
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """A `Task` of this domain.

        Parameters
        ----------
        name : str

        Returns
        -------
        Task
        """
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """A `Frame` of this domain.

        Parameters
        ----------
        name : str

        Returns
        -------
        Frame
        """
        return Frame(self, name)

    def new_counter(self, name: str, value: int | None = None) -> Counter:
        """A `Counter` of this domain.

        Parameters
        ----------
        name : str
        value : int, optional
            The initial value.

        Returns
        -------
        Counter
        """
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """A `Marker` of this domain.

        Parameters
        ----------
        name : str

        Returns
        -------
        Marker
        """
        return Marker(self, name)


class _Timed:
    """Base of objects with a start and a stop; also a context manager."""

    name: str

    def __init__(self, name: str, category: str) -> None:
        self.name, self._kind = name, f"timed:{category}"
        self._since: int | None = None

    def start(self) -> None:
        """Start the timer."""
        self._since = perf_counter_ns()

    def stop(self) -> None:
        """Stop the timer, and add the time to the running profiles.

        Raises
        ------
        GluonError
            If it was not started.
        """
        if self._since is None:
            kind = type(self).__name__
            raise GluonError(f"profiler.{kind} {self.name!r}: call start() before stop()")
        since, self._since = self._since, None
        for one in running():
            one.add(self._kind, self.name, since, perf_counter_ns())

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def __str__(self) -> str:
        return self.name


class Task(_Timed):
    """A piece of work, timed from ``start()`` to ``stop()``, or as a ``with`` block.

    Parameters
    ----------
    domain : Domain
    name : str

    Examples
    --------
    >>> from gluon import profiler
    >>> task = profiler.Task(profiler.Domain("input"), "loading")
    >>> with profiler.profile() as p:
    ...     task.start()
    ...     task.stop()
    >>> p.events[0].name
    'loading'
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, str(domain))


class Frame(_Timed):
    """One pass of a loop, timed as `Task`.

    Parameters
    ----------
    domain : Domain
    name : str

    Examples
    --------
    >>> from gluon import profiler
    >>> domain = profiler.Domain("input")
    >>> with profiler.profile() as p:
    ...     for _ in range(2):
    ...         with profiler.Frame(domain, "batch"):
    ...             pass
    >>> [event.name for event in p.events]
    ['batch', 'batch']
    """

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__(name, f"{domain},frame")


class Event(_Timed):
    """An event in a thread, timed as `Task`.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> from gluon import profiler
    >>> with profiler.profile() as p, profiler.Event("loading"):
    ...     pass
    >>> p.events[0].kind, p.events[0].name
    ('timed:event', 'loading')
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "event")


class Counter:
    """An integer whose changes profiles record.

    Parameters
    ----------
    domain : Domain
    name : str
    value : int, optional
        The initial value.

    Examples
    --------
    >>> from gluon import profiler
    >>> counter = profiler.Domain("input").new_counter("waiting", 3)
    >>> counter += 2
    >>> counter.decrement()
    >>> counter.value
    4
    >>> counter.set_value(7)
    >>> counter.increment(3)
    >>> counter.value
    10
    """

    domain: Domain
    name: str
    value: int

    def __init__(self, domain: Domain, name: str, value: int | None = None) -> None:
        self.domain, self.name, self.value = domain, name, 0
        if value is not None:
            self.set_value(value)

    def set_value(self, value: int) -> None:
        """Set it to `value`.

        Parameters
        ----------
        value : int
        """
        self.value = int(value)
        for one in running():
            one.count(str(self.domain), self.name, self.value)

    def increment(self, delta: int = 1) -> None:
        """Add `delta`.

        Parameters
        ----------
        delta : int, default 1
        """
        self.set_value(self.value + int(delta))

    def decrement(self, delta: int = 1) -> None:
        """Subtract `delta`.

        Parameters
        ----------
        delta : int, default 1
        """
        self.set_value(self.value - int(delta))

    def __iadd__(self, delta: int) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: int) -> Counter:
        self.decrement(delta)
        return self

    def __str__(self) -> str:
        return self.name


class Marker:
    """An instant to show in profiles.

    Parameters
    ----------
    domain : Domain
    name : str

    Examples
    --------
    >>> from gluon import profiler
    >>> with profiler.profile() as p:
    ...     profiler.Marker(profiler.Domain("input"), "loaded").mark("global")
    >>> len(p.markers)
    1
    """

    domain: Domain
    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        self.domain, self.name = domain, name

    def mark(self, scope: str = "process") -> None:
        """Mark this instant.

        Parameters
        ----------
        scope : {'global', 'process', 'thread', 'task', 'marker'}
            The extent of the mark in the viewer.

        Raises
        ------
        ArgumentError
            If `scope` is not one of these.
        """
        if scope not in REACH:
            known = ", ".join(map(repr, REACH))
            raise ArgumentError(f"profiler.Marker.mark: scope is {scope!r}; give one of {known}")
        for one in running():
            one.mark(str(self.domain), self.name, scope)

    def __str__(self) -> str:
        return self.name
