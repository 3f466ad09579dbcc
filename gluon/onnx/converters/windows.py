"""Windows of images as columns, image correlations, Fourier transforms, and counts."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.kernels.correlation import make_plan
from .builder import Call, Graph, converts
from .formula import Value
from .layers import spread
from .shape import END


@converts("im2col")
def _im2col(g: Graph, call: Call) -> str:
    rank = call.ndim() - 2
    kernel = spread(call["kernel"], rank, 1)
    stride, dilate = spread(call["stride"], rank, 1), spread(call["dilate"], rank, 1)
    pad, axes = spread(call["pad"], rank, 0), range(2, rank + 2)
    x = g.add("Pad", call.inputs[0], g.ints(*([0, 0, *pad] * 2)), g.constant(0, call.dtype()))
    parts = []
    for place in numpy.ndindex(*kernel):
        starts = [k * d for k, d in zip(place, dilate)]
        ends = [k - (n - 1) * d for k, n, d in zip(starts, kernel, dilate)]
        ends = [end or END for end in ends]
        parts.append(g.unsqueeze(g.slice(x, starts, ends, axes, stride), 2))
    y = g.add("Concat", *parts, axis=2) if len(parts) > 1 else parts[0]
    # (batch, channels, kernel, *positions)
    flat = g.reshape(y, 0, 0, 0, -1)
    lengths = g.add("Concat", g.ints(0, -1), g.length(flat, 3), axis=0)
    return g.add("Reshape", flat, lengths)


@converts("col2im")
def _col2im(g: Graph, call: Call) -> str:
    """Sum columns by a transposed convolution with one kernel of ones and zeros per position."""
    shape = [int(n) for n in numpy.ravel(call["output_size"])]
    rank = len(shape)
    kernel = spread(call["kernel"], rank, 1)
    stride, dilate = spread(call["stride"], rank, 1), spread(call["dilate"], rank, 1)
    pad = spread(call["pad"], rank, 0)
    places = int(numpy.prod(kernel))
    channels = call.length(1) // places
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilate)]
    out = [(n + 2 * p - r) // s + 1 for n, p, r, s in zip(shape, pad, reach, stride)]
    adj = [n + 2 * p - (m - 1) * s - r for n, p, m, s, r in zip(shape, pad, out, stride, reach)]
    weight = numpy.tile(numpy.eye(places), (channels, 1)).reshape(-1, 1, *kernel)
    return g.add(
        "ConvTranspose",
        g.reshape(call.inputs[0], 0, 0, *out),
        g.constant(weight, call.dtype()),
        kernel_shape=kernel,
        strides=stride,
        dilations=dilate,
        pads=pad * 2,
        output_padding=adj,
        group=channels,
    )


@converts("Correlation")
def _correlation(g: Graph, call: Call) -> str:
    shape = tuple(call.length(k) if k else 1 for k in range(4))
    names = ("kernel_size", "max_displacement", "stride1", "stride2", "pad_size")
    plan = make_plan(shape, *(int(call[name]) for name in names))
    border = g.ints(*([0, 0, plan.pad, plan.pad] * 2))
    zero = g.constant(0, call.dtype())
    images = [g.add("Pad", name, border, zero) for name in call.inputs]

    def region(image: str, shift: tuple[int, ...]) -> Value:
        _, *parts = plan.region(shift)
        starts, ends = ([getattr(part, end) for part in parts] for end in ("start", "stop"))
        return Value(g, g.slice(image, starts, ends, [2, 3]), call.dtype())

    here, found = region(images[0], (0, 0)), []
    for shift in plan.shifts:
        there = region(images[1], shift)
        met = here * there if call["is_multiply"] else (here - there).call("Abs")
        found.append(met.reduce("ReduceSum", [1]).name)
    y = g.add("Concat", *found, axis=1) if len(found) > 1 else found[0]
    window = {"kernel_shape": [plan.kernel] * 2, "strides": [plan.stride] * 2}
    y = g.add("AveragePool", y, **window)  # over whole patches; the patch size cancels
    return g.add("Mul", y, g.constant(plan.share * plan.kernel**2, call.dtype()))


def _waves(count: int) -> tuple[Any, Any]:
    angle = 2 * numpy.pi * numpy.outer(numpy.arange(count), numpy.arange(count)) / count
    return numpy.cos(angle), numpy.sin(angle)


def _transformed(g: Graph, parts: str, inverse: int) -> str:
    if g.opset < 20:
        return g.add("DFT", parts, axis=1, inverse=inverse)
    return g.add("DFT", parts, "", g.constant(1, "int64"), inverse=inverse)


def _shaped(g: Graph, call: Call, y: str, length: int) -> str:
    """Reshape `y` to the shape of the input, except the last axis."""
    before = g.slice(g.add("Shape", call.inputs[0]), [0], [call.ndim() - 1], [0])
    return g.add("Reshape", y, g.add("Concat", before, g.ints(length), axis=0))


@converts("_contrib_fft")
def _fft(g: Graph, call: Call) -> str:
    length, dtype = call.length(-1), call.dtype()
    x = g.reshape(
        call.inputs[0] if dtype != "float16" else g.cast(call.inputs[0], "float32"), -1, length
    )
    wide = "float32" if dtype == "float16" else dtype
    if g.opset >= 17:
        y = _transformed(g, g.unsqueeze(x, 2), 0)
    else:  # a product with the matrix of all waves
        cosine, sine = _waves(length)
        matrix = numpy.stack([cosine, -sine], -1).reshape(length, -1)
        y = g.add("MatMul", x, g.constant(matrix, wide))
    y = _shaped(g, call, y, 2 * length)
    return y if wide == dtype else g.cast(y, dtype)


@converts("_contrib_ifft")
def _ifft(g: Graph, call: Call) -> str:
    length, dtype = call.length(-1) // 2, call.dtype()
    wide = "float32" if dtype == "float16" else dtype
    x = call.inputs[0] if wide == dtype else g.cast(call.inputs[0], wide)
    if g.opset >= 17:
        y = _transformed(g, g.reshape(x, -1, length, 2), 1)
        y = g.add("Mul", g.slice(y, [0], [1], [2]), g.constant(length, wide))
    else:
        cosine, sine = _waves(length)
        matrix = numpy.stack([cosine, -sine], 1).reshape(-1, length)
        y = g.add("MatMul", g.reshape(x, -1, 2 * length), g.constant(matrix, wide))
    y = _shaped(g, call, y, length)
    return y if wide == dtype else g.cast(y, dtype)


@converts("_contrib_count_sketch")
def _count_sketch(g: Graph, call: Call) -> str:
    dtype, size = call.dtype(), int(call["out_dim"])
    places = g.cast(g.reshape(call.inputs[1], -1), "int64")
    hot = g.add("OneHot", places, g.constant(size, "int64"), g.constant([0, 1], dtype), axis=-1)
    signed = g.add("Mul", call.inputs[0], g.cast(g.reshape(call.inputs[2], -1), dtype))
    return g.add("MatMul", signed, hot)


@converts("_contrib_allclose")
def _allclose(g: Graph, call: Call) -> str:
    a, b = (Value(g, name, call.dtype(k)).cast("float64") for k, name in enumerate(call.inputs))
    limit = b.call("Abs") * float(call["rtol"]) + float(call["atol"])
    finite = ~b.call("IsInf", to=bool)
    near = a.equals(b) | (((a - b).call("Abs") <= limit) & finite)
    if call["equal_nan"]:
        near = near | (a.call("IsNaN", to=bool) & b.call("IsNaN", to=bool))
    flat = Value(g, g.reshape(near.name, -1), bool)
    return flat.all(0, False).cast("uint8").name


@converts("_histogram")
def _histogram(g: Graph, call: Call) -> list[str]:
    if call["bin_cnt"] is None:
        edges, count = g.cast(call.inputs[1], "float64"), call.length(0, 1) - 1
    else:
        count = int(call["bin_cnt"])
        low, high = (float(v) for v in call["range"])
        limits = numpy.linspace(low, high, count + 1)
        if call.dtype().kind in "iu":
            return _of_integers(g, call, numpy.trunc(limits))
        edges = g.constant(limits, "float64")
    x = Value(g, g.reshape(call.inputs[0], -1, 1), call.dtype()).cast("float64")
    line = Value(g, edges, "float64")
    last = numpy.arange(count + 1) == count
    below = (x < line) | (x.equals(line) & Value(g, g.constant(last), bool))
    sums = below.cast("int64").reduce("ReduceSum", [0], False)
    counts = g.add("Sub", g.slice(sums.name, [1], [END], [0]), g.slice(sums.name, [0], [-1], [0]))
    return [counts, g.cast(edges, call.out_dtypes[1] or call.dtype())]


def _of_integers(g: Graph, call: Call, edges: Any) -> list[str]:
    """Counts between edges that were evenly spaced before they lost their fraction."""
    bins, dtype = edges.size - 1, call.dtype()
    x = Value(g, g.reshape(call.inputs[0], -1), dtype).cast("float64")
    line = x.like(edges)
    place = (x - edges[0]) * bins / (edges[-1] - edges[0])
    place = place.call("Clip", 0.0, bins - 1.0).cast("int64")
    low, high = (line.call("Gather", end) for end in (place, place + 1))
    place = place - (x < low).cast("int64")
    place = place + ((x >= high) & (place < bins - 1)).cast("int64")
    inside = (x >= edges[0]) & (x <= edges[-1])
    place = inside.where(place, -1).unsqueeze(1)
    own = place.equals(numpy.arange(bins)).cast("int64")
    return [own.reduce("ReduceSum", [0], False).name, g.constant(edges, dtype)]
