# %% [markdown]
# # Training that keeps its examples private
#
# A trained network can reveal its training examples. *Differential privacy* limits this: the
# published network would be nearly the same if any one example were left out. DP-SGD guarantees
# privacy by two changes to gradient descent: it limits the length of the gradient of *each
# example*, and adds noise that hides the contribution of a single example. Usual training never
# computes the gradient of each example. `func.vmap` of `func.grad` does.

# %%
import math
from time import perf_counter
from typing import Any

import numpy
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import func, nd, nn
from gluon import loss as losses

gluon.random.seed(0)
rng = numpy.random.default_rng(0)

# %% [markdown]
# ## One example
#
# We classify the digits of scikit-learn, pictures of 8 x 8. The loss is a function of the
# parameters and of *one* picture: `func.functional_call` calls a network with given parameters.
# Layers expect a batch, so the picture becomes a batch of one.

# %%
HELD_OUT = 360
digits = load_digits()
order = rng.permutation(len(digits.target))
pictures = nd.array(digits.data[order] / 16)
labels = nd.array(digits.target[order])
x, y = pictures[HELD_OUT:], labels[HELD_OUT:]

net = nn.HybridSequential(prefix="digits_")
net.add(nn.Dense(32, activation="tanh", in_units=64), nn.Dense(10, in_units=32))
net.initialize(gluon.init.Xavier())
cross_entropy = losses.SoftmaxCrossEntropyLoss()
Params = dict[str, Any]


def loss(params: Params, picture: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    scores = func.functional_call(net, params, picture.expand_dims(0))
    losses_of: nd.NDArray = cross_entropy(scores, label.expand_dims(0))
    return losses_of.sum()


# %% [markdown]
# ## All examples
#
# `func.grad(loss)` computes the gradient for one example: a dict like the parameters. `func.vmap`
# turns it into a function of all examples at once. The parameters are shared, so their axis is
# None; pictures and labels are mapped along axis 0. Each array of the result has one more axis in
# front.

# %%
params: Params = {name: p.data() for name, p in net.collect_params().items()}
gradients = func.vmap(func.grad(loss), in_axes=(None, 0, 0))
found = gradients(params, x[:100], y[:100])
for name, grad in found.items():
    print(f"{name}: {params[name].shape}, for each example {grad.shape}")


def loop(count: int) -> list[Params]:
    return [func.grad(loss)(params, x[k], y[k : k + 1].reshape(())) for k in range(count)]


one_by_one = loop(100)
off = max(
    abs(found[name][k].asnumpy() - one[name].asnumpy()).max()
    for k, one in enumerate(one_by_one)
    for name in found
)
print(f"largest difference from a loop: {off:.0e}")
assert off < 1e-5

times = []
for run in (lambda: gradients(params, x[:100], y[:100]), lambda: loop(100)):
    start = perf_counter()
    run()
    times.append(perf_counter() - start)
print(f"a loop takes {times[1] / times[0]:.0f} times as long")

# %% [markdown]
# ## Clip, add, and add noise
#
# The gradient of an example is one long vector, in several arrays. If it is longer than C, we
# scale it to length C. Then leaving out one example changes the sum of the gradients by C at
# most. Normal noise with standard deviation s C hides this change.


# %%
def clipped(grads: Params, longest: float) -> Params:
    """Limit the length of the gradient of each example."""
    squares = [(g.reshape((len(g), -1)) ** 2).sum(axis=1) for g in grads.values()]
    lengths = nd.sqrt(nd.add_n(*squares))
    factors = nd.minimum(1, longest / nd.maximum(lengths, 1e-12))
    return {name: g * factors.reshape((-1, *[1] * (g.ndim - 1))) for name, g in grads.items()}


LONGEST = 1.0
grads = gradients(params, x, y)
length = func.vmap(lambda g: nd.sqrt(nd.add_n(*[(one**2).sum() for one in g.values()])))
lengths, again = length(grads), length(clipped(grads, LONGEST))
print(f"lengths from {lengths.min().asscalar():.2f} to {lengths.max().asscalar():.2f}")
print(f"after clipping at most {again.max().asscalar():.4f}")
assert again.max().asscalar() < LONGEST + 1e-4

# %% [markdown]
# ## What is promised
#
# Each step uses all examples, so the bound is simple. In *zero-concentrated* differential
# privacy, a step with noise s costs 1 / (2 s²), and the costs of all steps add up to c. This
# guarantees for any δ: except with probability δ, no outcome is more than exp(ε) times as
# probable with an example as without it, where ε = c + 2 √(c ln(1/δ)). We choose ε, and compute
# the noise.

# %%
STEPS, DELTA = 60, 1e-4


def noise_for(epsilon: float) -> float:
    """Return the noise s with which all steps together guarantee epsilon."""
    root = math.sqrt(math.log(1 / DELTA) + epsilon) - math.sqrt(math.log(1 / DELTA))
    return math.sqrt(STEPS / (2 * root**2))


def accuracy(params: Params, pictures: nd.NDArray, labels: nd.NDArray) -> float:
    scores = func.functional_call(net, params, pictures)
    return float((scores.argmax(axis=1) == labels).mean().asscalar())


def train(epsilon: float) -> tuple[Params, list[float]]:
    """Train by gradient descent with momentum; an infinite epsilon means no noise."""
    noise = 0.0 if math.isinf(epsilon) else noise_for(epsilon)
    now, speed, history = dict(params), {name: 0 * p for name, p in params.items()}, []
    for _ in tqdm(range(STEPS), desc=f"epsilon {epsilon}", mininterval=1):
        grads = clipped(gradients(now, x, y), LONGEST)
        for name, g in grads.items():
            hidden = rng.normal(scale=noise * LONGEST, size=now[name].shape) if noise else 0
            mean = (g.sum(axis=0) + nd.array(hidden)) / len(x) if noise else g.mean(axis=0)
            speed[name] = 0.9 * speed[name] + mean
            now[name] = now[name] - 0.5 * speed[name]
        history.append(accuracy(now, pictures[:HELD_OUT], labels[:HELD_OUT]))
    return now, history


histories = {}
for epsilon in (math.inf, 8.0, 2.0, 0.5):
    trained, histories[epsilon] = train(epsilon)
    seen, held_out = accuracy(trained, x, y), histories[epsilon][-1]
    noise = 0 if math.isinf(epsilon) else noise_for(epsilon)
    print(f"epsilon {epsilon:>4}: noise {noise:6.1f}, {seen:.1%} of the training set,", end=" ")
    print(f"{held_out:.1%} of the digits held out")

# %% [markdown]
# Moderate privacy costs little accuracy, because the noise is added to a sum over 1437 examples:
# with ε = 2, the network is nearly as accurate as without noise. With ε = 0.5, the network reveals
# hardly anything about a single digit, and is less accurate. More examples would help, because the
# noise is the same for any number of them.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.2), layout="constrained")
left.hist(lengths.asnumpy(), bins=50, color="#2a78b5")
left.axvline(LONGEST, color="#d1692b", lw=2)
left.set(title="Length of the gradient of each example, at the start", xlabel="length")
left.set(ylabel="examples")
colours = ("#888888", "#2a8f47", "#2a78b5", "#d1692b")
for (epsilon, history), colour in zip(histories.items(), colours):
    name = "no noise" if math.isinf(epsilon) else f"ε = {epsilon}"
    right.plot(numpy.arange(1, STEPS + 1), history, color=colour, label=name)
right.set(title="Right on digits held out", xlabel="step", ylim=(0, 1))
right.legend(frameon=False)
for axes in (left, right):
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("private_digits.png", dpi=120)
plt.show()
