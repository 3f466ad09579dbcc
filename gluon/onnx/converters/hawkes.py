"""The likelihood of Hawkes processes, with a `Scan` over the events."""

from __future__ import annotations

import numpy

from ..files import package
from .builder import Call, Graph, converts, described
from .formula import Value


@converts("_contrib_hawkesll")
def _likelihood(g: Graph, call: Call) -> list[str]:
    """In the notation of `gluon.nd.contrib.hawkesll`, in double precision."""
    lda, alpha, beta, state, lags, _, _, end = (
        Value(g, name, call.dtype(k)).cast("float64") for k, name in enumerate(call.inputs)
    )
    marks, lengths = (Value(g, call.inputs[k], call.dtype(k)).cast("int64") for k in (5, 6))
    count = Value(g, g.places(lags.name, 1), "int64")
    real = count < lengths.unsqueeze(1)
    kinds = numpy.arange(call.length(1))
    mark = (marks.unsqueeze(2).equals(kinds) & real.unsqueeze(2)).cast("float64")
    lags = real.where(lags, 0.0)
    decay = (lags.unsqueeze(2) * -beta).call("Exp")
    grown = g.add("Concat", state.unsqueeze(1).name, mark.name, axis=1)
    before = Value(g, g.slice(grown, [0], [-1], [1]), "float64")
    left = _left(decay, decay * before, state)
    own = ((lda.unsqueeze(1) + alpha * beta * left) * mark).reduce("ReduceSum", [2], False)
    logs = real.where(real.where(own, 1.0).call("Log"), 0.0)
    until = end.unsqueeze(1) - lags.call("CumSum", Value(g, g.constant(1, "int64"), "int64"))
    times = g.add("Concat", end.unsqueeze(1).name, until.name, axis=1)
    rest = Value(g, times, "float64").unsqueeze(2) * -beta
    remains = Value(g, grown, "float64")
    caused = -(remains * (rest.call("Exp") - 1)).reduce("ReduceSum", [1], False)
    integral = (lda * end.unsqueeze(1) + alpha * caused).reduce("ReduceSum", [1], False)
    total = logs.reduce("ReduceSum", [1], False) - integral
    last = (remains * rest.call("Exp")).reduce("ReduceSum", [1], False)
    return [one.cast(call.dtype()).name for one in (total, last)]


def _left(decay: Value, grown: Value, state: Value) -> Value:
    """``y[k] = decay[k] * y[k - 1] + grown[k]`` along the second axis, from 0."""
    g, inner = decay.g, decay.g.body()
    y, a, b = (Value(inner, inner.fresh(name), "float64") for name in ("y", "decay", "grown"))
    after = a * y + b
    kept = inner.add("Identity", after.name)
    body = package().helper.make_graph(
        inner.nodes,
        inner.fresh("body"),
        [described(one.name, "float64", None) for one in (y, a, b)],
        [described(name, "float64", None) for name in (after.name, kept)],
    )
    axes = {"scan_input_axes": [1, 1], "scan_output_axes": [1]}
    inputs = (state * 0, decay, grown)
    _, found = g.several(
        "Scan", 2, *(one.name for one in inputs), body=body, num_scan_inputs=2, **axes
    )
    return Value(g, found, "float64")
