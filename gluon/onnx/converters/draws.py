"""Draws: ONNX has uniform and normal ones, the others are computed from those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .builder import CODES, CONVERTERS, Call, Graph, converts
from .formula import Value, repeated
from .shape import constant_of

#: The smallest uniform draw: zero has no logarithm.
LEAST = 2.0**-24


class Source:
    """Draws in one shape, which may be open.

    Parameters
    ----------
    like : Value
        What has the shape.
    """

    like: Value

    def __init__(self, like: Value) -> None:
        self.like = like

    def at(self, g: Graph) -> Source:
        """The same within a loop."""
        return Source(Value(g, self.like.name, self.like.dtype))

    def draw(self, kind: str, **attrs: float) -> Value:
        """Values of one of ONNX's distributions, in double precision."""
        code = CODES["float64"]
        return self.like.call(f"Random{kind}Like", to="float64", dtype=code, **attrs)

    def uniform(self) -> Value:
        """Above 0, and below 1."""
        return self.draw("Uniform", low=LEAST, high=1.0)

    def normal(self) -> Value:
        """Of mean 0 and deviation 1."""
        return self.draw("Normal")

    def exponential(self) -> Value:
        """Of mean 1."""
        return -self.uniform().call("Log")


def _gamma(source: Source, shape: Value) -> Value:
    """Draw from Gamma(shape, 1) by the Marsaglia-Tsang method: repeat until all are accepted."""
    low = shape < 1
    wide = low.where(shape + 1, shape) - 1 / 3
    narrow = 1 / (wide * 9).call("Sqrt")
    none = source.uniform() * 0 - 1

    def turn(g: Graph, k: Value, states: list[Value]) -> tuple[Value, list[Value]]:
        (found,), own = states, source.at(g)
        x = own.normal()
        root = x * narrow + 1
        v = root * root * root
        safe = (v > 0).where(v, 1)
        limit = x * x * 0.5 + wide * (1 - v + safe.call("Log"))
        taken = (found < 0) & (v > 0) & (own.uniform().call("Log") < limit)
        found = taken.where(v * wide, found)
        return (found < 0).somewhere(), [found]

    (found,) = repeated(None, [none], turn)
    # For a shape below 1, draw with shape + 1 and scale down.
    found = low.where(found * source.uniform() ** (1 / shape), found)
    return (shape > 0).where(found, 0.0)


def _poisson(source: Source, mean: Value) -> Value:
    """Draw Poisson counts: how many exponential draws fit below the mean."""
    zero = source.uniform() * 0

    def turn(g: Graph, k: Value, states: list[Value]) -> tuple[Value, list[Value]]:
        total, count = states
        total = total + source.at(g).exponential()
        more = total < mean
        return more.somewhere(), [total, count + more.cast("float64")]

    return repeated(None, [zero, zero], turn)[1]


def _negative_binomial(source: Source, k: Value, p: Value) -> Value:
    return _poisson(source, _gamma(source, k) * ((1 - p) / p))


def _generalized(source: Source, mu: Value, alpha: Value) -> Value:
    spread = (alpha > 0).where(alpha, 1.0)
    drawn = _gamma(source, 1 / spread) * (spread * mu)
    return _poisson(source, (alpha > 0).where(drawn, mu))


Draw = Callable[..., Value]
#: Maps distributions to parameter names and ``draw(source, *parameters)``.
DRAWN: dict[str, tuple[tuple[str, ...], Draw]] = {
    "exponential": (("lam",), lambda source, lam: source.exponential() / lam),
    "gamma": (("alpha", "beta"), lambda source, alpha, beta: _gamma(source, alpha) * beta),
    "generalized_negative_binomial": (("mu", "alpha"), _generalized),
    "negative_binomial": (("k", "p"), _negative_binomial),
    "normal": (("loc", "scale"), lambda source, loc, scale: loc + scale * source.normal()),
    "poisson": (("lam",), _poisson),
    "uniform": (("low", "high"), lambda source, low, high: low + (high - low) * source.uniform()),
}


def _shaped(g: Graph, call: Call) -> Value:
    """Return a value with the shape of the draws of an operator whose parameters are numbers."""
    shape = call.out_shapes[0]
    if shape is None or -1 in shape:
        raise call.unsupported("its shape must be known; pass in_shapes")
    return Value(g, constant_of(g, g.ints(*shape), 0, "float32"), "float32")


def _by_numbers(name: str) -> Callable[[Graph, Call], str]:
    """Create the converter of draws in a given shape, or in that of an input."""
    parameters, draw = DRAWN[name]

    def convert(g: Graph, call: Call) -> str:
        like = Value(g, call.inputs[0], call.dtype()) if call.inputs else _shaped(g, call)
        source = Source(like)
        zero = source.uniform() * 0
        drawn = draw(source, *(zero + float(call[one]) for one in parameters))
        dtype = call.dtype() if call.inputs else numpy.dtype(call["dtype"] or "float32")
        return drawn.cast(dtype).name

    return convert


def _by_arrays(name: str) -> Callable[[Graph, Call], str]:
    """Create the converter of a block of draws for each value of the parameters."""
    _, draw = DRAWN[name]

    def convert(g: Graph, call: Call) -> str:
        shape = call["shape"] or ()
        block = [int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
        rank = call.ndim()
        inputs = [Value(g, x, call.dtype(k)).cast("float64") for k, x in enumerate(call.inputs)]
        if block:
            axes = range(rank, rank + len(block))
            lengths = g.add("Concat", g.add("Shape", call.inputs[0]), g.ints(*block), axis=0)
            inputs = [
                Value(g, g.add("Expand", g.unsqueeze(one.name, *axes), lengths), one.dtype)
                for one in inputs
            ]
        kind = call["dtype"]
        dtype = "float32" if kind in (None, "None") else kind
        return draw(Source(inputs[0]), *inputs).cast(dtype).name

    return convert


for _name in DRAWN:
    CONVERTERS[f"_random_{_name}"] = CONVERTERS[f"_random_{_name}_like"] = _by_numbers(_name)
    CONVERTERS[f"_sample_{_name}"] = _by_arrays(_name)


@converts("_npi_gamma")
def _np_gamma(g: Graph, call: Call) -> str:
    source = Source(_shaped(g, call))
    zero = source.uniform() * 0
    given = iter(
        Value(g, name, call.dtype(k)).cast("float64") for k, name in enumerate(call.inputs)
    )
    shape, scale = (
        zero + (next(given) if call[one] is None else call[one]) for one in ("shape", "scale")
    )
    drawn = _gamma(source, shape) * scale
    return drawn.cast(call.out_dtypes[0] or "float32").name


@converts("_random_randint")
def _integers(g: Graph, call: Call) -> str:
    low, high = int(call["low"]), int(call["high"])
    drawn = Source(_shaped(g, call)).draw("Uniform", low=0.0, high=1.0)
    places = (drawn * float(high - low)).cast("int64")  # rounding may reach the end
    places = places.call("Min", high - low - 1) + low
    return places.cast(call.out_dtypes[0] or "int32").name


@converts("_shuffle")
def _shuffle(g: Graph, call: Call) -> str:
    """Sort the rows by random keys."""
    x = call.inputs[0]
    keys = Source(Value(g, g.places(x, 0), "int64")).draw("Uniform").cast("float32")
    order = g.several("TopK", 2, keys.name, g.length(x, 0), axis=0)[1]
    return g.add("Gather", x, order, axis=0)


@converts("_sample_multinomial")
def _multinomial(g: Graph, call: Call) -> Any:
    shape, rank = call["shape"] or (), call.ndim()
    block = [int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    logs = g.add("Log", call.inputs[0])
    rows = g.reshape(logs, -1, call.length(-1))
    count = int(numpy.prod(block))
    drawn = g.add("Multinomial", rows, sample_size=count, dtype=CODES["int64"])
    lengths = g.slice(g.add("Shape", logs), [0], [rank - 1], [0])
    lengths = g.add("Concat", lengths, g.ints(*block), axis=0)
    if rank == 1 and not block:
        lengths = g.ints(1)
    places = g.cast(g.add("Reshape", drawn, lengths), numpy.dtype(call["dtype"] or "int32"))
    if not call["get_prob"]:
        return places
    chosen = g.add("GatherElements", rows, drawn, axis=1)
    return [places, g.add("Reshape", chosen, lengths)]
