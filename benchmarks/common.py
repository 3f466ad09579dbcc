"""Shared parts of the benchmarks: fair timing on a noisy machine, and tables of results."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from time import perf_counter
from types import ModuleType

import numpy as np

#: Maps the name of a contender in the tables to the module it needs.
PEERS = {"PyTorch": "torch", "HIPS": "autograd", "MyGrad": "mygrad"}


#: The number of runs of a contender in each of its turns.
CALLS = 6


def race(
    contenders: dict[str, Callable[[], object]], rounds: int, calls: int = CALLS
) -> dict[str, float]:
    """Return the minimum time in seconds of one call of each contender.

    A shared machine changes speed from one moment to the next. The contenders therefore take
    turns, many times over: every one of them meets the fast moments. A turn has several calls,
    since the first of them finds the caches of the processor filled by somebody else.
    """
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, run in contenders.items():
            for _ in range(calls):
                start = perf_counter()
                run()
                best[name] = min(best[name], perf_counter() - start)
    return best


def peers() -> dict[str, ModuleType]:
    """Return the installed peers by their name in the tables; print a note on each other one."""
    found = {}
    for name, module in PEERS.items():
        try:
            found[name] = importlib.import_module(module)
        except ImportError:
            print(f"{name} is left out: `pip install {module}` to compare with it.")
    return found


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, with words aligned left and numbers right."""
    columns = list(zip(header, *rows))
    widths = [max(map(len, column)) for column in columns]

    def line(cells: Sequence[str]) -> str:
        first = cells[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = [":" + "-" * (widths[0] - 1)] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join([line(header), line(rule), *map(line, rows)])


def ratio(ours: float, theirs: float | None, goal: float | None = None) -> str:
    """Format ``ours / theirs``, with an exclamation mark if it is above the goal."""
    if theirs is None:
        return "-"
    missed = goal is not None and ours / theirs > goal
    return f"{ours / theirs:.2f}" + ("!" if missed else "")


def machine(modules: Iterable[ModuleType]) -> str:
    """Describe processor, Python and library versions in one line."""
    versions = [f"{module.__name__} {_version(module)}" for module in (np, *modules)]
    return ", ".join([_processor(), f"Python {platform.python_version()}", *versions])


def _version(module: ModuleType) -> str:
    return getattr(module, "__version__", None) or version(module.__name__)


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        return platform.processor() or platform.machine()
    return f"{names[0]} ({len(names)} cores)" if names else platform.machine()
