"""Images: their size, parts of them, and their values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy

from ..._core.kernels.image import AREA, LINEAR, ONE, Size, Taps, byte_ways, ways
from .builder import CONVERTERS, Call, Graph, converts
from .formula import Value

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
    x = call.inputs[0]
    if not call["align_corners"]:
        for axis in [k for k in (2, 3) if shape[k] == 1]:
            x = g.slice(x, [0], [1], [axis])  # the first pixel alone, in MXNet
    coordinates = "align_corners" if call["align_corners"] else "half_pixel"
    first = g.slice(g.add("Shape", call.inputs[0]), [0], [2], [0])
    sizes = g.add("Concat", first, g.ints(*shape[2:]), axis=0)
    return resized(g, x, None, sizes, "linear", coordinates)


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
    interp, rank = int(call["interp"]), call.ndim()
    if interp not in INTERPOLATIONS or (interp and call.dtype().kind != "f"):
        return _weighed(g, call)
    shape = call.out_shapes[0]
    if shape is None or min(shape[-3:-1]) < 0:
        raise call.unsupported("its size must be known; pass in_shapes")
    x = call.inputs[0] if rank == 4 else g.unsqueeze(call.inputs[0], 0)
    x = g.add("Transpose", x, perm=[0, 3, 1, 2])
    first = g.slice(g.add("Shape", x), [0], [2], [0])
    sizes = g.add("Concat", first, g.ints(*shape[-3:-1]), axis=0)
    y = g.add("Transpose", resized(g, x, None, sizes, *INTERPOLATIONS[interp]), perm=[0, 2, 3, 1])
    return y if rank == 4 else g.squeeze(y, 0)


def _taken(x: Value, way: Taps, axis: int) -> list[Value]:
    """The products of pixels along an axis with their weights, as the kernel computes them."""
    shape = (-1,) + (1,) * (-axis - 1)
    return [
        x.call("Gather", Value(x.g, x.g.constant(places, "int64"), "int64"), axis=axis)
        * x.like(weights.reshape(shape))
        for places, weights in zip(way.places.T, way.weights.T)
    ]


def _within(way: Taps, length: int) -> Taps:
    return way._replace(places=numpy.clip(way.places, 0, length - 1))


def _weighed(g: Graph, call: Call) -> str:
    """An image at another size, as sums of its rows and columns."""
    old = call.length(-3), call.length(-2)
    shape, dtype = call.out_shapes[0], call.dtype()
    new = int(shape[-3]), int(shape[-2])
    x = Value(g, call.inputs[0], dtype)
    if old == new:
        return g.add("Identity", x.name)
    interp, (rows, columns) = ways(old, new, int(call["interp"]))
    if dtype == "uint8":
        if interp == AREA and all(n >= out for n, out in zip(old, new)):
            return _means_of_bytes(g, call, x, old, new, (rows, columns)).name
        halved = interp in (LINEAR, AREA)
        rows, columns = byte_ways(rows, columns, old[1], halved)
        wide = _summed(_taken(x.cast("int32"), _within(columns, old[1]), -2))
        return _of_bytes(wide, _within(rows, old[0]), halved).name
    lines = _summed(_taken(x, _within(columns, old[1]), -2))
    return _summed(_taken(lines, _within(rows, old[0]), -3)).name


def _summed(parts: list[Value]) -> Value:
    return reduce(operator.add, parts)


def _shifted(x: Value, bits: int) -> Value:
    """Integers without their lowest bits, also below zero."""
    low = x.call("Mod", 2**bits)
    return (x - low) / 2**bits


def _of_bytes(wide: Value, rows: Taps, halved: bool) -> Value:
    """The sums of lines that integers weigh; see `weigh_bytes` among the kernels."""
    if not halved:
        total = _summed(_taken(wide, rows, -3))
        return _shifted(total + ONE * ONE // 2, 22).call("Clip", 0, 255).cast("uint8")
    parts = [_shifted(part, 16) for part in _taken(_shifted(wide, 4), rows, -3)]
    return _shifted(_summed(parts) + 2, 2).cast("uint8")


def _means_of_bytes(
    g: Graph, call: Call, x: Value, old: Size, new: Size, taps: tuple[Taps, Taps]
) -> Value:
    """The means of what each new pixel covers."""
    high, wide = (n // out for n, out in zip(old, new))
    if any(n % out for n, out in zip(old, new)):
        rows, columns = taps
        lines = _summed(_taken(x.cast("float32"), _within(columns, old[1]), -2))
        means = _summed(_taken(lines, _within(rows, old[0]), -3))
        return means.call("Round").call("Clip", 0.0, 255.0).cast("uint8")
    channels = call.length(-1)
    blocks = g.reshape(x.cast("int32").name, -1, new[0], high, new[1], wide, channels)
    total = Value(g, blocks, "int32").reduce("ReduceSum", [2, 4], False)
    if high == wide == 2 and channels in (1, 3, 4):
        means = _shifted(total + 2, 2)
    else:
        share = float(numpy.float32(1 / (high * wide)))
        means = (total.cast("float32") * share).call("Round")
    y = means.cast("uint8")
    return y if call.ndim() == 4 else Value(g, g.squeeze(y.name, 0), "uint8")


@converts("_image_crop")
def _image_crop(g: Graph, call: Call) -> str:
    left, top, width, height = (int(call[name]) for name in ("x", "y", "width", "height"))
    return g.slice(call.inputs[0], [top, left], [top + height, left + width], [-3, -2])


def _flipped(axis: int) -> Callable[[Graph, Call], str]:
    return lambda g, call: g.slice(call.inputs[0], [-1], [-(2**31)], [axis], [-1])


CONVERTERS["_image_flip_left_right"] = _flipped(-2)
CONVERTERS["_image_flip_top_bottom"] = _flipped(-3)
