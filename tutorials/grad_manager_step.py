# %% [markdown]
# # One training step with `record()` and `GradManager`
#
# `autograd.record()` and `GradManager` are two interfaces to the same engine. With the same
# network and the same batch, they compute gradients and updated parameters that are equal to the
# last bit.

# %%
from collections.abc import Iterable

import numpy as np
from matplotlib import pyplot as plt

import gluon
from gluon import autograd, nd, nn
from gluon.autodiff import GradManager

# %% [markdown]
# ## A network and a batch
#
# The network is small and has fixed initial parameters. The images are noise.

# %%


def build() -> nn.HybridSequential:
    gluon.random.seed(0)
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, kernel_size=3, in_channels=1),
        nn.BatchNorm(in_channels=8),
        nn.Activation("relu"),
        nn.MaxPool2D(),
        nn.Dense(10, in_units=72),
    )
    net.initialize(gluon.init.Xavier())
    return net


rng = np.random.default_rng(0)
x, label = nd.array(rng.normal(size=(32, 1, 8, 8))), nd.array(rng.integers(0, 10, 32))
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
one, two = build(), build()

# %% [markdown]
# ## With `record()`
#
# `record()` records all operators inside the block. `backward()` of the loss writes the gradients,
# and a `Trainer` updates the parameters from them.

# %%
trainer = gluon.Trainer(one.collect_params(), "sgd", {"learning_rate": 0.1})
with autograd.record():
    loss = cross_entropy(one(x), label).mean()
loss.backward()
trainer.step(batch_size=1)

# %% [markdown]
# ## With a `GradManager`
#
# Attach the parameters to the manager, and call its `backward` inside its block. A manager does not
# change the training mode, so `train_mode()` selects it for batch normalization.

# %%
weights = [p.data() for p in two.collect_params().values() if p.grad_req != "null"]
manager = GradManager().attach(weights)
with manager, autograd.train_mode():
    managed = cross_entropy(two(x), label).mean()
    manager.backward(managed)
for weight in weights:
    weight -= 0.1 * weight.grad

# %% [markdown]
# ## Comparison


# %%
def gradients(net: nn.Block) -> list[np.ndarray]:
    params = net.collect_params().values()
    return [p.grad().asnumpy() for p in params if p.grad_req != "null"]


def parameters(net: nn.Block) -> list[np.ndarray]:
    return [p.data().asnumpy() for p in net.collect_params().values()]


def largest_difference(ours: Iterable[np.ndarray], theirs: Iterable[np.ndarray]) -> float:
    return max(float(abs(a - b).max()) for a, b in zip(ours, theirs))


in_gradients = largest_difference(gradients(one), gradients(two))
in_parameters = largest_difference(parameters(one), parameters(two))
print(f"loss:                              {loss.asscalar():.6f} and {managed.asscalar():.6f}")
print(f"largest difference of gradients:   {in_gradients:.1e}")
print(f"largest difference after the step: {in_parameters:.1e}")
assert in_gradients == 0
assert in_parameters < 1e-6  # a GPU rounds the steps of a trainer in another order

# %% [markdown]
# ## Plot
#
# Each dot is one element of the gradient, computed in both ways. All dots lie on the diagonal.

# %%
names = [name for name, p in one.collect_params().items() if p.grad_req != "null"]
figure, axes = plt.subplots(figsize=(5.5, 5), layout="constrained")
ends = [min(g.min() for g in gradients(one)), max(g.max() for g in gradients(one))]
axes.plot(ends, ends, color="0.5", linewidth=1)
for name, across, up in zip(names, gradients(one), gradients(two)):
    axes.plot(across.ravel(), up.ravel(), "o", ms=4, alpha=0.6, label=name)
axes.set(xlabel="with record()", ylabel="with a GradManager")
axes.set_title(f"{sum(g.size for g in gradients(one))} derivatives, computed twice")
axes.set_aspect("equal")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
figure.savefig("grad_manager_step.png", dpi=120)
plt.show()
