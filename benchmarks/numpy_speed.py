"""Whether NumPy and SciPy are slower because gluon was imported.

Run it from the root of the repository, on a machine that does nothing else::

    python -m benchmarks.numpy_speed [--python PYTHON ...] [--only ROW ...] [--quick]

Each row is a way to import gluon. Two processes take turns for it, so that both meet the fast
moments of the machine: one with gluon and one without. Each turn starts new ones, because the
threads of a process can keep an unlucky placement for as long as it lives. Both processes import
what the row names, and compute with NumPy alone, or with SciPy where the row names it. The row "the
same program twice" has no gluon in either process: it shows how far apart two runs of one program
are on this machine. Each PYTHON is an interpreter with another version of NumPy; rows that need a
package which it lacks are skipped. The table has the geometric means of the ratios of the minimum
times, and the largest ratio with its case.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

from . import common

ROOT = Path(__file__).resolve().parents[1]
SIZES = (100, 300, 1000, 2000)
#: Operations, and the size up to which they are timed: beyond, one run takes seconds.
OPERATIONS = {"matmul": 2000, "solve": 2000, "svd": 1000}
THREADS = (1, 4)
#: The duration of a turn in seconds, of each process and case.
TURN = 0.08


class Row(NamedTuple):
    """What a process imports before and after gluon's place, and where it computes."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    where: str = "here"


OTHERS = ("scipy.linalg", "sklearn.linear_model", "threadpoolctl", "numexpr", "torch")
ROWS = {
    "the same program twice": Row(where="same"),
    "NumPy alone": Row(),
    "after kernels ran": Row(where="warm"),
    **{f"{name} before": Row(before=(name,)) for name in OTHERS},
    **{f"{name} after": Row(after=(name,)) for name in OTHERS},
    "fork": Row(where="fork"),
    "spawn": Row(where="spawn"),
    "subinterpreter": Row(where="subinterpreter"),
}
#: Rows with all sizes; the others have one size of each kind.
THOROUGH = ("the same program twice", "NumPy alone", "after kernels ran")


def cases(row: str, quick: bool) -> list[tuple[str, int, int]]:
    """Return the operation, the size and the number of Python threads of each case."""
    sizes = (100,) if quick else SIZES if row in THOROUGH else (100, 1000)
    few = row not in THOROUGH
    return [
        (operation, size, threads)
        for operation, largest in OPERATIONS.items()
        for size in sizes
        for threads in THREADS
        if size <= (300 if few and operation == "svd" and size != 100 else largest)
    ]


# ------------------------------------------------------------------------- in the processes


def operation(name: str, size: int, library: str) -> Any:
    """Return a function without arguments: the operation on matrices of one size."""
    import importlib

    import numpy as np

    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, size, size))
    linalg = importlib.import_module(library)
    runs = {
        "matmul": lambda: a @ b,
        "solve": lambda: linalg.solve(a, b),
        "svd": lambda: linalg.svd(a),
    }
    return runs[name]


def quickest(run: Any, threads: int, seconds: float) -> float:
    """Return the minimum time in seconds in which each of the threads has run once."""
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    best, end = float("inf"), perf_counter() + seconds
    while True:
        start = perf_counter()
        if pool is None:
            run()
        else:
            for done in [pool.submit(run) for _ in range(threads)]:
                done.result()
        now = perf_counter()
        best = min(best, now - start)
        if now > end:
            return best


def serve(library: str) -> None:
    """Time the cases that are read, one a line, and print the seconds."""
    print("ready", flush=True)
    while line := sys.stdin.readline():
        name, size, threads, seconds = line.split()
        run = operation(name, int(size), library)
        run()
        print(quickest(run, int(threads), float(seconds)), flush=True)


def warm() -> None:
    """Let the kernels of gluon start their threads."""
    from gluon import nd

    x = nd.ones((600, 600))
    (nd.dot(nd.exp(x), x) + x).sum().asnumpy()


def work(row: Row, gluon: bool) -> None:
    """Import, and serve in the kind of process that the row names."""
    import importlib

    for name in row.before:
        importlib.import_module(name)
    if gluon and row.where != "same":
        importlib.import_module("gluon")
        if row.where == "warm":
            warm()
    for name in row.after:
        importlib.import_module(name)
    library = "scipy.linalg" if "scipy.linalg" in (*row.before, *row.after) else "numpy.linalg"
    if row.where == "fork":
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
    elif row.where == "spawn":
        code = f"from benchmarks.numpy_speed import serve; serve({library!r})"
        first = "import gluon; " if gluon else ""
        subprocess.run([sys.executable, "-c", first + code], check=True)
        return
    elif row.where == "subinterpreter":
        in_subinterpreter("gluon" if gluon else "numpy")
        return
    serve(library)


def in_subinterpreter(module: str) -> None:
    """Import a module in a subinterpreter, as far as NumPy allows it, and serve here."""
    import importlib

    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    interpreters = importlib.import_module(name)
    run = interpreters.exec if hasattr(interpreters, "exec") else interpreters.run_string
    run(interpreters.create(), f"try:\n import {module}\nexcept ImportError:\n pass")
    serve("numpy.linalg")


# ----------------------------------------------------------------------------- the measurement


class Process:
    """A process of one row, with gluon or without."""

    def __init__(self, python: str, row: str, gluon: bool) -> None:
        variables = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
        kept = {name: value for name, value in os.environ.items() if name not in variables}
        kept["PYTHONPATH"] = str(ROOT)
        command = [python, "-m", "benchmarks.numpy_speed", "--worker", row]
        self.process = subprocess.Popen(
            [*command, *(["--gluon"] if gluon else [])],
            env=kept,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout
        self.is_ready = self.process.stdout.readline().strip() == "ready"

    def best(self, case: tuple[str, int, int], seconds: float) -> float:
        """Return the minimum seconds of a case."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{case[0]} {case[1]} {case[2]} {seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


def measure(python: str, row: str, turns: int, quick: bool) -> dict[tuple, float] | None:
    """Return the ratio of the minimum times of each case, with gluon to without; None: skipped."""
    best: dict[tuple, list[float]] = {}
    for turn in range(turns):
        pair = [Process(python, row, gluon) for gluon in (False, True)]
        try:
            if not all(one.is_ready for one in pair):
                return None
            for case in cases(row, quick):
                times = best.setdefault(case, [float("inf")] * 2)
                for which in (0, 1) if turn % 2 == 0 else (1, 0):
                    seconds = 0 if quick else TURN
                    times[which] = min(times[which], pair[which].best(case, seconds))
        finally:
            for one in pair:
                one.close()
    return {case: after / before for case, (before, after) in best.items()}


def line(version: str, row: str, ratios: dict[tuple, float] | None) -> list[str]:
    """Return a line of the table."""
    if ratios is None:
        return [row, version, "-", "-", "-", "not installed"]
    means = [
        fmean(log(ratio) for case, ratio in ratios.items() if case[2] == threads)
        for threads in THREADS
    ]
    worst = max(ratios, key=lambda case: ratios[case])
    where = f"{worst[0]} {worst[1]}, {worst[2]} thread" + "s" * (worst[2] > 1)
    return [
        row,
        version,
        *(f"{2.718281828**mean:.2f}" for mean in means),
        f"{ratios[worst]:.2f}",
        where,
    ]


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="interpreters")
    parser.add_argument("--only", nargs="+", default=ROWS, choices=ROWS, help="rows to measure")
    parser.add_argument("--turns", type=int, default=5, help="of each process, for each case")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--worker", choices=ROWS, help=argparse.SUPPRESS)
    parser.add_argument("--gluon", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(ROWS[options.worker], options.gluon)
    rows = []
    for python in options.python:
        asked = [python, "-c", "import numpy; print(numpy.__version__)"]
        version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        for row in options.only:
            turns = 1 if options.quick else options.turns
            rows.append(line(version, row, measure(python, row, turns, options.quick)))
    print(f"\n{common.machine(())}\n")
    header = ["with gluon / without", "NumPy", *(f"{n} threads" for n in THREADS), "worst", "case"]
    print(common.table([header[0], header[1], "1 thread", *header[3:]], rows))
    return None


if __name__ == "__main__":
    main()
