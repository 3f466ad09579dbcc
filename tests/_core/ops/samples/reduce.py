"""Reductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from tests._core.ops.sample import Raw, Sample, s

AXES: list[dict] = [
    {},
    {"axis": 0},
    {"axis": -1},
    {"axis": (0, 2)},
    {"axis": (), "keepdims": True},
    {"axis": 1, "keepdims": True},
    {"axis": (-1, 0), "keepdims": True},
    {"axis": 1, "exclude": True},
    {"axis": (0, -1), "exclude": True, "keepdims": True},
    {"axis": None, "exclude": True},
    {"axis": (), "exclude": True},
    {"axis": (0, 1, 2), "exclude": True},
    {"axis": (2, 1, 0)},
    {"axis": (2,), "keepdims": True},
    {"axis": -3, "exclude": True},
    {"axis": [0, 1]},
    {"keepdims": True},
]
#: Refused: out of range, twice, no integer.
WRONG = [5, -3, (0, 0), (0, -2), (1, 7), "first", 1.0]
NAMES = "sum mean prod max min nansum nanprod".split()
NUMPY = {"sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min}
NUMPY |= {"nansum": np.nansum, "nanprod": np.nanprod}
#: Each row has something of its own: NaN, infinities of one sign and both, zeros, ties.
ROWS = (
    "[[nan, 1, 2], [2, inf, 1], [nan, nan, nan], [-inf, inf, 1], [-inf, -2, 0], [0.0, -0.0, 0.0],"
    " [0, 3, 0], [0, 3, 5], [1, 1, 1], [-2, -2, -3]]"
)
WHOLE_DTYPES = ("int32", "int64", "int8", "uint8")


def _reductions() -> list[Sample]:
    found = []
    for name in NAMES:
        found += [s(name, "2x3x4 distinct", **attrs) for attrs in AXES]
        found += [s(name, "2x3", axis=axis) for axis in WRONG]
        found += [s(name, "2x3", axis=axis, exclude=True) for axis in (5, -3, (0, 0))]
        for dtype, rtol in (("float32", 1e-5), ("float64", 1e-5), ("float16", 4e-3)):
            rows = s(name, f"{ROWS} {dtype}", axis=1).but(kink=True, rtol=rtol)
            found.append(rows.but(**_about_rows(name, 1)))
        found.append(s(name, ROWS, axis=0).but(kink=True, **_about_rows(name, 0)))
        found += [
            s(name, f"[[1, 2, 3], [4, 0, 6]] {dtype}", axis=axis)
            for dtype in WHOLE_DTYPES
            for axis in (None, 1)
        ]
        found += [
            s(name, "3x1x2", axis=1),
            s(name, "1"),
            s(name, "1x1x1", keepdims=True),
            s(name, "5x1", axis=(0, 1)),
            s(name, "2x2x2x2x2", axis=(1, 3)),
            s(name, "2x3 float64", axis=0),
            s(name, "2x3 float16", axis=1).but(rtol=4e-3),
            s(name, "[[1e20, -1e20], [1e-20, 1e-20]] float64").but(kink=True),
            s(name, "[[1e30, 3e30], [1e-30, 3e-30]]", axis=1).but(kink=True),
            s(name, "[1, 0, 1] bool"),
        ]
        found += _empty(name)
    return found


def _about_rows(name: str, axis: int) -> dict:
    """How samples of `ROWS` differ from MXNet, where MXNet is wrong."""
    if name == "nansum":
        return {"differs": INFINITE_SUM, "right": lambda x: np.nansum(x, axis)}
    if "prod" in name:
        return {"differs_grad": "MXNet divides by the factor, also by 0 and infinity"}
    return {}


def _empty(name: str) -> list[Sample]:
    """Axes of length 0, which the oracle does not support."""
    found = []
    for shape, axis in (("0x3", 1), ("0x3", 0), ("2x0x3", (0, 2)), ("2x0x3", 1), ("0", 0)):
        one = s(name, shape, axis=axis)
        lost = name in ("max", "min") and (shape, axis) not in (("0x3", 1), ("2x0x3", (0, 2)))
        right = partial(_at_least_1d, NUMPY[name], axis)
        nothing = {"differs": "an error, since there are no values", "refused": True}
        found.append(one.but(**nothing) if lost else one.but(right=right))
    return found


def _at_least_1d(function: Callable, axis: int | tuple[int, ...], x: Raw) -> Raw:
    return np.atleast_1d(function(x, axis))


def _norm(x: Raw, order: int) -> Raw:
    """The norm of each row."""
    size = np.abs(x)
    return size.sum(1) if order == 1 else np.sqrt(np.square(size).sum(1))


INFINITE_SUM = "infinities of one sign add up; MXNet gives nan"


SAMPLES = [
    *_reductions(),
    *(s(name, "2x3x4 distinct", axis=1) for name in "sum_axis max_axis min_axis".split()),
    s("prod", "[[0.0, 2, 3], [1, 2, 4], [0, 0, 5]]", axis=1).but(
        differs_grad="MXNet divides by the zero factor"
    ),
    s("prod", "[[0.0, 2], [3, 4]]").but(differs_grad="MXNet divides by the zero factor"),
    s("max", "[[1, 1, 0], [2, 2, 2]]", axis=1).but(kink=True),
    s("min", "[1, 1, 3]").but(kink=True),
    s("nansum", "[[nan, 1], [2, 3]]", axis=0).but(kink=True),
    s("nanprod", "[[nan, 2], [3, 4]]", axis=0).but(kink=True),
    *(
        s("norm", "2x3x4", ord=order, **attrs)
        for attrs in AXES
        for order in (1, 2)
        if "exclude" not in attrs
    ),
    *(s("norm", "2x3", axis=axis) for axis in WRONG),
    *(s("norm", "2x3", ord=order) for order in (0, 3, -1, "fro", None)),
    s("norm", "2x3"),
    s("norm", "2x3", ord=1),
    *(
        s("norm", f"4 {dtype}", ord=order).but(rtol=4e-3)
        for dtype in ("float64", "float16")
        for order in (1, 2)
    ),
    *(s("norm", f"[[3, 4], [0, 2]] {dtype}", ord=1, axis=1) for dtype in WHOLE_DTYPES),
    *(
        s("norm", f"[[3, 4], [0, 2]] {dtype}", axis=1).but(
            differs="MXNet returns 4", right=lambda x: np.array([5, 2], x.dtype)
        )
        for dtype in WHOLE_DTYPES
    ),
    s("norm", "3", out_dtype="float32").but(kink=True),
    s("norm", "3", out_dtype="float64").but(
        differs="MXNet raises", right=lambda x: _norm(x[None], 2).astype("float64"), wrt=()
    ),
    *(
        s("norm", ROWS, ord=order, axis=1).but(
            kink=True, differs=INFINITE_SUM, right=lambda x, order=order: _norm(x, order)
        )
        for order in (1, 2)
    ),
    s("norm", "[[0, 0], [3, 4]]", axis=1).but(
        kink=True, differs_grad="MXNet gives nan at 0; the subgradient is 0"
    ),
    s("norm", "[3e30, 4e30]").but(
        differs="MXNet's squares overflow", right=lambda x: np.float32([5e30]), kink=True
    ),
    s("norm", "[3e-30, 4e-30]").but(kink=True),
    s("norm", "0x3", axis=0).but(right=lambda x: np.zeros(3, x.dtype)),
    s("norm", "0x3", axis=1).but(right=lambda x: np.zeros(0, x.dtype)),
    s("norm", "1x1x1", keepdims=True),
    *(
        s(name, "2x3x4 distinct", **attrs).but(wrt=())
        for name in ("argmax", "argmin")
        for attrs in (
            {},
            {"axis": 0},
            {"axis": -1},
            {"axis": -3},
            {"axis": 1, "keepdims": True},
            {"keepdims": True},
            {"axis": None},
        )
    ),
    *(
        s(name, x, axis=axis).but(wrt=())
        for name in ("argmax", "argmin")
        for x, axis in (
            (ROWS, 1),
            (ROWS, 0),
            (ROWS, None),
            (f"{ROWS} float64", 1),
            (f"{ROWS} float16", 1),
            *((f"[[1, 5, 5], [0, 0, 3]] {dtype}", 1) for dtype in WHOLE_DTYPES),
            ("[1, 0] bool", 0),
            *((f"300 index3 {dtype}", 0) for dtype in ("uint8", "int64", "float16")),
            ("3x1x2", 1),
            ("1", 0),
            ("2x3", 2),
            ("2x3", -3),
            ("2x3", (0, 1)),
            ("2x3", 0.5),
        )
    ),
    *(
        s(name, shape, axis=axis).but(
            wrt=(), differs="an error, since there is no such index", refused=True
        )
        for name in ("argmax", "argmin")
        for shape, axis in (("6000 distinct float16", 0), ("2x0", 1), ("0", 0))
    ),
    s("argmin", "310 distinct int8").but(
        differs="an error, since int8 cannot represent the index", refused=True
    ),
    s("argmax", "2x0", axis=0).but(right=lambda x: np.zeros(0, x.dtype)),
    s("argmax_channel", "3x4").but(wrt=()),
    s("argmax_channel", "2x3x2").but(wrt=()),
    s("argmax_channel", "[[1, 5], [7, 2]] int32"),
    s("argmax_channel", "3"),
    s("F.restore", "2x4", axis=1, shape=(2, 3, 4)).but(right=lambda x: np.repeat(x[:, None], 3, 1)),
    s("F.restore", "()", axis=None, shape=(2, 3)).but(right=lambda x: np.full((2, 3), x)),
    s("F.sum_to", "2x3x4", shape=(3, 1)).but(right=lambda x: x.sum((0, 2))[:, None]),
    s("F.any", "[[0, 0], [0, 2]]", axis=1).but(right=lambda x: x.any(1), kink=True),
    s("F.all", "[[1, 0], [3, 2]]", axis=1).but(right=lambda x: x.all(1), kink=True),
    s("norm", "2x3", out_dtype="float32", axis=1).but(kink=True),
    s("norm", "2x3", axis=0, out_dtype="float64").but(
        differs="MXNet fails", right=lambda x: np.hypot(*x).astype("float64"), wrt=()
    ),
    s("contrib.allclose", "[1, 2]", "[1, 2.00001]").but(wrt=()),
    s("contrib.allclose", "[1, 2]", "[1, 2.1]").but(wrt=()),
    s("contrib.allclose", "[1, 2]", "[1.1, 2.1]", rtol=0.1, atol=0.01).but(wrt=()),
    s("contrib.allclose", "[1, nan, inf]", "[1, nan, inf]").but(wrt=()),
    s("contrib.allclose", "[1, nan]", "[1, nan]", equal_nan=False).but(wrt=()),
    s("contrib.allclose", "[nan, 1]", "[1, nan]").but(wrt=()),
    s("contrib.allclose", "2x3 float16", "2x3 float16").but(wrt=()),
    s("contrib.allclose", "[1, 2] float64", "[1, 2.000001] float64").but(wrt=()),
    s("contrib.allclose", "2x3 index9 int32", "2x3 index9 int32"),
    s("contrib.allclose", "[1, 2]", "[[1, 2]]"),
    s("contrib.allclose", "[1, 2]", "[1]"),
    s("contrib.allclose", "[1, inf]", "[1, -inf]").but(
        wrt=(),
        differs="in MXNet an infinity is close to any number",
        right=lambda a, b: np.uint8(0),
    ),
    # values as strings
    s("sum", "2x3x4", axis="1", keepdims="True"),
    s("mean", "2x3x4", axis="(0, 2)", exclude="0"),
    s("max", "2x3x4 distinct", axis="[1]", keepdims="false"),
    s("sum", "2x3", axis="None"),
    s("sum", "2x3", axis="one"),
    s("sum", "2x3", axis="1.0"),
    s("sum", "2x3", keepdims="yes"),
    s("norm", "2x3", ord="1", axis="1"),
    s("argmax", "2x3", axis="1"),
]
