"""NumPy's operators that move, join, multiply or create arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_letters
from typing import Any

import numpy

from ...symbol.shapes import tupled
from .builder import CONVERTERS, Call, Graph, converts
from .np_reduce import axes_of, count_of
from .np_values import promoted, result_dtype
from .shape import END, filled, folded, reshaped


def _same(name: str) -> Callable[[Graph, Call], Any]:
    """Return the converter of MXNet's operator with the same arguments."""
    return lambda g, call: CONVERTERS[name](g, call)


CONVERTERS.update(
    {
        "_np_copy": lambda g, call: g.add("Identity", call.inputs[0]),
        "_np_squeeze": _same("squeeze"),
        "_np_transpose": _same("transpose"),
        "_npi_broadcast_to": _same("broadcast_to"),
        "_npi_dsplit": _same("_split_v2"),
        "_npi_hsplit": _same("_split_v2"),
        "_npx_reshape": lambda g, call: reshaped(g, call, call.inputs[0]),
    }
)


@converts("_np_reshape")
def _reshape(g: Graph, call: Call) -> str:
    if call["order"] != "C":
        raise call.unsupported(f"order={call['order']!r} has no counterpart in ONNX; use 'C'")
    return reshaped(g, call, call.inputs[0])


@converts("_np_moveaxis")
def _moveaxis(g: Graph, call: Call) -> str:
    rank = call.ndim()
    source, target = ([k % rank for k in tupled(call[one])] for one in ("source", "destination"))
    order = [k for k in range(rank) if k not in source]
    for place, axis in sorted(zip(target, source)):
        order.insert(place, axis)
    return g.add("Transpose", call.inputs[0], perm=order)


def _flipped(g: Graph, x: str, axes: Sequence[int]) -> str:
    count = len(axes)
    return g.slice(x, [-1] * count, [-END] * count, axes, [-1] * count)


@converts("_npi_flip")
def _flip(g: Graph, call: Call) -> str:
    return _flipped(g, call.inputs[0], axes_of(call))


@converts("_npi_rot90")
def _rot90(g: Graph, call: Call) -> str:
    x, order = call.inputs[0], list(range(call.ndim()))
    a, b = (k % call.ndim() for k in tupled(call["axes"]))
    turns = int(call["k"]) % 4
    order[a], order[b] = b, a
    if turns == 2:
        return _flipped(g, x, [a, b])
    if turns == 1:
        return g.add("Transpose", _flipped(g, x, [b]), perm=order)
    if turns == 3:
        return _flipped(g, g.add("Transpose", x, perm=order), [b])
    return g.add("Identity", x)


@converts("_np_roll")
def _roll(g: Graph, call: Call) -> str:
    x, shifts = call.inputs[0], tupled(call["shift"])
    if call["axis"] is None:
        flat = _rolled(g, g.reshape(x, -1), 0, sum(shifts), count_of(call, axes_of(call)))
        return g.add("Reshape", flat, g.add("Shape", x))
    axes = axes_of(call)
    for axis, shift in zip(axes, shifts * len(axes) if len(shifts) == 1 else shifts):
        x = _rolled(g, x, axis, shift, call.length(axis))
    return x


def _rolled(g: Graph, x: str, axis: int, shift: int, length: int) -> str:
    cut = length - shift % length
    return g.add(
        "Concat", g.slice(x, [cut], [END], [axis]), g.slice(x, [0], [cut], [axis]), axis=axis
    )


def _triangle(g: Graph, call: Call, x: str, offset: int, lower: bool = True) -> str:
    """Return the part of matrices below or above a diagonal; the rest is zero."""
    rows, columns = g.unsqueeze(g.places(x, -2), 1), g.unsqueeze(g.places(x, -1), 0)
    border = g.add("Add", rows, g.constant(offset, "int64"))
    kept = g.add("LessOrEqual" if lower else "GreaterOrEqual", columns, border)
    return g.add("Where", kept, x, g.constant(0, call.dtype()))


@converts("_npi_tril")
def _tril(g: Graph, call: Call) -> str:
    return _triangle(g, call, call.inputs[0], int(call["k"]))


def _diagonal(g: Graph, call: Call, offset: int, axes: Sequence[int]) -> str:
    """Return a diagonal of two axes as the last axis."""
    rank = call.ndim()
    rows, columns = (call.length(k) for k in axes)
    count = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    places = numpy.arange(count)[:, None] + [max(-offset, 0), max(offset, 0)]
    rest = [k for k in range(rank) if k not in axes]
    x = g.add("Transpose", call.inputs[0], perm=[*axes, *rest])
    y = g.add("GatherND", x, g.constant(places, "int64"))
    return g.add("Transpose", y, perm=[*range(1, rank - 1), 0]) if rest else y


def _on_diagonal(g: Graph, call: Call, x: str, rank: int, offset: int) -> str:
    """Return matrices with vectors on a diagonal."""
    places = g.places(x, -1)
    own = g.add("Equal", g.unsqueeze(places, 1), g.unsqueeze(places, 0))
    y = g.add("Where", own, g.unsqueeze(x, -1), g.constant(0, call.dtype()))
    before, after, rest = max(-offset, 0), max(offset, 0), [0] * (rank - 1)
    pads = g.ints(*rest, before, after, *rest, after, before)
    return g.add("Pad", y, pads) if offset else y


@converts("_np_diag", "diag")
def _diag(g: Graph, call: Call) -> str:
    offset, rank = int(call["k"]), call.ndim()
    if rank == 1:
        return _on_diagonal(g, call, call.inputs[0], 1, offset)
    axes = [int(call.values.get(f"axis{k + 1}", k)) % rank for k in (0, 1)]
    return g.with_axis(_diagonal(g, call, offset, axes), rank - 1)


@converts("_np_diagflat")
def _diagflat(g: Graph, call: Call) -> str:
    return _on_diagonal(g, call, g.reshape(call.inputs[0], -1), 1, int(call["k"]))


@converts("_np_diagonal", "_np_trace")
def _trace(g: Graph, call: Call) -> str:
    axes = [int(call[name]) % call.ndim() for name in ("axis1", "axis2")]
    y = _diagonal(g, call, int(call["offset"]), axes)
    if call.operator == "_np_diagonal":
        return y
    dtype = result_dtype(call)
    return g.reduce("ReduceSum", y if dtype == call.dtype() else g.cast(y, dtype), [-1], False)


@converts("_linalg_extractdiag", "_linalg_sumlogdiag")
def _extractdiag(g: Graph, call: Call) -> str:
    rank = call.ndim()
    y = _diagonal(g, call, int(call.values.get("offset", 0)), [rank - 2, rank - 1])
    if call.operator == "_linalg_extractdiag":
        return y
    return g.with_axis(g.reduce("ReduceSum", g.add("Log", y), [-1], False), rank - 2)


@converts("_linalg_makediag")
def _makediag(g: Graph, call: Call) -> str:
    return _on_diagonal(g, call, call.inputs[0], call.ndim(), int(call["offset"]))


@converts("_linalg_syrk", "_linalg_trmm")
def _matrix_product(g: Graph, call: Call) -> str:
    a, rank = call.inputs[0], call.ndim()
    if call.operator == "_linalg_trmm":
        a = _triangle(g, call, a, 0, bool(call["lower"]))
    turned = g.add("Transpose", a, perm=[*range(rank - 2), rank - 1, rank - 2])
    if call.operator == "_linalg_syrk":
        factors = [turned, a] if call["transpose"] else [a, turned]
    else:
        factors = [turned if call["transpose"] else a, call.inputs[1]]
        factors = factors[::-1] if call["rightside"] else factors
    return g.add("Mul", g.add("MatMul", *factors), g.constant(call["alpha"], call.dtype()))


@converts("_linalg_slogdet")
def _slogdet(g: Graph, call: Call) -> list[str]:
    det = g.with_axis(g.add("Det", call.inputs[0]), call.ndim() - 2)
    return [g.add("Sign", det), g.add("Log", g.add("Abs", det))]


@converts("_npi_diff")
def _diff(g: Graph, call: Call) -> str:
    x, axis = call.inputs[0], call.axis()
    for _ in range(int(call["n"])):
        later, earlier = (g.slice(x, [a], [b], [axis]) for a, b in ((1, END), (0, -1)))
        x = g.add("Sub", later, earlier)
    return x


@converts("_npi_pad")
def _pad(g: Graph, call: Call) -> str:
    width, mode = call["pad_width"], call["mode"]
    if mode not in ("constant", "edge", "reflect") or call["reflect_type"] != "even":
        raise call.unsupported(f"mode={mode!r} has no counterpart in ONNX; use 'edge' or 'reflect'")
    own = numpy.reshape(width, (-1, 2)) if numpy.size(width) > 1 else width
    sides = numpy.broadcast_to(own, (call.ndim(), 2))
    pads = g.ints(*sides[:, 0], *sides[:, 1])
    if mode != "constant":
        return g.add("Pad", call.inputs[0], pads, mode=mode)
    return g.add("Pad", call.inputs[0], pads, g.constant(call["constant_value"], call.dtype()))


def _wide(g: Graph, x: str, rank: int, least: int) -> str:
    """Add axes of length 1 where NumPy does: the third one is last."""
    after = int(least == 3 and 0 < rank < 3)
    before = max(0, least - rank - after)
    axes = [*range(before), *range(before + rank, before + rank + after)]
    return g.unsqueeze(x, *axes) if axes else x


def _at_least(least: int) -> Callable[[Graph, Call], str]:
    return lambda g, call: g.add("Identity", _wide(g, call.inputs[0], call.ndim(), least))


def _stacked(axis: int, least: int) -> Callable[[Graph, Call], str]:
    """Create the converter that concatenates arrays of at least `least` axes."""

    def convert(g: Graph, call: Call) -> str:
        call = promoted(g, call)
        arrays = [_wide(g, x, call.ndim(k), least) for k, x in enumerate(call.inputs)]
        along = min(axis, max(call.ndim(), least) - 1)
        return g.add("Concat", *arrays, axis=along)

    return convert


CONVERTERS.update({f"_np_atleast_{least}d": _at_least(least) for least in (1, 2, 3)})
CONVERTERS.update(
    {
        "_npi_dstack": _stacked(2, 3),
        "_npi_hstack": _stacked(1, 1),
        "_npi_vstack": _stacked(0, 2),
    }
)


@converts("_npi_column_stack")
def _column_stack(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    columns = [x if call.ndim(k) > 1 else g.reshape(x, -1, 1) for k, x in enumerate(call.inputs)]
    return g.add("Concat", *columns, axis=1)


@converts("_npi_concatenate")
def _concatenate(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    if call["axis"] is None:
        return g.add("Concat", *(g.reshape(x, -1) for x in call.inputs), axis=0)
    return g.add("Concat", *call.inputs, axis=int(call["axis"]))


CONVERTERS["_npi_stack"] = lambda g, call: CONVERTERS["stack"](g, promoted(g, call))


@converts("_npi_matmul")
def _matmul(g: Graph, call: Call) -> str:
    return g.add("MatMul", *promoted(g, call).inputs)


@converts("_npi_einsum")
def _einsum(g: Graph, call: Call) -> str:
    equation = call["subscripts"].replace(" ", "")
    return g.add("Einsum", *promoted(g, call).inputs, equation=equation)


def _summed(g: Graph, call: Call, left: Sequence[int], right: Sequence[int]) -> str:
    """Return the product of two arrays, summed over pairs of axes."""
    call = promoted(g, call)
    one = list(ascii_letters[: call.ndim(0)])
    other = list(ascii_letters[call.ndim(0) : call.ndim(0) + call.ndim(1)])
    for a, b in zip(left, right):
        other[b] = one[a]
    shared = {one[a] for a in left}
    rest = [letter for letter in one + other if letter not in shared]
    equation = f"{''.join(one)},{''.join(other)}->{''.join(rest)}"
    return g.add("Einsum", *call.inputs, equation=equation)


@converts("_np_dot")
def _dot(g: Graph, call: Call) -> str:
    ranks = call.ndim(0), call.ndim(1)
    if 0 in ranks:
        return g.add("Mul", *promoted(g, call).inputs)
    if ranks[1] <= 2:
        return g.add("MatMul", *promoted(g, call).inputs)
    return _summed(g, call, [-1], [-2])


@converts("_npi_tensordot")
def _tensordot(g: Graph, call: Call) -> str:
    return _summed(g, call, tupled(call["a_axes_summed"]), tupled(call["b_axes_summed"]))


@converts("_npi_tensordot_int_axes")
def _tensordot_last(g: Graph, call: Call) -> str:
    count = int(call["axes"])
    return _summed(g, call, range(call.ndim() - count, call.ndim()), range(count))


@converts("_npi_polyval")
def _polyval(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    powers, x = call.inputs
    y = filled(g, x, 0, call.dtype())
    for k in range(call.length(0)):
        coefficient = g.add("Gather", powers, g.constant(k, "int64"), axis=0)
        y = g.add("Add", g.add("Mul", y, x), coefficient)
    return y


@converts("_npi_full_like")
def _full_like(g: Graph, call: Call) -> str:
    return filled(g, call.inputs[0], call["fill_value"], call["dtype"] or call.dtype())


@converts("_npx_nonzero")
def _nonzero(g: Graph, call: Call) -> str:
    return g.add("Transpose", g.add("NonZero", call.inputs[0]), perm=[1, 0])


CONVERTERS.update(
    dict.fromkeys(
        (
            f"_npi_{name}"
            for name in (
                "arange blackman eye hamming hanning identity indices logspace ones zeros"
            ).split()
        ),
        folded,
    )
)
