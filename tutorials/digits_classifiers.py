# %% [markdown]
# # Four classifiers of handwritten digits
#
# This tutorial trains four models on the same data. Softmax regression separates the digits by
# planes, the multilayer perceptron by curved surfaces. LeNet applies the same small filters at
# every position. The residual network stacks more of them; each block adds a correction to its
# input, so gradients have a short path back.

# %%
from typing import Any

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
# ## Data
#
# The images of 8 x 8 pixels come with scikit-learn. All four models are trained on the same 1,437
# images and tested on 360 others.

# %%
HELD_OUT = 360
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures, labels = nd.array(digits.images[order, None] / 16), nd.array(digits.target[order])
samples = ArrayDataset(pictures[HELD_OUT:], labels[HELD_OUT:])
x, label = pictures[:HELD_OUT], labels[:HELD_OUT]
loader = DataLoader(samples, batch_size=64, shuffle=True)
print(len(samples), "to train on,", len(x), "held out, each of shape", x.shape[1:])

# %% [markdown]
# ## Softmax regression, perceptron and LeNet
#
# A `HybridSequential` holds layers in sequence. The layers infer their input sizes from the first
# batch. LeNet is adapted to these small images: both convolutions are padded, and ReLU replaces
# tanh.

# %%


def in_a_row(*layers: nn.HybridBlock) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(*layers)
    return net


softmax_regression = in_a_row(nn.Dense(10))
perceptron = in_a_row(nn.Dense(128, activation="relu"), nn.Dropout(0.2), nn.Dense(10))
lenet = in_a_row(
    nn.Conv2D(16, kernel_size=3, padding=1, activation="relu"),
    nn.MaxPool2D(),
    nn.Conv2D(32, kernel_size=3, padding=1, activation="relu"),
    nn.MaxPool2D(),
    nn.Dense(84, activation="relu"),
    nn.Dropout(0.2),
    nn.Dense(10),
)

# %% [markdown]
# ## The residual network
#
# A block that is not a sequence of layers defines its own computation. Here it is `relu(x + f(x))`,
# where `f` consists of two convolutions with batch normalization. With stride 2 it halves the
# image, and a 1 x 1 convolution changes `x` to the same shape.


# %%
class Residual(nn.HybridBlock):
    def __init__(self, channels: int, stride: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.correction = in_a_row(
                nn.Conv2D(channels, kernel_size=3, strides=stride, padding=1, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.Conv2D(channels, kernel_size=3, padding=1, use_bias=False),
                nn.BatchNorm(),
            )
            self.shortcut = nn.Conv2D(channels, 1, strides=stride) if stride > 1 else None

    def hybrid_forward(self, F: Any, x: nd.NDArray) -> nd.NDArray:
        same = x if self.shortcut is None else self.shortcut(x)
        result: nd.NDArray = F.relu(same + self.correction(x))
        return result


resnet = in_a_row(
    nn.Conv2D(16, kernel_size=3, padding=1, use_bias=False),
    nn.BatchNorm(),
    nn.Activation("relu"),
    Residual(16),
    Residual(32, stride=2),
    Residual(32),
    nn.GlobalAvgPool2D(),
    nn.Dense(10),
)

# %% [markdown]
# ## Training
#
# One function trains all four models. The learning rate decays to 0 along a cosine, so we need
# not choose when to lower it.


# %%
def accuracy(net: nn.Block) -> float:
    return float((net(x).argmax(axis=1) == label).mean().asscalar())


def train(net: nn.Block, name: str, rate: float, epochs: int = 15) -> list[tuple[float, float]]:
    """Train the network; return the mean loss and the test accuracy of each epoch."""
    net.initialize(gluon.init.Xavier())
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    schedule = gluon.lr_scheduler.CosineScheduler(epochs * len(loader), base_lr=rate)
    options = {"learning_rate": rate, "lr_scheduler": schedule}
    trainer = gluon.Trainer(net.collect_params(), "adam", options)
    history = []
    for _ in tqdm(range(epochs), desc=name, mininterval=1):
        total = 0.0
        for batch, wanted in loader:
            with autograd.record():
                loss = cross_entropy(net(batch), wanted)
            loss.backward()
            trainer.step(batch_size=len(batch))
            total += loss.sum().asscalar()
        history.append((total / len(samples), accuracy(net)))
    return history


#: For each classifier: the network, its learning rate, and the accuracy that it must reach.
CLASSIFIERS = {
    "softmax regression": (softmax_regression, 0.05, 0.94),
    "perceptron": (perceptron, 0.01, 0.96),
    "LeNet": (lenet, 0.01, 0.97),
    "ResNet": (resnet, 0.01, 0.98),
}
histories = {name: train(net, name, rate) for name, (net, rate, _) in CLASSIFIERS.items()}

# %% [markdown]
# ## Results
#
# The residual network has the most parameters and by far the lowest training loss. On the 360
# test digits the differences are small: one digit is 0.3 %.

# %%
print(f"{'':<20}{'parameters':>12}{'loss':>10}{'held out':>10}")
for name, (net, _, wanted) in CLASSIFIERS.items():
    loss, reached = histories[name][-1]
    trained = [p for p in net.collect_params().values() if p.grad_req != "null"]
    count = sum(p.data().size for p in trained)
    print(f"{name:<20}{count:>12,}{loss:>10.4f}{reached:>10.1%}")
    assert reached >= wanted, f"{name} should reach an accuracy of {wanted:.0%}"

# %% [markdown]
# ## Plot
#
# Above: the training loss and the test error for each epoch. Below: the digits that most of the
# four models misclassify, with the prediction of each model in its color; wrong predictions are
# bold. People would hesitate over several of these digits.

# %%
colours = dict(zip(CLASSIFIERS, ("#7f7f7f", "#d1692b", "#2a78b5", "#2a8f47")))
figure = plt.figure(figsize=(11, 6.4), layout="constrained")
upper, lower = figure.subfigures(2, 1, height_ratios=(2.4, 1))
left, right = upper.subplots(1, 2)
for name, history in histories.items():
    losses, reached = np.array(history).T
    epochs = range(1, len(history) + 1)
    left.semilogy(epochs, losses, color=colours[name], label=name)
    right.plot(epochs, 100 * (1 - reached), color=colours[name])
left.set(xlabel="epoch", title="Cross-entropy on the digits trained on")
left.legend(frameon=False)
right.set(xlabel="epoch", ylim=(0, 12), title="Errors on the digits held out (%)")
for axes in (left, right):
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)

said = [net(x).argmax(axis=1).asnumpy().astype(int) for net, *_ in CLASSIFIERS.values()]
truth = label.asnumpy().astype(int)
hardest = np.argsort(-np.sum(said != truth, axis=0), kind="stable")[:8]
lower.suptitle("The digits that most get wrong, and what each of the four says")
for axes, number in zip(lower.subplots(1, len(hardest)), hardest):
    axes.imshow(x[int(number), 0].asnumpy(), cmap="gray_r")
    axes.set_title(f"a {truth[number]}", fontsize=11)
    axes.set_yticks([])
    answers = [answer[number] for answer in said]
    axes.set_xticks(np.linspace(0.5, 6.5, len(answers)), answers, fontsize=11)
    axes.tick_params(length=0)
    for text, answer, colour in zip(axes.get_xticklabels(), answers, colours.values()):
        text.set(color=colour, weight="normal" if answer == truth[number] else "bold")
figure.savefig("digits_classifiers.png", dpi=120)
plt.show()
