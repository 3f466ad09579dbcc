# %% [markdown]
# # Newton's method with conjugate gradients
#
# Gradient descent uses first derivatives. Newton's method also uses second derivatives, and needs
# far fewer steps. Each step p solves the linear system H p = -g, where g is the gradient and H is
# the Hessian, the matrix of second derivatives. For the 650 parameters of this model, H has 422,500
# entries. We never compute H: the method of conjugate gradients solves the system with products H v
# alone. Such a product is the gradient of the number g · v, and `autograd.hvp` computes it, as
# `torch.autograd.functional.hvp` does.

# %%
from collections.abc import Sequence
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
# Logistic regression classifies the digits of scikit-learn. With a penalty on the weights, the loss
# is a convex function of a matrix and a bias, and has one minimum. All arrays are float64, so that
# we can measure how close the methods get to the minimum.

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


def initial_params() -> list[nd.NDArray]:
    return [nd.zeros((10, 64), dtype="float64"), nd.zeros(10, dtype="float64")]


# %% [markdown]
# ## A product with the Hessian
#
# `hvp` takes a function, the point and the vector; point and vector have one array per parameter.
# It returns the value of the function and the product. To check the product, we compare it with
# finite differences: the gradient a little ahead in the direction of the vector, minus the
# gradient a little behind, divided by the distance.

# %%
value_and_gradient = autograd.value_and_grad(loss, argnums=(0, 1))
rng = np.random.default_rng(1)
point = [nd.array(rng.normal(size=p.shape), dtype="float64") for p in initial_params()]
v = [nd.array(rng.normal(size=p.shape), dtype="float64") for p in initial_params()]
_, product = autograd.hvp(loss, point, v)
_, ahead = value_and_gradient(*(p + 1e-5 * d for p, d in zip(point, v)))
_, behind = value_and_gradient(*(p - 1e-5 * d for p, d in zip(point, v)))
off = max(nd.abs(h - (a - b) / 2e-5).max().asscalar() for h, a, b in zip(product, ahead, behind))
print(f"largest difference between H v and finite differences: {off:.0e}")
assert off < 1e-7

# %% [markdown]
# ## The step
#
# The method of conjugate gradients improves p in one direction after another. Each direction
# costs one product with H. Far from the minimum, an exact solution is not worth its cost. So the
# method stops as soon as the length of the residual H p + g is below both |g| / 2 and |g| to the
# power of 3/2. Near the minimum, the second bound is smaller.
#
# We count the cost in passes over the data. A gradient takes two, forward and backward; a product
# takes four.


# %%
class Cost:
    passes = products = 0


def inner(a: Sequence[nd.NDArray], b: Sequence[nd.NDArray]) -> float:
    return float(sum((one * two).sum().asscalar() for one, two in zip(a, b)))


def add(a: Sequence[nd.NDArray], scale: float, b: Sequence[nd.NDArray]) -> list[nd.NDArray]:
    """Return the vector a + scale * b."""
    return [one + scale * two for one, two in zip(a, b)]


def newton_step(
    params: list[nd.NDArray], gradient: Sequence[nd.NDArray], cost: Cost
) -> list[nd.NDArray]:
    """Return an approximate solution p of H p = -gradient."""
    residual = [-g for g in gradient]
    step, direction = [nd.zeros_like(g) for g in residual], residual
    square = inner(residual, residual)
    enough = square * min(0.25, square**0.5)
    for _ in range(200):
        _, product = autograd.hvp(loss, params, direction)
        cost.products, cost.passes = cost.products + 1, cost.passes + 4
        length = square / inner(direction, product)
        step = add(step, length, direction)
        residual = add(residual, -length, product)
        before, square = square, inner(residual, residual)
        if square <= enough:
            break
        direction = add(residual, square / before, direction)
    return step


# %% [markdown]
# ## The descent
#
# Halve each step until it decreases the loss enough: at least by a small part of what the
# gradient predicts.

# %%


def newton(budget: int) -> tuple[list[nd.NDArray], list[tuple[int, int, float, float]]]:
    """Return the minimum; and for each step the passes, products, loss and gradient's length."""
    params, cost, history = initial_params(), Cost(), []
    progress = tqdm(total=budget, desc="Newton-CG, passes", mininterval=1)
    while True:
        value, gradient = value_and_gradient(*params)
        cost.passes += 2
        value, size = value.asscalar(), inner(gradient, gradient) ** 0.5
        history.append((cost.passes, cost.products, value, size))
        progress.update(cost.passes - progress.n)
        if cost.passes >= budget or size < 1e-10:
            progress.close()
            return params, history
        step = newton_step(params, gradient, cost)
        predicted, share = inner(gradient, step), 1.0
        while True:
            tried = add(params, share, step)
            cost.passes += 1
            if loss(*tried).asscalar() <= value + 1e-4 * share * predicted + 1e-15:
                break
            share /= 2
        params = tried


def first_order(budget: int, name: str, **settings: Any) -> list[tuple[int, int, float, float]]:
    """Return the same figures for a first-order optimizer."""
    params, history = initial_params(), []
    update = gluon.optimizer.get_updater(gluon.optimizer.create(name, **settings))
    for count in tqdm(range(1, budget // 2 + 1), desc=name, mininterval=1):
        value, gradient = value_and_gradient(*params)
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
# In the last rows, the gradient is about the previous one to the power of 3/2, so the number of
# correct digits grows by half with each step. scikit-learn, with another solver, finds the same
# minimum.

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
# At first, all three methods are similar. Then gradient descent with momentum and Adam converge
# linearly: their curves are nearly straight on the logarithmic scale. Newton's method reaches the
# precision of float64 while their losses are still more than 1e-5 above the minimum.

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
