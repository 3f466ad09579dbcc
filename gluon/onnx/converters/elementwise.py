"""Elementwise operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial, reduce
from typing import Any

import numpy

from ...nd import array
from .builder import CONVERTERS, Call, Graph, converts
from .formula import Value

#: Operators with another name in ONNX.
SAME = {
    "BlockGrad": "Identity",
    "IdentityAttachKLSparseReg": "Identity",
    "LinearRegressionOutput": "Identity",
    "LogisticRegressionOutput": "Sigmoid",
    "MAERegressionOutput": "Identity",
    "MakeLoss": "Identity",
    "SVMOutput": "Identity",
    "_copy": "Identity",
    "_contrib_gradientmultiplier": "Identity",
    "_contrib_sign_ste": "Sign",
    "abs": "Abs",
    "arccos": "Acos",
    "arccosh": "Acosh",
    "arcsin": "Asin",
    "arcsinh": "Asinh",
    "arctan": "Atan",
    "arctanh": "Atanh",
    "cast_storage": "Identity",
    "ceil": "Ceil",
    "cos": "Cos",
    "cosh": "Cosh",
    "erf": "Erf",
    "exp": "Exp",
    "floor": "Floor",
    "log": "Log",
    "make_loss": "Identity",
    "negative": "Neg",
    "reciprocal": "Reciprocal",
    "relu": "Relu",
    "sigmoid": "Sigmoid",
    "sign": "Sign",
    "sin": "Sin",
    "sinh": "Sinh",
    "softsign": "Softsign",
    "sqrt": "Sqrt",
    "tan": "Tan",
    "tanh": "Tanh",
}
#: Operators of two inputs; a name stands for all of its variants.
BINARY = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "power": "Pow",
    "maximum": "Max",
    "minimum": "Min",
    "equal": "Equal",
    "not_equal": "NotEqual",
    "greater": "Greater",
    "greater_equal": "GreaterOrEqual",
    "lesser": "Less",
    "lesser_equal": "LessOrEqual",
    "logical_and": "And",
    "logical_or": "Or",
    "logical_xor": "Xor",
    "mod": "Mod",
    "hypot": "Hypot",
}
#: Comparisons, whose result is 0 or 1 in the dtype of the inputs.
COMPARES = ("Equal", "NotEqual", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
LOGICAL = ("And", "Or", "Xor")
#: Arithmetic on booleans.
OF_BOOLEANS = {"Add": "Or", "Max": "Or", "Min": "And", "Mul": "And"}


def _same(kind: str) -> Callable[[Graph, Call], str]:
    return lambda g, call: g.add(kind, call.inputs[0])


def binary(g: Graph, kind: str, a: str, b: str, dtype: Any, result: Any = None) -> str:
    """A binary operator of two values of one dtype.

    The `result` of comparisons has that dtype too, as in MXNet, unless another is given.
    """
    dtype = numpy.dtype(dtype)
    if dtype.kind == "b":
        kind = OF_BOOLEANS.get(kind, kind)
        if kind in COMPARES and "Equal" not in (kind, kind[3:]):  # ONNX does not order booleans
            a, b = g.cast(a, "int32"), g.cast(b, "int32")
    if kind in COMPARES:
        found = g.add("Equal" if kind == "NotEqual" else kind, a, b)
        found = g.add("Not", found) if kind == "NotEqual" else found
        return found if result is bool else g.cast(found, dtype)
    if kind in LOGICAL:
        return g.cast(g.add(kind, g.cast(a, bool), g.cast(b, bool)), dtype)
    if kind == "Hypot":
        return g.add("Sqrt", g.add("Add", g.add("Mul", a, a), g.add("Mul", b, b)))
    if kind == "Mod" and dtype.kind == "f":  # for floats, ONNX has only the remainder with C's sign
        return g.add("Sub", a, g.add("Mul", g.add("Floor", g.add("Div", a, b)), b))
    return g.add(kind, a, b)


def _binary(kind: str) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        a, b = call.inputs
        one, other = call.dtype(0), call.dtype(1)
        if one != other:
            wide = numpy.promote_types(one, other)
            a, b = (x if own == wide else g.cast(x, wide) for x, own in ((a, one), (b, other)))
        return binary(g, kind, a, b, one)

    return convert


def _scalar(kind: str, reverse: bool = False) -> Callable[[Graph, Call], str]:
    def convert(g: Graph, call: Call) -> str:
        own, scalar, x = call.dtype(), call["scalar"], call.inputs[0]
        if own.kind == "b":
            raise call.unsupported("a boolean and a number; cast the booleans before")
        if own.kind != "f" and kind not in COMPARES and kind not in LOGICAL:
            scalar = int(scalar)  # as in MXNet
        exact = own.kind == "f" or (kind not in ("Hypot", "Pow") and scalar == int(scalar))
        dtype = own if exact else numpy.dtype("float32")
        x = x if exact else g.cast(x, dtype)
        y = g.constant(scalar, dtype)
        y = binary(g, kind, *((y, x) if reverse else (x, y)), dtype)
        return y if exact else g.cast(y, own)

    return convert


CONVERTERS.update({name: _same(kind) for name, kind in SAME.items()})
for _name, _kind in BINARY.items():
    CONVERTERS.update(
        dict.fromkeys((f"broadcast_{_name}", f"elemwise_{_name}", f"_{_name}"), _binary(_kind))
    )
    CONVERTERS[f"_{_name}_scalar"] = _scalar(_kind)
CONVERTERS.update(
    {
        "_grad_add": _binary("Add"),
        "_plus_scalar": _scalar("Add"),
        "_minus_scalar": _scalar("Sub"),
        "_rminus_scalar": _scalar("Sub", reverse=True),
        "_rdiv_scalar": _scalar("Div", reverse=True),
        "_rpower_scalar": _scalar("Pow", reverse=True),
        "_rmod_scalar": _scalar("Mod", reverse=True),
    }
)


def _composed(build: Callable[[Graph, str, Callable[[float], str]], str]) -> Any:
    """Create a converter from ``build(graph, x, number)``, where `number` makes a constant."""
    return lambda g, call: build(g, call.inputs[0], lambda v: g.constant(v, call.dtype()))


CONVERTERS.update(
    {
        "_contrib_quadratic": lambda g, call: _quadratic(g, call),
        "cbrt": _composed(
            lambda g, x, n: g.add("Mul", g.add("Sign", x), g.add("Pow", g.add("Abs", x), n(1 / 3)))
        ),
        "degrees": _composed(lambda g, x, n: g.add("Mul", x, n(180 / numpy.pi))),
        "expm1": _composed(lambda g, x, n: g.add("Sub", g.add("Exp", x), n(1))),
        "fix": _composed(
            lambda g, x, n: g.add("Mul", g.add("Sign", x), g.add("Floor", g.add("Abs", x)))
        ),
        "log10": _composed(lambda g, x, n: g.add("Div", g.add("Log", x), n(numpy.log(10)))),
        "log1p": _composed(lambda g, x, n: g.add("Log", g.add("Add", x, n(1)))),
        "log2": _composed(lambda g, x, n: g.add("Div", g.add("Log", x), n(numpy.log(2)))),
        "radians": _composed(lambda g, x, n: g.add("Mul", x, n(numpy.pi / 180))),
        "rcbrt": lambda g, call: g.add("Reciprocal", CONVERTERS["cbrt"](g, call)),
        # `rint` rounds halves down, as in MXNet.
        "rint": lambda g, call: _rint(g, call),
        "round": lambda g, call: Value(g, call.inputs[0], call.dtype()).rounded().name,
        "rsqrt": _composed(lambda g, x, n: g.add("Reciprocal", g.add("Sqrt", x))),
        "square": _composed(lambda g, x, n: g.add("Mul", x, x)),
    }
)
CONVERTERS["trunc"] = CONVERTERS["fix"]
CONVERTERS["_contrib_round_ste"] = CONVERTERS["round"]

#: Float functions in ONNX. For integers, the fraction is dropped, as in MXNet.
OF_FLOATS = (
    *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "cos", "cosh"),
    *("exp", "expm1", "log", "log10", "log1p", "log2", "rcbrt", "reciprocal", "rsqrt"),
    *("sigmoid", "sin", "sinh", "sqrt", "tan"),
)
#: Functions that runtimes support only in single precision.
OF_SINGLE = ("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cosh", "sinh", "tan")
#: Functions with integer results that may be rounded to just below the integer.
NEARLY = ("cbrt", "log10", "log2")
#: Functions that leave integers unchanged.
OF_FRACTIONS = ("ceil", "fix", "floor", "rint", "round", "trunc", "_contrib_round_ste")


def _looked_up(g: Graph, call: Call) -> str:
    """Look up a function of bytes: all results are computed at export time."""
    assert call.node.op is not None
    least, dtype = int(numpy.iinfo(call.dtype()).min), call.dtype()
    every = numpy.arange(least, least + 256).astype(dtype)
    with numpy.errstate(all="ignore"):
        results = call.node.op.bound(call.node)(array(every, dtype=dtype)).asnumpy()
    place = g.add("Sub", g.cast(call.inputs[0], "int64"), g.constant(least, "int64"))
    return g.add("Gather", g.constant(results), place)


def _one_from(function: Callable[[float], float]) -> Callable[[Graph, str], str]:
    """Truncate a function that increases to 1: 0 below some integer, 1 from there on."""
    least = next(k for k in range(100) if function(k) == 1)

    def convert(g: Graph, x: str) -> str:
        size = g.add("Div", g.add("Abs", x), g.constant(least, "int64"))
        return g.add("Mul", g.add("Sign", x), g.add("Min", size, g.constant(1, "int64")))

    return convert


def _but_integers(
    convert: Callable[[Graph, Call], str], other: Callable[[Graph, Call], str]
) -> Callable[[Graph, Call], str]:
    """Create a converter that writes ``other(g, call)`` for integers, and a table for bytes."""

    def of_integers(g: Graph, call: Call) -> str:
        dtype = call.dtype()
        if dtype.kind not in "iu":
            return convert(g, call)
        if dtype.itemsize == 1:
            return _looked_up(g, call)
        return g.cast(other(g, call), dtype)

    return of_integers


def _by_floats(name: str, convert: Callable[[Graph, Call], str]) -> Callable[[Graph, Call], str]:
    def of_floats(g: Graph, call: Call) -> str:
        wide = numpy.dtype("float32" if name in OF_SINGLE else "float64")
        own = copy(call)
        own.inputs, own.dtypes = [g.cast(call.inputs[0], wide)], [wide]
        y = convert(g, own)
        if name in NEARLY:
            y = g.add("Add", y, g.add("Mul", y, g.constant(2.0**-43, wide)))
        return y

    return _but_integers(convert, of_floats)


def _of_long(function: Callable[[Graph, str], str]) -> Callable[[Graph, Call], str]:
    """Create a converter that writes ``function(g, x)`` for the input as int64."""
    return lambda g, call: function(g, g.cast(call.inputs[0], "int64"))


CONVERTERS.update({name: _by_floats(name, CONVERTERS[name]) for name in OF_FLOATS})
_OF_INTEGERS: dict[str, Callable[[Graph, str], str]] = {
    **{name: lambda g, x: g.add("Identity", x) for name in OF_FRACTIONS},
    "erf": _one_from(math.erf),
    "negative": lambda g, x: g.add("Neg", x),
    "relu": lambda g, x: g.add("Max", x, g.constant(0, "int64")),
    "softsign": lambda g, x: g.add("Mul", x, g.constant(0, "int64")),
    "tanh": _one_from(math.tanh),
}
CONVERTERS.update(
    {name: _but_integers(CONVERTERS[name], _of_long(f)) for name, f in _OF_INTEGERS.items()}
)


def _rint(g: Graph, call: Call) -> str:
    x = Value(g, call.inputs[0], call.dtype())
    low = x.call("Floor")
    return (x > low + 0.5).where(x.call("Ceil"), low).name


def _quadratic(g: Graph, call: Call) -> str:
    a, b, c = (g.constant(call[name], call.dtype()) for name in "abc")
    x = call.inputs[0]
    inner = g.add("Add", g.add("Mul", g.add("Mul", a, x), x), g.add("Mul", b, x))
    return g.add("Add", inner, c)


@converts("logical_not")
def _not(g: Graph, call: Call) -> str:
    return g.cast(g.add("Not", g.cast(call.inputs[0], bool)), call.dtype())


def _kind_of_value(kinds: Sequence[str], turned: bool, as_bool: bool, **options: int) -> Any:
    """Create a converter that tests for infinity or NaN."""

    def convert(g: Graph, call: Call) -> str:
        x, dtype = call.inputs[0], call.dtype()
        if dtype.name not in ("float32", "float64"):
            x = g.cast(x, "float32")
        answers = [g.add(kind, x, **options) for kind in kinds]
        y = g.add("Or", *answers) if len(answers) > 1 else answers[0]
        y = g.add("Not", y) if turned else y
        return y if as_bool else g.cast(y, dtype)

    return convert


for _prefix in ("_contrib", "_npi"):
    _np = _prefix == "_npi"
    CONVERTERS[f"{_prefix}_isfinite"] = _kind_of_value(("IsNaN", "IsInf"), True, _np)
    CONVERTERS[f"{_prefix}_isinf"] = _kind_of_value(("IsInf",), False, _np)
    CONVERTERS[f"{_prefix}_isnan"] = _kind_of_value(("IsNaN",), False, _np)
CONVERTERS["_npi_isneginf"] = _kind_of_value(("IsInf",), False, True, detect_positive=0)
CONVERTERS["_npi_isposinf"] = _kind_of_value(("IsInf",), False, True, detect_negative=0)


@converts("clip")
def _clip(g: Graph, call: Call) -> str:
    dtype = call.dtype()
    ends: tuple[Any, ...] = (call["a_min"], call["a_max"])
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        ends = tuple(int(min(max(end, limits.min), limits.max)) for end in ends)
    return g.add("Clip", call.inputs[0], *(g.constant(end, dtype) for end in ends))


@converts("Cast")
def _cast(g: Graph, call: Call) -> str:
    return g.cast(call.inputs[0], numpy.dtype(call["dtype"]))


@converts("amp_cast")
def _amp_cast(g: Graph, call: Call) -> str:
    if call.dtype() not in ("float16", "float32"):
        return g.add("Identity", call.inputs[0])
    return _cast(g, call)


@converts("amp_multicast")
def _multicast(g: Graph, call: Call) -> list[str]:
    return [g.cast(x, dtype) for x, dtype in zip(call.inputs, call.out_dtypes)]


@converts("add_n")
def _sum(g: Graph, call: Call) -> str:
    if call.dtype().kind == "f":
        return g.add("Sum", *call.inputs)
    first, *others = call.inputs
    return reduce(partial(g.add, "Add"), others, first)


@converts("smooth_l1")
def _smooth_l1(g: Graph, call: Call) -> str:
    scalar, dtype, x = call["scalar"], call.dtype(), call.inputs[0]
    if not scalar:
        return g.add("Mul", x, g.constant(0, dtype))
    size = g.add("Abs", x)
    border = g.constant(1 / scalar**2, dtype)
    near = g.add("Mul", g.add("Mul", x, x), g.constant(scalar**2 / 2, dtype))
    far = g.add("Sub", size, g.constant(0.5 / scalar**2, dtype))
    return g.add("Where", g.add("Less", size, border), near, far)


@converts("where")
def _where(g: Graph, call: Call) -> str:
    condition, x, y = call.inputs
    condition = g.cast(condition, bool)
    if call.ndim() < call.ndim(1):  # one value for each row
        condition = g.unsqueeze(condition, *range(1, call.ndim(1)))
    return g.add("Where", condition, x, y)


@converts("_contrib_div_sqrt_dim")
def _div_sqrt_dim(g: Graph, call: Call) -> str:
    root = g.constant(call.length(-1) ** 0.5, call.dtype())
    return g.add("Div", call.inputs[0], root)


@converts("Activation")
def _activation(g: Graph, call: Call) -> str:
    kinds = {
        "relu": "Relu",
        "sigmoid": "Sigmoid",
        "softrelu": "Softplus",
        "softsign": "Softsign",
        "tanh": "Tanh",
    }
    return g.add(kinds[call["act_type"]], call.inputs[0])


@converts("hard_sigmoid")
def _hard_sigmoid(g: Graph, call: Call) -> str:
    return g.add("HardSigmoid", call.inputs[0], alpha=call["alpha"], beta=call["beta"])


@converts("LeakyReLU")
def _leaky(g: Graph, call: Call) -> str:
    kind, x = call["act_type"], call.inputs[0]
    if kind == "leaky":
        return g.add("LeakyRelu", x, alpha=call["slope"])
    if kind == "elu":
        return g.add("Elu", x, alpha=call["slope"])
    if kind == "rrelu":
        return g.add("LeakyRelu", x, alpha=(call["lower_bound"] + call["upper_bound"]) / 2)
    if kind == "prelu":
        rank, gamma = call.ndim(), call.inputs[1]
        if call.ndim(1) == 1 and rank > 2 and call.shapes[1] != (1,):
            gamma = g.unsqueeze(gamma, *range(1, rank - 1))
        return g.add("PRelu", x, gamma)
    if kind == "selu":
        return g.add("Selu", x)
    half, root = (g.constant(v, call.dtype()) for v in (0.5, 0.5**0.5))
    inner = g.add("Add", g.add("Erf", g.add("Mul", x, root)), g.constant(1, call.dtype()))
    return g.add("Mul", g.add("Mul", x, half), inner)
