"""Compiled pooling of regions of interest against the plain kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gluon._core.kernels import parallel, roi
from gluon._core.kernels.steps import STAND_INS
from gluon._core.native.loading import library, status

pytestmark = pytest.mark.skipif(library is None, reason=f"no compiled kernels: {status}")

STEPS = {name: getattr(roi, name).__wrapped__ for name in ("take_bins", "give_bins")}


def compiled(name, *arrays):
    """Return the result of the library; fail if it falls back to the plain step."""

    def plain(*_):
        pytest.fail("the library did not compute this")

    return STAND_INS[name](plain, *arrays)


@st.composite
def regions(draw):
    """Pictures and regions, inside and outside of them."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    shape = tuple(
        draw(st.sampled_from(sizes)) for sizes in ([1, 3], [1, 4, 17], [1, 7], [1, 9, 30])
    )
    count = draw(st.sampled_from([0, 1, 70]))
    pooled = draw(st.sampled_from([(1, 1), (2, 3), (7, 7)]))
    x = rng.normal(size=shape).astype(draw(st.sampled_from(["float32", "float64"])))
    corners = rng.uniform(-5, 35, (count, 4)).round(draw(st.integers(0, 2)))
    rois = np.concatenate([rng.integers(-1, shape[0], (count, 1)), corners], 1)
    return rng, x, rois.astype(x.dtype), pooled


@settings(max_examples=80)
@given(regions(), st.sampled_from(["align", "whole", "pixels"]))
def test_averages_and_their_gradient(case, method):
    rng, x, rois, pooled = case
    how = {"pooled": pooled, "scale": 0.8, "method": method, "samples": -1}
    _, boxes = roi.read(rois, x.shape)
    matrices = roi.averages(boxes, x.shape[2:], pooled, 0.8, method, -1)
    rows, columns = (m.astype(x.dtype) for m in matrices)
    g = rng.normal(size=(len(rois), x.shape[1], *pooled)).astype(x.dtype)
    if len(rois):
        for name, given_ in (("take_bins", x[0]), ("give_bins", g)):
            found = compiled(name, rows, columns, given_)
            wanted = STEPS[name](*(v.astype("d") for v in (rows, columns, given_)))
            assert found.shape == wanted.shape
            assert found.dtype == x.dtype
            size = 1e-5 * max(1, np.abs(wanted).max())
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=size)
    # The step as it is called, where pixels are no numbers as well.
    x[rng.random(x.shape) < 0.05] = rng.choice([np.nan, np.inf, -np.inf, 1e-42])
    found = roi.roi_average(x, rois, **how)
    kept, STAND_INS["take_bins"] = STAND_INS["take_bins"], lambda plain, *inputs: plain(*inputs)
    wanted = roi.roi_average(x, rois, **how)
    STAND_INS["take_bins"] = kept
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@settings(max_examples=80)
@given(regions(), st.sampled_from([(1, 2), (2, 2), (7, 7)]))
def test_averages_by_groups_and_their_gradient(case, groups):
    rng, x, rois, pooled = case
    x = rng.normal(size=(x.shape[1], *groups, *x.shape[2:])).astype(x.dtype)
    matrices = roi.averages(rois[:, 1:], x.shape[-2:], pooled, 0.8, "whole", -1)
    rows, columns = (m.astype(x.dtype) for m in matrices)
    g = rng.normal(size=(len(rois), x.shape[0], *pooled)).astype(x.dtype)
    if len(rois):
        for name, inputs in (("take_bins", (x,)), ("give_bins", (g, groups))):
            found = compiled(name, rows, columns, *inputs)
            doubled = (v.astype("d") for v in (rows, columns, inputs[0]))
            wanted = STEPS[name](*doubled, *inputs[1:])
            assert found.shape == wanted.shape
            assert found.dtype == x.dtype
            size = 1e-5 * max(1, np.abs(wanted).max())
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=size)


def test_all_groups_of_a_picture_take_one_call(monkeypatch):
    calls = []
    for name in ("take_bins", "give_bins"):
        stand_in = STAND_INS[name]
        monkeypatch.setitem(
            STAND_INS, name, lambda *given, f=stand_in, n=name: calls.append(n) or f(*given)
        )
    rng = np.random.default_rng(0)
    x, rois = rng.normal(size=(1, 98, 6, 7)), np.array([[0, 0, 0, 5, 5], [0, 1, 1, 9, 9.0]])
    spec = {"pooled": (7, 7), "scale": 0.5, "method": "whole", "groups": (7, 7)}
    y = roi.roi_average(x, rois, **spec)
    roi.roi_average_grad(y, rois, shape=x.shape, **spec)
    assert calls == ["take_bins", "give_bins"]


@settings(max_examples=80)
@given(regions())
def test_places_of_maxima(case):
    rng, x, rois, pooled = case
    x = x.round(1)
    x[rng.random(x.shape) < 0.05] = rng.choice([np.nan, np.inf, -np.inf, 1e-42])
    found = roi.roi_places(x, rois, pooled=pooled, scale=0.8)
    images, boxes = roi.read(rois, x.shape)
    edges = roi._pixel_bins(boxes, x.shape[2:], pooled, 0.8)
    image = np.repeat(images, np.prod(pooled))
    if len(rois):
        places = compiled("first_maxima", x, image, *edges)
        wanted = roi.first_maxima.__wrapped__(x, image, *edges)
        np.testing.assert_array_equal(places, wanted)
        assert places.dtype == wanted.dtype
        places = places.reshape(len(rois), *pooled, x.shape[1]).transpose(0, 3, 1, 2)
        np.testing.assert_array_equal(found, places)
    assert found.shape == (len(rois), x.shape[1], *pooled)


def test_bins_beyond_the_picture_are_left_to_the_plain_step():
    x, one = np.ones((1, 1, 4, 4), "f"), np.array([0])
    for edges in ((0, 5, 0, 1), (-1, 1, 0, 1), (0, 1, 0, 5), (0, 1, -1, 1)):
        bins = [np.array([edge]) for edge in edges]
        assert STAND_INS["first_maxima"](lambda *_: "plain", x, one, *bins) == "plain"
    assert STAND_INS["first_maxima"](lambda *_: "plain", x, one + 1, *[one] * 4) == "plain"


def test_results_are_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=(2, 40, 30, 50)), rng.normal(size=(90, 40, 7, 7))
    rois = np.concatenate([rng.integers(0, 2, (90, 1)), rng.uniform(0, 30, (90, 4))], 1)
    x, g, rois = (v.astype("f") for v in (x, g, rois))
    how = {"pooled": (7, 7), "scale": 1.0, "method": "align"}
    found = []
    for threads in (1, 3):
        before = parallel.set_threads(threads)
        found.append(
            [
                roi.roi_average(x, rois, **how),
                roi.roi_average_grad(g, rois, shape=x.shape, **how),
                roi.roi_places(x, rois, pooled=(7, 7), scale=1.0),
            ]
        )
        parallel.set_threads(before)
    for one, other in zip(*found):
        np.testing.assert_array_equal(one, other)
