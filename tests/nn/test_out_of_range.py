"""Labels and indices that are out of range: an error of layers and losses, unless asked to clip."""

from __future__ import annotations

import numpy
import pytest

import gluon.mxnet
from gluon import GluonError, autograd, loss, nd, nn, np, util
from gluon._core.errors import IndexRangeError


@pytest.fixture
def clipping():
    before = util.set_clip_indices(True)
    yield
    util.set_clip_indices(before)


def predictions(*shape: int):
    return nd.array(numpy.random.RandomState(0).normal(size=shape))


def embedding(rows: int = 10):
    layer = nn.Embedding(rows, 4)
    layer.initialize()
    return layer


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int64", "int8"])
@pytest.mark.parametrize("wrong", [3, 7, -1])
def test_a_label_that_is_no_class_is_named_with_its_place_and_the_range(dtype, wrong):
    label = nd.array([0, 2, wrong, 1], dtype=dtype)
    message = rf"label {wrong} is out of range for 3 classes \(0 to 2\), at position \[2\]"
    with pytest.raises(IndexRangeError, match=message) as raised:
        loss.SoftmaxCrossEntropyLoss()(predictions(4, 3), label)
    assert "in SoftmaxCrossEntropyLoss" in str(raised.value)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 1e30])
def test_labels_that_are_no_numbers_of_classes(wrong):
    with pytest.raises(IndexRangeError, match="is out of range for 3 classes"):
        loss.SoftmaxCrossEntropyLoss()(predictions(2, 3), nd.array([0, wrong]))


def test_labels_of_pixels_along_another_axis_from_logits_and_with_the_axis_kept():
    pred = nd.log_softmax(predictions(2, 3, 4, 5), axis=1)
    raw = numpy.zeros((2, 4, 5), "float32")
    raw[1, 2, 3] = 3
    place = r"label 3 .* at position \[1, 2, 3\] of shape \(2, 4, 5\)"
    for options in ({}, {"from_logits": True}, {"weight": 2.0}):
        with pytest.raises(IndexRangeError, match=place):
            loss.SoftmaxCELoss(axis=1, **options)(pred, nd.array(raw))
    with pytest.raises(IndexRangeError, match=r"label 3 .* at position \[1, 0, 2, 3\]"):
        loss.SoftmaxCELoss(axis=1)(pred, nd.array(raw[:, None]))


def test_labels_in_range_and_none_at_all_pass():
    for label in ([0, 2], [0.0, 2.9]):
        loss.SoftmaxCrossEntropyLoss()(predictions(2, 3), nd.array(label))
    loss.SoftmaxCrossEntropyLoss(sparse_label=False)(predictions(2, 3), predictions(2, 3) * 9)
    empty = loss.SoftmaxCrossEntropyLoss()(nd.zeros((0, 3)), nd.zeros((0,)))
    assert empty.shape == (0,)


def test_labels_whose_weight_is_zero_may_be_anything():
    pred = predictions(2, 3, 5)
    label = nd.array([[0, 4, -1], [2, -1, 9]])
    weight = nd.array([[1, 1, 0], [1, 0, 0]]).expand_dims(2)
    pred.attach_grad()
    with autograd.record():
        found = loss.SoftmaxCrossEntropyLoss()(pred, label, weight)
    found.backward()
    right = loss.SoftmaxCrossEntropyLoss()(pred, nd.array([[0, 4, 0], [2, 0, 0]]), weight)
    numpy.testing.assert_allclose(found.asnumpy(), right.asnumpy())
    assert not pred.grad.asnumpy()[0, 2].any()
    with pytest.raises(IndexRangeError, match=r"label 9 .* at position \[1, 2\]"):
        loss.SoftmaxCrossEntropyLoss()(pred, label, nd.array([[1, 1, 0], [1, 0, 1]]).expand_dims(2))
    # A weight for each sample, and one of another class of array.
    alone = predictions(2, 3)
    loss.SoftmaxCrossEntropyLoss()(alone, nd.array([1, -1]), nd.array([[1], [0]]))
    with pytest.raises(IndexRangeError, match=r"label -1 .* at position \[1\]"):
        loss.SoftmaxCrossEntropyLoss()(alone, nd.array([1, -1]), nd.array([[0], [1]]))


def test_another_mistake_is_told_first():
    with pytest.raises(GluonError, match="shape"):
        loss.SoftmaxCrossEntropyLoss()(predictions(4, 3), nd.array([0, 1]))
    with pytest.raises(GluonError, match="broadcast"):
        loss.SoftmaxCrossEntropyLoss()(predictions(2, 3), nd.array([0, 9]), nd.zeros((7, 7)))


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
@pytest.mark.parametrize("wrong", [10, 12, -1])
def test_an_index_that_an_embedding_has_not(dtype, wrong):
    message = (
        rf"in Embedding.*index {wrong} is out of range for 10 rows \(0 to 9\), at position"
        r" \[1, 0\] of shape \(2, 2\); .*input_dim"
    )
    with pytest.raises(IndexRangeError, match=message):
        embedding()(nd.array([[1, 9], [wrong, 0]], dtype=dtype))


def test_in_arrays_of_np():
    layer = embedding()
    with util.np_array(True):
        layer.initialize(force_reinit=True)
        with pytest.raises(IndexRangeError, match="index 10 is out of range"):
            layer(np.array([10]))
        with pytest.raises(IndexRangeError, match="label 3 is out of range"):
            loss.SoftmaxCELoss()(np.zeros((2, 3)), np.array([0, 3]))


def assert_clipped():
    pred = predictions(3, 4)
    found = loss.SoftmaxCrossEntropyLoss()(pred, nd.array([-5, 4, 99]))
    right = -nd.log_softmax(pred).asnumpy()[[0, 1, 2], [0, 3, 3]]
    numpy.testing.assert_allclose(found.asnumpy(), right, rtol=1e-6)
    layer = embedding()
    rows = layer.weight.data().asnumpy()
    assert (layer(nd.array([-3, 10, 99])).asnumpy() == rows[[0, 9, 9]]).all()


def test_the_switch_takes_the_nearest(clipping):
    assert_clipped()
    assert util.set_clip_indices(True) is True


def test_so_does_the_hook_and_no_longer_than_it_is_installed():
    with gluon.mxnet.installed():
        assert_clipped()
    with pytest.raises(IndexRangeError):
        assert_clipped()


def test_the_functions_follow_mxnet():
    weight = nd.array([[1, 2], [3, 4]])
    assert nd.Embedding(nd.array([5]), weight, 2, 2).asnumpy().tolist() == [[3, 4]]
    assert nd.pick(weight, nd.array([9, -9])).asnumpy().tolist() == [2, 3]
    assert nd.one_hot(nd.array([7]), 2).asnumpy().tolist() == [[0, 0]]
