"""The cost of `Module.fit`, compared with the same training with blocks, and with MXNet.

Both networks are trained on batches of an `NDArrayIter`, with accuracy as the metric. Where its
Python is named, MXNet 1.9.1 runs the very source that gluon runs. Run it from the root of the
repository::

    python -m benchmarks.modules [--mxnet PATH_TO_PYTHON] [--threads N] [--only NAME ...] [--quick]

Each contender works in a process of its own, with the same number of threads, and the processes
take turns.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from . import common
from .processes import Maker, measure, work

#: The maximum ratio of `Module.fit` to the contender in the column.
GOALS = {"blocks": 1.05, "MXNet": None}
#: The duration of a contender's turn, in seconds.
TURN = 0.5
CLASSES = 10
OPTIMIZER: dict[str, Any] = {"learning_rate": 0.01, "momentum": 0.9}
#: Maps a network to the shape of a batch, and the number of batches in an epoch.
BATCHES: dict[str, tuple[tuple[int, ...], int]] = {
    "mlp small": ((16, 64), 50),
    "mlp": ((128, 784), 20),
    "lenet": ((64, 1, 28, 28), 5),
}
UNITS = {"mlp small": (32,), "mlp": (256, 256), "lenet": (500,)}


def batches(library: Any, name: str) -> Any:
    """Return the iterator over an epoch, the same for every contender."""
    (size, *shape), number = BATCHES[name]
    x = np.random.RandomState(1).rand(size * number, *shape).astype("float32")
    return library.io.NDArrayIter(x, np.arange(len(x)) % CLASSES, batch_size=size)


def composed(sym: Any, name: str) -> Any:
    """Return the network as a symbol."""
    x = sym.var("data")
    if name == "lenet":
        for channels in (20, 50):
            x = sym.Convolution(x, kernel=(5, 5), num_filter=channels)
            x = sym.Activation(x, act_type="relu")
            x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    for units in UNITS[name]:
        x = sym.Activation(sym.FullyConnected(x, num_hidden=units), act_type="relu")
    return sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=CLASSES), name="softmax")


def fitted(library: Any, name: str) -> Callable[[], None]:
    """Train an epoch with `Module.fit`."""
    quiet = logging.Logger("quiet", logging.CRITICAL)
    module = library.module.Module(composed(library.sym, name), logger=quiet)
    data, epochs = batches(library, name), count()

    def epoch() -> None:
        number = next(epochs)
        data.reset()
        module.fit(data, optimizer_params=OPTIMIZER, begin_epoch=number, num_epoch=number + 1)

    return epoch


def blocks(gluon: Any, name: str) -> Any:
    """Return the network of `composed` as blocks, without its loss."""
    nn, net = gluon.nn, gluon.nn.HybridSequential()
    if name == "lenet":
        for channels in (20, 50):
            net.add(nn.Conv2D(channels, 5, activation="relu"), nn.MaxPool2D(2, 2))
    net.add(*(nn.Dense(units, activation="relu") for units in UNITS[name]), nn.Dense(CLASSES))
    return net


def looped(gluon: Any, name: str) -> Callable[[], None]:
    """Train an epoch in a loop over the same network of blocks."""
    net = blocks(gluon, name)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", OPTIMIZER)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    data, accuracy = batches(gluon, name), gluon.metric.Accuracy()

    def epoch() -> None:
        data.reset()
        accuracy.reset()
        for batch in data:
            x, y = batch.data[0], batch.label[0]
            with gluon.autograd.record():
                scores = net(x)
                loss = loss_of(scores, y)
            loss.backward()
            trainer.step(len(x))
            accuracy.update(y, scores)

    return epoch


def makers(make: Callable[[Any, str], Callable[[], None]], library: Any) -> dict[str, Maker]:
    return {name: partial(make, library, name) for name in BATCHES}


def with_modules() -> dict[str, Maker]:
    import gluon

    return makers(fitted, gluon)


def with_blocks() -> dict[str, Maker]:
    import gluon

    return makers(looped, gluon)


def with_mxnet() -> dict[str, Maker]:
    import mxnet

    return makers(fitted, mxnet)


CONTENDERS = {"Module.fit": with_modules, "blocks": with_blocks, "MXNet": with_mxnet}


def report(results: dict[str, dict[str, float]]) -> str:
    """Return the table: milliseconds per batch."""
    first, *others = contenders = list(next(iter(results.values())))
    rows = []
    for name, times in results.items():
        absolute = [f"{times[who] * 1e3 / BATCHES[name][1]:.3f}" for who in contenders]
        ratios = [common.ratio(times[first], times[who], GOALS[who]) for who in others]
        rows.append([name, *absolute, *ratios])
    return common.table(["ms a batch", *contenders, *(f"/ {who}" for who in others)], rows)


def main() -> None:
    """Measure and print, or work as a worker process."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each contender")
    parser.add_argument("--turns", type=int, default=15, help="of each contender, for each network")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    parser.add_argument("--only", nargs="+", default=BATCHES, choices=BATCHES)
    parser.add_argument("--worker", choices=CONTENDERS, help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.worker:
        warnings.simplefilter("ignore")  # MXNet's warning that a module is already bound
        return work(CONTENDERS[options.worker]())

    at = {"Module.fit": sys.executable, "blocks": sys.executable}
    if options.mxnet:
        at["MXNet"] = options.mxnet
    turns = (1, 0) if options.quick else (options.turns, TURN)
    results = measure(at, "benchmarks.modules", options.threads, list(options.only), *turns)
    print(f"\n{common.machine(())}, {options.threads} threads\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
