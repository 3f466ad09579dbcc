"""Losses: values, gradients and names as in MXNet."""

from __future__ import annotations

import numpy as np
import pytest

import gluon
from gluon import autograd, loss, nd
from gluon._core.arrays.laxness import lax
from tests.nn import replay as layers
from tests.training import losses, replay


@pytest.mark.filterwarnings("ignore:SoftmaxCrossEntropyLoss. exp")
@pytest.mark.parametrize("name", [*layers.named("loss"), "pos_weight"])
def test_loss(name, monkeypatch):
    layers.assert_as_the_oracle(name, monkeypatch)


@pytest.fixture
def as_mxnet(monkeypatch):
    """Labels that are not a class count as the nearest one."""
    monkeypatch.setattr(lax, "clip_indices", True)


@pytest.mark.filterwarnings("ignore:CosineEmbeddingLoss")
@pytest.mark.usefixtures("as_mxnet")
@pytest.mark.parametrize("name", replay.named("loss"))
def test_every_loss(name, monkeypatch):
    half = name.endswith("float16")
    replay.assert_as_the_oracle(name, monkeypatch, *((2e-3, 2e-3) if half else (2e-5, 2e-6)))


def test_the_sigmoid_loss_is_stable():
    pred = nd.array([-1000, 1000])
    pred.attach_grad()
    got = loss.SigmoidBCELoss()(pred, nd.array([1, 0]))
    assert got.asnumpy().tolist() == [1000, 1000]


def test_the_softmax_loss_is_stable():
    got = loss.SoftmaxCELoss()(nd.array([[-1000, 1000]]), nd.array([0]))
    assert got.asnumpy().tolist() == [2000]


def test_labels_of_another_shape_with_as_many_values():
    pred, label = nd.array([[1, 2], [3, 4]]), nd.array([1, 2, 3, 5])
    np.testing.assert_allclose(loss.L1Loss()(pred, label).asnumpy(), [0, 0.5])


def test_the_factorial_in_the_poisson_loss_is_left_out_up_to_one():
    pred, target = nd.array([0.5, 0.5]), nd.array([1.5, 0.5])
    stirling = 1.5 * np.log(1.5) - 1.5 + np.log(2 * np.pi * 1.5) / 2
    got = loss.PoissonNLLLoss(compute_full=True)(pred, target).asscalar()
    assert got == pytest.approx(np.exp(0.5) - 0.5 + stirling / 2, rel=1e-6)


def test_errors():
    with pytest.raises(TypeError, match=r"L2Loss: weight is a number.*sample_weight"):
        loss.L2Loss(weight=nd.ones((3,)))
    with pytest.raises(ValueError, match=r"in L2Loss 'l'.*label of shape \(5,\) for .* \(2, 3\)"):
        loss.L2Loss(prefix="l_")(nd.ones((2, 3)), nd.ones((5,)))
    with pytest.raises(ValueError, match=r"HuberLoss: rho must be positive, got 0"):
        loss.HuberLoss(rho=0)
    with pytest.raises(ValueError, match=r"label_format is 'signed' or 'binary', not 'both'"):
        loss.LogisticLoss(label_format="both")
    with pytest.raises(ValueError, match=r"CTCLoss: layout 'NCT' is not one of NTC, TNC"):
        loss.CTCLoss(layout="NCT")
    with pytest.raises(ValueError, match=r"CTCLoss: label_layout 'N' is not one of NT, TN"):
        loss.CTCLoss(label_layout="N")
    with pytest.raises(ValueError, match=r"smoothing_parameter is at least 0 and below 1, not 1"):
        loss.SDMLLoss(smoothing_parameter=1)
    with pytest.raises(
        ValueError, match=r"SDMLLoss needs at least 2 pairs .* x1 has shape \(1, 3\)"
    ):
        loss.SDMLLoss()(nd.ones((1, 3)), nd.ones((1, 3)))
    with pytest.raises(NotImplementedError, match="Loss must define hybrid_forward"):
        loss.Loss(None, 0)(nd.ones((1,)))


# ------------------------------------------------------------------------ the second order


SMOOTH = [
    case
    for case in losses.CASES
    if case.dtype == "float32" and case.inputs[0] is not losses.BINARY[1]  # the end of log
]


@pytest.mark.filterwarnings("ignore:CosineEmbeddingLoss")
@pytest.mark.usefixtures("as_mxnet")
@pytest.mark.parametrize("case", SMOOTH, ids=str)
def test_the_second_order(case):
    """The derivative of the gradient along a line is what finite differences give."""
    function = eval(case.text, vars(loss).copy())
    inputs = [
        nd.array(one, dtype="float64") if isinstance(one, np.ndarray) else one
        for one in case.inputs
    ]
    x, rest = inputs[0], inputs[1:]
    line = nd.array(losses.normal(*x.shape, seed=8), dtype="float64")

    def gradient(x):
        x.attach_grad()
        with autograd.record():
            y = function(x, *rest)
            heads = nd.array(losses.normal(*y.shape, seed=9), dtype="float64")
            (found,) = autograd.grad(y, [x], heads, create_graph=True)
            along = (found * line + 0 * x).sum()  # some gradients depend on nothing
        along.backward()
        return found.asnumpy(), x.grad.asnumpy()

    step = 1e-6
    (more, _), (less, _) = (gradient(x + sign * step * line) for sign in (1, -1))
    weights = losses.normal(*x.shape, seed=10)
    expected = ((more - less) * weights).sum() / (2 * step)
    second = nd.array(weights, dtype="float64")
    line, weights = second, line.asnumpy()  # the matrix of second derivatives is symmetric
    found = (gradient(x)[1] * weights).sum()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


# ---------------------------------------------------------------- where MXNet has no answer


def recorded(function, *inputs):
    """The value of a loss and its gradient by the first input."""
    inputs[0].attach_grad()
    with autograd.record():
        y = function(*inputs)
    y.backward()
    return y.asnumpy(), inputs[0].grad.asnumpy()


def test_the_full_poisson_loss_is_differentiable_and_takes_zeros():
    pred, target = nd.zeros((3,)), nd.array([0, 1, 4])
    value, grad = recorded(loss.PoissonNLLLoss(compute_full=True), pred, target)
    stirling = 4 * np.log(4) - 4 + np.log(8 * np.pi) / 2
    np.testing.assert_allclose(value, [(3 + stirling) / 3], rtol=1e-6)
    np.testing.assert_allclose(grad, [1 / 3, 0, -1], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_vectors_of_length_zero_have_the_cosine_and_the_gradient_zero(dtype):
    zeros, ones = nd.zeros((2, 3), dtype=dtype), nd.ones((2, 3), dtype=dtype)
    value, grad = recorded(loss.CosineEmbeddingLoss(), zeros, ones, nd.array([1, -1], dtype=dtype))
    assert value.tolist() == [[1], [0]]
    assert np.isfinite(grad).all()


def test_weight_counts_in_the_metric_loss():
    one, other = nd.array(losses.VALUES[0]), nd.array(losses.VALUES[1])
    plain, doubled = loss.SDMLLoss(), loss.SDMLLoss(weight=2)
    assert (doubled(one, other) == 2 * plain(one, other)).min().asscalar() == 1


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_labels_without_probability_and_certain_predictions_give_numbers(dtype):
    zeros = nd.array([[0, 1]], dtype=dtype)
    for function in (loss.KLDivLoss(from_logits=False), loss.SigmoidBCELoss(from_sigmoid=True)):
        value, grad = recorded(function, zeros.copy(), zeros)
        assert np.isfinite(value).all()
        assert np.isfinite(grad).all()


def test_large_differences_are_not_squared():
    with np.errstate(over="raise"):
        value, grad = recorded(loss.HuberLoss(), nd.array([1e30]), nd.array([-1e30]))
    assert (value.tolist(), grad.tolist()) == ([np.float32(2e30)], [1])


@pytest.mark.parametrize(
    ("made", "pred", "label", "what"),
    [
        (
            loss.SoftmaxCELoss(from_logits=True),
            [[2, -3]],
            [0],
            r"exp\(pred\) has the sum 7\.4.*softmax",
        ),
        (loss.KLDivLoss(), [[2, -3]], [[0.5, 0.5]], r"exp\(pred\) has the sum .*from_logits=False"),
        (loss.SigmoidBCELoss(from_sigmoid=True), [[-1.5]], [[1]], "value -1.5; .*probabilities"),
        (loss.SigmoidBCELoss(), [[-1.5]], [[7]], "label has the value 7; each label is 0, 1 or"),
        (loss.SoftmaxCELoss(), [[0.25, 0.75]], [0], "pred seem to be probabilities.*nd.log"),
        (loss.HingeLoss(), [[2]], [[0]], "label has the value 0; each label is 1 or -1"),
        (loss.SquaredHingeLoss(), [[2]], [[2]], "label has the value 2; each label is 1 or -1"),
        (loss.LogisticLoss(), [[2]], [[0]], "label has the value 0; .*label_format='binary'"),
        (loss.LogisticLoss(label_format="binary"), [[2]], [[-1]], "value -1; .*'signed'"),
        (loss.PoissonNLLLoss(), [[2]], [[-3]], "target has the value -3; targets are counts"),
    ],
)
def test_values_that_the_loss_does_not_take(made, pred, label, what):
    pred, label = nd.array(pred), nd.array(label)
    with np.errstate(invalid="ignore"):
        with pytest.warns(UserWarning, match=what) as caught:
            made(pred, label)
        made(pred, label)  # only once
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("made", [loss.HingeLoss(), loss.LogisticLoss(), loss.PoissonNLLLoss()])
def test_labels_of_weighted_samples_may_be_anything(made):
    made(nd.ones((2, 1)), nd.array([[1], [-7]]), nd.array([[1], [0]]))


def test_pairs_that_are_neither_alike_nor_different():
    x = nd.ones((2, 3))
    with pytest.warns(UserWarning, match="label has the value 0; each label is 1 or -1"):
        loss.CosineEmbeddingLoss()(x, x, nd.array([0, 1]))


def test_weights_of_samples_that_weigh_features():
    weights = nd.array([1, 0])
    with pytest.warns(UserWarning, match=r"multiplies the last axis .*reshape\(\(-1, 1\)\)"):
        found = loss.L1Loss()(nd.zeros((2, 2)), nd.ones((2, 2)), weights)
    assert found.asnumpy().tolist() == [0.5, 0.5]


def test_classes_on_another_axis():
    pred, label = nd.ones((2, 3, 4, 4)), nd.zeros((2, 4, 4))
    with pytest.raises(
        gluon.errors.ArgumentError, match=r"classes on axis -1; .*make the loss with axis=1"
    ):
        loss.SoftmaxCELoss()(pred, label)
    assert loss.SoftmaxCELoss(axis=1)(pred, label).shape == (2,)


def test_class_numbers_for_a_divergence():
    with pytest.raises(
        gluon.errors.ArgumentError, match=r"\(2,\) for predictions of shape \(2, 3\)"
    ):
        loss.KLDivLoss(from_logits=False)(nd.ones((2, 3)), nd.zeros(2))
    with pytest.raises(gluon.errors.DTypeError, match="label is an ndarray; pass an array"):
        loss.KLDivLoss(from_logits=False)(nd.ones((2, 3)), np.ones((2, 3)))


def test_weights_may_switch_off_labels_that_are_none():
    weights = nd.array([[1], [0]])
    assert (
        loss.SigmoidBCELoss()(nd.zeros((2, 1)), nd.array([[1], [-1]]), weights)[1].asscalar() == 0
    )


def test_a_number_for_a_label():
    with pytest.raises(
        gluon.errors.DTypeError, match=r"in L2Loss .*label is an int; pass an array"
    ):
        loss.L2Loss()(nd.ones((2, 1)), 3)
