# %% [markdown]
# # How robust is each example?
#
# The accuracy under attack is an average over pictures. This tutorial asks for each picture: how
# small a change is enough to change the answer of the network? We write a function of one
# picture, with a gradient inside, and `func.vmap` applies it to all pictures at once.

# %%
import numpy
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import autograd, func, nd, nn
from gluon import loss as losses

gluon.random.seed(0)

# %% [markdown]
# ## A network
#
# The network classifies the digits of scikit-learn, pictures of 8 x 8 with values from 0 to 1.

# %%
HELD_OUT = 360
digits = load_digits()
order = numpy.random.default_rng(0).permutation(len(digits.target))
pictures, labels = nd.array(digits.data[order] / 16), nd.array(digits.target[order])

net = nn.HybridSequential()
net.add(nn.Dense(64, activation="relu", in_units=64), nn.Dense(10, in_units=64))
net.initialize(gluon.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
cross_entropy = losses.SoftmaxCrossEntropyLoss()


@gluon.jit
def step(x: nd.NDArray, y: nd.NDArray) -> nd.NDArray:
    with autograd.record():
        loss = cross_entropy(net(x), y)
    loss.backward()
    trainer.step(len(x))
    return loss


for _ in tqdm(range(100), desc="training", mininterval=1):
    step(pictures[HELD_OUT:], labels[HELD_OUT:])

scores = net(pictures[:HELD_OUT])
right = (scores.argmax(axis=1) == labels[:HELD_OUT]).asnumpy().astype(bool)
print(f"right on digits held out: {right.mean():.1%}")
chosen = numpy.flatnonzero(right)
x, y = pictures[chosen], labels[chosen]

# %% [markdown]
# ## A straight line to the border
#
# The *margin* of a picture is the score of its class minus the largest other score. The answer
# changes where the margin reaches 0. Near the picture, the margin is nearly linear: if all values
# change by r in the worst direction, it falls by r times the sum of the absolute values of its
# gradient. So the *radius*, the smallest r that changes the answer, is about the margin divided
# by that sum.
#
# `margin` takes one picture. Layers expect a batch, so the picture becomes a batch of one.


# %%
def margin(picture: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    scores: nd.NDArray = net(picture.expand_dims(0))[0]
    own = nd.one_hot(label, 10)
    return (scores * own).sum() - (scores - 1000 * own).max()


def linear_radius(picture: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    value, slope = func.value_and_grad(margin)(picture, label)
    radius: nd.NDArray = value.reshape(()) / nd.abs(slope).sum()
    return radius


estimate = func.vmap(linear_radius)(x, y).asnumpy().reshape(-1)
print(f"estimated radius: {estimate.min():.3f} to {estimate.max():.3f}")

# %% [markdown]
# ## An attack of any size, on each picture
#
# The estimate is good only near the picture. An attack looks for a picture with a small margin
# among all pictures whose values differ by at most `radius`. It takes small steps against the
# sign of the gradient, the direction in which the margin falls fastest, and returns to this box
# after each step.


# %%
def attacked(picture: nd.NDArray, label: nd.NDArray, radius: nd.NDArray) -> nd.NDArray:
    """Return the least margin that was found in the box."""
    moved, least = picture, margin(picture, label)
    for _ in range(20):
        moved = moved - radius / 5 * nd.sign(func.grad(margin)(moved, label))
        moved = nd.minimum(nd.maximum(moved, picture - radius), picture + radius)
        moved = nd.clip(moved, 0, 1)
        least = nd.minimum(least, margin(moved, label))
    return least


on_all = func.vmap(attacked)
half = on_all(x, y, nd.array(estimate / 2)).asnumpy()
whole = on_all(x, y, nd.array(estimate * 1.5)).asnumpy()
shares = [f"{(found < 0).mean():.1%}" for found in (half, whole)]
print(f"fooled within half of the estimate: {shares[0]}, 1.5 of it: {shares[1]}")

# %% [markdown]
# ## The smallest radius, for each picture
#
# A bisection finds the radius of each picture: where the attack succeeds, the radius is at most
# the one tried; elsewhere, the search continues above it. The radii are an argument, mapped like
# the pictures, so the attack on each picture uses its own radius.

# %%
low, high = numpy.zeros(len(x)), numpy.ones(len(x))
for _ in tqdm(range(9), desc="bisection", mininterval=1):
    middle = (low + high) / 2
    fooled = on_all(x, y, nd.array(middle)).asnumpy().reshape(-1) < 0
    low, high = numpy.where(fooled, low, middle), numpy.where(fooled, middle, high)
radius = high
ends = f"from {radius.min():.3f} to {radius.max():.3f}"
print(f"smallest radius: median {numpy.median(radius):.3f}, {ends}")
together = numpy.corrcoef(estimate, radius)[0, 1]
print(f"correlation with the estimate: {together:.2f}")
assert together > 0.8

# %% [markdown]
# ## Which pixels decide?
#
# The Jacobian of the scores has a row for each class, which shows how each pixel raises or lowers
# the score of the class. `jacrev` computes the Jacobian for one picture, `vmap` for all: here 10
# x 64 numbers for each picture.

# %%
J = func.vmap(func.jacrev(lambda picture: net(picture.expand_dims(0))[0]))(x)
print("Jacobians:", J.shape)
own = numpy.eye(10, dtype=bool)[y.asnumpy().astype(int)]
second = numpy.where(own, -numpy.inf, net(x).asnumpy()).argmax(axis=1)

# %% [markdown]
# The first four pictures are the least robust, the others the most robust. The lower row shows
# the pixels that would change the answer to the second-best class: red pixels if they were
# darker, blue ones if they were lighter.

# %%
by_radius = numpy.argsort(radius)
shown = [*by_radius[:4], *by_radius[-4:]]
figure = plt.figure(figsize=(12, 6), layout="constrained")
top, bottom = figure.subfigures(2, 1, height_ratios=(1.2, 1))
left, middle = top.subplots(1, 2)
left.hist(radius, bins=40, color="#2a78b5")
left.set(title="Smallest change of all pixels that turns the answer", xlabel="radius")
middle.scatter(estimate, radius, s=8, color="#2a8f47")
middle.plot([0, radius.max()], [0, radius.max()], color="#888888", lw=1)
middle.set(title="Found by attacks, and estimated", xlabel="margin / |gradient|", ylabel="radius")
for axes in (left, middle):
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
panels = bottom.subplots(2, 8)
for column, k in enumerate(shown):
    label = int(y[k].asscalar())
    panels[0, column].imshow(x[k].asnumpy().reshape(8, 8), cmap="gray_r")
    panels[0, column].set_title(f"{label}, not {second[k]}: {radius[k]:.2f}", fontsize=9)
    pull = (J[k, int(second[k])] - J[k, label]).asnumpy().reshape(8, 8)
    panels[1, column].imshow(pull, cmap="RdBu_r", vmin=-abs(pull).max(), vmax=abs(pull).max())
for axes in panels.flat:
    axes.set(xticks=[], yticks=[])
figure.savefig("robustness_of_each_digit.png", dpi=120)
plt.show()
