"""Write files for TensorBoard with mxboard, and read them back.

    python -m gluon.mxnet --old-numpy tests/clients/run_mxboard.py [--json]

It needs mxboard 0.1.0 with protobuf 3.20. With MXNet itself, ``--json`` records the numbers.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from mxboard import SummaryWriter
from mxboard.proto.event_pb2 import Event
from mxboard.proto.graph_pb2 import GraphDef
from mxnet import autograd, gluon, nd
from results import Results, settle


def events(write: Callable[[SummaryWriter], None]) -> list:
    """The values in the file that a function writes."""
    with tempfile.TemporaryDirectory() as folder:
        with SummaryWriter(logdir=folder, flush_secs=1, verbose=False) as writer:
            write(writer)
        (file,) = Path(folder).glob("events*")
        memory = file.read_bytes()
    found = []
    while memory:
        (length,) = struct.unpack("<Q", memory[:8])
        event, memory = Event.FromString(memory[12 : 12 + length]), memory[16 + length :]
        found += event.summary.value
        if event.graph_def:
            found.append(GraphDef.FromString(event.graph_def))
    return found


def scalars() -> dict[str, list]:
    def write(writer: SummaryWriter) -> None:
        for step in range(4):
            writer.add_scalar("loss", nd.array([1 / (step + 1)]).asscalar(), step)
            writer.add_scalar("both", {"train": 0.5 * step, "test": step}, step)

    return {"values": [value.simple_value for value in events(write)]}


def histograms() -> dict[str, list]:
    """Histograms of weights and gradients while a network trains."""

    def write(writer: SummaryWriter) -> None:
        net = gluon.nn.Dense(5, in_units=7)
        net.initialize()
        settle(net)
        with autograd.record():
            loss = (net(nd.arange(21).reshape((3, 7)) / 21) ** 2).sum()
        loss.backward()
        for name, parameter in net.collect_params().items():
            writer.add_histogram(name, parameter.data(), bins=6)
            writer.add_histogram(f"{name}_gradient", parameter.grad(), bins=[-2, 0, 2, 4])

    found = {}
    for number, value in enumerate(events(write)):
        histogram = value.histo
        found[f"counts {number}"] = [*histogram.bucket]
        found[f"limits {number}"] = [*histogram.bucket_limit]
        found[f"sums {number}"] = histogram.min, histogram.max, histogram.sum, histogram.sum_squares
    return found


def images() -> dict[str, list]:
    """A picture, and a batch of them as a grid: the sizes and first bytes of the files."""
    pictures = np.random.RandomState(0).uniform(0, 1, (4, 3, 6, 8)).astype("float32")

    def write(writer: SummaryWriter) -> None:
        writer.add_image("one", nd.array(pictures[0]))
        writer.add_image("grid", nd.array(pictures))
        writer.add_image("bytes", nd.array(pictures[:1] * 255, dtype="uint8"))

    found = {}
    for value in events(write):
        image = value.image
        found[value.tag] = [image.height, image.width, image.colorspace]
        assert image.encoded_image_string.startswith(b"\x89PNG")
    return found


def texts() -> dict[str, list]:
    """A text, a sound and a curve of precisions and recalls."""
    rng = np.random.RandomState(0)

    def write(writer: SummaryWriter) -> None:
        writer.add_text("note", "the loss falls")
        writer.add_audio("tone", nd.sin(nd.arange(800) / 9), sample_rate=8000)
        labels, scores = nd.array(rng.randint(0, 2, 40)), nd.array(rng.uniform(0, 1, 40))
        writer.add_pr_curve("curve", labels, scores, num_thresholds=9)

    note, tone, curve = events(write)
    assert note.tensor.string_val == [b"the loss falls"]
    return {
        "sound": [tone.audio.sample_rate, len(tone.audio.encoded_audio_string)],
        "curve": [*curve.tensor.float_val],
    }


def embeddings() -> dict[str, list]:
    """Vectors with labels and pictures, in the files that the projector reads."""
    vectors = np.random.RandomState(0).normal(0, 1, (4, 3)).astype("float32")
    with tempfile.TemporaryDirectory() as folder:
        with SummaryWriter(logdir=folder, verbose=False) as writer:
            writer.add_embedding("words", nd.array(vectors), labels=nd.arange(4),
                                 images=nd.ones((4, 3, 5, 5)))  # fmt: skip
        (table,) = Path(folder).glob("**/*tensor*")
        rows = [line.split("\t") for line in table.read_text().splitlines()]
    return {"table": np.array(rows, "float64")}


def graphs() -> dict[str, list]:
    """The graph of a network: its operators, and how many inputs each has."""

    def write(writer: SummaryWriter) -> None:
        net = gluon.nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(gluon.nn.Conv2D(2, 3), gluon.nn.BatchNorm(), gluon.nn.Dense(4, "relu"))
        net.initialize()
        net.hybridize()
        net(nd.ones((1, 1, 5, 5)))
        writer.add_graph(net)

    (graph,) = events(write)
    operators = sorted((node.op, len(node.input)) for node in graph.node)
    return {"nodes": [len(graph.node)], "inputs": [count for _, count in operators]}


results = Results("mxboard", "clients_mxboard.json")
results.compare("add_scalar", scalars)
results.compare("add_histogram of weights and gradients", histograms)
results.compare("add_image", images)
results.compare("add_text, add_audio, add_pr_curve", texts)
results.compare("add_embedding", embeddings)
results.compare("add_graph", graphs)
results.finish()
