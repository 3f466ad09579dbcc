"""Train a small convolutional network on handwritten digits, then fool it.

The attacks change every pixel by at most epsilon, where 1 is the step from white to black. FGSM
takes one step along the sign of the gradient of the loss with respect to the picture; PGD takes
many small ones. Both differentiate the network in prediction mode: dropout off, batch
normalization with its running statistics.

The 1,797 digits, 8 x 8 pixels each, are in digits.npz. They are the test data of
https://archive.ics.uci.edu/dataset/80/optical+recognition+of+handwritten+digits (CC BY 4.0), as
scikit-learn has them, in another format.

    python tutorials/adversarial_digits.py [--epochs 8] [--output adversarial_digits.png]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn
from gluon.data import ArrayDataset, DataLoader

DIGITS = Path(__file__).with_name("digits.npz")
EPSILONS = (0.05, 0.1, 0.15, 0.2, 0.3)
SHOWN = 0.2
WANTED = 0.97


def load(held_out: int = 360) -> tuple[ArrayDataset, nd.NDArray, nd.NDArray]:
    """The digits to train on, and those held out: pictures from 0 to 1 and labels."""
    digits = np.load(DIGITS)
    order = np.random.default_rng(0).permutation(len(digits["labels"]))
    pictures = (digits["pictures"][order, None] / 16).astype("float32")
    labels = digits["labels"][order].astype("float32")
    train = ArrayDataset(nd.array(pictures[held_out:]), nd.array(labels[held_out:]))
    return train, nd.array(pictures[:held_out]), nd.array(labels[:held_out])


def build() -> nn.HybridSequential:
    """The network: two convolutions, normalized and pooled, and two dense layers."""
    net = nn.HybridSequential(prefix="digits_")
    with net.name_scope():
        net.add(
            nn.Conv2D(32, kernel_size=3, padding=1),
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.Conv2D(64, kernel_size=3, padding=1, activation="relu"),
            nn.MaxPool2D(pool_size=2),
            nn.Flatten(),
            nn.Dense(128, activation="relu"),
            nn.Dropout(0.3),
            nn.Dense(10),
        )
    net.initialize(gluon.init.Xavier())
    return net


def accuracy(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> float:
    return float((net(x).argmax(axis=1) == label).mean().asscalar())


def train(net: nn.HybridSequential, samples: ArrayDataset, epochs: int) -> None:
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    loader = DataLoader(samples, batch_size=64, shuffle=True)
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-4}
    )
    progress = tqdm(total=epochs * len(loader), desc="training", unit="batch")
    for epoch in range(epochs):
        if epoch == epochs * 2 // 3:
            trainer.set_learning_rate(0.01)
        total = 0.0
        for x, label in loader:
            with autograd.record():
                loss = cross_entropy(net(x), label)
            loss.backward()
            trainer.step(batch_size=len(x))
            total += loss.sum().asscalar()
            progress.update()
        progress.set_postfix(epoch=epoch + 1, loss=f"{total / len(samples):.4f}")
    progress.close()


def gradient(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    """The gradient of the loss with respect to the pictures, in prediction mode."""
    x = x.copy()
    x.attach_grad()
    with autograd.record(train_mode=False):
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(x), label)
    return autograd.grad(loss, x, train_mode=False)[0]  # no others than those of the pictures


def fgsm(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray, epsilon: float) -> nd.NDArray:
    return (x + epsilon * gradient(net, x, label).sign()).clip(0, 1)


def pgd(
    net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray, epsilon: float, steps: int = 10
) -> nd.NDArray:
    moved = (x + nd.random.uniform(-epsilon, epsilon, shape=x.shape)).clip(0, 1)
    for _ in range(steps):
        moved = moved + epsilon / 4 * gradient(net, moved, label).sign()
        moved = nd.maximum(nd.minimum(moved, x + epsilon), x - epsilon).clip(0, 1)
    return moved


def report(net: nn.HybridSequential, x: nd.NDArray, label: nd.NDArray) -> dict[float, nd.NDArray]:
    """Print the accuracy on clean and on adversarial pictures; return those of PGD by epsilon."""
    print(f"\n{'epsilon':>8}{'clean':>10}{'FGSM':>10}{'PGD':>10}")
    clean, made = accuracy(net, x, label), {}
    for epsilon in EPSILONS:
        made[epsilon] = pgd(net, x, label, epsilon)
        fooled = (accuracy(net, y, label) for y in (fgsm(net, x, label, epsilon), made[epsilon]))
        print(f"{epsilon:>8}" + "".join(f"{share:>10.1%}" for share in (clean, *fooled)))
    return made


def draw(
    net: nn.HybridSequential, x: nd.NDArray, moved: nd.NDArray, label: nd.NDArray, path: Path
) -> None:
    """Show one fooled digit of each class: clean, the perturbation, and the result."""
    before = net(x).argmax(axis=1).asnumpy().astype(int)
    after_share = net(moved).softmax().asnumpy()
    after = after_share.argmax(axis=1)
    truth = label.asnumpy().astype(int)
    fooled = (before == truth) & (after != truth)
    columns = [np.flatnonzero(fooled & (truth == digit)) for digit in range(10)]
    chosen = [found[0] for found in columns if len(found)]

    rows = (
        ("clean", x, {"cmap": "gray_r", "vmin": 0, "vmax": 1}),
        ("perturbation", moved - x, {"cmap": "RdBu_r", "vmin": -SHOWN, "vmax": SHOWN}),
        ("adversarial", moved, {"cmap": "gray_r", "vmin": 0, "vmax": 1}),
    )
    width = 1.15 * len(chosen) + 1.9
    figure = Figure(figsize=(width, 4.9), layout="constrained")
    axes = figure.subplots(len(rows), len(chosen), squeeze=False)
    for axis_row, (name, pictures, style) in zip(axes, rows):
        for axis, number in zip(axis_row, chosen):
            axis.imshow(pictures[int(number), 0].asnumpy(), **style)
            axis.set(xticks=[], yticks=[])
            for spine in axis.spines.values():
                spine.set_color("0.7")
            if name == "clean":
                axis.set_title(f"{before[number]}", color="#1a7f37", fontsize=15, weight="bold")
            elif name == "adversarial":
                axis.set_title(f"{after[number]}", color="#c1121f", fontsize=15, weight="bold")
                axis.set_xlabel(f"{after_share[number, after[number]]:.0%} sure", fontsize=9)
        axis_row[0].set_ylabel(name, fontsize=12, labelpad=8)
        if name == "perturbation":
            bar = figure.colorbar(
                axis_row[0].images[0],
                ax=list(axis_row),
                shrink=0.9,
                pad=0.01,
                ticks=[-SHOWN, 0, SHOWN],
            )
            bar.ax.tick_params(labelsize=8)
            bar.set_label("ink added", fontsize=9)
            bar.outline.set_edgecolor("0.7")
    figure.suptitle(
        f"Predicted digits, before and after PGD moved each pixel by at most {SHOWN}", fontsize=13
    )
    figure.savefig(path, dpi=130)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_name("adversarial_digits.png")
    )
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    np.random.seed(0)  # the order in which DataLoader shuffles
    samples, x, label = load()
    net = build()
    train(net, samples, options.epochs)
    clean = accuracy(net, x, label)
    print(f"\naccuracy on {len(x)} digits held out: {clean:.1%}")
    made = report(net, x, label)
    draw(net, x, made[SHOWN], label, options.output)
    print(f"\nwrote {options.output} after {time.perf_counter() - started:.0f} s")
    if clean < WANTED:
        print(f"the accuracy should be at least {WANTED:.0%}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
