"""Programs of losses, that run on MXNet 1.9.1 and on gluon alike; `mx` is the one or the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


def normal(*shape, seed=0):
    return np.random.RandomState(seed).normal(size=shape)


def shares(*shape, seed=1):
    found = abs(normal(*shape, seed=seed)) + 0.1
    return found / found.sum(axis=-1, keepdims=True)


def signs(*shape):
    return np.sign(normal(*shape, seed=2))


class Case(NamedTuple):
    """A loss, what it is called with, and how many of that have gradients."""

    text: str
    inputs: list
    variables: int = 1
    dtype: str = "float32"

    def __str__(self) -> str:
        shapes = " ".join("-" if one is None else str(np.shape(one)) for one in self.inputs)
        return f"loss {self.text} {shapes} {self.dtype}"


VALUES = [normal(4, 3), normal(4, 3, seed=1)]
CLASSES = np.array([0, 2, 1, 1.0])
EACH, ALL = abs(normal(4, 1, seed=3)), abs(normal(4, 3, seed=4))
SIGNED = [normal(4, 3), signs(4, 3)]
BINARY = [normal(4, 3), (signs(4, 3) + 1) / 2]
VECTORS = [normal(4, 3), normal(4, 3, seed=1), np.array([1, -1, -1, 1.0])]
COUNTS = np.array([[0, 1, 2], [3, 1, 0], [7, 2, 1], [1, 12, 0.0]])
STEPS = normal(2, 6, 4)
LABELS = np.array([[0, 1, -1], [2, 2, 1.0]])

CASES = [
    Case("L2Loss()", [normal(4, 3), normal(12, seed=1)]),
    Case("L2Loss()", [normal(5), normal(5, 1, seed=1)]),
    Case("L2Loss(weight=2)", [*VALUES, ALL], 2),
    Case("L2Loss(batch_axis=2)", [normal(2, 3, 4), normal(2, 3, 4, seed=1)]),
    Case("L1Loss(batch_axis=1)", [*VALUES, ALL], 2),
    Case("HuberLoss()", VALUES, 2),
    Case("HuberLoss(rho=0.5, weight=2)", [*VALUES, EACH]),
    Case("HuberLoss(rho=2, batch_axis=1)", [normal(4, 3), normal(12, seed=1)]),
    Case("HuberLoss()", [2 * normal(2, 3, 2), normal(2, 3, 2, seed=1)]),
    Case("HingeLoss()", SIGNED),
    Case("HingeLoss(margin=0.3, weight=2)", [*SIGNED, EACH]),
    Case("SquaredHingeLoss()", SIGNED),
    Case("SquaredHingeLoss(margin=2, batch_axis=1)", [*SIGNED, ALL]),
    Case("LogisticLoss()", SIGNED),
    Case("LogisticLoss(weight=0.5)", [normal(4, 1) * 50, signs(4)]),
    Case("LogisticLoss(label_format='binary')", [*BINARY, EACH]),
    Case("LogisticLoss(batch_axis=1)", SIGNED),
    Case("TripletLoss()", [*VALUES, normal(4, 3, seed=5)], 3),
    Case("TripletLoss(margin=3, weight=2)", [*VALUES, normal(12, seed=5)], 3),
    Case("TripletLoss(batch_axis=1)", [normal(2, 3, 2, seed=k) for k in range(3)], 3),
    Case("PoissonNLLLoss()", [normal(4, 3), COUNTS]),
    Case("PoissonNLLLoss(weight=2)", [normal(4, 3), COUNTS, EACH]),
    Case("PoissonNLLLoss(from_logits=False)", [shares(4, 3), COUNTS], 2),
    Case("PoissonNLLLoss(from_logits=False, batch_axis=1)", [shares(4, 3), COUNTS, ALL, 0.1]),
    Case("CosineEmbeddingLoss()", VECTORS, 2),
    Case("CosineEmbeddingLoss(margin=0.2, weight=2)", [*VECTORS, EACH], 2),
    Case("CosineEmbeddingLoss()", [normal(12), normal(4, 3, seed=1), signs(4, 1)], 2),
    Case("CosineEmbeddingLoss()", [*VECTORS[:2], np.array([1, 0, -1, 2.0])], 2),
    Case("SDMLLoss()", VALUES, 2),
    Case("SDMLLoss(smoothing_parameter=0)", [normal(2, 5), normal(2, 5, seed=1)], 2),
    Case("SDMLLoss(0.8)", [normal(5, 2), normal(5, 2, seed=1)], 2),
    Case("KLDivLoss()", [np.log(shares(4, 3)), shares(4, 3, seed=2)], 2),
    Case("KLDivLoss(from_logits=False)", [normal(4, 3), shares(4, 3), EACH], 2),
    Case("KLDivLoss(from_logits=False, axis=1, weight=2)", [normal(2, 3, 4), shares(2, 3, 4)]),
    Case("KLDivLoss(from_logits=False, batch_axis=1)", [normal(4, 3), np.eye(4, 3)]),
    Case("SoftmaxCrossEntropyLoss(sparse_label=False)", [normal(4, 3), shares(4, 3), EACH], 2),
    Case("SoftmaxCrossEntropyLoss(axis=0, batch_axis=1)", [normal(3, 4), CLASSES]),
    Case("SoftmaxCrossEntropyLoss()", [1000 * normal(4, 3), CLASSES]),
    Case("SoftmaxCrossEntropyLoss()", [normal(4, 3), np.array([0, 7, -1, 2.0])]),
    Case(
        "SoftmaxCrossEntropyLoss(axis=1)",
        [normal(2, 3, 2, 2), np.ones((2, 2, 2)), EACH[:2, None, None]],
    ),
    Case("SigmoidBCELoss()", [1000 * normal(4, 3), BINARY[1]]),
    Case("SigmoidBCELoss(weight=2)", [*BINARY, EACH, ALL[:1]], 2),
    Case("SigmoidBCELoss(from_sigmoid=True)", [shares(4, 3), BINARY[1], EACH, ALL[:1]], 2),
    Case("SigmoidBCELoss(from_sigmoid=True)", [BINARY[1], BINARY[1]]),
    Case("CTCLoss()", [STEPS, LABELS]),
    Case("CTCLoss(weight=2)", [STEPS, LABELS, None, None, np.array([1, 3.0])]),
    Case("CTCLoss(layout='TNC')", [STEPS.swapaxes(0, 1), LABELS]),
    Case("CTCLoss(layout='TNC', label_layout='TN')", [STEPS.swapaxes(0, 1), LABELS.T]),
    Case("CTCLoss()", [STEPS, LABELS, np.array([4, 6.0]), np.array([1, 3.0])]),
    Case("CTCLoss()", [STEPS, abs(LABELS), None, np.array([2, 1.0])]),
    Case("CTCLoss()", [STEPS, LABELS, np.array([5, 4.0])]),
]
CASES += [
    case._replace(dtype="float64")
    for case in CASES
    if "CTC" not in case.text and "Cosine" not in case.text and "SDML" not in case.text
]
CASES += [
    Case("HuberLoss()", [300 * VALUES[0], VALUES[1]], 1, "float16"),
    Case("LogisticLoss()", SIGNED, 1, "float16"),
    Case("TripletLoss()", [*VALUES, normal(4, 3, seed=5)], 1, "float16"),
    Case("PoissonNLLLoss()", [VALUES[0], COUNTS], 1, "float16"),
]


def loss(mx, case: Case) -> list:
    """Description, value and gradients of a loss."""
    function = eval(case.text, vars(mx.gluon.loss).copy())
    inputs = [
        mx.nd.array(one, dtype=case.dtype) if isinstance(one, np.ndarray) else one
        for one in case.inputs
    ]
    variables = inputs[: case.variables]
    for one in variables:
        one.attach_grad()
    with mx.autograd.record():
        y = function(*inputs)
    y.backward(mx.nd.array(normal(*y.shape, seed=6), dtype=case.dtype))
    return [repr(function), function.name, y, *(one.grad for one in variables)]


def factorials(mx) -> list:
    """Stirling's term, for targets above 1: MXNet cannot record it, and has NaN for 0."""
    function = mx.gluon.loss.PoissonNLLLoss(compute_full=True)
    pred, target = mx.nd.array(normal(4, 3)), mx.nd.array(COUNTS + 1)
    return [function(pred, target), function(pred, target, mx.nd.array(EACH))]


def own(mx) -> list:
    """A loss made with the helpers that other packages take from MXNet."""
    _apply_weighting = mx.gluon.loss._apply_weighting
    _reshape_like = mx.gluon.loss._reshape_like

    class Quartic(mx.gluon.loss.Loss):
        def hybrid_forward(self, F, pred, label, sample_weight=None):
            loss = (pred - _reshape_like(F, label, pred)) ** 4
            loss = _apply_weighting(F, loss, self._weight, sample_weight)
            return F.mean(loss, axis=self._batch_axis, exclude=True)

    function = Quartic(3, 0)
    pred, label = mx.nd.array(VALUES[0]), mx.nd.array(VALUES[1].ravel())
    return [repr(function), function.name, function(pred, label, mx.nd.array(EACH))]


def programs() -> dict[str, Callable]:
    """Return all programs, by a descriptive name."""
    found: dict[str, Callable] = {str(case): lambda mx, c=case: loss(mx, c) for case in CASES}
    return {**found, "loss factorials": factorials, "loss own": own}
