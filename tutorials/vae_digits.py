"""A variational autoencoder learns what handwritten digits look like, and draws new ones.

The encoder turns a picture into a normal distribution of short codes; the decoder turns a code
into a picture, which the pixels follow but for normal noise. Training lowers a bound of what the
pictures cost, in nats: how far a picture is from what comes back of it, and how far its codes are
from the standard normal distribution. Since the codes of all pictures together follow that,
decoding any standard normal code gives a new digit.

    python tutorials/vae_digits.py [--epochs 100] [--output vae_digits.png]
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

CODE = 10
NOISE = 0.15  # the standard deviation of ink around its mean
HELD_OUT = 360
RATE = 0.003
WANTED = 0.4  # of what a digit costs that knows the mean digit alone


def load() -> tuple[nd.NDArray, nd.NDArray, np.ndarray]:
    """The digits to train on, those held out, and what these are. A digit is 64 shares of ink."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    pictures = nd.array(digits.data[order] / 16)
    return pictures[HELD_OUT:], pictures[:HELD_OUT], digits.target[order][:HELD_OUT]


class Autoencoder(gluon.HybridBlock):
    """Encoder and decoder, each with one hidden layer."""

    def __init__(self, **kwargs) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.encoder = nn.HybridSequential()
            self.encoder.add(nn.Dense(256, activation="relu"), nn.Dense(2 * CODE))
            self.decoder = nn.HybridSequential()
            self.decoder.add(nn.Dense(256, activation="relu"), nn.Dense(64, activation="sigmoid"))

    def hybrid_forward(self, F, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
        """What comes back of each picture, and how far its codes are from standard normal."""
        mean, log_variance = F.split(self.encoder(x), num_outputs=2, axis=1)
        # The noise comes from outside, so the gradient can pass through mean and variance.
        noise = F.random.normal_like(mean)
        code = mean + F.exp(log_variance / 2) * noise
        # KL(N(mean, variance) || N(0, 1)), in closed form.
        divergence = (F.exp(log_variance) + mean**2 - 1 - log_variance).sum(axis=1) / 2
        return self.decoder(code), divergence


def nats(back: nd.NDArray, x: nd.NDArray) -> nd.NDArray:
    """-log p(x | back) for each picture, without the constant that a perfect picture costs too."""
    return ((x - back) ** 2).sum(axis=1) / (2 * NOISE**2)


def bound(net: Autoencoder, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
    """For each picture the nats for its pixels, and those for its code."""
    back, divergence = net(x)
    return nats(back, x), divergence


def means(net: Autoencoder, x: nd.NDArray) -> tuple[float, float]:
    pixels, code = bound(net, x)
    return pixels.mean().asscalar(), code.mean().asscalar()


def train(
    net: Autoencoder, pictures: nd.NDArray, held_out: nd.NDArray, epochs: int
) -> list[tuple[float, float, float]]:
    """Train; for each epoch return the loss, and the two parts of the loss held out."""
    loader = DataLoader(ArrayDataset(pictures), batch_size=64, shuffle=True)
    schedule = gluon.lr_scheduler.CosineScheduler(epochs * len(loader), base_lr=RATE)
    options = {"learning_rate": RATE, "lr_scheduler": schedule}
    trainer = gluon.Trainer(net.collect_params(), "adam", options)
    history = []
    progress = tqdm(range(epochs), desc="training", unit="epoch")
    for _ in progress:
        total = 0.0
        for x in loader:
            with autograd.record():
                pixels, code = bound(net, x)
                loss = pixels + code
            loss.backward()
            trainer.step(batch_size=len(x))
            total += loss.sum().asscalar()
        history.append((total / len(pictures), *means(net, held_out)))
        progress.set_postfix(loss=f"{history[-1][0]:.2f}", held_out=f"{sum(history[-1][1:]):.2f}")
    return history


def principal_components(pictures: nd.NDArray, held_out: nd.NDArray) -> float:
    """The squared error of the best linear code of the same length."""
    x, test = pictures.asnumpy(), held_out.asnumpy()
    axes = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)[2][:CODE]
    off = test - x.mean(axis=0)
    return float(((off - off @ axes.T @ axes) ** 2).sum(axis=1).mean())


def sheet(pictures: nd.NDArray, rows: int) -> np.ndarray:
    """Pictures side by side on one sheet, with empty pixels between them."""
    tiles = pictures.asnumpy().reshape(rows, -1, 8, 8)
    padded = np.pad(tiles, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    return padded.transpose(0, 2, 1, 3).reshape(rows * 9, -1)[:-1, :-1]


def show(axis, pictures: nd.NDArray, rows: int, title: str) -> None:
    axis.imshow(sheet(pictures, rows), cmap="gray_r", vmin=0, vmax=1)
    axis.set_title(title, fontsize=11)
    axis.axis("off")


def draw(
    net: Autoencoder,
    x: nd.NDArray,
    digit: np.ndarray,
    history: list,
    baseline: float,
    path: Path,
) -> None:
    codes = net.encoder(x)[:, :CODE]
    first = [int(np.flatnonzero(digit == one)[0]) for one in range(10)]
    pairs = nd.concat(x[20:36], net.decoder(codes[20:36]), dim=0)
    new = net.decoder(nd.random.normal(shape=(96, CODE)))
    way = nd.arange(16).reshape(1, 16, 1) / 15
    start, end = (codes[first[odd::2]].reshape(5, 1, CODE) for odd in (0, 1))
    between = net.decoder((start * (1 - way) + end * way).reshape(-1, CODE))

    figure = plt.figure(figsize=(13, 6.6), layout="constrained")
    grid = figure.add_gridspec(3, 2, height_ratios=(2, 6, 5), width_ratios=(1.2, 1))
    show(figure.add_subplot(grid[0, 0]), pairs, 2, "Digits held out, and what comes back of them")
    show(figure.add_subplot(grid[1, 0]), new, 6, "New digits, decoded from random codes")
    show(
        figure.add_subplot(grid[2, 0]), between, 5, "On the way from one digit's code to another's"
    )

    axis = figure.add_subplot(grid[:, 1])
    loss, pixels, code = (np.array(one) for one in zip(*history))
    epochs = np.arange(1, len(history) + 1)
    axis.fill_between(epochs, code, color="#e08214", alpha=0.3, lw=0)
    axis.fill_between(epochs, code, code + pixels, color="#2166ac", alpha=0.2, lw=0)
    axis.plot(epochs, code + pixels, color="#2166ac", lw=2, label="held out")
    axis.plot(epochs, loss, color="0.3", lw=1, label="in training")
    axis.axhline(baseline, color="0.4", ls="--", lw=1.2, label="the mean digit for all")
    last = len(history) * 0.98
    axis.text(last, code[-1] / 2, "the code", color="#a45a00", ha="right", va="center")
    axis.text(
        last, code[-1] + pixels[-1] / 2, "the pixels", color="#2166ac", ha="right", va="center"
    )
    axis.set(xlabel="epoch", xlim=(1, len(history)), ylim=(0, baseline * 1.1))
    axis.set_title("What a digit costs, in nats", fontsize=11)
    axis.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.9))
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("vae_digits.png"))
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    np.random.seed(0)  # noqa: NPY002  (the order in which DataLoader shuffles)
    pictures, held_out, digit = load()
    net = Autoencoder()
    net.initialize(gluon.init.Xavier())
    history = train(net, pictures, held_out, options.epochs)
    reached = sum(history[-1][1:])
    baseline = nats(pictures.mean(axis=0, keepdims=True), held_out).mean().asscalar()
    print(f"\nnats for a digit held out: {reached:.1f}, and {baseline:.1f} with the mean digit")
    back = net.decoder(net.encoder(held_out)[:, :CODE])
    squares = ((held_out - back) ** 2).sum(axis=1).mean().asscalar()
    linear = principal_components(pictures, held_out)
    print(f"squared error: {squares:.3f}, and {linear:.3f} with {CODE} principal components")
    draw(net, held_out, digit, history, baseline, options.output)
    print(f"wrote {options.output} after {time.perf_counter() - started:.0f} s")
    if reached > WANTED * baseline:
        print(f"the nats should be at most {WANTED:.0%} of the mean digit's", file=sys.stderr)
        return 1
    if squares > linear:
        print("the squared error should be below that of principal components", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
