"""Operators that find values by their places, and boxes."""

from __future__ import annotations

from typing import Any

import numpy

from .builder import Call, Graph, converts


@converts("Embedding", "_contrib_SparseEmbedding")
def _embedding(g: Graph, call: Call) -> str:
    return g.add("Gather", call.inputs[1], _clipped(g, call.inputs[0], call, 0, 1), axis=0)


def _clipped(g: Graph, indices: str, call: Call, axis: int, k: int) -> str:
    """Places within an axis of input `k`: those outside move to its ends."""
    places = g.cast(indices, "int64")
    last = g.constant(call.length(axis, k) - 1, "int64")
    return g.add("Min", g.add("Max", places, g.constant(0, "int64")), last)


@converts("take")
def _take(g: Graph, call: Call) -> str:
    axis, mode = call.axis(), call["mode"]
    if mode == "clip":
        places = _clipped(g, call.inputs[1], call, axis, 0)
    elif mode == "wrap":
        length = g.constant(call.length(axis), "int64")
        places = g.add("Mod", g.cast(call.inputs[1], "int64"), length)
    else:
        places = g.cast(call.inputs[1], "int64")
    return g.add("Gather", call.inputs[0], places, axis=axis)


@converts("pick")
def _pick(g: Graph, call: Call) -> str:
    axis, mode = call.axis(), call["mode"]
    if mode == "wrap":
        length = g.constant(call.length(axis), "int64")
        places = g.add("Mod", g.cast(call.inputs[1], "int64"), length)
    else:
        places = _clipped(g, call.inputs[1], call, axis, 0)
    if call.ndim(1) < call.ndim():
        places = g.unsqueeze(places, axis)
    y = g.add("GatherElements", call.inputs[0], places, axis=axis)
    return y if call["keepdims"] else g.squeeze(y, axis)


@converts("batch_take")
def _batch_take(g: Graph, call: Call) -> str:
    places = g.unsqueeze(_clipped(g, call.inputs[1], call, 1, 0), 1)
    return g.squeeze(g.add("GatherElements", call.inputs[0], places, axis=1), 1)


@converts("gather_nd")
def _gather_nd(g: Graph, call: Call) -> str:
    rank = call.ndim(1)
    places = g.cast(call.inputs[1], "int64")
    places = g.add("Transpose", places, perm=[*range(1, rank), 0])
    return g.add("GatherND", call.inputs[0], places)


@converts("scatter_nd")
def _scatter_nd(g: Graph, call: Call) -> str:
    rank = call.ndim(1)
    places = g.cast(call.inputs[1], "int64")
    places = g.add("Transpose", places, perm=[*range(1, rank), 0])
    zeros = g.constant(numpy.zeros(call["shape"], call.dtype()))
    return g.add("ScatterND", zeros, places, call.inputs[0])


@converts("one_hot")
def _one_hot(g: Graph, call: Call) -> str:
    dtype = numpy.dtype(call["dtype"] or "float32")
    values = g.constant([call["off_value"], call["on_value"]], dtype)
    depth = int(call["depth"])
    places = g.cast(call.inputs[0], "int64")
    # ONNX counts negative places from the end; MXNet has no value there.
    outside = g.add("Less", places, g.constant(0, "int64"))
    places = g.add("Where", outside, g.constant(depth, "int64"), places)
    return g.add("OneHot", places, g.constant(depth, "int64"), values, axis=-1)


@converts("_contrib_boolean_mask")
def _boolean_mask(g: Graph, call: Call) -> str:
    return g.add(
        "Compress", call.inputs[0], g.cast(call.inputs[1], bool), axis=int(call["axis"])
    )


@converts("_contrib_index_copy")
def _index_copy(g: Graph, call: Call) -> str:
    places = g.unsqueeze(g.cast(call.inputs[1], "int64"), 1)
    return g.add("ScatterND", call.inputs[0], places, call.inputs[2])


@converts("_contrib_ROIAlign")
def _roi_align(g: Graph, call: Call) -> str:
    if call["position_sensitive"]:
        raise call.unsupported("position_sensitive=True has no counterpart in ONNX")
    if call["aligned"] and g.opset < 16:
        raise call.unsupported("aligned=True needs opset_version=16 or later")
    height, width = call["pooled_size"]
    batch = g.cast(g.squeeze(g.slice(call.inputs[1], [0], [1], [1]), 1), "int64")
    boxes = g.slice(call.inputs[1], [1], [5], [1])
    options: dict[str, Any] = {}
    if g.opset >= 16:
        half = bool(call["aligned"])
        options["coordinate_transformation_mode"] = "half_pixel" if half else "output_half_pixel"
    return g.add(
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


@converts("ROIPooling")
def _roi_pooling(g: Graph, call: Call) -> str:
    if g.opset >= 22:
        raise call.unsupported("ONNX has MaxRoiPool; write opset_version=21 or earlier")
    return g.add(
        "MaxRoiPool",
        *call.inputs,
        pooled_shape=[int(n) for n in call["pooled_size"]],
        spatial_scale=float(call["spatial_scale"]),
    )


def _corners(g: Graph, boxes: str, form: str, dtype: Any) -> list[str]:
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
    if call.ndim() != 2 or call.ndim(1) != 2:
        raise call.unsupported("it is written for two lists of boxes; reshape them to 2 axes")
    dtype = call.dtype()
    ones = [g.unsqueeze(g.squeeze(c, 1), 1) for c in _corners(g, call.inputs[0], call["format"], dtype)]
    others = [
        g.unsqueeze(g.squeeze(c, 1), 0) for c in _corners(g, call.inputs[1], call["format"], dtype)
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
    return g.add("Div", common, g.add("Where", empty, g.constant(1, dtype), union))
