"""The loss of connectionist temporal classification, by a loop over the steps."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.kernels.ctc import NEVER
from .builder import Call, Graph, converts
from .formula import Value, repeated
from .shape import END


def _part(x: Value, start: int, end: int) -> Value:
    """Return columns of (batch, columns)."""
    return Value(x.g, x.g.slice(x.name, [start], [end], [1]), x.dtype)


def _shifted(x: Value, by: int) -> Value:
    """Return the paths of the states `by` positions before."""
    g = x.g
    pads = g.ints(0, by, 0, -by)
    return Value(g, g.add("Pad", x.name, pads, g.constant(NEVER, x.dtype)), x.dtype)


def _sum(logs: list[Value]) -> Value:
    """Return the logarithm of a sum, from the logarithms of its terms."""
    most = logs[0]
    for one in logs[1:]:
        most = most.call("Max", one)
    total: Any = 0.0
    for one in logs:
        total = (one - most).call("Exp") + total
    return total.call("Log") + most


def _counted(g: Graph, call: Call, label: Value, blank: bool) -> Value:
    """Return the number of valid labels per row: (batch, 1)."""
    given = call.input("label_lengths")
    if given:
        k = call.node.input_names.index("label_lengths")
        count = (Value(g, given, call.dtype(k)).cast("float64") + 0.5).call("Floor").cast("int64")
        return count.unsqueeze(1)
    padding = (label.equals(-1.0 if blank else 0.0)).cast("int64")
    gone = Value(g, g.add("CumSum", padding.name, g.constant(1, "int64")), "int64")
    return gone.equals(0).cast("int64").reduce("ReduceSum", [1])


@converts("CTCLoss")
def _ctc_loss(g: Graph, call: Call) -> str:
    last, dtype = call["blank_label"] == "last", call.dtype()
    classes, most = call.length(2), call.length(1, 1)
    blank = classes - 1 if last else 0
    label = Value(g, call.inputs[1], call.dtype(1)).cast("float64")
    count = _counted(g, call, label, last)
    inside = Value(g, g.constant(numpy.arange(most)[None], "int64"), "int64") < count
    numbers = inside.where((label + 0.5).call("Floor").cast("int64"), blank)
    places = numpy.arange(2 * most + 1)
    padded = g.add("Concat", numbers.name, (_part(numbers, 0, 1) * 0 + blank).name, axis=1)
    order = numpy.where(places % 2 == 1, places // 2, most)
    states = Value(g, g.add("Gather", padded, g.constant(order, "int64"), axis=1), "int64")
    before = _part(states, 0, -2)
    later = _part(states, 2, END)
    skips = ~later.equals(before) & ~later.equals(blank)
    never = _part(skips, 0, 1).cast("int32") * 0
    skips = Value(
        g, g.add("Concat", never.name, never.name, skips.cast("int32").name, axis=1), "int32"
    ).cast(bool)
    logs = Value(g, call.inputs[0], dtype).cast("float64").call("LogSoftmax", axis=2)
    steps = call.size(g, 0)
    given = call.input("data_lengths")
    used = count * 0 + Value(g, steps, "int64")
    if given:
        k = call.node.input_names.index("data_lengths")
        own = (Value(g, given, call.dtype(k)).cast("float64") + 0.5).call("Floor").cast("int64")
        used = own.unsqueeze(1)
    paths = _paths(g, logs, states, skips, used, steps)
    ends = [count * 2, (count * 2 - 1).call("Max", 0)]
    found = [paths.call("GatherElements", one, axis=1) for one in ends]
    total = _sum([found[0], (count > 0).where(found[1], NEVER)])
    loss = (total < NEVER / 2).where(numpy.inf, -total)
    same = _part(numbers, 1, END).equals(_part(numbers, 0, -1)) & _part(inside, 1, END)
    least = (count + same.cast("int64").reduce("ReduceSum", [1])).call("Max", 1)
    loss = (used < least).where(0.0, loss)
    return g.squeeze(loss.cast(dtype).name, 1)


def _paths(g: Graph, logs: Value, states: Value, skips: Value, used: Value, steps: str) -> Value:
    """Return the log probabilities of the paths to each state, after the valid steps."""
    width = Value(g, g.count(g.squeeze(g.length(states.name, 1), 0)), "int64")
    start = (states.cast("float64") * 0) + (width > 1).where(NEVER, width.cast("float64") * 0)

    def turn(inner: Graph, k: Value, found: list[Value]) -> tuple[None, list[Value]]:
        (paths,) = found
        row = Value(inner, inner.add("Gather", logs.name, k.name, axis=0), logs.dtype)
        own = row.call("GatherElements", states, axis=1).call("Max", NEVER)
        two = skips.where(_shifted(paths, 2), NEVER)
        moved = _sum([paths, _shifted(paths, 1), two])
        new = k.equals(0).where(paths, moved) + own
        return None, [(k < used).where(new.call("Max", NEVER), paths)]

    limit = Value(g, steps, "int64")
    return repeated(limit, [start], turn)[0]
