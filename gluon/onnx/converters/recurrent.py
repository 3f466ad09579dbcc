"""The fused recurrent layers: `RNN` becomes a chain of ONNX's `RNN`, `GRU` or `LSTM`."""

from __future__ import annotations

from typing import Any

from .builder import Call, Graph, converts
from .projected import projected

#: Maps a mode to ONNX's operator, and to the positions of its gates in MXNet's order.
MODES: dict[str, tuple[str, tuple[int, ...]]] = {
    "gru": ("GRU", (1, 0, 2)),
    "lstm": ("LSTM", (0, 3, 1, 2)),
    "rnn_relu": ("RNN", (0,)),
    "rnn_tanh": ("RNN", (0,)),
}


class _Vector:
    """Reads the parameter vector of all layers."""

    def __init__(self, g: Graph, name: str) -> None:
        self.g, self.name, self.place = g, name, 0

    def take(self, *shape: int) -> str:
        size = 1
        for n in shape:
            size *= n
        part = self.g.slice(self.name, [self.place], [self.place + size], [0])
        self.place += size
        return self.g.reshape(part, *shape) if len(shape) > 1 else part


def _in_order(g: Graph, x: str, order: tuple[int, ...], size: int) -> str:
    """Return gates in ONNX's order."""
    if len(order) == 1:
        return x
    parts = g.split(x, [size] * len(order), 0)
    return g.add("Concat", *(parts[k] for k in order), axis=0)


@converts("RNN")
def _rnn(g: Graph, call: Call) -> Any:
    lengths = g.cast(call.inputs[-1], "int32") if call["use_sequence_length"] else ""
    if call["projection_size"] or call["lstm_state_clip_min"] is not None:
        return projected(g, call, lengths)
    kind, order = MODES[call["mode"]]
    size, layers = int(call["state_size"]), int(call["num_layers"])
    ways = 2 if call["bidirectional"] else 1
    gates = len(order)
    vector = _Vector(g, call.inputs[1])
    # All layers but the first read the previous one; the rest of the vector gives the features.
    later = (layers - 1) * (size * ways + size + 2)
    features = call.length(0, 1) // (ways * gates * size) - later - size - 2
    weights = []
    for layer in range(layers):
        width = features if layer == 0 else size * ways
        weights.append(
            [
                (vector.take(gates * size, width), vector.take(gates * size, size))
                for _ in range(ways)
            ]
        )
    biases = [
        [(vector.take(gates * size), vector.take(gates * size)) for _ in range(ways)]
        for _ in range(layers)
    ]
    states = [_by_layer(g, x, layers, ways) for x in call.inputs[2 : 4 if kind == "LSTM" else 3]]
    x = call.inputs[0]
    ends: list[list[str]] = []
    for layer in range(layers):
        x, *last = _layer(
            g,
            call,
            kind,
            order,
            x,
            weights[layer],
            biases[layer],
            [each[layer] for each in states],
            lengths,
        )
        ends.append(last)
    if not call["state_outputs"]:
        return x
    return [x, *(g.add("Concat", *each, axis=0) for each in zip(*ends))]


def _by_layer(g: Graph, states: str, layers: int, ways: int) -> list[str]:
    return g.split(states, [ways] * layers, 0) if layers > 1 else [states]


def _layer(
    g: Graph,
    call: Call,
    kind: str,
    order: tuple[int, ...],
    x: str,
    weights: list[tuple[str, str]],
    biases: list[tuple[str, str]],
    states: list[str],
    lengths: str,
) -> list[str]:
    """Return the outputs of one layer, and its last states."""
    size, ways = int(call["state_size"]), len(weights)

    def joined(parts: list[str]) -> str:
        wide = [g.unsqueeze(part, 0) for part in parts]
        return g.add("Concat", *wide, axis=0) if ways > 1 else wide[0]

    w, r = (joined([_in_order(g, one[k], order, size) for one in weights]) for k in (0, 1))
    b = joined(
        [
            g.add("Concat", *(_in_order(g, one, order, size) for one in both), axis=0)
            for both in biases
        ]
    )
    options: dict[str, Any] = {"hidden_size": size}
    if ways > 1:
        options["direction"] = "bidirectional"
    if kind == "GRU":
        options["linear_before_reset"] = 1
    if call["mode"] == "rnn_relu":
        options["activations"] = ["Relu"] * ways
    count = 3 if kind == "LSTM" else 2
    y, *last = g.several(kind, count, x, w, r, b, lengths, *states, **options)
    # (length, ways, batch, size) as (length, batch, ways * size)
    y = g.reshape(g.add("Transpose", y, perm=[0, 2, 1, 3]), 0, 0, -1)
    return [y, *last]
