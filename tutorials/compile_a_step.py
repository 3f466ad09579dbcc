# %% [markdown]
# # Compile a training step
#
# A small network spends most of a training step in Python: a step calls about a hundred
# operators, and each costs some microseconds. `gluon.jit` watches a step and turns it into a list
# of instructions that the compiled library runs. This tutorial compiles a step, shows its
# instructions and its time, and explains what a compiled step keeps fixed.

# %%
from collections.abc import Callable
from time import perf_counter

import numpy as np
from matplotlib import pyplot as plt

import gluon
from gluon import autograd, nd, nn, profiler

# %% [markdown]
# ## A network and a step
#
# Two spirals wind around each other, and a perceptron learns to which one a point belongs. The
# step is a function of a batch: it records the loss, runs the backward pass, and updates the
# parameters.

# %%


def spirals(count: int) -> tuple[nd.NDArray, nd.NDArray]:
    rng = np.random.default_rng(0)
    kind, turn = rng.integers(0, 2, count), rng.uniform(0.1, 1.0, count)
    angle = 2 * np.pi * turn + np.pi * kind
    x = np.stack([turn * np.cos(angle), turn * np.sin(angle)], axis=1)
    return nd.array(x + rng.normal(0, 0.015, x.shape)), nd.array(kind)


def build() -> nn.HybridSequential:
    gluon.random.seed(2)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(24, "tanh", in_units=2), nn.Dense(24, "tanh", in_units=24))
        net.add(nn.Dense(2, in_units=24))
    net.initialize(gluon.init.Xavier(magnitude=4))
    return net


def step_of(net: nn.HybridSequential) -> Callable[[nd.NDArray, nd.NDArray], nd.NDArray]:
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss(prefix="loss_")

    def step(x: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
        with autograd.record():
            loss = cross_entropy(net(x), label).mean()
        loss.backward()
        trainer.step(batch_size=1)
        return loss

    return step


points, labels = spirals(512)
batches = [(points[k : k + 32], labels[k : k + 32]) for k in range(0, 512, 32)]

# %% [markdown]
# ## Compiled and as written
#
# `gluon.jit(step)` returns a function that you call like the step itself. The first call runs the
# Python code as written. gluon watches the second and the third call. If both do the same, and the
# instructions give the same values on copies of all arrays, later calls run the instructions. So
# the compiled network learns the same as the other one.

# %%


def train(step: Callable[..., nd.NDArray], epochs: int) -> tuple[list[float], float]:
    """Train; return the mean loss of each epoch, and µs per step in the fastest epoch."""
    losses, times = [], []
    for _ in range(epochs):
        start = perf_counter()
        found = [step(x, label) for x, label in batches]
        times.append((perf_counter() - start) / len(batches))
        losses.append(float(sum(loss.asscalar() for loss in found) / len(found)))
    return losses, min(times) * 1e6


net, other = build(), build()
step = gluon.jit(step_of(net))
losses, compiled = train(step, 100)
written, as_written = train(step_of(other), 100)
apart = max(abs(one - two) for one, two in zip(losses[:20], written[:20]))
right = float((net(points).argmax(axis=1) == labels).mean().asscalar())
print(f"loss: {losses[0]:.2f} at first, {losses[-1]:.3f} at the end")
print(f"points on the right side: {right:.1%}")
print(f"the losses of the first 20 epochs differ by at most {apart:.1e}")
print(f"a step takes {as_written:.0f} µs as written, {compiled:.0f} µs compiled")

# %% [markdown]
# ## What runs
#
# `program()` shows the instructions, each with its layer and its line of Python. In a notebook,
# `step.program()` as the last line of a cell draws a picture. *Fused* instructions compute
# several elementwise operations in one pass, and *products* multiply matrices. Python still calls
# the trainer, because its learning rate and its counts change.

# %%
print(step.program())

# %% [markdown]
# The profiler times each instruction of a program, and names the layers.

# %%
with profiler.profile() as profile:
    for x, label in batches:
        step(x, label)
print(profile.table(by="layer"))

# %% [markdown]
# ## What is fixed, and what is not
#
# A program looks up arrays in each call: arguments, parameters, and arrays of closures. It keeps
# the branches and loops of the watched calls. Before each run, gluon compares the numbers that
# the step reads from outside, such as `scale`. If one has changed, the call runs as written, and
# gluon makes a new program. `shift` is an array, so a new value of it needs no new program.

# %%
scale, shift = 2.0, nd.zeros(1)


@gluon.jit
def line(x: nd.NDArray) -> nd.NDArray:
    return scale * x + shift


for _ in range(4):
    line(nd.ones(1))
scale, shift[:] = 100.0, 5
print(f"new numbers: {line(nd.ones(1)).asscalar():g}, and Python gives {scale + 5:g}")

# %% [markdown]
# After eight such changes, the step always runs as written. So pass values that change often as
# arguments: each number gets its own program, and an array needs no new program. The learning
# rate of a `Trainer` may change at any time. If a program cannot do what a step does, the step
# runs as written, and `program()` says why. Here, one step has a counter, which differs between
# the watched calls, and the other reads a value in Python.

# %%
count = 0


@gluon.jit
def counting(x: nd.NDArray) -> nd.NDArray:
    global count
    count += 1
    return x * count


@gluon.jit
def choosing(x: nd.NDArray) -> nd.NDArray:
    return x if x.sum().asscalar() > 0 else -x


for _ in range(4):
    counting(nd.ones(1)), choosing(nd.ones(1))
print(counting.program())
print(choosing.program())

# %% [markdown]
# ## The two networks
#
# Left: the losses of both networks, which coincide. Right: the predictions of the compiled
# network over the plane.

# %%
side = np.linspace(-1.2, 1.2, 120)
plane = nd.array(np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2))
belief = nd.softmax(net(plane))[:, 1].asnumpy().reshape(120, 120)
figure, (left, middle) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
left.plot(written, color="#d1692b", lw=4, alpha=0.5, label=f"as written, {as_written:.0f} µs")
left.plot(losses, color="#2a78b5", lw=1.5, label=f"compiled, {compiled:.0f} µs a step")
left.set(xlabel="epoch", ylabel="loss", yscale="log")
left.legend(frameon=False)
middle.contourf(side, side, belief, levels=20, cmap="RdYlBu")
middle.scatter(*points.asnumpy().T, c=labels.asnumpy(), s=8, cmap="RdYlBu", edgecolors="k", lw=0.3)
middle.set_aspect("equal")
for axes in (left, middle):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("compile_a_step.png", dpi=120)
plt.show()
