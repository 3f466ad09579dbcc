"""Metrics of the confusion matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._core.errors import ArgumentError
from .base import EvalMetric, register


class Averaged(EvalMetric):
    """A metric averaged over the arrays (macro), or computed over all of them together (micro).

    Raises
    ------
    ArgumentError
        If `average` is neither of these.
    """

    def __init__(
        self,
        name: str,
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        average: str = "macro",
    ) -> None:
        if average not in ("macro", "micro"):
            raise ArgumentError(
                f"{type(self).__name__}: average is 'macro' or 'micro', not {average!r}"
            )
        self.average = average
        super().__init__(name, output_names, label_names, average=average, has_global_stats=True)


class _Binary(Averaged):
    """A score based on the counts of right and wrong predictions of two classes."""

    _local: np.ndarray
    _total: np.ndarray

    @staticmethod
    def _score(counts: np.ndarray) -> float:
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray with one value for each row of `preds`, or list of NDArray
            1 for the one class, another value for the other.
        preds : NDArray of shape (batch, 2) or list of NDArray
            Scores of the classes.

        Raises
        ------
        ArgumentError
            If there are more than two classes, or shapes do not fit.
        """
        counts = np.zeros(4, "int64")
        for label, pred in self._pairs(labels, preds):
            counts += self._counted(label, pred)
        if self.average == "macro":
            self._add(self._score(counts), 1)
            return
        self._local = self._local + counts
        self._total = self._total + counts
        self.num_inst, self.global_num_inst = int(self._local.sum()), int(self._total.sum())
        self.sum_metric = self._score(self._local) * self.num_inst
        self.global_sum_metric = self._score(self._total) * self.global_num_inst

    def _counted(self, label: np.ndarray, pred: np.ndarray) -> np.ndarray:
        """Return the numbers of true and false positives, false and true negatives."""
        if pred.ndim != 2 or label.size != len(pred):
            raise self._unfit(label, pred, "they need (batch,) and (batch, 2)")
        scores = pred
        label, pred = label.ravel().astype("int32"), pred.argmax(axis=1)
        if len(found := np.unique(label)) > 2:
            raise ArgumentError(
                f"{type(self).__name__}: labels {found[:5]} have more than two classes; use PCC"
            )
        if found.max(initial=0) > 1:
            raise ArgumentError(
                f"{type(self).__name__}: labels {found}; the two classes must be 0 and 1. For more"
                " classes, use Accuracy or PCC"
            )
        self._look(label, scores)
        right, true = pred == 1, label == 1
        return np.array([(a & b).sum() for a in (right, ~right) for b in (true, ~true)])

    def reset(self) -> None:
        """Reset the metric."""
        self._total = np.zeros(4, "int64")
        super().reset()

    def reset_local(self) -> None:
        """Reset the metric, except for `get_global`."""
        self._local = np.zeros(4, "int64")
        super().reset_local()


@register
class F1(_Binary):
    """F1 score of binary classification.

    This is the harmonic mean of precision and recall; 0 without true positives.

    Parameters
    ----------
    name : str, default 'f1'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.
    average : {'macro', 'micro'}
        The mean of the scores of the batches, or the score of all batches together.

    Raises
    ------
    ArgumentError
        If `average` is neither of these.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> f1 = metric.F1()
    >>> f1.update(nd.array([0, 1, 1]), nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]]))
    >>> f1.get()
    ('f1', 0.8)
    """

    def __init__(
        self,
        name: str = "f1",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    @staticmethod
    def _score(counts: np.ndarray) -> float:
        both, predicted, true, _ = counts.tolist()
        return 2 * both / (2 * both + predicted + true) if both else 0.0


@register
class MCC(_Binary):
    """Matthews correlation coefficient of binary classification, from -1 to 1.

    Parameters
    ----------
    name : str, default 'mcc'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.
    average : {'macro', 'micro'}
        The mean of the scores of the batches, or the score of all batches together.

    Raises
    ------
    ArgumentError
        If `average` is neither of these.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> mcc = metric.MCC()
    >>> mcc.update(nd.array([0, 1, 0, 1]), nd.array([[1, 0], [0, 1], [1, 0], [0, 1]]))
    >>> mcc.get()
    ('mcc', 1.0)
    """

    def __init__(
        self,
        name: str = "mcc",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    @staticmethod
    def _score(counts: np.ndarray) -> float:
        both, predicted, true, neither = counts.tolist()
        sums = (both + predicted, both + true, neither + predicted, neither + true)
        scale = math.prod(one for one in sums if one)  # if the sum is 0, the numerator is 0 too
        return (both * neither - predicted * true) / math.sqrt(scale)


@register
class PCC(EvalMetric):
    """Matthews correlation coefficient for any number of classes, over all batches.

    Parameters
    ----------
    name : str, default 'pcc'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.
    has_global_stats : bool, default True
        Whether `get_global` counts from `reset`.

    Attributes
    ----------
    k : int
        The number of classes so far.
    lcm, gcm : numpy.ndarray of shape (k, k)
        The confusion matrices since `reset_local` and since `reset`: predicted classes in rows,
        true classes in columns.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> pcc = metric.PCC()
    >>> pcc.update(nd.array([0, 1, 2]), nd.array([0, 1, 2]))
    >>> pcc.get()
    ('pcc', 1.0)
    """

    lcm: np.ndarray
    gcm: np.ndarray

    def __init__(
        self,
        name: str = "pcc",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
        has_global_stats: bool = True,
    ) -> None:
        self.k = 2
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray or list of NDArray
            Class indices.
        preds : NDArray or list of NDArray
            Class indices in the shape of `labels`, or scores with the classes along axis 1.

        Raises
        ------
        ArgumentError
            If shapes do not fit, or a class is below 0.
        """
        for label, pred in self._pairs(labels, preds):
            self._look(label, pred)
            chosen = pred if pred.shape == label.shape or pred.ndim < 2 else pred.argmax(axis=1)
            if chosen.size != label.size:
                raise self._unfit(label, pred, "give one label for each prediction")
            true, chosen = (x.astype("int64").ravel() for x in (label, chosen))
            least, most = (f(np.append(true, chosen), initial=0) for f in (np.min, np.max))
            if least < 0:
                raise ArgumentError(f"PCC: classes must be 0 or more, got {least}")
            self._grow(int(most) + 1)
            counts = np.bincount(chosen * self.k + true, minlength=self.k**2)
            self.lcm += counts.reshape(self.k, self.k)
            self.gcm += counts.reshape(self.k, self.k)
        self.num_inst += 1
        self.global_num_inst += 1

    def _grow(self, k: int) -> None:
        """Make room for `k` classes."""
        more = k - self.k
        if more > 0:
            self.lcm, self.gcm = (np.pad(x, ((0, more), (0, more))) for x in (self.lcm, self.gcm))
            self.k = k

    @property
    def sum_metric(self) -> float:
        """The correlation since `reset_local`, times the number of batches."""
        return _correlation(self.lcm) * self.num_inst

    @property
    def global_sum_metric(self) -> float:
        """The correlation since `reset`, times the number of batches."""
        return _correlation(self.gcm) * self.global_num_inst

    def reset(self) -> None:
        """Reset the metric."""
        self.global_num_inst = 0
        self.gcm = np.zeros((self.k, self.k), "int64")
        self.reset_local()

    def reset_local(self) -> None:
        """Reset the metric, except for `get_global`."""
        self.num_inst = 0
        self.lcm = np.zeros((self.k, self.k), "int64")


def _correlation(counts: np.ndarray) -> float:
    """Return the correlation of the class indicators; NaN if only one class occurs."""
    counts = counts.astype("float64")
    n, predicted, true = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    spread = math.sqrt((predicted * (n - predicted)).sum() * (true * (n - true)).sum())
    together = (counts.diagonal() * n - predicted * true).sum()
    return float(together / spread) if spread else math.nan
