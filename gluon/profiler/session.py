"""MXNet's interface: one profile for the whole process, switched on and off by functions."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

from .._core.errors import ArgumentError
from .._core.instruments.recorder import Event
from .profile import Profile
from .trace import category, name_of

#: The settings and their defaults in MXNet. Operators are always profiled.
DEFAULTS: dict[str, Any] = {
    "filename": "profile.json",
    "profile_all": False,
    "profile_symbolic": True,
    "profile_imperative": True,
    "profile_memory": False,
    "profile_api": False,
    "continuous_dump": False,
    "dump_period": 1.0,
    "aggregate_stats": False,
    "profile_process": "worker",
}
TEXTS = ("filename", "profile_process", "dump_period")
#: The kinds of events in the tables; layers and backward passes contain other events, as programs.
COUNTED = ("forward", "backward", "scope", "program")

#: The category of memory events.
STORAGE = "Device Storage"

_config = dict(DEFAULTS)
_session: Profile | None = None
#: When `dumps` last discarded the statistics.
_reset_at = 0


@dataclass(frozen=True)
class Stat:
    """Statistics of the events of one name in one category, in milliseconds or kB."""

    name: str
    count: int
    total: float
    min: float
    max: float
    avg: float


#: The keys that `dumps` sorts by.
ORDERS = ("total", "avg", "min", "max", "count")


def set_config(**kwargs: Any) -> None:
    """Set what the next profile measures, and where `dump` writes it.

    Parameters
    ----------
    **kwargs
        ``filename`` is where `dump` writes the trace, ``profile.json`` by default.
        ``profile_memory`` or ``profile_all`` measures memory too. MXNet's other settings are
        ignored: operators are always profiled, and statistics are kept.

    Raises
    ------
    ArgumentError
        If a name is unknown, or a value is invalid.

    Examples
    --------
    >>> from gluon import profiler
    >>> profiler.set_config(filename="trace.json", aggregate_stats=True)
    """
    unknown = [key for key in kwargs if key not in DEFAULTS]
    if unknown:
        raise ArgumentError(
            f"profiler.set_config: unknown option {unknown[0]!r}; choose from {', '.join(DEFAULTS)}"
        )
    for key, value in kwargs.items():
        if key not in TEXTS and value not in (True, False):
            raise ArgumentError(f"profiler.set_config: {key} is {value!r}; give True or False")
    if not isinstance(filename := kwargs.get("filename", ""), (str, os.PathLike)):
        raise ArgumentError(f"profiler.set_config: filename is {filename!r}; give a path")
    _on_worker(kwargs.get("profile_process", "worker"), "set_config")
    _config.update(kwargs)


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Start or stop profiling the whole process.

    Parameters
    ----------
    state : {'run', 'stop'}
    profile_process : {'worker'}
        The only process.

    Raises
    ------
    ArgumentError
        If `state` or `profile_process` is unknown.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.set_state("stop")
    >>> print(profiler.dumps(reset=True))  # doctest: +ELLIPSIS
    <BLANKLINE>
    Profile Statistics:
    ...
    exp                                     1 ...
    """
    global _session
    if state not in ("run", "stop"):
        raise ArgumentError(f"profiler.set_state: state is {state!r}; give 'run' or 'stop'")
    _on_worker(profile_process, "set_state")
    if state == "stop":
        if _session:
            _session.pause()
        return
    memory = bool(_config["profile_memory"] or _config["profile_all"])
    if _session is None or _session.memory != memory:
        if _session:
            _session.pause()
        _session = Profile(memory)
    if not _session.running:
        _session.resume()


def start(profile_process: str = "worker") -> None:
    """Start profiling the whole process: ``set_state('run')``.

    Parameters
    ----------
    profile_process : {'worker'}

    Raises
    ------
    ArgumentError
        If `profile_process` is unknown.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.start()
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.stop()
    >>> "exp" in profiler.dumps(reset=True)
    True
    """
    set_state("run", profile_process)


def stop(profile_process: str = "worker") -> None:
    """Stop profiling the whole process: ``set_state('stop')``.

    Parameters
    ----------
    profile_process : {'worker'}

    Raises
    ------
    ArgumentError
        If `profile_process` is unknown.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.start()
    >>> profiler.stop()
    >>> y = nd.ones((2, 2)).exp()
    >>> "exp" in profiler.dumps(reset=True)
    False
    """
    set_state("stop", profile_process)


def pause(profile_process: str = "worker") -> None:
    """Stop profiling until `resume`.

    Parameters
    ----------
    profile_process : {'worker'}

    Raises
    ------
    ArgumentError
        If `profile_process` is unknown.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.pause()
    >>> y = y.sin()  # not timed
    >>> profiler.resume()
    >>> profiler.set_state("stop")
    >>> "sin" in profiler.dumps(reset=True)
    False
    """
    _on_worker(profile_process, "pause")
    if _session:
        _session.pause()


def resume(profile_process: str = "worker") -> None:
    """Continue profiling after `pause`; no effect if no profile was started.

    Parameters
    ----------
    profile_process : {'worker'}

    Raises
    ------
    ArgumentError
        If `profile_process` is unknown.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.pause()
    >>> profiler.resume()
    >>> y = y.sin()
    >>> profiler.set_state("stop")
    >>> "sin" in profiler.dumps(reset=True)
    True
    """
    _on_worker(profile_process, "resume")
    if _session and not _session.running:
        _session.resume()


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Write the trace to the file that `set_config` names.

    ``chrome://tracing`` and Perfetto open it.

    Parameters
    ----------
    finished : bool, default True
        Whether to stop profiling.
    profile_process : {'worker'}

    Raises
    ------
    ArgumentError
        If `profile_process` is unknown.

    Examples
    --------
    >>> import os, tempfile
    >>> from gluon import nd, profiler
    >>> path = f"{tempfile.mkdtemp()}/trace.json"
    >>> profiler.set_config(filename=path)
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.dump()
    >>> os.path.exists(path)
    True
    >>> profiler.set_config(filename="profile.json")
    """
    _on_worker(profile_process, "dump")
    if _session and finished:
        _session.pause()
    trace = (_session or Profile()).trace()
    with open(os.fspath(_config["filename"]), "w", encoding="utf-8") as file:
        json.dump(trace, file)


def dumps(
    reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False
) -> str:
    """Return statistics by category and name, as text.

    Parameters
    ----------
    reset : bool, default False
        Whether the next statistics begin now. The trace that `dump` writes keeps all events.
    format : {'table', 'json'}
    sort_by : {'total', 'avg', 'min', 'max', 'count'}
        The order within each category.
    ascending : bool, default False
        Whether to sort in ascending order.

    Returns
    -------
    str

    Raises
    ------
    ArgumentError
        If an argument is not one of these.

    Examples
    --------
    >>> from gluon import nd, profiler
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> profiler.set_state("stop")
    >>> import json
    >>> sorted(json.loads(profiler.dumps(reset=True, format="json")))
    ['Memory', 'Time', 'Unit']
    """
    global _reset_at
    for name, given, known in (
        ("format", format, ("table", "json")),
        ("sort_by", sort_by, ORDERS),
        ("ascending", ascending, (False, True)),
        ("reset", reset, (False, True)),
    ):
        if given not in known:
            text = ", ".join(map(repr, known))
            raise ArgumentError(f"profiler.dumps: {name} is {given!r}; give one of {text}")
    times, memory = statistics(_session, _reset_at) if _session else ({}, {})
    for stats in (*times.values(), *memory.values()):
        stats.sort(key=lambda stat: getattr(stat, sort_by), reverse=not ascending)
    text = _as_json(times, memory) if format == "json" else _as_tables(times, memory)
    if reset:
        _reset_at = perf_counter_ns()
    return text


def set_kvstore_handle(handle: Any) -> None:
    """Do nothing: there is no server to profile.

    Parameters
    ----------
    handle : object

    Examples
    --------
    >>> from gluon import profiler
    >>> profiler.set_kvstore_handle(None)
    """


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """The former `set_config`.

    Parameters
    ----------
    mode : {'symbolic', 'imperative', 'api', 'memory', 'all'}
    filename : str, default 'profile.json'

    Raises
    ------
    ArgumentError
        If `mode` is not one of these.

    Examples
    --------
    >>> import warnings
    >>> from gluon import profiler
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # the name is deprecated
    ...     profiler.profiler_set_config(mode="all", filename="profile.json")
    >>> profiler.set_config(profile_all=False)
    """
    _deprecated("profiler_set_config", "set_config")
    set_config(**{f"profile_{mode}": True, "filename": filename})


def profiler_set_state(state: str = "stop") -> None:
    """The former `set_state`.

    Parameters
    ----------
    state : {'run', 'stop'}

    Raises
    ------
    ArgumentError
        If `state` is not one of these.

    Examples
    --------
    >>> import warnings
    >>> from gluon import profiler
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # the name is deprecated
    ...     profiler.profiler_set_state("stop")
    """
    _deprecated("profiler_set_state", "set_state")
    set_state(state)


def dump_profile() -> None:
    """The former `dump`.

    Examples
    --------
    >>> import os, tempfile, warnings
    >>> from gluon import nd, profiler
    >>> path = f"{tempfile.mkdtemp()}/trace.json"
    >>> profiler.set_config(filename=path)
    >>> profiler.set_state("run")
    >>> y = nd.ones((2, 2)).exp()
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # the name is deprecated
    ...     profiler.dump_profile()
    >>> os.path.exists(path)
    True
    >>> profiler.set_config(filename="profile.json")
    """
    _deprecated("dump_profile", "dump")
    dump(True)


def _deprecated(name: str, better: str) -> None:
    warnings.warn(
        f"profiler.{name}() is deprecated. Please use profiler.{better}() instead", stacklevel=3
    )


def _on_worker(profile_process: str, function: str) -> None:
    if profile_process != "worker":
        raise ArgumentError(
            f"profiler.{function}: profile_process is {profile_process!r}; only 'worker' is"
            " supported"
        )


# ------------------------------------------------------------------------------- statistics


def statistics(
    profile: Profile, since: int = 0
) -> tuple[dict[str, list[Stat]], dict[str, list[Stat]]]:
    """The times in milliseconds and the memory in kB of a profile, by category.

    Parameters
    ----------
    profile : Profile
    since : int, default 0
        What ended before this time is left out; in nanoseconds, from `time.perf_counter_ns`.

    Returns
    -------
    dict of str to list of Stat
        Times.
    dict of str to list of Stat
        Memory, and the values of counters.
    """
    times: dict[str, dict[str, list[float]]] = {}
    events = [event for event in list(profile.events) if event.end >= since]
    for event in events:
        if event.kind in COUNTED or ":" in event.kind:
            named = times.setdefault(category(event), {})
            named.setdefault(name_of(event), []).append(event.time / 1e6)
    for time, domain, *_ in profile.markers:
        if time >= since:
            times.setdefault(f"{domain},instant_marker", {})
    values: dict[str, dict[str, list[float]]] = {}
    for time, domain, name, value in profile.counters:
        if time >= since:
            values.setdefault(f"{domain},counter", {}).setdefault(name, []).append(value)
    if profile.memory and (used := list(_used(events))):
        values[STORAGE] = {"Memory: cpu/0": used}
    return _stats(times), _stats(values)


def _used(events: list[Event]) -> Iterator[float]:
    for event in events:
        if event.live:
            yield event.live / 1024


def _stats(groups: dict[str, dict[str, list[float]]]) -> dict[str, list[Stat]]:
    return {
        group: [
            Stat(name, len(all), sum(all), min(all), max(all), sum(all) / len(all))
            for name, all in named.items()
        ]
        for group, named in sorted(groups.items())
    }


def _as_tables(times: dict[str, list[Stat]], memory: dict[str, list[Stat]]) -> str:
    lines = ["", "Profile Statistics:", "\tNote the difference in units for different entries."]
    for group, stats in sorted({**memory, **times}.items()):
        unit = "Time (ms)" if group in times else "Use  (kB)" if group == STORAGE else "Value"
        heads = ["Total Count", *([unit] if group in times else [])]
        heads += [f"Min {unit}", f"Max {unit}", f"Avg {unit}"]
        lines += [group, "=================", _line("Name", *heads)]
        lines.append(_line("----", *("-" * len(head) for head in heads)))
        for stat in stats:
            numbers = [*([stat.total] if group in times else []), stat.min, stat.max, stat.avg]
            lines.append(_line(stat.name, stat.count, *(f"{one:.4f}" for one in numbers)))
        lines.append("")
    return "\n".join(lines) + ("" if lines[-1] else "\n") if times or memory else ""


def _line(name: str, count: Any, *rest: str) -> str:
    return f"{name:<25}{count:>16}" + "".join(f"{one:>17}" for one in rest)


def _as_json(times: dict[str, list[Stat]], memory: dict[str, list[Stat]]) -> str:
    def shown(groups: dict[str, list[Stat]], *fields: str) -> dict[str, Any]:
        return {
            group: {
                stat.name: {field.capitalize(): round(getattr(stat, field), 6) for field in fields}
                for stat in stats
            }
            for group, stats in groups.items()
        }

    tree = {
        "Time": shown(times, "count", "total", "min", "max", "avg"),
        "Memory": shown(memory, "count", "min", "max", "avg"),
        "Unit": {"Time": "ms", "Memory": "kB"},
    }
    return json.dumps(tree, indent=4)
