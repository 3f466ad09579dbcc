"""Hawkes processes."""

from __future__ import annotations

from tests._core.ops.sample import Sample, s

END_STATE = "MXNet gives the final state no gradient"
MARKS = "[[0, 1, 0, 2], [2, 2, 1, 0], [1, 0, 0, 0]] int32"


def process(state: str, lags: str, lengths: str, end: str, dtype: str = "") -> Sample:
    inputs = ("3x3 positive", "3 prob", "3 positive", state, lags, MARKS, lengths, end)
    typed = tuple(x if x == MARKS else f"{x} {dtype}".strip() for x in inputs)
    return s("contrib.hawkesll", *typed).but(wrt=(0, 1, 2), differs_grad=END_STATE)


LAGS, ALL, END = "3x4 positive", "[4, 4, 4]", "[9, 10, 11]"
SOME = "[4, 2, 0]"
GOOD: tuple = ("3x3 positive", "3 prob", "3 positive", "3x3", LAGS, MARKS, ALL, END)


def bad(place: int, value: str) -> Sample:
    """A valid call with one value replaced."""
    return s("contrib.hawkesll", *GOOD[:place], value, *GOOD[place + 1 :]).but(wrt=())


SAMPLES = [
    process("3x3 positive", LAGS, ALL, END),
    process("3x3 positive", LAGS, SOME, END),
    process("[[0, 0, 0], [0, 0, 0], [0, 0, 0]]", LAGS, SOME, END),
    process("3x3 positive", LAGS, SOME, END, "float64"),
    process("3x3 positive", "[[0, 0, 1, 1], [0, 0, 0, 0], [0.5, 0, 0, 0]]", SOME, "[2, 1, 1]"),
    process("3x3 positive", LAGS, "[0, 0, 0]", "[1, 2, 3]"),
    # MXNet has no gradient here; finite differences check it.
    s("contrib.hawkesll", *GOOD).but(wrt=(3, 4, 7), differs_grad="MXNet has none"),
    s(
        "contrib.hawkesll",
        "1x1 positive",
        "1 prob",
        "1 positive",
        "1x1 positive",
        "1x1 positive",
        "[[0]] int32",
        "[1]",
        "[5]",
    ).but(wrt=(0, 1, 2), differs_grad=END_STATE),
    bad(0, "1x3 positive"),
    bad(0, "3"),
    bad(1, "3x3"),
    bad(2, "2"),
    bad(3, "3x2"),
    bad(5, "[[0, 1, 0], [2, 2, 1], [1, 0, 0]] int32"),
    bad(6, "[1]"),
    bad(7, "[1]"),
    bad(5, "[[0, 1, 0, 3], [2, 2, 1, 0], [1, 0, 0, 0]] int32").but(
        differs="MXNet reads past the end", refused=True
    ),
    bad(6, "[5, 4, 4]").but(differs="MXNet reads past the end", refused=True),
    bad(6, "[-1, 4, 4]").but(differs="an error, since a length cannot be negative", refused=True),
]
