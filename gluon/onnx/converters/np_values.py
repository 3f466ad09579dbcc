"""NumPy's elementwise operators and draws."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy

from ...autograd import pause
from ...np import array
from ...symbol.np_operators import DRAWS, TURNED
from .builder import CONVERTERS, Call, Graph, converts
from .elementwise import BINARY, COMPARES, binary

#: NumPy's names of unary operators that compute the same as MXNet's.
ALIKE = {
    "absolute": "abs",
    "deg2rad": "radians",
    "rad2deg": "degrees",
    **{
        name: name
        for name in (
            "arccos arccosh arcsin arcsinh arctan arctanh cbrt cos cosh degrees exp expm1 log log10"
            " log1p log2 negative radians relu sigmoid sign sin sinh sqrt square tan"
            " tanh"
        ).split()
    },
}
#: Operators that leave integers unchanged.
ROUNDED = {"ceil": "Ceil", "fix": "fix", "floor": "Floor", "rint": "Round", "trunc": "fix"}
#: NumPy's names of binary operators.
PAIRS = {
    "less": "Less",
    "less_equal": "LessOrEqual",
    "multiply": "Mul",
    "subtract": "Sub",
    "true_divide": "Div",
    **{
        name: BINARY[name]
        for name in "add equal greater greater_equal hypot mod not_equal power".split()
    },
}


def promoted(g: Graph, call: Call, dtype: Any = None) -> Call:
    """The call with all inputs in one dtype: that of the result, if none is given."""
    dtype = numpy.dtype(dtype or result_dtype(call))
    found = copy.copy(call)
    found.inputs = [
        name if call.dtype(k) == dtype else g.cast(name, dtype)
        for k, name in enumerate(call.inputs)
    ]
    found.dtypes = [dtype] * len(call.inputs)
    return found


def result_dtype(call: Call, array: Callable[..., Any] = array) -> Any:
    """The dtype of the result; of integers it may be another than MXNet infers."""
    floats = all(call.dtype(k).kind == "f" for k in range(len(call.inputs)))
    if floats and call.values.get("dtype") is None:
        return call.out_dtypes[0] or call.dtype()
    assert call.node.op is not None
    ones = [
        array(numpy.ones((1,) * call.ndim(k), call.dtype(k)), dtype=call.dtype(k))
        for k in range(len(call.inputs))
    ]
    with pause():
        found = call.node.op.bound(call.node)(*ones)
    results = found if isinstance(found, (list, tuple)) else [found]
    call.out_dtypes[:] = [one.dtype for one in results]
    return call.out_dtypes[0]


def _alike(name: str) -> Callable[[Graph, Call], Any]:
    def convert(g: Graph, call: Call) -> Any:
        call = promoted(g, call)
        if call.dtype().kind == "b":
            raise call.unsupported("of booleans; cast them to numbers before")
        return CONVERTERS[name](g, call)

    return convert


def _rounded(kind: str) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        call = promoted(g, call)
        if call.dtype().kind != "f":
            return g.add("Identity", call.inputs[0])
        return CONVERTERS["fix"](g, call) if kind == "fix" else g.add(kind, call.inputs[0])

    return convert


def _arctan2(g: Graph, call: Call, y: str, x: str, dtype: Any) -> str:
    zero, half, whole = (g.constant(v, dtype) for v in (0, numpy.pi / 2, numpy.pi))
    above = g.add("Not", g.add("Less", y, zero))
    side = g.add("Where", above, whole, g.add("Neg", whole))
    upright = g.add("Mul", g.add("Sign", y), half)
    slope = g.add("Atan", g.add("Div", y, x))
    turned = g.add("Where", g.add("Less", x, zero), g.add("Add", slope, side), slope)
    return g.add("Where", g.add("Equal", x, zero), upright, turned)


def _copysign(g: Graph, call: Call, a: str, b: str, dtype: Any) -> str:
    zero, size = g.constant(0, dtype), g.add("Abs", a)
    below = g.add("Or", g.add("Less", b, zero), g.add("Less", g.add("Reciprocal", b), zero))
    return g.add("Where", below, g.add("Neg", size), size)


def _ldexp(g: Graph, call: Call, a: str, b: str, dtype: Any) -> str:
    return g.add("Mul", a, g.add("Pow", g.constant(2, dtype), b))


def _bitwise(kind: str) -> Callable[[Graph, Call, str, str, Any], str]:
    def compute(g: Graph, call: Call, a: str, b: str, dtype: Any) -> str:
        return g.add(_bits(g, call, kind, dtype), a, b)

    return compute


def _bits(g: Graph, call: Call, kind: str, dtype: Any) -> str:
    """Return the name of a bitwise operator, which differs for booleans."""
    if dtype.kind == "b":
        return kind
    if g.opset < 18:
        raise call.unsupported("integers need opset_version=18 or later")
    return f"Bitwise{kind}"


def _plain(kind: str) -> Callable[[Graph, Call, str, str, Any], str]:
    return lambda g, call, a, b, dtype: binary(g, kind, a, b, dtype, result=bool)


#: Functions ``(g, call, a, b, dtype)`` of two values of one dtype.
TWO: dict[str, Callable[[Graph, Call, str, str, Any], str]] = {
    "arctan2": _arctan2,
    "bitwise_and": _bitwise("And"),
    "bitwise_or": _bitwise("Or"),
    "bitwise_xor": _bitwise("Xor"),
    "copysign": _copysign,
    "ldexp": _ldexp,
    **{name: _plain(kind) for name, kind in PAIRS.items()},
}


def _pair(name: str) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        compares = PAIRS.get(name) in COMPARES
        dtype = numpy.promote_types(call.dtype(0), call.dtype(1)) if compares else None
        call = promoted(g, call, dtype)
        a, b = call.inputs
        return TWO[name](g, call, a, b, call.dtype())

    return convert


def _with_number(name: str, turned: bool = False) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        scalar, dtype = float(call["scalar"]), None
        if PAIRS.get(name) in COMPARES:
            exact = call.dtype().kind == "f" or (scalar.is_integer() and call.dtype().kind != "b")
            dtype = call.dtype() if exact else "float64"
        call = promoted(g, call, dtype)
        x, number = call.inputs[0], g.constant(scalar, call.dtype())
        a, b = (number, x) if turned else (x, number)
        return TWO[name](g, call, a, b, call.dtype())

    return convert


CONVERTERS.update({f"_npi_{name}": _alike(own) for name, own in ALIKE.items()})
CONVERTERS.update({f"_npi_{name}": _rounded(kind) for name, kind in ROUNDED.items()})
CONVERTERS.update({f"_npx_{name}": _alike(name) for name in ("relu", "sigmoid")})
for _name in TWO:
    CONVERTERS[f"_npi_{_name}"] = _pair(_name)
    CONVERTERS[f"_npi_{_name}_scalar"] = _with_number(_name)
    if _name in TURNED:
        CONVERTERS[f"_npi_r{_name}_scalar"] = _with_number(_name, turned=True)


@converts("_npi_reciprocal")
def _reciprocal(g: Graph, call: Call) -> str:
    return g.add("Div", g.constant(1, call.dtype()), call.inputs[0])


@converts("_npi_around")
def _around(g: Graph, call: Call) -> str:
    decimals = int(call["decimals"])
    if call.dtype().kind != "f":
        if decimals < 0:
            raise call.unsupported("integers are rounded with decimals=0 or more")
        return g.add("Identity", call.inputs[0])
    scale = g.constant(10.0**decimals, call.dtype())
    return g.add("Div", g.add("Round", g.add("Mul", call.inputs[0], scale)), scale)


@converts("_npi_logical_not")
def _not(g: Graph, call: Call) -> str:
    return g.add("Not", g.cast(call.inputs[0], bool))


@converts("_npi_bitwise_not")
def _bitwise_not(g: Graph, call: Call) -> str:
    return g.add(_bits(g, call, "Not", call.dtype()), call.inputs[0])


@converts("_npi_nan_to_num")
def _nan_to_num(g: Graph, call: Call) -> str:
    x, dtype = call.inputs[0], call.dtype()
    if dtype.kind != "f":
        return g.add("Identity", x)
    limits, fillings = numpy.finfo(dtype), (call["nan"], call["posinf"], call["neginf"])
    kinds = ("isnan", "isposinf", "isneginf")
    for kind, filling, default in zip(kinds, fillings, (0, limits.max, limits.min)):
        value = g.constant(default if filling is None else filling, dtype)
        x = g.add("Where", CONVERTERS[f"_npi_{kind}"](g, call), value, x)
    return x


def _where(*places: int | str) -> Callable[[Graph, Call], str]:
    """Create the converter of a choice between two inputs, or between numbers."""

    def convert(g: Graph, call: Call) -> str:
        dtype = numpy.dtype(result_dtype(call))
        names = call.inputs
        condition = g.cast(names[0], bool)
        x, y = (
            g.cast(call.inputs[one], dtype)
            if isinstance(one, int)
            else g.constant(call[one], dtype)
            for one in places
        )
        return g.add("Where", condition, x, y)

    return convert


CONVERTERS.update(
    {
        "_npi_where": _where(1, 2),
        "_npi_where_lscalar": _where("scalar", 1),
        "_npi_where_rscalar": _where(1, "scalar"),
        "_npi_where_scalar2": _where("x", "y"),
    }
)

Build = Callable[..., str]


def _drawn(name: str, build: Build) -> Callable[[Graph, Call], str]:
    """Create the converter of draws; ``build(add, number, draw, *parameters)`` writes them."""

    def convert(g: Graph, call: Call) -> str:
        dtype, shape = numpy.dtype(call.out_dtypes[0] or "float32"), call.out_shapes[0]
        if shape is None or -1 in shape:
            raise call.unsupported("its shape must be known; pass in_shapes")
        arrays = iter(promoted(g, call, dtype).inputs)
        parameters = [
            next(arrays) if call[one] is None else g.constant(call[one], dtype)
            for one in DRAWS[name]
        ]

        def draw(kind: str) -> str:
            # Zero has no logarithm.
            ends = {"low": 2.0**-24, "high": 1.0} if kind == "RandomUniform" else {}
            y = g.add(kind, shape=list(shape), **ends)
            return y if dtype == "float32" else g.cast(y, dtype)

        return build(g.add, lambda value: g.constant(value, dtype), draw, *parameters)

    return convert


def _log(add: Build, draw: Build) -> str:
    """Minus the logarithm of a uniform draw, which is exponentially distributed."""
    return add("Neg", add("Log", draw("RandomUniform")))


def _logistic(add: Build, number: Build, draw: Build, loc: str, scale: str) -> str:
    u = draw("RandomUniform")
    odds = add("Div", u, add("Sub", number(1 + 2**-20), u))
    return add("Add", loc, add("Mul", scale, add("Log", odds)))


#: ``build(add, number, draw, *parameters)``
DISTRIBUTIONS: dict[str, Build] = {
    "exponential": lambda add, number, draw, scale: add("Mul", scale, _log(add, draw)),
    "gumbel": lambda add, number, draw, loc, scale: add(
        "Sub", loc, add("Mul", scale, add("Log", _log(add, draw)))
    ),
    "logistic": _logistic,
    "normal": lambda add, number, draw, loc, scale: add(
        "Add", loc, add("Mul", scale, draw("RandomNormal"))
    ),
    "pareto": lambda add, number, draw, a: add(
        "Sub", add("Exp", add("Div", _log(add, draw), a)), number(1)
    ),
    "rayleigh": lambda add, number, draw, scale: add(
        "Mul", scale, add("Sqrt", add("Mul", number(2), _log(add, draw)))
    ),
    "uniform": lambda add, number, draw, low, high: add(
        "Add", low, add("Mul", add("Sub", high, low), draw("RandomUniform"))
    ),
    "weibull": lambda add, number, draw, a: add("Pow", _log(add, draw), add("Reciprocal", a)),
}
CONVERTERS.update({f"_npi_{name}": _drawn(name, one) for name, one in DISTRIBUTIONS.items()})
