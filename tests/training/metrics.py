"""Programs of metrics, that run on MXNet 1.9.1 and on gluon alike; `mx` is the one or the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import numpy as np


def drawn(seed):
    return np.random.RandomState(seed)


def classes(seed, n=20, k=3):
    """Labels and probabilities."""
    scores = np.exp(drawn(seed).normal(size=(n, k)))
    return drawn(seed + 100).randint(0, k, n), scores / scores.sum(1, keepdims=True)


def numbers(seed, shape=(12,)):
    """Labels and predictions that resemble them."""
    values = drawn(seed).normal(size=shape)
    return values, values + drawn(seed + 100).normal(size=shape)


def binary(seed):
    return classes(seed, 15, 2)


def maps(seed):
    """Scores with the classes along axis 1 and pixels behind it."""
    return drawn(seed).randint(0, 3, (2, 4, 5)), drawn(seed + 100).normal(size=(2, 3, 4, 5))


def named(seed):
    """The classes themselves as predictions, some with a fraction."""
    labels = drawn(seed).randint(0, 3, 12)
    return labels, labels * (drawn(seed + 100).rand(12) < 0.7) + 0.4


def padded(seed):
    """Labels of which some are to be ignored, in two axes."""
    labels, scores = classes(seed, 24)
    return np.where(labels == 2, -1, labels), scores


def columns(seed):
    labels, preds = numbers(seed)
    return labels, preds[:, None]


def matrices(seed):
    return numbers(seed, (6, 2))


#: A metric and what makes a batch for it.
METRICS = [
    ("Accuracy()", classes),
    ("Accuracy()", maps),
    ("Accuracy()", named),
    ("Accuracy(axis=-1, name='hits')", classes),
    ("TopKAccuracy(top_k=2)", classes),
    ("TopKAccuracy(3, name='top')", lambda seed: classes(seed, 10, 7)),
    ("F1()", binary),
    ("F1(average='micro')", binary),
    ("MCC()", binary),
    ("MCC(average='micro')", binary),
    ("PCC()", classes),
    ("PCC()", named),
    ("PCC()", lambda seed: classes(seed, 9, 2 + seed)),
    ("Perplexity(None)", classes),
    ("Perplexity(ignore_label=1)", classes),
    ("Perplexity(ignore_label=-1)", padded),
    ("MAE()", numbers),
    ("MAE()", columns),
    ("MSE()", numbers),
    ("MSE(name='squares')", matrices),
    ("RMSE()", numbers),
    ("RMSE()", matrices),
    ("CrossEntropy()", classes),
    ("CrossEntropy(eps=0.1)", classes),
    ("NegativeLogLikelihood()", classes),
    ("PearsonCorrelation()", numbers),
    ("PearsonCorrelation()", matrices),
    ("PearsonCorrelation(average='micro')", matrices),
    ("Loss()", numbers),
    ("Torch()", numbers),
    ("Caffe()", numbers),
    ("CustomMetric(lambda label, pred: abs(label - pred).max())", numbers),
    ("CustomMetric(lambda label, pred: (pred.sum(), pred.size), 'mean')", numbers),
    ("np(lambda label, pred: (label == pred.round()).mean(), 'rounded')", named),
]


def made(mx, text):
    return eval(text, vars(mx.metric).copy())


def values(metric) -> np.ndarray:
    """The current value and, unless MXNet's is wrong, the value since the reset."""
    found = [value for _, value in metric.get_name_value()]
    if getattr(metric, "average", "") != "micro" or not metric.name.startswith("pearson"):
        found += [value for _, value in metric.get_global_name_value()]
    return np.array(found, "float64")


def metric(mx, text: str, batch: Callable) -> list:
    """Names and values, batch after batch, alone and in lists, with resets in between."""
    one = made(mx, text)

    def arrays(*seeds):
        pairs = [[mx.nd.array(x) for x in batch(seed)] for seed in seeds]
        labels, preds = ([pair[k] for pair in pairs] for k in range(2))
        return (labels, preds) if len(seeds) > 1 else (labels[0], preds[0])

    found = [str(one), str(one.name), values(one)]
    for seeds in ((0,), (1,), (2, 3)):
        one.update(*arrays(*seeds))
        found.append(values(one))
    if "micro" not in text or "Pearson" not in text:
        one.reset_local()
        found.append(values(one))
        one.update(*arrays(4))
        found.append(values(one))
    one.reset()
    found.append(values(one))
    one.update(*arrays(5))
    return [*found, values(one)]


def degenerate(mx) -> list:
    """Edge cases: no correct prediction, only one class, constants."""
    nd = mx.nd
    ones, zeros, scores = nd.ones((4,)), nd.zeros((4,)), nd.array([[0.1, 0.9]] * 4)
    cases = {
        "F1()": [(ones, scores), (zeros, scores), (ones, scores[:, ::-1])],
        "F1(average='micro')": [(zeros, scores), (ones, scores)],
        "MCC()": [(ones, scores), (zeros, scores), (nd.array([-1, 1, 1, -1]), scores)],
        "MCC(average='micro')": [(zeros, scores), (ones, scores)],
        "PCC()": [(ones, scores), (nd.array([0, 1, 1, 1]), scores)],
        "Perplexity(0)": [(zeros, scores), (ones, scores)],
        "Perplexity(None)": [(zeros, nd.zeros((4, 2)))],
        "PearsonCorrelation()": [(ones, zeros)],
        "CrossEntropy()": [(zeros, nd.zeros((4, 2)))],
        "Accuracy()": [(ones, ones * float("nan"))],
        "Loss()": [(None, []), (None, (ones, zeros))],
    }
    found = []
    for text, pairs in cases.items():
        one = made(mx, text)
        for pair in pairs:
            one.update(*pair)
            found.append(values(one))
    return found


def configs(mx) -> list:
    """Settings, and metrics made from them."""
    found = []
    for text in (
        *("Accuracy()", "Accuracy(2, 'a', ['x'], ['y'])", "MAE()", "CrossEntropy(eps=1)"),
        *("NegativeLogLikelihood()", "MSE()", "RMSE()", "Loss()", "Torch()", "Caffe()", "PCC()"),
        *("CompositeEvalMetric(['acc', MAE()])", "CompositeEvalMetric()"),
    ):
        one = made(mx, text)
        config = one.get_config()
        again = mx.metric.create(json.dumps(config))
        texts = [json.dumps(each, sort_keys=True) for each in (config, again.get_config())]
        found += [*texts, type(again).__name__, str(again)]
    return found


def created(mx) -> list:
    """What `create` makes of names, functions, lists and JSON."""

    def distance(label, pred):
        return abs(label - pred).mean()

    create = mx.metric.create
    givens = [
        *("acc", "Accuracy", "ACC", "ce", "crossentropy", "nll_loss", "f1", "mcc", "pcc", "rmse"),
        *("mae", "mse", "loss", "torch", "caffe", "pearsonr", "pearsoncorrelation", "composite"),
        *(distance, lambda label, pred: 0, mx.metric.MAE(), ["acc", mx.metric.MSE(), distance]),
        *('["mae", {"name": "x"}]', '{"metric": "MAE", "name": "y"}', {"metric": "mae"}),
    ]
    found = [create(given) for given in givens]
    found += [create("top_k_accuracy", top_k=5), create("top_k_acc", 3), create("acc", axis=2)]
    found += [create("perplexity", ignore_label=None), create(["acc", "mae"], output_names=["z"])]
    found += [mx.metric.np(distance), mx.metric.CustomMetric(distance, name="other")]
    return [str(one) for one in found] + [type(one).__name__ for one in found]


def composed(mx) -> list:
    """Metrics of metrics."""
    both = mx.metric.CompositeEvalMetric(["acc", mx.metric.CrossEntropy()], name="both")
    both.add("nll_loss")
    nested = mx.metric.CompositeEvalMetric([both, mx.metric.TopKAccuracy(2)])
    found = [both.name, str(both.get_metric(1)), str(len(both.metrics)), str(nested)]
    for seed in range(2):
        nested.update(*(mx.nd.array(x) for x in classes(seed)))
        found += [repr(nested.get()[0]), repr(nested.get_global()[0]), values(nested)]
    both.reset_local()
    found.append(values(nested))
    nested.reset()
    return [*found, values(nested)]


def dictionaries(mx) -> list:
    """Arrays by name: all of them, and those that a metric asks for."""
    (label, pred), (other, scores) = ([mx.nd.array(x) for x in classes(seed)] for seed in range(2))
    labels, preds = {"label": label, "other": other}, {"pred": pred, "scores": scores}
    names = {"output_names": ["scores"], "label_names": ["other"]}
    found = []
    for one in (
        mx.metric.Accuracy(),
        mx.metric.Accuracy(**names),
        mx.metric.CompositeEvalMetric(["acc", "ce"], **names),
        mx.metric.CompositeEvalMetric([mx.metric.Accuracy(**names), "ce"]),
    ):
        one.update_dict(labels, preds)
        found.append(values(one))
    return found


def own(mx) -> list:
    """Metrics of the user's own, registered under several names, with one value and with two."""

    @mx.metric.register
    @mx.metric.alias("counting", "Zaehler")
    class Count(mx.metric.EvalMetric):
        def update(self, labels, preds):
            self.sum_metric += preds.shape[0]
            self.num_inst += 1

    class Two(mx.metric.EvalMetric):
        def __init__(self):
            super().__init__(["a", "b"], factor=3)

        def get(self):
            return ["a", "b"], [1.5, self._kwargs["factor"]]

    found = []
    for name in ("count", "counting", "zaehler"):
        one = mx.metric.create(name, name="n")
        one.update(None, mx.nd.ones((3, 2)))
        one.update(None, mx.nd.ones((6, 2)))
        found += [str(one), values(one)]
    two = Two()
    found += [str(two), repr(two.get_name_value()), repr(two.get_global_name_value())]
    return [*found, json.dumps(two.get_config(), sort_keys=True)]


def checked(mx) -> list:
    nd, check = mx.nd, mx.metric.check_label_shapes
    one, two = nd.array([1, 2]), nd.array([[3], [4]])
    plain, wrapped = check(one, two), check(one, two, True)
    kinds = [type(x).__name__ for pair in (plain, wrapped) for x in pair]
    return [*kinds, *plain, *wrapped[0], *check([one, one], [two, two])[1]]


def named_programs() -> Iterator[tuple[str, Callable]]:
    for place, (text, batch) in enumerate(METRICS):
        yield f"metric {place} {text}", lambda mx, a=text, b=batch: metric(mx, a, b)
    for one in (degenerate, configs, created, composed, dictionaries, own, checked):
        yield f"metric {one.__name__}", one


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    return dict(named_programs())
