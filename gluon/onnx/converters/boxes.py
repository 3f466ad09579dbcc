"""Boxes: suppression, decoding, overlaps, and regions of images."""

from __future__ import annotations

from typing import Any

import numpy

from ...nd import zeros
from .builder import Call, Graph, converts


@converts("_contrib_ROIAlign")
def _roi_align(g: Graph, call: Call) -> str:
    if call["position_sensitive"]:
        raise call.unsupported("position_sensitive=True has no counterpart in ONNX; leave it out")
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
    ones = [
        g.unsqueeze(g.squeeze(c, 1), 1) for c in _corners(g, call.inputs[0], call["format"], dtype)
    ]
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


@converts("_contrib_box_nms")
def _box_nms(g: Graph, call: Call) -> str:
    if call["in_format"] != call["out_format"]:
        raise call.unsupported("in_format and out_format must be the same")
    dtype, x = call.dtype(), call.inputs[0]
    rank, count, width = call.ndim(), call.length(-2), call.length(-1)
    if rank != 3:
        x = g.reshape(x, -1, count, width)
    start, place = int(call["coord_start"]), int(call["score_index"])
    lowest = g.constant(numpy.finfo(dtype).min, dtype)
    scores = g.squeeze(g.slice(x, [place], [place + 1], [2]), 2)
    valid = g.add("Greater", scores, g.constant(call["valid_thresh"], dtype))
    kinds = None
    if call["id_index"] >= 0:
        column = int(call["id_index"])
        kinds = g.slice(x, [column], [column + 1], [2])
        background = g.constant(call["background_id"], dtype)
        own = g.add("Not", g.add("Equal", g.squeeze(kinds, 2), background))
        valid = g.add("And", valid, own)
    scores = g.add("Where", valid, scores, lowest)
    boxes = g.slice(x, [start], [start + 4], [2])
    if kinds is not None and not call["force_suppress"]:
        boxes = _apart(g, boxes, kinds, call["in_format"], dtype)
    kept = _kept(g, call, boxes, scores, count, lowest)
    ordered, order = g.several("TopK", 2, kept, g.ints(count), axis=1)
    wide = g.add("Expand", g.unsqueeze(order, 2), g.ints(1, 1, width))
    rows = g.add("GatherElements", x, wide, axis=1)
    there = g.unsqueeze(g.add("Greater", ordered, lowest), 2)
    y = g.add("Where", there, rows, g.constant(-1, dtype))
    return y if rank == 3 else g.add("Reshape", y, g.add("Shape", call.inputs[0]))


def _apart(g: Graph, boxes: str, kinds: str, form: str, dtype: Any) -> str:
    """Boxes moved so that those of different classes do not meet."""
    size = g.add(
        "Sub",
        g.reduce("ReduceMax", boxes, [0, 1, 2], True),
        g.reduce("ReduceMin", boxes, [0, 1, 2], True),
    )
    two, one = g.constant(2, dtype), g.constant(1, dtype)
    moved = g.add("Mul", kinds, g.add("Add", g.add("Mul", size, two), one))
    moved_axes = [1, 1, 1, 1] if form == "corner" else [1, 1, 0, 0]
    return g.add("Add", boxes, g.add("Mul", moved, g.constant(moved_axes, dtype)))


def _kept(g: Graph, call: Call, boxes: str, scores: str, count: int, lowest: str) -> str:
    """The scores of the boxes that stay; the lowest number for the others."""
    topk = int(call["topk"])
    if 0 < topk < count:
        highest = g.several("TopK", 2, scores, g.ints(topk), axis=1)[0]
        least = g.slice(highest, [-1], [2**31], [1])
        scores = g.add("Where", g.add("Less", scores, least), lowest, scores)
    chosen = g.add(
        "NonMaxSuppression",
        g.cast(boxes, "float32"),
        g.unsqueeze(g.cast(scores, "float32"), 1),
        g.constant([count], "int64"),
        g.constant([call["overlap_thresh"]], "float32"),
        g.cast(g.reshape(lowest, 1), "float32"),
        center_point_box=int(call["in_format"] == "center"),
    )
    places = g.add("Gather", chosen, g.ints(0, 2), axis=1)
    none = g.add("Expand", lowest, g.add("Shape", scores))
    return g.add("ScatterND", none, places, g.add("GatherND", scores, places))


@converts("_contrib_MultiBoxPrior")
def _prior(g: Graph, call: Call) -> str:
    """The boxes, computed now: they follow from the height and the width alone."""
    assert call.node.op is not None
    data = zeros((1, 1, call.length(2), call.length(3)), dtype=call.dtype())
    return g.add("Identity", g.constant(call.node.op.bound(call.node)(data).asnumpy()))


@converts("GridGenerator")
def _grid(g: Graph, call: Call) -> str:
    if call["transform_type"] != "affine":
        raise call.unsupported("transform_type='warp' has no counterpart in ONNX; use 'affine'")
    return _affine_grid(g, call.inputs[0], call["target_shape"], call.dtype())


def _affine_grid(g: Graph, theta: str, shape: Any, dtype: Any) -> str:
    high, wide = (int(n) for n in shape)
    y, x = numpy.meshgrid(
        *(numpy.linspace(-1, 1, n) if n > 1 else [0] for n in (high, wide)), indexing="ij"
    )
    places = numpy.stack([x.ravel(), y.ravel(), numpy.ones(x.size)])
    found = g.add("MatMul", g.reshape(theta, -1, 2, 3), g.constant(places, dtype))
    return g.reshape(found, 0, 2, high, wide)


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
