"""Rules for shapes: a few for each family serve its operators.

A shape is a tuple of lengths, -1 for one that is unknown, or None where not even the number of axes
is known. A rule takes a node and the shapes of its inputs and outputs, and returns both with what
follows; what does not fit is a `Misfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..nd.custom import find
from .naming import is_hidden
from .node import Node

Shape = tuple[int, ...]
Shapes = Sequence[Shape | None]
Both = tuple[Sequence[Shape | None], Sequence[Shape | None]]
Rule = Callable[[Node, Shapes, Shapes], Both]


class Misfit(Exception):
    """Shapes, or dtypes, contradict each other."""


def full(shape: Shape | None) -> bool:
    """Whether all of a shape is known."""
    return shape is not None and -1 not in shape


def merged(one: Shape | None, other: Shape | None) -> Shape | None:
    """What follows from two statements about one shape."""
    if one is None or other is None:
        return other if one is None else one
    if one == other:
        return one
    if len(one) != len(other):
        raise Misfit(f"shapes {one} and {other} differ")
    return tuple(map(length, one, other))


def length(a: int, b: int) -> int:
    """What follows from two statements about one length."""
    if a != b and a >= 0 and b >= 0:
        raise Misfit(f"lengths {a} and {b} differ")
    return max(a, b)


def size(shape: Shape | Sequence[int]) -> int:
    """The number of values; -1 if unknown."""
    return -1 if any(one < 0 for one in shape) else prod(shape)


def arguments(node: Node) -> dict[str, Any]:
    """The arguments of a node, defaults included."""
    assert node.op is not None
    return {**node.op.attributes, **node.values}


def place(axis: int, ndim: int) -> int:
    """An axis counted from the front."""
    if not -ndim <= axis < ndim:
        raise Misfit(f"axis {axis} of {ndim}")
    return axis % ndim


def tupled(value: Any) -> tuple[Any, ...]:
    """One number, or several, as a tuple; None is empty."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def nothing(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """No shape follows from another."""
    return ins, outs


def alike(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """All inputs and outputs have one shape."""
    found: Shape | None = None
    for one in (*ins, *outs):
        try:
            found = merged(found, one)
        except Misfit:
            break  # whose it is says the caller, who puts what is found so far
    return [found] * len(ins), [found] * len(outs)


def as_first(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """The outputs have the shape of the first input."""
    found = merged(ins[0], outs[0])
    return [found, *ins[1:]], [found] * len(outs)


def broadcast(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """The output has the shape that the inputs broadcast to."""
    if any(one is None for one in ins):
        return ins, outs
    shapes = [one for one in ins if one is not None]
    ndim = max(map(len, shapes))
    found = []
    for k in range(ndim):
        lengths = [s[k - ndim + len(s)] for s in shapes if k - ndim + len(s) >= 0]
        wide = {one for one in lengths if one not in (1, -1)}
        if len(wide) > 1:
            raise Misfit(f"shapes {' and '.join(map(str, shapes))} do not broadcast")
        found.append(wide.pop() if wide else -1 if -1 in lengths else 1)
    return ins, [tuple(found)]


def flag(*shape: int) -> Rule:
    """The output has a fixed shape."""
    return lambda node, ins, outs: (ins, [shape] * len(outs))


# --------------------------------------------------------------------------- reduce


def reduced(shape: Shape, axis: Any, keepdims: bool, exclude: bool = False) -> Shape:
    """A shape without some of its axes: all for None or ()."""
    ndim = len(shape)
    gone = {place(int(k), ndim) for k in tupled(axis)}
    if not gone:
        gone = set() if exclude else set(range(ndim))
    elif exclude:
        gone = set(range(ndim)) - gone
    if keepdims:
        return tuple(1 if k in gone else one for k, one in enumerate(shape))
    return tuple(one for k, one in enumerate(shape) if k not in gone) or (1,)


def reduce(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Sums and the like."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    axis = a.get("axis", a.get("axes"))
    found = reduced(ins[0], axis, bool(a.get("keepdims")), bool(a.get("exclude")))
    return ins, [found] * len(outs)


def picked(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """One value along an axis for each index."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    axis = a.get("axis", -1)
    gone = tuple(range(len(ins[0]))) if axis is None else axis
    index = ins[1] or reduced(ins[0], gone, False)
    return [ins[0], index], [reduced(ins[0], gone, bool(a.get("keepdims")))]


# --------------------------------------------------------------------------- layers


def fully_connected(node: Node, ins: Shapes, outs: Shapes) -> Both:
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
            out = (*data[:-1], units)
            data = (*data[:-1], length(data[-1], features))
        else:
            out = (data[0], units)
            if outs[0] is not None and data[0] < 0:
                data = (outs[0][0], *data[1:])
    else:
        out = (-1, units) if a["flatten"] else None
    return [data, (units, features), *[(units,)] * (len(ins) - 2)], [out]


def windows(spatial: Shape, a: dict[str, Any], kernel: Shape, rounds_up: bool = False) -> Shape:
    """How many positions a window has along each axis."""
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


def spread(value: Any, n: int, default: int) -> tuple[int, ...]:
    """One number for each of `n` axes."""
    given = tupled(value)
    return (given * n if len(given) == 1 else given) or (default,) * n


def convolution(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """The filters follow from the channels of the data and the kernel."""
    a = arguments(node)
    kernel, layout = tupled(a["kernel"]), a.get("layout")
    filters, groups = int(a["num_filter"]), int(a["num_group"])
    channels, out = -1, None
    extra = len(ins) - 2 - (not a["no_bias"])  # offset and mask stand before the weight
    if ins[0] is not None:
        if len(ins[0]) != len(kernel) + 2:
            raise Misfit(f"data of shape {ins[0]} does not fit kernel={kernel}")
        data = channels_first(ins[0], layout)
        channels = data[1]
        if channels >= 0 and channels % groups:
            raise Misfit(f"{channels} channels do not divide into num_group={groups}")
        out = as_layout((data[0], filters, *windows(data[2:], a, kernel)), layout)
    per = channels // groups if channels >= 0 else -1
    weight = as_layout((filters, per, *kernel), layout)
    between = [
        None if out is None else (out[0], _offsets(a, kernel, k), *out[2:]) for k in range(extra)
    ]
    return [ins[0], *between, weight, *[(filters,)] * (len(ins) - 2 - extra)], [out]


def _offsets(a: dict[str, Any], kernel: Shape, which: int) -> int:
    return (2, 1)[which] * prod(kernel) * int(a["num_deformable_group"])


def deconvolution(node: Node, ins: Shapes, outs: Shapes) -> Both:
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


def pooling(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Windows of a picture."""
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
            raise Misfit(f"data of shape {ins[0]} does not fit kernel={a['kernel']}")
        spatial = windows(data[2:], a, tupled(a["kernel"]), up)
    return ins, [as_layout((*data[:2], *spatial), layout)]


def normalization(axis_name: str | None = "axis", default: int = 1) -> Rule:
    """Layers with one scale, shift, ... for each place along an axis."""

    def rule(node: Node, ins: Shapes, outs: Shapes) -> Both:
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


def group_norm(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """One scale and shift for each channel; statistics of each group."""
    data = merged(ins[0], outs[0])
    if data is None:
        return ins, outs
    statistics = (data[0], int(arguments(node)["num_groups"]))
    return [data, *[(data[1],)] * (len(ins) - 1)], [data, *[statistics] * (len(outs) - 1)]


def leaky_relu(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """One slope for each channel."""
    data = merged(ins[0], outs[0])
    if data is None or len(ins) == 1:
        return [data, *ins[1:]], [data]
    return [data, ins[1] if ins[1] is not None else (data[1] if len(data) > 1 else 1,)], [data]


def embedding(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """A row for each number."""
    a = arguments(node)
    weight = (int(a["input_dim"]), int(a["output_dim"]))
    out = None if ins[0] is None else (*ins[0], weight[1])
    data = ins[0] if outs[0] is None else merged(ins[0], outs[0][:-1])
    return [data, weight], [out]


def softmax_output(node: Node, ins: Shapes, outs: Shapes) -> Both:
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


def regression_output(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """The labels have the shape of the data, or less axes where one has length 1."""
    data, label = merged(ins[0], outs[0]), ins[1]
    if data is not None and label is None:
        label = data[:1] if len(data) == 2 and data[1] == 1 else data
    return [data, label], [data]


def svm_output(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """One label for each sample."""
    data = merged(ins[0], outs[0])
    return [data, data and data[:-1]], [data]


def rnn(node: Node, ins: Shapes, outs: Shapes) -> Both:
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


# --------------------------------------------------------------------------- contract


def dot(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """The last axis of one with the first of the other."""
    a = arguments(node)
    if ins[0] is None or ins[1] is None:
        return ins, outs
    lhs, rhs = ins[0], ins[1]
    if len(lhs) == len(rhs) == 1:
        length(lhs[0], rhs[0])
        return ins, [(1,)]
    lhs = (*lhs[1:], lhs[0]) if a["transpose_a"] else lhs
    rhs = (rhs[-1], *rhs[:-1]) if a["transpose_b"] else rhs
    length(lhs[-1], rhs[0])
    return ins, [(*lhs[:-1], *rhs[1:])]


def matrices(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Products of matrices, whose other axes are those of a batch."""
    a = arguments(node)
    if ins[0] is None or ins[1] is None:
        return ins, outs
    lhs, rhs = ins[0], ins[1]
    rows, inner = lhs[-2:][::-1] if a["transpose_a"] else lhs[-2:]
    other, columns = rhs[-2:][::-1] if a["transpose_b"] else rhs[-2:]
    length(inner, other)
    found = (*(merged(lhs[:-2], rhs[:-2]) or ()), rows, columns)
    return [*ins[:2], *[found] * (len(ins) - 2)], [found]


# --------------------------------------------------------------------------- join


def concat(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Arrays one after the other along an axis."""
    axis = int(arguments(node)["dim"])
    known = [one for one in (*ins, *outs) if one is not None]
    if not known:
        return ins, outs
    ndim = len(known[0])
    axis = place(axis, ndim)
    rest: Shape | None = None
    for one in known:
        rest = merged(rest, tuple(-1 if k == axis else n for k, n in enumerate(one)))
    assert rest is not None
    lengths = [-1 if one is None else one[axis] for one in ins]
    total = outs[0][axis] if outs[0] is not None else -1
    if lengths.count(-1) == 1 and total >= 0:
        lengths[lengths.index(-1)] = total - (sum(lengths) + 1)
    total = -1 if -1 in lengths else sum(lengths)

    def along(n: int) -> Shape:
        return tuple(n if k == axis else one for k, one in enumerate(rest))

    return [along(n) for n in lengths], [along(total)]


def stack(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Arrays of one shape along a new axis."""
    found: Shape | None = None
    for one in ins:
        found = merged(found, one)
    if found is None:
        return ins, outs
    axis = place(int(arguments(node)["axis"]), len(found) + 1)
    return [found] * len(ins), [(*found[:axis], len(ins), *found[axis:])]


def custom(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """What the `CustomOpProp` of the operator says, once the shape of the first input is known."""
    a = {key: value for key, value in node.attrs.items() if not is_hidden(key)}
    prop = find(a.pop("op_type"))(**a)
    count = len(prop.list_arguments())
    if not ins or not full(ins[0]):
        return ins, outs
    if any(one is None for one in ins[1:count]) and len(ins) > 1:
        ins = [ins[0], *(one or () for one in ins[1:])]
    given, made, *states = prop.infer_shape([list(one or ()) for one in ins[:count]])
    every = [tuple(one) for one in [*given, *(states[0] if states else ())]]
    return every, [tuple(one) for one in made]


def split(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """Parts of one length."""
    a = arguments(node)
    if ins[0] is None:
        return ins, outs
    axis, count = place(int(a["axis"]), len(ins[0])), int(a["num_outputs"])
    n = ins[0][axis]
    if n >= 0 and n % count:
        raise Misfit(f"axis {axis} of length {n} does not divide into num_outputs={count}")
    part = () if a["squeeze_axis"] else (n // count if n >= 0 else -1,)
    return ins, [(*ins[0][:axis], *part, *ins[0][axis + 1 :])] * count


def creation(node: Node, ins: Shapes, outs: Shapes) -> Both:
    """An array of a given shape."""
    given = tupled(arguments(node)["shape"])
    found = tuple(-1 if one == 0 else one for one in given) or (
        (1,) if not ins and node.op and node.op.name.startswith("_random") else None
    )
    return ins, [merged(found, out) for out in outs]


SCALAR_NAMES = (
    "div equal greater greater_equal hypot lesser lesser_equal logical_and logical_or logical_xor"
    " maximum minimum minus mod mul not_equal plus power rdiv rminus rmod rpower"
).split()
SHAPES: dict[str, Rule] = {
    "BatchNorm": normalization(),
    "BatchNorm_v1": normalization(),
    "Concat": concat,
    "Convolution": convolution,
    "Custom": custom,
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
    "SliceChannel": split,
    "SoftmaxOutput": softmax_output,
    "_contrib_BatchNormWithReLU": normalization(),
    "_contrib_DeformableConvolution": convolution,
    "_contrib_ModulatedDeformableConvolution": convolution,
    "_contrib_SyncBatchNorm": normalization(None),
    "_full": creation,
    "_linalg_gemm": matrices,
    "_linalg_gemm2": matrices,
    "_ones": creation,
    "_zeros": creation,
    "batch_dot": matrices,
    "dot": dot,
    "pick": picked,
    "softmax_cross_entropy": flag(1),
    "stack": stack,
    **dict.fromkeys(
        (
            "Activation BlockGrad Cast Dropout L2Normalization LRN MakeLoss SoftmaxActivation _copy"
            " _contrib_div_sqrt_dim _contrib_gradientmultiplier _contrib_isfinite _contrib_isinf"
            " _contrib_isnan _contrib_quadratic _contrib_round_ste _contrib_sign_ste _linalg_potrf"
            " _linalg_potri _linalg_inverse _shuffle abs amp_cast arccos arccosh arcsin"
            " arcsinh arctan arctanh"
            " cast_storage cbrt ceil clip cos cosh degrees digamma erf erfinv exp expm1 fix"
            " floor full_like gamma gammaln hard_sigmoid identity log log10 log1p log2"
            " log_softmax logical_not make_loss negative ones_like radians rcbrt reciprocal relu"
            " reverse rint round rsqrt sigmoid sign sin sinh smooth_l1 softmin softsign sqrt"
            " square tan tanh trunc zeros_like"
        ).split(),
        alike,
    ),
    **dict.fromkeys([f"_{name}_scalar" for name in SCALAR_NAMES], alike),
    **dict.fromkeys(
        "softmax _contrib_box_nms IdentityAttachKLSparseReg".split(),
        as_first,
    ),
    **dict.fromkeys(
        (
            "_equal _greater _greater_equal _hypot _lesser _lesser_equal _logical_and _logical_or"
            " _logical_xor _maximum _minimum _mod _not_equal _power _grad_add add_n elemwise_add"
            " elemwise_div elemwise_mul elemwise_sub"
        ).split(),
        alike,
    ),
    **dict.fromkeys(
        (
            "broadcast_add broadcast_div broadcast_equal broadcast_greater"
            " broadcast_greater_equal broadcast_hypot broadcast_lesser broadcast_lesser_equal"
            " broadcast_logical_and broadcast_logical_or broadcast_logical_xor"
            " broadcast_maximum broadcast_minimum broadcast_mod broadcast_mul"
            " broadcast_not_equal broadcast_power broadcast_sub"
        ).split(),
        broadcast,
    ),
    **dict.fromkeys(
        ("argmax argmin max mean min moments nanprod nansum norm prod sum").split(),
        reduce,
    ),
}
