"""What a training step costs: linear regression from scratch, a perceptron and LeNet.

The same steps are taken with gluon, with PyTorch and, where its Python is named, with MXNet
1.9.1, which runs the very source that gluon runs. Run it from the root of the repository::

    python -m benchmarks.steps [--mxnet PATH_TO_PYTHON] [--threads N] [--quick]

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

from . import common
from .processes import Maker, measure, work

#: step -> the most that gluon may take, relative to PyTorch.
GOALS = {"linear regression": 0.6, "perceptron": 1.1, "LeNet": 2.5}
#: The operators that the steps spend their time in, forward and backward; they have no goal.
OPERATORS = (
    "dense 128x784 to 256",
    "convolution 1 to 20, 5x5",
    "convolution 20 to 50, 5x5",
    "max pooling 20x24x24",
    "relu 20x24x24",
)
#: How long a library works before the next one has its turn, in seconds.
TURN = 0.2


def pixels(*shape: int) -> np.ndarray:
    """Something like images."""
    return np.random.RandomState(1).rand(*shape).astype("float32")


def labels(n: int) -> np.ndarray:
    return np.arange(n) % 10


# ------------------------------------------------------------------- as users of MXNet write it


def linear_regression(nd: Any, autograd: Any, gluon: Any) -> Callable[[], float]:
    features = nd.array(pixels(10, 2))
    targets = nd.array(pixels(10, 1))
    w, b = nd.array(pixels(2, 1)), nd.zeros((1,))
    w.attach_grad()
    b.attach_grad()

    def step() -> float:
        with autograd.record():
            loss = ((nd.dot(features, w) + b - targets) ** 2 / 2).sum()
        loss.backward()
        for parameter in (w, b):
            parameter -= 0.03 * parameter.grad / 10
        return loss.asscalar()

    return step


def trained(net: Any, images: Any, nd: Any, autograd: Any, gluon: Any) -> Callable[[], float]:
    """One step of SGD on the cross entropy of `net`."""
    net.initialize()
    images, classes = nd.array(images), nd.array(labels(len(images)))
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step() -> float:
        with autograd.record():
            loss = loss_of(net(images), classes)
        loss.backward()
        trainer.step(len(images))
        return loss.mean().asscalar()

    return step


def perceptron(nd: Any, autograd: Any, gluon: Any) -> Callable[[], float]:
    net = gluon.nn.Sequential()
    net.add(
        gluon.nn.Dense(256, activation="relu"),
        gluon.nn.Dense(256, activation="relu"),
        gluon.nn.Dense(10),
    )
    return trained(net, pixels(128, 784), nd, autograd, gluon)


def lenet(nd: Any, autograd: Any, gluon: Any) -> Callable[[], float]:
    net = gluon.nn.Sequential()
    net.add(
        gluon.nn.Conv2D(20, 5, activation="relu"),
        gluon.nn.MaxPool2D(2, 2),
        gluon.nn.Conv2D(50, 5, activation="relu"),
        gluon.nn.MaxPool2D(2, 2),
        gluon.nn.Dense(500, activation="relu"),
        gluon.nn.Dense(10),
    )
    return trained(net, pixels(64, 1, 28, 28), nd, autograd, gluon)


def mxnet_operators(nd: Any, autograd: Any) -> dict[str, Maker]:
    def dense(x: Any, w: Any, b: Any) -> Any:
        return nd.FullyConnected(x, w, b, num_hidden=256)

    def convolution(x: Any, w: Any, b: Any) -> Any:
        return nd.Convolution(x, w, b, kernel=(5, 5), num_filter=w.shape[0])

    def pooling(x: Any) -> Any:
        return nd.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")

    def both_ways(operator: Callable, *shapes: tuple[int, ...]) -> Callable[[], Any]:
        arrays = [nd.array(pixels(*shape)) for shape in shapes]
        for array in arrays:
            array.attach_grad()

        def run() -> Any:
            with autograd.record():
                y = operator(*arrays)
            y.backward()
            nd.waitall()

        return run

    return operators_of(dense, convolution, pooling, nd.relu, both_ways)


def operators_of(
    dense: Callable, convolution: Callable, pooling: Callable, relu: Callable, both_ways: Callable
) -> dict[str, Maker]:
    """The rows `OPERATORS`, each on inputs of the same shapes in every library."""
    runs = (
        partial(both_ways, dense, (128, 784), (256, 784), (256,)),
        partial(both_ways, convolution, (64, 1, 28, 28), (20, 1, 5, 5), (20,)),
        partial(both_ways, convolution, (64, 20, 12, 12), (50, 20, 5, 5), (50,)),
        partial(both_ways, pooling, (64, 20, 24, 24)),
        partial(both_ways, relu, (64, 20, 24, 24)),
    )
    return dict(zip(OPERATORS, runs))


def with_gluon(threads: int) -> dict[str, Maker]:
    import gluon
    from gluon import autograd, nd

    return steps_of(nd, autograd, gluon)


def with_mxnet(threads: int) -> dict[str, Maker]:
    from mxnet import autograd, gluon, nd

    return steps_of(nd, autograd, gluon)


def steps_of(nd: Any, autograd: Any, gluon: Any) -> dict[str, Maker]:
    steps = [partial(make, nd, autograd, gluon) for make in (linear_regression, perceptron, lenet)]
    return {**dict(zip(GOALS, steps)), **mxnet_operators(nd, autograd)}


# ------------------------------------------------------------------ as users of PyTorch write it


def with_torch(threads: int) -> dict[str, Maker]:
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    perceptron = nn.Sequential(
        nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
    )
    lenet = nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Conv2d(20, 50, 5),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.ReLU(),
        nn.Linear(500, 10),
    )
    steps = (
        partial(torch_linear_regression, torch),
        partial(torch_trained, torch, perceptron, pixels(128, 784)),
        partial(torch_trained, torch, lenet, pixels(64, 1, 28, 28)),
    )
    return {**dict(zip(GOALS, steps)), **torch_operators(torch)}


def torch_linear_regression(torch: Any) -> Callable[[], float]:
    features, targets = torch.tensor(pixels(10, 2)), torch.tensor(pixels(10, 1))
    w = torch.tensor(pixels(2, 1), requires_grad=True)
    b = torch.zeros(1, requires_grad=True)

    def step() -> float:
        loss = ((torch.mm(features, w) + b - targets) ** 2 / 2).sum()
        loss.backward()
        with torch.no_grad():
            for parameter in (w, b):
                parameter -= 0.03 * parameter.grad / 10
                parameter.grad = None
        return loss.item()

    return step


def torch_trained(torch: Any, net: Any, images: Any) -> Callable[[], float]:
    images, classes = torch.tensor(images), torch.tensor(labels(len(images)))
    loss_of = torch.nn.CrossEntropyLoss()
    trainer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step() -> float:
        trainer.zero_grad()
        loss = loss_of(net(images), classes)
        loss.backward()
        trainer.step()
        return loss.item()

    return step


def torch_operators(torch: Any) -> dict[str, Maker]:
    def pooling(x: Any) -> Any:
        return torch.nn.functional.max_pool2d(x, 2, 2)

    def both_ways(operator: Callable, *shapes: tuple[int, ...]) -> Callable[[], Any]:
        arrays = [torch.tensor(pixels(*shape), requires_grad=True) for shape in shapes]
        ones = torch.ones_like(operator(*arrays))

        def run() -> None:
            for array in arrays:
                array.grad = None
            operator(*arrays).backward(ones)

        return run

    functional = torch.nn.functional
    return operators_of(functional.linear, torch.conv2d, pooling, torch.relu, both_ways)


# -------------------------------------------------------------------------------- the report

LIBRARIES = {"gluon": with_gluon, "PyTorch": with_torch, "MXNet": with_mxnet}


def report(results: dict[str, dict[str, float]]) -> str:
    """The table."""
    rows = []
    for name, times in results.items():
        absolute = [f"{times[who] * 1e3:.3f}" if who in times else "-" for who in LIBRARIES]
        ours, goal = times["gluon"], GOALS.get(name)
        torch = common.ratio(ours, times.get("PyTorch"), goal)
        mxnet = common.ratio(ours, times.get("MXNet"))
        rows.append([name, *absolute, torch, str(goal or "-"), mxnet])
    return common.table(["ms", *LIBRARIES, "/ PyTorch", "goal", "/ MXNet"], rows)


def main() -> None:
    """Measure and print, or work for a process that does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", metavar="PYTHON", help="the Python of an MXNet 1.9.1 to run too")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each library")
    parser.add_argument("--quick", action="store_true", help="one short turn, to see that it runs")
    rows = (*GOALS, *OPERATORS)
    parser.add_argument("--only", nargs="+", default=rows, choices=rows, help="rows to measure")
    parser.add_argument("--worker", choices=LIBRARIES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return work(LIBRARIES[options.worker](options.threads))

    torch = {name: module for name, module in common.peers().items() if name == "PyTorch"}
    pythons = {"gluon": sys.executable, **dict.fromkeys(torch, sys.executable)}
    if options.mxnet:
        pythons["MXNet"] = options.mxnet
    turns = (1, 0) if options.quick else (15, TURN)
    results = measure(pythons, "benchmarks.steps", options.threads, options.only, *turns)
    print(f"\n{common.machine(torch.values())}, {options.threads} threads\n")
    print(report(results))
    return None


if __name__ == "__main__":
    main()
