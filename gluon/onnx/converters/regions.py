"""Regions of images whose bins are averages of points between the pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .builder import Call, Graph, converts
from .formula import Value


def _wide(call: Call, k: int = 0) -> Any:
    """What is computed with: halves are too coarse for places."""
    return numpy.dtype("float64" if call.dtype(k) == "float64" else "float32")


def _inside(at: Value, n: int, beyond: float) -> Value:
    """Whether places along an axis of n pixels have a value."""
    return (at >= -beyond) & (at <= n - 1 + beyond)


def _between(lines: Value, image: Value, points: Sequence[Value], size: Sequence[int]) -> Value:
    """The images at points, channels last.

    Parameters
    ----------
    lines : Value
        All pixels of all images: (pixels, channels).
    image : Value
        The number of the image of each point.
    points : sequence of Value
        Their rows and columns; outside of the image the next pixel counts.
    size : tuple of int
        The height and the width of the images.
    """
    sides = []
    for at, n in zip(points, size):
        at = at.call("Clip", 0.0, n - 1.0)
        low = at.call("Floor")
        further = at - low
        low = low.cast("int64")
        sides.append(((low, 1 - further), ((low + 1).call("Min", n - 1), further)))
    total = None
    for row, down in sides[0]:
        for column, across in sides[1]:
            place = (image * size[0] + row) * size[1] + column
            part = lines.call("Gather", place, axis=0) * (down * across).unsqueeze(-1)
            total = part if total is None else total + part
    assert total is not None
    return total


@converts("_contrib_RROIAlign")
def _rotated(g: Graph, call: Call) -> str:
    """The points of each bin are on a grid of its own; those that a region has not weigh 0."""
    dtype, size = _wide(call), (call.length(2), call.length(3))
    scale, high, wide = float(call["spatial_scale"]), *(int(n) for n in call["pooled_size"])
    rois = Value(g, call.inputs[1], call.dtype(1)).cast(_wide(call, 1))
    # (regions, bins down, bins across, points down, points across)
    image, *numbers = (
        Value(g, g.unsqueeze(name, 2, 3, 4), rois.dtype) for name in g.split(rois.name, [1] * 6, 1)
    )
    x, y, width, height = (one * scale for one in numbers[:4])
    width, height = (one.call("Max", 1.0) for one in (width, height))
    angle = numbers[4] * (numpy.pi / 180)
    cosine, sine = angle.call("Cos"), angle.call("Sin")
    along, weight = [], None
    for k, (length, bins) in enumerate(((height, high), (width, wide))):
        each = length / bins
        count, number = _grid(each, int(call["sampling_ratio"]), 3 + k)
        shape = [-1 if axis == 1 + k else 1 for axis in range(5)]
        first = each.like(numpy.arange(bins).reshape(shape))
        along.append((first + (number + 0.5) / count) * each - length / 2)
        own = (number < count).cast(each.dtype) / count
        weight = own if weight is None else weight * own
    v, u = along
    rows, columns = v * cosine - u * sine + y, u * cosine + v * sine + x
    there = (image > -1) & _inside(rows, size[0], 1.0) & _inside(columns, size[1], 1.0)
    lines = Value(g, g.add("Transpose", call.inputs[0], perm=[0, 2, 3, 1]), call.dtype())
    lines = Value(g, g.add("Reshape", lines.name, _lines(g, call)), call.dtype()).cast(dtype)
    places = image.call("Max", 0.0).cast("int64")
    values = _between(lines, places, [one.cast(dtype) for one in (rows, columns)], size)
    assert weight is not None
    shares = there.where(weight, 0.0).cast(dtype).unsqueeze(-1)
    total = (values * shares).reduce("ReduceSum", [3, 4], False).cast(call.dtype())
    return g.add("Transpose", total.name, perm=[0, 3, 1, 2])


def _lines(g: Graph, call: Call) -> str:
    return g.add("Concat", g.ints(-1), g.length(call.inputs[0], 1), axis=0)


def _grid(size: Value, samples: int, axis: int) -> tuple[Value, Value]:
    """How many points bins of a size have, and the numbers of these along an axis."""
    g = size.g
    if samples > 0:
        shape = [-1 if k == axis else 1 for k in range(5)]
        return size.like(float(samples)), size.like(numpy.arange(samples).reshape(shape))
    count = size.call("Ceil")
    counts = g.add("Concat", g.reshape(count.cast("int64").name, -1), g.ints(1), axis=0)
    most = g.count(g.reduce("ReduceMax", counts, [0], False))
    number = g.unsqueeze(most, *(k for k in range(5) if k != axis))
    return count, Value(g, number, "int64").cast(size.dtype)


@converts("_contrib_DeformablePSROIPooling")
def _by_parts(g: Graph, call: Call) -> str:
    dtype, size = _wide(call), (call.length(2), call.length(3))
    bins = int(call["pooled_size"])
    groups, channels = int(call["group_size"]), int(call["output_dim"])
    trans = call.input("trans")
    classes = call.length(1, 2) // 2 if trans else 1
    rois = Value(g, call.inputs[1], call.dtype(1)).cast(_wide(call, 1))
    # (regions, classes, bins down, bins across, points down, points across)
    image, *ends = (
        Value(g, g.unsqueeze(name, 2, 3, 4, 5), rois.dtype)
        for name in g.split(rois.name, [1] * 5, 1)
    )
    moves = _moves(g, call, classes, bins, trans) if trans else None
    points = _part_points(call, ends, moves, dtype)
    there = _inside(points[0], size[0], 0.5) & _inside(points[1], size[1], 0.5)
    place = image.call("Max", 0.0).cast("int64") * classes
    numbers = numpy.arange(classes).reshape(1, -1, 1, 1, 1, 1)
    place = (place + place.like(numbers)) * groups**2 + place.like(_cells(bins, groups))
    values = _between(_parts(g, call, classes, dtype), place, points, size)
    shares = there.cast(dtype)
    count = shares.reduce("ReduceSum", [4, 5], False).call("Max", 1.0)
    shares = (image > -1).where(shares, 0.0)
    total = (values * shares.unsqueeze(-1)).reduce("ReduceSum", [4, 5], False)
    mean = (total / count.unsqueeze(-1)).cast(call.dtype())
    y = g.add("Transpose", mean.name, perm=[0, 1, 4, 2, 3])
    return g.reshape(y, -1, channels, bins, bins)


def _part_points(
    call: Call, ends: list[Value], moves: list[Value] | None, dtype: Any
) -> list[Value]:
    """The rows and the columns of the points."""
    bins, samples = int(call["pooled_size"]), int(call["sample_per_part"])
    points = []
    for k in (1, 0):
        start, end = (
            (one.rounded() + turn) * float(call["spatial_scale"]) - 0.5
            for one, turn in ((ends[k], 0.0), (ends[k + 2], 1.0))
        )
        length = (end - start).call("Max", 0.1)
        each = length / bins
        shapes = ([-1 if axis == place - k else 1 for axis in range(6)] for place in (3, 5))
        number, point = (
            each.like(numpy.arange(n).reshape(shape)) for n, shape in zip((bins, samples), shapes)
        )
        at = (number * each + start + point * (each / samples)).cast(dtype)
        if moves is not None:
            at = at + moves[k] * float(call["trans_std"]) * length.cast(dtype)
        points.append(at)
    return points


def _cells(bins: int, groups: int) -> Any:
    """The number of the group of channels of each bin."""
    cell = numpy.arange(bins) * groups // bins
    return (cell[:, None] * groups + cell).reshape(1, 1, bins, bins, 1, 1)


def _moves(g: Graph, call: Call, classes: int, bins: int, trans: str) -> list[Value]:
    """How far each bin moves right and down, relative to its region."""
    parts = int(call["part_size"]) or bins
    places = g.constant(numpy.arange(bins) * parts // bins, "int64")
    own = g.add("Gather", g.add("Gather", trans, places, axis=2), places, axis=3)
    own = g.reshape(own, -1, classes, 2, bins, bins)
    found = (g.unsqueeze(g.squeeze(one, 2), 4, 5) for one in g.split(own, [1, 1], 2))
    return [Value(g, name, call.dtype(2)).cast(_wide(call)) for name in found]


def _parts(g: Graph, call: Call, classes: int, dtype: Any) -> Value:
    """All pixels, the channels of one class and group together."""
    groups, channels = int(call["group_size"]), int(call["output_dim"])
    each = channels // classes
    used = g.slice(call.inputs[0], [0], [channels * groups**2], [1])
    shape = (-1, classes, each, groups, groups, call.length(2), call.length(3))
    lines = g.add("Transpose", g.reshape(used, *shape), perm=[0, 1, 3, 4, 5, 6, 2])
    return Value(g, g.reshape(lines, -1, each), call.dtype()).cast(dtype)
