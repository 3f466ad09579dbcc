"""Train logistic regression by its curvature: Newton's method, without ever building a Hessian.

Newton's step solves H p = -g, with the gradient g and the matrix H of all second derivatives. For
the 650 parameters here H has 422,500 numbers; but the method of conjugate gradients needs only
products H v, and these are gradients again: of the number g . v, through the recorded backward
pass. Each costs about two gradients. Near the minimum every step doubles the correct digits.

    python tutorials/newton_cg.py [--passes 1200] [--output newton_cg.png]
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
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn

matplotlib.use("Agg")
from matplotlib import pyplot as plt

PENALTY = 1e-3
HELD_OUT = 360
WANTED_GRADIENT = 1e-9
WANTED_AGREEMENT = 1e-6
Vector = list[nd.NDArray]  # one array for each parameter


def load() -> tuple[nd.NDArray, nd.NDArray, nd.NDArray, nd.NDArray]:
    """The digits to train on and those held out, in float64."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    pictures = nd.array(digits.data[order] / 16, dtype="float64")
    labels = nd.array(digits.target[order], dtype="float64")
    return pictures[HELD_OUT:], labels[HELD_OUT:], pictures[:HELD_OUT], labels[:HELD_OUT]


def inner(a: Vector, b: Vector) -> float:
    return sum((x * y).sum().asscalar() for x, y in zip(a, b))


def add(a: Vector, scale: float, b: Vector) -> Vector:
    """The vector a + scale * b."""
    return [x + scale * y for x, y in zip(a, b)]


class Problem:
    """Cross-entropy with a penalty on the weights, and what it has cost so far to look at it."""

    def __init__(self, x: nd.NDArray, label: nd.NDArray) -> None:
        self.x, self.label = x, label
        self.net = nn.Dense(10, in_units=64)
        self.net.initialize(gluon.init.Zero())
        self.net.cast("float64")
        self.params = [p.data() for p in self.net.collect_params().values()]
        self.cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
        self.passes, self.products = 0, 0

    def loss(self) -> nd.NDArray:
        self.passes += 1
        fit = self.cross_entropy(self.net(self.x), self.label).mean()
        return fit + PENALTY / 2 * (self.params[0] ** 2).sum()

    def gradient(self) -> tuple[float, Vector]:
        """The loss and its gradient, recorded so that it can be differentiated once more."""
        with autograd.record():
            loss = self.loss()
            # create_graph records the backward pass like any other computation.
            gradient = autograd.grad(loss, self.params, create_graph=True, retain_graph=True)
        self.passes += 1
        return loss.asscalar(), gradient

    def times_hessian(self, gradient: Vector, v: Vector) -> Vector:
        """H v, the gradient of gradient . v."""
        self.passes, self.products = self.passes + 2, self.products + 1
        return autograd.grad(gradient, self.params, head_grads=v, retain_graph=True)


def conjugate_gradients(problem: Problem, gradient: Vector) -> Vector:
    """A direction p with H p = -gradient, roughly: exact far from the minimum would be wasted."""
    residual = [-g.detach() for g in gradient]
    step, direction = [nd.zeros_like(g) for g in residual], residual
    square = inner(residual, residual)
    enough = square * min(0.25, square**0.5)
    for _ in range(200):
        bent = problem.times_hessian(gradient, direction)
        length = square / inner(direction, bent)
        step = add(step, length, direction)
        residual = add(residual, -length, bent)
        before, square = square, inner(residual, residual)
        if square <= enough:
            break
        direction = add(residual, square / before, direction)
    return step


def newton(problem: Problem, budget: int) -> list[tuple[int, int, float, float]]:
    """Before each step: passes and products H v so far, the loss, the length of the gradient."""
    history = []
    progress = tqdm(total=budget, desc="Newton-CG", unit="pass")
    while True:
        loss, gradient = problem.gradient()
        size = inner(gradient, gradient) ** 0.5
        history.append((problem.passes, problem.products, loss, size))
        progress.update(problem.passes - progress.n)
        progress.set_postfix(loss=f"{loss:.6f}", gradient=f"{size:.0e}")
        if problem.passes >= budget or size < WANTED_GRADIENT / 10:
            progress.close()
            return history
        step = conjugate_gradients(problem, gradient)
        start, slope, share = [p.copy() for p in problem.params], inner(gradient, step), 1.0
        # Halve the step until the loss falls by a fair part of what the slope promises.
        while True:
            for param, value in zip(problem.params, add(start, share, step)):
                param[:] = value
            if problem.loss().asscalar() <= loss + 1e-4 * share * slope + 1e-15:
                break
            share /= 2


def first_order(
    problem: Problem, budget: int, name: str, options: dict
) -> list[tuple[int, int, float, float]]:
    """The same figures for an optimizer that sees gradients alone."""
    trainer = gluon.Trainer(problem.net.collect_params(), name, options)
    history = []
    for _ in tqdm(range(budget // 2), desc=name, unit="step"):
        with autograd.record():
            loss = problem.loss()
        loss.backward()
        problem.passes += 1
        gradient = [p.grad for p in problem.params]
        size = inner(gradient, gradient) ** 0.5
        history.append((problem.passes, 0, loss.asscalar(), size))
        trainer.step(batch_size=1)
    return history


def reference(x: nd.NDArray, label: nd.NDArray) -> float:
    """The loss at the minimum according to scikit-learn, which has another solver."""
    solver = LogisticRegression(C=1 / (PENALTY * len(x)), tol=1e-10, max_iter=5000)
    solver.fit(x.asnumpy(), label.asnumpy())
    problem = Problem(x, label)
    for param, value in zip(problem.params, (solver.coef_, solver.intercept_)):
        param[:] = nd.array(value, dtype="float64")
    return problem.loss().asscalar()


def draw(histories: dict[str, list], best: float, path: Path) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    colours = dict(zip(histories, ("#1b7837", "#e08214", "#2166ac")))
    for name, history in histories.items():
        passes, _, losses, sizes = (np.array(column) for column in zip(*history))
        style = {"color": colours[name], "label": name, "lw": 1.8}
        style |= {"marker": "o", "ms": 4} if name == "Newton-CG" else {}
        left.plot(passes, sizes, **style)
        right.plot(passes, np.maximum(losses - best, 1e-16), **style)
    for axis, title in (
        (left, "Length of the gradient"),
        (right, "Loss above the minimum (1e-16 where there is no difference)"),
    ):
        axis.set(yscale="log", xlabel="passes over the data", title=title)
        axis.grid(color="0.93")
        axis.spines[["top", "right"]].set_visible(False)
    left.legend(frameon=False)
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--passes", type=int, default=1200)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("newton_cg.png"))
    options = parser.parse_args()

    started = time.perf_counter()
    x, label, test_x, test_label = load()
    problem = Problem(x, label)
    histories = {"Newton-CG": newton(problem, options.passes)}
    for title, name, settings in (
        ("gradient descent with momentum", "nag", {"learning_rate": 1.0, "momentum": 0.95}),
        ("Adam", "adam", {"learning_rate": 0.03}),
    ):
        histories[title] = first_order(Problem(x, label), options.passes, name, settings)

    print(f"\n{'step':>4}{'passes':>8}{'H v':>6}{'loss':>16}{'gradient':>12}")
    for step, (passes, products, loss, size) in enumerate(histories["Newton-CG"]):
        print(f"{step:>4}{passes:>8}{products:>6}{loss:>16.12f}{size:>12.1e}")
    for title, history in histories.items():
        print(f"{title}: gradient {history[-1][3]:.1e} after {history[-1][0]} passes")
    *_, loss, size = histories["Newton-CG"][-1]
    other = reference(x, label)
    right = (problem.net(test_x).argmax(axis=1) == test_label).mean().asscalar()
    print(f"the minimum according to scikit-learn: {other:.12f}")
    print(f"accuracy on {HELD_OUT} digits held out: {right:.1%}")
    best = min(row[2] for history in histories.values() for row in history)
    draw(histories, best, options.output)
    print(f"wrote {options.output} after {time.perf_counter() - started:.0f} s")
    if size > WANTED_GRADIENT:
        print(f"the gradient should be at most {WANTED_GRADIENT:.0e} long", file=sys.stderr)
        return 1
    if abs(loss - other) > WANTED_AGREEMENT:
        print(f"both minima should agree to {WANTED_AGREEMENT:.0e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
