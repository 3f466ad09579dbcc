"""Metrics made from a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.errors import DTypeError, a_type
from .base import EvalMetric, as_numpy, check_label_shapes, register


@register
class CustomMetric(EvalMetric):
    """The mean of a function of labels and predictions.

    Parameters
    ----------
    feval : callable
        ``feval(label, pred)`` takes NumPy arrays and returns a number, or a sum and a count.
    name : str, optional
        The name of the function by default.
    allow_extra_outputs : bool, default False
        Whether there may be more predictions than labels; the last ones are ignored.
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Raises
    ------
    DTypeError
        If `feval` is not a function.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> worst = metric.CustomMetric(lambda label, pred: abs(label - pred).max(), name="worst")
    >>> worst.update(nd.array([1, 2]), nd.array([1, 4]))
    >>> print(worst)
    EvalMetric: {'worst': 2.0}
    """

    def __init__(
        self,
        feval: Callable[..., Any],
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        if not callable(feval):
            raise DTypeError(
                f"CustomMetric: feval is {a_type(feval)}; pass a function, called as"
                " feval(label, pred)"
            )
        if name is None:
            name = getattr(feval, "__name__", type(feval).__name__)
            name = f"custom({name})" if "<" in name else name
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self._feval, self._allow_extra_outputs = feval, allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels, preds : NDArray or list of NDArray, of shape (batch, ...)

        Raises
        ------
        ArgumentError
            If there are more labels than predictions, or fewer without `allow_extra_outputs`.
        """
        if not self._allow_extra_outputs or len(labels) > len(preds):
            labels, preds = check_label_shapes(labels, preds, True)
        for label, pred in zip(labels, preds):
            found = self._feval(as_numpy(label).copy(), as_numpy(pred).copy())
            try:
                total, count = found if isinstance(found, tuple) else (found, 1)
                self._add(float(total), count)
            except (TypeError, ValueError) as error:
                raise DTypeError(
                    f"CustomMetric {self.name!r}: feval returned {a_type(found)}; return a number,"
                    f" or a sum and a count, as in `return float(x.mean())` ({error})"
                ) from error

    def get_config(self) -> dict[str, Any]:
        """Raise an error: a function cannot be serialized.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(f"{self.name}: a metric made from a function has no config")


def np(
    numpy_feval: Callable[..., Any], name: str | None = None, allow_extra_outputs: bool = False
) -> CustomMetric:
    """Create a metric from a function of NumPy arrays; also a decorator.

    Parameters
    ----------
    numpy_feval : callable
        See `CustomMetric`.
    name : str, optional
        The name of the function by default.
    allow_extra_outputs : bool, default False
        Whether there may be more predictions than labels.

    Returns
    -------
    CustomMetric

    Examples
    --------
    >>> from gluon import metric, nd
    >>> @metric.np
    ... def largest(label, pred):
    ...     return pred.max()
    >>> largest.update(nd.array([0]), nd.array([3]))
    >>> largest.get()
    ('largest', 3.0)
    """
    return CustomMetric(numpy_feval, name, allow_extra_outputs)
