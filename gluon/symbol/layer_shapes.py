"""Rules for the shapes of layers and losses; see `shapes`."""

from __future__ import annotations

from math import prod
from typing import Any

from .node import GraphNode
from .shapes import (
    Both,
    Misfit,
    Rule,
    Shape,
    Shapes,
    arguments,
    length,
    merged,
    place,
    size,
    spread,
    tupled,
)

#: What to say of data with other axes than a kernel needs.
_AXES = "; besides those of the kernel, it needs axes of the batch and the channels"


def fully_connected(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The weight follows from the data and the number of units."""
    a = arguments(node)
    units = int(a["num_hidden"])
    data, weight = ins[0], ins[1]
    out: Shape | None
    features = weight[1] if weight and len(weight) == 2 else -1
    if data is not None:
        own = data[-1] if not a["flatten"] else size(data[1:])
        features = features if own < 0 else own
        if not a["flatten"]:
            rest = data[:-1] if outs[0] is None else merged(data[:-1], outs[0][:-1]) or ()
            out = (*rest, units)
            data = (*rest, length(data[-1], features))
        else:
            out = (data[0], units)
            if outs[0] is not None and data[0] < 0:
                data = (outs[0][0], *data[1:])
    else:
        out = (-1, units) if a["flatten"] else None
    return [data, (units, features), *[(units,)] * (len(ins) - 2)], [out]


def windows(spatial: Shape, a: dict[str, Any], kernel: Shape, rounds_up: bool = False) -> Shape:
    """The number of positions of a window along each axis."""
    found = []
    for k, n in enumerate(spatial):
        stride, dilate, pad = (
            (tupled(a.get(key)) or (default,) * len(spatial))[k]
            for key, default in (("stride", 1), ("dilate", 1), ("pad", 0))
        )
        room = n + 2 * pad - dilate * (kernel[k] - 1) - 1
        if n >= 0 and room < 0:
            raise Misfit(f"the kernel {kernel} is larger than the padded data {spatial}")
        found.append(-1 if n < 0 else (room + (stride - 1 if rounds_up else 0)) // stride + 1)
    return tuple(found)


def channels_first(shape: Shape, layout: str | None) -> Shape:
    """A shape with its channels as axis 1."""
    last = layout is not None and str(layout).endswith("C")
    return (shape[0], shape[-1], *shape[1:-1]) if last else shape


def as_layout(shape: Shape, layout: str | None) -> Shape:
    """The reverse of `channels_first`."""
    last = layout is not None and str(layout).endswith("C")
    return (shape[0], *shape[2:], shape[1]) if last else shape


def convolution(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The filters follow from the channels of the data and the kernel."""
    a = arguments(node)
    kernel, layout = tupled(a["kernel"]), a.get("layout")
    filters, groups = int(a["num_filter"]), int(a["num_group"])
    channels, out = -1, None
    extra = len(ins) - 2 - (not a["no_bias"])  # offset and mask precede the weight
    if ins[0] is not None:
        if len(ins[0]) != len(kernel) + 2:
            raise Misfit(f"data of shape {ins[0]} does not fit kernel={kernel}{_AXES}")
        data = channels_first(ins[0], layout)
        channels = data[1]
        if channels >= 0 and channels % groups:
            raise Misfit(f"{channels} channels do not divide into num_group={groups}")
        out = as_layout((data[0], filters, *windows(data[2:], a, kernel)), layout)
    given = ins[0]
    if given is not None and out is not None and outs[0]:
        given = merged(given, _before(outs[0], kernel, channels, a))
        out = (length(out[0], outs[0][0]), *out[1:])
    per = channels // groups if channels >= 0 else -1
    weight = as_layout((filters, per, *kernel), layout)
    between = [
        None if out is None else (out[0], _offsets(a, kernel, k), *out[2:]) for k in range(extra)
    ]
    return [given, *between, weight, *[(filters,)] * (len(ins) - 2 - extra)], [out]


def _before(out: Shape, kernel: Shape, channels: int, a: dict[str, Any]) -> Shape:
    """Return what follows from the output for the data: the batch, and lengths without strides."""
    layout, n = a.get("layout"), len(kernel)
    strides, dilates, pads = (
        spread(a[key], n, default) for key, default in (("stride", 1), ("dilate", 1), ("pad", 0))
    )
    batch, _, *spatial = channels_first(out, layout)
    before = tuple(
        one + d * (k - 1) - 2 * p if one >= 0 and s == 1 else -1
        for one, k, s, d, p in zip(spatial, kernel, strides, dilates, pads)
    )
    return as_layout((batch, channels, *before), layout)


def _offsets(a: dict[str, Any], kernel: Shape, which: int) -> int:
    return (2, 1)[which] * prod(kernel) * int(a["num_deformable_group"])


def deconvolution(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The filters follow from the channels of the data and the kernel."""
    a = arguments(node)
    kernel, layout = tupled(a["kernel"]), a.get("layout")
    filters, groups = int(a["num_filter"]), int(a["num_group"])
    channels, out = -1, None
    if ins[0] is not None:
        data = channels_first(ins[0], layout)
        channels, n = data[1], len(kernel)
        stride, dilate = spread(a["stride"], n, 1), spread(a["dilate"], n, 1)
        pad, adj = spread(a["pad"], n, 0), spread(a["adj"], n, 0)
        target = tupled(a["target_shape"])
        spatial = tuple(
            -1 if one < 0 else s * (one - 1) + d * (k - 1) + 1 - 2 * p + j
            for one, s, d, k, p, j in zip(data[2:], stride, dilate, kernel, pad, adj)
        )
        out = as_layout((data[0], filters, *(target if any(target) else spatial)), layout)
    weight = as_layout((channels, filters // groups, *kernel), layout)
    return [ins[0], weight, *[(filters,)] * (len(ins) - 2)], [out]


def pooling(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Pooling windows of images."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    layout = a.get("layout")
    data = channels_first(ins[0], layout)
    if a["global_pool"]:
        spatial: Shape = (1,) * len(data[2:])
    elif a["pooling_convention"] == "same":
        stride = spread(a["stride"], len(data) - 2, 1)
        spatial = tuple(-1 if n < 0 else -(-n // s) for n, s in zip(data[2:], stride))
    else:
        up = a["pooling_convention"] == "full"
        if len(tupled(a["kernel"])) != len(data) - 2:
            raise Misfit(f"data of shape {ins[0]} does not fit kernel={a['kernel']}{_AXES}")
        spatial = windows(data[2:], a, tupled(a["kernel"]), up)
    return ins, [as_layout((*data[:2], *spatial), layout)]


def normalization(axis_name: str | None = "axis", default: int = 1) -> Rule:
    """Layers with one scale, shift, ... for each position along an axis."""

    def rule(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        a = arguments(node)
        axis = int(a[axis_name]) if axis_name else default
        data = merged(ins[0], outs[0])
        if data is None:
            return ins, outs
        n = data[place(axis, len(data))]
        own: Shape = (n,)
        if n < 0 and ins[1] is not None:
            n = ins[1][0]
            data = tuple(n if k == axis % len(data) else one for k, one in enumerate(data))
        rest = [own if node.op and node.op.name != "LayerNorm" else _narrow(data, axis)]
        return [data, *[own] * (len(ins) - 1)], [data, *rest * (len(outs) - 1)]

    return rule


def _narrow(data: Shape, axis: int) -> Shape:
    return tuple(1 if k == axis % len(data) else one for k, one in enumerate(data))


def group_norm(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """One scale and shift, and statistics, for each group."""
    data = merged(ins[0], outs[0])
    if data is None:
        return ins, outs
    groups = int(arguments(node)["num_groups"])
    statistics = (data[0], groups)
    return [data, *[(groups,)] * (len(ins) - 1)], [data, *[statistics] * (len(outs) - 1)]


def leaky_relu(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """One slope for each channel."""
    data = merged(ins[0], outs[0])
    if data is None or len(ins) == 1:
        return [data, *ins[1:]], [data]
    return [data, ins[1] if ins[1] is not None else (data[1] if len(data) > 1 else 1,)], [data]


def embedding(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """A row for each index."""
    a = arguments(node)
    weight = (int(a["input_dim"]), int(a["output_dim"]))
    out = None if ins[0] is None else (*ins[0], weight[1])
    data = ins[0] if outs[0] is None else merged(ins[0], outs[0][:-1])
    return [data, weight], [out]


def softmax_output(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The labels follow from the scores."""
    a = arguments(node)
    data, label = merged(ins[0], outs[0]), ins[1]
    if data is None:
        return ins, outs
    if label is None or label != data:
        own: Shape
        if a["multi_output"]:
            own = (data[0], *data[2:])
            if label is not None and len(label) == 2 and len(data) > 3:
                own = (data[0], size(data[2:]))
            if label is not None and label[1:2] == (1,) and len(label) == len(data):
                own = (data[0], 1, *data[2:])
        else:
            own = data[:-1] if a["preserve_shape"] else data[:1]
        label = own
    return [data, label], [data]


def regression_output(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """The labels have the shape of the data; an axis of length 1 may be missing."""
    data, label = merged(ins[0], outs[0]), ins[1]
    if data is not None and label is None:
        label = data[:1] if len(data) == 2 and data[1] == 1 else data
    return [data, label], [data]


def svm_output(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """One label for each sample."""
    data = merged(ins[0], outs[0])
    return [data, data and data[:-1]], [data]


def rnn(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Parameters and states follow from the data."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    steps, batch, features = ins[0]
    ways, layers = 1 + bool(a["bidirectional"]), int(a["num_layers"])
    units, gates = int(a["state_size"]), {"lstm": 4, "gru": 3}.get(a["mode"], 1)
    shown = int(a["projection_size"] or 0) or units
    count = -1
    if features >= 0:
        rows = gates * units
        below = shown * ways
        count = ways * rows * (features + shown + 2 + (layers - 1) * (below + shown + 2))
        count += ways * layers * shown * units if a["projection_size"] else 0
    state, cell = (layers * ways, batch, shown), (layers * ways, batch, units)
    own = {"parameters": (count,), "state": state, "state_cell": cell, "sequence_length": (batch,)}
    names = node.input_names
    results = [(steps, batch, shown * ways), state, cell]
    return [ins[0], *(own[key] for key in names[1:])], results[: len(outs)]


LAYERS: dict[str, Rule] = {
    "BatchNorm": normalization(),
    "BatchNorm_v1": normalization(),
    "Convolution": convolution,
    "Convolution_v1": convolution,
    "Deconvolution": deconvolution,
    "Embedding": embedding,
    "FullyConnected": fully_connected,
    "GroupNorm": group_norm,
    "InstanceNorm": normalization(None),
    "LayerNorm": normalization(),
    "LeakyReLU": leaky_relu,
    "LinearRegressionOutput": regression_output,
    "LogisticRegressionOutput": regression_output,
    "MAERegressionOutput": regression_output,
    "Pooling": pooling,
    "Pooling_v1": pooling,
    "RNN": rnn,
    "SVMOutput": svm_output,
    "SoftmaxOutput": softmax_output,
    "_contrib_BatchNormWithReLU": normalization(),
    "_contrib_DeformableConvolution": convolution,
    "_contrib_ModulatedDeformableConvolution": convolution,
    "_contrib_SyncBatchNorm": normalization(None),
}
