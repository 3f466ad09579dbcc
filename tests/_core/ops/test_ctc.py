"""`nd.CTCLoss` against its definition: a sum over all alignments of the labels."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest

from gluon import autograd, nd


def comes_out(path: tuple, blank: int) -> list:
    """Merge runs of equal labels, then remove blanks."""
    return [label for label, _ in groupby(path) if label != blank]


def defined(x, labels: list, lengths: list, blank: int):
    """The loss of each sample, computed with other operators."""
    classes = x.shape[2]
    losses: list = []
    for k, (label, length) in enumerate(zip(labels, lengths)):
        paths = [
            np.eye(classes)[list(path)].ravel()
            for path in product(range(classes), repeat=length)
            if comes_out(path, blank) == label
        ]
        if not paths:
            losses.append(nd.zeros((1,), dtype=x.dtype))
            continue
        scores = nd.log_softmax(x[:length, k]).reshape((-1, 1))
        sums = nd.dot(nd.array(paths, dtype=x.dtype), scores)
        losses.append(-nd.log(nd.exp(sums).sum()).reshape((1,)))
    return nd.concat(*losses, dim=0)


def padded(labels: list, width: int, value: int) -> list:
    return [label + [value] * (width - len(label)) for label in labels]


#: labels, the steps that count, and the class of the blank, of three
CASES = {
    "two labels": ([[1, 2], [2, 1]], [4, 4], 0),
    "repeated labels": ([[1, 1], [2, 2]], [4, 4], 0),
    "just enough steps": ([[1, 1], [1, 2]], [3, 2], 0),
    "no label": ([[], [2]], [4, 4], 0),
    "no label at all": ([[], []], [4, 1], 0),
    "the blank last": ([[0, 1], [1, 1]], [4, 3], 2),
    "lengths": ([[1, 2], [1]], [3, 1], 0),
    "too few steps": ([[1, 1], [2]], [2, 4], 0),
    "no step": ([[1], [2, 1]], [0, 4], 0),
}


def orders(function, x, order: int):
    """The gradient of the `order`-th derivative of the losses, each time made one number."""
    x = x.copy()
    x.attach_grad()
    with autograd.record():
        y = (function(x) * nd.array([2, 3], dtype="float64")).sum() + x.sum()
        for _ in range(order - 1):
            (g,) = autograd.grad(y, [x], create_graph=True)
            y = (g * g * g).sum()
    y.backward()
    return x.grad.asnumpy()


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients_of_every_order_are_those_of_the_definition(case, order):
    labels, lengths, blank = CASES[case]
    x = nd.array(np.random.default_rng(1).normal(size=(4, 2, 3)), dtype="float64")
    last = blank > 0
    rows = nd.array(padded(labels, 2, -1 if last else 0))

    def loss(x):
        return nd.CTCLoss(
            x,
            rows,
            nd.array(lengths),
            use_data_lengths=True,
            blank_label="last" if last else "first",
        )

    def definition(x):
        return defined(x, labels, lengths, blank)

    if order == 0:
        got, want = loss(x).asnumpy(), definition(x).asnumpy()
    else:
        got, want = orders(loss, x, order), orders(definition, x, order)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_gradients_of_few_steps_are_those_of_the_definition(steps, order):
    x = nd.array(np.random.default_rng(steps).normal(size=(steps, 2, 3)), dtype="float64")
    got = orders(lambda x: nd.CTCLoss(x, nd.array([[1], [2]])), x, order)
    want = orders(lambda x: defined(x, [[1], [2]], [steps, steps], 0), x, order)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


def test_steps_that_do_not_count_may_hold_anything():
    x = nd.array(np.random.default_rng(0).normal(size=(4, 2, 3)))
    x[2:, 1] = np.nan
    x.attach_grad()
    with autograd.record():
        y = nd.CTCLoss(x, nd.array([[1, 2], [2, 0]]), nd.array([4, 2]), use_data_lengths=True)
    y.backward()
    assert np.isfinite(y.asnumpy()).all()
    assert np.isfinite(x.grad.asnumpy()).all()
    assert (x.grad.asnumpy()[2:, 1] == 0).all()


def test_labels_that_cannot_come_out_have_an_infinite_loss():
    x = nd.array([[[0, -np.inf, 1]], [[0, -np.inf, 2]]])
    x.attach_grad()
    with autograd.record():
        y = nd.CTCLoss(x, nd.array([[1]]))
    y.backward()
    assert y.asscalar() == np.inf
    assert (x.grad.asnumpy() == 0).all()


def test_long_sequences_stay_finite():
    rng = np.random.default_rng(0)
    x = nd.array(rng.normal(size=(500, 2, 20)) * 50)
    labels = nd.array(rng.integers(1, 20, (2, 100)))
    x.attach_grad()
    with autograd.record():
        y = nd.CTCLoss(x, labels)
    y.backward()
    assert np.isfinite(y.asnumpy()).all()
    # Softmax minus the share of each class in the alignments: both have the sum 1.
    np.testing.assert_allclose(x.grad.asnumpy().sum(-1), 0, atol=1e-4)
    assert np.abs(x.grad.asnumpy()).sum() > 1
