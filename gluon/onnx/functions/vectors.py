"""Support vector machines, of the domain ``ai.onnx.ml``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy

from ... import np, npx
from ..._core.kernels.memory import on_host
from .learn import ML, labelled, transformed
from .table import FUNCTIONS, made

#: Kernels of values and support vectors, from gamma, coef0 and degree.
KERNELS: dict[str, Callable[..., Any]] = {
    "LINEAR": lambda x, v, gamma, start, degree: np.matmul(x, v.T),
    "POLY": lambda x, v, gamma, start, degree: (np.matmul(x, v.T) * gamma + start) ** degree,
    "SIGMOID": lambda x, v, gamma, start, degree: np.tanh(np.matmul(x, v.T) * gamma + start),
    "RBF": lambda x, v, gamma, start, degree: np.exp(
        (np.matmul(x, v.T) * 2 - np.sum(x * x, 1, keepdims=True) - np.sum(v * v, 1)) * gamma
    ),
}


def _kernel(X: Any, count: int, vectors: Any, kind: str, params: Sequence[float]) -> Any:
    """Return the kernel values of rows and `count` vectors; the rows if there are none."""
    x = X.astype("float32", copy=False)
    if not count:
        return x
    v = made(numpy.array(vectors, "float32").reshape(count, -1))
    return KERNELS[kind](x, v, *(params or (0.0, 0.0, 0.0)))


def _regressor(
    X: Any,
    *,
    coefficients: Sequence[float],
    kernel_params: Sequence[float] = (),
    kernel_type: str = "LINEAR",
    n_supports: int = 0,
    one_class: int = 0,
    post_transform: str = "NONE",
    rho: Sequence[float],
    support_vectors: Sequence[float] = (),
) -> Any:
    products = _kernel(X, n_supports, support_vectors, kernel_type, kernel_params)
    y = np.matmul(products, made(numpy.array(coefficients, "float32").reshape(-1, 1))) + rho[0]
    if one_class:
        return np.where(y > 0, np.ones_like(y), -np.ones_like(y))
    return transformed(y, post_transform)


def _classifier(
    X: Any,
    *,
    classlabels_ints: Sequence[int] = (),
    classlabels_strings: Sequence[str] = (),
    coefficients: Sequence[float],
    kernel_params: Sequence[float] = (),
    kernel_type: str = "LINEAR",
    post_transform: str = "NONE",
    prob_a: Sequence[float] = (),
    prob_b: Sequence[float] = (),
    rho: Sequence[float],
    support_vectors: Sequence[float] = (),
    vectors_per_class: Sequence[int] = (),
    outputs: int = 2,
) -> Any:
    classes = len(classlabels_ints or classlabels_strings)
    vectors = sum(vectors_per_class)
    products = _kernel(X, vectors, support_vectors, kernel_type, kernel_params)
    weights = numpy.array(coefficients, "float32")
    if not vectors:
        scores = np.matmul(products, made(weights.reshape(classes, -1).T)) + rho[0]
        votes = scores.raw
    else:
        pairs = list(combinations(range(classes), 2))
        scores = np.matmul(products, made(_of_pairs(weights, vectors_per_class, pairs)))
        scores = scores + made(numpy.array(rho, "float32"))
        votes = _votes(on_host(scores.raw), pairs, classes)
        if prob_a:
            logits = scores * made(numpy.array(prob_a, "float32"))
            scores = _coupled(-logits - made(numpy.array(prob_b, "float32")), pairs, classes)
        elif classes == 2:
            scores = np.concatenate([-scores, scores], 1)
    labels = labelled(votes.argmax(-1), classlabels_ints, classlabels_strings)
    return labels, transformed(scores, post_transform)


def _of_pairs(weights: Any, counts: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Any:
    """Return the coefficients of each vector for each pair of classes, shape (vectors, pairs)."""
    weights = weights.reshape(len(counts) - 1, -1)
    owner = numpy.repeat(numpy.arange(len(counts)), counts)
    columns = [
        numpy.where(owner == i, weights[j - 1], numpy.where(owner == j, weights[i], 0))
        for i, j in pairs
    ]
    return numpy.stack(columns, 1)


def _votes(scores: Any, pairs: Sequence[tuple[int, int]], classes: int) -> Any:
    """Count how many pairs each class wins."""
    found = numpy.zeros((len(scores), classes))
    for score, (i, j) in zip(scores.T, pairs):
        found[:, i] += score > 0
        found[:, j] += score <= 0
    return found


def _coupled(logits: Any, pairs: Sequence[tuple[int, int]], classes: int) -> Any:
    """Compute class probabilities from those of pairs iteratively, as LIBSVM does."""
    first = np.clip(npx.sigmoid(logits), 1e-7, 1 - 1e-7)
    wins: dict[tuple[int, int], Any] = {}
    for k, (i, j) in enumerate(pairs):
        wins[i, j], wins[j, i] = first[:, k], 1 - first[:, k]
    others = [[i for i in range(classes) if i != t] for t in range(classes)]
    own = [sum(wins[i, t] ** 2 for i in others[t]) for t in range(classes)]
    rows = [
        np.stack([own[t] if i == t else -wins[i, t] * wins[t, i] for i in range(classes)], 1)
        for t in range(classes)
    ]
    table = np.stack(rows, 1)
    p = np.full((len(logits), classes), 1 / classes, dtype=logits.dtype)
    for _ in range(max(100, classes)):
        slope = np.matmul(table, np.expand_dims(p, 2))[..., 0]
        gap = numpy.abs(slope.raw - (p.raw * slope.raw).sum(1, keepdims=True)).max(1)
        moves = gap >= 0.005 / classes
        if not moves.any():
            break
        p = np.where(made(moves[:, None]), _round(p, rows, own), p)
    return p


def _round(p: Any, rows: Sequence[Any], own: Sequence[Any]) -> Any:
    """Update the probabilities: each class moves to its optimum given the others."""
    for t, (row, square) in enumerate(zip(rows, own)):
        slopes = np.stack([np.sum(one * p, 1) for one in rows], 1)
        step = (np.sum(p * slopes, 1) - np.sum(row * p, 1)) / square
        unit = made(numpy.eye(len(rows), dtype=p.dtype)[t])
        p = (p + np.expand_dims(step, 1) * unit) / np.expand_dims(1 + step, 1)
    return p


FUNCTIONS |= {ML + "SVMClassifier": _classifier, ML + "SVMRegressor": _regressor}
