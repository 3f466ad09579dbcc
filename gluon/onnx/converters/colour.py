"""Images with changed colours, or mirrored, by given numbers or by draws in each run."""

from __future__ import annotations

from collections.abc import Callable

import numpy

from ...nd._colour import EIGVAL, EIGVEC, GREY, RAMPS
from .builder import CODES, CONVERTERS, Call, Graph, converts
from .formula import Value, repeated

#: ``change(x, factor)`` of a float image (height, width, channels) and one number.
Change = Callable[[Value, Value], Value]


def _drawn(g: Graph, low: float, high: float) -> Value:
    """Draw a number in a range, as float64."""
    low, high = (float(numpy.float32(end)) for end in (low, high))
    if low == high:
        return Value(g, g.constant([low], "float64"), "float64")
    draw = g.add("RandomUniform", dtype=CODES["float32"], shape=[1], low=low, high=high)
    return Value(g, draw, "float32").cast("float64")


def _computed(x: Value, change: Callable[[Value], Value]) -> Value:
    """Change `x` in floats; cast integers back without fraction, clipped to their limits."""
    dtype = x.dtype
    y = change(x if dtype == "float64" else x.cast("float32"))
    if dtype.kind not in "iu":
        return y.cast(dtype)
    limits = numpy.iinfo(dtype)
    low, high = (y.dtype.type(end) for end in (limits.min, limits.max))
    high = numpy.nextafter(high, low) if int(high) > limits.max else high
    y = y.call("IsNaN", to=bool).where(0.0, y)
    return y.call("Clip", low, high).cast(dtype)


def _by_matrix(x: Value, matrix: Value) -> Value:
    """Combine the channels of each pixel linearly."""
    return x.call("MatMul", matrix)


def _grey(x: Value) -> Value:
    return _by_matrix(x, x.like(numpy.reshape(GREY, (3, 1))))


def _brightness(x: Value, factor: Value) -> Value:
    return x * factor.cast(x.dtype)


def _contrast(x: Value, factor: Value, coloured: bool = True) -> Value:
    mean = (_grey(x) if coloured else x).reduce("ReduceMean", [0, 1, 2])
    return x * factor.cast(x.dtype) + mean * (1 - factor).cast(x.dtype)


def _saturation(x: Value, factor: Value) -> Value:
    mixed = factor * factor.like(numpy.eye(3))
    mixed = mixed + (1 - factor) * factor.like(numpy.outer(GREY, numpy.ones(3)))
    return _by_matrix(x, mixed.cast(x.dtype))


def _hue(x: Value, turn: Value) -> Value:
    """Rotate the hues by a fraction of a circle."""
    parts = (Value(x.g, name, x.dtype) / 255 for name in x.g.split(x.name, [1] * 3, -1))
    red, green, blue = parts
    high, low = (red.call(kind, green, blue) for kind in ("Max", "Min"))
    span = high - low
    size = (span > float(numpy.finfo("float32").eps)).where(span, 1.0)
    place = high.equals(green).where((blue - red) / size + 2, (red - green) / size + 4)
    place = high.equals(red).where((green - blue) / size, place) + (turn * 6).cast(x.dtype)
    place = place - (place / 6).call("Floor") * 6
    levels = [
        low + span * (((place - middle).call("Abs") - offset) * sign).call("Clip", 0.0, 1.0)
        for middle, offset, sign in RAMPS
    ]
    y = x.g.add("Concat", *(one.name for one in levels), axis=-1)
    return Value(x.g, y, x.dtype) * 255


#: Changes of three-channel images only.
COLOURED: dict[str, Change] = {"saturation": _saturation, "hue": _hue}


def _change(call: Call, kind: str) -> Change | None:
    """Return the change for images with that number of channels; None if it has no effect."""
    coloured = call.length(-1) == 3
    if kind in COLOURED:
        return COLOURED[kind] if coloured else None
    if kind == "brightness":
        return _brightness
    return lambda x, factor: _contrast(x, factor, coloured)


def _by_factor(kind: str) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        change, x = _change(call, kind), Value(g, call.inputs[0], call.dtype())
        if change is None:
            return g.add("Identity", x.name)
        factor = _drawn(g, float(call["min_factor"]), float(call["max_factor"]))
        return _computed(x, lambda one: change(one, factor)).name

    return convert


CONVERTERS.update(
    {
        f"_image_random_{kind}": _by_factor(kind)
        for kind in ("brightness", "contrast", "saturation", "hue")
    }
)


@converts("_image_random_color_jitter")
def _jitter(g: Graph, call: Call) -> str:
    """Apply the changes in random order: each turn of a loop chooses the next one."""
    middles = {"brightness": 1, "contrast": 1, "saturation": 1, "hue": 0}
    kinds = [(_change(call, kind), kind) for kind in middles if float(call[kind]) > 0]
    chosen = [(change, kind) for change, kind in kinds if change is not None]
    x = Value(g, call.inputs[0], call.dtype())
    if not chosen:
        return g.add("Identity", x.name)
    count = len(chosen)
    keys = g.add("RandomUniform", dtype=CODES["float32"], shape=[count])
    order = Value(g, g.several("TopK", 2, keys, g.ints(count), axis=0)[1], "int64")

    def turn(inner: Graph, k: Value, states: list[Value]) -> tuple[None, list[Value]]:
        (before,) = states
        number, y = order.call("Gather", k), before
        for place, (change, kind) in enumerate(chosen):
            middle, width = middles[kind], float(call[kind])
            factor = _drawn(inner, middle - width, middle + width)
            changed = _computed(before, lambda one, f=change, n=factor: f(one, n))  # type: ignore[misc]
            y = number.equals(place).where(changed, y)
        return None, [y]

    return repeated(count, [x], turn)[0].name


def _shifted(g: Graph, call: Call, alpha: Value) -> str:
    """Shift the colours along the principal components of ImageNet's colours."""
    x = Value(g, call.inputs[0], call.dtype())
    if call.length(-1) == 1:
        return g.add("Identity", x.name)
    shift = alpha.like(EIGVEC * EIGVAL).call("MatMul", alpha)
    return _computed(x, lambda one: one + shift.cast(one.dtype)).name


@converts("_image_adjust_lighting")
def _lighting(g: Graph, call: Call) -> str:
    alpha = g.constant([float(one) for one in call["alpha"]], "float64")
    return _shifted(g, call, Value(g, alpha, "float64"))


@converts("_image_random_lighting")
def _random_lighting(g: Graph, call: Call) -> str:
    deviation = float(call["alpha_std"])
    if not deviation:
        return _shifted(g, call, Value(g, g.constant([0] * 3, "float64"), "float64"))
    draw = g.add("RandomNormal", dtype=CODES["float64"], shape=[3], scale=deviation)
    return _shifted(g, call, Value(g, draw, "float64"))


def _mirrored(name: str) -> Callable[[Graph, Call], str]:
    """Apply the operator of that name with probability 1/2."""

    def convert(g: Graph, call: Call) -> str:
        x = Value(g, call.inputs[0], call.dtype())
        turned = Value(g, CONVERTERS[name](g, call), call.dtype())
        return (_drawn(g, 0.0, 1.0) < 0.5).where(turned, x).name

    return convert


for _way in ("left_right", "top_bottom"):
    CONVERTERS[f"_image_random_flip_{_way}"] = _mirrored(f"_image_flip_{_way}")
