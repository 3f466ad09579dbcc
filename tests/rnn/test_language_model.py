"""A small language model learns a pattern that letter pairs do not contain."""

from __future__ import annotations

import numpy as np

import gluon
from gluon import Block, Trainer, autograd, init, nd, nn, rnn
from gluon.loss import SoftmaxCrossEntropyLoss
from gluon.utils import clip_global_norm

STEPS, BATCH = 24, 16


def text(sentences: int, seed: int) -> str:
    """Sentences in which the verb agrees with a noun that stands words before it."""
    rng = np.random.RandomState(seed)
    words = ("cat dog bird horse", "small old grey", "sees hears likes")
    found = []
    for _ in range(sentences):
        noun, adjective, verb = (rng.choice(kind.split()) for kind in words)
        number = rng.randint(2)
        found.append(
            f"the {adjective} {noun}{'s' * number} {verb[:-1] if number else verb} the"
            f" {rng.choice(words[0].split())}."
        )
    return " ".join(found)


def pairs(letters: np.ndarray) -> list:
    """Letters and those that follow, as (steps, batch), one part after the other."""
    columns = letters[: len(letters) // BATCH * BATCH].reshape(BATCH, -1).T
    return [
        (nd.array(columns[k : k + STEPS]), nd.array(columns[k + 1 : k + STEPS + 1]))
        for k in range(0, len(columns) - STEPS - 1, STEPS)
    ]


def bigram_loss(train: np.ndarray, test: np.ndarray, size: int) -> float:
    """The cross entropy of predictions from letter pairs counted in `train`."""
    counts = np.full((size, size), 0.1)
    np.add.at(counts, (train[:-1], train[1:]), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return -np.log(shares[test[:-1], test[1:]]).mean()


class Model(Block):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(size, 16)
            self.lstm = rnn.LSTM(48)
            self.out = nn.Dense(size, flatten=False)

    def forward(self, letters, states):
        y, states = self.lstm(self.embedding(letters), states)
        return self.out(y), states


def test_an_lstm_beats_the_counts_of_neighbours():
    gluon.random.seed(0)
    train, test = text(400, seed=1), text(60, seed=2)
    letters = sorted(set(train + test))
    train, test = (np.array([letters.index(one) for one in part]) for part in (train, test))
    model = Model(len(letters))
    model.initialize(init.Xavier())
    cross_entropy = SoftmaxCrossEntropyLoss()
    trainer = Trainer(model.collect_params(), "adam", {"learning_rate": 0.02})

    def run(parts, learn):
        states, losses = model.lstm.begin_state(batch_size=BATCH), []
        for x, label in parts:
            states = [state.detach() for state in states]
            with autograd.record(train_mode=learn):
                y, states = model(x, states)
                loss = cross_entropy(y, label).mean()
            if learn:
                loss.backward()
                grads = [one.grad() for one in model.collect_params().values()]
                clip_global_norm(grads, 1.0)
                trainer.step(1)
            losses.append(loss.item())
        return np.mean(losses)

    for _ in range(4):
        run(pairs(train), learn=True)
    assert run(pairs(test), learn=False) < 0.5 * bigram_loss(train, test, len(letters))
