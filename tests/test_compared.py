"""What a failing comparison prints: the path, the value that was wanted and the one that came."""

from __future__ import annotations

import numpy as np
import pytest

from tests.compared import assert_equal
from tests.nn import replay

ONE = {"texts": ["MaxPool2D(ceil_mode=True)", "a\nb"], "shapes": [(2, 3)], "extra": None}


@pytest.mark.parametrize(
    ("got", "want", "lines"),
    [
        (
            {**ONE, "texts": ["MaxPool2D(ceil_mode=False)", "a\nb"]},
            ONE,
            [
                "['texts'][0]",
                "  wanted 'MaxPool2D(ceil_mode=True)'",
                "  got    'MaxPool2D(ceil_mode=False)'",
            ],
        ),
        ([1, 2], [1], ["[1]", "  wanted nothing", "  got    2"]),
        ({}, {"a": None}, ["['a']", "  wanted None", "  got    nothing"]),
        (
            "a\nb",
            "a\nc\nd",
            ["line 2", "  wanted 'c'", "  got    'b'", "line 3", "  wanted 'd'", "  got    None"],
        ),
        ((1, 2), [1, 2], ["the value", "  wanted [1, 2]", "  got    (1, 2)"]),
        (
            [np.array([[0.0, np.nan], [1, 2]])],
            [np.array([[0.0, np.nan], [1, 3]])],
            ["[0][1, 1]", "  wanted 3.0", "  got    2.0"],
        ),
        (
            np.zeros(2),
            np.zeros(2, "float32"),
            ["the value", "  wanted float32 of shape (2,)", "  got    float64 of shape (2,)"],
        ),
    ],
)
def test_what_differs_is_printed_with_its_path(got, want, lines):
    with pytest.raises(AssertionError) as caught:
        assert_equal(got, want)
    assert str(caught.value).splitlines() == ["what differs:", *lines]
    assert_equal(want, want)


def test_the_list_of_differences_ends():
    with pytest.raises(AssertionError) as caught:
        assert_equal([0] * 100, [1] * 100, "counts")
    assert str(caught.value).count("counts[") == 10
    assert str(caught.value).endswith("and 90 more")


def test_an_assertion_in_a_module_of_helpers_prints_its_values():
    want = {"texts": [], "outputs": [np.zeros((2, 3))]}
    with pytest.raises(AssertionError, match=r"\[\(3,\)\] == \[\(2, 3\)\]"):
        replay.assert_as(want, [], [np.zeros(3)], 0, 0)
    with pytest.raises(AssertionError, match=r"texts\[0\]\n  wanted 'Dense'\n  got    nothing"):
        replay.assert_as({**want, "texts": ["Dense"]}, [], [], 0, 0)
