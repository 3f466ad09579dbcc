"""Pooling of regions: however it is cut into chunks, and however large the bins."""

from __future__ import annotations

import numpy as np
import pytest

from gluon._core.kernels import roi

HOW = {"pooled": (2, 3), "scale": 0.5, "samples": -1}


def random(shape, regions, seed=0):
    rng = np.random.default_rng(seed)
    start = rng.uniform(-5, 15, (regions, 2))
    stop = start + rng.uniform(1, 20, (regions, 2))
    return rng.normal(size=shape), np.column_stack([rng.integers(-1, 3, regions), start, stop])


@pytest.mark.parametrize("groups", [(1, 1), (2, 3), (2, 1)], ids=str)
@pytest.mark.parametrize("method", ["align", "aligned", "whole"])
def test_chunks_make_no_difference_and_the_transpose_is_one(method, groups, monkeypatch):
    x, rois = random((3, 12, 6, 7), 20)
    spec = {**HOW, "method": method, "groups": groups}
    y = roi.roi_average(x, rois, **spec)
    assert not y[rois[:, 0] < 0].any()
    g = np.random.default_rng(1).normal(size=y.shape)
    back = roi.roi_average_grad(g, rois, shape=x.shape, **spec)
    np.testing.assert_allclose((back * x).sum(), (g * y).sum())
    monkeypatch.setattr(roi, "CHUNK", 1)
    np.testing.assert_allclose(roi.roi_average(x, rois, **spec), y, atol=1e-12)
    np.testing.assert_allclose(
        roi.roi_average_grad(g, rois, shape=x.shape, **spec), back, atol=1e-12
    )


def test_the_place_of_a_maximum_is_the_first_of_all_in_the_bin():
    rng = np.random.default_rng(2)
    x = rng.integers(0, 3, (2, 3, 13, 17)).astype("float32")
    corner = rng.integers(0, 12, (30, 2))
    last = corner + rng.integers(0, 16, corner.shape)
    rois = np.column_stack([rng.integers(0, 2, 30), corner, last]).astype("float32")
    places = roi.roi_places(x, rois, pooled=(1, 1), scale=1.0)
    for row, found in zip(rois.astype(int), places[:, :, 0, 0]):
        n, left, top, right, bottom = row
        for channel, place in enumerate(found):
            part = x[n, channel, top : bottom + 1, left : right + 1]
            if not part.size:
                assert place == -1
                continue
            down, across = np.unravel_index(part.argmax(), part.shape)
            wanted = (n, channel, top + down, left + across)
            assert place == np.ravel_multi_index(wanted, x.shape)
