"""Training targets of detectors: the box and class of each anchor, and which anchors are valid."""

from __future__ import annotations

import numpy

from .builder import Call, Graph, converts
from .detection import best_first, columns, joined, rows_at
from .formula import Value, repeated

#: Overlaps up to this count as 0.
NONE = 1e-12


@converts("_contrib_MultiBoxTarget")
def _targets(g: Graph, call: Call) -> list[str]:
    dtype, objects, width = call.dtype(), call.length(1, 1), call.length(2, 1)
    count = call.length(1)
    anchor, label = (Value(g, name, dtype) for name in call.inputs[:2])
    kinds = Value(g, g.slice(label.name, [0], [1], [2]), dtype)
    ended = kinds.equals(-1.0).cast("int32").call("CumSum", Value(g, g.constant(1), "int64"))
    there = Value(g, g.add("Transpose", ended.equals(0).name, perm=[0, 2, 1]), bool)
    boxes = Value(g, g.slice(label.name, [1], [5], [2]), dtype)
    overlaps = there.where(_overlaps(columns(anchor), columns(boxes)), -1.0)
    matched = _matched(overlaps, float(call["overlap_threshold"]), count, objects)
    positive = matched >= 0
    rows = rows_at(label, matched.call("Max", 0), width)
    counts = positive.unsqueeze(2)
    true = columns(Value(g, g.slice(rows.name, [1], [5], [2]), dtype))
    unit = [Value(g, g.constant(end, dtype), dtype) for end in (0, 0, 1, 1)]
    true = [counts.where(one, other) for one, other in zip(true, unit)]
    places = counts.where(_encoded(columns(anchor), true, call["variances"]), 0.0)
    masks = counts.cast(dtype) + places * 0
    own = Value(g, g.squeeze(g.slice(rows.name, [0], [1], [2]), 2), dtype) + 1
    rest = _background(g, call, positive, overlaps, count)
    some = Value(g, g.squeeze(there.any(2, True).name, 2), bool)
    classes = some.where(positive.where(own, rest), float(call["ignore_label"]))
    return [g.reshape(places.name, 0, -1), g.reshape(masks.name, 0, -1), classes.name]


def _overlaps(anchors: list[Value], boxes: list[Value]) -> Value:
    """Return the intersections over unions (batch, anchors, objects)."""
    g, dtype = boxes[0].g, boxes[0].dtype
    boxes = [Value(g, g.add("Transpose", one.name, perm=[0, 2, 1]), dtype) for one in boxes]
    common, areas = [], []
    for k in (0, 1):
        low, high = anchors[k].call("Max", boxes[k]), anchors[k + 2].call("Min", boxes[k + 2])
        common.append((high - low).call("Max", 0.0))
    for x in (anchors, boxes):
        areas.append((x[2] - x[0]) * (x[3] - x[1]))
    both = common[0] * common[1]
    union = areas[0] + areas[1] - both
    return both / union.equals(0.0).where(1.0, union)


def _matched(overlaps: Value, threshold: float, count: int, objects: int) -> Value:
    """Return the object of each anchor, -1 for none: (batch, anchors)."""
    g, dtype = overlaps.g, overlaps.dtype
    best = Value(g, g.add("ArgMax", overlaps.name, axis=2, keepdims=0), "int64")
    near = overlaps.reduce("ReduceMax", [2], False) > (threshold if threshold > 0 else numpy.inf)
    flat = Value(g, g.reshape(overlaps.name, 0, -1), dtype)
    at = numpy.arange(count * objects)[None]
    of_anchor, of_object = (Value(g, g.constant(v), "int64") for v in (at // objects, at % objects))
    every = Value(g, g.constant(numpy.arange(count)[None]), "int64")

    def turn(inner: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        left, found = states
        place = Value(inner, inner.add("ArgMax", left.name, axis=1, keepdims=1), "int64")
        taken = left.reduce("ReduceMax", [1]) > NONE
        row = place.call("Div", objects)
        column = place - row * objects
        found = (every.equals(row) & taken).where(column, found)
        gone = (of_anchor.equals(row) | of_object.equals(column)) & taken
        return None, [gone.where(-1.0, left), found]

    return repeated(min(count, objects), [flat, near.where(best, -1)], turn)[1]


def _encoded(own: list[Value], true: list[Value], variances: tuple[float, ...]) -> Value:
    """Encode boxes relative to the anchors."""
    middles, sizes = [], []
    for k in (0, 1):
        size, extent = own[k + 2] - own[k], true[k + 2] - true[k]
        away = (true[k] + true[k + 2]) / 2 - (own[k] + own[k + 2]) / 2
        middles.append(away / size / float(variances[k]))
        sizes.append((extent / size).call("Log") / float(variances[k + 2]))
    return joined(middles + sizes)


def _background(g: Graph, call: Call, positive: Value, overlaps: Value, count: int) -> Value:
    """Return 0 for background anchors: the hardest ones, or all."""
    dtype, ratio = call.dtype(), float(call["negative_mining_ratio"])
    if ratio <= 0:
        return positive.cast(dtype) * 0
    scores = Value(g, g.add("Softmax", call.inputs[2], axis=1), dtype)
    background = Value(g, g.squeeze(g.slice(scores.name, [0], [1], [1]), 1), dtype)
    far = overlaps.reduce("ReduceMax", [2], False) < float(call["negative_mining_thresh"])
    negative = ~positive & far
    number = positive.cast("float64").reduce("ReduceSum", [1])
    wanted = (number * ratio).call("Floor").call("Max", float(call["minimum_negative_samples"]))
    wanted = wanted.call("Min", count - number)
    _, order = best_first(negative.where(-background, -numpy.inf), count)
    _, rank = best_first(-order, count)  # the rank of each anchor
    chosen = negative & (rank.cast("float64") < wanted)
    return chosen.where(positive.cast(dtype) * 0, float(call["ignore_label"]))
