"""Poolings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from .builder import Call, Graph, converts
from .layers import channels_first, spread


@converts("Pooling", "Pooling_v1")
@channels_first(1)
def _pooling(g: Graph, call: Call) -> str:
    kind, x = call["pool_type"], call.inputs[0]
    rank = call.ndim() - 2
    if kind == "lp":
        return _lp_pooling(g, call, x, rank)
    if call["global_pool"]:
        if kind == "sum":
            return g.reduce("ReduceSum", x, range(2, 2 + rank), True)
        return g.add("GlobalMaxPool" if kind == "max" else "GlobalAveragePool", x)
    if kind == "max":
        return _windows(g, call, "MaxPool", x, -numpy.inf)
    inside = call.values.get("count_include_pad") is False
    convention = call["pooling_convention"]
    if kind == "avg" and (convention == "valid" or call.operator == "Pooling_v1"):
        # `Pooling_v1` divides by the window size.
        return _windows(g, call, "AveragePool", x, 0, count_include_pad=0 if inside else 1)
    y = _windows(g, call, "AveragePool", x, 0, count_include_pad=1)
    if kind == "sum":
        return g.add("Mul", y, g.constant(numpy.prod(call["kernel"]), call.dtype()))
    return g.add("Mul", y, g.constant(_shares(call, inside), call.dtype()))


def _windows(g: Graph, call: Call, kind: str, x: str, filling: float, **options: int) -> str:
    """Pool over windows; `filling` is the value in wide pads."""
    kernel, rank = list(call["kernel"]), call.ndim() - 2
    pad, stride = spread(call["pad"], rank, 0), spread(call["stride"], rank, 1)
    after = pad if call["pooling_convention"] == "valid" else _after(call, kernel, stride, pad)
    pads = [*pad, *after]
    if any(n >= k for n, k in zip(pads, kernel * 2)):  # runtimes reject pads as wide as the window
        if not options.get("count_include_pad", 1):
            raise call.unsupported("pads as wide as the window need count_include_pad=True")
        both = g.ints(0, 0, *pad, 0, 0, *after)
        x, pads = g.add("Pad", x, both, g.constant(filling, call.dtype())), [0] * 2 * rank
    return g.add(kind, x, kernel_shape=kernel, strides=stride, pads=pads, **options)


def _after(
    call: Call, kernel: Sequence[int], stride: Sequence[int], pad: Sequence[int]
) -> list[int]:
    """Return the pads after each axis for a last window that exceeds its end."""
    found = []
    for k, (size, step, before) in enumerate(zip(kernel, stride, pad)):
        length = call.length(2 + k)
        last = (_count(call, length, size, step, before) - 1) * step
        found.append(max(0, last + size - length - before))
    return found


def _count(call: Call, length: int, size: int, step: int, pad: int) -> int:
    """Return the number of windows on an axis."""
    if call["pooling_convention"] == "same":
        return -(-length // step)
    return 1 - (size - length - 2 * pad) // step


def _shares(call: Call, inside: bool) -> Any:
    """Return the ratio of the window size to the number of values that the average divides by."""
    rank = call.ndim() - 2
    stride, pad = spread(call["stride"], rank, 1), spread(call["pad"], rank, 0)
    found = numpy.ones((1, 1))
    for k, (size, step, before) in enumerate(zip(call["kernel"], stride, pad)):
        length = call.length(2 + k)
        starts = numpy.arange(_count(call, length, size, step, before)) * step - before
        ends = numpy.minimum(starts + size, length + (0 if inside else before))
        starts = numpy.maximum(starts, 0) if inside else starts
        found = found[..., None] * (size / numpy.maximum(ends - starts, 1))
    return found


def _lp_pooling(g: Graph, call: Call, x: str, rank: int) -> str:
    """Return the root of a sum of powers. ONNX's operators use absolute values."""
    power = int(call["p_value"])
    y = x
    for _ in range(power - 1):
        y = g.add("Mul", y, x)
    if call["global_pool"]:
        y = g.reduce("ReduceSum", y, range(2, 2 + rank), True)
    else:
        y = _windows(g, call, "AveragePool", y, 0, count_include_pad=1)
        y = g.add("Mul", y, g.constant(numpy.prod(call["kernel"]), call.dtype()))
    if power == 1:
        return y
    if power == 2:
        return g.add("Sqrt", y)
    root = g.add("Pow", g.add("Abs", y), g.constant(1 / power, call.dtype()))
    return g.add("Mul", g.add("Sign", y), root)


@converts("_contrib_AdaptiveAvgPooling2D")
def _adaptive_pooling(g: Graph, call: Call) -> str:
    size, x = call["output_size"], call.inputs[0]
    wanted = spread(size, 2, 1) if size not in (None, ()) else [1, 1]
    wanted *= 3 - len(wanted)  # one number applies to both
    if wanted == [1, 1]:
        return g.add("GlobalAveragePool", x)
    lengths = [call.length(2), call.length(3)]
    if not any(n % m for n, m in zip(lengths, wanted)):
        kernel = [n // m for n, m in zip(lengths, wanted)]
        return g.add("AveragePool", x, kernel_shape=kernel, strides=kernel)
    down, across = (_means(n, m) for n, m in zip(lengths, wanted))
    y = g.add("MatMul", x, g.constant(across.T, call.dtype()))
    return g.add("MatMul", g.constant(down, call.dtype()), y)


def _means(length: int, count: int) -> Any:
    """Return the matrix of means over `count` parts of an axis, which may overlap."""
    starts = numpy.arange(count) * length // count
    ends = -(-(numpy.arange(count) + 1) * length // count)
    places = numpy.arange(length)
    inside = (places >= starts[:, None]) & (places < ends[:, None])
    return inside / inside.sum(1, keepdims=True)
