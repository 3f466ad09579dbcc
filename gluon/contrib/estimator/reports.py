"""Handlers that report on training: a log and a progress bar."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ..._core.progress import bar
from ...metric import EvalMetric
from .events import BatchBegin, BatchEnd, EpochBegin, EpochEnd, TrainBegin, TrainEnd, as_metrics


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Logs metrics, times and the learning rate to the logger of the estimator.

    Parameters
    ----------
    log_interval : 'epoch' or int
        ``'epoch'`` logs after each epoch; a number also after that many batches.
    metrics : EvalMetric or list of EvalMetric, optional
        The metrics to log.
    priority : float, default infinity
        The order among handlers; see `EventHandler`.

    Raises
    ------
    ArgumentError
        If `log_interval` is neither 'epoch' nor a number.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, LoggingHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> log = LoggingHandler(log_interval=1)  # a line for each batch and epoch, at the level INFO
    >>> estimator.fit(loader, epochs=2, event_handlers=[log])
    """

    batch_index: int
    batch_start: float
    current_epoch: int
    epoch_start: float
    metrics: list[EvalMetric]
    processed_samples: Any
    train_start: float

    def __init__(
        self, log_interval: Any = "epoch", metrics: Any = None, priority: float = np.inf
    ) -> None:
        if log_interval != "epoch" and (not isinstance(log_interval, int) or log_interval < 1):
            raise ArgumentError(
                f"LoggingHandler: log_interval must be 'epoch' or a number of batches; got"
                f" {log_interval!r}"
            )
        self.metrics = as_metrics(metrics)
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.priority = priority
        self.log_interval = log_interval
        self.log_interval_time: float = 0

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the settings of training."""
        self.train_start = time.time()
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(estimator.trainer.optimizer).__name__,
            estimator.trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time = 0

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the metrics."""
        seconds = time.time() - self.train_start
        start = f"Train finished using total {int(seconds)}s with {self.current_epoch} epochs. "
        self._log(estimator, start)

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Start the timer of the batch."""
        self.batch_start = time.time()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the metrics every `log_interval` batches."""
        if self.log_interval != "epoch":
            self.processed_samples += kwargs["batch"][0].shape[0]
            self.log_interval_time += time.time() - self.batch_start
            if self.batch_index % self.log_interval == 0:
                self._log(
                    estimator,
                    f"[Epoch {self.current_epoch}][Batch {self.batch_index}]"
                    f"[Samples {self.processed_samples}]"
                    f" time/interval: {self.log_interval_time:.3f}s ",
                )
                self.log_interval_time = 0
        self.batch_index += 1

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the start of an epoch."""
        self.epoch_start = time.time()
        if any("training" in metric.name for metric in self.metrics):
            estimator.logger.info(
                "[Epoch %d] Begin, current learning rate: %.4f",
                self.current_epoch,
                estimator.trainer.learning_rate,
            )
        else:
            estimator.logger.info("Validation Begin")

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the metrics."""
        seconds = time.time() - self.epoch_start
        self._log(estimator, f"[Epoch {self.current_epoch}] Finished in {seconds:.3f}s, ")
        self.current_epoch += 1
        self.batch_index = 0

    def _log(self, estimator: Any, start: str) -> None:
        """Log `start` and the values of the metrics."""
        values = "".join(f"{name}: {value:.4f}, " for name, value in map(_get, self.metrics))
        estimator.logger.info("%s", (start + values).rstrip(", "))


def _get(metric: Any) -> tuple[str, float]:
    return metric.get()


class ProgressBarHandler(EpochBegin, BatchEnd, EpochEnd):
    """Shows a progress bar for each epoch, with tqdm if it is installed.

    ``pip install "gluon-autograd[progress]"`` installs it.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric, optional
        The metrics to show next to the bar; the training metrics of the estimator by default.
    priority : float, default infinity
        The order among handlers; see `EventHandler`.
    **kwargs
        Arguments of ``tqdm.tqdm``, such as ``file`` or ``mininterval``.

    Raises
    ------
    ArgumentError
        If an argument is not a metric.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, ProgressBarHandler
    >>> import io
    >>> out = io.StringIO()
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> estimator.fit(loader, epochs=2, event_handlers=[ProgressBarHandler(file=out)])
    >>> "2/2" in out.getvalue()
    True
    """

    current_epoch: int
    metrics: list[EvalMetric]

    def __init__(self, metrics: Any = None, priority: float = np.inf, **kwargs: Any) -> None:
        self.metrics = as_metrics(metrics)
        self.priority = priority
        self.current_epoch = 0
        self._options = kwargs

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Show a bar."""
        try:
            total = len(estimator.train_data)
        except TypeError:
            total = None
        options = {"desc": f"[Epoch {self.current_epoch}]", "unit": "batch", **self._options}
        self._bar = bar(total, **options)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the bar and show the metrics."""
        values = map(_get, self.metrics or estimator.train_metrics)
        self._bar.set_postfix({name: f"{value:.4f}" for name, value in values}, refresh=False)
        self._bar.update()

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Close the bar."""
        self._bar.close()
        self.current_epoch += 1
