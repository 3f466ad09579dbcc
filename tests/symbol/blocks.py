"""Blocks that are called with symbols, in a table for MXNet 1.9.1 and gluon alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

Make = Callable[[Any], Any]
#: All that is described of a graph, and what does not tell by which steps a result comes.
ALL = ("nodes", "heads", "outputs", "arguments", "states")
NAMES = ("arguments", "states")
OUTPUTS = ("outputs", *NAMES)
#: Layers that take other steps than MXNet's.
CHANGED = (
    "DeformableConvolution",
    "ModulatedDeformableConvolution",
    "PixelShuffle3D",
    "SyncBatchNorm",
)


class Case(NamedTuple):
    """A block and what it is called with.

    Attributes
    ----------
    make : callable
        ``make(mx)`` is the block.
    shapes : list of tuple of int
        Of the inputs.
    call : callable
        ``call(block, *inputs)``.
    integers : int
        Inputs are whole numbers below this; 0 for normal numbers.
    compared : tuple of str
        What of the graph is as with MXNet; nothing where MXNet has no such block.
    """

    make: Make
    shapes: list[tuple[int, ...]]
    call: Callable[..., Any] = lambda block, *inputs: block(*inputs)
    integers: int = 0
    compared: tuple[str, ...] = ALL


def _unrolled(
    length: int, layout: str = "NTC", merge: bool | None = None, lengths: bool = False
) -> Callable[..., Any]:
    def call(cell: Any, x: Any, *valid: Any) -> Any:
        more = {"valid_length": valid[0]} if lengths else {}
        return cell.unroll(length, x, layout=layout, merge_outputs=merge, **more)

    return call


def _stepped(cell: Any, x: Any, *states: Any) -> Any:
    return cell(x, list(states))


def _plain_cells() -> dict[str, Case]:
    found = {}
    for kind, states in (("RNNCell", 1), ("LSTMCell", 2), ("GRUCell", 1)):
        make = _of(f"gluon.rnn.{kind}", 4, prefix="cell_")
        found[kind] = Case(make, [(2, 3), *[(2, 4)] * states], _stepped)
        for merge in (None, True, False):
            found[f"{kind} unrolled, merged {merge}"] = Case(
                make, [(2, 3, 5)], _unrolled(3, merge=merge)
            )
        found[f"{kind}, TNC"] = Case(make, [(3, 2, 5)], _unrolled(3, "TNC", True))
        found[f"{kind} with lengths"] = Case(
            make, [(2, 3, 5), (2,)], _unrolled(3, "NTC", True, True), 3
        )
    for kind, states in (("RNN", 1), ("LSTM", 2), ("GRU", 1)):
        for dims in (1, 2, 3):
            shape, state = (2, 3, *[5] * dims), (2, 4, *[5] * dims)
            make = _of(
                f"gluon.contrib.rnn.Conv{dims}D{kind}Cell", shape[1:], 4, 3, 3, 1, prefix="conv_"
            )
            found[f"Conv{dims}D{kind}Cell"] = Case(make, [shape, *[state] * states], _stepped)
    projected = _of("gluon.contrib.rnn.LSTMPCell", 4, 2, prefix="cell_")
    found["LSTMPCell"] = Case(projected, [(2, 3), (2, 2), (2, 4)], _stepped)
    found["LSTMPCell unrolled"] = Case(projected, [(2, 3, 5)], _unrolled(3))

    return {name: case._replace(compared=OUTPUTS) for name, case in found.items()}


def _cells() -> dict[str, Case]:
    found = {}

    def wrapped(kind: str, *args: Any) -> Make:
        def make(mx: Any) -> Any:
            return _at(mx, kind)(mx.gluon.rnn.GRUCell(4, prefix="in_"), *args)

        return make

    rnn = "gluon.rnn."
    found["ResidualCell"] = Case(wrapped(rnn + "ResidualCell"), [(2, 3, 4)], _unrolled(3))
    found["ResidualCell merged"] = Case(
        wrapped(rnn + "ResidualCell"), [(2, 3, 4)], _unrolled(3, merge=True)
    )
    found["ZoneoutCell"] = Case(wrapped(rnn + "ZoneoutCell", 0.2, 0.3), [(2, 3, 4)], _unrolled(3))
    found["VariationalDropoutCell"] = Case(
        wrapped("gluon.contrib.rnn.VariationalDropoutCell", 0.2, 0.3, 0.4),
        [(2, 3, 4)],
        _unrolled(3),
    )
    found["DropoutCell"] = Case(_of(rnn + "DropoutCell", 0.5, prefix="d_"), [(2, 4)], _stepped)

    def both(mx: Any) -> Any:
        cells = [mx.gluon.rnn.LSTMCell(4, prefix=side) for side in ("l_", "r_")]
        return mx.gluon.rnn.BidirectionalCell(*cells)

    for merge in (True, False):
        found[f"BidirectionalCell, merged {merge}"] = Case(
            both, [(2, 3, 5)], _unrolled(3, merge=merge)
        )
    found["BidirectionalCell with lengths"] = Case(
        both, [(2, 3, 5), (2,)], _unrolled(3, "NTC", True, True), 3
    )

    def stack(mx: Any, kind: str = "SequentialRNNCell") -> Any:
        cell = getattr(mx.gluon.rnn, kind)(prefix="stack_")
        with cell.name_scope():
            cell.add(mx.gluon.rnn.LSTMCell(4))
            cell.add(mx.gluon.rnn.DropoutCell(0.5))
            cell.add(mx.gluon.rnn.ResidualCell(mx.gluon.rnn.RNNCell(4)))
        return cell

    found["SequentialRNNCell"] = Case(stack, [(2, 3, 5)], _unrolled(3))
    found["HybridSequentialRNNCell"] = Case(
        lambda mx: stack(mx, "HybridSequentialRNNCell"), [(2, 3, 5)], _unrolled(3, merge=True)
    )
    names = {name: case._replace(compared=NAMES) for name, case in found.items()}
    return names | _plain_cells()


def _recurrent_layers() -> dict[str, Case]:
    found = {}
    for kind, states in (("RNN", 1), ("LSTM", 2), ("GRU", 1)):
        for two in (False, True):
            make = _of(f"gluon.rnn.{kind}", 4, 2, bidirectional=two, input_size=5, prefix="r_")
            state = (4 if two else 2, 2, 4)
            name = f"{kind}{', two ways' if two else ''}"
            found[name] = Case(make, [(3, 2, 5)])
            found[f"{name}, with states"] = Case(make, [(3, 2, 5), *[state] * states], _layered)
        make = _of(f"gluon.rnn.{kind}", 4, layout="NTC", input_size=5, prefix="r_")
        found[f"{kind}, NTC"] = Case(make, [(2, 3, 5)])
        unknown = _of(f"gluon.rnn.{kind}", 4, prefix="r_")
        found[f"{kind} of any size"] = Case(unknown, [(3, 2, 5)])
    make = _of("gluon.rnn.LSTM", 4, input_size=5, use_sequence_length=True, prefix="r_")
    states = [(1, 2, 4)] * 2
    found["LSTM with lengths"] = Case(
        make, [(3, 2, 5), *states, (2,)], lambda net, x, h, c, n: net(x, [h, c], n), 3
    )
    return found


def _layered(layer: Any, x: Any, *states: Any) -> Any:
    return layer(x, list(states))


def _at(mx: Any, path: str) -> Any:
    for part in path.split("."):
        mx = getattr(mx, part)
    return mx


def _of(path: str, *args: Any, **kwargs: Any) -> Make:
    return lambda mx: _at(mx, path)(*args, **kwargs)


def _layers() -> dict[str, Case]:
    def nn(name: str, *args: Any, **kwargs: Any) -> Make:
        return _of(f"gluon.nn.{name}", *args, prefix="net_", **kwargs)

    found = {
        "Dense": Case(nn("Dense", 3), [(2, 3, 4)]),
        "Dense with all": Case(
            nn("Dense", 3, activation="relu", use_bias=False, flatten=False), [(2, 3, 4)]
        ),
        "Activation": Case(nn("Activation", "sigmoid"), [(2, 3)]),
        "Dropout": Case(nn("Dropout", 0.5), [(2, 3)]),
        "Dropout along": Case(nn("Dropout", 0.5, axes=(1,)), [(2, 3)]),
        "Dropout of nothing": Case(nn("Dropout", 0), [(2, 3)]),
        "Flatten": Case(nn("Flatten"), [(2, 3, 4)]),
        "LeakyReLU": Case(nn("LeakyReLU", 0.3), [(2, 3)]),
        "PReLU": Case(nn("PReLU"), [(2, 3)]),
        "ELU": Case(nn("ELU", 0.5), [(2, 3)]),
        "SELU": Case(nn("SELU"), [(2, 3)]),
        "GELU": Case(nn("GELU"), [(2, 3)]),
        "Swish": Case(nn("Swish", 0.5), [(2, 3)]),
        "Embedding": Case(nn("Embedding", 5, 3), [(2, 4)], integers=5),
        "BatchNorm": Case(nn("BatchNorm"), [(2, 3, 4, 4)]),
        "BatchNorm with all": Case(
            nn("BatchNorm", 1, 0.8, 1e-4, False, False, use_global_stats=True), [(2, 3, 4)]
        ),
        "BatchNormReLU": Case(nn("BatchNormReLU"), [(2, 3, 4, 4)], compared=()),
        "LayerNorm": Case(nn("LayerNorm"), [(2, 3, 4)]),
        "LayerNorm without": Case(nn("LayerNorm", center=False, scale=False), [(2, 3, 4)]),
        "InstanceNorm": Case(nn("InstanceNorm"), [(2, 3, 4)]),
        "InstanceNorm, axis 2": Case(nn("InstanceNorm", axis=2), [(2, 4, 3)]),
        "GroupNorm": Case(nn("GroupNorm", 2), [(2, 4, 5)]),
        "ReflectionPad2D": Case(nn("ReflectionPad2D", 2), [(1, 2, 5, 5)]),
        "HybridLambda": Case(nn("HybridLambda", "tanh"), [(2, 3)]),
        "HybridLambda of a function": Case(
            nn("HybridLambda", lambda F, x: F.LeakyReLU(x, slope=0.2) + 1), [(2, 3)]
        ),
        "MultiHeadAttention": Case(nn("MultiHeadAttention", 4, 2), [(2, 3, 4)], compared=()),
        "TransformerEncoderLayer": Case(
            nn("TransformerEncoderLayer", 4, 8, 2), [(2, 3, 4)], compared=()
        ),
        "SyncBatchNorm": Case(
            _of("gluon.contrib.nn.SyncBatchNorm", in_channels=3, num_devices=1, prefix="net_"),
            [(2, 3, 4)],
        ),
        "Identity": Case(_of("gluon.contrib.nn.Identity", prefix="net_"), [(2, 3)]),
        "DeformableConvolution": Case(
            _of("gluon.contrib.cnn.DeformableConvolution", 2, 3, prefix="net_"), [(1, 3, 6, 6)]
        ),
        "ModulatedDeformableConvolution": Case(
            _of("gluon.contrib.cnn.ModulatedDeformableConvolution", 2, 3, prefix="net_"),
            [(1, 3, 6, 6)],
        ),
    }
    for n in (1, 2, 3):
        shape = (1, 4, *[6] * n)
        found[f"Conv{n}D"] = Case(nn(f"Conv{n}D", 4, 3, 2, 1, 1, 2), [shape])
        found[f"Conv{n}D, active"] = Case(
            nn(f"Conv{n}D", 4, 3, activation="relu", use_bias=False), [shape]
        )
        found[f"Conv{n}DTranspose"] = Case(nn(f"Conv{n}DTranspose", 4, 3, 2, 1, 1), [shape])
        for kind in ("Max", "Avg"):
            found[f"{kind}Pool{n}D"] = Case(nn(f"{kind}Pool{n}D", 3, 2, 1, ceil_mode=True), [shape])
            found[f"Global{kind}Pool{n}D"] = Case(nn(f"Global{kind}Pool{n}D"), [shape])
        found[f"PixelShuffle{n}D"] = Case(
            _of(f"gluon.contrib.nn.PixelShuffle{n}D", 2), [(1, 2 * 2**n, *[3] * n)]
        )

    def two(mx: Any, concurrent: bool) -> Any:
        kind = mx.gluon.contrib.nn.HybridConcurrent if concurrent else mx.gluon.nn.HybridSequential
        net = kind(prefix="net_")
        with net.name_scope():
            net.add(mx.gluon.nn.Dense(3, activation="tanh"), mx.gluon.nn.Dense(2))
        return net

    found["HybridSequential"] = Case(lambda mx: two(mx, False), [(2, 3)])
    found["HybridConcurrent"] = Case(lambda mx: two(mx, True), [(2, 3)])
    return found


def _losses() -> dict[str, Case]:
    def loss(name: str, *args: Any, **kwargs: Any) -> Make:
        return _of(f"gluon.loss.{name}", *args, prefix="loss_", **kwargs)

    pair = [(3, 4), (3, 4)]
    alike = (
        "L1Loss L2Loss HuberLoss HingeLoss SquaredHingeLoss LogisticLoss KLDivLoss"
        " SigmoidBinaryCrossEntropyLoss PoissonNLLLoss"
    )
    found = {name: Case(loss(name), pair) for name in alike.split()}
    found |= {f"{name}, weighted": Case(loss(name, weight=2), [*pair, (3, 1)]) for name in (
        "L1Loss", "L2Loss", "HuberLoss", "HingeLoss", "SquaredHingeLoss", "LogisticLoss",
        "KLDivLoss",
    )}  # fmt: skip
    found["SigmoidBinaryCrossEntropyLoss with all"] = Case(
        loss("SigmoidBinaryCrossEntropyLoss", from_sigmoid=True), [*pair, (3, 1), (4,)]
    )
    found["LogisticLoss, binary"] = Case(loss("LogisticLoss", label_format="binary"), pair)
    found["PoissonNLLLoss, full"] = Case(
        loss("PoissonNLLLoss", from_logits=False, compute_full=True), pair
    )
    found["SoftmaxCrossEntropyLoss"] = Case(
        loss("SoftmaxCrossEntropyLoss"), [(3, 4), (3,)], integers=3
    )
    found["SoftmaxCrossEntropyLoss, dense"] = Case(
        loss("SoftmaxCrossEntropyLoss", sparse_label=False, axis=1), [*pair, (3, 1)]
    )
    found["CTCLoss"] = Case(loss("CTCLoss"), [(2, 5, 4), (2, 2)], integers=3)
    found["CTCLoss with lengths"] = Case(
        loss("CTCLoss", layout="TNC"), [(5, 2, 4), (2, 2), (2,), (2,)], integers=3
    )
    found["TripletLoss"] = Case(loss("TripletLoss", margin=2), [(3, 4)] * 3)
    found["CosineEmbeddingLoss"] = Case(loss("CosineEmbeddingLoss"), [*pair, (3,)])
    found = {name: case._replace(compared=NAMES) for name, case in found.items()}
    return found | {"SDMLLoss": Case(loss("SDMLLoss"), pair, compared=())}


def _transforms() -> dict[str, Case]:
    def of(name: str, *args: Any) -> Make:
        return _of(f"gluon.data.vision.transforms.{name}", *args)

    return {
        "Cast": Case(of("Cast", "float64"), [(3, 4, 3)]),
        "ToTensor": Case(of("ToTensor"), [(3, 4, 3)]),
        "Normalize": Case(of("Normalize", (0.1, 0.2, 0.3), 0.5), [(3, 4, 4)]),
        "Resize": Case(of("Resize", 3), [(6, 5, 3)]),
        "CropResize": Case(of("CropResize", 1, 1, 3, 2), [(6, 5, 3)]),
        "CropResize with size": Case(of("CropResize", 1, 1, 3, 2, (2, 2), 1), [(6, 5, 3)]),
    }


#: Every block that is called with symbols.
CASES: dict[str, Case] = {
    **_layers(),
    **_losses(),
    **_cells(),
    **_recurrent_layers(),
    **_transforms(),
}
for _name in CHANGED:
    CASES[_name] = CASES[_name]._replace(compared=NAMES)
CASES["PoissonNLLLoss, full"] = CASES["PoissonNLLLoss, full"]._replace(compared=())


def flat(value: Any) -> Iterator[Any]:
    """Yield the elements of nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from flat(one)
    else:
        yield value


def composed(mx: Any, case: Case) -> tuple[Any, Any]:
    """The block, and the symbol that it gives of variables."""
    block = case.make(mx)
    inputs = [mx.sym.var(f"data{k}") for k in range(len(case.shapes))]
    return block, mx.sym.Group(list(flat(case.call(block, *inputs))))


def described(mx: Any, case: Case) -> dict[str, Any]:
    """The graph of a block: its nodes, and what is inferred."""
    _, symbol = composed(mx, case)
    graph = json.loads(symbol.tojson())
    return {
        "nodes": [
            [one["op"], one["name"], one.get("attrs", {}), one["inputs"]] for one in graph["nodes"]
        ],
        "heads": graph["heads"],
        "outputs": symbol.list_outputs(),
        "arguments": symbol.list_arguments(),
        "states": symbol.list_auxiliary_states(),
    }


def values(case: Case) -> list[np.ndarray]:
    """Values for the inputs, the same every time."""
    draw = np.random.RandomState(1)
    found = []
    for k, shape in enumerate(case.shapes):
        whole = case.integers and (k or len(case.shapes) == 1)
        x = draw.randint(1, case.integers, shape) if whole else draw.rand(*shape)
        found.append(x.astype("float32"))
    return found
