# %% [markdown]
# # Load an exported network, fine-tune it, attack it
#
# MXNet and gluon save a trained network as two files: `name-symbol.json` has the operators, and
# `name-0000.params` the parameters. This tutorial exports a digit classifier and loads it without
# the code that made it. With a new last layer, it learns from thirty examples to distinguish even
# from odd digits. Finally, we attack the new network with the gradient with respect to its
# *input*.

# %%
import os
import tempfile

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import SymbolBlock, autograd, model, nd, nn, sym
from gluon.data import ArrayDataset, DataLoader

gluon.random.seed(0)
np.random.seed(0)  # the order in which DataLoader shuffles

# %% [markdown]
# ## Data
#
# The digits of scikit-learn, 8 x 8 pixels from 0 to 1. The network is trained on 1,000 of them. The
# new task has three training examples of each digit, and 767 digits for testing.

# %%
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures, labels = digits.images[order, None] / 16, digits.target[order]
x, even = nd.array(pictures), nd.array(labels % 2 == 0)
few = np.concatenate([1000 + np.flatnonzero(labels[1000:] == digit)[:3] for digit in range(10)])
rest = np.setdiff1d(np.arange(1000, len(labels)), few)
old = ArrayDataset(x[:1000], nd.array(labels[:1000]))
new = ArrayDataset(x[few], even[few])
x, even = x[rest], even[rest]
print(len(old), "digits to read,", len(new), "examples of even and odd,", len(x), "held out")

# %% [markdown]
# ## A trained network in two files
#
# `export` writes the network for the inputs of its last call, so call `hybridize()`, and then the
# network once. Two files written by MXNet work as well.

# %%
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


def build(classes: int) -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="digits_")
    with net.name_scope():
        net.add(
            nn.Conv2D(16, kernel_size=3, padding=1),
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.Conv2D(32, kernel_size=3, padding=1, activation="relu"),
            nn.MaxPool2D(),
            nn.Dense(64, activation="relu"),
            nn.Dropout(0.2),
            nn.Dense(classes),
        )
    net.initialize(gluon.init.Xavier())
    return net


def train(
    net: nn.HybridBlock, samples: ArrayDataset, epochs: int, name: str, **mode: bool
) -> nn.HybridBlock:
    """Train the parameters of a network that have gradients."""
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})
    loader = DataLoader(samples, batch_size=30, shuffle=True)
    for _ in tqdm(range(epochs), desc=name, mininterval=1):
        for batch, wanted in loader:
            with autograd.record(**mode):
                loss = cross_entropy(net(batch), wanted)
            loss.backward()
            trainer.step(batch_size=len(batch))
    return net


folder = tempfile.mkdtemp()
net = train(build(10), old, 12, "reading digits")
net.hybridize()
net(x[:1])
for path in net.export(f"{folder}/digits", epoch=12):
    print(os.path.basename(path), os.path.getsize(path), "bytes")

# %% [markdown]
# ## Cut off the last layer
#
# `load_checkpoint` returns the symbol and its parameters. `get_internals` lists the output of
# every operator by name. Keep everything up to the dropout, and add a new layer. The file does
# not have the two parameters of this layer, so initialize them.

# %%
symbol, arg_params, aux_params = model.load_checkpoint(f"{folder}/digits", 12)
inside = symbol.get_internals()
print(*(name for name in inside.list_outputs() if name.endswith("output")), sep="\n")

features = inside["digits_dropout0_fwd_output"]
scores = sym.FullyConnected(features, num_hidden=2, name="fresh")
tuned = SymbolBlock(scores, sym.var("data"))
tuned.collect_params().load_dict(
    {**arg_params, **aux_params}, allow_missing=True, ignore_extra=True
)
tuned.collect_params("fresh").initialize()

# %% [markdown]
# ## Train the new layer
#
# Parameters with `grad_req = "null"` have no gradient, so they do not change. With
# `train_mode=False`, the running statistics of batch normalization do not change either. The
# earlier training helps: a network with the same layers, trained on the thirty examples alone, is
# less accurate.

# %%
for name, parameter in tuned.collect_params().items():
    if not name.startswith("fresh"):
        parameter.grad_req = "null"
train(tuned, new, 150, "the last layer", train_mode=False)
scratch = train(build(2), new, 150, "all from scratch")


def right(net: nn.HybridBlock, x: nd.NDArray) -> float:
    """Return the percentage of pictures that a network classifies correctly."""
    return float(100 * (net(x).argmax(axis=1) == even).mean().asscalar())


print(f"last layer trained: {right(tuned, x):.1f}% right")
print(f"all from scratch:   {right(scratch, x):.1f}% right")

# %% [markdown]
# ## Attack it
#
# The fast gradient sign method moves each pixel by epsilon, along the sign of the gradient of the
# loss. We record the gradient in prediction mode. Noise of the same size with random signs, for
# comparison, shows that the direction matters. `autograd.grad` computes the gradient of the input
# although the parameters are frozen.

# %%
EPSILONS = (0.05, 0.1, 0.15, 0.2)


def direction(net: nn.HybridBlock, x: nd.NDArray) -> nd.NDArray:
    """The signs of the gradient of the loss with respect to the pictures."""
    x = x.detach()
    x.attach_grad()
    with autograd.record(train_mode=False):
        loss = cross_entropy(net(x), even)
    (grad,) = autograd.grad(loss, [x], train_mode=False)
    signs: nd.NDArray = nd.sign(grad)
    return signs


signs = direction(tuned, x)
coins = 2 * nd.random.randint(0, 2, shape=x.shape).astype("float32") - 1
attacked = [right(tuned, (x + epsilon * signs).clip(0, 1)) for epsilon in EPSILONS]
noisy = [right(tuned, (x + epsilon * coins).clip(0, 1)) for epsilon in EPSILONS]
print("epsilon  FGSM    noise")
for row in zip(EPSILONS, attacked, noisy):
    print("{:<7}  {:5.1f}%  {:5.1f}%".format(*row))

# %% [markdown]
# ## Export the new network
#
# Export the new network in the same way. Loaded again, it returns the same scores and the same
# gradient.

# %%
files = tuned.export(f"{folder}/tuned")
again = SymbolBlock.imports(files[0], "data", files[1])
apart = nd.abs(again(x) - tuned(x)).max().asscalar()
same = (direction(again, x) == signs).asnumpy().all()
print(f"scores {apart} apart, the same signs: {same}")

# %% [markdown]
# ## Plot
#
# Left: digits before and after FGSM, with the predictions of the network. Right: its accuracy.

# %%
SHOWN = 0.15
NAMES = "odd", "even"
moved = (x + SHOWN * signs).clip(0, 1)
before, after = (tuned(one).argmax(axis=1).asnumpy().astype(int) for one in (x, moved))
fooled = (before == even.asnumpy()) & (after != before)
chosen = [int(np.flatnonzero(fooled & (labels[rest] == digit))[0]) for digit in (0, 1, 4, 7, 8, 9)]
figure = plt.figure(figsize=(11, 3.4), layout="constrained")
sheet, curved = figure.subfigures(1, 2, width_ratios=(1.7, 1))
lines = zip(sheet.subplots(2, len(chosen)), (x, moved), (before, after), ("#2a8f47", "#d9363e"))
for line, images, said, colour in lines:
    for axes, place in zip(line, chosen):
        axes.imshow(images[place, 0].asnumpy(), cmap="gray_r", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
        axes.set_title(NAMES[said[place]], color=colour)
curves = curved.subplots()
for name, shares, colour in (("noise", noisy, "0.6"), ("FGSM", attacked, "#d9363e")):
    curves.plot((0, *EPSILONS), (right(tuned, x), *shares), "o-", color=colour, label=name)
curves.set(xlabel="a pixel changes by at most", ylabel="right, in percent", ylim=(0, 103))
curves.legend(frameon=False)
curves.spines[["top", "right"]].set_visible(False)
figure.savefig("fine_tune_exported.png", dpi=120)
plt.show()
