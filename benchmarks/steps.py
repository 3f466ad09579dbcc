"""The cost of whole steps, compared with PyTorch: training, inference, an attack, an HVP.

Each step is written as its users write it, in `steps_gluon.py` and `steps_torch.py`, in float32.
Where its Python is named, MXNet 1.9.1 runs the very source that gluon runs. Run it from the root of
the repository::

    python -m benchmarks.steps [--mxnet PATH_TO_PYTHON] [--threads N] [--only STEP ...] [--quick]

Every library works in a process of its own, with the same number of threads, and the processes
take turns.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

import numpy as np

from . import common
from .processes import Maker, measure, work

#: Maps a step to the maximum ratio of gluon to PyTorch.
GOALS = {
    "linreg": 0.7,
    "small_adam": 0.7,
    "hvp": 0.9,
    "mlp": 1.05,
    "mlp_wide": 1.05,
    "elementwise": 1.0,
    "lm": 1.0,
    "lstm": 1.0,
    "transformer": 1.1,
    "lenet": 0.8,
    "fgsm": 0.55,
    "resblock": 0.8,
    **{
        f"{net} {what} {batch}": 1.0
        for net in ("resnet18", "mobilenet")
        for what in ("inference", "training")
        for batch in (1, 32)
    },
}
#: Steps that MXNet does not support: its `dot` has no second-order gradient.
NOT_IN_MXNET = {"hvp"}
#: The duration of a library's turn, in seconds.
TURN = 0.2


def drawn(*shape: int) -> np.ndarray:
    """Return inputs that are the same in every library."""
    return np.random.RandomState(1).rand(*shape).astype("float32")


def labels(n: int, classes: int = 10) -> np.ndarray:
    return np.arange(n) % classes


def with_gluon(threads: int) -> dict[str, Maker]:
    import gluon
    from gluon import autograd, nd

    from .steps_gluon import steps

    return steps(nd, autograd, gluon)


def with_mxnet(threads: int) -> dict[str, Maker]:
    from mxnet import autograd, gluon, nd

    from .steps_gluon import steps

    return steps(nd, autograd, gluon)


def with_torch(threads: int) -> dict[str, Maker]:
    import torch

    from .steps_torch import steps

    torch.set_num_threads(threads)
    return steps()


LIBRARIES = {"gluon": with_gluon, "PyTorch": with_torch, "MXNet": with_mxnet}


def report(results: dict[str, dict[str, float]]) -> str:
    """Return the table, with a column for each measured library."""
    libraries = list(next(iter(results.values())))
    rows = []
    for name, times in results.items():
        absolute = [f"{times[who] * 1e3:.3f}" for who in libraries]
        goals = [GOALS[name] if who == "PyTorch" else None for who in libraries]
        pairs = list(zip(libraries, goals))[1:]
        ratios = [common.ratio(times["gluon"], times[who], goal) for who, goal in pairs]
        rows.append([name, *absolute, *ratios, str(GOALS[name])])
    return common.table(
        ["ms", *libraries, *(f"/ {who}" for who in libraries[1:]), "/ PyTorch, at most"], rows
    )


def pythons(mxnet: str | None) -> dict[str, str]:
    """Return the interpreter of each library."""
    found = {"gluon": sys.executable}
    if "PyTorch" in common.peers():
        found["PyTorch"] = sys.executable
    return {**found, "MXNet": mxnet} if mxnet else found


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each library")
    parser.add_argument("--turns", type=int, default=15, help="of each library, for each step")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", default=GOALS, choices=GOALS, help="steps to measure")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.worker:
        return work(LIBRARIES[options.worker](options.threads))

    names = [name for name in options.only if not (options.mxnet and name in NOT_IN_MXNET)]
    turns = (1, 0) if options.quick else (options.turns, TURN)
    at = pythons(options.mxnet)
    results = measure(at, "benchmarks.steps", options.threads, names, *turns)
    torch = [module for name, module in common.peers().items() if name in at]
    print(f"\n{common.machine(torch)}, {options.threads} threads\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
