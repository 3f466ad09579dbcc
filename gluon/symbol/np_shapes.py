"""Rules for the shapes of the operators behind `gluon.symbol.np`; see `shapes`."""

from __future__ import annotations

from math import ceil
from typing import Any

from .._core.errors import ArgumentError
from ..np.codes import lengths_meant
from .move_shapes import MOVES, PRIME, UNKNOWN, forward, known, opened
from .node import GraphNode
from .np_operators import DRAWS
from .shapes import (
    Both,
    Misfit,
    Rule,
    Shape,
    Shapes,
    alike,
    arguments,
    check_axes,
    concat,
    full,
    length,
    merged,
    place,
    reduced,
    size,
    stack,
    tupled,
)


def _reduced(data: Shape, axis: Any, keepdims: Any = False) -> Shape:
    """Return a shape without some of its axes: all for None, none for ()."""
    if axis == ():
        return data
    found = reduced(data, axis, bool(keepdims))
    gone = not keepdims and (axis is None or len(tupled(axis)) == len(data))
    return () if gone else found


def _reduce(a: dict[str, Any], data: Shape) -> Shape:
    return _reduced(data, a["axis"], a.get("keepdims"))


def _dot(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    if not lhs or not rhs:
        return lhs or rhs
    inner = rhs[-2] if len(rhs) > 1 else rhs[0]
    length(lhs[-1], inner)
    return (*lhs[:-1], *(rhs[:-2] + rhs[-1:] if len(rhs) > 1 else ()))


def _wide(*shapes: Shape) -> Shape:
    """Return the broadcast shape."""
    ndim = max(map(len, shapes))
    found = []
    for column in zip(*((1,) * (ndim - len(one)) + one for one in shapes)):
        wide = {n for n in column if n not in (1, -1)}
        if len(wide) > 1:
            raise Misfit(f"shapes {' and '.join(map(str, shapes))} do not broadcast")
        found.append(wide.pop() if wide else -1 if -1 in column else 1)
    return tuple(found)


def _matmul(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    if len(lhs) < 2 or len(rhs) < 2:
        return _dot(a, lhs, rhs)
    length(lhs[-1], rhs[-2])
    return (*_wide(lhs[:-2], rhs[:-2]), lhs[-2], rhs[-1])


def _concatenate(node: GraphNode, ins: Shapes, outs: Shapes) -> Both:
    if arguments(node)["axis"] is not None:
        return concat(node, ins, outs)
    sizes = [-1 if one is None else size(one) for one in ins]
    return ins, [(-1 if -1 in sizes else sum(sizes),)]


def _along(axis: int, least: int, wide: Any = None) -> Rule:
    """Concatenate arrays, after `wide` gave each enough axes."""

    def rule(a: dict[str, Any], *shapes: Shape) -> Shape:
        wider = [wide(one) if wide and len(one) < least else one for one in shapes]
        along = 0 if axis and len(wider[0]) == 1 else axis
        lengths = [one[along] for one in wider]
        rest: Shape | None = None
        for one in wider:
            rest = merged(rest, tuple(-1 if k == along else n for k, n in enumerate(one)))
        total = -1 if -1 in lengths else sum(lengths)
        return tuple(total if k == along else n for k, n in enumerate(rest or ()))

    return forward(rule)


def _row(one: Shape) -> Shape:
    return (1, *(one or (1,)))


def _column(one: Shape) -> Shape:
    return (*(one or (1,)), 1)


def _deep(one: Shape) -> Shape:
    return (*_row(one), 1) if len(one) < 2 else (*one, 1)


def _line(one: Shape) -> Shape:
    return one or (1,)


def _at_least(wide: Any, least: int) -> Rule:
    return forward(lambda a, one: one if len(one) >= least else wide(one))


def _reshape(a: dict[str, Any], data: Shape) -> Shape | None:
    check_axes(tupled(a["newshape"]))
    stood_for = tuple(UNKNOWN if n < 0 else n for n in data)
    try:
        lengths = lengths_meant(stood_for, tupled(a["newshape"]), bool(a.get("reverse")))
    except ArgumentError:
        if full(data):
            raise
        return None
    return tuple(-1 if n and n % PRIME == 0 else n for n in lengths)


def _squeeze(a: dict[str, Any], data: Shape) -> Shape | None:
    if a["axis"] is None:
        return tuple(n for n in data if n != 1) if full(data) else None
    gone = {place(k, len(data)) for k in tupled(a["axis"])}
    for k in gone:
        length(data[k], 1)
    return tuple(n for k, n in enumerate(data) if k not in gone)


def _moveaxis(a: dict[str, Any], data: Shape) -> Shape:
    starts, ends = (
        [place(k, len(data)) for k in tupled(a[key])] for key in ("source", "destination")
    )
    moves = dict(zip(ends, starts))
    rest = iter(k for k in range(len(data)) if k not in starts)
    return tuple(data[moves[k] if k in moves else next(rest)] for k in range(len(data)))


def _diagonal(a: dict[str, Any], data: Shape) -> Shape:
    one, two = place(int(a["axis1"]), len(data)), place(int(a["axis2"]), len(data))
    rest = tuple(n for k, n in enumerate(data) if k not in (one, two))
    k = int(a["offset"])
    return (*rest, max(0, min(data[one] + min(k, 0), data[two] - max(k, 0))))


def _diag(a: dict[str, Any], data: Shape) -> Shape:
    k = int(a["k"])
    if len(data) == 1:
        return (data[0] + abs(k),) * 2
    return _diagonal({"axis1": 0, "axis2": 1, "offset": k}, data)


def _tensordot(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    gone, other = (
        [place(k, len(one)) for k in tupled(a[key])]
        for key, one in (("a_axes_summed", lhs), ("b_axes_summed", rhs))
    )
    for k, j in zip(gone, other):
        length(lhs[k], rhs[j])
    left = [n for k, n in enumerate(lhs) if k not in gone]
    return (*left, *(n for k, n in enumerate(rhs) if k not in other))


def _tensordot_last(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    n = int(a["axes"])
    merged(lhs[len(lhs) - n :], rhs[:n])
    return (*lhs[: len(lhs) - n], *rhs[n:])


def _einsum(a: dict[str, Any], *shapes: Shape) -> Shape | None:
    terms, arrow, result = a["subscripts"].replace(" ", "").partition("->")
    if "." in terms:
        return None
    lengths: dict[str, int] = {}
    shown = a["subscripts"][:200]
    for term, shape in zip(terms.split(","), shapes):
        if len(term) != len(shape):
            raise Misfit(f"subscripts={shown!r} do not fit shape {shape}")
        for label, n in zip(term, shape):
            lengths[label] = length(lengths.get(label, -1), n)
    if not arrow:
        result = "".join(sorted(one for one in lengths if terms.count(one) == 1))
    if unknown := set(result) - set(lengths):
        raise Misfit(f"subscripts={shown!r} have {unknown.pop()!r} in the result alone")
    return tuple(lengths[label] for label in result)


def _percentile(a: dict[str, Any], data: Shape, *q: Shape) -> Shape:
    return (*(q[0] if q else ()), *_reduce(a, data))


def _diff(a: dict[str, Any], data: Shape) -> Shape:
    axis = place(int(a["axis"]), len(data))
    return tuple(max(0, n - int(a["n"])) if k == axis else n for k, n in enumerate(data))


def _pad(a: dict[str, Any], data: Shape) -> Shape:
    width = a["pad_width"]
    pairs = [(width, width)] if isinstance(width, int) else list(width)
    pairs = pairs * len(data) if len(pairs) == 1 else pairs
    return tuple(-1 if n < 0 else n + one + two for n, (one, two) in zip(data, pairs))


def _rot90(a: dict[str, Any], data: Shape) -> Shape:
    one, two = (place(k, len(data)) for k in a["axes"])
    found = list(data)
    if int(a["k"]) % 2:
        found[one], found[two] = found[two], found[one]
    return tuple(found)


def _shape_given(a: dict[str, Any]) -> Shape:
    return tuple(tupled(a["shape"]))


def _arange(a: dict[str, Any]) -> Shape:
    start, stop = (0.0, a["start"]) if a["stop"] is None else (a["start"], a["stop"])
    return (max(0, ceil((stop - start) / a["step"])),)


def _svd(a: dict[str, Any], data: Shape) -> list[Shape]:
    *batch, m, n = data
    k = min(m, n)
    return [(*batch, m, k), (*batch, k), (*batch, k, n)]


def _drawn(a: dict[str, Any], *parameters: Shape) -> Shape:
    return tuple(tupled(a["size"])) if a["size"] is not None else _wide((), *parameters)


def _tensorsolve(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape | None:
    return lhs[len(rhs) :] if a.get("axes") is None else None


def _solve(a: dict[str, Any], lhs: Shape, rhs: Shape) -> Shape:
    return rhs


NP_SHAPES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "_np_copy _np_roll _npi_around _npi_cholesky _npi_flip _npi_full_like _npi_nan_to_num"
            " _npi_tril _npi_where_scalar2"
        ).split(),
        alike,
    ),
    **dict.fromkeys(
        (
            "_np_all _np_any _np_max _np_min _np_prod _np_sum _npi_argmax _npi_argmin _npi_mean"
            " _npi_norm _npi_std _npi_var"
        ).split(),
        forward(_reduce),
    ),
    **dict.fromkeys([f"_npi_{name}" for name in DRAWS], forward(_drawn)),
    **dict.fromkeys(
        ("_npi_where", "_npi_where_lscalar", "_npi_where_rscalar"),
        forward(lambda a, *shapes: _wide(*shapes)),
    ),
    **dict.fromkeys(
        [f"_npi_{name}" for name in ("blackman", "hamming", "hanning")],
        forward(lambda a: (int(a["M"]),)),
    ),
    "_np_atleast_1d": _at_least(_line, 1),
    "_np_atleast_2d": _at_least(_row, 2),
    "_np_atleast_3d": _at_least(_deep, 3),
    "_np_diag": known(_diag),
    "_np_diagflat": known(lambda a, d: (size(d) + abs(int(a["k"])),) * 2),
    "_np_diagonal": known(_diagonal),
    "_np_dot": forward(_dot),
    "_np_moveaxis": forward(_moveaxis),
    "_np_reshape": forward(_reshape),
    "_np_squeeze": forward(_squeeze),
    "_np_trace": known(lambda a, d: _diagonal(a, d)[:-1]),
    "_np_transpose": MOVES["transpose"],
    "_npi_arange": forward(_arange),
    "_npi_average": forward(lambda a, d, *w: _reduce(a, d)),
    "_npi_broadcast_to": forward(lambda a, d: _wide(d, tupled(a["shape"]))),
    "_npi_column_stack": _along(1, 2, _column),
    "_npi_concatenate": _concatenate,
    "_npi_diff": opened(_diff),
    "_npi_dsplit": MOVES["_split_v2"],
    "_npi_dstack": _along(2, 3, _deep),
    "_npi_eig": forward(lambda a, d: [d[:-1], d]),
    "_npi_eigh": forward(lambda a, d: [d[:-1], d]),
    "_npi_eigvals": forward(lambda a, d: d[:-1]),
    "_npi_eigvalsh": forward(lambda a, d: d[:-1]),
    "_npi_einsum": forward(_einsum),
    "_npi_eye": forward(lambda a: (int(a["N"]), int(a["M"] or a["N"]))),
    "_npi_hsplit": MOVES["_split_v2"],
    "_npi_hstack": _along(1, 1, _line),
    "_npi_identity": forward(_shape_given),
    "_npi_indices": forward(lambda a: (len(tupled(a["dimensions"])), *tupled(a["dimensions"]))),
    "_npi_logspace": forward(lambda a: (int(a["num"]),)),
    "_npi_matmul": forward(_matmul),
    "_npi_ones": forward(_shape_given),
    "_npi_pad": forward(_pad),
    "_npi_percentile": forward(_percentile),
    "_npi_pinv": forward(lambda a, d, *rest: (*d[:-2], d[-1], d[-2])),
    "_npi_polyval": forward(lambda a, p, x: x),
    "_npi_rot90": forward(_rot90),
    "_npi_solve": forward(_solve),
    "_npi_stack": stack,
    "_npi_svd": known(_svd),
    "_npi_tensordot": forward(_tensordot),
    "_npi_tensordot_int_axes": forward(_tensordot_last),
    "_npi_tensorinv": forward(lambda a, d: (*d[int(a["ind"]) :], *d[: int(a["ind"])])),
    "_npi_tensorsolve": forward(_tensorsolve),
    "_npi_vstack": _along(0, 2, _row),
    "_npi_zeros": forward(_shape_given),
    "_npx_reshape": forward(_reshape),
}
