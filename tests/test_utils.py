"""Splitting, loading and clipping, as in the oracle."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gluon
from gluon import nd, utils
from tests.nn.replay import assert_as_the_oracle


def test_results(monkeypatch):
    assert_as_the_oracle("helpers", monkeypatch)


def test_slices_share_memory_along_the_first_axis():
    x = nd.zeros((4, 2))
    utils.split_data(x, 2)[1][:] = 3
    assert x.asnumpy()[2:].tolist() == [[3, 3]] * 2


def test_uneven_batches():
    with pytest.raises(ValueError, match=r"5 samples .* \(5, 2\) do not divide into 2 .*even_spl"):
        utils.split_data(nd.ones((5, 2)), 2)
    parts = utils.split_and_load(np.ones((1, 2)), [gluon.cpu(0), gluon.cpu(1)], even_split=False)
    assert [part.shape for part in parts] == [(1, 2), (0, 2)]


def test_one_context_gets_the_batch_as_it_is():
    x = nd.ones((3, 2))
    assert utils.split_and_load(x, [gluon.cpu()])[0] is x


def test_clipping_spares_small_gradients():
    grad = nd.array([0.3, 0.4])
    assert utils.clip_global_norm([grad], 1) == pytest.approx(0.5)
    assert grad.asnumpy().tolist() == pytest.approx([0.3, 0.4])


def test_clipping_warns_of_what_is_not_finite():
    with pytest.warns(UserWarning, match="the norm is nan"):
        assert math.isnan(utils.clip_global_norm([nd.array([math.nan])], 1))
    with pytest.raises(ValueError, match="at least one array"):
        utils.clip_global_norm([], 1)
