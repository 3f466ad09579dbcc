"""What the time of a step is spent on: products, convolutions, other operators, and the rest.

Run it from the root of the repository::

    OMP_NUM_THREADS=1 python -m benchmarks.split [--only STEP ...] [--quick]

The minimum time of a step is measured first, then that of its operators by `gluon.profiler`, in
steps of their own. The rest is Python: blocks, the tape, the `Trainer`. The profiler adds
microseconds to each operator: the shares of steps of less than a millisecond are too large.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

from . import common
from .processes import quickest
from .steps import GOALS

#: The columns, and the operators that belong to them.
GROUPS = {
    "products": {"dot", "batch_dot", "matmul", "fully_connected"},
    "convolutions": {"convolution", "deconvolution"},
    "recurrent": {"lstm_scan", "gru_scan", "rnn_scan"},
    "normalization": {"batch_norm", "layer_norm", "group_norm", "instance_norm"},
    "update": set[str](),  # all whose names end in `_update`
    "other operators": set[str](),
}
#: The duration of each of the two measurements, in seconds.
TURN = 3.0


def group(operator: str) -> str:
    """Return the column of an operator."""
    if operator.endswith("_update"):
        return "update"
    return next((name for name, all_ in GROUPS.items() if operator in all_), "other operators")


def profiled(step: Callable[[], Any], seconds: float) -> dict[str, float]:
    """Return the milliseconds of each column, of the step whose operators took the least."""
    from gluon import profiler

    best: dict[str, float] = {}
    end = perf_counter() + seconds
    while True:
        with profiler.profile() as profile:
            step()
        found = dict.fromkeys(GROUPS, 0.0)
        for row in profile.rows():
            found[group(row.name)] += row.total
        if not best or sum(found.values()) < sum(best.values()):
            best = found
        if perf_counter() > end:
            return best


def report(results: dict[str, tuple[float, dict[str, float]]]) -> str:
    rows = []
    for name, (total, parts) in results.items():
        rest = max(0.0, total - sum(parts.values()))
        shares = [f"{part / total:.0%}" for part in (*parts.values(), rest)]
        rows.append([name, f"{total:.3f}", *shares])
    return common.table(["ms", "step", *GROUPS, "rest"], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two steps of each, to see it run")
    parser.add_argument("--only", nargs="+", default=GOALS, choices=GOALS, help="steps to measure")
    options = parser.parse_args()

    import gluon
    from gluon import autograd, nd
    from gluon._core.kernels import parallel

    from .steps_gluon import steps

    made = steps(nd, autograd, gluon)
    results = {}
    for name in options.only:
        step = made[name]()
        step()
        seconds = 0 if options.quick else TURN
        results[name] = quickest(step, seconds) * 1e3, profiled(step, seconds)
    print(f"\n{common.machine(())}, {parallel.threads()} threads\n")
    print(report(results))


if __name__ == "__main__":
    main()
