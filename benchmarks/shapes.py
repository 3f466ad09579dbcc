"""Neural network functions in many shapes, compared with PyTorch, with one thread.

Forward without recording, then forward and backward. Run it from the root of the repository::

    python -m benchmarks.shapes [--only PATTERN ...] [--over] [--quick]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy
from gluon.progress import tracked

from gluon import autograd, loss, nd, np, npx
from gluon._core.arrays.rebind import is_recorded

from . import common
from .shape_cases import CASES

#: The maximum ratio of gluon to PyTorch.
GOAL = 3.0
#: The approximate time of measuring a contender, in seconds.
SECONDS = 0.3
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Case(NamedTuple):
    """The inputs of a call by name, as in the table, the call, and PyTorch's call."""

    inputs: dict[str, str]
    gluon: str
    torch: str

    @property
    def name(self) -> str:
        shapes = ", ".join(spec.split()[0] for spec in self.inputs.values())
        return f"`{self.gluon}` of {shapes}".replace("|", "\\|")


def cases() -> list[Case]:
    """Return the cases in the table."""
    lines = re.sub(r"\n +", " ", CASES.strip()).split("\n")
    found = []
    for line in lines:
        inputs, gluon, torch = (cell.strip() for cell in line.split(" | "))
        pairs = (one.split(": ") for one in inputs.split(", "))
        found.append(Case(dict(pairs), gluon, torch))
    return found


# --------------------------------------------------------------------------------- inputs


def _bounded(rng: Any, shape: tuple, n: int) -> Any:
    return rng.integers(0, n, shape)


def _symmetric(rng: Any, shape: tuple, n: int) -> Any:
    x = rng.normal(size=shape)
    return (x + x.swapaxes(-1, -2)) / 2 + numpy.eye(shape[-1]) * 4 * shape[-1] ** 0.5


#: Maps a kind to ``kind(rng, shape, the number after its name)``.
KINDS: dict[str, Callable] = {
    "normal": lambda rng, shape, n: rng.normal(size=shape),
    "positive": lambda rng, shape, n: abs(rng.normal(size=shape)) + 0.5,
    "bools": lambda rng, shape, n: rng.integers(0, 2, shape),
    "signs": lambda rng, shape, n: rng.integers(0, 2, shape) * 2 - 1,
    "index": _bounded,
    "unique": lambda rng, shape, n: rng.permutation(n)[: shape[0]],
    "spd": _symmetric,
    "grid": lambda rng, shape, n: numpy.clip(rng.normal(size=shape) / 2, -1.2, 1.2),
    "small": lambda rng, shape, n: rng.normal(size=shape) * 0.1 + [1, 0, 0, 0, 1, 0],
}


def make(spec: str) -> numpy.ndarray:
    """Create the array of a specification, the same in each run."""
    sides, *words = spec.split()
    shape = tuple(int(n) for n in sides.split("x"))
    dtype = words.pop() if words and words[-1] in ("int32", "int64") else "float32"
    kind, n = re.fullmatch(r"(\D+)(\d*)", words[0] if words else "normal").groups()  # type: ignore
    return KINDS[kind](numpy.random.default_rng(1), shape, int(n or 0)).astype(dtype)


# ------------------------------------------------------------------------------ libraries


def with_gluon(case: Case) -> list[Callable]:
    """Return forward, and forward with backward if there is a gradient."""
    module = nd if case.gluon.startswith(("nd.", "loss.")) else np
    raws = {name: make(spec) for name, spec in case.inputs.items()}
    values: dict[str, Any] = {n: module.array(r, dtype=r.dtype) for n, r in raws.items()}
    spaces = {"nd": nd, "np": np, "npx": npx, "loss": loss}
    forward = eval(f"lambda: {case.gluon}", {**spaces, **values})
    marked = {name: x.copy() for name, x in values.items()}
    for x in marked.values():
        if numpy.dtype(x.dtype).kind == "f":
            x.attach_grad()
    recorded = eval(f"lambda: {case.gluon}", {**spaces, **marked})

    def first() -> Any:
        y = recorded()
        return y[0] if isinstance(y, (tuple, list)) else y

    with autograd.record():
        y = first()
        ones, has_gradient = module.ones_like(y), is_recorded(y)

    def both() -> None:
        with autograd.record():
            y = first()
        y.backward(ones)

    def training() -> None:
        with autograd.train_mode():
            forward()

    return [training, both] if has_gradient else [training]


def with_torch(case: Case, torch: Any) -> list[Callable]:
    """Return the same for PyTorch."""
    spaces = {"torch": torch, "F": torch.nn.functional}
    values = {name: torch.from_numpy(make(spec)) for name, spec in case.inputs.items()}
    plain = eval(f"lambda: {case.torch}", {**spaces, **values})
    marked = {
        name: x.clone().requires_grad_(x.dtype == torch.float32) for name, x in values.items()
    }
    recorded = eval(f"lambda: {case.torch}", {**spaces, **marked})
    y = recorded()
    ones = torch.ones_like(y)

    def forward() -> None:
        with torch.no_grad():
            plain()

    def both() -> None:
        for x in marked.values():
            x.grad = None
        recorded().backward(ones)

    return [forward, both] if y.requires_grad else [forward]


# ------------------------------------------------------------------------------ measuring


def measured(runs: dict[str, Callable], quick: bool) -> dict[str, float]:
    """Return the minimum seconds of each contender; they take turns."""
    start = perf_counter()
    for run in runs.values():
        run()
    turn = (perf_counter() - start) * common.CALLS
    return common.race(runs, 1 if quick else max(2, min(40, int(2 * SECONDS / turn))))


def cells(case: Case, torch: Any, quick: bool) -> list[str]:
    """Return the row of a case."""
    ours, theirs = with_gluon(case), with_torch(case, torch)
    found = [case.name]
    for gluon, peer in zip(ours, theirs):
        best = measured({"gluon": gluon, "PyTorch": peer}, quick)
        found += [
            f"{best['gluon'] * 1e6:.0f}",
            common.ratio(best["gluon"], best["PyTorch"], GOAL),
        ]
    return found + ["-"] * (5 - len(found))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="PATTERN", help="calls that a pattern finds")
    parser.add_argument("--over", action="store_true", help="print only what is above the goal")
    parser.add_argument("--quick", action="store_true", help="once, to see that it runs")
    options = parser.parse_args()
    # libraries read it when they are loaded
    if any(os.environ.get(name) != "1" for name in THREADS):
        command = [sys.executable, "-m", "benchmarks.shapes", *sys.argv[1:]]
        sys.exit(subprocess.run(command, env={**os.environ, **THREADS}).returncode)
    torch = common.peers().get("PyTorch")
    if torch is None:
        return
    torch.set_num_threads(1)
    chosen = [
        case
        for case in cases()
        if not options.only or any(re.search(part, case.gluon) for part in options.only)
    ]
    rows = [cells(case, torch, options.quick) for case in tracked(chosen, len(chosen), "shapes")]
    print(f"\n{common.machine([torch])}, one thread\n")
    header = ["call", "forward µs", "/ PyTorch", "+ backward µs", "/ PyTorch"]
    over = [row for row in rows if not options.over or any(cell.endswith("!") for cell in row)]
    print(common.table(header, over))


if __name__ == "__main__":
    main()
