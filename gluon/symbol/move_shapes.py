"""Rules for the shapes of operators that move, take, repeat or create values; see `shapes`."""

from __future__ import annotations

from math import ceil, prod
from typing import Any

from ..nd.resample import resized
from ..nd.shape import check_paired
from .node import GraphNode
from .reshape_shapes import PRIME, UNKNOWN, reshape
from .shapes import (
    Both,
    Misfit,
    Rule,
    Shape,
    Shapes,
    arguments,
    creation,
    full,
    length,
    merged,
    one_value,
    place,
    reduced,
    size,
    spread,
    tupled,
)


def forward(rule: Any) -> Rule:
    """A rule that infers only the outputs, from inputs of known shapes.

    ``rule(arguments, *shapes)`` returns one shape, or a list of them.
    """

    def both(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        if any(one is None for one in ins):
            return ins, outs
        found = rule(arguments(node), *ins)
        return ins, found[: len(outs)] if isinstance(found, list) else [found] * len(outs)

    return both


def known(rule: Any) -> Rule:
    """As `forward`, for rules that need every length."""

    def both(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        return forward(rule)(node, ins, outs) if all(map(full, ins)) else (ins, outs)

    return both


def opened(rule: Any) -> Rule:
    """As `known`, for rules of products and shares alone: a length may be unknown.

    It becomes `UNKNOWN`, and so do all lengths computed from it.
    """

    def both(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
        if any(one is None for one in ins):
            return ins, outs
        stood_for = [tuple(UNKNOWN if n < 0 else n for n in one or ()) for one in ins]
        found = forward(rule)(node, stood_for, outs)[1]
        return ins, [shape and tuple(-1 if n >= PRIME else n for n in shape) for shape in found]

    return both


# --------------------------------------------------------------------------- reshape


def _flatten(a: dict[str, Any], data: Shape) -> Shape:
    return (data[0], size(data[1:]))


def _expand(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    axis, data = int(arguments(node)["axis"]), ins[0]
    if outs[0] is not None:
        at = place(axis, len(outs[0]))
        data = merged(data, (*outs[0][:at], *outs[0][at + 1 :]))
    if data is None:
        return ins, outs
    at = place(axis, len(data) + 1)
    return [data], [(*data[:at], 1, *data[at:])]


def _squeeze(a: dict[str, Any], data: Shape) -> Shape | None:
    if a["axis"] is None:
        return (tuple(n for n in data if n != 1) or (1,)) if full(data) else None
    gone = {place(k, len(data)) for k in tupled(a["axis"])}
    for k in gone:
        length(data[k], 1)
    return tuple(n for k, n in enumerate(data) if k not in gone) or (1,)


def _transpose(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    axes = tupled(arguments(node)["axes"])
    known_one = ins[0] if ins[0] is not None else outs[0]
    if known_one is None:
        return ins, outs
    axes = tuple(place(k, len(known_one)) for k in axes) or tuple(range(len(known_one)))[::-1]
    if sorted(axes) != list(range(len(known_one))):
        raise Misfit(f"axes={axes} does not fit data of shape {known_one}")
    back = None if outs[0] is None else tuple(outs[0][axes.index(k)] for k in range(len(axes)))
    data = merged(ins[0], back)
    assert data is not None
    return [data], [tuple(data[k] for k in axes)]


def _swapaxes(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    a = arguments(node)

    def swapped(shape: Shape | None) -> Shape | None:
        if shape is None:
            return None
        one, two = (place(int(a[key] or 0), len(shape)) for key in ("dim1", "dim2"))
        found = list(shape)
        found[one], found[two] = found[two], found[one]
        return tuple(found)

    data = merged(ins[0], swapped(outs[0]))
    return [data], [swapped(data)]


def _reshape_like(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    ends = [a[key] for key in ("lhs_begin", "lhs_end", "rhs_begin", "rhs_end")]
    if ends == [None] * 4:
        return rhs
    return (*lhs[: _part(lhs, *ends[:2]).start], *rhs[_part(rhs, *ends[2:])],
            *lhs[_part(lhs, *ends[:2]).stop :])  # fmt: skip


def _part(shape: Shape, begin: int | None, end: int | None) -> slice:
    start, stop, _ = slice(begin, end).indices(len(shape))
    return slice(start, stop)


# --------------------------------------------------------------------------- parts


def _cut(n: int, begin: Any, end: Any, step: Any = None) -> int:
    return -1 if n < 0 else len(range(*slice(begin, end, step or None).indices(n)))


def _slice(a: dict[str, Any], data: Shape) -> Shape:
    begin, end = tupled(a["begin"]), tupled(a["end"])
    step = tupled(a["step"]) or (None,) * len(begin)
    if len(begin) > len(data) or len(begin) != len(end):
        raise Misfit(f"begin={begin} and end={end} do not fit data of shape {data}")
    found = tuple(map(_cut, data, begin, end, step))
    return (*found, *data[len(found) :])


def _slice_axis(a: dict[str, Any], data: Shape) -> Shape:
    axis = place(int(a["axis"]), len(data))
    return tuple(_cut(n, a["begin"], a["end"]) if k == axis else n for k, n in enumerate(data))


def _slice_like(a: dict[str, Any], data: Shape, like: Shape) -> Shape:
    axes = {place(k, len(data)) for k in tupled(a["axes"])} or set(range(len(data)))
    return tuple(like[k] if k in axes else n for k, n in enumerate(data))


def _split_v2(a: dict[str, Any], data: Shape) -> list[Shape]:
    axis = place(int(a["axis"]), len(data))
    n, sections, squeezed = data[axis], int(a["sections"]), a["squeeze_axis"]
    if sections:
        if n >= 0 and n % sections:
            raise Misfit(f"axis {axis} of length {n} does not divide into {sections} sections")
        lengths = [n // sections if n >= 0 else -1] * sections
    else:
        ends = [*tupled(a["indices"])[1:], None]
        lengths = [_cut(n, begin, end) for begin, end in zip((0, *ends), ends)]
    return [(*data[:axis], *(() if squeezed else (one,)), *data[axis + 1 :]) for one in lengths]


def _take(a: dict[str, Any], data: Shape, indices: Shape) -> Shape:
    axis = place(int(a["axis"]), len(data))
    return (*data[:axis], *indices, *data[axis + 1 :])


def _topk(a: dict[str, Any], data: Shape) -> Shape:
    if a["ret_typ"] == "mask":
        return data
    if a["axis"] is None:
        data = (size(data),)
    axis, k = place(int(a["axis"] if a["axis"] is not None else -1), len(data)), int(a["k"])
    return tuple((k if k > 0 else n) if j == axis else n for j, n in enumerate(data))


def _gathered(a: dict[str, Any], data: Shape, indices: Shape) -> Shape | None:
    if indices[0] < 0:
        return None
    return (*indices[1:], *data[indices[0] :]) or one_value()


def _sort(a: dict[str, Any], data: Shape) -> Shape:
    return (size(data),) if a["axis"] is None else data


def _sequence_last(a: dict[str, Any], data: Shape, *lengths: Shape) -> Shape:
    axis = int(a["axis"])
    return tuple(n for k, n in enumerate(data) if k != axis)


def _with_lengths(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Infer one length per sample; the batch axis is the other one of the first two."""
    data = merged(ins[0], outs[0])
    axis = int(arguments(node).get("axis") or 0)
    lengths = [(data[1 - axis],)] if data is not None else [None]
    return [data, *lengths * (len(ins) - 1)], [data]


def _where(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    found = merged(merged(ins[1], ins[2]), outs[0])
    condition = ins[0]
    if condition is None or len(condition) != 1 or found is None or len(found) == 1:
        condition = merged(condition, found) if condition is None else condition
    return [condition, found, found], [found]


# --------------------------------------------------------------------------- repeated


def _tile(a: dict[str, Any], data: Shape) -> Shape:
    reps = tupled(a["reps"])
    n = max(len(reps), len(data))
    reps, data = (1,) * (n - len(reps)) + reps, (1,) * (n - len(data)) + data
    return tuple(-1 if one < 0 else one * r for one, r in zip(data, reps))


def _repeat(a: dict[str, Any], data: Shape) -> Shape:
    times = int(a["repeats"])
    if a["axis"] is None:
        return (size(data) * times if full(data) else -1,)
    axis = place(int(a["axis"]), len(data))
    return tuple(n * times if k == axis and n >= 0 else n for k, n in enumerate(data))


def _pad(a: dict[str, Any], data: Shape) -> Shape:
    width = tupled(a["pad_width"])
    if len(width) != 2 * len(data):
        raise Misfit(f"pad_width={width} needs two numbers for each axis of {data}")
    pairs = zip(data, width[::2], width[1::2])
    return tuple(-1 if n < 0 else n + before + after for n, before, after in pairs)


def _broadcast_to(a: dict[str, Any], data: Shape) -> Shape:
    wide = tupled(a["shape"])
    if len(wide) != len(data):
        raise Misfit(f"data of shape {data} does not fit shape={wide}")
    for n, m in zip(data, wide):
        if n not in (1, -1) and m not in (n, 0):
            raise Misfit(f"data of shape {data} does not broadcast to shape={wide}")
    return tuple(m or n for n, m in zip(data, wide))


def _broadcast_axis(a: dict[str, Any], data: Shape) -> Shape:
    wide = dict(zip((place(k, len(data)) for k in tupled(a["axis"])), tupled(a["size"])))
    return tuple(wide.get(k, n) for k, n in enumerate(data))


def _broadcast_like(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    if a["lhs_axes"] is None or a["rhs_axes"] is None:  # MXNet ignores a single one
        return rhs
    check_paired(a["lhs_axes"], a["rhs_axes"])
    pairs = zip(tupled(a["lhs_axes"]), tupled(a["rhs_axes"]))
    wide = {place(k, len(lhs)): rhs[place(j, len(rhs))] for k, j in pairs}
    return tuple(wide.get(k, n) for k, n in enumerate(lhs))


def _blocks(a: dict[str, Any], data: Shape, down: bool) -> Shape:
    b = int(a["block_size"])
    n, c, h, w = data
    if down:
        return (n, c * b * b, h // b, w // b)
    return (n, c // (b * b), h * b, w * b)


def _diag(a: dict[str, Any], data: Shape) -> Shape:
    k = int(a["k"])
    if len(data) == 1:
        return (data[0] + abs(k),) * 2
    one, two = place(int(a["axis1"]), len(data)), place(int(a["axis2"]), len(data))
    n, m = data[one] + min(k, 0), data[two] - max(k, 0)
    rest = tuple(one_ for j, one_ in enumerate(data) if j not in (one, two))
    return (*rest, min(n, m))


def _up(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    a = arguments(node)
    scale, first = int(a["scale"]), ins[0]
    if first is None:
        return ins, outs
    n, channels, h, w = first
    wide = tuple(-1 if one < 0 else one * scale for one in (h, w))
    if a["sample_type"] == "bilinear":
        k = 2 * scale - scale % 2
        return [first, *[(channels, 1, k, k)] * (len(ins) - 1)], [(n, channels, *wide)]
    if a["multi_input_mode"] != "sum":
        lengths = [-1 if one is None else one[1] for one in ins]
        channels = -1 if -1 in lengths else sum(lengths)
    return ins, [(n, channels, *wide)]


def _crop(a: dict[str, Any], *shapes: Shape) -> Shape:
    h_w = shapes[1][2:] if len(shapes) > 1 else tupled(a["h_w"])
    return (*shapes[0][:2], *h_w)


# --------------------------------------------------------------------------- made


def _arange(a: dict[str, Any]) -> Shape:
    start, stop = (0.0, a["start"]) if a["stop"] is None else (a["start"], a["stop"])
    return (max(0, ceil((stop - start) / a["step"])) * int(a["repeat"]),)


def _drawn_like(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    """Infer draws per value of the parameters, which share a shape."""
    found: Shape | None = None
    for one in ins:
        found = merged(found, one)
    more = tupled(arguments(node)["shape"])
    return [found] * len(ins), [None if found is None else (*found, *more)] * len(outs)


def _multinomial(a: dict[str, Any], data: Shape) -> Shape:
    return (*data[:-1], *tupled(a["shape"])) or (1,)


def _rois(size_of: str, channels: Any = None) -> Rule:
    """Infer one image per region."""

    def rule(a: dict[str, Any], data: Shape, rois: Shape, *rest: Shape) -> Shape:
        wide = spread(a[size_of], 2, 1)
        return (rois[0], channels(a, data) if channels else data[1], *wide)

    return forward(rule)


def _aligned(a: dict[str, Any], data: Shape) -> int:
    return data[1] // prod(spread(a["pooled_size"], 2, 1)) if a["position_sensitive"] else data[1]


def _like(k: int) -> Rule:
    """The output has the shape of input `k`."""
    return forward(lambda a, *shapes: shapes[k])


def _grid(a: dict[str, Any], data: Shape) -> Shape:
    return (data[0], 2, *(data[2:] if a["transform_type"] == "warp" else tupled(a["target_shape"])))


def _columns(a: dict[str, Any], data: Shape) -> Shape:
    from_ = data[2:]
    kernel = tupled(a["kernel"])
    n = len(kernel)
    stride, dilate = spread(a["stride"], n, 1), spread(a["dilate"], n, 1)
    pad = spread(a["pad"], n, 0)
    counts = [
        (one + 2 * p - d * (k - 1) - 1) // s + 1
        for one, k, s, d, p in zip(from_, kernel, stride, dilate, pad)
    ]
    return (data[0], data[1] * prod(kernel), prod(counts))


def _col2im(a: dict[str, Any], data: Shape) -> Shape:
    return (data[0], data[1] // prod(tupled(a["kernel"])), *tupled(a["output_size"]))


def _syrk(a: dict[str, Any], data: Shape) -> Shape:
    n = data[-1] if a["transpose"] else data[-2]
    return (*data[:-2], n, n)


def _adaptive(a: dict[str, Any], data: Shape) -> Shape:
    return (*data[:2], *spread(a["output_size"], 2, 1))


def _resized(a: dict[str, Any], data: Shape, *like: Shape) -> Shape:
    if a["mode"] == "like":
        return (*data[:2], *like[0][2:])
    scales = (a["scale_height"], a["scale_width"])
    sides = resized(data[2:], None, (int(a["height"]), int(a["width"])), scales, a["mode"])
    return (*data[:2], *map(int, sides))


def _image(a: dict[str, Any], data: Shape) -> Shape:
    """Infer an image with its channels first."""
    return (*data[:-3], data[-1], *data[-3:-1])


def _attention(a: dict[str, Any], *shapes: Shape) -> Shape:
    queries, batch = shapes[0][:2]
    return (batch * int(a["heads"]), queries, shapes[-1][0])


def _attended(parts: int) -> Rule:
    def rule(a: dict[str, Any], values: Shape, attention: Shape) -> Shape:
        return (attention[1], values[1], values[2] // parts)

    return opened(rule)


_DRAWN = (
    "exponential gamma generalized_negative_binomial negative_binomial normal poisson uniform"
).split()
MOVES: dict[str, Rule] = {
    "BilinearSampler": forward(lambda a, data, grid: (*data[:2], *grid[2:])),
    "CTCLoss": forward(lambda a, data, *rest: (data[1],)),
    "Crop": forward(_crop),
    "Flatten": forward(_flatten),
    "GridGenerator": forward(_grid),
    "Pad": forward(_pad),
    "ROIPooling": _rois("pooled_size"),
    "Reshape": reshape,
    "SequenceLast": forward(_sequence_last),
    "SequenceMask": _with_lengths,
    "SequenceReverse": _with_lengths,
    "SpatialTransformer": forward(lambda a, d, loc: (*d[:2], *tupled(a["target_shape"]))),
    "SwapAxis": _swapaxes,
    "UpSampling": _up,
    "_arange": forward(_arange),
    "_contrib_AdaptiveAvgPooling2D": forward(_adaptive),
    "_contrib_BilinearResize2D": opened(_resized),
    "_contrib_MultiBoxDetection": forward(lambda a, c, loc, anchor: (c[0], anchor[1], 6)),
    "_contrib_PSROIPooling": forward(
        lambda a, d, r: (r[0], int(a["output_dim"]), *spread(a["pooled_size"], 2, 1))
    ),
    "_contrib_ROIAlign": _rois("pooled_size", _aligned),
    "_contrib_RROIAlign": _rois("pooled_size"),
    "_contrib_arange_like": forward(
        lambda a, d: d if a["axis"] is None else (d[place(int(a["axis"]), len(d))],)
    ),
    "_contrib_box_decode": _like(0),
    "_contrib_box_encode": forward(lambda a, s, m, anchors, *rest: (*anchors[:1], *s[1:], 4)),
    "_contrib_box_iou": forward(lambda a, lhs, rhs: (*lhs[:-1], *rhs[:-1])),
    "_contrib_count_sketch": forward(lambda a, d, h, s: (*d[:-1], int(a["out_dim"]))),
    "_contrib_fft": opened(lambda a, d: (*d[:-1], 2 * d[-1])),
    "_contrib_ifft": opened(lambda a, d: (*d[:-1], d[-1] // 2)),
    "_contrib_index_array": forward(
        lambda a, d: (*d, len(tupled(a["axes"])) or len(d)),
    ),
    "_contrib_index_copy": _like(0),
    "_contrib_allclose": forward(lambda a, *shapes: ()),
    "_contrib_interleaved_matmul_encdec_qk": opened(_attention),
    "_contrib_interleaved_matmul_encdec_valatt": _attended(2),
    "_contrib_interleaved_matmul_selfatt_qk": opened(_attention),
    "_contrib_interleaved_matmul_selfatt_valatt": _attended(3),
    "_eye": forward(lambda a: (int(a["N"]), int(a["M"]) or int(a["N"]))),
    "_histogram": forward(
        lambda a, d, *bins: [(n := (int(a["bin_cnt"]) if not bins else bins[0][0] - 1),), (n + 1,)]
    ),
    "_image_crop": forward(lambda a, d: (*d[:-3], int(a["height"]), int(a["width"]), d[-1])),
    "_image_to_tensor": forward(_image),
    "_linalg_det": forward(lambda a, d: d[:-2] or (1,)),
    "_linalg_extractdiag": opened(lambda a, d: (*d[:-2], d[-1] - abs(int(a["offset"])))),
    "_linalg_gelqf": forward(lambda a, d: [d, (*d[:-1], d[-2])]),
    "_linalg_makediag": opened(lambda a, d: (*d[:-1], *(d[-1] + abs(int(a["offset"])),) * 2)),
    "_linalg_slogdet": forward(lambda a, d: d[:-2] or (1,)),
    "_linalg_sumlogdiag": forward(lambda a, d: d[:-2] or (1,)),
    "_linalg_syevd": forward(lambda a, d: [d, d[:-1]]),
    "_linalg_syrk": forward(_syrk),
    "_linalg_trmm": _like(1),
    "_linalg_trsm": _like(1),
    "_linspace": forward(lambda a: (int(a["num"]),)),
    "_ravel_multi_index": forward(lambda a, d: d[1:] or one_value()),
    "_sample_multinomial": forward(_multinomial),
    "_split_v2": forward(_split_v2),
    "_unravel_index": forward(lambda a, d: (len(tupled(a["shape"])), *d)),
    "all_finite": forward(lambda a, d: (1,)),
    "argmax_channel": forward(lambda a, d: reduced(d, 1, False)),
    "argsort": forward(_sort),
    "batch_take": forward(lambda a, d, indices: indices),
    "broadcast_axis": forward(_broadcast_axis),
    "broadcast_like": forward(_broadcast_like),
    "broadcast_to": forward(_broadcast_to),
    "col2im": forward(_col2im),
    "depth_to_space": opened(lambda a, d: _blocks(a, d, False)),
    "diag": known(_diag),
    "expand_dims": _expand,
    "fill_element_0index": _like(0),
    "gather_nd": forward(_gathered),
    "im2col": opened(_columns),
    "khatri_rao": opened(lambda a, *s: (prod(one[0] for one in s), s[0][1])),
    "multi_all_finite": forward(lambda a, *shapes: (1,)),
    "multi_sum_sq": forward(lambda a, *shapes: (len(shapes),)),
    "one_hot": forward(lambda a, d: (*d, int(a["depth"]))),
    "repeat": forward(_repeat),
    "reshape_like": forward(_reshape_like),
    "scatter_nd": forward(lambda a, *shapes: tupled(a["shape"])),
    "shape_array": forward(lambda a, d: (len(d),)),
    "size_array": forward(lambda a, d: (1,)),
    "slice": forward(_slice),
    "slice_axis": forward(_slice_axis),
    "slice_like": forward(_slice_like),
    "sort": forward(_sort),
    "space_to_depth": opened(lambda a, d: _blocks(a, d, True)),
    "squeeze": forward(_squeeze),
    "take": forward(_take),
    "tile": forward(_tile),
    "topk": forward(_topk),
    "transpose": _transpose,
    "where": _where,
    "_np_cumsum": forward(lambda a, d: d if a["axis"] is not None else (size(d),)),
    **{f"_random_{name}": creation for name in (*_DRAWN, "randint")},
    **{f"_sample_{name}": _drawn_like for name in _DRAWN},
    **{f"_random_pdf_{name}": _like(0) for name in (*_DRAWN, "dirichlet") if name != "dirichlet"},
}
