"""Metrics for classification."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.arrays.laxness import lax
from .._core.errors import ArgumentError, IndexRangeError, warn_caller
from .._core.kernels.indexing import outside
from .base import EvalMetric, alias, mean, register, widened


@register
@alias("acc")
class Accuracy(EvalMetric):
    """The fraction of correct predictions.

    Parameters
    ----------
    axis : int, default 1
        The axis of the classes, for predictions that are scores.
    name : str, default 'accuracy'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> accuracy = metric.Accuracy()
    >>> accuracy.update(nd.array([0, 1, 1, 1]), nd.array([[0.3, 0.7], [0, 1], [1, 0], [2, 3]]))
    >>> accuracy.get()
    ('accuracy', 0.5)
    """

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray or list of NDArray
            Class indices.
        preds : NDArray or list of NDArray
            Class indices in the shape of `labels`, or scores with one more axis.

        Raises
        ------
        ArgumentError
            If the numbers of predictions and labels differ.
        """
        for label, pred in self._pairs(labels, preds):
            self._look(label, pred, self.axis)
            if pred.shape != label.shape:
                if not -pred.ndim <= self.axis < pred.ndim:
                    raise self._unfit(
                        label,
                        pred,
                        f"axis {self.axis} of the predictions must be that of the classes, and the"
                        " labels come first, as in update(labels, preds)",
                    )
                chosen = pred.argmax(axis=self.axis)
            else:
                chosen = pred
            chosen, wanted = (x.astype("int32").ravel() for x in (chosen, label))
            if chosen.size != wanted.size:
                raise self._unfit(label, pred, "give one label for each prediction")
            self._add(int((chosen == wanted).sum()), wanted.size)


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """The fraction of samples whose class is among the `top_k` highest scores.

    Parameters
    ----------
    top_k : int, default 1
        At least 2.
    name : str, default 'top_k_accuracy'
        ``_`` and `top_k` are appended to it.
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Raises
    ------
    ArgumentError
        If `top_k` is below 2.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> accuracy = metric.TopKAccuracy(top_k=2)
    >>> accuracy.update(nd.array([0, 2]), nd.array([[0.3, 0.6, 0.1], [0.3, 0.6, 0.1]]))
    >>> accuracy.get()
    ('top_k_accuracy_2', 0.5)
    """

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        if top_k < 2:
            raise ArgumentError(
                f"TopKAccuracy: top_k must be at least 2, got {top_k}; use Accuracy for 1"
            )
        name = f"{name}_{top_k}"
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k

    def get_config(self) -> dict[str, Any]:
        """The settings; `name` without the appended number."""
        return {**super().get_config(), "name": self.name.removesuffix(f"_{self.top_k}")}

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray of shape (batch,) or list of NDArray
            Class indices.
        preds : NDArray of shape (batch, classes) or list of NDArray
            Scores; the order of equal scores is undefined.

        Raises
        ------
        ArgumentError
            If shapes do not fit, or there are fewer than `top_k` classes.
        """
        for label, pred in self._pairs(labels, preds):
            if pred.ndim != 2 or label.size != len(pred) or pred.shape[1] < self.top_k:
                raise self._unfit(
                    label, pred, f"they need (batch,) and (batch, classes), classes >= {self.top_k}"
                )
            self._look(label, pred)
            highest = pred.astype("float32").argpartition(-self.top_k)[:, -self.top_k :]
            found = highest == label.astype("int32").reshape(-1, 1)
            self._add(int(found.any(axis=1).sum()), label.size)


class _Likelihood(EvalMetric):
    """Base of metrics of the negative log-likelihood of the right class."""

    def __init__(
        self,
        eps: float,
        name: str,
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray with one value for each row of `preds`, or list of NDArray
            Class indices.
        preds : NDArray of shape (batch, classes) or list of NDArray
            Probabilities.

        Raises
        ------
        ArgumentError
            If shapes do not fit.
        IndexRangeError
            If a label is not a class.
        """
        for label, pred in self._pairs(labels, preds):
            if pred.ndim != 2 or label.size != len(pred):
                raise self._unfit(label, pred, "they need (batch,) and (batch, classes)")
            chosen = _picked(self, label.ravel(), pred)
            _warn_of_scores(self, chosen)
            self._add(float(-np.log(chosen + self.eps).sum()), label.size)


def _warn_of_scores(metric: EvalMetric, chosen: np.ndarray) -> None:
    """Warn unless the predictions of the labels are probabilities."""
    if ((chosen < -1e-3) | (chosen > 1.001)).any():
        value = chosen.min() if chosen.min() < 0 else chosen.max()
        warn_caller(
            f"{type(metric).__name__}: the prediction {value:.4g} is no probability; give"
            " nd.softmax(pred)"
        )


def _picked(
    metric: EvalMetric, label: np.ndarray, pred: np.ndarray, clips: bool = False
) -> np.ndarray:
    """Return the probability of the class `label` in each row of `pred`.

    Where layers and losses clip labels, so does a metric that `clips`; in others labels below 0
    count from the last class.
    """
    places = label.astype("int64")
    first = 0
    if lax.clip_indices and clips:
        places = places.clip(0, pred.shape[1] - 1)
    elif lax.clip_indices:
        first = -pred.shape[1]
    if places.size and not (places.min() >= first and places.max() < pred.shape[1]):
        wrong, last = outside(places, pred.shape[1], first), pred.shape[1] - 1
        raise IndexRangeError(
            f"{type(metric).__name__}: label {wrong} is out of range for {last + 1} classes"
            f" ({first} to {last})" + "; give the scores of each class" * (last == 0)
        )
    return widened(pred[np.arange(len(pred)), places])


@register
@alias("ce")
class CrossEntropy(_Likelihood):
    """The mean negative log-probability of the correct class.

    Parameters
    ----------
    eps : float, default 1e-12
        Added to probabilities.
    name : str, default 'cross-entropy'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> entropy = metric.CrossEntropy()
    >>> entropy.update(nd.array([0, 1]), nd.array([[0.5, 0.5], [0, 1]]))
    >>> f"{entropy.get()[1]:.4f}"
    '0.3466'
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
@alias("nll_loss")
class NegativeLogLikelihood(_Likelihood):
    """The same as `CrossEntropy`, under another name.

    Parameters
    ----------
    eps : float, default 1e-12
        Added to probabilities.
    name : str, default 'nll-loss'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> loss = metric.NegativeLogLikelihood()
    >>> loss.update(nd.array([0, 1]), nd.array([[0.5, 0.5], [0.75, 0.25]]))
    >>> name, value = loss.get()
    >>> name, round(float(value), 4)
    ('nll-loss', 1.0397)
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
class Perplexity(EvalMetric):
    """The exponential of the mean negative log-probability of the correct class.

    Parameters
    ----------
    ignore_label : int or None
        A label to ignore, such as the label of padding.
    axis : int, default -1
        The axis of the classes.
    name : str, default 'perplexity'
    output_names, label_names : list of str, optional
        Which predictions and labels `update_dict` uses; all by default.

    Examples
    --------
    >>> from gluon import metric, nd
    >>> perplexity = metric.Perplexity(ignore_label=-1)
    >>> perplexity.update(nd.array([0, 1, -1]), nd.array([[0.5, 0.5], [0.5, 0.5], [0, 1]]))
    >>> f"{perplexity.get()[1]:.4f}"
    '2.0000'
    """

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: list[str] | None = None,
        label_names: list[str] | None = None,
    ) -> None:
        settings = {"ignore_label": ignore_label, "axis": axis, "has_global_stats": True}
        super().__init__(name, output_names, label_names, **settings)
        self.ignore_label, self.axis = ignore_label, axis

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch.

        Parameters
        ----------
        labels : NDArray with one value for each distribution, or list of NDArray
            Class indices.
        preds : NDArray of shape (..., classes), or as `axis` says, or list of NDArray
            Probabilities; those below 1e-10 are set to that.

        Raises
        ------
        ArgumentError
            If shapes do not fit.
        IndexRangeError
            If a label that is not ignored is not a class index.
        """
        labels, preds = (x if isinstance(x, (list, tuple)) else [x] for x in (labels, preds))
        for label, pred in self._pairs(labels, preds):
            if label.size * pred.shape[self.axis] != pred.size:
                raise self._unfit(label, pred, "give one label for each distribution")
            pred = np.moveaxis(pred, self.axis, -1).reshape(label.size, -1)
            label = label.ravel()
            if self.ignore_label is not None:
                counts = label != self.ignore_label
                label, pred = label[counts], pred[counts]
            chosen = _picked(self, label, pred, clips=True)
            _warn_of_scores(self, chosen)
            chosen = np.maximum(chosen, 1e-10)
            self._add(float(-np.log(chosen).sum()), label.size)

    def get(self) -> tuple[str, float]:
        """The name and the value since `reset` or `reset_local`."""
        return self.name, float(np.exp(mean(self.sum_metric, self.num_inst)))

    def get_global(self) -> tuple[str, float]:
        """The name and the value since `reset`."""
        return self.name, float(np.exp(mean(self.global_sum_metric, self.global_num_inst)))
