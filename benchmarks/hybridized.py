"""A hybridized block of 200 small operators, forward and backward, in gluon and MXNet.

    python -m benchmarks.hybridized gluon
    PATH_TO_A_PYTHON_WITH_MXNET benchmarks/hybridized.py mxnet

The script of the user is the same in both: MXNet's, with `hybridize()`.
"""

from __future__ import annotations

import importlib
import sys
import time

RUNS, TURNS = 300, 9


def chain(gluon, nd, autograd):
    """A step: the block on 16 numbers, its sum, and the gradient."""

    class Chain(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            y = x
            for _ in range(50):
                y = F.tanh(y * 0.9 + x) - 0.1
            return y

    net = Chain()
    net.hybridize()
    x = nd.array([k / 16 for k in range(16)])
    x.attach_grad()

    def step():
        with autograd.record():
            y = net(x)
        y.backward()
        return x.grad.asnumpy()[0]

    return step


def main(library: str) -> None:
    """Print the time of a step in microseconds: the best of some turns."""
    if library == "mxnet":
        from mxnet import autograd, gluon, nd
    else:
        gluon, nd, autograd = map(importlib.import_module, ("gluon", "gluon.nd", "gluon.autograd"))
    step = chain(gluon, nd, autograd)
    for _ in range(300):
        step()
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        for _ in range(RUNS):
            value = step()
        times.append((time.perf_counter() - start) / RUNS * 1e6)
    print(f"{library}: {min(times):.0f} us a step; gradient {value:.6f}")


if __name__ == "__main__":
    main(sys.argv[1])
