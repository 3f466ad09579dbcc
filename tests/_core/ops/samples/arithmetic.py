"""Arithmetic and comparisons: two arrays, or an array and a number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests._core.ops.sample import Sample, s

ARITHMETIC = {
    **dict.fromkeys("add subtract multiply maximum minimum".split(), ""),
    **dict.fromkeys("divide modulo power".split(), "positive"),
}
#: The forms that take arrays only.
BROADCAST = {
    **dict.fromkeys("broadcast_add broadcast_sub broadcast_mul".split(), ""),
    **dict.fromkeys("broadcast_maximum broadcast_minimum".split(), ""),
    **dict.fromkeys("broadcast_div broadcast_mod broadcast_power".split(), "positive"),
    "broadcast_hypot": "positive",
}
COMPARE = """equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or
logical_xor""".split()
SHORT = {"sub": "subtract", "mul": "multiply", "div": "divide", "mod": "mod", "modulo": "mod"}
SHAPES = [
    *(("2x3", "1x3"), ("2x1", "3"), ("3", "2x3"), ("1", "2x3"), ("2x3", "1x1"), ("2x3x4", "3x1")),
    *(("2x1x4x1", "3x1x2"), ("1x2", "2x1x1x1"), ("0x3", "1x3"), ("2x0", "1")),
    *(("2x3", "4x3"), ("2x3", "2")),
]
#: Every pair of these meets: one is a column.
CORNERS = "[nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.0, -2.5, 0.5]"
COLUMN = "[[nan], [inf], [-inf], [0.0], [-0.0], [1.0], [-1.0], [2.0], [-2.5], [0.5]]"
SIGNED = "[-7, -3, -1, 1, 2, 5]"
SIGNED_COLUMN = "[[-7], [-3], [-1], [1], [2], [5], [0]]"
NUMBERS = (2.0, 3, -1.5, 0.0, np.nan, np.inf, True)
WHOLE_DTYPES = ("int32", "int64", "int8")
FLOAT_DTYPES = (("float32", 1e-5), ("float64", 1e-5), ("float16", 4e-3))


def _numpy(name: str) -> Callable:
    """NumPy's function of that name."""
    name = name.removeprefix("broadcast_").removeprefix("elemwise_").replace("lesser", "less")
    return getattr(np, SHORT.get(name, name))


def _like_the_array(function: Callable, dtype: str) -> Callable:
    return lambda *operands: function(*operands).astype(dtype)


def _pairs(name: str, kind: str) -> list[Sample]:
    """Two arrays."""
    found = [s(name, f"{a} {kind}", f"{b} {kind}") for a, b in [("2x3", "2x3"), *SHAPES]]
    for dtype, rtol in FLOAT_DTYPES:
        found += [
            s(name, f"2x3 {kind} {dtype}", f"1x3 {kind} {dtype}").but(rtol=rtol),
            s(name, f"{COLUMN} {dtype}", f"{CORNERS} {dtype}").but(
                kink=True,
                rtol=rtol,
                **AT_ZERO.get(SHORT.get(name.removeprefix("broadcast_"), name), {}),
                differs_grad=ZERO_BASE if "power" in name else "",
            ),
        ]
    found += [s(name, f"{SIGNED_COLUMN} {dtype}", f"{SIGNED} {dtype}") for dtype in WHOLE_DTYPES]
    found.append(s(name, "[[0], [1], [2], [3]] uint8", "[1, 2, 3] uint8"))
    masks = s(name, "[[0], [1]] bool", "[0, 1] bool")
    return [*found, masks if name in WITHOUT_MASKS else masks.but(**BOOLEANS, right=_numpy(name))]


def _numbers(name: str, kind: str) -> list[Sample]:
    """An array and a number, on either side."""
    found = []
    function, compares = _numpy(name), name in COMPARE
    for number in NUMBERS:
        by_zero = AT_ZERO.get(SHORT.get(name, name), {})
        flat = ZERO_BASE if name == "power" and number == 0 else ""
        right = s(name, CORNERS, number).but(kink=True, differs_grad=flat)
        left = s(name, number, CORNERS).but(kink=True, differs_grad=flat, **by_zero)
        found += [right.but(**by_zero) if number == 0 else right, left]
    for dtype in ("float64", "float16"):
        x = f"4 {kind} {dtype}"
        found += [s(name, *operands).but(rtol=4e-3) for operands in ((x, 1.3), (1.3, x))]
    integers = [(f"{SIGNED} {dtype}", dtype) for dtype in WHOLE_DTYPES]
    for x, dtype in [*integers, ("[1, 2, 3, 200] uint8", "uint8")]:
        for number in (2, 2.5, -3, -2.5)[: 2 if dtype == "uint8" else None]:
            exact = FRACTIONS if compares and "log" not in name and number % 1 else {}
            exact = exact and {**exact, "right": _like_the_array(function, dtype)}
            found += [s(name, *operands).but(**exact) for operands in ((x, number), (number, x))]
    for number in (3, 2.5):
        for operands in (("[0, 1] bool", number), (number, "[0, 1] bool")):
            found.append(s(name, *operands).but(**MASK_AND_NUMBER, right=function))
    return found


ZERO_BASE = "0 ** x is flat for x > 0, where MXNet computes 0 * log(0)"
BOOLEANS = {"differs": "bool arrays give what NumPy gives; MXNet raises an error"}
MASK_AND_NUMBER = {
    "differs": "a bool array and a number give what NumPy gives; MXNet converts both to int64"
}
FRACTIONS = {"differs": "integers are compared with the number itself; MXNet drops its fraction"}
#: NumPy refuses these too.
WITHOUT_MASKS = ("subtract", "broadcast_sub", "broadcast_hypot")
AT_ZERO: dict[str, dict] = {
    "mod": {"differs": "x % 0 is nan; MXNet gives 0", "right": np.mod},
}


def _binary() -> list[Sample]:
    found = []
    for name, kind in {**ARITHMETIC, **BROADCAST}.items():
        found += _pairs(name, kind)
        if name in ARITHMETIC:
            found += _numbers(name, kind)
        else:
            numbers = {"differs": "MXNet requires arrays", "right": _numpy(name)}
            found.append(s(name, "2x3 positive", 2.0).but(**numbers))
    for name in COMPARE:
        for prefix in ("", "broadcast_"):
            found += [one.but(kink=True) for one in _pairs(prefix + name, "integers")]
        found += [one.but(kink=True) for one in _numbers(name, "integers")]
    by_zero = {"differs": "MXNet crashes", "right": lambda x, y: np.floor_divide(x, y)}
    found += [
        s("divide", "[-1, 0, 5] int32", "[0, 0, 0] int32").but(**by_zero),
        s("divide", "[-1, 0, 5] int64", 0).but(**by_zero),
        s("modulo", "[-1, 0, 5] int32", "[0, 0, 0] int32"),
        s("modulo", "[-1, 0, 5] int8", 0),
        s("divide", "[9007199254740993, -9007199254740993] int64", "[1, 2] int64"),
        s("multiply", "[9007199254740993, 100] int64", 1),
        s("power", "[3, -7] int64", "[30, 21] int64").but(
            differs="MXNet computes in float32", right=np.power
        ),
        *(s(f"broadcast_{name}", "2x3", "2x3 positive") for name in ("plus", "minus")),
        s("pow", "2x3 positive", "2x3").but(differs="mx.nd has none", right=np.power),
        s("hypot", "2x3", "1x3").but(differs="mx.nd has none", right=np.hypot),
        s("hypot", "2x3", 2.0).but(differs="mx.nd has none", right=np.hypot),
        s("hypot", 4, "[3, -3, 1] int32").but(
            differs="mx.nd has none", right=lambda x, y: np.int32([5, 5, 4])
        ),
        *(
            s("broadcast_hypot", f"[-128, 8, 33, 120] {dtype}", f"[-128, 32, 56, 27] {dtype}")
            for dtype in ("int8", "int32")
        ),
        *(s("add", "2x3", other).but(wrt=()) for other in (None, 1j)),
    ]
    return found


def _elemwise() -> list[Sample]:
    """The forms that do not broadcast."""
    found = []
    for name in "add sub mul div".split():
        op = f"elemwise_{name}"
        found += [
            s(op, "2x1x3", "2x1x3 positive"),
            s(op, "0x3", "0x3"),
            s(op, COLUMN, COLUMN.replace("nan", "2.0")).but(kink=True),
            *(
                s(op, f"[7, -5, 3, 100] {dtype}", f"[2, 2, -2, 3] {dtype}").but(rtol=4e-3)
                for dtype in ("float64", "float16", *WHOLE_DTYPES)
            ),
            s(op, "[7, 5, 3, 200] uint8", "[2, 2, 2, 3] uint8"),
            s(op, "[1, 0] bool", "[1, 1] bool").but(
                **({} if name == "sub" else {**BOOLEANS, "right": _numpy(op)})
            ),
            s(op, "2x3", "1x3"),
            s(op, "2x3", "3"),
            s(op, "2x3", "1"),
            s(op, "2x3", "2x4"),
            s(op, "6", "2x3"),
            s(op, "2x3", 2.0),
            s(op, 2.0, "2x3"),
        ]
    return found


SAMPLES = [
    *_binary(),
    *_elemwise(),
    *(s(f"elemwise_{name}", "2x3", "2x3 positive") for name in "add sub mul div".split()),
    *(
        s(f"elemwise_{name}", "4 natural int32", "4 natural int32")
        for name in "add sub mul".split()
    ),
    s("true_divide", "2x3", "2x3 positive"),
    s("power", "[-2, -1.5, 0, 0, 3]", 2).but(kink=True),
    s("power", "[-2, -1.5, 0.0, 3]", 3.0),
    s("power", "3x2 positive", -1.5),
    s("power", "3x2 positive", 0),
    s("power", 0.5, "3x2"),
    s("power", "3x2", 1),
]
