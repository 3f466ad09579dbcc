"""The cost of derivatives of functions and of vmap, compared with torch.func, JAX and HIPS.

The rows are in `func_rows.py`, in float32, without compiling; `func_gluon.py`, `func_torch.py`,
`func_jax.py` and `func_hips.py` have the names of each library. Run it from the root of the
repository::

    python -m benchmarks.func [--torch PYTHON] [--jax PYTHON] [--hips PYTHON] [--threads N]

Every library works in a process of its own, with the same number of threads, and the processes
take turns.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from math import isfinite
from typing import Any

from . import common
from .processes import Maker, measure, work

#: Maps a row to the row that it is a multiple of, and to the maximum of that multiple.
ROWS: dict[str, tuple[str, float] | None] = {
    "mlp": None,
    "mlp jvp": ("mlp", 2.5),
    "elementwise": None,
    "elementwise jvp": ("elementwise", 2.5),
    "elementwise 16": None,
    "elementwise 16 jvp": ("elementwise 16", 2.5),
    "softmax": None,
    "softmax jvp": ("softmax", 2.5),
    "log_softmax": None,
    "log_softmax jvp": ("log_softmax", 2.5),
    "layer_norm": None,
    "layer_norm jvp": ("layer_norm", 2.5),
    "amax": None,
    "amax jvp": ("amax", 2.5),
    "cnn": None,
    "cnn jvp": ("cnn", 2.5),
    "jacfwd 8 to 64": None,
    "jacrev 64 to 8": None,
    "hessian 16": None,
    "vmap mlp": ("mlp", 1.5),
    "vmap distances": None,
    "mlp gradient": None,
    "mlp per example": ("mlp gradient", 3.0),
    "cnn gradient": None,
    "cnn per example": ("cnn gradient", 3.0),
}
#: The libraries, with the module that each needs and the one that has its rows.
LIBRARIES = {
    "gluon": ("gluon", "func_gluon"),
    "torch.func": ("torch", "func_torch"),
    "JAX": ("jax", "func_jax"),
    "HIPS": ("autograd", "func_hips"),
}
#: The duration of a library's turn, in seconds.
TURN = 0.2


def pythons(options: Any) -> dict[str, str]:
    """Return the interpreter of each library; print a note on each other one."""
    found = {}
    for who, (module, _) in LIBRARIES.items():
        given = getattr(options, who.split(".")[0].lower(), None)
        if given or find_spec(module):
            found[who] = given or sys.executable
        else:
            print(f"{who} is left out: `pip install {module}` to compare with it.")
    return found


def report(results: dict[str, dict[str, float]]) -> str:
    """Return the table, with a column for each measured library."""
    libraries = list(next(iter(results.values())))
    peers = libraries[1:]
    rows = []
    for name, times in results.items():
        known = {who: time for who, time in times.items() if isfinite(time)}
        base = ROWS[name]
        cells = [f"{known[who] * 1e3:.3f}" if who in known else "-" for who in libraries]
        cells += [common.ratio(known["gluon"], known.get(who)) for who in peers]
        for who in libraries:
            below = results[base[0]][who] if base and base[0] in results else None
            goal = base[1] if base and who == "gluon" else None
            cells.append(common.ratio(known[who], below, goal) if who in known else "-")
        rows.append([name, *cells])
    header = ["ms", *libraries, *(f"/ {who}" for who in peers), *(f"x {who}" for who in libraries)]
    return common.table(header, rows)


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    for name in ("torch", "jax", "hips"):
        parser.add_argument(f"--{name}", metavar="PYTHON", help=f"the Python that has {name}")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each library")
    parser.add_argument("--turns", type=int, default=12, help="of each library, for each row")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", default=ROWS, choices=ROWS, help="rows to measure")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.worker:
        module = import_module(f".{LIBRARIES[options.worker][1]}", __package__)
        made: dict[str, Maker] = module.makers(options.threads)
        return work(made)

    turns = (1, 0) if options.quick else (options.turns, TURN)
    at = pythons(options)
    results = measure(at, "benchmarks.func", options.threads, options.only, *turns)
    print(f"\n{common.machine([])}, {options.threads} threads\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
