# %% [markdown]
# # Variational autoencoder for digits
#
# The encoder turns an image into a normal distribution of short codes; the decoder turns a code
# into an image, with normal noise on the pixels. Training minimizes a bound on the negative
# log-likelihood of the images, in nats: the reconstruction error plus the divergence of the codes
# from the standard normal distribution. Since the codes of all images together follow that
# distribution, decoding a random normal code gives a new digit.

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
# A digit of scikit-learn is 64 values of ink, from 0 to 1. We hold out a fifth of the digits.

# %%
HELD_OUT = 360
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.target))
pictures, kinds = nd.array(digits.data[order] / 16), digits.target[order]
training, x = pictures[HELD_OUT:], pictures[:HELD_OUT]
print(training.shape, x.shape)

# %% [markdown]
# ## The model
#
# The code is random, but the gradient must pass through it. So the noise is a separate input:
# `mean + deviation * noise` is differentiable with respect to both. The Kullback-Leibler divergence
# from the standard normal distribution has a closed form.

# %%
CODE = 10


class Autoencoder(gluon.HybridBlock):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.encoder = nn.HybridSequential()
            self.encoder.add(nn.Dense(256, activation="relu"), nn.Dense(2 * CODE))
            self.decoder = nn.HybridSequential()
            self.decoder.add(nn.Dense(256, activation="relu"), nn.Dense(64, activation="sigmoid"))

    def hybrid_forward(self, F: Any, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
        """Return the reconstruction of each picture and the divergence of its code."""
        mean, log_variance = F.split(self.encoder(x), num_outputs=2, axis=1)
        code = mean + F.exp(log_variance / 2) * F.random.normal_like(mean)
        divergence = (F.exp(log_variance) + mean**2 - 1 - log_variance).sum(axis=1) / 2
        return self.decoder(code), divergence


# %% [markdown]
# ## The cost of an image
#
# If the ink is normal around the output of the decoder, with standard deviation 0.15, the squared
# error is -log p up to a factor and a constant. The total is the nats of the pixels plus the nats
# of the code.

# %%
NOISE = 0.15


def nats(back: nd.NDArray, x: nd.NDArray) -> nd.NDArray:
    return ((x - back) ** 2).sum(axis=1) / (2 * NOISE**2)


def costs(net: nn.Block, x: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
    back, divergence = net(x)
    return nats(back, x), divergence


# %% [markdown]
# ## Training

# %%
EPOCHS, RATE = 100, 0.003
net = Autoencoder()
net.initialize(gluon.init.Xavier())
loader = DataLoader(ArrayDataset(training), batch_size=64, shuffle=True)
schedule = gluon.lr_scheduler.CosineScheduler(EPOCHS * len(loader), base_lr=RATE)
options = {"learning_rate": RATE, "lr_scheduler": schedule}
trainer = gluon.Trainer(net.collect_params(), "adam", options)
history = []
for _ in tqdm(range(EPOCHS), desc="training", mininterval=1):
    total = 0.0
    for batch in loader:
        with autograd.record():
            pixels, code = costs(net, batch)
            loss = pixels + code
        loss.backward()
        trainer.step(batch_size=len(batch))
        total += loss.sum().asscalar()
    held_out = (cost.mean().asscalar() for cost in costs(net, x))
    history.append((total / len(training), *held_out))

# %% [markdown]
# ## Comparison with simpler models
#
# We compare with the mean digit alone, and with ten principal components, the best linear code of
# this length.

# %%
reached = sum(history[-1][1:])
baseline = nats(training.mean(axis=0, keepdims=True), x).mean().asscalar()
print(f"nats for a digit held out: {reached:.1f}, and {baseline:.1f} with the mean digit")

codes = net.encoder(x)[:, :CODE]
squares = ((x - net.decoder(codes)) ** 2).sum(axis=1).mean().asscalar()
centre = training.asnumpy().mean(axis=0)
components = np.linalg.svd(training.asnumpy() - centre, full_matrices=False)[2][:CODE]
off = x.asnumpy() - centre
linear = ((off - off @ components.T @ components) ** 2).sum(axis=1).mean()
print(f"squared error: {squares:.3f}, and {linear:.3f} with {CODE} principal components")
assert reached < 0.4 * baseline
assert squares < linear

# %% [markdown]
# ## Plot
#
# Left: held-out digits with their reconstructions, new digits from random codes, and
# interpolations between the codes of two digits. Right: the nats per digit. After a few epochs,
# the code takes less than half of the nats.


# %%
def show(axes: Any, pictures: nd.NDArray, rows: int, title: str) -> None:
    """Arrange pictures side by side, with empty pixels between them."""
    tiles = pictures.asnumpy().reshape(rows, -1, 8, 8)
    padded = np.pad(tiles, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    sheet = padded.transpose(0, 2, 1, 3).reshape(rows * 9, -1)[:-1, :-1]
    axes.imshow(sheet, cmap="gray_r", vmin=0, vmax=1)
    axes.set_title(title, fontsize=11)
    axes.axis("off")


figure = plt.figure(figsize=(13, 6.6), layout="constrained")
grid = figure.add_gridspec(3, 2, height_ratios=(2, 6, 5), width_ratios=(1.2, 1))
top, middle, bottom = (figure.add_subplot(grid[row, 0]) for row in range(3))
both = nd.concat(x[20:36], net.decoder(codes[20:36]), dim=0)
show(top, both, 2, "Digits held out, and what comes back of them")
new = net.decoder(nd.random.normal(shape=(96, CODE)))
show(middle, new, 6, "New digits, decoded from random codes")
first = [int(np.flatnonzero(kinds[:HELD_OUT] == one)[0]) for one in range(10)]
start, end = (codes[first[odd::2]].reshape(5, 1, CODE) for odd in (0, 1))
way = nd.arange(16).reshape(1, 16, 1) / 15
between = net.decoder((start * (1 - way) + end * way).reshape(-1, CODE))
show(bottom, between, 5, "On the way from one digit's code to another's")

axes = figure.add_subplot(grid[:, 1])
loss, pixels, code = np.array(history).T
epochs = np.arange(1, EPOCHS + 1)
axes.fill_between(epochs, code, color="#d1692b", alpha=0.3, lw=0)
axes.fill_between(epochs, code, code + pixels, color="#2a78b5", alpha=0.2, lw=0)
axes.plot(epochs, code + pixels, color="#2a78b5", lw=2, label="held out")
axes.plot(epochs, loss, color="0.5", lw=1, label="in training")
axes.axhline(baseline, color="0.5", ls="--", lw=1.2, label="the mean digit for all")
place = {"ha": "right", "va": "center"}
axes.text(0.98 * EPOCHS, code[-1] / 2, "the code", color="#c8700f", **place)
axes.text(0.98 * EPOCHS, code[-1] + pixels[-1] / 2, "the pixels", color="#2a78b5", **place)
axes.set(xlabel="epoch", xlim=(1, EPOCHS), ylim=(0, baseline * 1.1))
axes.set_title("What a digit costs, in nats", fontsize=11)
axes.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.9))
axes.spines[["top", "right"]].set_visible(False)
figure.savefig("vae_digits.png", dpi=120)
plt.show()
