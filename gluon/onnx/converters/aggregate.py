"""Sums of squares of many arrays, and whether all of their values are finite."""

from __future__ import annotations

from .builder import Call, Graph, converts
from .formula import Value


@converts("multi_sum_sq")
def _sums(g: Graph, call: Call) -> str:
    parts = []
    for k, name in enumerate(call.inputs):
        x = Value(g, g.reshape(name, -1), call.dtype(k)).cast("float32")
        parts.append((x * x).reduce("ReduceSum", [0]).name)
    return g.add("Concat", *parts, axis=0)


@converts("all_finite", "multi_all_finite")
def _all_finite(g: Graph, call: Call) -> str:
    parts = []
    for k, name in enumerate(call.inputs):
        x = Value(g, g.reshape(name, -1), call.dtype(k))
        x = x if x.dtype == "float64" else x.cast("float32")
        wrong = x.call("IsNaN", to=bool) | x.call("IsInf", to=bool)
        parts.append(wrong.any(0, True).cast("float32").name)
    every = g.add("Concat", *parts, axis=0)
    return (1 - Value(g, every, "float32").reduce("ReduceMax", [0])).name
