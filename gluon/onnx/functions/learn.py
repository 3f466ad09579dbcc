"""Operators of the domain ``ai.onnx.ml``: what scikit-learn's converters write for networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ... import np, npx
from .table import FUNCTIONS, made

ML = "ai.onnx.ml."


def _feature_extractor(X: Any, Y: Any) -> Any:
    return np.take(X, made(Y.raw.reshape(-1)), axis=-1)


def _scaler(X: Any, *, offset: Sequence[float] = (0,), scale: Sequence[float] = (1,)) -> Any:
    return (X - made(numpy.array(offset, "float32"))) * made(numpy.array(scale, "float32"))


def _normalizer(X: Any, *, norm: str = "MAX") -> Any:
    size = np.abs(X)
    total = {
        "MAX": lambda: np.max(size, -1, keepdims=True),
        "L1": lambda: np.sum(size, -1, keepdims=True),
        "L2": lambda: np.sqrt(np.sum(X * X, -1, keepdims=True)),
    }[norm]()
    return X / np.where(np.equal(total, 0), np.ones_like(total), total)


def _binarizer(X: Any, *, threshold: float = 0.0) -> Any:
    return (threshold < X).astype(X.dtype)


def _transformed(scores: Any, how: str) -> Any:
    if how == "LOGISTIC":
        return npx.sigmoid(scores)
    return npx.softmax(scores, axis=-1) if how == "SOFTMAX" else scores


def _regressor(
    X: Any,
    *,
    coefficients: Sequence[float],
    intercepts: Sequence[float] = (),
    post_transform: str = "NONE",
    targets: int = 1,
) -> Any:
    weight = made(numpy.array(coefficients, "float32").reshape(targets, -1))
    y = np.matmul(X.astype("float32", copy=False), weight.T)
    y = y + made(numpy.array(intercepts, "float32")) if intercepts else y
    return _transformed(y, post_transform)


def _classifier(
    X: Any,
    *,
    coefficients: Sequence[float],
    intercepts: Sequence[float] = (),
    classlabels_ints: Sequence[int] = (),
    multi_class: int = 0,
    post_transform: str = "NONE",
    outputs: int = 2,
) -> Any:
    labels = numpy.array(classlabels_ints, "int64")
    scores = _regressor(
        X,
        coefficients=coefficients,
        intercepts=intercepts,
        targets=len(intercepts) or len(labels),
    )
    if scores.shape[-1] == 1 and len(labels) == 2:
        scores = np.concatenate([-scores, scores], -1)
    scores = _transformed(scores, post_transform)
    return made(labels[scores.raw.argmax(-1)]), scores


FUNCTIONS |= {
    ML + "ArrayFeatureExtractor": _feature_extractor,
    ML + "Binarizer": _binarizer,
    ML + "LinearClassifier": _classifier,
    ML + "LinearRegressor": _regressor,
    ML + "Normalizer": _normalizer,
    ML + "Scaler": _scaler,
}
