"""Metrics for regression."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .base import EvalMetric, alias, as_numpy, check_label_shapes, register, widened
from .confusion import Averaged


class _Distance(EvalMetric):
    """The mean over arrays of a distance between labels and predictions."""

    def __init__(
        self,
        name: str,
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @staticmethod
    def _distance(difference: np.ndarray) -> Any:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels, preds : NDArray or list of NDArray, of shape (batch, ...)
            Of the same shape, except that (n,) and (n, 1) are alike.

        Raises
        ------
        ArgumentError
            If shapes differ.
        """
        for label, pred in self._pairs(labels, preds):
            columns = [x.reshape(-1, 1) if x.ndim == 1 else x for x in (label, pred)]
            if columns[0].shape != columns[1].shape:
                raise self._unfit(label, pred, "they must be the same")
            label, pred = (widened(x) for x in columns)
            self._add(float(self._distance(label - pred)), 1)


@register
class MAE(_Distance):
    """The mean absolute error, averaged over batches.

    Parameters
    ----------
    name : str, default 'mae'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> mae = metric.MAE()
    >>> mae.update(nd.array([2.5, 0, 2, 8]), nd.array([3, -0.5, 2, 7]))
    >>> mae.get()
    ('mae', 0.5)
    """

    def __init__(
        self,
        name: str = "mae",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _distance(difference: np.ndarray) -> Any:
        return abs(difference).mean()


@register
class MSE(_Distance):
    """The mean squared error, averaged over batches.

    Parameters
    ----------
    name : str, default 'mse'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> mse = metric.MSE()
    >>> mse.update(nd.array([2.5, 0, 2, 8]), nd.array([3, -0.5, 2, 7]))
    >>> mse.get()
    ('mse', 0.375)
    """

    def __init__(
        self,
        name: str = "mse",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _distance(difference: np.ndarray) -> Any:
        return (difference**2).mean()


@register
class RMSE(_Distance):
    """The root of the mean squared error of a batch, averaged over batches.

    Parameters
    ----------
    name : str, default 'rmse'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> rmse = metric.RMSE()
    >>> rmse.update(nd.array([1, 5]), nd.array([4, 2]))
    >>> rmse.get()
    ('rmse', 3.0)
    """

    def __init__(
        self,
        name: str = "rmse",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)

    @staticmethod
    def _distance(difference: np.ndarray) -> Any:
        return math.sqrt((difference**2).mean())


class _Moments:
    """Running means and central moments of pairs of numbers."""

    def __init__(self) -> None:
        self.count = 0
        self.means, self.moments = np.zeros(2), np.zeros((2, 2))

    def add(self, pairs: np.ndarray) -> None:
        """Take the columns of `pairs`, of shape (2, n), into account."""
        n = pairs.shape[1]
        if not n:
            return
        means = pairs.mean(axis=1)
        away, gap = pairs - means[:, None], means - self.means
        self.moments += away @ away.T + np.outer(gap, gap) * self.count * n / (self.count + n)
        self.count += n
        self.means += gap * n / self.count

    @property
    def correlation(self) -> float:
        """Return Pearson's correlation; NaN if either variable is constant."""
        (xx, xy), (_, yy) = self.moments.tolist()
        scale = math.sqrt(xx) * math.sqrt(yy)
        return xy / scale if scale else math.nan


@register
@alias("pearsonr")
class PearsonCorrelation(Averaged):
    """Pearson's correlation of labels and predictions.

    Parameters
    ----------
    name : str, default 'pearsonr'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.
    average : {'macro', 'micro'}
        The mean of the correlations of the arrays, or the correlation of all together.

    Raises
    ------
    ArgumentError
        If `average` is neither of these.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> correlation = metric.PearsonCorrelation()
    >>> correlation.update(nd.array([0, 1, 2]), nd.array([1, 3, 5]))
    >>> f"{correlation.get()[1]:.4f}"
    '1.0000'
    """

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels, preds : NDArray or list of NDArray, of shape (batch, ...)
            Of the same shape.

        Raises
        ------
        ArgumentError
            If shapes differ.
        """
        for label, pred in self._pairs(labels, preds):
            check_label_shapes(label, pred, False, True)
            pairs = np.stack([label.ravel(), pred.ravel()]).astype("float64")
            if self.average == "micro":
                self._local.add(pairs)
                self._total.add(pairs)
                self.num_inst, self.global_num_inst = self._local.count, self._total.count
                self.sum_metric = self._local.correlation * self.num_inst
                self.global_sum_metric = self._total.correlation * self.global_num_inst
            else:
                moments = _Moments()
                moments.add(pairs)
                self._add(moments.correlation, 1)

    def reset(self) -> None:
        """Reset the metric."""
        self._total = _Moments()
        super().reset()

    def reset_local(self) -> None:
        """Reset the metric, except for `get_global`."""
        self._local = _Moments()
        super().reset_local()


@register
class Loss(EvalMetric):
    """The mean of losses.

    Parameters
    ----------
    name : str, default 'loss'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> loss = metric.Loss()
    >>> loss.update(None, nd.array([1, 2]))
    >>> loss.update(None, nd.array([6]))
    >>> loss.get()
    ('loss', 3.0)
    """

    def __init__(
        self,
        name: str = "loss",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, _: Any, preds: Any) -> None:
        """Update the metric with losses.

        Parameters
        ----------
        preds : NDArray or list of NDArray
            The losses. The labels are ignored.
        """
        for one in preds if isinstance(preds, (list, tuple)) else [preds]:
            values = as_numpy(one)
            self._add(float(values.sum(dtype="float64")), values.size)


@register
class Torch(Loss):
    """`Loss` under another name.

    Parameters
    ----------
    name : str, default 'torch'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> loss = metric.Torch()
    >>> loss.update(None, nd.array([1, 3]))
    >>> loss.get_name_value()[0][0], float(loss.get()[1])
    ('torch', 2.0)
    """

    def __init__(
        self,
        name: str = "torch",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """`Loss` under another name.

    Parameters
    ----------
    name : str, default 'caffe'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> loss = metric.Caffe()
    >>> loss.update(None, nd.array([1, 3]))
    >>> loss.get_name_value()[0][0], float(loss.get()[1])
    ('caffe', 2.0)
    """

    def __init__(
        self,
        name: str = "caffe",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)
