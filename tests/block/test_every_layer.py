"""Every layer, called with invalid inputs, reports its name, its parameters and the shapes."""

from __future__ import annotations

import inspect
import traceback

import pytest

from gluon import Block, GluonError, autograd, contrib, loss, nd, nn, rnn

MODULES = {"nn": nn, "rnn": rnn, "contrib.nn": contrib.nn, "contrib.cnn": contrib.cnn}
MODULES |= {"contrib.rnn": contrib.rnn, "loss": loss}
#: A layer, and invalid shapes of inputs.
WRONG = [
    ("nn.Dense(2, in_units=5", [(4, 3)]),
    ("nn.MultiHeadAttention(4, 2", [(4, 3)]),
    ("nn.TransformerEncoderLayer(4, 8, 2", [(4, 3)]),
    ("nn.Dense(2, in_units=5, flatten=False", [(4, 2, 3)]),
    *[(f"nn.Conv{n}D(2, 3, in_channels=5", [(1, 3, *[8] * n)]) for n in (1, 2, 3)],
    *[(f"nn.Conv{n}D(2, 3, in_channels=5", [(1, 5, *[2] * n)]) for n in (1, 2, 3)],
    *[(f"nn.Conv{n}D(2, 3, in_channels=5", [(1, 5, *[8] * (n + 1))]) for n in (1, 2, 3)],
    *[(f"nn.Conv{n}DTranspose(2, 3, in_channels=5", [(1, 3, *[8] * n)]) for n in (1, 2, 3)],
    *[(f"nn.Conv{n}DTranspose(2, 3, in_channels=5", [(1, 5)]) for n in (1, 2, 3)],
    *[(f"nn.{kind}Pool{n}D(3", [(1, 2, *[2] * n)]) for kind in ("Max", "Avg") for n in (1, 2, 3)],
    *[(f"nn.{kind}Pool{n}D(3", [(2, 4)]) for kind in ("Max", "Avg") for n in (1, 2, 3)],
    *[
        (f"nn.Global{kind}Pool{n}D(", [(1, 2, *[2] * (n + 1))])
        for kind in ("Max", "Avg")
        for n in (1, 2, 3)
    ],
    ("nn.BatchNorm(in_channels=4", [(2, 3)]),
    ("nn.BatchNorm(in_channels=4", [(4,)]),
    ("nn.BatchNormReLU(in_channels=4", [(2, 3, 2, 2)]),
    ("nn.LayerNorm(in_channels=4", [(2, 3)]),
    ("nn.InstanceNorm(in_channels=4", [(2, 3, 4)]),
    ("nn.GroupNorm(3", [(2, 4, 5)]),
    ("nn.PReLU(in_channels=4", [(2, 3)]),
    ("nn.ReflectionPad2D(1", [(2, 3, 4)]),
    *[(f"rnn.{kind}(3, input_size=5", [(4, 2, 6)]) for kind in ("RNN", "LSTM", "GRU")],
    *[
        (f"rnn.{kind}(3, input_size=5", [(2, 6), "begin"])
        for kind in ("RNNCell", "LSTMCell", "GRUCell")
    ],
    ("contrib.rnn.LSTMPCell(3, 2, input_size=5", [(2, 6), "begin"]),
    *[
        (f"contrib.rnn.Conv{n}D{kind}Cell({(2, *[5] * n)}, 3, 3, 3", [(1, 4, *[5] * n), "begin"])
        for n in (1, 2, 3)
        for kind in ("RNN", "LSTM", "GRU")
    ],
    *[(f"contrib.nn.PixelShuffle{n}D(2", [(1, 3, *[2] * n)]) for n in (1, 2, 3)],
    *[(f"contrib.nn.PixelShuffle{n}D(2", [(1, 2**n)]) for n in (1, 2, 3)],
    ("contrib.nn.SyncBatchNorm(4", [(2, 3)]),
    ("contrib.cnn.DeformableConvolution(2, 3, in_channels=5", [(1, 3, 8, 8)]),
    ("contrib.cnn.ModulatedDeformableConvolution(2, 3, in_channels=5", [(1, 3, 8, 8)]),
    *[
        (f"loss.{name}(", [(2, 3), (4, 2)])
        for name in (
            "L1Loss L2Loss HuberLoss HingeLoss SquaredHingeLoss LogisticLoss KLDivLoss"
            " SigmoidBinaryCrossEntropyLoss SoftmaxCrossEntropyLoss PoissonNLLLoss SDMLLoss"
        ).split()
    ],
    ("loss.CTCLoss(", [(2, 3, 4), (3, 2)]),
    ("loss.CTCLoss(", [(2, 3), (2, 2)]),
    ("loss.TripletLoss(", [(2, 3), (2, 3), (4, 2)]),
    ("loss.CosineEmbeddingLoss(", [(2, 3), (4, 3), (2,)]),
]
#: Layers that accept arrays of any shape, or whatever their children accept.
ANY = {
    "nn": "Activation Dropout Flatten LeakyReLU ELU SELU GELU Swish Embedding Lambda HybridLambda"
    " Sequential HybridSequential Block HybridBlock SymbolBlock",
    "rnn": "BidirectionalCell DropoutCell ModifierCell ResidualCell SequentialRNNCell ZoneoutCell"
    " HybridSequentialRNNCell HybridRecurrentCell RecurrentCell",
    "contrib.nn": "Concurrent HybridConcurrent Identity SparseEmbedding",
    "contrib.cnn": "",
    "contrib.rnn": "VariationalDropoutCell",
    "loss": "Loss",
}


def made(text: str) -> Block:
    """The layer with values for its parameters."""
    layer = eval(f"{text})", {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss})
    layer.initialize()
    return layer


@pytest.mark.filterwarnings("ignore:.*exp.pred. has the sum")
@pytest.mark.parametrize(("text", "shapes"), WRONG)
def test_a_wrong_shape_is_described(text, shapes):
    layer = made(text)
    inputs = [nd.ones(one) for one in shapes if one != "begin"]
    if "begin" in shapes:
        inputs.append(layer.begin_state(batch_size=shapes[0][0]))
    with autograd.record(), pytest.raises(GluonError) as caught:
        layer(*inputs)
    message = str(caught.value)
    assert message.startswith("in ")
    assert layer.name in message  # or that of a layer inside, which begins with it
    for shape in (shapes[0], *(one.shape for one in layer._reg_params.values())):
        assert str(shape) in message or str([*shape]) in message
    assert "".join(traceback.format_exception(caught.value)).count("Traceback") == 1
    assert not autograd.is_recording()


def test_every_layer_is_there():
    tested = {text.split("(")[0] for text, _ in WRONG}
    for path, module in MODULES.items():
        blocks = {
            getattr(module, name).__name__
            for name in module.__all__
            if inspect.isclass(getattr(module, name)) and issubclass(getattr(module, name), Block)
        }
        mine = {name.rpartition(".")[2] for name in tested if name.rpartition(".")[0] == path}
        assert mine | set(ANY[path].split()) == blocks


#: What MXNet's programs pass to `hybridize`.
OPTIONS = [
    {},
    {"active": False},
    {"static_alloc": True, "static_shape": True},
    {"inline_limit": 4, "forward_bulk_size": 3, "backward_bulk_size": 2},
    {"backend": None, "clear": True, "flags": ()},
]
OTHERS = [
    "nn.Activation('relu'",
    "nn.Sequential(",
    "nn.Lambda('relu'",
    "rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2)",
    "rnn.SequentialRNNCell(",
    "rnn.ZoneoutCell(rnn.LSTMCell(2)",
    "contrib.nn.Concurrent(",
    "loss.L2Loss(",
    "Block(",
]


@pytest.mark.parametrize("text", dict.fromkeys([text for text, _ in WRONG] + OTHERS))
def test_every_layer_takes_the_options_of_hybridize(text):
    layer = eval(
        f"{text})", {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss, "Block": Block}
    )
    for options in OPTIONS:
        assert layer.hybridize(**options) is None
