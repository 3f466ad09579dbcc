# %% [markdown]
# # Autograd in ten minutes
#
# You write a computation with ordinary Python. gluon writes down which operators ran, and can then
# tell how the result changes with each input. That is all there is to *automatic differentiation*;
# this tutorial goes once through it, and ends with a picture.

# %%
import os
import textwrap

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the arrays are small

import numpy as np
from matplotlib import pyplot as plt

from gluon import GluonError, autograd, nd

# %% [markdown]
# ## A derivative
#
# Mark the variable, compute inside of `record()`, walk back from the result.

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
# ## Any Python will do
#
# Loops, branches and functions run as always. What is recorded is what happened, so the derivative
# is that of the path taken. Here is a square root by Heron's method, which nobody told gluon how to
# differentiate. The loop takes as many rounds as it needs.


# %%
def heron(a):
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
# ## Many inputs, one walk
#
# One backward pass gives the derivative with respect to every marked array at once; its cost is
# a small multiple of the computation's own, however many inputs there are. That is why this is
# the way to train networks. Here: fit a line to points, by going against the gradient.

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
# ## Derivatives of derivatives
#
# `autograd.grad` returns a derivative as an array. With `create_graph=True` it is recorded as well,
# and can be differentiated like anything else, again and again.

# %%
x = nd.array(np.linspace(-4, 4, 160))
x.attach_grad()
with autograd.record():
    y = nd.exp(-x * x / 2)
    derivatives = [y]
    for _ in range(4):
        derivatives.append(autograd.grad(derivatives[-1], x, create_graph=True)[0])

# %% [markdown]
# The n-th derivative of the bell curve is, up to its sign, the bell curve times the n-th Hermite
# polynomial. So there is something to compare with:

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
# `pause()` computes without a trace, and `detach()` cuts an array off from its history. A result
# that has no history says why, and what to do about it.

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
# ## The picture
#
# The bell curve and its first four derivatives. Each crosses zero where the one before it has a
# maximum or a minimum: the dots sit on the extremes of one curve and on the zeros of the next.

# %%
figure, panels = plt.subplots(5, 1, figsize=(7, 8), sharex=True, layout="constrained")
for axes, derivative, order in zip(panels, derivatives, range(5)):
    axes.plot(x.asnumpy(), derivative.asnumpy(), color="#2a78b5")
    axes.axhline(0, color="grey", linewidth=0.6)
    axes.set_ylabel("y" + "'" * order, rotation=0, labelpad=14, fontsize=13)
for above, below, curve, slope in zip(panels, panels[1:], derivatives, derivatives[1:]):
    slope = slope.asnumpy()
    crossing = np.flatnonzero(slope[:-1] * slope[1:] < 0)
    places = x.asnumpy()[crossing] + (x[1] - x[0]).asscalar() / 2
    above.plot(places, curve.asnumpy()[crossing], "o", color="#d1692b")
    below.plot(places, 0 * places, "o", color="#d1692b")
panels[0].set_title("exp(-x²/2) and four derivatives of it, each the gradient of the one above")
figure.savefig("autograd_in_ten_minutes.png", dpi=120)
plt.show()
