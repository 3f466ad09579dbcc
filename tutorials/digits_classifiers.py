"""Four classifiers for the same handwritten digits: what each further idea buys.

Softmax regression draws one plane per digit. The multilayer perceptron bends the planes. LeNet
looks at neighbouring pixels with the same small filters everywhere. The residual network stacks
more of them; each block adds a correction to what it was given, so the gradient has a short way
back. All four see the same 1,437 pictures of 8 x 8 pixels, which come with scikit-learn, and are
measured on 360 others.

    python tutorials/digits_classifiers.py [--epochs 15] [--output digits_classifiers.png]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

# The matrices are small: threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn
from gluon.data import ArrayDataset, DataLoader

matplotlib.use("Agg")
from matplotlib import pyplot as plt

BATCH = 64
HELD_OUT = 360


def softmax_regression() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(10))
    return net


def perceptron() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(128, activation="relu"), nn.Dropout(0.2), nn.Dense(10))
    return net


def lenet() -> nn.HybridSequential:
    """LeNet for pictures this small: both convolutions padded, tanh replaced by relu."""
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(16, kernel_size=3, padding=1, activation="relu"),
        nn.MaxPool2D(),
        nn.Conv2D(32, kernel_size=3, padding=1, activation="relu"),
        nn.MaxPool2D(),
        nn.Dense(84, activation="relu"),
        nn.Dropout(0.2),
        nn.Dense(10),
    )
    return net


class Residual(nn.HybridBlock):
    """relu(x + f(x)), where f is two convolutions, each normalized.

    With stride 2 the block halves the picture, and a 1 x 1 convolution makes x fit f(x).
    """

    def __init__(self, channels: int, stride: int = 1, **kwargs) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.correction = nn.HybridSequential()
            self.correction.add(
                nn.Conv2D(channels, kernel_size=3, strides=stride, padding=1, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.Conv2D(channels, kernel_size=3, padding=1, use_bias=False),
                nn.BatchNorm(),
            )
            self.shortcut = nn.Conv2D(channels, 1, strides=stride) if stride > 1 else None

    def hybrid_forward(self, F, x: nd.NDArray) -> nd.NDArray:
        same = x if self.shortcut is None else self.shortcut(x)
        return F.relu(same + self.correction(x))


def resnet() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(16, kernel_size=3, padding=1, use_bias=False),
        nn.BatchNorm(),
        nn.Activation("relu"),
        Residual(16),
        Residual(32, stride=2),
        Residual(32),
        nn.GlobalAvgPool2D(),
        nn.Dense(10),
    )
    return net


#: For each classifier: how it is built, its learning rate, and the accuracy that it must reach.
CLASSIFIERS = {
    "softmax regression": (softmax_regression, 0.05, 0.94),
    "perceptron": (perceptron, 0.01, 0.96),
    "LeNet": (lenet, 0.01, 0.97),
    "ResNet": (resnet, 0.01, 0.98),
}
COLOURS = dict(zip(CLASSIFIERS, ("#7f7f7f", "#e08214", "#2166ac", "#1b7837")))


def load() -> tuple[ArrayDataset, nd.NDArray, nd.NDArray]:
    """The digits to train on, and those held out: pictures from 0 to 1 and labels."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    pictures = nd.array(digits.images[order, None] / 16)
    labels = nd.array(digits.target[order])
    train = ArrayDataset(pictures[HELD_OUT:], labels[HELD_OUT:])
    return train, pictures[:HELD_OUT], labels[:HELD_OUT]


def accuracy(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> float:
    return (net(x).argmax(axis=1) == label).mean().asscalar()


def parameters(net: nn.HybridSequential) -> int:
    """How many numbers training adjusts."""
    return sum(p.data().size for p in net.collect_params().values() if p.grad_req != "null")


def train(
    net: nn.HybridSequential,
    samples: ArrayDataset,
    held_out: tuple[nd.NDArray, nd.NDArray],
    rate: float,
    epochs: int,
    progress: tqdm,
) -> list[tuple[float, float]]:
    """Train the network; return the mean loss and the accuracy held out, for each epoch."""
    net.initialize(gluon.init.Xavier())
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    loader = DataLoader(samples, batch_size=BATCH, shuffle=True)
    # A cosine from the first rate to 0 needs no choice of when to lower it.
    steps = epochs * len(loader)
    schedule = gluon.lr_scheduler.CosineScheduler(steps, base_lr=rate)
    options = {"learning_rate": rate, "lr_scheduler": schedule}
    trainer = gluon.Trainer(net.collect_params(), "adam", options)
    history = []
    for _ in range(epochs):
        total = 0.0
        for x, label in loader:
            with autograd.record():
                loss = cross_entropy(net(x), label)
            loss.backward()
            trainer.step(batch_size=len(x))
            total += loss.sum().asscalar()
            progress.update()
        history.append((total / len(samples), accuracy(net, *held_out)))
        progress.set_postfix(loss=f"{history[-1][0]:.4f}", accuracy=f"{history[-1][1]:.1%}")
    return history


def draw_curves(axis, curves: dict[str, list[float]]) -> None:
    for name, values in curves.items():
        axis.plot(range(1, len(values) + 1), values, color=COLOURS[name], label=name, lw=1.8)
    axis.set_xlabel("epoch")
    axis.grid(color="0.92")
    axis.spines[["top", "right"]].set_visible(False)


def draw(
    histories: dict[str, list], nets: dict, x: nd.NDArray, label: nd.NDArray, path: Path
) -> None:
    """The loss in training, the errors on the digits held out, and the hardest of those."""
    figure = plt.figure(figsize=(11, 6.4), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=(2.4, 1))
    left, right = upper.subplots(1, 2)
    draw_curves(left, {name: [loss for loss, _ in rows] for name, rows in histories.items()})
    left.set(yscale="log", title="Cross-entropy on the digits trained on")
    left.legend(frameon=False)
    errors = {
        name: [100 * (1 - reached) for _, reached in history] for name, history in histories.items()
    }
    draw_curves(right, errors)
    right.set(ylim=(0, 12), title="Errors on the digits held out (%)")

    said = {name: net(x).argmax(axis=1).asnumpy().astype(int) for name, net in nets.items()}
    truth = label.asnumpy().astype(int)
    misses = np.sum([answer != truth for answer in said.values()], axis=0)
    hardest = np.argsort(-misses, kind="stable")[:8]
    lower.suptitle(
        "The digits that most of the four get wrong, and what each says (errors in bold)"
    )
    for axis, number in zip(lower.subplots(1, len(hardest)), hardest):
        axis.imshow(x[int(number), 0].asnumpy(), cmap="gray_r")
        axis.set_title(f"a {truth[number]}", fontsize=11)
        answers = [answer[number] for answer in said.values()]
        axis.set_yticks([])
        axis.set_xticks(np.linspace(0.5, 6.5, len(answers)), answers, fontsize=11)
        axis.tick_params(length=0)
        for text, answer, colour in zip(axis.get_xticklabels(), answers, COLOURS.values()):
            text.set(color=colour, weight="normal" if answer == truth[number] else "bold")
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_name("digits_classifiers.png")
    )
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    np.random.seed(0)  # noqa: NPY002  (the order in which DataLoader shuffles)
    samples, x, label = load()
    nets = {name: build() for name, (build, *_) in CLASSIFIERS.items()}
    batches = -(-len(samples) // BATCH)
    progress = tqdm(total=len(nets) * options.epochs * batches, unit="batch")
    histories = {}
    for name, net in nets.items():
        progress.set_description(name)
        rate = CLASSIFIERS[name][1]
        histories[name] = train(net, samples, (x, label), rate, options.epochs, progress)
    progress.close()

    print(f"\n{'':<20}{'parameters':>12}{'loss':>10}{'held out':>10}{'wanted':>10}")
    short = []
    for name, (*_, wanted) in CLASSIFIERS.items():
        loss, reached = histories[name][-1]
        count = parameters(nets[name])
        print(f"{name:<20}{count:>12,}{loss:>10.4f}{reached:>10.1%}{wanted:>10.0%}")
        if reached < wanted:
            short.append(f"{name} should reach an accuracy of {wanted:.0%}, not {reached:.1%}")
    draw(histories, nets, x, label, options.output)
    print(f"\nwrote {options.output} after {time.perf_counter() - started:.0f} s")
    for line in short:
        print(line, file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
