# %% [markdown]
# # GradManager: nested, independent and forward mode
#
# `autograd.record()` is one global recording. A `GradManager` is a separate recording with its own
# variables, and several can record at once. This tutorial uses managers for three problems: a
# gradient through a training run, two players with opposite objectives, and forward-mode
# derivatives.

# %%
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the arrays are small

from collections.abc import Callable

import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

from gluon import nd
from gluon.autodiff import GradManager

# %% [markdown]
# ## Nested: the gradient of a training run
#
# How does the loss after ten steps of gradient descent depend on the learning rate? The inner
# manager computes the gradients of the steps. The outer manager records the computation of these
# gradients, so it can differentiate through all steps.

# %%
curvature = nd.array([1.0, 4.0, 9.0])


def loss(w: nd.NDArray) -> nd.NDArray:
    return (curvature * w * w).sum() / 2


def train(rate: nd.NDArray, steps: int = 10) -> nd.NDArray:
    """The loss after a few steps of descent from (1, 1, 1)."""
    w = nd.ones(3)
    for _ in range(steps):
        inner = GradManager().attach(w)
        with inner:
            inner.backward(loss(w))
        w = w - rate * w.grad
    return loss(w)


def slope_of_training(value: float) -> tuple[float, float]:
    rate = nd.array([value])
    outer = GradManager().attach(rate)
    with outer:
        final = train(rate)
        outer.backward(final)
    return final.asscalar(), rate.grad.asscalar()


rate, rates = 0.06, []
for _ in tqdm(range(40), desc="learning the learning rate", mininterval=1):
    final, slope = slope_of_training(rate)
    rates.append((rate, final))
    rate -= 0.02 * slope
print(f"learning rate {rates[0][0]:.3f}: loss {rates[0][1]:.5f}")
print(f"learning rate {rates[-1][0]:.3f}: loss {rates[-1][1]:.5f}")

exactly = slope_of_training(0.06)[1]
nearly = (slope_of_training(0.061)[0] - slope_of_training(0.059)[0]) / 0.002
print(f"slope at 0.06: {exactly:.4f}; by finite differences {nearly:.4f}")
assert abs(exactly - nearly) < 1e-2 * abs(nearly)

# %% [markdown]
# ## Independent: two players
#
# One player changes `x` to minimize the value, the other changes `y` to maximize it, as in a GAN.
# `gm | gm2` records the game once for both. Each manager computes its own gradient, and neither
# records the other's.


# %%
def play(steps: int, rate: float = 0.15, look_ahead: bool = False) -> np.ndarray:
    x, y = nd.array([1.0]), nd.array([0.5])
    minimiser, maximiser = GradManager().attach(x), GradManager().attach(y)

    def gradients() -> tuple[nd.NDArray, nd.NDArray]:
        for one in (x, y):
            one.grad = None
        with minimiser | maximiser:
            value = x * y
            minimiser.backward(value)
            maximiser.backward(value)
        return x.grad, y.grad

    way = []
    for _ in range(steps):
        way.append((x.asscalar(), y.asscalar()))
        before = x.copy(), y.copy()
        dx, dy = gradients()
        if look_ahead:
            x[:], y[:] = x - rate * dx, y + rate * dy
            dx, dy = gradients()
        x[:], y[:] = before[0] - rate * dx, before[1] + rate * dy
    return np.array(way)


outward, inward = play(120), play(120, look_ahead=True)
print(f"distance from the equilibrium: {np.hypot(*outward[0]):.2f} at first,")
print(f"{np.hypot(*outward[-1]):.2f} after plain steps, {np.hypot(*inward[-1]):.2f} looking ahead")

# %% [markdown]
# ## Forward mode
#
# A backward pass computes all derivatives of one number. To compute all derivatives *with respect
# to* one number, that is, a product of the Jacobian with a vector, use a trick: a backward pass is
# linear in its head gradient, so differentiate it with respect to the head gradient.


# %%
def forward_derivative(
    function: Callable[[nd.NDArray], nd.NDArray], x: nd.NDArray, direction: nd.NDArray
) -> tuple[nd.NDArray, nd.NDArray]:
    """The value of `function` at `x`, and its derivative along `direction`."""
    outer, inner = GradManager(), GradManager().attach(x)
    with outer:
        with inner:
            y = function(x)
            head = nd.zeros_like(y)
            outer.attach(head)
            inner.backward(y, head)
        pulled, x.grad = x.grad, None
        outer.backward(pulled, direction)
    return y, head.grad


time = nd.array(np.linspace(0, 12, 300))


def spring(damping: nd.NDArray) -> nd.NDArray:
    """A spring that is stretched by one and released."""
    frequency = nd.sqrt(1 - damping**2)
    return nd.exp(-damping * time) * nd.cos(frequency * time)


position, sensitivity = forward_derivative(spring, nd.array([0.15]), nd.ones(1))
more = spring(nd.array([0.151])) - spring(nd.array([0.149]))
difference = nd.abs(sensitivity - more / 0.002).max().asscalar()
print(
    f"300 derivatives from one pass; from finite differences they are at most {difference:.0e} away"
)
assert difference < 1e-2

# %% [markdown]
# ## Plot
#
# Left: the loss after ten steps for each learning rate, and the path of the outer descent. Middle:
# the two players. With plain steps they spiral away from the solution; with a look ahead they
# converge. Right: the spring, and the effect of a little more damping.

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
curve = np.linspace(0.04, 0.2, 80)
left.semilogy(curve, [train(nd.array([r])).asscalar() for r in curve], color="grey")
left.semilogy(*np.array(rates).T, "o", color="#d1692b", markersize=4)
left.set(xlabel="learning rate", title="nested: loss after ten steps")
middle.plot(*outward.T, ".-", color="#2a78b5", linewidth=0.7, label="plain")
middle.plot(*inward.T, ".-", color="#d1692b", linewidth=0.7, label="looking ahead")
middle.plot(0, 0, "*", color="#2a8f47", markersize=12)
middle.set(xlabel="x, to make x y small", ylabel="y, to make it large", title="side by side")
middle.set_aspect("equal")
middle.set_ylim(top=5)  # leaves room for the legend
middle.legend(loc="upper left")
right.plot(time.asnumpy(), position.asnumpy(), color="#2a78b5", label="position")
right.plot(
    time.asnumpy(), sensitivity.asnumpy(), "--", color="#d1692b", label="d position / d damping"
)
right.set(xlabel="time", title="forward: sensitivity of a spring")
right.set_ylim(top=4)
right.legend(loc="upper left")
figure.savefig("grad_managers.png", dpi=120)
plt.show()
