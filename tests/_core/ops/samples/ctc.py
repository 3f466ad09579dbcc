"""Connectionist temporal classification."""

from __future__ import annotations

import numpy as np

from tests._core.ops.sample import Sample, s


def ctc(data: str, label: str, *lengths: str, right=None, differs: str = "", **attrs) -> Sample:
    """A call of CTCLoss; `lengths` are those of the data, then those of the labels."""
    names = ("use_data_lengths", "use_label_lengths")
    used = {name: True for name, length in zip(names, lengths) if length}
    sample = s("CTCLoss", data, label, *lengths, **used, **attrs)
    return sample.but(wrt=(0,), differs=differs, right=right)


def impossible(*_):
    return np.zeros(2, np.float32)


SAMPLES = [
    ctc("4x2x3", "[[1, 2], [1, 0]]"),
    ctc("4x2x3", "[[1, 1], [2, 2]]"),
    ctc("5x3x4", "[[1, 2, 1], [3, 0, 0], [0, 0, 0]]"),
    ctc("4x2x3", "[[0, 1], [0, -1]]", blank_label="last"),
    ctc("4x2x3", "[[-1, -1], [1, 1]]", blank_label="last"),
    ctc("4x2x3", "[[1, 2], [1, 2]] int32"),
    ctc("4x2x3 large", "[[1, 2], [1, 1]]"),
    ctc("30x2x5", "[[1, 2, 3, 4, 4, 1, 2, 2], [4, 1, 2, 0, 0, 0, 0, 0]]"),
    ctc("3x2x3", "[[1, 2, 1], [1, 2, 0]]"),
    ctc("1x2x3", "[[1], [2]]"),
    ctc("4x2x3", "[[1, 2], [1, 0]]", "[4, 2]"),
    ctc("4x2x3", "[[1, 2], [1, 0]]", "[4, 2] int32").but(
        differs="MXNet requires lengths of the dtype of the data"
    ),
    ctc("4x2x3", "[[1, 2], [1, 2]]", "[3, 4]", "[2, 1]"),
    ctc("4x2x3", "[[1, 2], [0, 2]]", None, "[2, 0]"),
    s("contrib.ctc_loss", "4x2x3", "[[1, 2], [1, 2]]").but(wrt=(0,)),
    # No path: the loss is 0.
    ctc("4x2x3", "[[1, 2, 1, 2], [1, 1, 1, 0]]").but(differs_grad="MXNet's result is undefined"),
    ctc("4x2x3", "[[1, 2], [1, 1]]", "[4, 2]").but(differs_grad="MXNet's result is undefined"),
    ctc("4x2x3", "[[1, 2], [1, 0]]", "[4, 0]"),
    ctc("2x2x3", "[[1, 1], [2, 2]]", differs="MXNet's gradient is undefined", right=impossible),
    ctc("2x2x3", "[[0, 0], [0, 0]]", differs="MXNet's result is undefined without any label"),
    ctc("4x2x3 float64", "[[1, 2], [1, 0]]", differs="MXNet raises"),
    ctc("4x2x3 float16", "[[1, 2], [1, 0]]", differs="MXNet raises"),
    # Scores of infinity and NaN, and in steps that do not count.
    ctc("[[[nan, 0, 1]], [[1, 2, 1]]]", "[[1, 2]]").but(
        kink=True, differs_grad="NaN spreads to the gradient of every score"
    ),
    ctc("[[[-inf, 0, 1]], [[1, 2, 1]]]", "[[1, 2]]").but(kink=True),
    ctc("[[[1, -inf, 1]], [[0, 2, 1]]]", "[[1, 2]]").but(
        kink=True, differs_grad="an infinite loss has no gradient"
    ),
    ctc("[[[1, 2, 1]], [[0, 2, 1]], [[nan, inf, 0]]]", "[[1, 2]]", "[2]").but(kink=True),
    ctc("4x0x3", "0x2").but(right=lambda *_: np.zeros(0, np.float32)),
    ctc("4x2x3", "2x0").but(kink=True),
    # Mistakes.
    ctc("0x2x3", "2x0").but(differs="MXNet's result is undefined", refused=True),
    ctc("3x2x3", "[[1, 2, 1, 2], [1, 0, 0, 0]]"),
    ctc("4x2x3", "[[1, 2]]"),
    ctc("4x2x3", "[1, 2]"),
    ctc("4x2", "[[1, 2], [1, 2]]"),
    ctc("4x2x3", "[[1, 2], [1, 2]]", "[3, 4, 1]"),
    ctc("4x2x3 integers int32", "[[1, 2], [1, 2]]"),
    ctc("4x2x3", "[[1, 2], [1, 2]]", blank_label="middle"),
    s("CTCLoss", "4x2x3", "[[1, 2], [1, 2]]", use_data_lengths=True),
    s("CTCLoss", "4x2x3", "[[1, 2], [1, 2]]", None, "[1, 2]"),
    *(
        one.but(differs="MXNet reads past the end of its arrays", refused=True)
        for one in (
            ctc("4x2x3", "[[1, 5], [1, 2]]"),
            ctc("4x2x3", "[[1, -1], [1, 2]]"),
            ctc("4x2x3", "[[1, 2], [1, 2]]", blank_label="last"),
            ctc("4x2x3", "[[1, 2], [1, 0]]", None, "[2, 2]"),
            ctc("4x2x3", "[[1, 2], [1, 2]]", "[4, 5]"),
            ctc("4x2x3", "[[1, 2], [1, 2]]", "[4, -1]"),
            ctc("4x2x3", "[[1, 2], [1, 2]]", None, "[3, 2]"),
        )
    ),
]
