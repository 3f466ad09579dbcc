# %% [markdown]
# # DCGAN for digits
#
# Two networks learn from each other: one forges handwritten digits, the other detects forgeries.
# The generator turns random numbers into images. The discriminator turns an image into a number:
# how real it looks. For each batch, the discriminator learns to distinguish real from forged
# images. Then the generator learns, from the gradient of the discriminator, to make images that
# look more real.

# %%
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
# The data are the 1,797 digits of scikit-learn, scaled from -1 (paper) to 1 (ink), the range of
# tanh.

# %%
digits = load_digits()
pictures, labels = nd.array(digits.images[:, None] / 8 - 1), nd.array(digits.target)
samples = ArrayDataset(pictures, labels)
loader = DataLoader(samples, batch_size=64, shuffle=True, last_batch="discard")
print(pictures.shape)

# %% [markdown]
# ## Both networks
#
# In the generator, transposed convolutions double the height and width at each step; in the
# discriminator, convolutions with stride 2 halve them. The prefixes distinguish the names of the
# parameters.

# %%
CODE = 32  # random numbers for a picture

forge = nn.HybridSequential(prefix="generator_")
with forge.name_scope():
    forge.add(
        nn.Conv2DTranspose(48, kernel_size=2, use_bias=False),  # 2 x 2
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2DTranspose(24, kernel_size=4, strides=2, padding=1, use_bias=False),  # 4 x 4
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2DTranspose(1, kernel_size=4, strides=2, padding=1, activation="tanh"),  # 8 x 8
    )

judge = nn.HybridSequential(prefix="discriminator_")
with judge.name_scope():
    judge.add(
        nn.Conv2D(24, kernel_size=4, strides=2, padding=1),  # 4 x 4
        nn.LeakyReLU(0.2),
        nn.Conv2D(48, kernel_size=4, strides=2, padding=1, use_bias=False),  # 2 x 2
        nn.BatchNorm(),
        nn.LeakyReLU(0.2),
        nn.Dense(1),  # the logit of being real
    )

# %% [markdown]
# ## Evaluation
#
# Neither loss measures the quality of the images. A third network, trained to classify real digits,
# classifies the forged ones. Good images look like some digit (the classifier is confident for
# each), and all digits occur (its mean prediction is not confident). The score is the exponential
# of the mutual information of image and digit: 1 for noise or a single digit, at most 10.

# %%
reader = nn.HybridSequential(prefix="reader_")
with reader.name_scope():
    reader.add(
        nn.Conv2D(16, kernel_size=3, padding=1, activation="relu"),
        nn.MaxPool2D(),
        nn.Dense(64, activation="relu"),
        nn.Dense(10),
    )
reader.initialize(gluon.init.Xavier())
trainer = gluon.Trainer(reader.collect_params(), "adam", {"learning_rate": 0.005})
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
for _ in tqdm(range(8), desc="reader", mininterval=1):
    for x, label in loader:
        with autograd.record():
            loss = cross_entropy(reader(x), label)
        loss.backward()
        trainer.step(batch_size=len(x))


def score(tried: nd.NDArray) -> float:
    share = reader(tried).softmax()
    overall = share.mean(axis=0, keepdims=True)
    distance = (share * nd.log((share + 1e-9) / overall)).sum(axis=1)
    return float(nd.exp(distance.mean()).asscalar())


real_score = score(pictures)
print(f"score of real digits: {real_score:.2f}")

# %% [markdown]
# ## One step of each
#
# The losses of both networks use the same forged images, but each loss trains one network only.
# The discriminator sees `forged.detach()`, so the gradient of its loss stops there; a target of
# 0.9 keeps it from becoming so confident that gradients vanish. Then the discriminator evaluates
# the same images with their history. The gradient passes through it into the generator, whose
# trainer updates the parameters of the generator. Adam's `beta1` is low because the objective of
# each network changes with the other.

# %%
trainers = {}
for net in (forge, judge):
    net.initialize(gluon.init.Normal(0.02))
    options = {"learning_rate": 0.002, "beta1": 0.5}
    trainers[net] = gluon.Trainer(net.collect_params(), "adam", options)
likelihood = gluon.loss.SigmoidBinaryCrossEntropyLoss()


def noise(count: int) -> nd.NDArray:
    return nd.random.normal(shape=(count, CODE, 1, 1))


def step(real: nd.NDArray) -> tuple[float, float]:
    """Train both networks on one batch, and return their losses."""
    with autograd.record():
        forged = forge(noise(len(real)))
        on_real, on_forged = judge(real), judge(forged.detach())
        found = likelihood(on_real, 0.9 * nd.ones_like(on_real))
        found = found + likelihood(on_forged, nd.zeros_like(on_forged))
    found.backward()
    trainers[judge].step(len(real))
    with autograd.record():
        verdict = judge(forged)
        fooled = likelihood(verdict, nd.ones_like(verdict))
    fooled.backward()
    trainers[forge].step(len(real))
    return found.mean().asscalar(), fooled.mean().asscalar()


# %% [markdown]
# ## Training

# %%
EPOCHS = 24
fixed, test = noise(16), noise(500)
history, kept = [], {0: forge(fixed)}
for epoch in tqdm(range(1, EPOCHS + 1), desc="training", mininterval=1):
    losses = [step(x) for x, _ in loader]
    history.append((*np.mean(losses, axis=0), score(forge(test))))
    if epoch in (1, 2, 6, 12, EPOCHS):
        kept[epoch] = forge(fixed)

# %% [markdown]
# ## Results of the classifier

# %%
forged = forge(noise(1000))
share, reached = reader(forged).softmax(), score(forged)
sure, read = share.max(axis=1).mean().asscalar(), share.argmax(axis=1).asnumpy()
print(f"score: {reached:.2f} for forged digits, {real_score:.2f} for real ones")
print(f"the reader is {sure:.0%} sure on average; of 1,000 forgeries it reads")
print("  ".join(f"{(read == one).sum()} as {one}" for one in range(10)))
assert reached > 5.5

# %% [markdown]
# ## Plot
#
# Left: images from the same random numbers after more and more epochs, and from new random numbers
# at the end. Right: the score and both losses. The losses level off early, while the images
# continue to improve.


# %%
def sheet(tiles: nd.NDArray, rows: int) -> np.ndarray:
    """Arrange pictures side by side, with empty pixels between them."""
    pixels = tiles.asnumpy().reshape(rows, -1, 8, 8)
    padded = np.pad(pixels, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    return padded.transpose(0, 2, 1, 3).reshape(rows * 9, -1)[:-1, :-1]


figure = plt.figure(figsize=(13, 6.6), layout="constrained")
grid = figure.add_gridspec(2, 2, width_ratios=(1.2, 1))
upper, lower = (figure.add_subplot(grid[row, 0]) for row in (0, 1))
upper.imshow(sheet(nd.concat(*kept.values(), dim=0), len(kept)), cmap="gray_r", vmin=-1, vmax=1)
upper.set_title("The same random numbers after more epochs", fontsize=11)
upper.set(xticks=[], ylabel="epoch")
upper.set_yticks(np.arange(len(kept)) * 9 + 3.5, kept)
upper.tick_params(length=0)
lower.imshow(sheet(forged[:96], 6), cmap="gray_r", vmin=-1, vmax=1)
lower.set_title("Forged after the last epoch", fontsize=11)
lower.set(xticks=[], yticks=[])

on_judge, on_forge, scores = zip(*history)
epochs = range(1, EPOCHS + 1)
above, below = (figure.add_subplot(grid[row, 1]) for row in (0, 1))
above.plot(epochs, scores, color="#2a8f47", lw=2, label="forged")
above.axhline(real_score, color="0.5", ls="--", lw=1.2, label="real")
above.set(ylim=(1, 10), xlim=(1, EPOCHS))
above.set_title("What the reader makes of the digits: score, 10 at best", fontsize=11)
below.plot(epochs, on_judge, color="#2a78b5", lw=2, label="discriminator")
below.plot(epochs, on_forge, color="#d1692b", lw=2, label="generator")
below.set(xlabel="epoch", xlim=(1, EPOCHS), ylim=(0, None))
below.set_title("The losses say little about it", fontsize=11)
for axes in (above, below):
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
for axes in (upper, lower):
    axes.spines[:].set_visible(False)
figure.savefig("dcgan_digits.png", dpi=120)
plt.show()
