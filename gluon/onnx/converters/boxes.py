"""Boxes: suppression, decoding, overlaps, and regions of images."""

from __future__ import annotations

from typing import Any

import numpy

from ...nd import zeros
from .builder import Call, Graph, converts
from .formula import Value


@converts("_contrib_ROIAlign")
def _roi_align(g: Graph, call: Call) -> str:
    if call["aligned"] and g.opset < 16:
        raise call.unsupported("aligned=True needs opset_version=16 or later")
    height, width = call["pooled_size"]
    batch = g.cast(g.squeeze(g.slice(call.inputs[1], [0], [1], [1]), 1), "int64")
    boxes = g.slice(call.inputs[1], [1], [5], [1])
    options: dict[str, Any] = {}
    if g.opset >= 16:
        half = bool(call["aligned"])
        options["coordinate_transformation_mode"] = "half_pixel" if half else "output_half_pixel"
    y = g.add(
        "RoiAlign",
        call.inputs[0],
        boxes,
        batch,
        output_height=int(height),
        output_width=int(width),
        sampling_ratio=max(0, int(call["sample_ratio"])),
        spatial_scale=float(call["spatial_scale"]),
        **options,
    )
    if not call["position_sensitive"]:
        return y
    cells = numpy.arange(int(height) * int(width))
    return by_cell(g, y, cells, cells.size, (int(height), int(width)))


def by_cell(g: Graph, y: str, groups: Any, count: int, size: tuple[int, int]) -> str:
    """Of regions (regions, channels, height, width) the channels of the group of each cell.

    Parameters
    ----------
    g : Graph
    y : str
    groups : numpy.ndarray
        The group of each cell.
    count : int
        How many groups the channels are in: a channel has all of them behind one another.
    size : tuple of int
        The height and the width.
    """
    parts = g.add("Transpose", g.reshape(y, 0, -1, count, groups.size), perm=[2, 3, 0, 1])
    pairs = numpy.stack([groups, numpy.arange(groups.size)], -1)
    own = g.add("GatherND", parts, g.constant(pairs, "int64"))
    return g.reshape(g.add("Transpose", own, perm=[1, 2, 0]), 0, 0, *size)


@converts("_contrib_PSROIPooling")
def _position_sensitive(g: Graph, call: Call) -> str:
    """Return the means over bins of whole pixels: a matrix for the rows, one for the columns."""
    bins, dtype = int(call["pooled_size"]), call.dtype()
    groups = int(call["group_size"]) or bins
    rois = Value(g, call.inputs[1], call.dtype(1)).cast("float32")
    image, *ends = (Value(g, name, "float32") for name in g.split(rois.name, [1] * 5, 1))
    sides = []
    for k in (1, 0):
        start, end = (
            (one.rounded() + turn) * float(call["spatial_scale"])
            for one, turn in ((ends[k], 0.0), (ends[k + 2], 1.0))
        )
        sides.append(_bins(g, start, end, bins, call.length(3 - k)))
    places = g.cast(g.squeeze(image.call("Max", 0.0).name, 1), "int64")
    used = int(call["output_dim"]) * groups * groups
    x = g.cast(g.slice(call.inputs[0], [0], [used], [1]), "float32")
    pictures = g.add("Gather", x, places, axis=0)
    lines = g.add("MatMul", g.unsqueeze(sides[0].name, 1), pictures)
    turned = g.add("Transpose", sides[1].name, perm=[0, 2, 1])
    y = g.add("MatMul", lines, g.unsqueeze(turned, 1))
    there = (image > -1).unsqueeze(2, 3)
    y = there.where(Value(g, y, "float32"), 0.0).cast(dtype).name
    row, column = numpy.indices((bins, bins)).reshape(2, -1) * groups // bins
    return by_cell(g, y, row * groups + column, groups * groups, (bins, bins))


def _bins(g: Graph, start: Value, end: Value, bins: int, length: int) -> Value:
    """Return the matrices (regions, bins, length) of means over the bins of an axis."""
    size = (end - start).call("Max", 0.1) / bins
    number = Value(g, g.constant(numpy.arange(bins)[None], "float32"), "float32")
    low = (number * size + start).call("Floor").call("Clip", 0.0, float(length))
    high = ((number + 1) * size + start).call("Ceil").call("Clip", 0.0, float(length))
    low, high = (one.unsqueeze(2) for one in (low, high))
    place = Value(g, g.constant(numpy.arange(length)[None, None], "float32"), "float32")
    inside = (low <= place) & (high > place)
    return inside.cast("float32") / (high - low).call("Max", 1.0)


@converts("ROIPooling")
def _roi_pooling(g: Graph, call: Call) -> str:
    if g.opset >= 22 or not call["spatial_scale"]:  # for runtimes without MaxRoiPool
        return _maxima(g, call)
    return g.add(
        "MaxRoiPool",
        *call.inputs,
        pooled_shape=[int(n) for n in call["pooled_size"]],
        spatial_scale=float(call["spatial_scale"]),
    )


def _maxima(g: Graph, call: Call) -> str:
    """Return the maxima over bins of whole pixels: first over rows, then over columns."""
    kind = "float64" if call.dtype(1) == "float64" else "float32"
    rois = Value(g, call.inputs[1], call.dtype(1)).cast(kind)
    image, *ends = (Value(g, name, kind) for name in g.split(rois.name, [1] * 5, 1))
    ends = [one * float(call["spatial_scale"]) for one in ends]
    ends = [one.rounded() for one in ends]
    last = Value(g, call.size(g, 0), "int64").cast(kind) - 1
    place = image.call("Max", 0.0).call("Min", last)
    y = g.add("Gather", call.inputs[0], g.cast(g.squeeze(place.name, 1), "int64"))
    x = Value(g, y, call.dtype())
    there = ((image > -1) & (image < last + 1)).unsqueeze(2, 3)
    for k, bins in ((1, call["pooled_size"][0]), (0, call["pooled_size"][1])):
        length = call.length(3 - k)
        inside = _whole_bins(ends[k], ends[k + 2], int(bins), length)
        # (regions, channels, bins, rows, columns), then (regions, channels, bins, bins, columns)
        axes = (1, 4) if k else (1, 2)
        inside = inside.unsqueeze(*axes)
        wide = x.unsqueeze(2 if k else 3)
        x = inside.where(wide, -numpy.inf)
        x = Value(g, g.reduce("ReduceMax", x.name, [3 if k else 4], False), x.dtype)
    return (there & (x > -numpy.inf)).where(x, 0.0).name


def _whole_bins(start: Value, end: Value, bins: int, length: int) -> Value:
    """Return which bins contain a pixel: (regions, bins, length)."""
    g, dtype = start.g, start.dtype
    size = (end - start + 1).call("Max", 1.0) / bins
    number = Value(g, g.constant(numpy.arange(bins)[None], dtype), dtype)
    low, high = (number * size).call("Floor") + start, ((number + 1) * size).call("Ceil") + start
    low, high = (one.unsqueeze(2) for one in (low, high))
    place = Value(g, g.constant(numpy.arange(length)[None, None], dtype), dtype)
    return (low <= place) & (high > place)


def corners(g: Graph, boxes: str, form: str, dtype: Any) -> list[str]:
    """The four columns of boxes as left, top, right, bottom."""
    columns = g.split(boxes, [1] * 4, -1)
    if form == "corner":
        return columns
    x, y, w, h = columns
    half = g.constant(0.5, dtype)
    w, h = g.add("Mul", w, half), g.add("Mul", h, half)
    return [g.add("Sub", x, w), g.add("Sub", y, h), g.add("Add", x, w), g.add("Add", y, h)]


@converts("_contrib_box_decode")
def _box_decode(g: Graph, call: Call) -> str:
    data, anchors = call.inputs
    dtype = call.dtype()
    a = g.split(anchors, [1] * 4, -1)
    if call["format"] == "corner":
        half = g.constant(0.5, dtype)
        width, height = g.add("Sub", a[2], a[0]), g.add("Sub", a[3], a[1])
        x = g.add("Add", a[0], g.add("Mul", width, half))
        y = g.add("Add", a[1], g.add("Mul", height, half))
    else:
        x, y, width, height = a
    d = g.split(data, [1] * 4, -1)
    stds = [g.constant(call[f"std{k}"], dtype) for k in range(4)]
    ox = g.add("Add", g.add("Mul", g.add("Mul", d[0], stds[0]), width), x)
    oy = g.add("Add", g.add("Mul", g.add("Mul", d[1], stds[1]), height), y)
    sizes = []
    for part, std, length in ((d[2], stds[2], width), (d[3], stds[3], height)):
        scaled = g.add("Mul", part, std)
        if call["clip"] > 0:
            scaled = g.add("Min", scaled, g.constant(call["clip"], dtype))
        grown = g.add("Mul", g.add("Exp", scaled), length)
        sizes.append(g.add("Mul", grown, g.constant(0.5, dtype)))
    return g.add(
        "Concat",
        g.add("Sub", ox, sizes[0]),
        g.add("Sub", oy, sizes[1]),
        g.add("Add", ox, sizes[0]),
        g.add("Add", oy, sizes[1]),
        axis=-1,
    )


@converts("_contrib_box_iou")
def _box_iou(g: Graph, call: Call) -> str:
    dtype = call.dtype()
    flat = [g.reshape(name, -1, 4) for name in call.inputs]
    ones = corners(g, flat[0], call["format"], dtype)
    others = [
        g.add("Transpose", c, perm=[1, 0]) for c in corners(g, flat[1], call["format"], dtype)
    ]
    zero = g.constant(0, dtype)

    def side(low: int, high: int) -> str:
        end = g.add("Min", ones[high], others[high])
        return g.add("Max", g.add("Sub", end, g.add("Max", ones[low], others[low])), zero)

    def area(box: list[str]) -> str:
        return g.add("Mul", g.add("Sub", box[2], box[0]), g.add("Sub", box[3], box[1]))

    common = g.add("Mul", side(0, 2), side(1, 3))
    union = g.add("Sub", g.add("Add", area(ones), area(others)), common)
    empty = g.add("Equal", union, zero)
    y = g.add("Div", common, g.add("Where", empty, g.constant(1, dtype), union))
    if call.ndim() == call.ndim(1) == 2:
        return y
    shapes = (
        g.slice(g.add("Shape", name), [0], [call.ndim(k) - 1], [0])
        for k, name in enumerate(call.inputs)
    )
    return g.add("Reshape", y, g.add("Concat", *shapes, axis=0))


@converts("_contrib_MultiBoxPrior")
def _prior(g: Graph, call: Call) -> str:
    """Compute the boxes at export time: they depend only on the height and the width."""
    assert call.node.op is not None
    data = zeros((1, 1, call.length(2), call.length(3)), dtype=call.dtype())
    return g.add("Identity", g.constant(call.node.op.bound(call.node)(data).asnumpy()))


@converts("GridGenerator")
def _grid(g: Graph, call: Call) -> str:
    if call["transform_type"] == "warp":
        return _warped_grid(g, call)
    return _affine_grid(g, call.inputs[0], call["target_shape"], call.dtype())


def _affine_grid(g: Graph, theta: str, shape: Any, dtype: Any) -> str:
    high, wide = (int(n) for n in shape)
    y, x = numpy.meshgrid(
        *(numpy.linspace(-1, 1, n) if n > 1 else [0] for n in (high, wide)), indexing="ij"
    )
    places = numpy.stack([x.ravel(), y.ravel(), numpy.ones(x.size)])
    found = g.add("MatMul", g.reshape(theta, -1, 2, 3), g.constant(places, dtype))
    return g.reshape(found, 0, 2, high, wide)


def _warped_grid(g: Graph, call: Call) -> str:
    """Return where a flow, in pixels, moves each pixel."""
    high, wide = call.length(2), call.length(3)
    places = numpy.stack(numpy.meshgrid(numpy.arange(wide), numpy.arange(high)))
    halves = numpy.reshape([max(n - 1, 1) / 2 for n in (wide, high)], (2, 1, 1))
    dtype = call.dtype()
    moved = g.add("Add", call.inputs[0], g.constant(places, dtype))
    y = g.add("Div", moved, g.constant(halves, dtype))
    return g.add("Sub", y, g.constant(1, dtype))


def _sampled(g: Graph, call: Call, x: str, grid: str) -> str:
    if g.opset < 16:
        raise call.unsupported("it needs opset_version=16 or later")
    mode = "linear" if g.opset >= 20 else "bilinear"
    last = g.add("Transpose", grid, perm=[0, 2, 3, 1])
    return g.add("GridSample", x, last, mode=mode, padding_mode="zeros", align_corners=1)


@converts("BilinearSampler")
def _sampler(g: Graph, call: Call) -> str:
    return _sampled(g, call, *call.inputs)


@converts("SpatialTransformer")
def _transformer(g: Graph, call: Call) -> str:
    grid = _affine_grid(g, call.inputs[1], call["target_shape"], call.dtype(1))
    return _sampled(g, call, call.inputs[0], grid)
