"""The cost of compiled steps: `gluon.jit` beside eager gluon, `jax.jit` and `torch.compile`.

The steps are those of `steps.py`, with two more: `chain`, 200 small operators, and `cells`, an
unrolled LSTM cell. `hybridize` is gluon with the blocks and losses hybridized, and nothing else
changed; with `--mxnet`, MXNet runs the same source. Each library works in a process of its own, on
as many processors as threads. Run it from the root of the repository::

    python -m benchmarks.compiled [--jax PYTHON] [--torch PYTHON] [--mxnet PYTHON] [--threads N]
                                  [--only STEP ...] [--without LIBRARY ...]

A library without its Python is left out. `torch.compile` needs a C++ compiler.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from functools import partial
from typing import Any

from . import common
from .processes import Maker, measure, work
from .steps import drawn

#: Maps a step to the maximum ratio of `gluon.jit` to `jax.jit`.
GOALS = {
    "chain": 1.2,
    "linreg": 0.3,
    "small_adam": 0.6,
    "hvp": 1.0,
    "cells": 0.5,
    "mlp": 0.9,
    "elementwise": 0.7,
    "lenet": 0.45,
    "fgsm": 0.45,
    "lstm": 0.5,
    "transformer": 0.6,
}
#: The maximum ratio of `gluon.jit` to `torch.compile`.
TO_TORCH = 0.8
#: Steps without blocks.
PLAIN = {"chain", "linreg", "hvp", "elementwise"}
#: Steps that a library cannot compile: `torch.compile` has no second-order gradient.
LACKS = {"torch.compile": {"hvp"}, "hybridize": PLAIN, "MXNet": PLAIN}
#: The duration of a library's turn, in seconds.
TURN = 0.2


def chain(library: Any, count: int = 200) -> Any:
    nd, autograd = library.nd, library.autograd
    x = nd.array(drawn(16))
    x.attach_grad()

    def step(x: Any) -> Any:
        with autograd.record():
            y = x
            for _ in range(count // 2):
                y = y * 1.01 + x
        y.backward()
        return y

    run = library.compiled(step)
    return lambda: run(x).asnumpy()


def cells(library: Any, count: int = 20) -> Any:
    autograd, gluon = library.autograd, library.gluon
    cell = gluon.rnn.LSTMCell(64, input_size=32)
    cell.initialize()
    library.hybridize(cell)
    x = library.nd.array(drawn(count, 8, 32))
    trainer = gluon.Trainer(cell.collect_params(), "sgd", {"learning_rate": 0.01})

    def step(x: Any) -> Any:
        with autograd.record():
            outputs, _ = cell.unroll(count, x, layout="TNC", merge_outputs=True)
            loss = (outputs**2).mean()
        loss.backward()
        trainer.step(1)
        return loss

    run = library.compiled(step)
    return lambda: run(x).asscalar()


def with_gluon(nd: Any, autograd: Any, gluon: Any, **how: Any) -> dict[str, Maker]:
    from .steps_gluon import library_of, steps

    library = library_of(nd, autograd, gluon, **how)
    more: dict[str, Maker] = {"chain": partial(chain, library), "cells": partial(cells, library)}
    return {**steps(nd, autograd, gluon, **how), **more}


def hybridize(block: Any) -> None:
    block.hybridize()


def eager(threads: int) -> dict[str, Maker]:
    import gluon

    return with_gluon(gluon.nd, gluon.autograd, gluon)


def jitted(threads: int) -> dict[str, Maker]:
    import gluon

    return with_gluon(gluon.nd, gluon.autograd, gluon, compiled=gluon.jit)


def hybridized(threads: int) -> dict[str, Maker]:
    import gluon

    return with_gluon(gluon.nd, gluon.autograd, gluon, hybridize=hybridize)


def with_mxnet(threads: int) -> dict[str, Maker]:
    from mxnet import autograd, gluon, nd

    return with_gluon(nd, autograd, gluon, hybridize=hybridize)


def with_jax(threads: int) -> dict[str, Maker]:
    from .compiled_jax import steps

    return steps()


def with_torch(threads: int) -> dict[str, Maker]:
    from .compiled_torch import steps

    return steps(threads)


LIBRARIES = {
    "gluon": eager,
    "gluon.jit": jitted,
    "hybridize": hybridized,
    "jax.jit": with_jax,
    "torch.compile": with_torch,
    "MXNet": with_mxnet,
}


def report(results: dict[str, dict[str, float]]) -> str:
    """Return the table, with a column for each measured library."""
    libraries = list(dict.fromkeys(who for times in results.values() for who in times))
    others = [who for who in libraries if who != "gluon.jit"]
    pairs = [("gluon.jit", who) for who in others if who not in ("hybridize", "MXNet")]
    pairs += [("hybridize", who) for who in ("gluon", "MXNet") if {"hybridize", who} <= {*others}]
    rows = []
    for name, times in results.items():
        absolute = [f"{times[who] * 1e6:,.0f}" if who in times else "-" for who in libraries]
        goals = {"jax.jit": GOALS[name], "torch.compile": TO_TORCH}
        ratios = [
            common.ratio(times[one], times.get(who), goals.get(who) if one == "gluon.jit" else None)
            if one in times
            else "-"
            for one, who in pairs
        ]
        rows.append([name, *absolute, *ratios, str(GOALS[name])])
    heads = [f"{one} / {who}" for one, who in pairs]
    return common.table(["µs", *libraries, *heads, "gluon.jit / jax.jit, at most"], rows)


def pythons(jax: str, torch: str, mxnet: str | None = None) -> dict[str, str]:
    """Return the interpreter of each library that there is; print a note on each other one."""
    found = dict.fromkeys(("gluon", "gluon.jit", "hybridize"), sys.executable)
    for who, python, module in (("jax.jit", jax, "jax"), ("torch.compile", torch, "torch")):
        has = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
        if has.returncode:
            print(f"{who} is left out: {python} has no {module}.")
        elif module == "torch" and not (shutil.which("g++") or shutil.which("clang++")):
            print(f"{who} is left out: it needs a C++ compiler.")
        else:
            found[who] = python
    return {**found, "MXNet": mxnet} if mxnet else found


def alone_on(threads: int) -> None:
    """Let this process use so many processors: no library starts more threads then."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--jax", metavar="PYTHON", default=sys.executable, help="one with JAX")
    parser.add_argument("--torch", metavar="PYTHON", default=sys.executable, help="with PyTorch")
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each library")
    parser.add_argument("--turns", type=int, default=10, help="of each library, for each step")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", default=GOALS, choices=GOALS, help="steps to measure")
    parser.add_argument("--without", nargs="+", default=(), choices=LIBRARIES, help="libraries")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.worker:
        alone_on(options.threads)
        return work(LIBRARIES[options.worker](options.threads))

    turns = (1, 0) if options.quick else (options.turns, TURN)
    at = {
        who: python
        for who, python in pythons(options.jax, options.torch, options.mxnet).items()
        if who not in options.without
    }
    results = measure(at, "benchmarks.compiled", options.threads, options.only, *turns, LACKS)
    print(f"\n{common.machine([])}, {options.threads} threads\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
