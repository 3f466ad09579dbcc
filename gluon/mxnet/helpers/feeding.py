"""``mxnet.io.utils`` and ``mxnet.gluon.contrib.estimator``: normalize arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import metric, nd
from ..._core.errors import ArgumentError, DTypeError, a_type
from ...contrib.estimator import event_handler
from ...loss import SoftmaxCrossEntropyLoss
from ...nd import NDArray
from .errors import CheckError, of_other_type


def _init_data(data: Any, allow_empty: bool, default_name: str) -> list[tuple[str, NDArray]]:
    """Return named arrays, sorted by name; `default_name` names those without."""
    if data is None:
        if not allow_empty:
            raise CheckError("the data is None; give an array, a list or a dictionary")
        data = []
    if isinstance(data, (np.ndarray, NDArray)):
        data = [data]
    if isinstance(data, list):
        if not data and not allow_empty:
            raise CheckError("the list of arrays is empty")
        alone = len(data) == 1
        data = {default_name if alone else f"_{i}_{default_name}": x for i, x in enumerate(data)}
    if not isinstance(data, dict):
        raise of_other_type("the data", data, "arrays, a list or a dictionary")
    found = {}
    for name, one in data.items():
        try:
            found[name] = one if isinstance(one, NDArray) else nd.array(one)
        except (TypeError, ValueError) as error:
            raise DTypeError(f"{name!r} is {a_type(one)}, not an array") from error
    return sorted(found.items())


def _has_instance(data: Sequence[tuple[str, Any]], dtype: Any) -> bool:
    """Whether one of the arrays is an instance of a class."""
    return any(isinstance(one, dtype) for _, one in data)


def _getdata_by_idx(data: Sequence[tuple[str, NDArray]], idx: Any) -> list[tuple[str, NDArray]]:
    """Return the samples with these indices."""
    return [(name, nd.array(one.asnumpy()[idx], one.context)) for name, one in data]


def _slice_along_batch_axis(data: NDArray, s: slice, batch_axis: int) -> NDArray:
    """Return a slice of the samples."""
    return nd.slice_axis(data, axis=batch_axis, begin=s.start, end=s.stop)


def _check_metrics(metrics: Any) -> list:
    """Return metrics as a list, with the parts of composite ones."""
    if isinstance(metrics, metric.CompositeEvalMetric):
        return [one for inside in metrics.metrics for one in _check_metrics(inside)]
    found = [metrics] if isinstance(metrics, metric.EvalMetric) else metrics or []
    for one in found:
        if not isinstance(one, metric.EvalMetric):
            raise ArgumentError(f"a metric is {a_type(one)}; give an EvalMetric")
    return found


def _check_metric_known(handler: Any, metric: Any, known_metrics: Any) -> None:
    """Raise ValueError if a handler refers to a metric that the estimator lacks."""
    if metric not in known_metrics:
        raise ArgumentError(
            f"{type(handler).__name__} refers to the metric {metric}, which the"
            " estimator does not have; take those of its train_metrics and val_metrics"
        )


def _check_handler_metric_ref(handler: Any, known_metrics: Any) -> None:
    """Raise ValueError if a handler refers to a metric that the estimator lacks."""
    for name in dir(handler):
        if "metric" in name and (found := getattr(handler, name)):
            for one in found if isinstance(found, list) else [found]:
                _check_metric_known(handler, one, known_metrics)


def _suggest_metric_for_loss(loss: Any) -> metric.Accuracy | None:
    """Return the metric for a loss, or None."""
    return metric.Accuracy() if isinstance(loss, SoftmaxCrossEntropyLoss) else None


def _check_event_handlers(handlers: Any) -> list:
    """Return event handlers as a list."""
    found = [handlers] if isinstance(handlers, event_handler.EventHandler) else handlers or []
    for one in found:
        if not isinstance(one, event_handler.EventHandler):
            raise ArgumentError(f"a handler is {a_type(one)}; give an EventHandler")
    return found
