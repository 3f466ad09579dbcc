"""Runs libraries in separate processes, which take turns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

#: Creates one run of a row: ``maker()()`` runs it.
Maker = Callable[[], Callable[[], Any]]


def work(makers: dict[str, Maker]) -> None:
    """Run the loop of a library's process: print the minimum time of each name read.

    A name that the library does not have takes infinitely long.
    """
    made: dict[str, Callable[[], Any]] = {}
    print("ready", flush=True)
    for line in sys.stdin:
        name, seconds = line.rstrip("\n").split("\t")
        if name not in makers:
            print(float("inf"), flush=True)
            continue
        run = made.get(name) or made.setdefault(name, makers[name]())
        run()
        print(quickest(run, float(seconds)), flush=True)


def quickest(run: Callable[[], Any], seconds: float) -> float:
    """Return the minimum seconds of one run; at least one runs, and none starts after `seconds`."""
    best, end = float("inf"), perf_counter() + seconds
    while True:
        start = perf_counter()
        run()
        now = perf_counter()
        best = min(best, now - start)
        if now > end:
            return best


def can_import(python: str, module: str) -> bool:
    """Whether an interpreter has a module."""
    run = subprocess.run([python, "-c", f"import {module}"], stderr=-3, check=False)
    return run.returncode == 0


class Worker:
    """A process in which one library works on request.

    Parameters
    ----------
    python : str or list of str
        The interpreter, or a command that starts with what runs it.
    benchmark : str
        The module that calls `work` for ``--worker library``.
    library : str
    threads : int
        How many threads the library may use.
    """

    def __init__(self, python: str | list[str], benchmark: str, library: str, threads: int) -> None:
        command = [python] if isinstance(python, str) else python
        counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        self.process = subprocess.Popen(
            [*command, "-m", benchmark, "--worker", library, "--threads", str(threads)],
            env={**os.environ, **dict.fromkeys(counts, str(threads))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.answer()

    def answer(self) -> str:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise SystemExit(f"{' '.join(map(str, self.process.args))} ended early")
        return line.strip()

    def best(self, name: str, seconds: float) -> float:
        """Return the minimum seconds of one run of `name` in a turn of `seconds`."""
        assert self.process.stdin
        self.process.stdin.write(f"{name}\t{seconds}\n")
        self.process.stdin.flush()
        return float(self.answer())

    def close(self) -> None:
        self.process.communicate()


def measure(
    pythons: dict[str, str],
    benchmark: str,
    threads: int,
    names: Iterable[str],
    turns: int,
    seconds: float,
) -> dict[str, dict[str, float]]:
    """Return seconds for each row and each library, each measured from start to end."""
    from gluon.progress import tracked  # a worker's Python may be too old for gluon

    workers = {who: Worker(python, benchmark, who, threads) for who, python in pythons.items()}
    results = {name: dict.fromkeys(workers, float("inf")) for name in names}
    try:
        for _ in tracked(range(turns), turns, benchmark, "turn"):
            for name, best in results.items():
                for who, worker in workers.items():
                    best[who] = min(best[who], worker.best(name, seconds))
    finally:
        for worker in workers.values():
            worker.close()
    return results
