"""Guess the ratings that nobody gave, from the few that were given.

A person and a film each get a short vector; the rating is a common mean, how generous the person
is, how good the film is, and the product of the two vectors. Gradient descent finds all of them
from 8 % of the ratings. The data are made here with vectors of length 4 and a little noise, so
two things are known that real data hide: the best error possible, and the right length.

    python tutorials/matrix_factorisation.py [--epochs 15] [--output matrix_factorisation.png]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

# The matrices are small: threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib
import numpy as np
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn

matplotlib.use("Agg")
from matplotlib import pyplot as plt

PEOPLE, FILMS, RANK = 600, 400, 4
SHARE, NOISE = 0.08, 0.3
RANKS = (0, 1, 2, 3, 4, 6, 8, 12)
BATCH, RATE = 512, 0.05


class Ratings(NamedTuple):
    """Who rated which film, and how: three arrays of one length."""

    person: nd.NDArray
    film: nd.NDArray
    score: nd.NDArray


def make() -> tuple[Ratings, Ratings, np.ndarray]:
    """The ratings that were given, as many others to test on, and the whole without noise."""
    rng = np.random.default_rng(0)
    liking = rng.normal(size=(PEOPLE, RANK)) @ rng.normal(size=(RANK, FILMS)) / np.sqrt(RANK)
    generous, good = rng.normal(0, 0.3, (PEOPLE, 1)), rng.normal(0, 0.5, (1, FILMS))
    whole = 3 + generous + good + liking
    chosen = rng.permutation(PEOPLE * FILMS)[: int(2 * SHARE * PEOPLE * FILMS)]
    noisy = whole.ravel()[chosen] + rng.normal(0, NOISE, len(chosen))
    train, test = (
        Ratings(*(nd.array(one[half::2]) for one in (chosen // FILMS, chosen % FILMS, noisy)))
        for half in (0, 1)
    )
    return train, test, whole


class Factors(nn.Block):
    """The model: vectors and offsets for people and films, around a fixed mean."""

    def __init__(self, rank: int, mean: float, **kwargs) -> None:
        super().__init__(**kwargs)
        self.mean = mean
        with self.name_scope():
            self.person_offset = nn.Embedding(PEOPLE, 1, weight_initializer="zeros")
            self.film_offset = nn.Embedding(FILMS, 1, weight_initializer="zeros")
            if rank:
                # Vectors that all begin at 0 would stay there: each is the other's gradient.
                start = gluon.init.Normal(0.3)
                self.person = nn.Embedding(PEOPLE, rank, weight_initializer=start)
                self.film = nn.Embedding(FILMS, rank, weight_initializer=start)
        self.rank = rank

    def forward(self, person: nd.NDArray, film: nd.NDArray) -> nd.NDArray:
        score = self.mean + (self.person_offset(person) + self.film_offset(film)).reshape(-1)
        if self.rank:
            score = score + (self.person(person) * self.film(film)).sum(axis=1)
        return score


def error(model: Factors, ratings: Ratings) -> float:
    """The root of the mean squared error."""
    return ((model(ratings.person, ratings.film) - ratings.score) ** 2).mean().asscalar() ** 0.5


def train(
    rank: int, samples: Ratings, test: Ratings, epochs: int, progress: tqdm
) -> tuple[Factors, list[tuple[float, float]]]:
    """A trained model, and the errors on both sets of ratings after each epoch."""
    model = Factors(rank, samples.score.mean().asscalar())
    model.initialize()
    squares = gluon.loss.L2Loss()
    batches = -(-len(samples.score) // BATCH)
    schedule = gluon.lr_scheduler.CosineScheduler(epochs * batches, base_lr=RATE)
    options = {"learning_rate": RATE, "lr_scheduler": schedule}
    trainer = gluon.Trainer(model.collect_params(), "adam", options)
    history = []
    for _ in range(epochs):
        order = nd.random.shuffle(nd.arange(len(samples.score)))
        for begin in range(0, len(order), BATCH):
            person, film, score = (one[order[begin : begin + BATCH]] for one in samples)
            with autograd.record():
                loss = squares(model(person, film), score).mean()
                if rank:
                    # Short vectors unless the ratings say otherwise: the fewer ratings somebody
                    # gave, the more this decides.
                    size = (model.person(person) ** 2).mean() + (model.film(film) ** 2).mean()
                    loss = loss + 0.02 * rank * size
            loss.backward()
            trainer.step(batch_size=1)
            progress.update()
        history.append((error(model, samples), error(model, test)))
        progress.set_postfix(train=f"{history[-1][0]:.3f}", test=f"{history[-1][1]:.3f}")
    return model, history


def draw(histories: dict[int, list], model: Factors, whole: np.ndarray, path: Path) -> None:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for column, name, colour in ((0, "given", "#e08214"), (1, "not given", "#2166ac")):
        ends = [histories[rank][-1][column] for rank in RANKS]
        left.plot(range(len(RANKS)), ends, "o-", color=colour, label=f"ratings {name}")
    left.axhline(NOISE, color="0.4", ls="--", lw=1.2, label="noise: nobody can do better")
    left.set_xticks(range(len(RANKS)), RANKS)
    left.set(xlabel="length of the vectors (0: offsets alone)", ylim=(0, None))
    left.set_title("Root mean squared error: 4 is right")
    left.legend(frameon=False)

    for column, name, colour in ((0, "given", "#e08214"), (1, "not given", "#2166ac")):
        values = [row[column] for row in histories[RANK]]
        middle.plot(range(1, len(values) + 1), values, color=colour, lw=1.8)
        middle.annotate(
            f"ratings {name}: {values[-1]:.3f}",
            (len(values), values[-1]),
            (0, 24 * column - 16),
            textcoords="offset points",
            ha="right",
            color=colour,
        )
    middle.axhline(NOISE, color="0.4", ls="--", lw=1.2)
    middle.set(xlabel="epoch", ylim=(0, None), title=f"The error in training, length {RANK}")

    people, films = (nd.arange(count) for count in (PEOPLE, FILMS))
    guessed = model.person(people).asnumpy() @ model.film(films).asnumpy().T
    guessed += model.person_offset(people).asnumpy() + model.film_offset(films).asnumpy().T
    true = whole - model.mean
    shown = slice(0, 4000)
    pick = np.random.default_rng(1).permutation(whole.size)[shown]
    right.plot(
        true.ravel()[pick] + model.mean,
        guessed.ravel()[pick] + model.mean,
        ".",
        color="#1b7837",
        ms=2,
        alpha=0.5,
    )
    ends = (whole.min(), whole.max())
    right.plot(ends, ends, color="0.4", ls="--", lw=1.2)
    right.set(
        xlabel="true rating", ylabel="guessed rating", title="4,000 ratings, nearly all not given"
    )
    for axis in (left, middle, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_name("matrix_factorisation.png")
    )
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    samples, test, whole = make()
    print(f"{len(samples.score):,} ratings given by {PEOPLE} people to {FILMS} films")
    progress = tqdm(total=len(RANKS) * options.epochs * -(-len(samples.score) // BATCH))
    models, histories = {}, {}
    for rank in RANKS:
        progress.set_description(f"rank {rank}")
        models[rank], histories[rank] = train(rank, samples, test, options.epochs, progress)
    progress.close()

    print(f"\n{'rank':>4}{'given':>10}{'not given':>12}")
    for rank, history in histories.items():
        print(f"{rank:>4}{history[-1][0]:>10.3f}{history[-1][1]:>12.3f}")
    reached, baseline = (histories[rank][-1][1] for rank in (RANK, 0))
    print(f"\nerror: {reached:.3f}, from offsets alone {baseline:.3f}, from the noise {NOISE}")
    draw(histories, models[RANK], whole, options.output)
    print(f"wrote {options.output} after {time.perf_counter() - started:.0f} s")
    if reached > 1.5 * NOISE:
        print(f"the error should be at most {1.5 * NOISE:.2f}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
