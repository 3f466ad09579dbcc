# %% [markdown]
# # Autograd in ten minutes
#
# You write a computation in ordinary Python. gluon records the operators that run, and then
# computes the derivatives of the result with respect to each input. This is *automatic
# differentiation*.

# %%
import textwrap

import numpy as np
from matplotlib import pyplot as plt

from gluon import GluonError, autograd, nd

# %% [markdown]
# ## A derivative
#
# Mark the variable with `attach_grad()`, compute inside `record()`, and call `backward()` on the
# result.

# %%
x = nd.array([0.0, 1.0, 2.0])
x.attach_grad()
with autograd.record():
    y = x**3 - 2 * x
y.backward()
print("x         ", x.asnumpy())
print("dy/dx     ", x.grad.asnumpy())
print("3 x^2 - 2 ", (3 * x**2 - 2).asnumpy())

# %% [markdown]
# ## Control flow
#
# Loops, branches and functions run as usual. gluon records the operators that actually ran, and
# differentiates them. This example computes a square root by Heron's method, in a loop whose number
# of iterations depends on the data.


# %%
def heron(a: nd.NDArray) -> nd.NDArray:
    root = a
    rounds = 0
    while abs((root * root - a).asscalar()) > 1e-6 * a.asscalar():
        root = (root + a / root) / 2
        rounds += 1
    print(f"{rounds} rounds")
    return root


a = nd.array([9.0], dtype="float64")
a.attach_grad()
with autograd.record():
    root = heron(a)
root.backward()
print(f"root {root.asscalar():.6f}, slope {a.grad.asscalar():.6f}, and 1 / (2 root) is {1 / 6:.6f}")

# %% [markdown]
# ## Many inputs
#
# One backward pass computes the derivatives with respect to all marked arrays. It costs a small
# multiple of the forward pass, for any number of inputs. Neural networks are trained in this way.
# This example fits a line to points by gradient descent.

# %%
noise = np.random.default_rng(0)
t = nd.array(np.linspace(-1, 1, 40))
points = 2 * t - 1 + nd.array(noise.normal(0, 0.2, 40))
slope, offset, error = nd.zeros(1), nd.zeros(1), nd.zeros(1)
slope.attach_grad()
offset.attach_grad()
for _ in range(100):
    with autograd.record():
        error = ((slope * t + offset - points) ** 2).mean()
    error.backward()
    slope -= 0.2 * slope.grad
    offset -= 0.2 * offset.grad
print(f"slope {slope.asscalar():.2f}, offset {offset.asscalar():.2f}, error {error.asscalar():.3f}")

# %% [markdown]
# ## Higher-order derivatives
#
# `autograd.grad` returns a derivative as an array. With `create_graph=True`, the derivative is
# recorded too, so that you can differentiate it again, to any order.

# %%
x = nd.array(np.linspace(-4, 4, 160))
x.attach_grad()
with autograd.record():
    y = nd.exp(-x * x / 2)
    derivatives = [y]
    for _ in range(4):
        derivatives.append(autograd.grad(derivatives[-1], x, create_graph=True)[0])

# %% [markdown]
# Up to its sign, the n-th derivative of the bell curve is the bell curve times the n-th Hermite
# polynomial. Compare:

# %%
for order, derivative in enumerate(derivatives):
    hermite = np.polynomial.hermite_e.HermiteE.basis(order)(x.asnumpy())
    expected = (-1) ** order * hermite * y.asnumpy()
    difference = np.abs(derivative.asnumpy() - expected).max()
    print(f"order {order}: largest difference {difference:.0e}")
    assert difference < 1e-5

# %% [markdown]
# ## What is not recorded
#
# `pause()` turns recording off, and `detach()` returns an array without its history.
# Differentiating a result without history raises an error that says why and suggests a fix.

# %%
with autograd.record():
    kept = x * 2
    with autograd.pause():
        lost = x * 2
try:
    lost.backward()
except GluonError as error:
    print(textwrap.fill(str(error), 90))

# %% [markdown]
# ## Plot
#
# The bell curve and its first four derivatives. Each crosses zero where the one before it has a
# maximum or a minimum: the dots sit on the extremes of one curve and on the zeros of the next.

# %%
figure, panels = plt.subplots(5, 1, figsize=(7, 8), sharex=True, layout="constrained")
for axes, derivative, order in zip(panels, derivatives, range(5)):
    axes.plot(x.asnumpy(), derivative.asnumpy(), color="#2a78b5")
    axes.axhline(0, color="grey", linewidth=0.6)
    axes.set_ylabel("y" + "'" * order, rotation=0, labelpad=14, fontsize=13)
for above, below, curve, steepness in zip(panels, panels[1:], derivatives, derivatives[1:]):
    signs = np.sign(steepness.asnumpy())
    crossing = np.flatnonzero(signs[:-1] * signs[1:] < 0)
    places = x.asnumpy()[crossing] + (x[1] - x[0]).asscalar() / 2
    above.plot(places, curve.asnumpy()[crossing], "o", color="#d1692b")
    below.plot(places, 0 * places, "o", color="#d1692b")
panels[0].set_title("exp(-x²/2) and four derivatives of it, each the gradient of the one above")
figure.savefig("autograd_in_ten_minutes.png", dpi=120)
plt.show()
