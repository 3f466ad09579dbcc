"""Every public function of `gluon.np` and `gluon.nd` at a million values, with one thread.

Each call takes turns with NumPy's and PyTorch's expression for the same, where there is one:
forward without recording, then forward and backward. Run it from the root of the repository::

    python -m benchmarks.sweep [--only PATTERN ...] [--over] [--write FILE] [--quick]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

import numpy
from gluon.progress import tracked

import gluon
from gluon import autograd
from gluon._core.arrays.rebind import is_recorded

from . import common, sweep_nd, sweep_np
from .sweep_inputs import inputs

#: The maximum ratios of gluon: to NumPy forward, and to PyTorch forward and backward.
GOAL = 3.0
#: The overhead of a call, in seconds; ratios of faster calls only show overhead.
OVERHEAD = 50e-6
#: How often a row above the goal is measured again.
AGAIN = 5
#: The environment variables that limit each library to one thread.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

TABLES = {"np": sweep_np, "nd": sweep_nd}
#: The submodules that are included.
INSIDE = {"np": ("linalg", "random"), "nd": ("linalg", "random", "contrib", "image")}


class Row(NamedTuple):
    """A call, and the expressions of NumPy and PyTorch for it, empty if there is none."""

    call: str
    numpy: str
    torch: str


def rows(space: str) -> list[Row]:
    """Return the rows of ``'np'`` or ``'nd'``."""
    found = []
    for line in TABLES[space].LINES:
        call, *others = (cell.strip() for cell in line.split("|"))
        same = [re.sub(rf"\b{space}\.", f"{name}.", call) for name in ("np", "torch")]
        cells = {"=": same, "-": ["", ""]}
        found.append(Row(call, *(cells.get(o, others)[k] for k, o in enumerate(others))))
    return found


# ---------------------------------------------------------------------------------- names


def public(space: str) -> dict[str, Callable]:
    """Return the public functions of a namespace, those of its submodules with a dot."""
    module = getattr(gluon, space)
    inside = {name: getattr(module, name) for name in INSIDE[space]}
    found = dict(_functions(module))
    for name, part in inside.items():
        found.update({f"{name}.{key}": value for key, value in _functions(part)})
    return found


def _functions(module: ModuleType) -> Iterator[tuple[str, Callable]]:
    for name in dir(module):
        value = getattr(module, name)
        if name[0] != "_" and callable(value) and not isinstance(value, type):
            yield name, value


def called(row: Row, space: str) -> str:
    """Return the name of the function that a row calls, empty for an index or a builtin."""
    match = re.match(rf"{space}\.([\w.]+)\(", row.call)
    return match[1] if match else ""


def missing(space: str) -> list[str]:
    """Return public functions that no row calls under any name, and that `WITHOUT` lacks."""
    functions = public(space)
    without = " ".join(TABLES[space].WITHOUT.values()).split()
    seen = [called(row, space) for row in rows(space)] + without
    known = {functions[name] for name in seen if name in functions}
    return [name for name, function in functions.items() if function not in known]


# --------------------------------------------------------------------------------- libraries


def floats(text: str, values: dict[str, Any]) -> list[str]:
    """Return the inputs in an expression that have gradients; `o` is an output."""
    arrays = {name: one for name, one in used(text, values).items() if hasattr(one, "dtype")}
    return [name for name, array in arrays.items() if array.dtype.kind == "f" and name != "o"]


def used(text: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return copies of the inputs in an expression, since some expressions write to them."""
    code = compile(text, text, "eval")
    names = [
        *code.co_names,
        *(name for c in code.co_consts if hasattr(c, "co_names") for name in c.co_names),
    ]
    return {name: copy(values[name]) for name in names if name in values}


def flat(result: Any) -> list[Any]:
    """Return the arrays of a result, which may be a sequence."""
    if isinstance(result, (tuple, list)):
        return [one for part in result for one in flat(part)]
    return [result]


def expression(text: str, values: dict[str, Any]) -> Callable[[], Any]:
    """Return a function that evaluates `text`."""
    run: Callable[[], Any] = eval(f"lambda: {text}", values)
    return run


def with_numpy(text: str, raw: dict[str, Any]) -> dict[str, Callable]:
    """Return a function that runs an expression with NumPy."""
    return {"NumPy": expression(text, {**used(text, raw), "np": numpy})}


def with_gluon(text: str, raw: dict[str, Any], space: str) -> dict[str, Callable]:
    """Return functions that run it with gluon: forward, and with backward if differentiable."""
    module = getattr(gluon, space)
    values = {
        name: module.array(one, dtype=one.dtype) if isinstance(one, numpy.ndarray) else one
        for name, one in used(text, raw).items()
    }
    values[space] = module
    found = {"gluon": expression(text, values)}
    marked = {name: values[name].copy() for name in floats(text, raw)}
    for x in marked.values():
        x.attach_grad()
    forward = expression(text, {**values, **marked})

    def heads() -> list[Any]:
        return [y for y in flat(forward()) if is_recorded(y) and numpy.dtype(y.dtype).kind == "f"]

    with autograd.record():
        ones = [module.ones_like(y) for y in heads()]

    def both() -> None:
        with autograd.record():
            ys = heads()
        autograd.backward(ys, ones)

    return {**found, "gluon both": both} if ones else found


def with_torch(text: str, raw: dict[str, Any], torch: Any) -> dict[str, Callable]:
    """Return the same for PyTorch."""
    values = {
        name: torch.from_numpy(one) if isinstance(one, numpy.ndarray) else one
        for name, one in used(text, raw).items()
    }
    values |= {"torch": torch, "F": torch.nn.functional}
    plain = expression(text, values)
    marked = {name: values[name].clone().requires_grad_() for name in floats(text, raw)}
    forward = expression(text, {**values, **marked})

    def without() -> Any:
        with torch.no_grad():
            return plain()

    def heads() -> list[Any]:
        return [y for y in flat(forward()) if getattr(y, "requires_grad", False)]

    ones = [torch.ones_like(y) for y in heads()]

    def both() -> None:
        for x in marked.values():
            x.grad = None
        torch.autograd.backward(heads(), ones)

    return {"PyTorch": without, "PyTorch both": both} if ones else {"PyTorch": without}


def contenders(row: Row, space: str, raw: dict[str, Any], torch: Any) -> dict[str, Callable]:
    """Return all functions to time for a row."""
    found = with_gluon(row.call, raw, space)
    if row.numpy:
        found |= with_numpy(row.numpy, raw)
    if row.torch and torch:
        found |= with_torch(row.torch, raw, torch)
    return found


# ------------------------------------------------------------------------------- measuring


def measured(runs: dict[str, Callable], seconds: float) -> dict[str, float]:
    """Return the minimum seconds of each contender; each runs long enough to have fast moments."""
    start = perf_counter()
    for run in runs.values():
        run()
    once = perf_counter() - start
    if not seconds:
        return common.race(runs, 1, 1)
    calls = 1 if once > seconds / 12 else common.CALLS
    return common.race(runs, max(3, min(12, int(seconds / (once * calls)))), calls)


def settled(runs: dict[str, Callable], seconds: float) -> dict[str, float]:
    """Return `measured`, repeated if a ratio is above the goal: the machine may have been busy."""
    best = measured(runs, seconds)
    for _ in range(AGAIN if seconds else 0):
        if not is_over(best):
            break
        best = {who: min(best[who], time) for who, time in measured(runs, seconds).items()}
    return best


def is_over(times: dict[str, float]) -> bool:
    """Whether a ratio is above the goal."""
    return any(cell.endswith("!") for cell in cells(times))


def cells(times: dict[str, float]) -> list[str]:
    """Return gluon's microseconds and the ratios, with `!` if they are above the goal."""
    found = []
    for kind in ("", " both"):
        ours = times.get(f"gluon{kind}")
        peers = ("NumPy", "PyTorch") if not kind else ("PyTorch",)
        if ours is None:
            return found + ["-"] * (1 + len(peers))
        found.append(f"{ours * 1e6:.0f}" if ours > 1e-5 else f"{ours * 1e6:.1f}")
        for who in peers:
            goal = GOAL if ours > OVERHEAD and (who == "NumPy" or kind) else None
            found.append(common.ratio(ours, times.get(f"{who}{kind}"), goal))
    return found


HEADER = ["forward µs", "/ NumPy", "/ PyTorch", "+ backward µs", "/ PyTorch"]


def report(results: dict[str, dict[str, float]], over: bool) -> str:
    """Return the table of results; with `over`, only of those above the goal."""
    lines = [[f"`{call}`", *cells(times)] for call, times in results.items()]
    return common.table(
        ["call", *HEADER],
        [line for line in lines if not over or any(cell.endswith("!") for cell in line)],
    )


def sweep(options: argparse.Namespace, torch: Any, results: dict[str, dict[str, float]]) -> None:
    """Measure the selected rows: call -> seconds of each contender."""
    chosen = [
        (space, row)
        for space in TABLES
        for row in rows(space)
        if not options.only or any(re.search(part, row.call) for part in options.only)
    ]
    raw = inputs(64 if options.quick else 1024)
    for space, row in tracked(chosen, len(chosen), "sweep", "row"):
        with numpy.errstate(all="ignore"):
            results[row.call] = settled(
                contenders(row, space, raw, torch), 0 if options.quick else options.seconds
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="PATTERN", help="calls that a pattern finds")
    parser.add_argument("--over", action="store_true", help="print only what is above the goal")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the whole table there")
    parser.add_argument("--seconds", type=float, default=0.5, help="to measure a row, about")
    parser.add_argument("--quick", action="store_true", help="small and once, to see that it runs")
    options = parser.parse_args()
    # libraries read it when they are loaded
    if any(os.environ.get(name) != "1" for name in THREADS):
        command = [sys.executable, "-m", "benchmarks.sweep", *sys.argv[1:]]
        sys.exit(subprocess.run(command, env={**os.environ, **THREADS}).returncode)

    for space in TABLES:
        for name in missing(space):
            print(f"{space}.{name} is in no table")
    torch = common.peers().get("PyTorch")
    if torch:
        torch.set_num_threads(1)
    results: dict[str, dict[str, float]] = {}
    try:
        sweep(options, torch, results)
    finally:  # show the results even if the run was stopped
        print(f"\n{common.machine([torch] if torch else [])}, one thread\n")
        print(report(results, options.over))
        if options.write:
            options.write.write_text(report(results, over=False) + "\n")


if __name__ == "__main__":
    main()
