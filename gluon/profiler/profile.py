"""`Profile`: the time and memory of a part of a program."""

from __future__ import annotations

import json
import os
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

from .._core.errors import ArgumentError, GluonError
from .._core.html import Table, bytes_text
from .._core.instruments import base as instrument
from .._core.instruments.recorder import OPERATORS, Event, Recorder
from .flame import Flame
from .trace import chrome_trace


class Row(NamedTuple):
    """Statistics of the calls of one operator, in one layer or from one line.

    Attributes
    ----------
    name : str
    calls, backward_calls : int
    forward, backward : float
        Milliseconds, without calls inside, which are counted separately.
    bytes : int
        The size of the results in newly allocated memory.
    peak : int
        The peak memory of a call, in bytes; 0 unless memory is measured.
    """

    name: str
    calls: int
    forward: float
    backward_calls: int
    backward: float
    bytes: int
    peak: int

    @property
    def total(self) -> float:
        """Milliseconds, forward and backward."""
        return self.forward + self.backward


#: How rows are grouped: the name of an event in each kind of table.
GROUPS: dict[str, Callable[[Event], str]] = {
    "operator": lambda event: event.name,
    "layer": lambda event: event.layers[-1] if event.layers else "(no layer)",
    "line": lambda event: event.line or "(no line of yours)",
}
#: The columns to sort by.
ORDERS: dict[str, Callable[[Row], Any]] = {
    "total": lambda row: row.total,
    "forward": lambda row: row.forward,
    "backward": lambda row: row.backward,
    "calls": lambda row: row.calls + row.backward_calls,
    "bytes": lambda row: row.bytes,
    "peak": lambda row: row.peak,
    "name": lambda row: row.name,
}


class Profile:
    """Times the operators in a ``with`` block; created by `profile`.

    Parameters
    ----------
    memory : bool, default False
        Whether to measure memory.

    Attributes
    ----------
    counters, markers : list of tuple
        The records of `Counter` and `Marker`.
    started : int
        The start time of the trace.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd, profiler
    >>> with profiler.profile() as p:
    ...     y = nd.ones((2, 2)).exp()
    ...     p.pause()
    ...     y = y.sin()  # not timed
    ...     p.resume()
    ...     y = y.cos()
    >>> [row.name for row in p.rows(sort_by="name")]
    ['cos', 'exp']
    >>> print(str(p.table(by="operator", sort_by="name")).split()[0])
    Operator
    >>> sorted(p.trace())
    ['displayTimeUnit', 'traceEvents']
    >>> path = f"{tempfile.mkdtemp()}/run.json"
    >>> p.save(path)
    >>> os.path.exists(path), type(p.flame()).__name__
    (True, 'Flame')
    >>> p.count("input", "waiting", 3)
    >>> p.mark("input", "loaded", "process")
    >>> p.add("task", "loading", p.started, p.started + 1000)
    >>> len(p.counters), len(p.markers)
    (1, 1)
    >>> p.clear()
    >>> p.rows()
    []
    """

    started: int

    def __init__(self, memory: bool = False) -> None:
        self._recorder = Recorder(bool(memory))
        self._running_since: int | None = None
        self._ran = 0
        self._traces = False
        self.counters: list[tuple[int, str, str, float]] = []
        self.markers: list[tuple[int, str, str, str, int]] = []
        self.started = perf_counter_ns()

    # ------------------------------------------------------------------------------ running

    def __enter__(self) -> Profile:
        self._recorder.opener = sys._getframe(1)
        self.resume()
        return self

    def __exit__(self, *exc: object) -> None:
        self.pause()
        self._recorder.opener = None

    @property
    def running(self) -> bool:
        """Whether calls are being timed."""
        return self._running_since is not None

    def resume(self) -> None:
        """Continue after `pause`.

        Raises
        ------
        GluonError
            If the profile is running.
        """
        if self.running:
            raise GluonError("Profile: it is running already; open another one with profile()")
        if self._recorder.memory and not tracemalloc.is_tracing():
            tracemalloc.start()
            self._traces = True
        instrument.switch_on(self._recorder)
        _running.append(self)
        self._running_since = perf_counter_ns()

    def pause(self) -> None:
        """Stop timing until `resume`; no effect if it is paused."""
        if self._running_since is None:
            return
        self._ran += perf_counter_ns() - self._running_since
        self._running_since = None
        instrument.switch_off(self._recorder)
        _running.remove(self)
        if self._traces:
            tracemalloc.stop()
            self._traces = False

    @property
    def events(self) -> list[Event]:
        """All calls and scopes, in the order in which they ended."""
        return self._recorder.events

    @property
    def wall(self) -> float:
        """The running time of the block without pauses, in milliseconds."""
        since = self._running_since
        return (self._ran + (perf_counter_ns() - since if since is not None else 0)) / 1e6

    @property
    def memory(self) -> bool:
        """Whether memory is measured."""
        return self._recorder.memory

    # ------------------------------------------------------------------------------ reports

    def rows(self, by: str = "operator", sort_by: str = "total") -> list[Row]:
        """Statistics of the operators, grouped.

        Parameters
        ----------
        by : {'operator', 'layer', 'line'}
            One row for each operator, for each layer, or for each line of the program.
        sort_by : {'total', 'forward', 'backward', 'calls', 'bytes', 'peak', 'name'}
            Sorted in descending order; names in alphabetical order.

        Returns
        -------
        list of Row

        Raises
        ------
        ArgumentError
            If `by` or `sort_by` is not one of these.
        """
        for what, given, known in (("by", by, GROUPS), ("sort_by", sort_by, ORDERS)):
            if given not in known:
                raise ArgumentError(
                    f"Profile.rows: {what} is {given!r}; give one of {', '.join(known)}"
                )
        groups: dict[str, list[Event]] = {}
        for event in list(self.events):
            if event.kind in OPERATORS:
                groups.setdefault(GROUPS[by](event), []).append(event)
        rows = [_row(name, events) for name, events in groups.items()]
        return sorted(rows, key=ORDERS[sort_by], reverse=sort_by != "name")

    def table(self, by: str = "operator", sort_by: str = "total", limit: int = 0) -> Table:
        """The `rows` as a printable table.

        Parameters
        ----------
        by, sort_by : str
            As for `rows`.
        limit : int, default 0
            The largest number of rows; 0 shows all.

        Returns
        -------
        Table
            It can be printed, and notebooks display it.

        Raises
        ------
        ArgumentError
            If `by` or `sort_by` is unknown.
        """
        rows = self.rows(by, sort_by)
        total = sum(row.total for row in rows)
        header = [by.capitalize(), "Calls", "Forward ms", "Backwards", "Backward ms", "Total ms"]
        header += ["Share", "New memory", *(["Peak"] if self.memory else [])]
        lines = [
            (
                row.name,
                row.calls,
                f"{row.forward:.3f}",
                row.backward_calls or "",
                f"{row.backward:.3f}" if row.backward_calls else "",
                f"{row.total:.3f}",
                f"{row.total / (total or 1):.1%}",
                bytes_text(row.bytes),
                *([bytes_text(row.peak)] if self.memory else []),
            )
            for row in rows[: limit or None]
        ]
        left = len(rows) - len(lines)
        notes = [f"{left} more rows"] if left else []
        notes.append(f"{total:.3f} ms in operators, {self.wall:.3f} ms in all")
        return Table(header, lines, notes=notes)

    def __repr__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def flame(self) -> Flame:
        """A flame graph of the time by line of the program, layer and operator.

        Returns
        -------
        Flame
            Notebooks display it; ``save(path)`` writes SVG, or text for other viewers.
        """
        return Flame(list(self.events))

    def trace(self) -> dict[str, Any]:
        """The events for a viewer of traces, in Chrome's format.

        Returns
        -------
        dict
            `save` writes it as JSON.
        """
        return chrome_trace(self)

    def save(self, path: str | os.PathLike) -> None:
        """Write the profile to a file; the suffix determines the format.

        Parameters
        ----------
        path : str or path
            ``.json`` for a trace that ``chrome://tracing`` and Perfetto open, ``.svg`` for the
            flame graph, ``.folded`` for its lines of text, ``.txt`` for the table.

        Raises
        ------
        ArgumentError
            If the suffix is not one of these.
        """
        path = Path(path)
        if path.suffix == ".json":
            path.write_text(json.dumps(self.trace()), encoding="utf-8")
        elif path.suffix == ".txt":
            path.write_text(f"{self}\n", encoding="utf-8")
        elif path.suffix in (".svg", ".folded"):
            self.flame().save(path)
        else:
            raise ArgumentError(
                f"Profile.save: {str(path)!r} must end in .json (a trace), .svg (a flame graph),"
                " .folded (its text) or .txt (the table)"
            )

    # ------------------------------------------------------------------- what the user marks

    def count(self, domain: str, name: str, value: float) -> None:
        """Record the value of a counter.

        Parameters
        ----------
        domain, name : str
        value : float
        """
        self.counters.append((perf_counter_ns(), domain, name, value))

    def mark(self, domain: str, name: str, reach: str) -> None:
        """Record an instant.

        Parameters
        ----------
        domain, name : str
        reach : {'global', 'process', 'thread', 'task', 'marker'}
        """
        self.markers.append((perf_counter_ns(), domain, name, reach, threading.get_ident()))

    def add(self, kind: str, name: str, start: int, end: int) -> None:
        """Record a time span of the user, which may overlap with other events.

        Parameters
        ----------
        kind, name : str
        start, end : int
            In nanoseconds, from `time.perf_counter_ns`.
        """
        event = Event(kind, name, ())
        event.start, event.end = start, end
        self.events.append(event)

    def clear(self) -> None:
        """Discard the events collected so far."""
        self.events.clear()
        self.counters.clear()
        self.markers.clear()


def profile(memory: bool = False) -> Profile:
    """Context manager that times the operators inside, in all threads.

    Outside of such blocks, operators run at full speed.

    Parameters
    ----------
    memory : bool, default False
        Whether to measure the peak memory of operators with `tracemalloc`. It slows down Python,
        so times are less meaningful.

    Returns
    -------
    Profile
        Print it, or use its ``table(by="layer")``, ``flame()`` and ``save("trace.json")``.

    Examples
    --------
    >>> from gluon import autograd, nd, profiler
    >>> x = nd.ones((64, 64))
    >>> x.attach_grad()
    >>> with profiler.profile() as p:
    ...     for _ in range(3):
    ...         with autograd.record():
    ...             y = nd.exp(x).sum()
    ...         y.backward()
    >>> [(row.name, row.calls, row.backward_calls) for row in p.rows(sort_by="name")]
    [('exp', 3, 3), ('sum', 3, 3)]
    >>> p.rows(sort_by="name")[0].bytes  # of the results and of the gradients, 64x64 floats each
    98304
    """
    return Profile(memory)


_running: list[Profile] = []


def running() -> list[Profile]:
    """The profiles that are timing."""
    return list(_running)


def _row(name: str, events: list[Event]) -> Row:
    forward = [event for event in events if event.kind == "forward"]
    backward = [event for event in events if event.kind == "backward"]
    return Row(
        name,
        len(forward),
        sum(event.own for event in forward) / 1e6,
        len(backward),
        sum(event.own for event in backward) / 1e6,
        sum(event.bytes for event in events),
        max(event.peak for event in events),
    )
