"""Lengths that stay unknown in the file: batches, sequences, images."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from gluon import nd, nn, rnn, sym
from gluon.symbol.program import Program

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
from gluon.onnx.exporting import model_of  # noqa: E402

from .agreement import ran  # noqa: E402

DRAW = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return DRAW.normal(size=shape).astype("float32")


def words(*shape: int) -> np.ndarray:
    return DRAW.integers(0, 50, size=shape).astype("float32")


def lengths(batch: int, most: int) -> np.ndarray:
    return DRAW.integers(1, most + 1, size=batch).astype("float32")


class Encoder(nn.HybridBlock):
    """A small BERT: embeddings of words, places and segments, layers, and a pooled first word."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.word, self.segment = nn.Embedding(50, 16), nn.Embedding(2, 16)
            self.place = self.params.get("place", shape=(32, 16), init="xavier")
            self.norm = nn.LayerNorm()
            self.layers = nn.HybridSequential()
            for _ in range(2):
                self.layers.add(nn.TransformerEncoderLayer(16, 32, num_heads=4))
            self.pool = nn.Dense(16, activation="tanh", flatten=False)

    def hybrid_forward(self, F: Any, x: Any, segment: Any, place: Any) -> Any:
        steps = F.contrib.arange_like(x, axis=1)
        y = self.word(x) + self.segment(segment)
        y = F.broadcast_add(y, F.expand_dims(F.take(place, steps), axis=0))
        y = self.layers(self.norm(y))
        first = F.squeeze(F.slice_axis(y, axis=1, begin=0, end=1), axis=1)
        return y, self.pool(first)


class Interleaved(nn.HybridBlock):
    """Attention as GluonNLP's BERT has it: one product for all heads, masked by lengths."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.word, self.norm = nn.Embedding(50, 16), nn.LayerNorm()
            self.joint = nn.Dense(48, flatten=False)
            self.out = nn.Dense(16, flatten=False)

    def hybrid_forward(self, F: Any, x: Any, length: Any) -> Any:
        y = F.transpose(self.word(x), axes=(1, 0, 2))
        joint = self.joint(y)
        scores = F.contrib.interleaved_matmul_selfatt_qk(joint, heads=4)
        steps = F.contrib.arange_like(x, axis=1)
        mask = F.broadcast_lesser(F.reshape(steps, (1, -1)), F.reshape(length, (-1, 1)))
        mask = F.broadcast_mul(F.expand_dims(mask, 1), F.ones_like(F.reshape(steps, (-1, 1))))
        mask = F.broadcast_axis(F.expand_dims(mask, 1), axis=1, size=4)
        mask = F.reshape(mask, shape=(-1, 0, 0), reverse=True)
        weights = F.softmax(F.where(mask, scores, F.ones_like(scores) * -1e18))
        y = y + self.out(F.contrib.interleaved_matmul_selfatt_valatt(joint, weights, heads=4))
        return F.transpose(self.norm(y), axes=(1, 0, 2))


class Tagger(nn.HybridBlock):
    """Two recurrent layers over words."""

    def __init__(self, kind: Any, layout: str, both: bool) -> None:
        super().__init__()
        with self.name_scope():
            self.word = nn.Embedding(50, 6)
            self.layers = kind(5, num_layers=2, bidirectional=both, layout=layout)
            self.out = nn.Dense(3, flatten=False)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.log_softmax(self.out(self.layers(self.word(x))))


class Classifier(nn.HybridBlock):
    """The last step, the mean and the maximum over the steps of each sample."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.word, self.layer, self.out = nn.Embedding(50, 6), rnn.GRU(5), nn.Dense(2)

    def hybrid_forward(self, F: Any, x: Any, length: Any) -> Any:
        y = self.layer(self.word(F.transpose(x)))
        y = F.SequenceMask(y, length, use_sequence_length=True)
        last = F.SequenceLast(y, length, use_sequence_length=True)
        turned = F.SequenceReverse(y, length, use_sequence_length=True)
        mean = F.broadcast_div(F.sum(y, axis=0), F.reshape(length, (-1, 1)))
        return self.out(F.concat(last, mean, F.max(turned, axis=0), dim=1))


class Decoder(nn.HybridBlock):
    """Attention to another sequence, and a cell in a loop over the steps."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.query, self.key = nn.Dense(8, flatten=False), nn.Dense(8, flatten=False)
            self.cell = rnn.GRUCell(8, input_size=8)

    def hybrid_forward(self, F: Any, x: Any, memory: Any) -> Any:
        query, key = self.query(x), self.key(memory)
        y = F.batch_dot(F.softmax(F.batch_dot(query, key, transpose_b=True)), key)
        steps = F.transpose(y, axes=(1, 0, 2))
        start = F.zeros_like(F.squeeze(F.slice_axis(steps, axis=0, begin=0, end=1), axis=0))

        def step(one: Any, state: Any) -> Any:
            out, (state,) = self.cell(one, [state])
            return out, state

        out, _ = F.contrib.foreach(step, steps, start)
        return F.reshape(out, shape=(0, 0, 2, 4)), F.cumsum(y, axis=1), F.reverse(y, axis=1)


def images() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1, strides=2), nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Conv2DTranspose(2, 2, strides=2), nn.AvgPool2D(2, 2))
    return net


def text() -> Any:
    net = nn.HybridSequential()
    turned = nn.HybridLambda(lambda F, x: F.transpose(x, axes=(0, 2, 1)))
    net.add(nn.Embedding(50, 6), turned, nn.Conv1D(4, 3, padding=1), nn.GlobalMaxPool1D())
    return net


class Network(NamedTuple):
    """A network, its inputs for a batch and a length, and their shapes in the file."""

    make: Any
    inputs: Any
    shapes: list[tuple[Any, ...]]


NETWORKS = {
    "encoder": Network(
        Encoder, lambda b, n: [words(b, n), words(b, n) % 2], [("b", "n"), ("b", "n")]
    ),
    "interleaved attention": Network(
        Interleaved, lambda b, n: [words(b, n), lengths(b, n)], [("b", "n"), ("b",)]
    ),
    "classifier": Network(
        Classifier, lambda b, n: [words(b, n), lengths(b, n)], [("b", "n"), ("b",)]
    ),
    "decoder": Network(
        Decoder, lambda b, n: [drawn(b, n, 6), drawn(b, n + 2, 6)], [("b", "n", 6), ("b", "m", 6)]
    ),
    "text": Network(text, lambda b, n: [words(b, n)], [("b", "n")]),
    "images": Network(
        images, lambda b, n: [drawn(b, 3, 2 * n + 4, 2 * n + 8)], [("b", 3, "h", "w")]
    ),
    **{
        f"{kind.__name__}, {layout}{', two ways' * both}": Network(
            lambda kind=kind, layout=layout, both=both: Tagger(kind, layout, both),
            lambda b, n, layout=layout: [words(b, n) if layout == "NTC" else words(n, b)],
            [("b", "n") if layout == "NTC" else ("n", "b")],
        )
        for kind in (rnn.LSTM, rnn.GRU, rnn.RNN)
        for layout in ("NTC", "TNC")
        for both in (False, True)
    },
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_take_other_lengths(name, tmp_path):
    make, inputs, shapes = NETWORKS[name]
    net = make()
    net.initialize("xavier")
    example = [nd.array(x) for x in inputs(2, 5)]
    path = str(tmp_path / "net.onnx")
    net.export_onnx(path, *example, dynamic=True, dynamic_input_shapes=shapes)
    given = onnx.load(path).graph.input
    found = [
        tuple(one.dim_param or one.dim_value for one in x.type.tensor_type.shape.dim) for x in given
    ]
    assert found == shapes
    for size in ((2, 5), (3, 9), (1, 1)):
        arrays = inputs(*size)
        wanted = net(*map(nd.array, arrays))
        wanted = wanted if isinstance(wanted, (list, tuple)) else [wanted]
        results = ran(path, {one.name: x for one, x in zip(given, arrays)})
        for result, one in zip(results, wanted, strict=True):
            np.testing.assert_allclose(result, one.asnumpy(), rtol=1e-4, atol=1e-5)


x, y, z = (sym.var(name) for name in "xyz")
#: Operators with an open batch, and some with open sides: a symbol, and shapes by the batch.
OPEN = {
    "resize": (lambda: sym.contrib.BilinearResize2D(x, height=7, width=9), "b2(4+b)5"),
    "anchors": (lambda: sym.contrib.MultiBoxPrior(x, sizes=(0.5, 0.3), ratios=(1, 2)), "b245"),
    "detections": (
        lambda: sym.contrib.MultiBoxDetection(sym.softmax(x, axis=1), y, sym.abs(z)),
        "b36 b(24) 164",
    ),
    "suppression": (lambda: sym.contrib.box_nms(sym.abs(x)), "b66"),
    "proposals": (
        lambda: sym.contrib.MultiProposal(
            sym.softmax(x, axis=1),
            y,
            sym.abs(z) + 30,
            scales=(1.0, 2.0),
            ratios=(1.0,),
            feature_stride=8,
            rpn_pre_nms_top_n=20,
            rpn_post_nms_top_n=6,
        ),
        "b434 b834 b3",
    ),
    "correlation": (lambda: sym.Correlation(x, y, max_displacement=1), "b266 b266"),
    "windows": (lambda: sym.im2col(x, kernel=(2, 2), pad=(1, 1)), "b2(4+b)5"),
    "sums of windows": (lambda: sym.col2im(x, output_size=(4, 4), kernel=(2, 2)), "b89"),
    "waves": (lambda: sym.contrib.ifft(sym.contrib.fft(x)), "b6"),
    "inverse": (lambda: sym.linalg.inverse(x), "b33"),
    "factor": (lambda: sym.linalg.potrf(sym.linalg.syrk(x)), "b34"),
    "triangular": (lambda: sym.linalg.trsm(sym.exp(x), y), "b33 b32"),
    "channels last": (
        lambda: sym.Convolution(
            x, y, no_bias=True, kernel=(3, 3), num_filter=4, layout="NHWC", stride=(2, 1)
        ),
        "b(6+b)82 4332",
    ),
    "density": (lambda: sym.random_pdf_normal(x, y, sym.abs(z)), "b4 b b"),
    "matching": (lambda: sym.contrib.bipartite_matching(sym.abs(x), threshold=0.1), "b34"),
    "unequal windows": (lambda: sym.contrib.AdaptiveAvgPooling2D(x, output_size=(2, 3)), "b357"),
    "blocks": (lambda: sym.depth_to_space(x, block_size=2), "b4b3"),
    "deformable": (
        lambda: sym.contrib.DeformableConvolution(
            x, y, z, no_bias=True, kernel=(2, 2), num_filter=3
        ),
        "b256 b845 3222",
    ),
}


def shape_of(text: str, batch: int) -> tuple[int, ...]:
    """A shape such as ``b2(4+b)5``: a number or an expression for each axis."""
    found, rest = [], text
    while rest:
        one, _, rest = rest[1:].partition(")") if rest[0] == "(" else (rest[0], "", rest[1:])
        found.append(sum(batch if part == "b" else int(part) for part in one.split("+")))
    return tuple(found)


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("opset", [16, 18])
def test_operators_take_other_lengths(name, opset):
    make, texts = OPEN[name]
    net = make()
    both = [[shape_of(text, batch) for text in texts.split()] for batch in (2, 3)]
    shapes = {
        key: tuple(n if n == m else None for n, m in zip(*pair))
        for key, pair in zip("xyz", zip(*both))
    }
    model = model_of(net, {}, shapes, dict.fromkeys(shapes, "float32"), opset)
    for batch in (2, 3, 1):
        arrays = {key: drawn(*shape_of(text, batch)) for key, text in zip("xyz", texts.split())}
        wanted = Program(net._heads).run([nd.array(arrays[key]) for key in net.list_inputs()])
        for result, one in zip(ran(model, arrays), wanted):
            np.testing.assert_allclose(result, one.asnumpy(), rtol=1e-4, atol=2e-5)
