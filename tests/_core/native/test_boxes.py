"""The compiled suppression of boxes keeps the same boxes as the plain kernel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.kernels.boxes import edges_of, suppress
from gluon._core.kernels.steps import STAND_INS
from gluon._core.native.loading import library, status

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38]


def compiled(*inputs):
    def plain(*_):
        pytest.fail("the library did not compute this")

    return STAND_INS["suppress"](plain, *inputs)


@st.composite
def calls(draw):
    count = draw(st.sampled_from([1, 2, 7, 63, 64, 65, 200]))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    corner = rng.random((count, 2)) * draw(st.sampled_from([0.1, 1, 5]))
    size = rng.random((count, 2)) - draw(st.sampled_from([0, 0.2]))  # some end before they begin
    boxes = np.concatenate([corner, corner + size], 1)
    if draw(st.booleans()):
        boxes = boxes.round(1)  # overlaps that equal the threshold
    boxes = boxes.astype(draw(st.sampled_from(["float32", "float64"])))
    for value in draw(st.lists(st.sampled_from(SPECIAL), max_size=4)):
        boxes.flat[rng.integers(boxes.size)] = value
    kinds = draw(st.sampled_from([1, 3]))
    groups = rng.integers(0, kinds, count).astype(draw(st.sampled_from([boxes.dtype, "float64"])))
    threshold = draw(st.sampled_from([-1.0, 0.0, 0.1, 0.5, 1.0, np.nan]))
    with np.errstate(all="ignore"):
        edges = edges_of(boxes, draw(st.sampled_from(["corner", "center"])))
    return edges, groups, threshold, draw(st.sampled_from([None, 0, 1, 5, 1000]))


@settings(max_examples=300)
@given(calls())
def test_drawn_boxes(call):
    with np.errstate(all="ignore"):
        wanted = suppress.__wrapped__(*call)
        np.testing.assert_array_equal(compiled(*call), wanted)


def test_no_boxes_and_other_dtypes_are_left_to_numpy():
    for boxes in (np.zeros((0, 4), "float32"), np.array([[0, 0, 2, 2], [0, 0, 2, 2]], "float16")):
        groups, edges = np.zeros(len(boxes)), edges_of(boxes, "corner")
        found = STAND_INS["suppress"](lambda *given: given, edges, groups, 0.5, None)
        assert found[0] is edges
    assert suppress(edges, groups, 0.5).tolist() == [True, False]
