# %% [markdown]
# # Newton's method with conjugate gradients
#
# Newton's step solves H p = -g, with the gradient g and the Hessian H, the matrix of second
# derivatives. For the 650 parameters of this model H has 422,500 entries. The method of conjugate
# gradients needs only products H v, which are gradients of the number g · v. `autograd.hvp`
# computes them. Near the minimum, each step increases the number of correct digits by half.

# %%
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

import gluon
from gluon import autograd, nd

# %% [markdown]
# ## The problem
#
# Logistic regression for the digits of scikit-learn, with a penalty on the weights: a convex
# function of a matrix and a bias, with one minimum. Everything is in float64, to measure how close
# the methods get.

# %%
HELD_OUT, PENALTY = 360, 1e-3
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures = nd.array(digits.data[order] / 16, dtype="float64")
labels = nd.array(digits.target[order], dtype="float64")
x, label = pictures[HELD_OUT:], labels[HELD_OUT:]


def loss(weight: nd.NDArray, bias: nd.NDArray) -> nd.NDArray:
    scores = nd.FullyConnected(x, weight, bias, num_hidden=10)
    fit = -nd.pick(nd.log_softmax(scores), label).mean()
    return fit + PENALTY / 2 * (weight**2).sum()


def beginning() -> list[nd.NDArray]:
    return [nd.zeros((10, 64), dtype="float64"), nd.zeros(10, dtype="float64")]


# %% [markdown]
# ## A product with the Hessian
#
# `hvp` takes the function, the point, and the vector, which has one array per parameter. For a
# quadratic function it would be the change of the gradient along the vector; here it is close to
# it:

# %%
slope = autograd.value_and_grad(loss, argnums=(0, 1))
rng = np.random.default_rng(1)
there = [nd.array(rng.normal(size=p.shape), dtype="float64") for p in beginning()]
v = [nd.array(rng.normal(size=p.shape), dtype="float64") for p in beginning()]
_, product = autograd.hvp(loss, there, v)
_, ahead = slope(*(p + 1e-5 * d for p, d in zip(there, v)))
_, back = slope(*(p - 1e-5 * d for p, d in zip(there, v)))
away = max(nd.abs(h - (a - b) / 2e-5).max().asscalar() for h, a, b in zip(product, ahead, back))
print(f"H v and the difference of two gradients differ by {away:.0e} at most")
assert away < 1e-7

# %% [markdown]
# ## The step
#
# Conjugate gradients solve H p = -g one direction at a time, and stop early: far from the minimum,
# an exact solution would be wasted. The residual H p + g may be as large as |g| to the power of
# 3/2. We count the cost in passes over the data: two for a gradient, forward and backward, and four
# for a product.


# %%
class Counter:
    passes = products = 0


def inner(a: list[nd.NDArray], b: list[nd.NDArray]) -> float:
    return float(sum((one * two).sum().asscalar() for one, two in zip(a, b)))


def add(a: list[nd.NDArray], scale: float, b: list[nd.NDArray]) -> list[nd.NDArray]:
    """The vector a + scale * b."""
    return [one + scale * two for one, two in zip(a, b)]


def newton_step(
    params: list[nd.NDArray], gradient: list[nd.NDArray], cost: Counter
) -> list[nd.NDArray]:
    """A direction p with H p = -gradient, roughly."""
    residual = [-g for g in gradient]
    step, direction = [nd.zeros_like(g) for g in residual], residual
    square = inner(residual, residual)
    enough = square * min(0.25, square**0.5)
    for _ in range(200):
        _, bent = autograd.hvp(loss, params, direction)
        cost.products, cost.passes = cost.products + 1, cost.passes + 4
        length = square / inner(direction, bent)
        step = add(step, length, direction)
        residual = add(residual, -length, bent)
        before, square = square, inner(residual, residual)
        if square <= enough:
            break
        direction = add(residual, square / before, direction)
    return step


# %% [markdown]
# ## The descent
#
# Each step is halved until the loss decreases sufficiently.

# %%


def newton(budget: int) -> tuple[list[nd.NDArray], list[tuple[int, int, float, float]]]:
    """The minimum; and before each step: passes, products, the loss, the gradient's length."""
    params, cost, history = beginning(), Counter(), []
    progress = tqdm(total=budget, desc="Newton-CG, passes", mininterval=1)
    while True:
        value, gradient = slope(*params)
        cost.passes += 2
        value, size = value.asscalar(), inner(gradient, gradient) ** 0.5
        history.append((cost.passes, cost.products, value, size))
        progress.update(cost.passes - progress.n)
        if cost.passes >= budget or size < 1e-10:
            progress.close()
            return params, history
        step = newton_step(params, gradient, cost)
        promised, share = inner(gradient, step), 1.0
        while True:
            tried = add(params, share, step)
            cost.passes += 1
            if loss(*tried).asscalar() <= value + 1e-4 * share * promised + 1e-15:
                break
            share /= 2
        params = tried


def first_order(budget: int, name: str, **settings: Any) -> list[tuple[int, int, float, float]]:
    """The same figures for a first-order optimizer."""
    params, history = beginning(), []
    update = gluon.optimizer.get_updater(gluon.optimizer.create(name, **settings))
    for count in tqdm(range(1, budget // 2 + 1), desc=name, mininterval=1):
        value, gradient = slope(*params)
        history.append((2 * count, 0, value.asscalar(), inner(gradient, gradient) ** 0.5))
        for index, (g, param) in enumerate(zip(gradient, params)):
            update(index, g, param)
    return history


BUDGET = 2000
params, history = newton(BUDGET)
histories = {
    "Newton-CG": history,
    "gradient descent with momentum": first_order(BUDGET, "nag", learning_rate=1.0, momentum=0.95),
    "Adam": first_order(BUDGET, "adam", learning_rate=0.03),
}

# %% [markdown]
# ## Results
#
# In the last rows, the exponent of the gradient grows by half from one row to the next, as the
# power of 3/2 predicts. scikit-learn, with another solver, finds the same minimum.

# %%
print(f"{'step':>4}{'passes':>8}{'H v':>6}{'loss':>16}{'gradient':>12}")
for step, (passes, products, value, size) in enumerate(history):
    print(f"{step:>4}{passes:>8}{products:>6}{value:>16.12f}{size:>12.1e}")
for name, rows in histories.items():
    print(f"{name}: gradient {rows[-1][3]:.1e} after {rows[-1][0]} passes")
assert history[-1][3] < 1e-9

solver = LogisticRegression(C=1 / (PENALTY * len(x)), tol=1e-10, max_iter=5000)
solver.fit(x.asnumpy(), label.asnumpy())
other = loss(*(nd.array(p, dtype="float64") for p in (solver.coef_, solver.intercept_)))
print(f"the minimum according to scikit-learn: {other.asscalar():.12f}")
assert abs(history[-1][2] - other.asscalar()) < 1e-6
scores = nd.FullyConnected(pictures[:HELD_OUT], params[0], params[1], num_hidden=10)
right = (scores.argmax(axis=1) == labels[:HELD_OUT]).mean().asscalar()
print(f"accuracy on {HELD_OUT} digits held out: {right:.1%}")

# %% [markdown]
# ## Plot
#
# At first, all three methods are similar. Then the first-order methods converge linearly, on a
# straight line on the logarithmic scale. Newton's method reaches the precision of float64 before
# they have five digits.

# %%
best = min(row[2] for rows in histories.values() for row in rows)
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for (name, rows), colour in zip(histories.items(), ("#2a8f47", "#d1692b", "#2a78b5")):
    passes, _, losses, sizes = np.array(rows).T
    marker = "o" if name == "Newton-CG" else None
    left.plot(passes, sizes, color=colour, marker=marker, ms=4, label=name)
    right.plot(passes, np.maximum(losses - best, 1e-16), color=colour, marker=marker, ms=4)
left.set(title="Length of the gradient")
left.legend(frameon=False)
right.set(title="Loss above the minimum (1e-16: no difference)")
for axes in (left, right):
    axes.set(yscale="log", xlabel="passes over the data")
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("newton_cg.png", dpi=120)
plt.show()
