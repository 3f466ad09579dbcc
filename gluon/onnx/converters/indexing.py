"""Operators that find values by index."""

from __future__ import annotations

import numpy

from ...symbol.shapes import tupled
from .builder import Call, Graph, converts


@converts("Embedding", "_contrib_SparseEmbedding")
def _embedding(g: Graph, call: Call) -> str:
    return g.add("Gather", call.inputs[1], _clipped(g, call.inputs[0], call, 0, 1), axis=0)


def _clipped(g: Graph, indices: str, call: Call, axis: int, k: int) -> str:
    """Clip positions on an axis of input `k` to its ends."""
    places = g.cast(indices, "int64")
    last = g.add("Sub", call.size(g, axis, k), g.constant(1, "int64"))
    return g.add("Min", g.add("Max", places, g.constant(0, "int64")), last)


@converts("take")
def _take(g: Graph, call: Call) -> str:
    axis, mode = call.axis(), call["mode"]
    if mode == "clip":
        places = _clipped(g, call.inputs[1], call, axis, 0)
    elif mode == "wrap":
        places = g.add("Mod", g.cast(call.inputs[1], "int64"), call.size(g, axis))
    else:
        places = g.cast(call.inputs[1], "int64")
    return g.add("Gather", call.inputs[0], places, axis=axis)


@converts("pick")
def _pick(g: Graph, call: Call) -> str:
    axis, mode = call.axis(), call["mode"]
    if mode == "wrap":
        places = g.add("Mod", g.cast(call.inputs[1], "int64"), call.size(g, axis))
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
    # ONNX counts negative indices from the end; in MXNet, they select nothing.
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


@converts("_contrib_index_array")
def _index_array(g: Graph, call: Call) -> str:
    x = call.inputs[0]
    shape = g.add("Shape", x)
    ones = g.add("Expand", g.constant(1, "int64"), shape)
    places = g.add("Transpose", g.add("NonZero", ones), perm=[1, 0])
    axes = [k % call.ndim() for k in call["axes"] or range(call.ndim())]
    places = g.add("Gather", places, g.ints(*axes), axis=1)
    return g.add("Reshape", places, g.add("Concat", shape, g.ints(len(axes)), axis=0))


def _strides(lengths: tuple[int, ...], rank: int) -> numpy.ndarray:
    """Return the strides of each axis, on the first of `rank` axes."""
    strides = numpy.cumprod([1, *lengths[:0:-1]])[::-1]
    return strides.reshape(-1, *[1] * (rank - 1)).astype("int64")


@converts("_ravel_multi_index")
def _ravel(g: Graph, call: Call) -> str:
    strides = g.constant(_strides(tupled(call["shape"]), call.ndim()))
    y = g.add("Mul", g.cast(call.inputs[0], "int64"), strides)
    return g.cast(g.with_axis(g.reduce("ReduceSum", y, [0], False), call.ndim() - 1), call.dtype())


@converts("_unravel_index")
def _unravel(g: Graph, call: Call) -> str:
    lengths = tupled(call["shape"])
    strides = _strides(lengths, call.ndim() + 1)
    ends = numpy.reshape([2**62, *lengths[1:]], strides.shape)  # the first index is not wrapped
    y = g.add("Div", g.cast(call.inputs[0], "int64"), g.constant(strides))
    return g.cast(g.add("Mod", y, g.constant(ends, "int64")), call.dtype())


@converts("fill_element_0index")
def _fill_element(g: Graph, call: Call) -> str:
    x, values, places = call.inputs
    columns = g.unsqueeze(g.places(x, 1), 0)
    own = g.add("Equal", columns, g.unsqueeze(g.cast(places, "int64"), 1))
    return g.add("Where", own, g.unsqueeze(values, 1), x)
