# %% [markdown]
# # Matrix factorization for ratings
#
# A recommender system predicts how a person would rate a film. Here, each person and each film has
# an offset, which is one number, and a vector of a few numbers. The predicted rating is the mean of
# all ratings, plus the two offsets, plus the dot product of the two vectors. Gradient descent
# learns offsets and vectors from 8 % of the ratings, and predicts the others.

# %%
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
# The ratings are synthetic: they are computed from random vectors of length 4, and noise is added.
# So we know two things that are unknown for real data: the best possible error, which is that of
# the noise, and the right length of the vectors. We draw 16 % of all ratings, and use half of them
# for training and the others for testing.

# %%
PEOPLE, FILMS, RANK = 600, 400, 4
SHARE, NOISE = 0.08, 0.3

rng = np.random.default_rng(0)
affinity = rng.normal(size=(PEOPLE, RANK)) @ rng.normal(size=(RANK, FILMS)) / np.sqrt(RANK)
person_offset, film_offset = rng.normal(0, 0.3, (PEOPLE, 1)), rng.normal(0, 0.5, (1, FILMS))
ratings = 3 + person_offset + film_offset + affinity
chosen = rng.permutation(ratings.size)[: int(2 * SHARE * ratings.size)]
noisy = ratings.ravel()[chosen] + rng.normal(0, NOISE, len(chosen))
columns = (chosen // FILMS, chosen % FILMS, noisy)  # person, film and rating
training, test = ([nd.array(column[half::2]) for column in columns] for half in (0, 1))
print(f"{len(training[2]):,} ratings of {FILMS} films by {PEOPLE} people for training")

# %% [markdown]
# ## The model
#
# Each vector is a row of an `Embedding`. The vectors must not start at 0: the gradient of a
# person's vector is a multiple of the film's vector, and vice versa, so both would stay at 0. The
# offsets may start at 0.


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
    """Return the root of the mean squared error."""
    person, film, score = ratings
    return float(((model(person, film) - score) ** 2).mean().asscalar() ** 0.5)


# %% [markdown]
# ## Training
#
# How many numbers should a vector have? We train once for each of eight lengths; length 0 means
# offsets only. A penalty on the squares of the vectors keeps their values small. It matters most
# for people with few ratings.

# %%
EPOCHS, BATCH, RATE = 15, 512, 0.05
RANKS = (0, 1, 2, 3, 4, 6, 8, 12)


def train(rank: int) -> tuple[Factors, np.ndarray]:
    """Train a model. Return it, and its training and test errors after each epoch."""
    model = Factors(rank, training[2].mean().asscalar())
    model.initialize()
    squared_error = gluon.loss.L2Loss()
    count = len(training[2])
    schedule = gluon.lr_scheduler.CosineScheduler(EPOCHS * -(-count // BATCH), base_lr=RATE)
    options = {"learning_rate": RATE, "lr_scheduler": schedule}
    trainer = gluon.Trainer(model.collect_params(), "adam", options)
    history = []
    for _ in tqdm(range(EPOCHS), desc=f"length {rank}", mininterval=2):
        order = nd.random.shuffle(nd.arange(count))
        for begin in range(0, count, BATCH):
            person, film, score = (column[order[begin : begin + BATCH]] for column in training)
            with autograd.record():
                loss = squared_error(model(person, film), score).mean()
                if rank:
                    size = (model.person(person) ** 2).mean() + (model.film(film) ** 2).mean()
                    loss = loss + 0.02 * rank * size
            loss.backward()
            trainer.step(batch_size=1)
        history.append((error(model, training), error(model, test)))
    return model, np.array(history)


runs = {rank: train(rank) for rank in RANKS}

# %% [markdown]
# ## Results

# %%
print("length  training error  test error")
for rank, (_, history) in runs.items():
    print(f"{rank:>6}{history[-1, 0]:>16.3f}{history[-1, 1]:>12.3f}")
(model, history), offsets = runs[RANK], runs[0][1][-1, 1]
test_error = history[-1, 1]
print(f"test error: {test_error:.3f}; with offsets only: {offsets:.3f}; of the noise: {NOISE}")
assert test_error < 1.5 * NOISE < offsets

# %% [markdown]
# ## Plot
#
# Left: the error for each length of the vectors. Vectors that are too short cannot represent the
# ratings; vectors that are too long fit the noise of the training ratings, and predict the test
# ratings worse. Middle: the error during training, for length 4. Right: predictions against true
# ratings, for 4,000 random pairs of a person and a film.

# %%
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
for column, name, colour in ((0, "training", "#d1692b"), (1, "test", "#2a78b5")):
    ends = [past[-1, column] for _, past in runs.values()]
    left.plot(range(len(RANKS)), ends, "o-", color=colour, label=f"{name} ratings")
    middle.plot(range(1, EPOCHS + 1), history[:, column], color=colour)
    text = f"{name} ratings: {history[-1, column]:.3f}"
    place = {"xytext": (0, 24 * column - 16), "textcoords": "offset points", "ha": "right"}
    middle.annotate(text, (EPOCHS, history[-1, column]), color=colour, **place)
left.axhline(NOISE, color="0.5", ls="--", lw=1.2, label="noise (the best possible error)")
left.set_xticks(range(len(RANKS)), RANKS)
left.set(xlabel="length of the vectors (0: offsets only)", ylim=(0, None))
left.set_title("Root mean squared error")
left.legend(frameon=False)
middle.axhline(NOISE, color="0.5", ls="--", lw=1.2)
middle.set(xlabel="epoch", ylim=(0, None), title=f"Error during training, length {RANK}")

pick = np.random.default_rng(1).permutation(ratings.size)[:4000]
predicted = model(nd.array(pick // FILMS), nd.array(pick % FILMS)).asnumpy()
right.plot(ratings.ravel()[pick], predicted, ".", color="#2a8f47", ms=2, alpha=0.5)
ends = [ratings.min(), ratings.max()]
right.plot(ends, ends, color="0.5", ls="--", lw=1.2)
right.set(xlabel="true rating", ylabel="predicted rating", title="Predictions")
for axes in (left, middle, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig("matrix_factorisation.png", dpi=120)
plt.show()
