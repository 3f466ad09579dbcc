"""Profiles in the format of Chrome's trace viewer, which Perfetto reads too."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .._core.instruments.recorder import Event

if TYPE_CHECKING:
    from .profile import Profile

#: The scopes of markers in the viewer, with two more names of MXNet.
REACH = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}


def chrome_trace(profile: Profile) -> dict[str, Any]:
    """The events of a profile as a dict for JSON; times are in microseconds.

    Parameters
    ----------
    profile : Profile

    Returns
    -------
    dict
    """
    process = os.getpid()
    threads: dict[int, int] = {}

    def thread(ident: int) -> int:
        return threads.setdefault(ident, len(threads) + 1)

    def micro(time: int) -> float:
        return (time - profile.started) / 1e3

    entries: list[dict[str, Any]] = []
    for number, event in enumerate(sorted(profile.events, key=lambda one: (one.start, -one.end))):
        entry = {
            "name": name_of(event),
            "cat": category(event),
            "pid": process,
            "tid": thread(event.thread),
            "ts": micro(event.start),
        }
        # user-defined events may overlap, so they are written as asynchronous ones
        if ":" in event.kind:
            entry |= {"id": number}
            entries += [{**entry, "ph": "b"}, {**entry, "ph": "e", "ts": micro(event.end)}]
            continue
        entries.append({**entry, "ph": "X", "dur": event.time / 1e3, "args": _details(event)})
        if profile.memory:
            args = {"bytes": event.live}
            now = {"name": "memory", "ph": "C", "ts": micro(event.end), "args": args}
            entries.append({**now, "pid": process, "tid": 0})
    entries += _marks(profile, process, thread, micro)
    named = [
        {
            "name": "thread_name",
            "ph": "M",
            "pid": process,
            "tid": tid,
            "args": {"name": f"thread {tid}"},
        }
        for tid in threads.values()
    ]
    title = {"name": "process_name", "ph": "M", "pid": process, "tid": 0, "args": {"name": "gluon"}}
    return {"traceEvents": [title, *named, *entries], "displayTimeUnit": "ms"}


def _marks(
    profile: Profile, process: int, thread: Callable[[int], int], micro: Callable[[int], float]
) -> Iterator[dict[str, Any]]:
    """Yield the values of counters, and the markers."""
    for time, domain, name, value in profile.counters:
        entry = {"name": name, "cat": domain, "ph": "C", "ts": micro(time), "pid": process}
        yield {**entry, "tid": 0, "args": {name: value}}
    for time, domain, name, reach, ident in profile.markers:
        entry = {"name": name, "cat": domain, "ph": "i", "ts": micro(time), "s": REACH[reach]}
        yield {**entry, "pid": process, "tid": thread(ident)}


def name_of(event: Event) -> str:
    """The name of an event; that of the gradient of an operator is as in MXNet."""
    return f"_backward_{event.name}" if event.kind == "backward" else event.name


def category(event: Event) -> str:
    """MXNet's category of an event."""
    if event.kind in ("forward", "backward"):
        return "operator"
    return event.kind.partition(":")[2] or event.kind


def _details(event: Event) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if event.shapes:
        details["shapes"] = ", ".join(map(str, event.shapes))
    if event.layers:
        details["layer"] = " / ".join(event.layers)
    if event.line:
        details["line"] = event.line
    if event.bytes:
        details["new bytes"] = event.bytes
    if event.peak:
        details["peak bytes"] = event.peak
    return details
