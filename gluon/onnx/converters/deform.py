"""Deformable convolutions: of the image at points that move."""

from __future__ import annotations

from typing import Any

import numpy

from .builder import Call, Graph, converts
from .formula import Value
from .layers import spread


@converts("_contrib_DeformableConvolution", "_contrib_ModulatedDeformableConvolution")
def _deformable(g: Graph, call: Call) -> str:
    modulated = call.operator == "_contrib_ModulatedDeformableConvolution"
    if modulated and g.opset >= 19:  # the unmodulated operator treats borders differently
        return _own(g, call)
    if g.opset < 16:
        raise call.unsupported("it needs opset_version=16 or later")
    places = {name: k for k, name in enumerate(call.node.input_names)}
    rows, columns = (call.length(k, places["offset"]) for k in (2, 3))
    channels, height, width = (call.length(k) for k in (1, 2, 3))
    offset = Value(g, call.inputs[places["offset"]], call.dtype())
    elements = int(numpy.prod(call["kernel"]))
    moved = Value(g, g.reshape(offset.name, -1, elements, 2, rows * columns), offset.dtype)
    moved = moved + Value(g, g.constant(_points(call, rows, columns), offset.dtype), offset.dtype)
    y, x = (Value(g, name, offset.dtype) for name in g.split(moved.name, [1, 1], 2))
    there = [(one * 2 + 1) / n - 1 for one, n in ((x, width), (y, height))]
    grid = g.add(
        "Concat", *(g.add("Transpose", one.name, perm=[0, 1, 3, 2]) for one in there), axis=3
    )
    groups = int(call["num_deformable_group"])
    pictures = g.reshape(call.inputs[0], -1, channels // groups, height, width)
    mode = "linear" if g.opset >= 20 else "bilinear"
    border = "zeros" if modulated else "border"
    found = g.add("GridSample", pictures, grid, mode=mode, padding_mode=border, align_corners=0)
    values = Value(g, found, offset.dtype)
    if modulated:
        mask = call.inputs[places["mask"]]
        values = values * Value(g, g.reshape(mask, -1, 1, elements, rows * columns), offset.dtype)
    else:
        inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        inside = Value(g, g.add("Transpose", inside.name, perm=[0, 2, 1, 3]), bool)
        values = inside.where(values, 0.0)
    flat = g.reshape(values.name, -1, channels * elements, rows * columns)
    weight = g.reshape(call.inputs[places["weight"]], 0, -1, 1)
    bias = call.input("bias")
    product = g.add("Conv", flat, weight, *([bias] if bias else []), group=int(call["num_group"]))
    return g.reshape(product, 0, 0, rows, columns)


def _points(call: Call, rows: int, columns: int) -> Any:
    """Return the unmoved positions of the kernel elements: (elements, 2, positions)."""
    stride, dilate = spread(call["stride"], 2, 1), spread(call["dilate"], 2, 1)
    pad, (high, wide) = spread(call["pad"], 2, 0), call["kernel"]
    i, j, down, across = numpy.indices((high, wide, rows, columns))
    y = i * dilate[0] + down * stride[0] - pad[0]
    x = j * dilate[1] + across * stride[1] - pad[1]
    return numpy.stack([y, x], 2).reshape(high * wide, 2, rows * columns)


def _own(g: Graph, call: Call) -> str:
    """Write ONNX's own operator."""
    return g.add(
        "DeformConv",
        *(call.input(name) or "" for name in ("data", "weight", "offset", "bias", "mask")),
        kernel_shape=list(call["kernel"]),
        strides=spread(call["stride"], 2, 1),
        dilations=spread(call["dilate"], 2, 1),
        pads=spread(call["pad"], 2, 0) * 2,
        group=int(call["num_group"]),
        offset_group=int(call["num_deformable_group"]),
    )
