"""Reductions, sorting and the indices of extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .builder import CONVERTERS, Call, Graph, converts
from .shape import filled


def axes_of(call: Call, name: str = "axis") -> list[int]:
    """The axes that a reduction goes over."""
    given, rank = call[name], call.ndim()
    if given is None or given == ():
        axes = list(range(rank))
    else:
        axes = [k % rank for k in (given if isinstance(given, (tuple, list)) else (given,))]
    if call.values.get("exclude") and given not in (None, ()):
        axes = [k for k in range(rank) if k not in axes]
    return axes


def _finished(g: Graph, call: Call, y: str) -> str:
    """Add the axis that MXNet keeps when all axes are reduced."""
    return y if call["keepdims"] else g.with_axis(y, call.ndim() - len(axes_of(call)))


def _reduction(kind: str) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        axes = axes_of(call)
        if not axes:
            return g.add("Identity", call.inputs[0])
        return _finished(g, call, g.reduce(kind, call.inputs[0], axes, bool(call["keepdims"])))

    return convert


def _without_nan(kind: str, filling: float) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        x = call.inputs[0]
        if call.dtype().kind == "f":
            x = g.add("Where", g.add("IsNaN", x), g.constant(filling, call.dtype()), x)
        if not axes_of(call):
            return x
        return _finished(g, call, g.reduce(kind, x, axes_of(call), bool(call["keepdims"])))

    return convert


CONVERTERS.update(
    {
        "max": _reduction("ReduceMax"),
        "mean": _reduction("ReduceMean"),
        "min": _reduction("ReduceMin"),
        "nanprod": _without_nan("ReduceProd", 1),
        "nansum": _without_nan("ReduceSum", 0),
        "prod": _reduction("ReduceProd"),
        "sum": _reduction("ReduceSum"),
    }
)


@converts("norm")
def _norm(g: Graph, call: Call) -> str:
    kind = "ReduceL1" if call["ord"] == 1 else "ReduceL2"
    axes, x = axes_of(call), call.inputs[0]
    if call["out_dtype"] is not None:
        x = g.cast(x, numpy.dtype(call["out_dtype"]))
    return _finished(g, call, g.reduce(kind, x, axes, bool(call["keepdims"])))


@converts("moments")
def _moments(g: Graph, call: Call) -> list[str]:
    axes, keep, x = axes_of(call, "axes"), bool(call["keepdims"]), call.inputs[0]
    mean = g.reduce("ReduceMean", x, axes, True)
    rest = g.add("Sub", x, mean)
    var = g.reduce("ReduceMean", g.add("Mul", rest, rest), axes, keep)
    if keep:
        return [mean, var]
    rank = call.ndim() - len(axes)
    return [g.with_axis(g.squeeze(mean, *axes), rank), g.with_axis(var, rank)]


@converts("argmax", "argmin")
def _place(g: Graph, call: Call) -> str:
    kind = "ArgMax" if call.operator == "argmax" else "ArgMin"
    x, axis = call.inputs[0], call["axis"]
    if axis is None:
        x, axis = g.reshape(x, -1), 0
    keep = int(bool(call["keepdims"]))
    y = g.cast(g.add(kind, x, axis=int(axis), keepdims=keep), call.dtype())
    if call["axis"] is None:
        return g.reshape(y, *([1] * call.ndim() if keep else [1]))
    return y if keep else g.with_axis(y, call.ndim() - 1)


@converts("argmax_channel")
def _argmax_channel(g: Graph, call: Call) -> str:
    return g.cast(g.add("ArgMax", call.inputs[0], axis=1, keepdims=0), call.dtype())


def _ordered(g: Graph, call: Call, ascending: bool, count: Any = None) -> list[str]:
    """Return sorted values and their positions along an axis."""
    axis = call["axis"]
    x = call.inputs[0]
    if axis is None:
        x, axis = g.reshape(x, -1), 0
        size = numpy.prod([call.length(k) for k in range(call.ndim())], dtype="int64")
        length = g.ints(size)
    elif count is None:
        length = g.length(x, int(axis))
    if count is not None:
        length = g.ints(count)
    return g.several("TopK", 2, x, length, axis=int(axis), largest=int(not ascending))


@converts("sort")
def _sort(g: Graph, call: Call) -> str:
    return _ordered(g, call, bool(call["is_ascend"]))[0]


@converts("argsort")
def _argsort(g: Graph, call: Call) -> str:
    return g.cast(_ordered(g, call, bool(call["is_ascend"]))[1], numpy.dtype(call["dtype"]))


@converts("topk")
def _topk(g: Graph, call: Call) -> Any:
    kind, count = call["ret_typ"], int(call["k"])
    if count < 1:
        count = call.length(int(call["axis"]))
    values, places = _ordered(g, call, bool(call["is_ascend"]), count)
    if kind == "value":
        return values
    if kind == "mask":
        x, dtype = call.inputs[0], call.dtype()
        flat = x if call["axis"] is not None else g.reshape(x, -1)
        ones, axis = filled(g, places, 1, dtype), int(call["axis"] or 0)
        y = g.add("ScatterElements", filled(g, flat, 0, dtype), places, ones, axis=axis)
        return g.add("Reshape", y, g.add("Shape", x)) if call["axis"] is None else y
    places = g.cast(places, numpy.dtype(call["dtype"]))
    return [values, places] if kind == "both" else places
