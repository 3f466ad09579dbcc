"""Contributed layers: what tests/block/programs.py does not compare with MXNet."""

from __future__ import annotations

import pytest

import gluon
from gluon import GluonError, autograd, nd
from gluon.contrib import nn


def test_statistics_cannot_be_shared_between_contexts():
    layer = nn.SyncBatchNorm(in_channels=2, num_devices=2, prefix="sync_")
    layer.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)])
    x = nd.ones((3, 2), ctx=gluon.cpu(1))
    assert layer(x).context == gluon.cpu(1)
    with (
        autograd.record(),
        pytest.raises(GluonError, match=r"SyncBatchNorm 'sync' is on .*one context, or use nn.Bat"),
    ):
        layer(x)
    layer.collect_params().reset_ctx(gluon.cpu(1))
    with autograd.record():
        layer(x)
    assert layer.running_mean.data().asnumpy() == pytest.approx([0.1, 0.1])


def test_global_statistics_need_not_be_shared():
    layer = nn.SyncBatchNorm(in_channels=2, use_global_stats=True)
    layer.initialize(ctx=[gluon.cpu(0), gluon.cpu(1)])
    with autograd.record():
        assert layer(nd.ones((3, 2))).shape == (3, 2)


def test_sparse_embedding_has_a_sparse_gradient():
    layer = nn.SparseEmbedding(5, 3)
    layer.initialize("ones")
    with autograd.record():
        y = layer(nd.array([[4, 1, 4]]))
    y.backward()
    assert y.shape == (1, 3, 3)
    assert repr(layer) == "SparseEmbedding(5 -> 3, float32)"
    grad = layer.weight.grad()
    assert grad.indices.asnumpy().tolist() == [1, 4]
    assert grad.data.asnumpy().tolist() == [[1] * 3, [2] * 3]
    with pytest.raises(GluonError, match=r"index 5 is out of range"):
        layer(nd.array([5]))


@pytest.mark.parametrize("shape", [(2, 5, 3, 3), (2, 4, 3)])
def test_shuffles_name_the_shape_they_need(shape):
    with pytest.raises(ValueError, match=r"PixelShuffle2D: x has shape .* 4 axes.* multiple of 4"):
        nn.PixelShuffle2D(2)(nd.ones(shape))
