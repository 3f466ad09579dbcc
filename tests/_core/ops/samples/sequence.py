"""Sorting, cumulative sums, sequences of different lengths."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests._core.ops.sample import Sample, s

TYPES = ("float64", "float16", "int32", "int64", "int8", "uint8")
TIES = "[2, 1, 2, 1, 0, 2]"
NANS = "[2, nan, 1, -inf, inf, nan]"
NO_NAN = "the position of NaN is undefined in MXNet"
HALF = "6 integers float16"
NO_HALF = "MXNet does not support float16"
SORTED = ("float64", "int32", "int64", "int8", "uint8")
RETURNS = ("indices", "mask", "value", "both")


def places(op: str, data: str, **attrs: object) -> Sample:
    return s(op, data, **attrs).but(wrt=())


def by_length(op: str, data: str, length: str, **attrs: object) -> Sample:
    return s(op, data, length, use_sequence_length=True, **attrs).but(
        wrt=() if "int" in data else (0,)
    )


SORTS = [
    *(s("sort", "2x3x4 distinct", axis=axis) for axis in (0, 1, 2, -1, -3)),
    *(s("sort", "2x3x4 distinct", axis=axis, is_ascend=False) for axis in (0, 1, -1)),
    *(s("sort", "3x4 distinct", axis=None, is_ascend=up) for up in (True, False)),
    *(
        s("sort", f"6 integers {kind}", is_ascend=up).but(kink=True)
        for kind in SORTED
        for up in (True, False)
    ),
    s("sort", HALF).but(differs=NO_HALF, right=np.sort, kink=True),
    s("sort", HALF, is_ascend=False).but(differs=NO_HALF, right=lambda x: -np.sort(-x), kink=True),
    *(s("sort", "3x4 distinct", axis=axis) for axis in (2, -3)),
    *(s("sort", f"{TIES}", is_ascend=up).but(kink=True) for up in (True, False)),
    *(s("sort", shape) for shape in ("1", "1x1", "3x1", "1x4")),
    s("sort", "[0.0, -0.0, 1e-30, -1e30, 1e30]").but(kink=True),
    s("sort", "0x3"),
    s("sort", "3x0"),
    *(places("argsort", "2x3x4 distinct", axis=axis) for axis in (0, 1, 2, -1, -3)),
    *(places("argsort", "2x3x4 distinct", axis=axis, is_ascend=False) for axis in (0, 1, -1)),
    *(places("argsort", "3x4 distinct", axis=None, is_ascend=up) for up in (True, False)),
    *(
        places("argsort", f"6 integers {kind}", is_ascend=u)
        for kind in SORTED
        for u in (True, False)
    ),
    places("argsort", HALF).but(
        differs=NO_HALF, right=lambda x: np.argsort(x, kind="stable").astype("float32")
    ),
    *(places("argsort", "3x4 distinct", dtype=kind) for kind in (*TYPES, "float32", "bool")),
    *(places("argsort", TIES, is_ascend=up) for up in (True, False)),
    *(places("argsort", "3x4 distinct", axis=axis) for axis in (2, -3)),
    *(
        places("argsort", NANS, is_ascend=up).but(
            differs=NO_NAN, right=lambda x, order=order: np.array(order, "float32")
        )
        for up, order in ((True, [3, 2, 0, 4, 1, 5]), (False, [1, 5, 4, 0, 2, 3]))
    ),
    places("argsort", "3x1"),
    *(
        s(op, "3x4 bools bool").but(differs="MXNet does not support bool", right=right)
        for op, right in (
            ("sort", np.sort),
            ("argsort", lambda x: np.argsort(x, kind="stable").astype("float32")),
        )
    ),
    places("argsort", "0x3"),
]
TOPK = [
    *(
        places("topk", "2x3x4 distinct", k=2, axis=axis, ret_typ=kind)
        if kind in ("indices", "mask")
        else s("topk", "2x3x4 distinct", k=2, axis=axis, ret_typ=kind)
        for axis in (0, 1, -1, None)
        for kind in RETURNS
    ),
    *(s("topk", "3x4 distinct", k=2, ret_typ="both", is_ascend=True, axis=a) for a in (0, 1, None)),
    *(s("topk", "3x4 distinct", k=k, ret_typ="both") for k in (0, 1, 4, -1)),
    *(s("topk", "3x4 distinct", k=k, ret_typ="both", is_ascend=True) for k in (0, 1, 4)),
    *(places("topk", "3x4 distinct", k=k, ret_typ="mask") for k in (0, 1, 4)),
    *(places("topk", "3x4 distinct", k=k) for k in (5, 13)),
    *(places("topk", "3x4 distinct", k=2, axis=axis) for axis in (2, -3)),
    places("topk", "3x4 distinct", k=13, axis=None),
    places("topk", "3x4 distinct", ret_typ="values"),
    places("topk", "3x4 distinct"),
    *(s("topk", f"6 integers {kind}", k=3, ret_typ="both").but(kink=True) for kind in TYPES),
    *(places("topk", f"6 integers {kind}", k=3, ret_typ="mask") for kind in TYPES),
    *(places("topk", "3x4 distinct", k=2, dtype=kind) for kind in (*TYPES, "bool")),
    *(s("topk", "3x4 distinct", k=2, dtype=kind, ret_typ="both") for kind in TYPES[:3]),
    *(
        places("topk", TIES, k=4, is_ascend=up, ret_typ=r)
        for up in (0, 1)
        for r in ("indices", "mask")
    ),
    places("topk", "[[1, 3, 3, 2]]", k=2),
    *(
        s("topk", NANS, k=4, ret_typ="value", is_ascend=up).but(
            kink=True, differs=NO_NAN, right=lambda x, values=values: np.array(values, "float32")
        )
        for up, values in (
            (True, [-np.inf, 1, 2, np.inf]),
            (False, [np.nan, np.nan, np.inf, 2]),
        )
    ),
    s("topk", "3x1", ret_typ="both"),
    s("topk", "0x3", ret_typ="both"),
]
SUMS = [
    *(s("cumsum", "2x3x4", axis=axis) for axis in (None, 0, 1, 2)),
    *(
        s("cumsum", "2x3x4", axis=axis).but(
            differs="MXNet takes no negative axis", right=lambda x, axis=axis: np.cumsum(x, axis)
        )
        for axis in (-1, -2)
    ),
    *(s("cumsum", f"3x4 integers {kind}", axis=1) for kind in TYPES),
    *(s("cumsum", "3x4 integers", axis=1, dtype=kind).but(kink=True) for kind in TYPES[:5]),
    s("cumsum", "3x4 natural", axis=1, dtype="uint8").but(
        kink=True,
        differs="MXNet does not support uint8",
        right=lambda x: x.cumsum(1).astype("uint8"),
    ),
    s("cumsum", "3x4", axis=2),
    s("cumsum", "3x4 bools bool", axis=1),
    s("cumsum", "3x4 bools bool", axis=1, dtype="int32"),
    s("cumsum", "[[1, nan, 2], [inf, 1, -inf]]", axis=1).but(kink=True),
    s("cumsum", "[1e38, 3e38, -3e38]").but(kink=True),
    s("cumsum", "1x4", axis=0),
    s("cumsum", "0x4", axis=0),
    s("cumsum", "[100, 100, 100] int8"),
]
OUTSIDE = "MXNet reads outside the array"
NAMES = ("SequenceMask", "SequenceLast", "SequenceReverse")
LENGTHS = [
    s("SequenceMask", "4x2x3"),
    s("SequenceMask", "4x2x3", value=-1),
    s("SequenceReverse", "4x2x3"),
    s("SequenceLast", "4x2x3").but(differs="MXNet crashes", right=lambda x: x[-1]),
    *(by_length(name, "4x2x3", "[1, 3]") for name in NAMES),
    *(by_length(name, "4x2x3", f"[4, 2] {kind}") for name in NAMES for kind in TYPES),
    *(
        by_length(name, f"4x2x3 integers {kind}", f"[4, 2] {kind}")
        for name in NAMES
        for kind in TYPES
    ),
    *(by_length(name, "4x2", "[1, 3]") for name in NAMES),
    *(by_length(name, "4x2x3x2", "[1, 3]") for name in NAMES),
    *(by_length(name, "1x2x3", "[1, 1]") for name in NAMES),
    *(by_length(name, "4x1x1", "[2]") for name in NAMES),
    *(by_length(name, "4x2x3", "[1.9, 3.2]") for name in NAMES),
    *(by_length(name, "4x2x3", "[1, 2, 3]") for name in NAMES),
    *(by_length(name, "4x2x3", "[[1, 2]]") for name in NAMES),
    *(by_length(name, "2x4x3", "[4, 2]", axis=1) for name in NAMES),
    *(by_length(name, "2x4x3", "[4, 2]", axis=2) for name in NAMES),
    *(by_length(name, "4", "[2]") for name in NAMES),
    by_length("SequenceMask", "4x2x3", "[0, 7]"),
    by_length("SequenceMask", "4x2x3", "[-1, 7]"),
    by_length("SequenceReverse", "4x2x3", "[0, 4]"),
    by_length("SequenceReverse", "4x2x3", "[-1, 4]").but(differs=OUTSIDE, refused=True),
    by_length("SequenceReverse", "4x2x3", "[2, 5]"),
    by_length("SequenceLast", "4x2x3", "[0, 4]").but(differs=OUTSIDE, refused=True),
    by_length("SequenceLast", "4x2x3", "[5, 4]").but(differs=OUTSIDE, refused=True),
    by_length("SequenceMask", "2x4x3", "[4, 2]", axis=1, value=2.5),
    by_length("SequenceMask", "2x4x3 integers int32", "[1, 2] int32", axis=1, value=2.5),
    by_length("SequenceMask", "[[nan, 1], [inf, 2]]", "[1, 1]").but(kink=True),
    s("SequenceMask", "4x2x3", use_sequence_length=True),
    s("SequenceMask", "4x2x3", "[1, 3]").but(wrt=(0,)),
    s("SequenceLast", "4x2x3", use_sequence_length=True),
    s("SequenceReverse", "4x2x3", use_sequence_length=True),
]


def _recurrence(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """y[k] = a[k] y[k - 1] + b[k] along the first axis, step by step."""
    y = b.copy()
    for k in range(1, len(a)):
        y[k] += a[k] * y[k - 1]
    return y


#: Lines shorter and longer than what is computed in one piece.
LINES = ("1", "5", "3x2", "70", "70x2")
RECURRENCES = [
    *(
        s("F.cumprod", f"{shape} float64", axis=0).but(right=partial(np.cumprod, axis=0))
        for shape in LINES
    ),
    s("F.cumprod", "[[2, 0, 3, 0], [0, 0, 1, 2]] float64", axis=1).but(
        right=partial(np.cumprod, axis=1)
    ),
    *(
        s("F.recurrence", f"{shape} unit float64", f"{shape} float64", axis=0).but(
            right=_recurrence
        )
        for shape in LINES
    ),
    s("F.recurrence", "3x4 float64", "3x4 float64", axis=-1, reverse=True).but(
        right=lambda a, b: _recurrence(a[:, ::-1].T, b[:, ::-1].T).T[:, ::-1]
    ),
]
SAMPLES = [*SORTS, *TOPK, *SUMS, *LENGTHS, *RECURRENCES]
