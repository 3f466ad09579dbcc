"""NumPy's reductions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...symbol.shapes import tupled
from .builder import CONVERTERS, Call, Graph, converts
from .np_values import promoted, result_dtype


def axes_of(call: Call) -> list[int]:
    """The axes of a reduction."""
    axis, rank = call["axis"], call.ndim()
    return list(range(rank)) if axis is None else [int(k) % rank for k in tupled(axis)]


def _reduced(kind: str, joined: str) -> Callable[[Graph, Call], str]:
    """Create the converter of a reduction; `joined` is the operator that adds `initial`."""

    def convert(g: Graph, call: Call) -> str:
        call = promoted(g, call)
        axes, x, booleans = axes_of(call), call.inputs[0], call.dtype().kind == "b"
        if booleans:  # booleans can be reduced from opset 20 on
            x = g.cast(x, "uint8")
        y = g.reduce(kind, x, axes, bool(call["keepdims"])) if axes else g.add("Identity", x)
        y = g.cast(y, bool) if booleans else y
        if call.values.get("initial") is None:
            return y
        return g.add(joined, y, g.constant(call["initial"], call.dtype()))

    return convert


def _tested(kind: str) -> Callable[[Graph, Call], str]:
    reduced = _reduced(kind, "")
    return lambda g, call: reduced(g, promoted(g, call, bool))


CONVERTERS.update(
    {
        "_np_all": _tested("ReduceMin"),
        "_np_any": _tested("ReduceMax"),
        "_np_max": _reduced("ReduceMax", "Max"),
        "_np_min": _reduced("ReduceMin", "Min"),
        "_np_prod": _reduced("ReduceProd", "Mul"),
        "_np_sum": _reduced("ReduceSum", "Add"),
        "_npi_mean": _reduced("ReduceMean", "Add"),
    }
)


def count_of(call: Call, axes: Sequence[int]) -> int:
    """How many values a reduction takes together."""
    return int(numpy.prod([call.length(axis) for axis in axes], dtype="int64"))


@converts("_npi_std", "_npi_var")
def _deviation(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    axes, x, ddof = axes_of(call), call.inputs[0], call["ddof"]
    rest = g.add("Sub", x, g.reduce("ReduceMean", x, axes, True))
    y = g.reduce("ReduceMean", g.add("Mul", rest, rest), axes, bool(call["keepdims"]))
    if ddof:
        count = count_of(call, axes)
        y = g.add("Mul", y, g.constant(count / (count - ddof), call.dtype()))
    return g.add("Sqrt", y) if call.operator == "_npi_std" else y


@converts("_npi_average")
def _average(g: Graph, call: Call) -> Any:
    call = promoted(g, call)
    axes, x = axes_of(call), call.inputs[0]
    if len(call.inputs) == 1:
        y = g.reduce("ReduceMean", x, axes, False)
        total = g.constant(count_of(call, axes), call.dtype()) if call["returned"] else ""
    else:
        weights = call.inputs[1]
        if call.ndim(1) < call.ndim():
            weights = g.unsqueeze(weights, *(k for k in range(call.ndim()) if k not in axes))
        weights = g.add("Expand", weights, g.add("Shape", x))
        total = g.reduce("ReduceSum", weights, axes, False)
        y = g.add("Div", g.reduce("ReduceSum", g.add("Mul", x, weights), axes, False), total)
    return [y, g.add("Expand", total, g.add("Shape", y))] if call["returned"] else y


@converts("_npi_argmax", "_npi_argmin")
def _place(g: Graph, call: Call) -> str:
    kind = "ArgMax" if call.operator == "_npi_argmax" else "ArgMin"
    x, axis, keep = call.inputs[0], call["axis"], bool(call["keepdims"])
    if call.dtype().kind == "b":
        x = g.cast(x, "int32")
    if axis is not None:
        return g.add(kind, x, axis=int(axis), keepdims=int(keep))
    y = g.add(kind, g.reshape(x, -1), axis=0, keepdims=0)
    return g.reshape(y, *[1] * call.ndim()) if keep else y


@converts("_npi_norm")
def _norm(g: Graph, call: Call) -> str:
    call = promoted(g, call)
    axes, keep, x = axes_of(call), bool(call["keepdims"]), call.inputs[0]
    kind, flag = call["ord"], call["flag"]  # as MXNet writes them; see `gluon.symbol.np.linalg`
    if flag in (-2, 1) or (kind == 2 and len(axes) == 1):
        return g.reduce("ReduceL2", x, axes, keep)
    if flag in (0, 2) or (len(axes) == 2 and abs(kind) not in (1, numpy.inf)):
        raise call.unsupported("ONNX has no singular values; use ord='fro'")
    size = g.add("Abs", x)
    extreme = "ReduceMax" if kind > 0 else "ReduceMin"
    if len(axes) == 2:  # the largest or smallest sum of a row or column
        along, other = axes if abs(kind) == 1 else axes[::-1]
        y = g.reduce(extreme, g.reduce("ReduceSum", size, [along], True), [other], True)
        return y if keep else g.squeeze(y, *axes)
    if abs(kind) == numpy.inf:
        return g.reduce(extreme, size, axes, keep)
    if kind == 0:
        return g.reduce("ReduceSum", g.add("Sign", size), axes, keep)
    power = g.add("Pow", size, g.constant(kind, call.dtype()))
    total = g.reduce("ReduceSum", power, axes, keep)
    return g.add("Pow", total, g.constant(1 / kind, call.dtype()))


@converts("_npi_percentile")
def _percentile(g: Graph, call: Call) -> str:
    if call["q_scalar"] is None:
        raise call.unsupported("q must be a number, not an array")
    call = promoted(g, call)
    axes, rank, x = axes_of(call), call.ndim(), call.inputs[0]
    rest = [k for k in range(rank) if k not in axes]
    count = count_of(call, axes)
    x = g.add("Transpose", x, perm=[*rest, *axes])
    lengths = g.slice(g.add("Shape", x), [0], [len(rest)], [0])
    x = g.add("Reshape", x, g.add("Concat", lengths, g.ints(-1), axis=0))
    x = g.several("TopK", 2, x, g.ints(count), axis=-1, largest=0)[0]
    place = float(call["q_scalar"]) / 100 * (count - 1)
    low, high = int(numpy.floor(place)), int(numpy.ceil(place))
    shares = {
        "linear": place - low,
        "lower": 0.0,
        "higher": 1.0,
        "midpoint": 0.5 * (low != high),
        "nearest": float(round(place) - low),
    }
    below, above = (g.add("Gather", x, g.constant(k, "int64"), axis=-1) for k in (low, high))
    share = g.constant(shares[call["interpolation"]], call.dtype())
    y = g.add("Add", below, g.add("Mul", g.add("Sub", above, below), share))
    return g.unsqueeze(y, *axes) if call["keepdims"] else y


@converts("_npi_bincount")
def _bincount(g: Graph, call: Call) -> str:
    places = g.cast(call.inputs[0], "int64")
    last = g.reduce("ReduceMax", places, [0], False)
    count = g.add("Add", last, g.constant(1, "int64"))
    count = g.add("Max", count, g.constant(int(call["minlength"]), "int64"))
    dtype = result_dtype(call)
    hot = g.add("OneHot", places, count, g.constant([0, 1], dtype), axis=-1)
    if len(call.inputs) > 1:
        hot = g.add("Mul", hot, g.unsqueeze(g.cast(call.inputs[1], dtype), 1))
    return g.reduce("ReduceSum", hot, [0], False)
