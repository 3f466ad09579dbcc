"""The cost of the 60 most used operators, at a small and at a large size.

The same calls are made with gluon, with PyTorch and, where its Python is named, with MXNet 1.9.1.
Run it from the root of the repository::

    python -m benchmarks.operators [--mxnet PATH_TO_PYTHON] [--threads N] [--quick]

Every library works in a process of its own, with the same number of threads, and the processes
take turns.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests._core.ops.sample import make

from . import common
from .operator_cases import CASES, Case
from .processes import Maker, measure, work

#: The maximum ratio of gluon at the large size, per peer: the mean of the ratios of the forward
#: pass and of forward with backward.
GOALS = {"PyTorch": 1.2, "MXNet": 1.0}
#: The duration of a library's turn, in seconds.
TURN = 0.03


def rows() -> dict[str, tuple[Case, str, bool]]:
    """Maps the name of a row to (its case, 'small' or 'large', whether backward runs too)."""
    return {
        f"{name} {size}{' backward' * back}": (case, size, back)
        for name, case in CASES.items()
        for size in ("small", "large")
        for back in (False, True)
        if not (back and case.constant)
    }


def inputs(case: Case, size: str) -> list[np.ndarray]:
    return [make(spec, f"{k}") for k, spec in enumerate(getattr(case, size))]


def with_gluon(threads: int) -> dict[str, Maker]:
    from gluon import autograd, nd

    return {name: partial(run_nd, nd, autograd, *row) for name, row in rows().items()}


def with_mxnet(threads: int) -> dict[str, Maker]:
    from mxnet import autograd, nd

    return {name: partial(run_nd, nd, autograd, *row) for name, row in rows().items()}


def run_nd(nd: Any, autograd: Any, case: Case, size: str, back: bool) -> Callable[[], Any]:
    arrays = [nd.array(raw, dtype=raw.dtype) for raw in inputs(case, size)]
    for x in arrays:
        if back and x.dtype == np.float32:
            x.attach_grad()

    def forward() -> None:
        case.nd(nd, *arrays).wait_to_read()

    if not back:
        return forward
    ones = nd.ones_like(case.nd(nd, *arrays))

    def both() -> None:
        with autograd.record():
            y = case.nd(nd, *arrays)
        y.backward(ones)
        nd.waitall()

    return both


def with_torch(threads: int) -> dict[str, Maker]:
    import torch

    torch.set_num_threads(threads)
    return {name: partial(run_torch, torch, *row) for name, row in rows().items()}


def run_torch(torch: Any, case: Case, size: str, back: bool) -> Callable[[], Any]:
    arrays = [torch.tensor(raw) for raw in inputs(case, size)]

    def forward() -> None:
        with torch.no_grad():
            case.torch(torch, *arrays)

    if not back:
        return forward
    variables = [x.requires_grad_() for x in arrays if x.dtype == torch.float32]
    ones = torch.ones_like(case.torch(torch, *arrays))

    def both() -> None:
        for x in variables:
            x.grad = None
        case.torch(torch, *arrays).backward(ones)

    return both


LIBRARIES = {"gluon": with_gluon, "PyTorch": with_torch, "MXNet": with_mxnet}


def report(results: dict[str, dict[str, float]], size: str) -> str:
    """Return the table of one size: gluon's time, and the ratios with and without backward.

    Of the large size it ends with the mean of both ratios, marked where it is above its goal.
    """
    lines = []
    for name in CASES:
        if f"{name} {size}" not in results:
            continue
        cells, ratios = [name], dict[str, list[float]]((who, []) for who in GOALS)
        for back in ("", " backward"):
            times = results.get(f"{name} {size}{back}")
            if times is None:
                cells += ["-"] * 3
                continue
            ours = times["gluon"]
            for who in set(GOALS) & set(times):
                ratios[who].append(ours / times[who])
            cells += [f"{ours * 1e6:.1f}", *(common.ratio(ours, times.get(who)) for who in GOALS)]
        if size == "large":
            cells += [mean_ratio(ratios[who], goal) for who, goal in GOALS.items()]
        lines.append(cells)
    header = ["/ PyTorch", "/ MXNet"]
    means = [f"mean {cell}" for cell in header if size == "large"]
    return common.table([size, "forward µs", *header, "+ backward µs", *header, *means], lines)


def mean_ratio(ratios: list[float], goal: float) -> str:
    return common.ratio(sum(ratios), len(ratios), goal) if ratios else "-"


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each library")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", choices=CASES, help="operators to measure")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(LIBRARIES[options.worker](options.threads))

    torch = {name: module for name, module in common.peers().items() if name == "PyTorch"}
    pythons = {"gluon": sys.executable, **dict.fromkeys(torch, sys.executable)}
    if options.mxnet:
        pythons["MXNet"] = options.mxnet
    names = [name for name in rows() if not options.only or name.split()[0] in options.only]
    turns = (1, 0) if options.quick else (8, TURN)
    results = measure(pythons, "benchmarks.operators", options.threads, names, *turns)
    print(f"\n{common.machine(torch.values())}, {options.threads} threads")
    for size in ("small", "large"):
        print(f"\n{report(results, size)}")
    return None


if __name__ == "__main__":
    main()
