"""The memory and the time of a chain of layers, with and without `autograd.checkpoint`.

What NumPy allocates is counted by ``tracemalloc``: the peak of a step, forward and backward, above
what was there before it, in arrays of the size of one layer's output.
"""

from __future__ import annotations

import argparse
import gc
import math
import tracemalloc
from collections.abc import Callable

from gluon.progress import tracked

from benchmarks.common import machine, race, table
from gluon import autograd, nd

#: The number of values in the output of a layer.
SIZE = 250_000


def chain(layers: int, segment: int | None) -> Callable[[], object]:
    """Return a training step through a chain of layers, checkpointed in segments."""
    x = nd.random.uniform(-1, 1, shape=(SIZE,))
    w = nd.ones((1,))
    w.attach_grad()

    def run(h, count):
        for _ in range(count):
            h = nd.tanh(h * w)
        return h

    def step():
        with autograd.record():
            h = x
            for start in range(0, layers, segment or layers):
                count = min(segment or layers, layers - start)
                h = autograd.checkpoint(run, h, count) if segment else run(h, count)
        h.backward()
        return w.grad

    return step


def peak(step: Callable[[], object]) -> float:
    """Return the peak memory of a step, in outputs of a layer."""
    step()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    step()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (most - before) / (SIZE * 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="run everything once")
    quick = parser.parse_args().quick
    rows = []
    for layers in tracked((9, 16) if quick else (25, 100, 400), desc="depths"):
        root = math.isqrt(layers)
        steps = {"plain": chain(layers, None), "checkpointed": chain(layers, root)}
        peaks = {name: peak(step) for name, step in steps.items()}
        times = race(steps, rounds=1 if quick else 2)
        rows.append(
            [
                str(layers),
                *(f"{value:.1f}" for value in peaks.values()),
                f"{peaks['checkpointed'] / root:.1f}",
                f"{times['checkpointed'] / times['plain']:.2f}",
            ]
        )
    print(table(["layers", "plain", "checkpointed", "/ √layers", "time / plain"], rows))
    print(f"\n{machine([])}")


if __name__ == "__main__":
    main()
