"""Teach an LSTM to write English, one character at a time, from Python's own documentation.

The text is the docstrings of the standard library that runs this script: parsed, never imported.
The model reads characters and gives, at every place, a probability to each that could follow. Its
quality is the mean of -log2 of what it gave to the one that did: bits per character, on text kept
out of training. A table of pairs, which knows the last character alone, is the baseline.

    python tutorials/character_lstm.py [--steps 400] [--output character_lstm.png]
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
import sysconfig
import textwrap
import time
from pathlib import Path

# The matrices are small: threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import matplotlib
import numpy as np
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn, rnn

matplotlib.use("Agg")
from matplotlib import pyplot as plt

ALPHABET = "\n !\"'(),-.0123456789:;=?ABCDEFGHIJKLMNOPQRSTUVWXYZ_`abcdefghijklmnopqrstuvwxyz"
STREAMS, STEPS_BACK = 32, 64
RATE = 0.008
WANTED = 0.8  # bits per character that the model must save against the baseline


def docstrings(file: Path) -> list[str]:
    """What a source file says about itself, unwrapped: a line for each paragraph."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return []
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, documented))
    paragraphs = (p for text in found if text for p in re.split(r"\n\s*\n", text))
    return [" ".join(p.split()) for p in paragraphs if ">>>" not in p]


def gather() -> tuple[np.ndarray, np.ndarray]:
    """The text to learn from, and some of other files to test on, as numbers of characters."""
    number = np.full(128, -1)
    number[[ord(one) for one in ALPHABET]] = np.arange(len(ALPHABET))
    parts: tuple[list[str], list[str]] = ([], [])
    for place, file in enumerate(sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))):
        parts[place % 10 == 0].extend(docstrings(file))
    texts = ["\n".join(one for one in part if len(one) > 30) for part in parts]
    coded = [number[np.frombuffer(text.encode("ascii", "ignore"), np.uint8)] for text in texts]
    train, test = (one[one >= 0] for one in coded)
    return train, test[:60_000]


def bigram_bits(train: np.ndarray, test: np.ndarray) -> float:
    """Bits per character of a table of pairs, each counted once more than it was seen."""
    counts = np.ones((len(ALPHABET), len(ALPHABET)))
    np.add.at(counts, (train[:-1], train[1:]), 1)
    share = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log2(share[test[:-1], test[1:]]).mean())


class CharacterModel(nn.Block):
    """An embedding, an LSTM and a dense layer that gives the next character's scores."""

    def __init__(self, hidden: int = 192, **kwargs) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(len(ALPHABET), 48)
            self.lstm = rnn.LSTM(hidden, input_size=48)
            self.scores = nn.Dense(len(ALPHABET), flatten=False, in_units=hidden)

    def forward(self, characters: nd.NDArray, states: list) -> tuple[nd.NDArray, list]:
        """Take (time, batch) characters; give (time, batch, alphabet) scores, and new states."""
        output, states = self.lstm(self.embedding(characters), states)
        return self.scores(output), states


def in_streams(text: np.ndarray) -> nd.NDArray:
    """Cut the text into equal streams, side by side: (time, streams)."""
    length = len(text) // STREAMS
    return nd.array(text[: length * STREAMS].reshape(STREAMS, length).T)


def train(model: CharacterModel, text: np.ndarray, steps: int) -> list[float]:
    """Train on consecutive pieces of all streams; return the bits per character of each step."""
    streams = in_streams(text)
    cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    schedule = gluon.lr_scheduler.CosineScheduler(steps, base_lr=RATE, warmup_steps=20)
    params = model.collect_params()
    trainer = gluon.Trainer(params, "adam", {"learning_rate": RATE, "lr_scheduler": schedule})
    bits = []
    place, states = 0, model.lstm.begin_state(STREAMS)
    progress = tqdm(range(steps), desc="training", unit="step")
    for _ in progress:
        if place + STEPS_BACK >= len(streams):
            place, states = 0, model.lstm.begin_state(STREAMS)
        piece = streams[place : place + STEPS_BACK + 1]
        place += STEPS_BACK
        # The states carry over, and the graph that made them does not: the gradient goes back
        # no further than the beginning of the piece.
        states = [one.detach() for one in states]
        with autograd.record():
            scores, states = model(piece[:-1], states)
            loss = cross_entropy(scores, piece[1:]).mean()
        loss.backward()
        # A rare long gradient must not undo what many short ones learned.
        gluon.utils.clip_global_norm([one.grad() for one in params.values()], 1.0)
        trainer.step(batch_size=1)
        bits.append(loss.asscalar() / np.log(2))
        progress.set_postfix(bits=f"{bits[-1]:.2f}")
    return bits


def test_bits(model: CharacterModel, text: np.ndarray) -> float:
    streams = in_streams(text)
    scores, _ = model(streams[:-1], model.lstm.begin_state(STREAMS))
    return gluon.loss.SoftmaxCrossEntropyLoss()(scores, streams[1:]).mean().asscalar() / np.log(2)


def write(model: CharacterModel, start: str, length: int, temperature: float = 0.6) -> str:
    """Let the model go on from `start`; below temperature 1 it prefers what is likely."""
    states = model.lstm.begin_state(1)
    text = start
    reading = start
    for _ in range(length):
        characters = nd.array([[ALPHABET.index(one)] for one in reading])
        scores, states = model(characters, states)
        share = nd.softmax(scores[-1, 0] / temperature)
        reading = ALPHABET[int(nd.sample_multinomial(share).asscalar())]
        text += reading
    return text


def draw(bits: list[float], tested: float, baseline: float, path: Path) -> None:
    smooth = np.convolve(bits, np.ones(15) / 15, mode="valid")
    figure, axis = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axis.plot(bits, color="#2166ac", alpha=0.25, lw=1)
    axis.plot(np.arange(len(smooth)) + 7, smooth, color="#2166ac", lw=2)
    lines = (
        (np.log2(len(ALPHABET)), 4, "0.4", "every character equally likely"),
        (baseline, 4, "#e08214", "table of pairs, on the test text"),
        (tested, -32, "#1b7837", "LSTM, on the test text"),
    )
    for height, above, colour, name in lines:
        axis.axhline(height, color=colour, ls="--", lw=1.2)
        axis.annotate(
            f"{name}: {height:.2f}",
            (len(bits), height),
            (-4, above),
            textcoords="offset points",
            ha="right",
            color=colour,
        )
    axis.set(
        xlabel="training step", ylabel="bits per character", xlim=(0, len(bits)), ylim=(1.5, 6.9)
    )
    axis.set_title("An LSTM learns the docstrings of Python's standard library")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_name("character_lstm.png")
    )
    options = parser.parse_args()

    started = time.perf_counter()
    gluon.random.seed(0)
    learned, tested = gather()
    if len(learned) < 100_000:
        print("this Python comes without the sources of its library", file=sys.stderr)
        return 1
    print(f"{len(learned):,} characters to learn from, {len(tested):,} to test on")
    baseline = bigram_bits(learned, tested)
    model = CharacterModel()
    model.initialize(gluon.init.Xavier())
    bits = train(model, learned, options.steps)
    reached = test_bits(model, tested)
    print(f"\nbits per character: {reached:.2f}, and {baseline:.2f} from a table of pairs")
    print("\nThe model writes:\n")
    for line in write(model, "Return the ", 500).split("\n"):
        print(textwrap.fill(line, 78, initial_indent="    ", subsequent_indent="    "))
    draw(bits, reached, baseline, options.output)
    print(f"\nwrote {options.output} after {time.perf_counter() - started:.0f} s")
    if reached > baseline - WANTED:
        print(f"the LSTM should save {WANTED} bits per character or more", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
