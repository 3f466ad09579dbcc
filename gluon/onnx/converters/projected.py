"""LSTMs with a projection or cell clipping, written as `Scan`: ONNX's `LSTM` lacks both."""

from __future__ import annotations

from math import prod
from typing import Any

from ...nd.rnn import Form, form_of
from ..files import package
from .builder import Call, Graph, described
from .formula import Value

#: The arguments of `RNN` that describe its layers.
ARGUMENTS = (
    *("mode", "state_size", "num_layers", "bidirectional", "p", "projection_size"),
    *("lstm_state_clip_min", "lstm_state_clip_max", "lstm_state_clip_nan"),
)


def projected(g: Graph, call: Call, lengths: str) -> Any:
    """The outputs of `RNN`, step by step; with `lengths` padding leaves the states."""
    form, dtype = form_of(*(call[name] for name in ARGUMENTS)), call.dtype()
    weights, biases = _parameters(g, call, form)
    starts = [g.split(name, [1] * len(weights), 0) for name in call.inputs[2:4]]
    states = [[g.squeeze(one, 0) for one in each] for each in starts]
    x, ends = Value(g, call.inputs[0], dtype), []
    for layer in range(form.layers):
        outs = []
        for way in range(form.directions):
            k = layer * form.directions + way
            bias = g.add("Add", *biases[k])
            w, *others = (g.add("Transpose", one, perm=[1, 0]) for one in weights[k])
            gates = Value(g, g.add("Add", g.add("MatMul", x.name, w), bias), dtype)
            y, *last = _scanned(form, gates, others, [one[k] for one in states], lengths, way)
            outs.append(y)
            ends.append(last)
        y = g.add("Concat", *outs, axis=2) if len(outs) > 1 else outs[0]
        x = Value(g, y, dtype)
    if not call["state_outputs"]:
        return x.name
    columns = ([g.unsqueeze(one, 0) for one in each] for each in zip(*ends))
    return [x.name, *(g.add("Concat", *each, axis=0) for each in columns)]


def _parameters(g: Graph, call: Call, form: Form) -> tuple[list[list[str]], list[list[str]]]:
    """Return the weights and biases per direction and layer, from the parameter vector."""
    least = sum(prod(shape) for part in form.shapes(0) for one in part for shape in one)
    wide = form.directions * 4 * form.size
    weights, biases = form.shapes((call.length(0, 1) - least) // wide)
    order = [shape for part in (weights, biases) for one in part for shape in one]
    parts = g.split(call.inputs[1], [prod(shape) for shape in order], 0)
    found = iter([g.reshape(part, *shape) for part, shape in zip(parts, order)])
    first, second = ([[next(found) for _ in one] for one in part] for part in (weights, biases))
    return first, second


def _scanned(
    form: Form, gates: Value, weights: list[str], states: list[str], lengths: str, way: int
) -> list[str]:
    """Return the outputs of one direction of a layer, and its last states."""
    g, dtype = gates.g, gates.dtype
    inner = g.body()
    h, c, now = (Value(inner, inner.fresh(name), dtype) for name in ("h", "c", "gates"))
    turn = Value(inner, inner.fresh("turn"), "int64")
    after = _step(form, weights, h, c, now)
    y = after[0]
    if lengths:
        limits = Value(g, lengths, "int32").cast("int64")
        there = (limits > turn).unsqueeze(1)
        y, *after = [there.where(y, 0.0), *(map(there.where, after, (h, c)))]
    results = [inner.add("Identity", one.name) for one in (*after, y)]
    body = package().helper.make_graph(
        inner.nodes,
        inner.fresh("body"),
        [described(one.name, dtype, None) for one in (h, c, now)]
        + [described(turn.name, "int64", ())],
        [described(name, dtype, None) for name in results],
    )
    options = {"scan_input_directions": [way] * 2, "scan_output_directions": [way]}
    steps = g.places(gates.name, 0)
    *last, y_all = g.several(
        "Scan", 3, *states, gates.name, steps, body=body, num_scan_inputs=2, **options
    )
    return [y_all, *last]


def _step(form: Form, weights: list[str], h: Value, c: Value, now: Value) -> list[Value]:
    """Return the states after one step."""
    g, dtype = h.g, h.dtype
    recurrent, *projection = weights
    total = now + Value(g, g.add("MatMul", h.name, recurrent), dtype)
    parts = [Value(g, name, dtype) for name in g.split(total.name, [form.size] * 4, 1)]
    enter, forget, leave = (parts[k].call("Sigmoid") for k in (0, 1, 3))
    c = forget * c + enter * parts[2].call("Tanh")
    if form.clip:
        low, high = form.clip
        c = c.call("IsNaN", to=bool).where(low, c) if form.nan else c
        c = c.call("Clip", low, high)
    h = leave * c.call("Tanh")
    if projection:
        h = Value(g, g.add("MatMul", h.name, projection[0]), dtype)
    return [h, c]
