"""Detectors: proposals and detections, box matching, and poolings of regions."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.kernels.proposals import all_anchors
from .boxes import corners
from .builder import Call, Graph, converts
from .formula import Value, repeated


def columns(x: Value) -> list[Value]:
    """The four numbers of boxes, each with a last axis of length 1."""
    return [Value(x.g, name, x.dtype) for name in x.g.split(x.name, [1] * 4, -1)]


def joined(parts: list[Value]) -> Value:
    """Columns next to each other."""
    g = parts[0].g
    return Value(g, g.add("Concat", *(one.name for one in parts), axis=-1), parts[0].dtype)


def best_first(scores: Value, count: int) -> tuple[Value, Value]:
    """Scores (batch, count) in order, and their places; of equal ones the first comes first."""
    g = scores.g
    ordered, places = g.several("TopK", 2, scores.name, g.ints(count), axis=1)
    return Value(g, ordered, scores.dtype), Value(g, places, "int64")


def rows_at(x: Value, places: Value, width: int) -> Value:
    """Rows of (batch, rows, width), in the order of places (batch, count)."""
    g = x.g
    wide = g.add("Expand", g.unsqueeze(places.name, 2), g.ints(1, 1, width))
    return Value(g, g.add("GatherElements", x.name, wide, axis=1), x.dtype)


def survivors(boxes: Value, valid: Value, most: int, threshold: float) -> Value:
    """Which boxes (batch, count, 4), the best first, stay after the suppression.

    Parameters
    ----------
    boxes : Value
        Corners.
    valid : Value
        Which boxes of each class take part: (batch, classes, count).
    most : int
        How many of a class stay at most.
    threshold : float
        The overlap above which the worse one of two boxes is removed.
    """
    g = boxes.g
    left, top, right, bottom = columns(boxes)
    # Boxes with swapped edges have no area; runtimes would swap the edges back.
    boxes = joined([left, top, right.call("Max", left), bottom.call("Max", top)])
    places = Value(g, g.count(g.squeeze(g.length(boxes.name, 1), 0)), "int64").cast("float32")
    ranks = valid.where(2.0**24 - places, 0.0)  # used as scores, because all are distinct
    chosen = g.add(
        "NonMaxSuppression",
        boxes.cast("float32").name,
        ranks.name,
        g.ints(most),
        g.constant([threshold], "float32"),
        g.constant([0], "float32"),
    )
    kept = g.add("Gather", chosen, g.ints(0, 2), axis=1)
    none = g.add(
        "Expand", g.constant(0, "float32"), g.slice(g.add("Shape", boxes.name), [0], [2], [0])
    )
    ones = g.add("Expand", g.constant(1, "float32"), g.length(chosen, 0))
    return Value(g, g.add("ScatterND", none, kept, ones), "float32") > 0


@converts("_contrib_MultiBoxDetection")
def _detection(g: Graph, call: Call) -> str:
    dtype, classes, count = call.dtype(), call.length(1), call.length(2)
    scores, deltas, anchors = (Value(g, name, dtype) for name in call.inputs)
    foreground = [k for k in range(classes) if k != call["background_id"]]
    if not foreground:
        lengths = g.add("Concat", g.length(scores.name, 0), g.ints(count, 6), axis=0)
        return g.add("Expand", g.constant(-1, dtype), lengths)
    own = g.add("Gather", scores.name, g.ints(*foreground), axis=1)
    best = Value(g, g.reduce("ReduceMax", own, [1], False), dtype)
    ids = Value(g, g.add("ArgMax", own, axis=1, keepdims=0), "int64").cast(dtype)
    places = Value(g, g.reshape(deltas.name, -1, count, 4), dtype)
    boxes = _decoded(columns(places), columns(anchors), call["variances"])
    boxes = boxes.call("Clip", 0.0, 1.0) if call["clip"] else boxes
    rows = joined([one.unsqueeze(2) for one in (ids, best)] + [boxes])
    valid = best >= float(call["threshold"])
    index = Value(g, g.count(g.constant(count, "int64")), "int64")
    _, order = best_first(valid.where(count - index, -index), count)
    found, there = rows_at(rows, order, 6), _taken(valid, order)
    if 0 < call["nms_threshold"] <= 1:
        found = _thinned(g, call, found, there, len(foreground))
    return there.unsqueeze(2).where(found, -1.0).name


def _taken(x: Value, places: Value) -> Value:
    """Reorder values of (batch, count)."""
    kind = x.cast("int32") if x.dtype.kind == "b" else x
    return kind.call("GatherElements", places, axis=1).cast(x.dtype)


def _decoded(deltas: list[Value], anchors: list[Value], variances: Any) -> Value:
    """Decode corners of boxes from offsets to the anchors."""
    low, high = [], []
    for k in (0, 1):
        size = anchors[k + 2] - anchors[k]
        middle = (anchors[k] + anchors[k + 2]) / 2 + deltas[k] * variances[k] * size
        half = (deltas[k + 2] * variances[k + 2]).call("Exp") * size / 2
        low.append(middle - half)
        high.append(middle + half)
    return joined(low + high)


def _thinned(g: Graph, call: Call, found: Value, there: Value, classes: int) -> Value:
    """Return rows (class, score, box), the best first; class -1 for suppressed ones."""
    count, topk = call.length(2), int(call["nms_topk"])

    def part(x: Value, first: int, end: int) -> Value:
        return Value(g, g.slice(x.name, [first], [end], [2]), x.dtype)

    scores = Value(g, g.squeeze(part(found, 1, 2).name, 2), found.dtype)
    _, order = best_first(there.where(scores, -numpy.inf), count)
    ordered = rows_at(found, order, 6)
    among = Value(g, g.count(g.constant(count, "int64")), "int64") < (topk if topk > 0 else count)
    among = there & among
    kinds = Value(g, g.add("Transpose", part(ordered, 0, 1).name, perm=[0, 2, 1]), found.dtype)
    if call["force_suppress"]:
        valid = among.unsqueeze(1)
    else:
        own = Value(g, g.constant(numpy.arange(classes).reshape(-1, 1), found.dtype), found.dtype)
        valid = kinds.equals(own) & among.unsqueeze(1)
    kept = survivors(part(ordered, 2, 6), valid, count, call["nms_threshold"])
    among, kept = (one.unsqueeze(2) for one in (among, kept))
    ids = kept.where(part(ordered, 0, 1), -1.0)
    return joined([ids, among.where(part(ordered, 1, 6), part(found, 1, 6))])


@converts("_contrib_Proposal", "_contrib_MultiProposal")
def _proposals(g: Graph, call: Call) -> Any:
    scales, ratios = ([float(v) for v in numpy.ravel(call[name])] for name in ("scales", "ratios"))
    height, width, stride = call.length(2), call.length(3), int(call["feature_stride"])
    kinds = len(scales) * len(ratios)
    count = height * width * kinds
    anchors = all_anchors(height, width, stride, tuple(scales), tuple(ratios)).reshape(1, -1, 4)
    info = [
        Value(g, g.unsqueeze(name, 2), "float32") for name in g.split(call.inputs[2], [1] * 3, 1)
    ]
    deltas = g.add(
        "Transpose", g.reshape(call.inputs[1], 0, kinds, 4, height, width), perm=[0, 3, 4, 1, 2]
    )
    deltas = g.reshape(deltas, 0, -1, 4)
    around = columns(Value(g, g.constant(anchors, "float32"), "float32"))
    boxes = _moved(around, columns(Value(g, deltas, "float32")), bool(call["iou_loss"]))
    limits = [info[1] - 1, info[0] - 1] * 2
    boxes = [one.call("Min", limit).call("Max", 0.0) for one, limit in zip(boxes, limits)]
    scores = g.slice(call.inputs[0], [kinds], [2 * kinds], [1])
    scores = g.reshape(g.add("Transpose", scores, perm=[0, 2, 3, 1]), 0, -1, 1)
    y, x, _ = numpy.indices((height, width, kinds)).reshape(3, 1, -1, 1).astype("float32")
    inside = (Value(g, g.constant(y), "float32") < (info[0] / stride).call("Floor")) & (
        Value(g, g.constant(x), "float32") < (info[1] / stride).call("Floor")
    )
    least = info[2] * float(call["rpn_min_size"])
    small = ((boxes[2] - boxes[0] + 1) < least) | ((boxes[3] - boxes[1] + 1) < least)
    boxes = [small.where(one + least * (side / 2), one) for one, side in zip(boxes, (-1, -1, 1, 1))]
    counted = (inside & ~small).where(Value(g, scores, "float32"), -1.0)
    flat = Value(g, g.squeeze(counted.name, 2), "float32")
    rows, best = _suggested(g, call, joined(boxes), flat, count)
    return [rows, best] if call["output_score"] else rows


def _moved(anchors: list[Value], deltas: list[Value], by_corners: bool) -> list[Value]:
    """Move the boxes by `deltas` from the anchors: in corners, or in centres and sizes."""
    if by_corners:
        return [one + delta for one, delta in zip(anchors, deltas)]
    low, high = [], []
    for k in (0, 1):
        size = anchors[k + 2] - anchors[k] + 1
        middle = anchors[k] + (size - 1) / 2 + deltas[k] * size
        half = (deltas[k + 2].call("Exp") * size - 1) / 2
        low.append(middle - half)
        high.append(middle + half)
    return low + high


def _suggested(g: Graph, call: Call, boxes: Value, scores: Value, count: int) -> tuple[str, str]:
    """Return rows (image, box) and their scores, the best first, repeated if too few."""
    before, after = int(call["rpn_pre_nms_top_n"]), int(call["rpn_post_nms_top_n"])
    some = min(before, count) if before > 0 else count
    best, order = best_first(scores, some)
    boxes = rows_at(boxes, order, 4)
    ends = boxes + Value(g, g.constant([0, 0, 1, 1], "float32"), "float32")
    valid = (best > -numpy.inf).unsqueeze(1)
    kept = survivors(ends, valid, after, call["threshold"])
    index = Value(g, g.count(g.constant(some, "int64")), "int64")
    _, places = best_first(kept.where(some - index, -index), some)
    number = kept.cast("int64").reduce("ReduceSum", [1]).call("Max", 1)
    turn = Value(g, g.count(g.constant(after, "int64")), "int64").call("Mod", number)
    places = places.call("GatherElements", turn, axis=1)
    image = Value(g, g.places(scores.name, 0), "int64").cast("float32")
    image = image.unsqueeze(1, 2)
    chosen = rows_at(boxes, places, 4)
    first = Value(g, g.slice(chosen.name, [0], [1], [2]), "float32") * 0 + image
    rows = g.reshape(joined([first, chosen]).name, -1, 5)
    return rows, g.reshape(_taken(best, places).name, -1, 1)


@converts("_contrib_box_nms")
def _box_nms(g: Graph, call: Call) -> str:
    dtype, rank, count, width = call.dtype(), call.ndim(), call.length(-2), call.length(-1)
    if call["topk"] == 0:
        return g.add("Identity", call.inputs[0])
    x = Value(g, g.reshape(call.inputs[0], -1, count, width), dtype)
    start, place = int(call["coord_start"]), int(call["score_index"])

    def part(rows: Value, first: int, end: int) -> Value:
        return Value(g, g.slice(rows.name, [first], [end], [2]), rows.dtype)

    valid = part(x, place, place + 1) > float(call["valid_thresh"])
    column = int(call["id_index"])
    if column >= 0:
        valid = valid & ~part(x, column, column + 1).equals(float(call["background_id"]))
    scores = valid.where(part(x, place, place + 1), -numpy.inf)
    valid, scores = (Value(g, g.squeeze(one.name, 2), one.dtype) for one in (valid, scores))
    _, order = best_first(scores, count)
    rows, index = rows_at(x, order, width), Value(g, g.count(g.constant(count, "int64")), "int64")
    topk = int(call["topk"])
    among = _taken(valid, order) & (index < (topk if topk > 0 else count))
    box = part(rows, start, start + 4).name
    ends = Value(g, g.add("Concat", *corners(g, box, call["in_format"], dtype), axis=-1), dtype)
    boxes = ends
    if column >= 0 and not call["force_suppress"]:
        boxes = _apart(ends, part(rows, column, column + 1))
    among = among.unsqueeze(1)
    kept = survivors(boxes, among, count, call["overlap_thresh"])
    if call["in_format"] != call["out_format"]:
        parts = [part(rows, 0, start), _in_form(ends, call["out_format"])]
        rows = joined([*parts, part(rows, start + 4, width)])
    _, order = best_first(kept.where(count - index, -index), count)
    there = _taken(kept, order).unsqueeze(2)
    y = there.where(rows_at(rows, order, width), -1.0).name
    return y if rank == 3 else g.add("Reshape", y, g.add("Shape", call.inputs[0]))


def _in_form(ends: Value, form: str) -> Value:
    """Convert boxes given by their corners to another format."""
    left, top, right, bottom = columns(ends)
    if form == "corner":
        return ends
    return joined([(left + right) / 2, (top + bottom) / 2, right - left, bottom - top])


def _apart(boxes: Value, kinds: Value) -> Value:
    """Shift the boxes so that those of different classes do not overlap."""
    size = boxes.reduce("ReduceMax", [0, 1, 2]) - boxes.reduce("ReduceMin", [0, 1, 2])
    return boxes + kinds * (size * 2 + 1)


@converts("_contrib_box_encode")
def _encoded(g: Graph, call: Call) -> list[str]:
    dtype = call.dtype(2)
    samples, matches, anchors, refs, means, stds = (
        Value(g, name, call.dtype(k)) for k, name in enumerate(call.inputs)
    )
    counts = (samples > 0.5).unsqueeze(2)
    places = (samples > 0.5).where(matches, 0.0).cast("int64")
    unit = Value(g, g.constant([0, 0, 1, 1], dtype), dtype)
    own = columns(counts.where(anchors, unit))
    true = columns(counts.where(rows_at(refs, places, 4), unit))
    middles, sizes = [], []
    for k in (0, 1):
        size, extent = own[k + 2] - own[k], true[k + 2] - true[k]
        away = (true[k] + true[k + 2]) / 2 - (own[k] + own[k + 2]) / 2
        middles.append(away / size)
        sizes.append((extent / size).call("Log"))
    targets = counts.where((joined(middles + sizes) - means) / stds, 0.0)
    return [targets.name, (counts.cast(dtype) + anchors * 0).name]


@converts("_contrib_bipartite_matching")
def _matched(g: Graph, call: Call) -> list[str]:
    dtype, rank = call.dtype(), call.ndim()
    n, m = call.length(-2), call.length(-1)
    x = Value(g, g.reshape(call.inputs[0], -1, n * m), dtype)
    sign, topk = -1 if call["is_ascend"] else 1, int(call["topk"])
    left = (x * sign) if sign < 0 else x
    left = left.call("IsNaN", to=bool).where(-numpy.inf, left)
    pairs = min(n, m, topk) if topk > 0 else min(n, m)
    zero = x.reduce("ReduceMax", [1]) * 0
    zero = zero.call("IsNaN", to=bool).where(0.0, zero)
    rows, others = (Value(g, g.add("Expand", zero.name, g.ints(1, k)), dtype) - 1 for k in (n, m))
    flat = numpy.arange(n * m)
    of_row, of_column = (
        Value(g, g.constant(v[None], "int64"), "int64") for v in (flat // m, flat % m)
    )
    low = sign * float(call["threshold"])

    def turn(inner: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        left, rows, others = states
        place = Value(inner, inner.add("ArgMax", left.name, axis=1, keepdims=1), "int64")
        taken = left.reduce("ReduceMax", [1]) > low
        row = place.call("Div", m)
        column = place - row * m
        here, there = (Value(inner, inner.constant(numpy.arange(k)[None]), "int64") for k in (n, m))
        rows = (here.equals(row) & taken).where(column.cast(dtype), rows)
        others = (there.equals(column) & taken).where(row.cast(dtype), others)
        gone = row.equals(of_row) | column.equals(of_column)
        return None, [gone.where(-numpy.inf, left), rows, others]

    _, rows, others = repeated(pairs, [left, rows, others], turn)
    shape = g.slice(g.add("Shape", call.inputs[0]), [0], [rank - 2], [0])
    return [
        g.add("Reshape", one.name, g.add("Concat", shape, g.ints(k), axis=0))
        for one, k in ((rows, n), (others, m))
    ]
