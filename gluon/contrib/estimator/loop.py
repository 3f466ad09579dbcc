"""The handlers that every training needs; the estimator adds missing ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...metric import EvalMetric, Loss
from .events import BatchEnd, EpochBegin, EpochEnd, TrainBegin, as_metrics


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Stops training after the number of epochs or batches given to `Estimator.fit`.

    Parameters
    ----------
    max_epoch, max_batch : int, optional
        The initial limits; `train_begin` replaces them by those of the estimator.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, StoppingHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> estimator.fit(loader, epochs=2, event_handlers=[StoppingHandler(max_epoch=9)])
    >>> estimator.max_epoch
    2
    """

    current_batch: int
    current_epoch: int
    max_batch: Any
    max_epoch: Any
    stop_training: bool

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None) -> None:
        self.max_epoch, self.max_batch = max_epoch, max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Set the limits to those of the estimator, and reset the counters."""
        self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training = False

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether that was the last batch."""
        self.current_batch += 1
        self.stop_training |= self.current_batch == self.max_batch
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether that was the last epoch."""
        self.current_epoch += 1
        self.stop_training |= self.current_epoch == self.max_epoch
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """Resets metrics before an epoch and updates them after each batch.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric
        A `metric.Loss` gets the losses, any other the labels and predictions.
    priority : float, default -1000
        The order among handlers; see `EventHandler`.

    Raises
    ------
    ArgumentError
        If an argument is not a metric.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, metric, nd, nn
    >>> from gluon.contrib.estimator import Estimator, MetricHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> trainer = Trainer(net.collect_params(), "sgd")
    >>> estimator = Estimator(net, loss.L2Loss(), train_metrics=metric.MAE(), trainer=trainer)
    >>> estimator.logger.setLevel("ERROR")
    >>> error = estimator.train_metrics[0]
    >>> estimator.fit(loader, epochs=2, event_handlers=[MetricHandler(error)])
    >>> error.num_inst
    2
    """

    metrics: list[EvalMetric]

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics = as_metrics(metrics)
        self.priority = priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the metrics."""
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the metrics."""
        for metric in self.metrics:
            if isinstance(metric, Loss):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Evaluates the network at intervals of epochs or batches.

    Parameters
    ----------
    val_data : DataLoader
    eval_fn : callable
        ``eval_fn(val_data=, batch_axis=, event_handlers=)``, such as `Estimator.evaluate`.
    epoch_period : int or None, default 1
        Evaluate every this many epochs.
    batch_period : int, optional
        Evaluate every this many batches.
    priority : float, default -1000
        The order among handlers; see `EventHandler`.
    event_handlers : EventHandler or list of EventHandler, optional
        Handlers to pass to `eval_fn`.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, ValidationHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> check = ValidationHandler(loader, estimator.evaluate, epoch_period=2)
    >>> estimator.fit(loader, epochs=2, event_handlers=[check])
    >>> estimator.val_metrics[0].num_inst
    2
    """

    batch_period: int | None
    current_batch: int
    current_epoch: int
    epoch_period: int | None
    eval_fn: Any
    val_data: Any

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ) -> None:
        self.val_data, self.eval_fn = val_data, eval_fn
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.current_batch = self.current_epoch = 0
        self.priority = priority
        self.event_handlers = event_handlers

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the counters."""
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluate if a validation is due."""
        self.current_batch += 1
        self._evaluate(estimator, self.current_batch, self.batch_period)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Evaluate if a validation is due."""
        self.current_epoch += 1
        self._evaluate(estimator, self.current_epoch, self.epoch_period)

    def _evaluate(self, estimator: Any, count: int, period: int | None) -> None:
        if period and count % period == 0:
            self.eval_fn(
                val_data=self.val_data,
                batch_axis=estimator.batch_axis,
                event_handlers=self.event_handlers,
            )


class GradientUpdateHandler(BatchEnd):
    """Calls the trainer's `step` after each batch.

    Parameters
    ----------
    priority : float, default -2000
        The order among handlers; see `EventHandler`.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, GradientUpdateHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> _ = net(x)
    >>> before = net.weight.data().asscalar()
    >>> estimator.fit(loader, epochs=2, event_handlers=[GradientUpdateHandler()])
    >>> bool(net.weight.data().asscalar() != before)
    True
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Call `Trainer.step`; the batch size is the length of the losses."""
        loss = kwargs["loss"]
        losses = loss if isinstance(loss, (list, tuple)) else [loss]
        estimator.trainer.step(sum(one.shape[0] for one in losses))
