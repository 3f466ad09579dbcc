"""Metrics: names, values and settings as in MXNet, and errors for invalid inputs."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

from gluon import metric, nd, util
from tests.training.replay import assert_as_the_oracle, named


@pytest.fixture(autouse=True)
def registered():
    """Forget the metrics that a test registers."""
    known = set(metric.base.REGISTRY)
    yield
    for name in set(metric.base.REGISTRY) - known:
        del metric.base.REGISTRY[name]


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # NaN as a class
@pytest.mark.filterwarnings("ignore:(Accuracy|PCC)")
@pytest.mark.parametrize("name", named("metric"))
def test_metric(name, monkeypatch):
    assert_as_the_oracle(name, monkeypatch, rtol=2e-6, atol=1e-7)


# ---------------------------------------------------------------- where MXNet has no answer

SCORES = nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6], [0.9, 0.1]])
LABELS = nd.array([0, 1, 1, 1])


@pytest.mark.parametrize(
    "made",
    [
        metric.F1(average="micro"),
        metric.MCC(average="micro"),
        metric.PearsonCorrelation(average="micro"),
        metric.Perplexity(None, axis=0),
        metric.TopKAccuracy(3, name="hits"),
        metric.CompositeEvalMetric(["acc", metric.F1(average="micro")]),
    ],
    ids=lambda one: type(one).__name__,
)
def test_settings_make_the_same_metric_again(made):
    again = metric.create(made.get_config())
    assert again.get_config() == made.get_config()
    assert str(again) == str(made)


@pytest.mark.parametrize(
    "made", [metric.F1(), metric.PCC(), metric.PearsonCorrelation(average="micro")]
)
def test_copies_go_on_by_themselves(made):
    labels, preds = nd.array([0, 1, 1]), nd.array([[0.7, 0.3], [0, 1], [0.4, 0.6]])
    inputs = (labels, preds) if made.name != "pearsonr" else (labels, labels * 2)
    made.update(*inputs)
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        again.update(*inputs)
        assert again.num_inst > made.num_inst
        assert made.get() == made.get_global()


def test_values_are_floats():
    both = metric.create(["acc", "f1", "mcc", "pcc", "ce", "nll_loss", metric.Perplexity(None)])
    both.update(LABELS, SCORES)
    numbers = metric.create(["mae", "mse", "rmse", "pearsonr", "loss", lambda y, x: x.mean()])
    numbers.update(LABELS, LABELS + 1)
    assert {type(value) for one in (both, numbers) for value in one.get()[1]} == {float}


def test_arrays_of_numpy_are_taken():
    one, other = metric.Accuracy(), metric.Accuracy()
    one.update(LABELS, SCORES)
    other.update(LABELS.asnumpy(), SCORES.asnumpy())
    assert one.get() == other.get()


def test_a_function_cannot_change_the_arrays():
    def greedy(label, pred):
        pred[:] = label
        return 0

    preds = nd.array([5])
    metric.CustomMetric(greedy).update(nd.array([1]), preds)
    assert preds.asscalar() == 5


def test_the_correlation_of_numbers_far_from_zero():
    made = metric.PearsonCorrelation(average="micro")
    random = np.random.default_rng(0)
    labels, preds = random.normal(size=(2, 4, 1000)) + 1e7
    preds += labels
    for batch in zip(labels, preds):
        made.update(*(nd.array(x, dtype="float64") for x in batch))
    expected = np.corrcoef(labels.ravel(), preds.ravel())[0, 1]
    assert made.get()[1] == pytest.approx(expected, rel=1e-9)
    made.reset_local()
    assert math.isnan(made.get()[1])
    assert made.get_global()[1] == pytest.approx(expected, rel=1e-9)


def test_perplexity_takes_any_axis_and_more_axes():
    scores = nd.softmax(nd.random.normal(shape=(2, 5, 3)), axis=-1)
    labels = nd.array([[0, 1, 2, 1, 0], [2, 2, 1, 0, 1]])
    one, other = metric.Perplexity(None), metric.Perplexity(None, axis=1)
    one.update(labels, scores)
    other.update(labels, scores.transpose((0, 2, 1)))
    picked = nd.pick(scores, labels).asnumpy()
    assert one.get()[1] == pytest.approx(np.exp(-np.log(picked).mean()))
    assert one.get() == other.get()


def test_extra_outputs():
    made = metric.CustomMetric(lambda label, pred: pred.sum(), allow_extra_outputs=True)
    made.update([nd.ones((2,))], [nd.ones((2,)), nd.ones((3,))])
    assert made.get()[1] == 2
    with pytest.raises(ValueError, match="length 2 do not fit predictions with the length 1"):
        made.update([nd.ones((2,)), nd.ones((2,))], [nd.ones((2,))])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metric.Accuracy().update(LABELS[:3], SCORES), "Accuracy: labels with the leng"),
        (lambda: metric.Accuracy().update([LABELS, LABELS], [SCORES]), "length 2 .* length 1"),
        (
            lambda: metric.Accuracy(axis=2).update(LABELS, SCORES),
            "axis 2 of the predictions must be that of the",
        ),
        (lambda: metric.Accuracy(axis=0).update(LABELS, SCORES), "one label for each predict"),
        (lambda: metric.TopKAccuracy(), "top_k must be at least 2, got 1; use Accuracy for 1"),
        (lambda: metric.TopKAccuracy(3).update(LABELS, SCORES), r"\(4, 2\).*classes >= 3"),
        (lambda: metric.TopKAccuracy(2).update(LABELS, LABELS), r"\(batch, classes\)"),
        (lambda: metric.F1(average="both"), "F1: average is 'macro' or 'micro', not 'both'"),
        (lambda: metric.PearsonCorrelation(average=None), "not None"),
        (
            lambda: metric.F1().update(nd.array([0, 1, 2, 1]), SCORES),
            "more than two classes; use PCC",
        ),
        (lambda: metric.MCC().update(LABELS, LABELS), r"MCC: .*they need \(batch,\) and"),
        (lambda: metric.PCC().update(LABELS - 1, SCORES), "PCC: classes must be 0 or more"),
        (lambda: metric.PCC().update(LABELS, nd.ones((4, 2, 3))), "one label for each"),
        (lambda: metric.CrossEntropy().update(LABELS, LABELS), r"\(batch, classes\)"),
        (lambda: metric.Perplexity(None).update(LABELS[:3], SCORES), "label for each distribution"),
        (lambda: metric.MAE().update(nd.ones((2, 2)), nd.ones((2, 1))), "MAE: .*must be the same"),
        (
            lambda: metric.PearsonCorrelation().update(nd.ones((2, 1)), nd.ones((2,))),
            r"labels of shape \(2, 1\) do not fit predictions of shape \(2,\)",
        ),
        (
            lambda: metric.create("acuracy"),
            "unknown metric 'acuracy'; did you mean 'accuracy'.* choose one of acc, accu",
        ),
        (lambda: metric.create({"name": "x"}), "given by its name or as EvalMetric, not as None"),
        (lambda: metric.create(3), "not as int"),
        (lambda: metric.create(metric.MAE(), name="x"), "an MAE is made already"),
        (
            lambda: metric.CompositeEvalMetric(["acc"]).get_metric(1),
            "metric 1 is out of range for 1 metrics",
        ),
        (lambda: metric.register(int), "a subclass of EvalMetric, not <class 'int'>"),
    ],
)
def test_errors(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.parametrize("made", [metric.CrossEntropy(), metric.Perplexity(None)])
@pytest.mark.parametrize("label", [-1, 2])
def test_labels_that_are_no_class(made, label):
    with pytest.raises(IndexError, match=r"label .* is out of range for 2 classes \(0 to 1\)"):
        made.update(nd.array([0, 1, 1, label]), SCORES)


def test_missing_names():
    made = metric.Accuracy(output_names=["out"], label_names=["label"])
    with pytest.raises(KeyError, match="unknown array 'label'; the arrays are labels"):
        made.update_dict({"labels": LABELS}, {"out": SCORES})


def test_what_a_subclass_must_define():
    with pytest.raises(NotImplementedError, match="EvalMetric must define update"):
        metric.EvalMetric("x").update([], [])
    with pytest.raises(NotImplementedError, match="spread: a metric made from a function"):
        metric.CustomMetric(lambda y, x: 0, name="spread").get_config()


def test_labels_are_clipped_where_those_of_losses_are():
    scores = nd.array([[0.3, 0.7], [0.9, 0.1], [0.6, 0.4]])
    before = util.set_clip_indices(True)
    try:
        for label, wanted in ((2, 4.367902), (7, 4.367902), (-1, 2.099868), (-3, 2.099868)):
            perplexity = metric.Perplexity(None)
            perplexity.update(nd.array([0, label, 1]), scores)
            assert perplexity.get()[1] == pytest.approx(wanted, rel=1e-5)
        for label, wanted in ((-1, 1.474283), (-2, 0.741875)):  # from the last class, as MXNet does
            entropy = metric.CrossEntropy()
            entropy.update(nd.array([0, label, 1]), scores)
            assert entropy.get()[1] == pytest.approx(wanted, rel=1e-5)
        for label in (2, -3):
            with pytest.raises(IndexError, match=rf"label {label} is out of range .* \(-2 to 1\)"):
                metric.CrossEntropy().update(nd.array([0, label, 1]), scores)
    finally:
        util.set_clip_indices(before)
    with pytest.raises(IndexError, match="label 2 is out of range"):
        metric.Perplexity(None).update(nd.array([0, 2, 1]), scores)
