"""Layers: products, convolutions, poolings, normalization, softmax."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy

from .builder import Call, Graph, converts

Convert = Callable[[Graph, Call], str]


def spread(value: Any, rank: int, default: int) -> list[int]:
    """One number for each axis."""
    if value is None or value == ():
        return [default] * rank
    return list(value) if isinstance(value, (tuple, list)) else [value] * rank


@converts("FullyConnected")
def _fully_connected(g: Graph, call: Call) -> str:
    x, weight = call.inputs[:2]
    bias = call.input("bias")
    rank = call.ndim()
    if call["flatten"] or rank == 2:
        x = x if rank == 2 else g.add("Flatten", x, axis=1)
        return g.add("Gemm", x, weight, *([bias] if bias else []), transB=1)
    y = g.add("MatMul", x, g.add("Transpose", weight, perm=[1, 0]))
    return g.add("Add", y, bias) if bias else y


def channels_first(images: int) -> Callable[[Convert], Convert]:
    """Let a converter see channels first, as ONNX has them, in the first `images` inputs."""

    def of(convert: Convert) -> Convert:
        def converted(g: Graph, call: Call) -> str:
            if not str(call.values.get("layout")).endswith("C"):
                return convert(g, call)
            order = [0, call.ndim() - 1, *range(1, call.ndim() - 1)]
            turned = copy.copy(call)
            turned.inputs, turned.shapes = list(call.inputs), list(call.shapes)
            for k in range(images):
                call.ndim(k)
                turned.inputs[k] = g.add("Transpose", call.inputs[k], perm=order)
                turned.shapes[k] = tuple(call.shapes[k][axis] for axis in order)
            y = convert(g, turned)
            return g.add("Transpose", y, perm=[0, *range(2, call.ndim()), 1])

        return converted

    return of


@converts("Convolution", "Convolution_v1")
@channels_first(2)
def _convolution(g: Graph, call: Call) -> str:
    kernel = list(call["kernel"])
    rank = len(kernel)
    return g.add(
        "Conv",
        *call.inputs,
        kernel_shape=kernel,
        strides=spread(call["stride"], rank, 1),
        dilations=spread(call["dilate"], rank, 1),
        pads=spread(call["pad"], rank, 0) * 2,
        group=int(call["num_group"]),
    )


@converts("Deconvolution")
@channels_first(2)
def _deconvolution(g: Graph, call: Call) -> str:
    kernel = list(call["kernel"])
    rank = len(kernel)
    stride, dilate = spread(call["stride"], rank, 1), spread(call["dilate"], rank, 1)
    pad, adj = spread(call["pad"], rank, 0), spread(call["adj"], rank, 0)
    pads = pad * 2
    target = call["target_shape"]
    if target and any(target):
        adj = [0] * rank
        pads = [0] * 2 * rank
        for k in range(rank):
            reach = (call.length(2 + k) - 1) * stride[k] + (kernel[k] - 1) * dilate[k] + 1
            total = reach - target[k]
            adj[k] = total % 2 if total >= 0 else -total
            pads[k] = pads[rank + k] = max(0, (total + 1) // 2)
    return g.add(
        "ConvTranspose",
        *call.inputs,
        kernel_shape=kernel,
        strides=stride,
        dilations=dilate,
        pads=pads,
        output_padding=adj,
        group=int(call["num_group"]),
    )


@converts("BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU")
def _batch_norm(g: Graph, call: Call) -> Any:
    x, gamma, beta, mean, var = call.inputs
    if call["fix_gamma"]:
        gamma = g.constant(numpy.ones(call.length(0, 1), call.dtype(1)))
    rank, axis = call.ndim(), int(call.values.get("axis", 1)) % call.ndim()
    order = [k for k in range(rank) if k != axis]
    order.insert(1, axis)
    if axis != 1:
        x = g.add("Transpose", x, perm=order)
    stats = [gamma, beta, mean, var]
    if g.opset < 15 and call.dtype(0) != call.dtype(1):  # all inputs must have one dtype
        stats = [g.cast(one, call.dtype(0)) for one in stats]
    y = g.add(
        "BatchNormalization",
        x,
        *stats,
        epsilon=float(call["eps"]),
        momentum=float(call["momentum"]),
    )
    if axis != 1:
        y = g.add("Transpose", y, perm=[order.index(k) for k in range(rank)])
    y = g.add("Relu", y) if call.operator == "_contrib_BatchNormWithReLU" else y
    if not call.values.get("output_mean_var"):
        return y
    inner = g.add("Add", var, g.constant(call["eps"], call.dtype(4)))
    return [y, g.add("Identity", mean), g.add("Reciprocal", g.add("Sqrt", inner))]


@converts("LayerNorm")
def _layer_norm(g: Graph, call: Call) -> Any:
    x, gamma, beta = call.inputs
    rank, axis = call.ndim(), call.axis()
    if axis == rank - 1 and g.opset >= 17 and not call["output_mean_var"]:
        return g.add("LayerNormalization", x, gamma, beta, epsilon=float(call["eps"]))
    y, *stats = _normalized(g, call, x, axis)
    after = range(1, rank - axis)
    gamma, beta = (g.unsqueeze(one, *after) if after else one for one in (gamma, beta))
    y = g.add("Add", g.add("Mul", y, gamma), beta)
    return [y, *stats] if call["output_mean_var"] else y


def _normalized(g: Graph, call: Call, x: str, axis: int) -> list[str]:
    """Normalize `x` to mean 0 and variance 1 along an axis; also return mean and deviation."""
    mean = g.reduce("ReduceMean", x, [axis], True)
    rest = g.add("Sub", x, mean)
    var = g.reduce("ReduceMean", g.add("Mul", rest, rest), [axis], True)
    root = g.add("Sqrt", g.add("Add", var, g.constant(call["eps"], call.dtype())))
    return [g.add("Div", rest, root), mean, root]


@converts("GroupNorm")
def _group_norm(g: Graph, call: Call) -> Any:
    x, gamma, beta = call.inputs
    groups, rank = int(call["num_groups"]), call.ndim()
    parts = g.reshape(x, 0, groups, -1)
    y, *stats = _normalized(g, call, parts, 2)
    y = g.add("Reshape", y, g.add("Shape", x))
    if call.length(0, 1) == groups and groups != call.length(1):
        each = call.length(1) // groups
        gamma, beta = (
            g.reshape(g.add("Tile", g.unsqueeze(one, 1), g.ints(1, each)), -1)
            for one in (gamma, beta)
        )
    gamma, beta = (g.unsqueeze(one, *range(1, rank - 1)) for one in (gamma, beta))
    y = g.add("Add", g.add("Mul", y, gamma), beta)
    return [y, *(g.squeeze(one, 2) for one in stats)] if call["output_mean_var"] else y


@converts("InstanceNorm")
def _instance_norm(g: Graph, call: Call) -> str:
    return g.add("InstanceNormalization", *call.inputs, epsilon=float(call["eps"]))


@converts("L2Normalization")
def _l2_normalization(g: Graph, call: Call) -> str:
    axes = {
        "channel": [1],
        "instance": list(range(1, call.ndim())),
        "spatial": list(range(2, call.ndim())),
    }[call["mode"]]
    x = call.inputs[0]
    total = g.add("Mul", x, x)
    total = g.reduce("ReduceSum", total, axes, True) if axes else total
    inner = g.add("Add", total, g.constant(call["eps"], call.dtype()))
    return g.add("Div", x, g.add("Sqrt", inner))


@converts("LRN")
def _lrn(g: Graph, call: Call) -> str:
    return g.add(
        "LRN",
        call.inputs[0],
        size=int(call["nsize"]),
        alpha=float(call["alpha"]),
        beta=float(call["beta"]),
        bias=float(call["knorm"]),
    )


@converts("Dropout")
def _dropout(g: Graph, call: Call) -> str:
    return g.add("Identity", call.inputs[0])


def _softmax(g: Graph, call: Call, kind: str, x: str) -> str:
    dtype, axis = call.dtype(), int(call["axis"])
    if call["temperature"]:
        x = g.add("Div", x, g.constant(call["temperature"], dtype))
    if call.values.get("use_length"):
        x = _masked(g, call, x, call.axis(), float("-inf"), dtype)
        y = g.add(kind, x, axis=axis)
        y = g.add("Where", g.add("IsNaN", y), g.constant(0, dtype), y)
    else:
        y = g.add(kind, x, axis=axis)
    return y if call["dtype"] is None else g.cast(y, numpy.dtype(call["dtype"]))


def _masked(g: Graph, call: Call, x: str, axis: int, value: float, dtype: Any) -> str:
    """Replace `x` by `value` beyond the lengths, which have the shape of `x` without `axis`."""
    rank = call.ndim()
    steps = g.places(call.inputs[0], axis)
    if axis < rank - 1:
        steps = g.unsqueeze(steps, *range(1, rank - axis))
    limits = g.cast(call.inputs[1], "int64")
    if call.ndim(1) < rank:
        limits = g.unsqueeze(limits, axis)
    return g.add("Where", g.add("Less", steps, limits), x, g.constant(value, dtype))


@converts("softmax")
def _softmax_of(g: Graph, call: Call) -> str:
    return _softmax(g, call, "Softmax", call.inputs[0])


@converts("log_softmax")
def _log_softmax(g: Graph, call: Call) -> str:
    return _softmax(g, call, "LogSoftmax", call.inputs[0])


@converts("softmin")
def _softmin(g: Graph, call: Call) -> str:
    return _softmax(g, call, "Softmax", g.add("Neg", call.inputs[0]))


@converts("SoftmaxActivation")
def _softmax_activation(g: Graph, call: Call) -> str:
    return g.add("Softmax", call.inputs[0], axis=1 if call["mode"] == "channel" else -1)


@converts("SoftmaxOutput")
def _softmax_output(g: Graph, call: Call) -> str:
    x = call.inputs[0]
    if call["multi_output"]:
        return g.add("Softmax", x, axis=1)
    if call["preserve_shape"] or call.ndim() == 2:
        return g.add("Softmax", x, axis=-1)
    flat = g.add("Softmax", g.add("Flatten", x, axis=1), axis=1)
    return g.add("Reshape", flat, g.add("Shape", x))


@converts("softmax_cross_entropy")
def _cross_entropy(g: Graph, call: Call) -> str:
    labels = g.cast(call.inputs[1], "int64")
    loss = g.add("SoftmaxCrossEntropyLoss", call.inputs[0], labels, reduction="sum")
    return g.reshape(loss, 1)


@converts("dot")
def _dot(g: Graph, call: Call) -> str:
    a, b = call.inputs
    ranks = call.ndim(0), call.ndim(1)
    if call["transpose_a"] and ranks[0] > 1:
        a = g.add("Transpose", a, perm=[*range(1, ranks[0]), 0] if ranks[0] > 2 else [1, 0])
    if call["transpose_b"] and ranks[1] > 1:
        b = g.add("Transpose", b, perm=[ranks[1] - 1, *range(ranks[1] - 1)])
    if ranks == (1, 1):
        return g.reshape(g.add("MatMul", a, b), 1)
    if ranks[1] == 1 and call["transpose_a"]:  # a column: onnxruntime fuses a vector wrongly
        return g.squeeze(g.add("MatMul", a, g.unsqueeze(b, 1)), -1)
    if ranks[1] <= 2:
        return g.add("MatMul", a, b)
    shape = call.out_shapes[0]
    if shape is None or list(shape).count(-1) > 1:
        raise call.unsupported("the shapes of its inputs must be known; pass in_shapes")
    shapes = call.shapes[1]
    rows = shapes[-1] if call["transpose_b"] else shapes[0]
    return g.reshape(g.add("MatMul", a, g.reshape(b, rows, -1)), *shape)


@converts("batch_dot")
def _batch_dot(g: Graph, call: Call) -> str:
    rank = call.ndim()
    order = [*range(rank - 2), rank - 1, rank - 2]
    a, b = (
        g.add("Transpose", x, perm=order) if call[f"transpose_{name}"] else x
        for x, name in zip(call.inputs, "ab")
    )
    return g.add("MatMul", a, b)


@converts("_linalg_gemm2", "_linalg_gemm")
def _gemm(g: Graph, call: Call) -> str:
    rank = call.ndim()
    order = [k for k in range(rank) if k != call.axis()]
    order.insert(rank - 2, call.axis())  # rows come before columns
    moved = order != list(range(rank))
    own = copy.copy(call)
    own.inputs = [g.add("Transpose", x, perm=order) if moved else x for x in call.inputs]
    y = _batch_dot(g, own)
    if call["alpha"] != 1:
        y = g.add("Mul", y, g.constant(call["alpha"], call.dtype()))
    if len(own.inputs) > 2:
        last = own.inputs[2]
        if call["beta"] != 1:
            last = g.add("Mul", last, g.constant(call["beta"], call.dtype()))
        y = g.add("Add", y, last)
    return g.add("Transpose", y, perm=[order.index(k) for k in range(rank)]) if moved else y


@converts("_linalg_det")
def _det(g: Graph, call: Call) -> str:
    return g.with_axis(g.add("Det", call.inputs[0]), call.ndim() - 2)


@converts("SequenceMask")
def _sequence_mask(g: Graph, call: Call) -> str:
    if not call["use_sequence_length"]:
        return g.add("Identity", call.inputs[0])
    axis, rank = call.axis(), call.ndim()
    steps = g.unsqueeze(g.places(call.inputs[0], axis), *(k for k in range(rank) if k != axis))
    limits = g.cast(call.inputs[1], "int64")
    limits = g.unsqueeze(limits, *(k for k in range(rank) if k != 1 - axis))
    inside = g.add("Less", steps, limits)
    return g.add("Where", inside, call.inputs[0], g.constant(call["value"], call.dtype()))


@converts("SequenceReverse")
def _sequence_reverse(g: Graph, call: Call) -> str:
    if not call["use_sequence_length"]:
        return g.slice(call.inputs[0], [-1], [-(2**31)], [0], [-1])
    lengths = g.cast(call.inputs[1], "int64")
    return g.add("ReverseSequence", call.inputs[0], lengths, time_axis=0, batch_axis=1)


@converts("SequenceLast")
def _sequence_last(g: Graph, call: Call) -> str:
    axis = call.axis()
    if not call["use_sequence_length"]:
        return g.add("Gather", call.inputs[0], g.constant(-1, "int64"), axis=axis)
    x = call.inputs[0]
    if axis == 0:
        x = g.add("Transpose", x, perm=[1, 0, *range(2, call.ndim())])
    last = g.add("Sub", g.cast(call.inputs[1], "int64"), g.constant(1, "int64"))
    return g.add("GatherND", x, g.unsqueeze(last, 1), batch_dims=1)
