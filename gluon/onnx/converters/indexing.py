"""Operators that find values by index."""

from __future__ import annotations

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
    return y if call["keepdims"] else g.with_axis(g.squeeze(y, axis), call.ndim() - 1)


@converts("batch_take")
def _batch_take(g: Graph, call: Call) -> str:
    places = g.unsqueeze(_clipped(g, call.inputs[1], call, 1, 0), 1)
    return g.squeeze(g.add("GatherElements", call.inputs[0], places, axis=1), 1)


@converts("gather_nd")
def _gather_nd(g: Graph, call: Call) -> str:
    rank = call.ndim(1)
    places = g.cast(call.inputs[1], "int64")
    places = g.add("Transpose", places, perm=[*range(1, rank), 0])
    y = g.add("GatherND", call.inputs[0], places)
    return g.with_axis(y, rank - 1 + call.ndim() - call.length(0, 1))


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
    return g.add("Compress", call.inputs[0], g.cast(call.inputs[1], bool), axis=int(call["axis"]))


@converts("_contrib_index_copy")
def _index_copy(g: Graph, call: Call) -> str:
    places = g.unsqueeze(g.cast(call.inputs[1], "int64"), 1)
    return g.add("ScatterND", call.inputs[0], places, call.inputs[2])
