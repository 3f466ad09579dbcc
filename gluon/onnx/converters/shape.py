"""Operators that move values or create arrays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy

from ...symbol.infer import shape_rule
from ...symbol.shapes import tupled
from ..files import package
from .builder import CONVERTERS, Call, Graph, converts

#: Stands for the end of an axis.
END = 2**31 - 1
#: Stand for unknown lengths; no other length has such a factor.
PRIMES = (1000003, 1000033, 1000037, 1000039, 1000081, 1000099, 1000117, 1000121)


def reshaped(g: Graph, call: Call, x: str) -> str:
    """`x` in the shape of the output, of which lengths may be open."""
    shape = call.out_shapes[0]
    if shape is not None and list(shape).count(-1) <= 1:
        return g.reshape(x, *shape)
    return g.add("Reshape", x, g.add("Concat", *_lengths(g, call), axis=0))


def _lengths(g: Graph, call: Call) -> list[str]:
    """Return the lengths of a reshaped array, from the unknown ones of the input.

    Each open length is tried with a prime number times a multiple of all numbers in the arguments:
    those primes that divide a length of the output tell where that comes from.
    """
    call.ndim()  # raises if it is unknown
    shape, node = call.shapes[0], call.node
    codes = [n for one in node.values.values() for n in tupled(one) if isinstance(n, int) and n]
    multiple = lcm(*codes, *(n for n in shape if n > 0))
    places = [k for k, n in enumerate(shape) if n < 0]
    tried = {k: prime * multiple for k, prime in zip(places, PRIMES)}
    ins = [tuple(tried.get(k, n) for k, n in enumerate(shape)), *call.shapes[1:]]
    found = shape_rule(node)(node, ins, [None])[1][0]
    if found is None or min(found, default=0) < 0:
        raise call.unsupported("the shape of its output is open along several axes; pass in_shapes")
    lengths = []
    for length in found:
        own = [k for k, prime in zip(tried, PRIMES) if length % prime == 0]
        share = Fraction(length, prod(tried[k] for k in own))
        name = g.ints(share.numerator)
        for k in own:
            name = g.add("Mul", name, g.length(call.inputs[0], k))
        lengths.append(g.add("Div", name, g.ints(share.denominator)))
    return lengths


@converts("Reshape")
def _reshape(g: Graph, call: Call) -> str:
    codes = list(tupled(call["shape"]))
    if codes and all(code >= -1 for code in codes) and not call["reverse"]:
        return g.reshape(call.inputs[0], *codes)
    return reshaped(g, call, call.inputs[0])


@converts("reshape_like")
def _reshape_like(g: Graph, call: Call) -> str:
    ends = [call[name] for name in ("lhs_begin", "lhs_end", "rhs_begin", "rhs_end")]
    if ends == [None] * 4:
        return g.add("Reshape", call.inputs[0], g.add("Shape", call.inputs[1]))
    return reshaped(g, call, call.inputs[0])


@converts("Flatten")
def _flatten(g: Graph, call: Call) -> str:
    return g.add("Flatten", call.inputs[0], axis=1)


@converts("expand_dims")
def _expand_dims(g: Graph, call: Call) -> str:
    return g.unsqueeze(call.inputs[0], int(call["axis"]))


@converts("squeeze")
def _squeeze(g: Graph, call: Call) -> str:
    axis = call["axis"]
    if axis is None:
        axis = [k for k in range(call.ndim()) if call.shapes[0][k] == 1]
    axes = tupled(axis)
    if not axes:
        return g.add("Identity", call.inputs[0])
    return g.with_axis(g.squeeze(call.inputs[0], *axes), call.ndim() - len(axes))


@converts("transpose")
def _transpose(g: Graph, call: Call) -> str:
    order = [int(k) % call.ndim() for k in call["axes"] or ()]
    return g.add("Transpose", call.inputs[0], perm=order or None)


@converts("SwapAxis")
def _swap(g: Graph, call: Call) -> str:
    order = list(range(call.ndim()))
    a, b = int(call["dim1"]), int(call["dim2"])
    order[a], order[b] = order[b], order[a]
    return g.add("Transpose", call.inputs[0], perm=order)


@converts("Concat", "_rnn_param_concat")
def _concat(g: Graph, call: Call) -> str:
    return g.add("Concat", *call.inputs, axis=int(call["dim"]))


@converts("stack")
def _stack(g: Graph, call: Call) -> str:
    axis = int(call["axis"])
    return g.add("Concat", *(g.unsqueeze(x, axis) for x in call.inputs), axis=axis)


def _in_parts(g: Graph, call: Call, lengths: Sequence[int], axis: int) -> Any:
    parts = g.split(call.inputs[0], lengths, axis)
    if call["squeeze_axis"]:
        parts = [g.squeeze(part, axis) for part in parts]
    return parts


@converts("SliceChannel")
def _slice_channel(g: Graph, call: Call) -> Any:
    axis, count = call.axis(), int(call["num_outputs"])
    return _in_parts(g, call, [call.length(axis) // count] * count, axis)


@converts("_split_v2")
def _split_v2(g: Graph, call: Call) -> Any:
    axis = call.axis()
    length, count = call.length(axis), int(call["sections"] or 0)
    if count:
        lengths = [length // count] * count
    else:
        ends = [int(k) for k in call["indices"]][1 if call["indices"][0] == 0 else 0 :]
        starts = [0, *ends]
        lengths = [end - start for start, end in zip(starts, [*ends, length])]
    return _in_parts(g, call, lengths, axis)


@converts("slice")
def _slice(g: Graph, call: Call) -> str:
    steps = list(tupled(call["step"]))
    starts, ends, axes = [], [], []
    for axis, (begin, end) in enumerate(zip(tupled(call["begin"]), tupled(call["end"]))):
        step = steps[axis] if axis < len(steps) and steps[axis] else 1
        if step < 0 and begin is not None and begin < 0 and begin + call.length(axis) < 0:
            begin, end = 0, 0  # before the first element; ONNX would begin at the first one
        starts.append((END if step < 0 else 0) if begin is None else begin)
        ends.append((-END if step < 0 else END) if end is None else end)
        axes.append(axis)
    steps = [steps[k] if k < len(steps) and steps[k] else 1 for k in axes]
    return g.slice(call.inputs[0], starts, ends, axes, steps)


@converts("slice_axis")
def _slice_axis(g: Graph, call: Call) -> str:
    end = END if call["end"] is None else int(call["end"])
    return g.slice(call.inputs[0], [int(call["begin"])], [end], [int(call["axis"])])


@converts("slice_like")
def _slice_like(g: Graph, call: Call) -> str:
    x, like = call.inputs
    shape = g.add("Shape", like)
    axes = [k % call.ndim() for k in call["axes"] or range(call.ndim())]
    ends = g.add("Gather", shape, g.ints(*axes), axis=0)
    return g.add("Slice", x, g.ints(*[0] * len(axes)), ends, g.ints(*axes))


@converts("Crop")
def _crop(g: Graph, call: Call) -> str:
    if len(call.inputs) == 2:
        height, width = call.length(2, 1), call.length(3, 1)
    else:
        height, width = call["h_w"]
    if call["center_crop"]:
        top = (call.length(2) - height) // 2
        left = (call.length(3) - width) // 2
    else:
        top, left = call["offset"]
    return g.slice(call.inputs[0], [top, left], [top + height, left + width], [2, 3])


@converts("Pad")
def _pad(g: Graph, call: Call) -> str:
    width = list(call["pad_width"])
    pads = g.ints(*width[0::2], *width[1::2])
    mode = call["mode"]
    if mode == "constant":
        return g.add("Pad", call.inputs[0], pads, g.constant(call["constant_value"], call.dtype()))
    return g.add("Pad", call.inputs[0], pads, mode=mode)


@converts("tile")
def _tile(g: Graph, call: Call) -> str:
    reps = call["reps"] if isinstance(call["reps"], (tuple, list)) else (call["reps"],)
    x, rank = call.inputs[0], call.ndim()
    if len(reps) > rank:
        x = g.unsqueeze(x, *range(len(reps) - rank))
    return g.add("Tile", x, g.ints(*[1] * (rank - len(reps)), *reps))


@converts("repeat")
def _repeat(g: Graph, call: Call) -> str:
    x, axis, count = call.inputs[0], call["axis"], int(call["repeats"])
    if axis is None:
        x, axis, rank = g.reshape(x, -1), 0, 1
    else:
        rank = call.ndim()
        axis %= rank
    wide = g.unsqueeze(x, axis + 1)
    wide = g.add("Tile", wide, g.ints(*[count if k == axis + 1 else 1 for k in range(rank + 1)]))
    shape = [0] * axis + [-1]
    if rank == axis + 1:
        return g.reshape(wide, *shape)
    last = [call.shapes[0][k] for k in range(axis + 1, rank)]
    if -1 in last:
        raise call.unsupported("the lengths after its axis must not be dynamic; give numbers")
    return g.reshape(wide, *shape, *last)


@converts("reverse")
def _reverse(g: Graph, call: Call) -> str:
    axes = call["axis"] if isinstance(call["axis"], (tuple, list)) else (call["axis"],)
    count = len(axes)
    return g.slice(call.inputs[0], [-1] * count, [-END] * count, axes, [-1] * count)


@converts("depth_to_space")
def _depth_to_space(g: Graph, call: Call) -> str:
    return g.add("DepthToSpace", call.inputs[0], blocksize=int(call["block_size"]))


@converts("space_to_depth")
def _space_to_depth(g: Graph, call: Call) -> str:
    return g.add("SpaceToDepth", call.inputs[0], blocksize=int(call["block_size"]))


@converts("broadcast_to")
def _broadcast_to(g: Graph, call: Call) -> str:
    shape = [n or 1 for n in call["shape"]]  # a length of 1 keeps the input's length
    return g.add("Expand", call.inputs[0], g.ints(*shape))


@converts("broadcast_like")
def _broadcast_like(g: Graph, call: Call) -> str:
    x, like = call.inputs
    if call["lhs_axes"] is None:
        return g.add("Expand", x, g.add("Shape", like))
    target = g.ints(*[1] * call.ndim())
    shape = g.add("Gather", g.add("Shape", like), g.ints(*call["rhs_axes"]), axis=0)
    places = g.unsqueeze(g.ints(*(k % call.ndim() for k in call["lhs_axes"])), 1)
    return g.add("Expand", x, g.add("ScatterND", target, places, shape))


@converts("broadcast_axis")
def _broadcast_axis(g: Graph, call: Call) -> str:
    axes, sizes = (
        one if isinstance(one, (tuple, list)) else (one,) for one in (call["axis"], call["size"])
    )
    shape = [1] * call.ndim()
    for axis, size in zip(axes, sizes):
        shape[axis] = size
    return g.add("Expand", call.inputs[0], g.ints(*shape))


@converts("shape_array")
def _shape_array(g: Graph, call: Call) -> str:
    return g.add("Shape", call.inputs[0])


@converts("size_array")
def _size_array(g: Graph, call: Call) -> str:
    return g.reshape(g.add("Size", call.inputs[0]), 1)


def filled(g: Graph, x: str, value: float, dtype: Any) -> str:
    """As many times `value` as `x` has values."""
    return constant_of(g, g.add("Shape", x), value, dtype)


def constant_of(g: Graph, lengths: str, value: float, dtype: Any) -> str:
    """One value in a shape that the graph computes."""
    tensor = package().numpy_helper.from_array(numpy.array([value], dtype))
    return g.add("ConstantOfShape", lengths, value=tensor)


@converts("zeros_like")
def _zeros_like(g: Graph, call: Call) -> str:
    return filled(g, call.inputs[0], 0, call.dtype())


@converts("ones_like")
def _ones_like(g: Graph, call: Call) -> str:
    return filled(g, call.inputs[0], 1, call.dtype())


@converts("_zeros", "_ones", "_full")
def _made(g: Graph, call: Call) -> str:
    value = {"_zeros": 0, "_ones": 1}.get(call.operator, call.values.get("value", 0))
    shape, dtype = call.out_shapes[0], call["dtype"] or "float32"
    if shape is not None and -1 not in shape:
        return g.add("Identity", g.constant(numpy.full(shape, value, dtype)))
    lengths = g.origins.get(call.node)
    if lengths is None:
        raise call.unsupported("its shape must be known; pass in_shapes")
    parts = [g.ints(n) if isinstance(n, int) else g.length(*n) for n in lengths]
    return constant_of(g, g.add("Concat", *parts, axis=0), value, dtype)


def folded(g: Graph, call: Call) -> str:
    """What needs no input, computed now."""
    assert call.node.op is not None
    return g.add("Identity", g.constant(call.node.op.bound(call.node)().asnumpy()))


CONVERTERS.update(dict.fromkeys(("_arange", "_eye", "_linspace"), folded))


@converts("_contrib_arange_like")
def _arange_like(g: Graph, call: Call) -> str:
    x, axis, count = call.inputs[0], call["axis"], int(call["repeat"])
    line = g.count(g.add("Size", x)) if axis is None else g.places(x, int(axis))
    if count > 1:
        line = g.add("Div", line, g.constant(count, "int64"))
    dtype = call.dtype()
    scaled = g.add("Mul", g.cast(line, dtype), g.constant(call["step"], dtype))
    y = g.add("Add", scaled, g.constant(call["start"], dtype))
    return g.add("Reshape", y, g.add("Shape", x)) if axis is None else y
