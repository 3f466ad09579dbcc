"""Images: their size, parts of them, and their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .builder import CONVERTERS, Call, Graph, converts

#: Interpolations by MXNet's codes: ONNX's mode, and its coordinate transformation.
INTERPOLATIONS = {0: ("nearest", "asymmetric"), 1: ("linear", "half_pixel")}


@converts("UpSampling")
def _upsampling(g: Graph, call: Call) -> str:
    scale = int(call["scale"])
    if call["sample_type"] != "nearest":
        return _bilinear(g, call, scale)
    heights = [call.length(2, k) for k in range(len(call.inputs))] if call.inputs[1:] else [1]
    factors = [float(scale * heights[0] // n) for n in heights]
    parts = [
        resized(g, x, [1, 1, factor, factor], None, "nearest", "asymmetric")
        for x, factor in zip(call.inputs, factors)
    ]
    if len(parts) == 1:
        return parts[0]
    return (
        g.add("Sum", *parts)
        if call["multi_input_mode"] == "sum"
        else g.add("Concat", *parts, axis=1)
    )


def _bilinear(g: Graph, call: Call, scale: int) -> str:
    """Write a transposed convolution of each channel with the weight."""
    kernel, pad = 2 * scale - scale % 2, (scale - 1) // 2 + (scale - 1) % 2
    return g.add(
        "ConvTranspose",
        *call.inputs,
        kernel_shape=[kernel] * 2,
        strides=[scale] * 2,
        pads=[pad] * 4,
        group=call.length(1),
    )


def resized(g: Graph, x: str, scales: Any, sizes: Any, mode: str, coordinates: str) -> str:
    """`x` at another size."""
    options: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": coordinates}
    if mode == "nearest":
        options["nearest_mode"] = "floor"
    if scales is not None:
        return g.add("Resize", x, "", g.constant(scales, "float32"), **options)
    return g.add("Resize", x, "", "", sizes, **options)


@converts("_contrib_BilinearResize2D")
def _bilinear_resize(g: Graph, call: Call) -> str:
    shape = call.out_shapes[0]
    if shape is None or min(shape[2:]) < 0:
        raise call.unsupported("its size must be known; pass in_shapes")
    if not call["align_corners"] and 1 in shape[2:]:
        raise call.unsupported("a length of 1 has no counterpart in ONNX; use align_corners=True")
    coordinates = "align_corners" if call["align_corners"] else "half_pixel"
    first = g.slice(g.add("Shape", call.inputs[0]), [0], [2], [0])
    sizes = g.add("Concat", first, g.ints(*shape[2:]), axis=0)
    return resized(g, call.inputs[0], None, sizes, "linear", coordinates)


@converts("_image_to_tensor")
def _to_tensor(g: Graph, call: Call) -> str:
    order = [2, 0, 1] if call.ndim() == 3 else [0, 3, 1, 2]
    y = g.add("Transpose", g.cast(call.inputs[0], "float32"), perm=order)
    return g.add("Div", y, g.constant(255, "float32"))


@converts("_image_normalize")
def _normalize(g: Graph, call: Call) -> str:
    mean, std = (
        g.constant(numpy.reshape(call[name], (-1, 1, 1)).astype(call.dtype()))
        for name in ("mean", "std")
    )
    return g.add("Div", g.add("Sub", call.inputs[0], mean), std)


@converts("_image_resize")
def _image_resize(g: Graph, call: Call) -> str:
    interp, dtype, rank = int(call["interp"]), call.dtype(), call.ndim()
    if interp not in INTERPOLATIONS or (interp and dtype.kind != "f"):
        raise call.unsupported("ONNX has interp=0, and interp=1 of floats; cast the image before")
    shape = call.out_shapes[0]
    if shape is None or min(shape[-3:-1]) < 0:
        raise call.unsupported("its size must be known; pass in_shapes")
    x = call.inputs[0] if rank == 4 else g.unsqueeze(call.inputs[0], 0)
    x = g.add("Transpose", x, perm=[0, 3, 1, 2])
    first = g.slice(g.add("Shape", x), [0], [2], [0])
    sizes = g.add("Concat", first, g.ints(*shape[-3:-1]), axis=0)
    y = g.add("Transpose", resized(g, x, None, sizes, *INTERPOLATIONS[interp]), perm=[0, 2, 3, 1])
    return y if rank == 4 else g.squeeze(y, 0)


@converts("_image_crop")
def _image_crop(g: Graph, call: Call) -> str:
    left, top, width, height = (int(call[name]) for name in ("x", "y", "width", "height"))
    return g.slice(call.inputs[0], [top, left], [top + height, left + width], [-3, -2])


def _flipped(axis: int) -> Callable[[Graph, Call], str]:
    return lambda g, call: g.slice(call.inputs[0], [-1], [-(2**31)], [axis], [-1])


CONVERTERS["_image_flip_left_right"] = _flipped(-2)
CONVERTERS["_image_flip_top_bottom"] = _flipped(-3)
