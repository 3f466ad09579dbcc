"""Two networks learn from each other: one forges handwritten digits, the other finds the forgeries.

The generator turns random numbers into pictures with transposed convolutions, which double height
and width at each step. The discriminator goes the same way back with convolutions, to one number:
how real a picture looks. Each batch, the discriminator learns to tell real from forged, and then
the generator learns from the discriminator's gradient what would have looked more real.

Neither loss says how good the pictures are. So a third network, trained to read real digits, reads
the forged ones: good ones look like some digit (it is sure of each), and all digits occur (the
mean over all pictures is not). Its score is exp of the mutual information of picture and digit: 1
for noise or for one digit forever, 10 at best.

    python tutorials/dcgan_digits.py [--epochs 24] [--output dcgan_digits.png]
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

CODE = 32
BATCH = 64
READER_EPOCHS = 8
WANTED = 5.5


def load() -> ArrayDataset:
    """The digits: pictures from -1 (paper) to 1 (ink), as tanh gives them, and labels."""
    digits = load_digits()
    return ArrayDataset(nd.array(digits.images[:, None] / 8 - 1), nd.array(digits.target))


def generator() -> nn.HybridSequential:
    """From (batch, CODE, 1, 1) to (batch, 1, 8, 8)."""
    net = nn.HybridSequential(prefix="generator_")
    with net.name_scope():
        net.add(
            nn.Conv2DTranspose(48, kernel_size=2, use_bias=False),  # 2 x 2
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.Conv2DTranspose(24, kernel_size=4, strides=2, padding=1, use_bias=False),  # 4 x 4
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.Conv2DTranspose(1, kernel_size=4, strides=2, padding=1, activation="tanh"),  # 8 x 8
        )
    return net


def discriminator() -> nn.HybridSequential:
    """From (batch, 1, 8, 8) to (batch, 1): the logit of being real."""
    net = nn.HybridSequential(prefix="discriminator_")
    with net.name_scope():
        net.add(
            nn.Conv2D(24, kernel_size=4, strides=2, padding=1),  # 4 x 4
            nn.LeakyReLU(0.2),
            nn.Conv2D(48, kernel_size=4, strides=2, padding=1, use_bias=False),  # 2 x 2
            nn.BatchNorm(),
            nn.LeakyReLU(0.2),
            nn.Dense(1),
        )
    return net


def reader() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="reader_")
    with net.name_scope():
        net.add(
            nn.Conv2D(16, kernel_size=3, padding=1, activation="relu"),
            nn.MaxPool2D(),
            nn.Dense(64, activation="relu"),
            nn.Dense(10),
        )
    return net


def train_reader(net: nn.HybridSequential, loader: DataLoader) -> None:
    net.initialize(gluon.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(READER_EPOCHS):
        for x, label in loader:
            with autograd.record():
                loss = cross_entropy(net(x), label)
            loss.backward()
            trainer.step(batch_size=len(x))


def score(reading: nn.HybridSequential, pictures: nd.NDArray) -> float:
    share = reading(pictures).softmax()
    overall = share.mean(axis=0, keepdims=True)
    return nd.exp((share * nd.log((share + 1e-9) / overall)).sum(axis=1).mean()).asscalar()


def noise(count: int) -> nd.NDArray:
    return nd.random.normal(shape=(count, CODE, 1, 1))


class Pair:
    """Both networks with their trainers, and one step of each."""

    def __init__(self, rate: float) -> None:
        self.forge, self.judge = generator(), discriminator()
        self.trainers = {}
        for net in (self.forge, self.judge):
            net.initialize(gluon.init.Normal(0.02))
            # beta1 is low because what the other network wants changes all the time.
            options = {"learning_rate": rate, "beta1": 0.5}
            self.trainers[net] = gluon.Trainer(net.collect_params(), "adam", options)
        self.loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()

    def step(self, real: nd.NDArray) -> tuple[float, float]:
        """Let both learn from one batch, and return their losses."""
        with autograd.record():
            forged = self.forge(noise(len(real)))
            verdicts = self.judge(real), self.judge(forged.detach())  # the generator learns later
            # A target of 0.9 keeps the discriminator from being so sure that no gradient is left.
            found = self.loss(verdicts[0], 0.9 * nd.ones_like(verdicts[0])) + self.loss(
                verdicts[1], nd.zeros_like(verdicts[1])
            )
        found.backward()
        self.trainers[self.judge].step(len(real))
        with autograd.record():
            verdict = self.judge(forged)
            fooled = self.loss(verdict, nd.ones_like(verdict))
        fooled.backward()
        self.trainers[self.forge].step(len(real))
        return found.mean().asscalar(), fooled.mean().asscalar()


def train(
    pair: Pair, loader: DataLoader, epochs: int, reading: nn.HybridSequential
) -> tuple[list[tuple[float, float, float]], dict[int, nd.NDArray]]:
    """Train both; return both losses and the score of each epoch, and pictures on the way."""
    fixed, test = noise(16), noise(500)
    kept = {round(epochs * share) for share in (0, 0.05, 0.1, 0.25, 0.5, 1)}
    history, pictures = [], {0: pair.forge(fixed)}
    progress = tqdm(range(1, epochs + 1), desc="training", unit="epoch")
    for epoch in progress:
        losses = [pair.step(x) for x, _ in loader]
        history.append((*np.mean(losses, axis=0), score(reading, pair.forge(test))))
        if epoch in kept:
            pictures[epoch] = pair.forge(fixed)
        progress.set_postfix(score=f"{history[-1][2]:.2f}")
    return history, pictures


def sheet(pictures: nd.NDArray, rows: int) -> np.ndarray:
    """Pictures side by side on one sheet, with empty pixels between them."""
    tiles = pictures.asnumpy().reshape(rows, -1, 8, 8)
    padded = np.pad(tiles, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    return padded.transpose(0, 2, 1, 3).reshape(rows * 9, -1)[:-1, :-1]


def draw(
    pair: Pair,
    history: list,
    pictures: dict[int, nd.NDArray],
    real: float,
    path: Path,
) -> None:
    figure = plt.figure(figsize=(13, 6.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.2, 1))
    forged = pair.forge(noise(96))
    for row, tiles, title in (
        (0, nd.concat(*pictures.values(), dim=0), "The same random numbers after more epochs"),
        (1, forged, "Forged after the last epoch"),
    ):
        axis = figure.add_subplot(grid[row, 0])
        axis.imshow(sheet(tiles, len(pictures) if row == 0 else 6), cmap="gray_r", vmin=-1, vmax=1)
        axis.set_title(title, fontsize=11)
        axis.spines[:].set_visible(False)
        axis.set(xticks=[], yticks=[])
        if row == 0:
            axis.set_yticks(np.arange(len(pictures)) * 9 + 3.5, pictures)
            axis.tick_params(length=0)

    judge, forge, scores = zip(*history)
    epochs = range(1, len(history) + 1)
    above, below = (figure.add_subplot(grid[row, 1]) for row in (0, 1))
    above.plot(epochs, scores, color="#1b7837", lw=2, label="forged")
    above.axhline(real, color="0.4", ls="--", lw=1.2, label="real")
    above.set(ylim=(1, 10), xlim=(1, len(history)))
    above.set_title("What the reader makes of the digits: score, 10 at best", fontsize=11)
    below.plot(epochs, judge, color="#2166ac", lw=2, label="discriminator")
    below.plot(epochs, forge, color="#e08214", lw=2, label="generator")
    below.set(xlabel="epoch", xlim=(1, len(history)), ylim=(0, None))
    below.set_title("The losses say little about it", fontsize=11)
    for axis in (above, below):
        axis.legend(frameon=False, loc="lower right")
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("dcgan_digits.png"))
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    np.random.seed(0)  # noqa: NPY002  (the order in which DataLoader shuffles)
    samples = load()
    loader = DataLoader(samples, batch_size=BATCH, shuffle=True, last_batch="discard")
    reading = reader()
    train_reader(reading, loader)
    real = score(reading, nd.array(load_digits().images[:, None] / 8 - 1))
    pair = Pair(rate=0.002)
    history, pictures = train(pair, loader, options.epochs, reading)
    forged = pair.forge(noise(1000))
    share = reading(forged).softmax()
    reached = score(reading, forged)
    sure, digits = share.max(axis=1).mean().asscalar(), share.argmax(axis=1).asnumpy()
    print(f"\nscore: {reached:.2f} for forged digits, {real:.2f} for real ones")
    print(f"the reader is {sure:.0%} sure on average; of 1,000 forgeries it reads")
    print("  ".join(f"{(digits == one).sum()} as {one}" for one in range(10)))
    draw(pair, history, pictures, real, options.output)
    print(f"wrote {options.output} after {time.perf_counter() - started:.0f} s")
    if reached < WANTED:
        print(f"the score should be at least {WANTED}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
