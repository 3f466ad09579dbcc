"""Composite metrics, and metrics by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.errors import ArgumentError, DTypeError
from .._core.hints.lookup import hinted
from ..nd import NDArray
from .base import REGISTRY, EvalMetric, alias, register
from .custom import CustomMetric


def create(metric: Any, *args: Any, **kwargs: Any) -> EvalMetric:
    """Create a metric from a name, a function or a metric.

    Parameters
    ----------
    metric : str, callable, EvalMetric, dict or list
        A name; a function ``f(label, pred)`` as for `CustomMetric`; the result of
        `EvalMetric.get_config`, or its JSON; or a list of these for a `CompositeEvalMetric`.
    *args, **kwargs
        Arguments of the metric, or of each in a list.

    Returns
    -------
    EvalMetric

    Raises
    ------
    ArgumentError
        If no metric has that name.
    DTypeError
        If `metric` is not one of these.

    Examples
    --------
    >>> from gluon import metric
    >>> print(metric.create(["acc", metric.TopKAccuracy(5)]))
    EvalMetric: {'accuracy': nan, 'top_k_accuracy_5': nan}
    """
    if isinstance(metric, (list, tuple)):
        return CompositeEvalMetric([create(one, *args, **kwargs) for one in metric])
    if callable(metric) and not isinstance(metric, (type, EvalMetric)):
        return CustomMetric(metric, *args, **kwargs)
    return REGISTRY.create(metric, *args, **kwargs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Combines several metrics.

    Parameters
    ----------
    metrics : list, optional
        Metrics, or arguments for `create`.
    name : str, default 'composite'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Raises
    ------
    DTypeError
        If `metrics` is a single metric.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> both = metric.CompositeEvalMetric(["acc", "f1"])
    >>> both.update(nd.array([0, 1, 1]), nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]]))
    >>> [f"{name} {value:.3f}" for name, value in both.get_name_value()]
    ['accuracy 0.667', 'f1 0.800']
    """

    def __init__(
        self,
        metrics: list[Any] | None = None,
        name: str = "composite",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        if isinstance(metrics, (EvalMetric, str)):
            raise DTypeError(
                f"CompositeEvalMetric: metrics is a list of metrics; give [{metrics!r}]"
            )
        self.metrics: list[EvalMetric] = [create(one) for one in metrics or ()]
        super().__init__(name, output_names, label_names)

    @hinted
    def add(self, metric: Any) -> None:
        """Add a metric, or the argument for `create`.

        Parameters
        ----------
        metric : EvalMetric, str or callable

        Examples
        --------
        >>> from gluon import metric
        >>> several = metric.CompositeEvalMetric()
        >>> several.add("acc")
        >>> several.add(metric.F1())
        >>> [type(one).__name__ for one in several.metrics]
        ['Accuracy', 'F1']
        """
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> EvalMetric:
        """The metric at an index.

        Parameters
        ----------
        index : int

        Returns
        -------
        EvalMetric

        Raises
        ------
        ArgumentError
            If the index is out of range.

        Examples
        --------
        >>> from gluon import metric
        >>> metric.CompositeEvalMetric(["acc", "f1"]).get_metric(1).name
        'f1'
        """
        if not -len(self.metrics) <= index < len(self.metrics):
            raise ArgumentError(f"metric {index} is out of range for {len(self.metrics)} metrics")
        return self.metrics[index]

    def update(self, labels: Any, preds: Any) -> None:
        """Update every metric with a batch."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def update_dict(self, labels: dict[str, NDArray], preds: dict[str, NDArray]) -> None:
        """Update every metric with a batch of named arrays."""
        for metric in self.metrics:
            metric.update_dict(_kept(labels, self.label_names), _kept(preds, self.output_names))

    def reset(self) -> None:
        """Reset every metric."""
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        """Reset every metric, except for `get_global`."""
        for metric in self.metrics:
            metric.reset_local()

    def get(self) -> tuple[list[str], list[float]]:
        """The names and the values of all metrics."""
        return self._gathered(lambda metric: metric.get_name_value())

    def get_global(self) -> tuple[list[str], list[float]]:
        """The names and the values since `reset`."""
        return self._gathered(lambda metric: metric.get_global_name_value())

    def _gathered(self, read: Callable) -> tuple[list[str], list[float]]:
        pairs = [pair for metric in self.metrics for pair in read(metric)]
        return [name for name, _ in pairs], [value for _, value in pairs]

    def get_config(self) -> dict[str, Any]:
        """The settings, those of the metrics under ``metrics``."""
        return {**super().get_config(), "metrics": [one.get_config() for one in self.metrics]}


def _kept(arrays: dict[str, NDArray], names: list[str] | None) -> dict[str, NDArray]:
    return arrays if names is None else {n: x for n, x in arrays.items() if n in names}
