# %% [markdown]
# # Attack and retrain a network from scikit-learn
#
# Many trained networks are available only as ONNX files, which other runtimes evaluate but cannot
# differentiate. gluon differentiates them. This tutorial imports a network of scikit-learn, attacks
# the network with FGSM, and shows which pixels matter to it. Then it trains the network to resist
# the attack, and exports it for onnxruntime.

# %%
import os

import numpy as np
import onnxruntime
from matplotlib import pyplot as plt
from skl2onnx import to_onnx
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier
from tqdm import tqdm

import gluon
from gluon import autograd, nd, onnx

# %% [markdown]
# ## A network of scikit-learn
#
# The network classifies the digits that come with scikit-learn. They have 8 x 8 pixels, each from
# 0 to 1. We hold out the last 360 for testing.

# %%
HELD_OUT = 360
draw = np.random.default_rng(0)
digits = load_digits()
order = draw.permutation(len(digits.target))
pixels = (digits.data[order] / 16).astype("float32")
labels = digits.target[order]
classifier = MLPClassifier((64,), max_iter=500, tol=1e-3, random_state=0)
classifier = classifier.fit(pixels[:-HELD_OUT], labels[:-HELD_OUT])

# %% [markdown]
# ## Import
#
# `skl2onnx` writes the network and gluon reads it. The file has two outputs: the label, and the
# probability of each digit. Both libraries agree up to rounding in float32.

# %%
file = to_onnx(classifier, pixels[:1], options={"zipmap": False}).SerializeToString()
net = onnx.import_to_gluon(file)
print(onnx.get_model_metadata(file))
x, truth = nd.array(pixels[-HELD_OUT:]), nd.array(labels[-HELD_OUT:])
_, probabilities = net(x)
expected = classifier.predict_proba(pixels[-HELD_OUT:])
difference = abs(probabilities.asnumpy() - expected).max()
print(f"scikit-learn and gluon differ by {difference:.1e}")
assert difference < 1e-5

# %% [markdown]
# ## Attack
#
# FGSM moves every pixel one step along the sign of the gradient of the loss. `train_mode=False`
# records the network in prediction mode.


# %%
def loss_of(images: nd.NDArray, right: nd.NDArray) -> nd.NDArray:
    _, probabilities = net(images)
    return -nd.log(nd.pick(probabilities, right) + 1e-12)


def gradient(images: nd.NDArray, right: nd.NDArray) -> nd.NDArray:
    images = images.copy()
    images.attach_grad()
    with autograd.record(train_mode=False):
        loss = loss_of(images, right)
    loss.backward()
    return images.grad


def fgsm(images: nd.NDArray, right: nd.NDArray, step: float = 0.1) -> nd.NDArray:
    return (images + step * gradient(images, right).sign()).clip(0, 1)


def accuracy(images: nd.NDArray) -> float:
    return float((net(images)[1].argmax(axis=1) == truth).mean().asscalar())


plain, fooled = accuracy(x), accuracy(fgsm(x, truth))
before, looked_before = fgsm(x, truth), nd.abs(gradient(x, truth))
said = net(before)[1].argmax(axis=1).asnumpy().astype(int)
print(f"as it came: {plain:.1%} right, {fooled:.1%} under attack")

# %% [markdown]
# ## Training
#
# The weights in the file are parameters. Training attacks half of the images of each batch.

# %%
EPOCHS, BATCH = 30, 64
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})
known, wanted = nd.array(pixels[:-HELD_OUT]), nd.array(labels[:-HELD_OUT])
for _ in tqdm(range(EPOCHS), mininterval=1):
    for some in np.array_split(draw.permutation(len(known)), len(known) // BATCH):
        images, right = known[some], wanted[some]
        images = nd.concat(images, fgsm(images, right), dim=0)
        with autograd.record():
            loss = loss_of(images, nd.concat(right, right, dim=0))
        loss.backward()
        trainer.step(len(images))
after, looked_after = fgsm(x, truth), nd.abs(gradient(x, truth))
guarded, withstands = accuracy(x), accuracy(after)
print(f"trained on: {guarded:.1%} right, {withstands:.1%} under attack")
assert guarded > 0.95
assert withstands > fooled + 0.2

# %% [markdown]
# ## Export
#
# The exported file has the same names and operators as the imported one, with the new weights.

# %%
path = net.export_onnx("guarded.onnx", x)
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
answers, elsewhere = session.run(None, {session.get_inputs()[0].name: x.asnumpy()})
os.remove(path)
difference = abs(elsewhere - net(x)[1].asnumpy()).max()
right = (answers == labels[-HELD_OUT:]).mean()
print(f"onnxruntime: {right:.1%} right, and differs by {difference:.1e}")
assert difference < 1e-5

# %% [markdown]
# ## Plot
#
# Top: digits that the original network misclassifies after FGSM, with its predictions. Below:
# saliency maps of each digit before and after training, which show how much the loss depends on
# each pixel. After training, the margins, where digits have no ink, no longer matter.

# %%
shown = np.flatnonzero(said != labels[-HELD_OUT:])[:8]
figure, rows = plt.subplots(3, len(shown), figsize=(11, 4.6), layout="constrained")
panels = {
    "under attack": (before, "gray_r"),
    "saliency": (looked_before, "magma"),
    "after training": (looked_after, "magma"),
}
for row, (name, (images, colours)) in zip(rows, panels.items()):
    row[0].set_ylabel(name)
    for axes, number in zip(row, shown):
        axes.imshow(images[int(number)].asnumpy().reshape(8, 8), cmap=colours)
        axes.set_xticks([])
        axes.set_yticks([])
for axes, number in zip(rows[0], shown):
    axes.set_title(f"{labels[-HELD_OUT:][number]} read as {said[number]}", fontsize=10)
figure.savefig("attack_an_onnx_file.png", dpi=120)
plt.show()
