"""Operators of the domain ``ai.onnx.ml``, which scikit-learn's converters write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ... import np, npx
from ..._core.errors import ArgumentError
from .table import FUNCTIONS, made

ML = "ai.onnx.ml."


def _feature_extractor(X: Any, Y: Any) -> Any:
    found = np.take(X, made(Y.raw.reshape(-1)), axis=-1)
    return found.reshape((1, -1)) if X.ndim == 1 else found


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


def _imputer(
    X: Any,
    *,
    imputed_value_floats: Sequence[float] = (),
    imputed_value_int64s: Sequence[int] = (),
    replaced_value_float: float = 0.0,
    replaced_value_int64: int = 0,
) -> Any:
    is_float = X.dtype.kind == "f"
    values = imputed_value_floats if is_float else imputed_value_int64s
    replaced = replaced_value_float if is_float else replaced_value_int64
    missing = np.isnan(X) if replaced != replaced else np.equal(X, replaced)
    return np.where(missing, made(numpy.array(values, X.dtype)), X)


def _one_hot(
    X: Any, *, cats_int64s: Sequence[int] = (), cats_strings: Sequence[str] = (), zeros: int = 1
) -> Any:
    raw = X.raw if cats_strings else X.raw.astype("int64")
    found = raw[..., None] == numpy.array(cats_strings or cats_int64s)
    if not zeros and not found.any(-1).all():
        raise ArgumentError("a value is of no category, and zeros=0")
    return made(found.astype("float32"))


def _label_encoder(X: Any, **given: Any) -> Any:
    """Map keys to values; `given` has both and a default, under a name per dtype."""
    keys, values = _typed(given, "keys"), _typed(given, "values")
    default = given.get("default_tensor")
    if default is None:
        name, missing = {"f": ("float", 0.0), "i": ("int64", -1), "U": ("string", "_Unused")}[
            values.dtype.kind
        ]
        default = given.get(f"default_{name}", missing)
    order = numpy.argsort(keys, kind="stable")  # NaN is sorted last, and found there
    place = order[numpy.searchsorted(keys[order], X.raw).clip(0, len(keys) - 1)]
    hit = (keys[place] == X.raw) | ((keys[place] != keys[place]) & (X.raw != X.raw))
    return made(numpy.where(hit, values[place], numpy.array(default, values.dtype)))


def _typed(given: Mapping[str, Any], name: str) -> Any:
    dtypes: dict[str, Any] = {
        "floats": "float32",
        "int64s": "int64",
        "strings": str,
        "tensor": None,
    }
    kind = next(kind for kind in dtypes if f"{name}_{kind}" in given)
    return numpy.array(given[f"{name}_{kind}"], dtypes[kind])


def _vectorizer(*X: Any, inputdimensions: Sequence[int] = ()) -> Any:
    return np.concatenate([x.reshape((len(x), -1)).astype("float32", copy=False) for x in X], 1)


def _zip_map(X: Any, **labels: Any) -> Any:
    """Return the values as an array instead of a list of dicts by label."""
    return X


def transformed(scores: Any, how: str) -> Any:
    """Scores after the transform that an attribute names.

    Raises
    ------
    ArgumentError
        If there is no transform of that name.
    """
    if how not in TRANSFORMS:
        raise ArgumentError(f"post_transform={how!r} is unknown; ONNX has {', '.join(TRANSFORMS)}")
    return TRANSFORMS[how](scores)


def _softmax_zero(scores: Any) -> Any:
    """Compute softmax, but leave values near 0 unchanged."""
    away = np.abs(scores) > 1e-7
    raised = np.exp(scores - np.max(scores, -1, keepdims=True))
    kept = np.where(away, raised, scores * raised)
    return kept / np.sum(kept, -1, keepdims=True)


TRANSFORMS = {
    "NONE": lambda scores: scores,
    "LOGISTIC": npx.sigmoid,
    "SOFTMAX": lambda scores: npx.softmax(scores, axis=-1),
    "SOFTMAX_ZERO": _softmax_zero,
    "PROBIT": lambda scores: npx.erfinv(scores * 2 - 1) * 2**0.5,
}


def labelled(places: Any, ints: Sequence[int], strings: Sequence[str]) -> Any:
    """The labels of classes at raw places."""
    labels = numpy.array(strings) if strings else numpy.array(ints, "int64")
    return made(labels[places])


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
    return transformed(y, post_transform)


def _classifier(
    X: Any,
    *,
    coefficients: Sequence[float],
    intercepts: Sequence[float] = (),
    classlabels_ints: Sequence[int] = (),
    classlabels_strings: Sequence[str] = (),
    multi_class: int = 0,
    post_transform: str = "NONE",
    outputs: int = 2,
) -> Any:
    count = len(classlabels_ints or classlabels_strings)
    scores = _regressor(
        X, coefficients=coefficients, intercepts=intercepts, targets=len(intercepts) or count
    )
    if scores.shape[-1] == 1 and count == 2:
        scores = np.concatenate([-scores, scores], -1)
    scores = transformed(scores, post_transform)
    return labelled(scores.raw.argmax(-1), classlabels_ints, classlabels_strings), scores


FUNCTIONS |= {
    ML + "ArrayFeatureExtractor": _feature_extractor,
    ML + "Binarizer": _binarizer,
    ML + "FeatureVectorizer": _vectorizer,
    ML + "Imputer": _imputer,
    ML + "LabelEncoder": _label_encoder,
    ML + "LinearClassifier": _classifier,
    ML + "LinearRegressor": _regressor,
    ML + "Normalizer": _normalizer,
    ML + "OneHotEncoder": _one_hot,
    ML + "Scaler": _scaler,
    ML + "ZipMap": _zip_map,
}
