"""Shared by the programs: numbers that are the same in every library, training, results."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable
from typing import NamedTuple

import matplotlib as mpl

mpl.use("agg")

import mxnet as mx
import numpy
from d2l import mxnet as d2l
from mxnet import np, npx

npx.set_np()
# d2l initializes some networks twice, and some of its axes end where they begin.
warnings.filterwarnings("ignore", ".*initialized|.*identical low and high")


class Result(NamedTuple):
    """The result of training a class: the loss before and after, and the accuracy."""

    before: float
    after: float
    accuracy: float | None = None


#: The programs by the names of the classes and functions they show.
PROGRAMS: dict[str, Callable[[], Result]] = {}


def program(name: str) -> Callable:
    """Register a function in `PROGRAMS`."""

    def enter(function: Callable[[], Result]) -> Callable[[], Result]:
        PROGRAMS[name] = function
        return function

    return enter


def run(name: str) -> Result:
    """Return the result of a program, which starts from the same random numbers each time."""
    random.seed(0)
    reseed()
    mx.random.seed(0)
    result = PROGRAMS[name]()
    d2l.plt.close("all")
    return result


def reseed() -> None:
    """Seed NumPy's generator, which shuffles the data of loaders."""
    numpy.random.seed(0)  # noqa: NPY002


def generator(seed: int) -> numpy.random.RandomState:
    """NumPy's legacy generator, which returns the same numbers in every version."""
    return numpy.random.RandomState(seed)


def normal(seed: int, *shape: int, scale: float = 1.0):
    """An array of `np` of normal numbers."""
    return np.array(generator(seed).normal(0, scale, shape).astype("float32"))


def settle(net, seed: int = 1, gain: float = 1) -> None:
    """Give weights values that are the same in every library; their shapes must be known."""
    rng = generator(seed)
    for name, parameter in net.collect_params().items():
        if name.endswith(("weight", "pos_embedding")):
            limit = gain * math.sqrt(3 * parameter.shape[0] / math.prod(parameter.shape))
            values = rng.uniform(-limit, limit, parameter.shape)
            parameter.set_data(np.array(values.astype("float32")))


def redrawn_alike(net, *inputs) -> None:
    """Initialize a network for these inputs. Initializing it again gives the same weights."""
    net.initialize()
    net(*inputs)
    settle(net)
    net.initialize = lambda *args, **kwargs: settle(net)


def settle_scratch(model, seed: int = 1, scale: float = 0.1) -> None:
    """The same for a model whose parameters are arrays.

    Vectors, which are biases, do not change.
    """
    rng = generator(seed)
    for array in model.get_scratch_params():
        if array.ndim > 1:
            array[:] = np.array(rng.normal(0, scale, array.shape).astype("float32"))


def evaluate(model, loader) -> tuple[float, float | None]:
    """The loss and, for classifiers, the accuracy over the batches of a loader."""
    losses, right = [], []
    for batch in loader:
        answer = model(*batch[:-1])
        losses.append(float(model.loss(answer, batch[-1])))
        if isinstance(model, d2l.Classifier):
            right.append(float(model.accuracy(answer, batch[-1])))
    return sum(losses) / len(losses), sum(right) / len(right) if right else None


def fit(model, data, epochs: int, clip=0.0, plot=False, settled=False, gain=1.0) -> Result:
    """Train with the trainer of d2l; the loss and accuracy are those of the validation set."""
    model.board.display = plot
    loader = data.val_dataloader()
    evaluate(model, loader)
    if not settled:
        settle(model, gain=gain)
    before, _ = evaluate(model, loader)
    reseed()
    d2l.Trainer(max_epochs=epochs, gradient_clip_val=clip).fit(model, data)
    return Result(before, *evaluate(model, loader))
