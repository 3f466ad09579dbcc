"""`EarlyStoppingHandler`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...metric import EvalMetric
from .events import EpochEnd, TrainBegin, TrainEnd, better, checked_monitor, not_updated, worst


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Stops training when a metric has stopped improving.

    Parameters
    ----------
    monitor : EvalMetric
        One of ``estimator.train_metrics`` and ``estimator.val_metrics``.
    min_delta : float, default 0
        The smallest change that counts as an improvement.
    patience : int, default 0
        The number of epochs without improvement before stopping.
    mode : {'auto', 'min', 'max'}
        Whether smaller or larger values are better. ``auto`` chooses larger ones for metrics with
        ``acc`` or ``f1`` in their name, and warns about its choice.
    baseline : float, optional
        The initial best value.

    Raises
    ------
    ArgumentError
        If `monitor` is not a metric with a single value.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, EarlyStoppingHandler
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> stop = EarlyStoppingHandler(estimator.train_metrics[-1], 1000, mode="min")
    >>> estimator.fit(loader, epochs=10, event_handlers=[stop])
    >>> stop.stopped_epoch < 9
    True
    """

    baseline: float | None
    current_epoch: int
    min_delta: float
    monitor: EvalMetric
    monitor_op: Any
    patience: int
    stop_training: bool
    stopped_epoch: int
    wait: int

    best: float

    def __init__(
        self,
        monitor: EvalMetric,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
    ) -> None:
        self.monitor = checked_monitor(self, monitor)
        self.baseline, self.patience = baseline, patience
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.monitor_op = better(self, monitor, mode)
        self.min_delta = min_delta if self.monitor_op is np.greater else -min_delta

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the best value."""
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.best = worst(self.monitor_op) if self.baseline is None else self.baseline

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether to stop."""
        value = self.monitor.get()[1]
        if np.isnan(value):
            warnings.warn(not_updated(self.monitor), RuntimeWarning, stacklevel=2)
        elif self.monitor_op(value - self.min_delta, self.best):
            self.best = value
            self.wait = 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log that training was stopped early."""
        if self.stop_training:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHandler: early stopping due to %s not improving",
                self.stopped_epoch,
                self.monitor.get()[0],
            )
