# %% [markdown]
# # Matrix factorization for ratings
#
# Each person and each film has a short vector. A rating is the sum of a global mean, an offset of
# the person, an offset of the film, and the product of the two vectors. Gradient descent learns all
# of them from 8 % of the ratings.

# %%
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn

gluon.random.seed(0)

# %% [markdown]
# ## Data
#
# The data are synthetic, with vectors of length 4 and a little noise. So we know two things that
# are unknown for real data: the best possible error, and the right length. Half of the sampled
# ratings are for training, the others for testing.

# %%
PEOPLE, FILMS, RANK = 600, 400, 4
SHARE, NOISE = 0.08, 0.3

rng = np.random.default_rng(0)
liking = rng.normal(size=(PEOPLE, RANK)) @ rng.normal(size=(RANK, FILMS)) / np.sqrt(RANK)
generous, good = rng.normal(0, 0.3, (PEOPLE, 1)), rng.normal(0, 0.5, (1, FILMS))
whole = 3 + generous + good + liking
chosen = rng.permutation(whole.size)[: int(2 * SHARE * whole.size)]
noisy = whole.ravel()[chosen] + rng.normal(0, NOISE, len(chosen))
columns = (chosen // FILMS, chosen % FILMS, noisy)  # who, which film, and how
given, asked = ([nd.array(column[half::2]) for column in columns] for half in (0, 1))
print(f"{len(given[2]):,} ratings given by {PEOPLE} people to {FILMS} films")

# %% [markdown]
# ## The model
#
# Each vector is a row of an `Embedding`. Vectors must not start at 0, because each is the gradient
# of the other; the offsets may.


# %%
class Factors(nn.Block):
    def __init__(self, rank: int, mean: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rank, self.mean = rank, mean
        with self.name_scope():
            self.person_offset = nn.Embedding(PEOPLE, 1, weight_initializer="zeros")
            self.film_offset = nn.Embedding(FILMS, 1, weight_initializer="zeros")
            if rank:
                start = gluon.init.Normal(0.3)
                self.person = nn.Embedding(PEOPLE, rank, weight_initializer=start)
                self.film = nn.Embedding(FILMS, rank, weight_initializer=start)

    def forward(self, person: nd.NDArray, film: nd.NDArray) -> nd.NDArray:
        score = self.mean + (self.person_offset(person) + self.film_offset(film)).reshape(-1)
        if self.rank:
            score = score + (self.person(person) * self.film(film)).sum(axis=1)
        return score


def error(model: Factors, ratings: list[nd.NDArray]) -> float:
    """The root of the mean squared error."""
    person, film, score = ratings
    return float(((model(person, film) - score) ** 2).mean().asscalar() ** 0.5)


# %% [markdown]
# ## Training
#
# A penalty keeps the vectors short; it matters most for people with few ratings. Train once for
# each of eight lengths; length 0 means offsets only.

# %%
EPOCHS, BATCH, RATE = 15, 512, 0.05
RANKS = (0, 1, 2, 3, 4, 6, 8, 12)


def train(rank: int) -> tuple[Factors, np.ndarray]:
    """Train a model; return it and its errors on both sets of ratings after each epoch."""
    model = Factors(rank, given[2].mean().asscalar())
    model.initialize()
    squares = gluon.loss.L2Loss()
    count = len(given[2])
    schedule = gluon.lr_scheduler.CosineScheduler(EPOCHS * -(-count // BATCH), base_lr=RATE)
    options = {"learning_rate": RATE, "lr_scheduler": schedule}
    trainer = gluon.Trainer(model.collect_params(), "adam", options)
    history = []
    for _ in tqdm(range(EPOCHS), desc=f"length {rank}", mininterval=2):
        order = nd.random.shuffle(nd.arange(count))
        for begin in range(0, count, BATCH):
            person, film, score = (column[order[begin : begin + BATCH]] for column in given)
            with autograd.record():
                loss = squares(model(person, film), score).mean()
                if rank:
                    size = (model.person(person) ** 2).mean() + (model.film(film) ** 2).mean()
                    loss = loss + 0.02 * rank * size
            loss.backward()
            trainer.step(batch_size=1)
        history.append((error(model, given), error(model, asked)))
    return model, np.array(history)


runs = {rank: train(rank) for rank in RANKS}

# %% [markdown]
# ## Results

# %%
print("length     given   not given")
for rank, (_, history) in runs.items():
    print(f"{rank:>6}{history[-1, 0]:>10.3f}{history[-1, 1]:>12.3f}")
(model, history), offsets = runs[RANK], runs[0][1][-1, 1]
reached = history[-1, 1]
print(f"error: {reached:.3f}, from offsets alone {offsets:.3f}, from the noise {NOISE}")
assert reached < 1.5 * NOISE < offsets

# %% [markdown]
# ## Plot
#
# Left: the error for each length. Short vectors cannot represent enough; long ones fit the noise of
# the training ratings and are worse on the test ratings. Middle: the error during training. Right:
# predictions against true ratings.

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
for column, name, colour in ((0, "given", "#d1692b"), (1, "not given", "#2a78b5")):
    ends = [past[-1, column] for _, past in runs.values()]
    left.plot(range(len(RANKS)), ends, "o-", color=colour, label=f"ratings {name}")
    middle.plot(range(1, EPOCHS + 1), history[:, column], color=colour)
    text = f"ratings {name}: {history[-1, column]:.3f}"
    place = {"xytext": (0, 24 * column - 16), "textcoords": "offset points", "ha": "right"}
    middle.annotate(text, (EPOCHS, history[-1, column]), color=colour, **place)
left.axhline(NOISE, color="0.5", ls="--", lw=1.2, label="noise: nobody can do better")
left.set_xticks(range(len(RANKS)), RANKS)
left.set(xlabel="length of the vectors (0: offsets alone)", ylim=(0, None))
left.set_title("Root mean squared error: 4 is right")
left.legend(frameon=False)
middle.axhline(NOISE, color="0.5", ls="--", lw=1.2)
middle.set(xlabel="epoch", ylim=(0, None), title=f"The error in training, length {RANK}")

pick = np.random.default_rng(1).permutation(whole.size)[:4000]
guess = model(nd.array(pick // FILMS), nd.array(pick % FILMS)).asnumpy()
right.plot(whole.ravel()[pick], guess, ".", color="#2a8f47", ms=2, alpha=0.5)
ends = [whole.min(), whole.max()]
right.plot(ends, ends, color="0.5", ls="--", lw=1.2)
right.set(xlabel="true rating", ylabel="guess", title="4,000 ratings, nearly all not given")
for axes in (left, middle, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("matrix_factorisation.png", dpi=120)
plt.show()
