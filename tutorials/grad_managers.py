# %% [markdown]
# # GradManager: nested, independent and forward mode
#
# All `autograd.record()` blocks share one recording. A `GradManager` has a recording of its own:
# `attach` tells it which arrays to differentiate with respect to, its `with` block records, and
# its `backward` computes the gradients. Several managers can record at once. This tutorial uses
# several managers for three problems: a gradient through a whole training run, two players with
# opposite objectives, and forward-mode derivatives.

# %%
from collections.abc import Callable

import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

from gluon import nd
from gluon.autodiff import GradManager

# %% [markdown]
# ## Nested: the gradient of a training run
#
# How does the loss after ten steps of gradient descent depend on the learning rate? In each step,
# an inner manager computes the gradient of the loss with respect to the weights. An outer manager
# records all steps, including the backward passes of the inner managers, so it can differentiate
# the final loss with respect to the learning rate. With this gradient, we then improve the learning
# rate itself. In PyTorch, the inner gradients would need `create_graph=True`; here, the outer
# manager is enough.

# %%
curvature = nd.array([1.0, 4.0, 9.0])


def loss(w: nd.NDArray) -> nd.NDArray:
    return (curvature * w * w).sum() / 2


def train(rate: nd.NDArray, steps: int = 10) -> nd.NDArray:
    """Return the loss after a few steps of gradient descent from (1, 1, 1)."""
    w = nd.ones(3)
    for _ in range(steps):
        inner = GradManager().attach(w)
        with inner:
            inner.backward(loss(w))
        w = w - rate * w.grad
    return loss(w)


def slope_of_training(value: float) -> tuple[float, float]:
    """Return the loss after training with this learning rate, and its derivative."""
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

exact = slope_of_training(0.06)[1]
approximate = (slope_of_training(0.061)[0] - slope_of_training(0.059)[0]) / 0.002
print(f"slope at 0.06: {exact:.4f}; by finite differences {approximate:.4f}")
assert abs(exact - approximate) < 1e-2 * abs(approximate)

# %% [markdown]
# ## Independent: two players
#
# One player changes `x` to make `x * y` small, the other changes `y` to make it large, as the two
# networks of a GAN do. The solution, where neither can gain, is `x = y = 0`. The statement `with
# minimizer | maximizer:` records the value once for both managers. Each computes the gradient of
# its own variable, and neither records the backward pass of the other.
#
# With plain gradient steps, the players circle around the solution and move away from it. It helps
# to look ahead: take a step, compute the gradients there, and take the step from the old place with
# the new gradients. This is called the extragradient method.


# %%
def play(steps: int, rate: float = 0.15, look_ahead: bool = False) -> np.ndarray:
    x, y = nd.array([1.0]), nd.array([0.5])
    minimizer, maximizer = GradManager().attach(x), GradManager().attach(y)

    def gradients() -> tuple[nd.NDArray, nd.NDArray]:
        for one in (x, y):
            one.grad = None
        with minimizer | maximizer:
            value = x * y
            minimizer.backward(value)
            maximizer.backward(value)
        return x.grad, y.grad

    path = []
    for _ in range(steps):
        path.append((x.asscalar(), y.asscalar()))
        before = x.copy(), y.copy()
        dx, dy = gradients()
        if look_ahead:
            x[:], y[:] = x - rate * dx, y + rate * dy
            dx, dy = gradients()
        x[:], y[:] = before[0] - rate * dx, before[1] + rate * dy
    return np.array(path)


outward, inward = play(120), play(120, look_ahead=True)
print(f"distance from the solution: {np.hypot(*outward[0]):.2f} at first,")
print(
    f"{np.hypot(*outward[-1]):.2f} after plain steps, {np.hypot(*inward[-1]):.2f} with look-ahead"
)

# %% [markdown]
# ## Forward mode
#
# A backward pass computes the derivatives of one number with respect to many. Sometimes we want the
# opposite: the derivatives of many numbers with respect to one. In general, this is the product J v
# of the Jacobian with a vector. `autograd.jvp` computes it, as `torch.func.jvp` does. Two managers
# show how: a backward pass with the head gradient h computes the product of the transposed Jacobian
# with h. This is a linear function of h, and the product of *its* transposed Jacobian with v is J
# v. So the outer manager differentiates the backward pass of the inner one with respect to h.


# %%
def forward_derivative(
    function: Callable[[nd.NDArray], nd.NDArray], x: nd.NDArray, direction: nd.NDArray
) -> tuple[nd.NDArray, nd.NDArray]:
    """Return the value of `function` at `x`, and its derivative along `direction`."""
    outer, inner = GradManager(), GradManager().attach(x)
    with outer:
        with inner:
            y = function(x)
            head = nd.zeros_like(y)
            outer.attach(head)
            inner.backward(y, head)
        product, x.grad = x.grad, None
        outer.backward(product, direction)
    return y, head.grad


time = nd.array(np.linspace(0, 12, 300))


def spring(damping: nd.NDArray) -> nd.NDArray:
    """Return the position, over time, of a spring that is stretched by 1 and released."""
    frequency = nd.sqrt(1 - damping**2)
    return nd.exp(-damping * time) * nd.cos(frequency * time)


position, sensitivity = forward_derivative(spring, nd.array([0.15]), nd.ones(1))
change = spring(nd.array([0.151])) - spring(nd.array([0.149]))
difference = nd.abs(sensitivity - change / 0.002).max().asscalar()
print(f"300 derivatives at once; largest difference from finite differences: {difference:.0e}")
assert difference < 1e-2

# %% [markdown]
# ## Plot
#
# Left: the loss after ten steps for each learning rate (line), and the learning rates that the
# outer descent visits (dots). Middle: the two players. With plain steps they spiral away from the
# solution (star); with look-ahead they converge to it. Right: the position of the spring, and its
# derivative with respect to the damping.

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
curve = np.linspace(0.04, 0.2, 80)
left.semilogy(curve, [train(nd.array([r])).asscalar() for r in curve], color="grey")
left.semilogy(*np.array(rates).T, "o", color="#d1692b", markersize=4)
left.set(xlabel="learning rate", title="nested: loss after ten steps")
middle.plot(*outward.T, ".-", color="#2a78b5", linewidth=0.7, label="plain")
middle.plot(*inward.T, ".-", color="#d1692b", linewidth=0.7, label="look-ahead")
middle.plot(0, 0, "*", color="#2a8f47", markersize=12)
middle.set(
    xlabel="x, minimizes x * y", ylabel="y, maximizes x * y", title="independent: two players"
)
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
