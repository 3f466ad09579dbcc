"""The events of training, and base classes of their handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError, warn_caller
from ..._core.hints.called import Called
from ...metric import CompositeEvalMetric, EvalMetric


class EventHandler(Called):
    """Base of all event handlers.

    A handler derives from `TrainBegin`, `TrainEnd`, `EpochBegin`, `EpochEnd`, `BatchBegin` and
    `BatchEnd`, as needed. At each event, handlers are called in the order of their attribute
    ``priority``, the lowest number first; it is 0 by default.

    Examples
    --------
    Print the events of a training with one epoch of two batches:

    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import BatchEnd, EpochEnd, Estimator, TrainBegin
    >>> class Say(TrainBegin, BatchEnd, EpochEnd):
    ...     priority = 10
    ...     def train_begin(self, estimator, *args, **kwargs):
    ...         print("training begins")
    ...     def batch_end(self, estimator, *args, **kwargs):
    ...         print("a batch of", len(kwargs["batch"][0]), "is over")
    ...     def epoch_end(self, estimator, *args, **kwargs):
    ...         print("an epoch is over")
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> examples = data.ArrayDataset(nd.ones((6, 2)), nd.ones((6, 1)))
    >>> estimator.fit(data.DataLoader(examples, batch_size=3), epochs=1, event_handlers=[Say()])
    training begins
    a batch of 3 is over
    a batch of 3 is over
    an epoch is over
    """


class TrainBegin(EventHandler):
    """A handler that is called before training.

    Examples
    --------
    >>> from gluon.contrib.estimator import TrainBegin
    >>> class Say(TrainBegin):
    ...     def train_begin(self, estimator, *args, **kwargs):
    ...         print("training begins")
    """

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Called before the first epoch.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.
        """


class TrainEnd(EventHandler):
    """A handler that is called after training.

    Examples
    --------
    >>> from gluon.contrib.estimator import TrainEnd
    >>> class Say(TrainEnd):
    ...     def train_end(self, estimator, *args, **kwargs):
    ...         print("training ends")
    """

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Called after the last epoch.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.
        """


class EpochBegin(EventHandler):
    """A handler that is called before each epoch.

    Examples
    --------
    >>> from gluon.contrib.estimator import EpochBegin
    >>> class Say(EpochBegin):
    ...     def epoch_begin(self, estimator, *args, **kwargs):
    ...         print("an epoch begins")
    """

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Called before the first batch of an epoch.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.
        """


class EpochEnd(EventHandler):
    """A handler that is called after each epoch.

    Examples
    --------
    >>> from gluon.contrib.estimator import EpochEnd
    >>> class Say(EpochEnd):
    ...     def epoch_end(self, estimator, *args, **kwargs):
    ...         print("an epoch ends")
    """

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called after the last batch of an epoch; training stops if it returns True.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.

        Returns
        -------
        bool or None
        """
        return False


class BatchBegin(EventHandler):
    """A handler that is called before each batch.

    Examples
    --------
    >>> from gluon.contrib.estimator import BatchBegin
    >>> class Say(BatchBegin):
    ...     def batch_begin(self, estimator, *args, **kwargs):
    ...         print("a batch")
    """

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Called before a batch, which is ``kwargs['batch']``.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.
        """


class BatchEnd(EventHandler):
    """A handler that is called after each batch.

    Examples
    --------
    >>> from gluon import nd
    >>> from gluon.contrib.estimator import BatchEnd
    >>> class StopAtNaN(BatchEnd):
    ...     def batch_end(self, estimator, *args, loss, **kwargs):
    ...         return any(nd.contrib.isnan(part).max() == 1 for part in loss)
    >>> StopAtNaN().batch_end(None, loss=[nd.array([1.0, float("nan")])])
    True
    """

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Called after a batch, with ``batch``, ``pred``, ``label`` and ``loss`` in `kwargs`.

        The last three are lists with one array for each context. Returning True ends the epoch,
        and training too if the handler returns True at the end of the epoch.

        Parameters
        ----------
        estimator : Estimator
        *args, **kwargs
            Further arguments of the `Estimator`.

        Returns
        -------
        bool or None
        """
        return False


def as_handlers(handlers: Any) -> list[EventHandler]:
    """A new list of the handlers given: one, several or None."""
    found = list(handlers or []) if isinstance(handlers, (list, tuple, type(None))) else [handlers]
    for one in found:
        if not isinstance(one, EventHandler):
            raise ArgumentError(
                "event_handlers must be instances of event classes, such as TrainBegin and"
                " BatchEnd; got"
                f" {one!r}"
            )
    return found


def as_metrics(metrics: Any) -> list[EvalMetric]:
    """A list of metrics from one, several or None; composite metrics are split."""
    if isinstance(metrics, CompositeEvalMetric):
        return [one for metric in metrics.metrics for one in as_metrics(metric)]
    found = [metrics] if isinstance(metrics, EvalMetric) else metrics or []
    for one in found:
        if not isinstance(one, EvalMetric):
            raise ArgumentError(f"metrics must be an EvalMetric or a list of them; got {one!r}")
    return found


def checked_monitor(handler: Any, monitor: Any) -> EvalMetric:
    """`monitor` if it is a metric with one value."""
    if isinstance(monitor, EvalMetric) and not isinstance(monitor, CompositeEvalMetric):
        return monitor
    raise ArgumentError(
        f"{type(handler).__name__}: monitor must be one of estimator.train_metrics and"
        f" estimator.val_metrics, with a single value; got {monitor!r}"
    )


def better(handler: Any, monitor: EvalMetric, mode: str) -> Callable[..., Any]:
    """The comparison of values of `monitor`: ``numpy.less`` or ``numpy.greater``."""
    if mode not in ("auto", "min", "max"):
        warn_caller(
            f"{type(handler).__name__}: mode must be 'auto', 'min' or 'max', not {mode!r}; it is"
            " taken as 'auto'",
            RuntimeWarning,
        )
        mode = "auto"
    if mode != "auto":
        return np.less if mode == "min" else np.greater
    name = str(monitor.get()[0])
    rises = any(word in name.lower() for word in ("acc", "f1"))
    warn_caller(
        f"{type(handler).__name__}: assuming that {name!r} improves when it"
        f" {'rises' if rises else 'falls'}; pass mode='max' or mode='min' to choose"
    )
    return np.greater if rises else np.less


def worst(operator: Callable[..., Any]) -> float:
    """The worst value."""
    return np.inf if operator is np.less else -np.inf


def not_updated(monitor: EvalMetric) -> str:
    """The warning for a metric without a value."""
    return (
        f"{monitor.get()[0]!r} has no value yet; monitor one of estimator.train_metrics and"
        " estimator.val_metrics, which are updated"
    )
