"""The mask of dropout."""

from __future__ import annotations

import numpy as np
import pytest

from gluon.kernels.random import dropout_mask


def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_kept_values_make_up_for_the_dropped(dtype):
    mask = dropout_mask(np.empty((200, 300), dtype), p=0.3, rng=rng())
    assert mask.dtype == dtype
    assert np.mean(mask == 0) == pytest.approx(0.3, abs=0.01)
    assert set(np.unique(mask)) == {0, np.dtype(dtype).type(1 / 0.7)}


def test_one_draw_along_the_axes():
    assert dropout_mask(np.empty((3, 4, 5)), p=0.5, axes=(0, -1), rng=rng()).shape == (1, 4, 1)


def test_extremes():
    x = np.empty((4, 5), np.float32)
    np.testing.assert_array_equal(dropout_mask(x, p=0, rng=rng()), 1)
    np.testing.assert_array_equal(dropout_mask(x, p=1, rng=rng()), 0)
    with pytest.raises(ValueError, match="not a probability"):
        dropout_mask(x, p=1.5, rng=rng())
