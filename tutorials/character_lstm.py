# %% [markdown]
# # A character-level LSTM
#
# This tutorial trains a network to write English, one character at a time. The network reads
# characters and predicts the probability of each next character. We measure the mean of -log2 of
# the probability of the actual next character, in bits per character, on held-out text.

# %%
import ast
import re
import sysconfig
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from tqdm import tqdm

import gluon
from gluon import autograd, nd, nn, rnn

gluon.random.seed(0)

# %% [markdown]
# ## The text
#
# Every machine that runs Python has plenty of English text: the docstrings of its standard
# library. We parse the files without importing them, and hold out every tenth file for testing.

# %%
ALPHABET = "\n !\"'(),-.0123456789:;=?ABCDEFGHIJKLMNOPQRSTUVWXYZ_`abcdefghijklmnopqrstuvwxyz"


def docstrings(file: Path) -> list[str]:
    """The docstrings of a source file, one line per paragraph."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return []
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, documented))
    paragraphs = (" ".join(p.split()) for text in found if text for p in re.split(r"\n\s*\n", text))
    return [p for p in paragraphs if ">>>" not in p and len(p) > 30]


def encode(paragraphs: Iterable[str]) -> np.ndarray:
    """The indices of the characters in ALPHABET; other characters are dropped."""
    number = np.full(128, -1)
    number[[ord(one) for one in ALPHABET]] = np.arange(len(ALPHABET))
    text = "\n".join(paragraphs).encode("ascii", "ignore")
    codes = number[np.frombuffer(text, np.uint8)]
    return codes[codes >= 0]


files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
learned = encode(p for place, file in enumerate(files) if place % 10 for p in docstrings(file))
tested = encode(p for file in files[::10] for p in docstrings(file))[:60_000]
print(f"{len(learned):,} characters to learn from, {len(tested):,} to test on")
assert len(learned) > 100_000, "this Python comes without the sources of its library"

# %% [markdown]
# ## A baseline
#
# A table of pairs predicts from the last character alone: it counts how often each character
# follows another.

# %%
counts = np.ones((len(ALPHABET), len(ALPHABET)))
np.add.at(counts, (learned[:-1], learned[1:]), 1)
share = counts / counts.sum(axis=1, keepdims=True)
pairs = -np.log2(share[tested[:-1], tested[1:]]).mean()
print(f"table of pairs: {pairs:.2f} bits per character")

# %% [markdown]
# ## The model
#
# An embedding turns characters into vectors, the LSTM processes the sequence, and a dense layer
# computes the scores of the next character. The arrays have the shape (time, batch, features).


# %%
class CharacterModel(nn.Block):
    def __init__(self, hidden: int = 192, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(len(ALPHABET), 48)
            self.lstm = rnn.LSTM(hidden, input_size=48)
            self.scores = nn.Dense(len(ALPHABET), flatten=False, in_units=hidden)

    def forward(
        self, characters: nd.NDArray, states: list[nd.NDArray]
    ) -> tuple[nd.NDArray, list[nd.NDArray]]:
        output, states = self.lstm(self.embedding(characters), states)
        return self.scores(output), states


model = CharacterModel()
model.initialize(gluon.init.Xavier())

# %% [markdown]
# ## Training
#
# We cut the text into 32 streams and read them in parallel, 64 characters at a time. The states
# of the LSTM carry over from one piece to the next. `detach()` removes their history, so
# gradients do not go back beyond the start of a piece. Gradient clipping limits the effect of
# rare large gradients.

# %%
STREAMS, PIECE, STEPS, RATE = 32, 64, 300, 0.008


def in_streams(text: np.ndarray) -> nd.NDArray:
    length = len(text) // STREAMS
    return nd.array(text[: length * STREAMS].reshape(STREAMS, length).T)


streams = in_streams(learned)
cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
params = model.collect_params()
schedule = gluon.lr_scheduler.CosineScheduler(STEPS, base_lr=RATE, warmup_steps=20)
trainer = gluon.Trainer(params, "adam", {"learning_rate": RATE, "lr_scheduler": schedule})
bits, place = [], len(streams)
states: Any = []
for _ in tqdm(range(STEPS), desc="training", mininterval=2):
    if place + PIECE >= len(streams):
        place, states = 0, model.lstm.begin_state(STREAMS)
    piece = streams[place : place + PIECE + 1]
    place += PIECE
    states = [one.detach() for one in states]
    with autograd.record():
        scores, states = model(piece[:-1], states)
        loss = cross_entropy(scores, piece[1:]).mean()
    loss.backward()
    gluon.utils.clip_global_norm([one.grad() for one in params.values()], 1.0)
    trainer.step(batch_size=1)
    bits.append(loss.asscalar() / np.log(2))

# %% [markdown]
# ## Results

# %%
unseen = in_streams(tested)
scores, _ = model(unseen[:-1], model.lstm.begin_state(STREAMS))
reached = cross_entropy(scores, unseen[1:]).mean().asscalar() / np.log(2)
print(f"bits per character: {reached:.2f}, and {pairs:.2f} from a table of pairs")
assert reached < pairs - 0.7

# %% [markdown]
# Let the model write: draw a character from its distribution, and feed it back as the next input. A
# temperature below 1 prefers likely characters.


# %%
def write(start: str, length: int, temperature: float = 0.6) -> str:
    states: Any = model.lstm.begin_state(1)
    text = [ALPHABET.index(one) for one in start]
    read = nd.array(text).reshape(-1, 1)
    for _ in range(length):
        scores, states = model(read, states)
        chosen = nd.random.multinomial((scores[-1] / temperature).softmax())
        text.append(int(chosen.asscalar()))
        read = chosen.reshape(1, 1)
    return "".join(ALPHABET[one] for one in text)


for line in write("Return the ", 500).split("\n"):
    print(textwrap.fill(line, 78))

# %% [markdown]
# ## Plot
#
# Most of the progress happens in the first hundred steps, in which the model learns the frequencies
# of the characters, then those of pairs, then words.

# %%
smooth = np.convolve(bits, np.ones(15) / 15, mode="valid")
figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
axes.plot(bits, color="#2a78b5", alpha=0.25, linewidth=1)
axes.plot(np.arange(len(smooth)) + 7, smooth, color="#2a78b5", linewidth=2)
lines = (
    (np.log2(len(ALPHABET)), 4, "#7f7f7f", "every character equally likely"),
    (pairs, 4, "#d1692b", "table of pairs, on the test text"),
    (reached, -26, "#2a8f47", "LSTM, on the test text"),
)
for height, above, colour, name in lines:
    axes.axhline(height, color=colour, linestyle="--", linewidth=1.2)
    text = f"{name}: {height:.2f}"
    style = {"xytext": (-4, above), "textcoords": "offset points", "ha": "right"}
    axes.annotate(text, (len(bits), height), color=colour, **style)
axes.set(xlabel="training step", ylabel="bits per character", xlim=(0, len(bits)), ylim=(1.5, 6.9))
axes.set_title("An LSTM learns the docstrings of Python's standard library")
axes.spines[["top", "right"]].set_visible(False)
figure.savefig("character_lstm.png", dpi=120)
plt.show()
