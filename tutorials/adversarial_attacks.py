# %% [markdown]
# # Adversarial attacks and adversarial training
#
# Changes that people would not notice can fool a network that classifies digits well. How large
# must such changes be? Each of these attacks uses the gradient with respect to the *image*:
#
# | Attack | What it does | Measure |
# | --- | --- | --- |
# | FGSM | one step along the sign of the gradient | largest change of a pixel |
# | PGD | many small steps, each clipped to the box around the image | largest change of a pixel |
# | DeepFool | repeated steps to the nearest plane where two classes have equal scores | length |
# | Carlini-Wagner | minimize the length and the lead of the true class together | length |
#
# Finally, we train a second network on attacked images and compare both.

# %%
from collections.abc import Callable

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn
from gluon.data import ArrayDataset, DataLoader

gluon.random.seed(0)
np.random.seed(0)  # the order in which DataLoader shuffles

# %% [markdown]
# ## Data and network
#
# The digits of scikit-learn have 8 x 8 pixels, scaled to the range from 0 to 1. We attack the
# last 150.

# %%
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures, labels = nd.array(digits.images[order, None] / 16), nd.array(digits.target[order])
loader = DataLoader(ArrayDataset(pictures[:-150], labels[:-150]), batch_size=64, shuffle=True)
x, label = pictures[-150:], labels[-150:]
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


def build() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(16, kernel_size=3, padding=1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2D(32, kernel_size=3, padding=1, activation="relu"),
        nn.MaxPool2D(),
        nn.Dense(96, activation="relu"),
        nn.Dropout(0.2),
        nn.Dense(10),
    )
    net.initialize(gluon.init.Xavier())
    return net


def right(net: nn.Block, x: nd.NDArray, label: nd.NDArray = label) -> nd.NDArray:
    """Whether the network classifies each picture correctly."""
    return net(x).argmax(axis=1) == label


# %% [markdown]
# ## The gradient that the attacks need
#
# The attacks need the gradient of the network in prediction mode: without dropout, and with the
# running statistics of batch normalization. `record(train_mode=False)` computes it and does not
# change these statistics. `autograd.grad` computes only the gradient of the image, not those of the
# parameters.


# %%
def slope(net: nn.Block, x: nd.NDArray, label: nd.NDArray) -> nd.NDArray:
    """The gradient of the loss with respect to the pictures."""
    x = x.detach()
    x.attach_grad()
    with autograd.record(train_mode=False):
        loss = cross_entropy(net(x), label)
    gradient: nd.NDArray = autograd.grad(loss, x, train_mode=False)[0]
    return gradient


def fgsm(net: nn.Block, x: nd.NDArray, label: nd.NDArray, epsilon: float) -> nd.NDArray:
    return (x + epsilon * slope(net, x, label).sign()).clip(0, 1)


def pgd(
    net: nn.Block, x: nd.NDArray, label: nd.NDArray, epsilon: float, steps: int = 10
) -> nd.NDArray:
    moved = (x + nd.random.uniform(-epsilon, epsilon, shape=x.shape)).clip(0, 1)
    for _ in range(steps):
        moved = moved + 2.5 * epsilon / steps * slope(net, moved, label).sign()
        moved = nd.maximum(nd.minimum(moved, x + epsilon), x - epsilon).clip(0, 1)
    return moved


# %% [markdown]
# ## DeepFool
#
# If the scores were linear in the image, the difference of two scores and the difference of their
# gradients would give the nearest point where class k overtakes the current class. The scores are
# only approximately linear, so DeepFool repeats the step. Each step records the graph once and
# runs ten backward passes, one per class. A pixel that is already white or black can move in one
# direction only.


# %%
def score_slopes(net: nn.Block, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
    """Return the scores, and the gradient of each for the picture: (picture, class, ...)."""
    x = x.detach()
    x.attach_grad()
    with autograd.record(train_mode=False):
        scores = net(x)
    classes = nd.eye(10)
    slopes = [
        autograd.grad(
            scores, x, nd.broadcast_to(one, scores.shape), retain_graph=True, train_mode=False
        )[0]
        for one in classes
    ]
    return scores.detach(), nd.stack(*slopes, axis=1)


def deepfool(
    net: nn.Block, x: nd.NDArray, label: nd.NDArray, looks: int = 15, overshoot: float = 0.02
) -> nd.NDArray:
    moved = x
    for _ in range(looks):
        scores, slopes = score_slopes(net, moved)
        own = nd.one_hot(label, 10)
        lead = (scores * own).sum(axis=1, keepdims=True) - scores
        toward = slopes - (slopes * own.reshape(-1, 10, 1, 1, 1)).sum(axis=1, keepdims=True)
        full, empty = (moved >= 1).expand_dims(1), (moved <= 0).expand_dims(1)
        toward = toward * (1 - full * (toward > 0)) * (1 - empty * (toward < 0))
        length = nd.sqrt((toward**2).sum(axis=(2, 3, 4))) + 1e-8
        distance = nd.abs(lead) / length + 1e9 * own  # not to the class itself
        nearest = distance.argmin(axis=1)
        direction = (toward * nd.one_hot(nearest, 10).reshape(-1, 10, 1, 1, 1)).sum(axis=1)
        step = nd.pick(distance, nearest) / nd.pick(length, nearest)
        step = step * (1 + overshoot) * right(net, moved, label)  # fooled images stay
        moved = (moved + step.reshape(-1, 1, 1, 1) * direction).clip(0, 1)
    return moved


# %% [markdown]
# ## Carlini and Wagner
#
# This attack minimizes the squared length plus c times the lead of the true class, with Adam. The
# image is (tanh w + 1) / 2, so every w is a valid image. Every image has its own c: if a round
# fools the network, the next round uses a smaller c, otherwise a larger one, and the factor
# between them shrinks. The function returns the shortest change of each image that fooled the
# network.


# %%
def carlini_wagner(
    net: nn.Block, x: nd.NDArray, label: nd.NDArray, rounds: int = 4, steps: int = 50
) -> nd.NDArray:
    start = nd.arctanh((2 * x - 1) * 0.999)
    own = nd.one_hot(label, 10)
    c, factor = nd.ones(len(x)), 8.0
    best, shortest = x.copy(), nd.full(len(x), 1e9)
    for _ in range(rounds):
        w, done = start.copy(), nd.zeros(len(x))
        w.attach_grad()
        update = gluon.optimizer.get_updater(gluon.optimizer.create("adam", learning_rate=0.1))
        for _ in range(steps):
            with autograd.record(train_mode=False):
                moved = (nd.tanh(w) + 1) / 2
                length = ((moved - x) ** 2).sum(axis=(1, 2, 3))
                scores = net(moved)
                lead = (scores * own).sum(axis=1) - (scores - 1e4 * own).max(axis=1)
                cost = length + c * nd.maximum(lead, -0.01)
            update(0, autograd.grad(cost, w, train_mode=False)[0], w)
            fooled = lead < 0
            done = nd.maximum(done, fooled)
            shorter = fooled * (length < shortest)
            shortest = nd.where(shorter, length, shortest)
            best = nd.where(shorter, moved, best)  # row by row
        c, factor = c * nd.where(done, 1 / factor, factor * nd.ones_like(c)), factor**0.5
    return best.detach()


# %% [markdown]
# ## Standard and adversarial training
#
# Adversarial training replaces each batch by the images that PGD makes from it. In one loop, the
# attack runs in prediction mode and the training step in training mode.

# %%
GUARD = 0.25


def train(
    net: nn.Block, name: str, attack: Callable[..., nd.NDArray] | None = None, epochs: int = 10
) -> None:
    schedule = gluon.lr_scheduler.CosineScheduler(epochs * len(loader), base_lr=0.005)
    options = {"learning_rate": 0.005, "lr_scheduler": schedule}
    trainer = gluon.Trainer(net.collect_params(), "adam", options)
    for _ in tqdm(range(epochs), desc=name, mininterval=1):
        for batch, wanted in loader:
            if attack:
                batch = attack(net, batch, wanted)
            with autograd.record():
                loss = cross_entropy(net(batch), wanted)
            loss.backward()
            trainer.step(batch_size=len(batch))
    print(f"{name}: {right(net, x).mean().asscalar():.1%} of the digits held out are read right")


plain, guarded = build(), build()
train(plain, "plain training")
train(guarded, "under attack", lambda net, x, label: pgd(net, x, label, GUARD, steps=3), epochs=15)

# %% [markdown]
# These attacks do not change the running statistics of batch normalization. Attacks in training
# mode would change them, and would use gradients of the network with dropout and batch
# statistics.

# %%
statistics = [p for name, p in plain.collect_params().items() if "running" in name]
before = [p.data().asnumpy() for p in statistics]
slope(plain, x, label)
assert all((p.data().asnumpy() == old).all() for p, old in zip(statistics, before))

# %% [markdown]
# ## The curves
#
# The accuracy when every pixel may change by at most epsilon:

# %%
EPSILONS = (0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
NETS = {"plain": plain, "guarded": guarded}


def still_right(attack: Callable[..., nd.NDArray], net: nn.Block) -> list[float]:
    return [right(net, attack(net, x, label, epsilon)).mean().asscalar() for epsilon in EPSILONS]


curves = {
    (attack.__name__, name): still_right(attack, net)
    for attack in (fgsm, pgd)
    for name, net in NETS.items()
}
print("epsilon      " + "".join(f"{epsilon:>8}" for epsilon in EPSILONS))
for (kind, name), shares in curves.items():
    print(f"{kind:5}{name:8}" + "".join(f"{share:>8.1%}" for share in shares))
assert curves["pgd", "plain"][4] < 0.1 < 0.4 < curves["pgd", "guarded"][4]

# %% [markdown]
# The other two attacks minimize the length of the change. DeepFool finds a short change in a few
# steps; Carlini-Wagner takes many steps and finds a shorter one.


# %%
def lengths(net: nn.Block, moved: nd.NDArray) -> np.ndarray:
    """The length of each change; 0 if already misclassified, infinite if the attack failed."""
    length = nd.sqrt(((moved - x) ** 2).sum(axis=(1, 2, 3))).asnumpy()
    length[right(net, moved).asnumpy() == 1] = np.inf
    length[right(net, x).asnumpy() == 0] = 0
    return length


moved, needed = {}, {}
for attack in (deepfool, carlini_wagner):
    for name, net in NETS.items():
        key = attack.__name__, name
        moved[key] = attack(net, x, label)
        needed[key] = lengths(net, moved[key])
        fooled = np.isfinite(needed[key]).mean()
        print(
            f"{key[0]:15} {name:8} fools {fooled:.1%}, median length {np.median(needed[key]):.2f}"
        )
for name in NETS:
    found, short = (np.median(needed[kind, name]) for kind in ("deepfool", "carlini_wagner"))
    assert short < found
assert np.median(needed["carlini_wagner", "guarded"]) > np.median(needed["carlini_wagner", "plain"])

# %% [markdown]
# ## Plot
#
# Left: the accuracy against the size of the change, above for attacks that bound each pixel, below
# for attacks that minimize the length. Adversarial training costs some accuracy on clean digits and
# gains much on attacked ones. Right: the attacks on the plain network, one digit of each class with
# the prediction above it. FGSM and PGD may change every pixel by 0.2; DeepFool and Carlini-Wagner
# change mainly the pixels that matter.

# %%
shown = [int(np.flatnonzero(label.asnumpy() == kind)[0]) for kind in range(10)]
rows = {
    "clean": x,
    "FGSM": fgsm(plain, x, label, 0.2),
    "PGD": pgd(plain, x, label, 0.2),
    "DeepFool": moved["deepfool", "plain"],
    "Carlini-\nWagner": moved["carlini_wagner", "plain"],
}
figure = plt.figure(figsize=(13, 6.6), layout="constrained")
curved, sheet = figure.subfigures(1, 2, width_ratios=(1, 1.5))
above, below = curved.subplots(2, 1)
colours = {"plain": "#d1692b", "guarded": "#2a78b5"}
styles = {"fgsm": ("--", "FGSM"), "pgd": ("-", "PGD")}
styles |= {"deepfool": ("--", "DeepFool"), "carlini_wagner": ("-", "Carlini-Wagner")}
for (kind, name), shares in curves.items():
    line, title = styles[kind]
    above.plot(EPSILONS, shares, line, color=colours[name], label=f"{title}, {name}")
for (kind, name), found in needed.items():
    line, title = styles[kind]
    reach = np.linspace(0, 2, 200)
    shares = [(found > length).mean() for length in reach]
    below.plot(reach, shares, line, color=colours[name], label=f"{title}, {name}")
above.set(xlabel="a pixel changes by at most", xlim=(0, 0.4))
below.set(xlabel="length of the change at most", xlim=(0, 2))
for axes in (above, below):
    axes.set(ylabel="read right", ylim=(0, 1.02))
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
grid = sheet.subplots(len(rows), 10)
for line, (name, pictures) in zip(grid, rows.items()):
    read = plain(pictures).argmax(axis=1).asnumpy().astype(int)
    line[0].set_ylabel(name, rotation=0, ha="right", va="center")
    for digit, (axes, number) in enumerate(zip(line, shown)):
        axes.imshow(pictures[number, 0].asnumpy(), cmap="gray_r", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
        axes.set_title(read[number], color="#2a8f47" if read[number] == digit else "#d9363e")
figure.savefig("adversarial_attacks.png", dpi=120)
plt.show()
