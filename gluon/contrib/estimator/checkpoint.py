"""`CheckpointHandler`: saves a network during training, and resumes."""

from __future__ import annotations

import os
import re
import warnings
from typing import Any

import numpy as np

from ..._core.errors import ArgumentError
from ...metric import EvalMetric
from ...optimizer.states import loads
from .events import BatchEnd, EpochEnd, TrainBegin, better, checked_monitor, not_updated, worst


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """Saves parameters and the trainer's states at intervals of epochs or batches.

    A checkpoint is ``<prefix>-epoch<n>batch<m>.params`` and the same with ``.states``; the best
    one is ``<prefix>-best``. No file with a symbol is written.

    Parameters
    ----------
    model_dir : str
        The folder of the files; it is created if needed.
    model_prefix : str, default 'model'
    monitor : EvalMetric, optional
        The metric for `save_best`: one of ``estimator.train_metrics`` and
        ``estimator.val_metrics``.
    verbose : int, default 0
        1 to log when something is saved.
    save_best : bool, default False
        Also keep the checkpoint with the best value of `monitor`.
    mode : {'auto', 'min', 'max'}
        Whether smaller or larger values are better. ``auto`` chooses larger ones for metrics with
        ``acc`` or ``f1`` in their name, and warns about its choice.
    epoch_period : int or None, default 1
        Save every this many epochs.
    batch_period : int, optional
        Save every this many batches.
    max_checkpoints : int, default 5
        How many checkpoints to keep; the oldest are removed, but never the best one.
    resume_from_checkpoint : bool, default False
        Load the last checkpoint in `model_dir`, and train for the remaining epochs or batches.
        Only the period in the same unit may be given.

    Raises
    ------
    ArgumentError
        If `save_best` is True without a metric with a single value.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator, CheckpointHandler
    >>> import os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> x = nd.array([[0], [1]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x), batch_size=1)
    >>> net = nn.Dense(1)
    >>> net.initialize()
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=Trainer(net.collect_params(), "sgd"))
    >>> estimator.logger.setLevel("ERROR")
    >>> estimator.fit(loader, epochs=2, event_handlers=[CheckpointHandler(folder)])
    >>> sorted(os.listdir(folder))[:2]
    ['model-epoch0batch2.params', 'model-epoch0batch2.states']
    """

    batch_period: int | None
    current_batch: int
    current_epoch: int
    epoch_period: int | None
    model_dir: str
    model_prefix: str
    monitor_op: Any
    save_best: bool
    trained_batch: int
    trained_epoch: int
    verbose: int

    best: float

    def __init__(
        self,
        model_dir: str,
        model_prefix: str = "model",
        monitor: EvalMetric | None = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        self.monitor: Any = monitor
        self.verbose, self.save_best = verbose, save_best
        self.model_dir, self.model_prefix = model_dir, model_prefix
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.current_batch = self.current_epoch = 0
        self.max_checkpoints = max_checkpoints
        self.resume_from_checkpoint = resume_from_checkpoint
        self.saved_checkpoints: list[str] = []
        if save_best:
            self.monitor_op = better(self, checked_monitor(self, monitor), mode)
            self.best = worst(self.monitor_op)
        os.makedirs(model_dir, exist_ok=True)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the counters, and load the last checkpoint to resume training.

        Raises
        ------
        ArgumentError
            If training cannot be resumed: the period is in the other unit, nothing is left to
            train, or files are missing or have other names.
        """
        self.current_epoch = self.current_batch = 0
        if self.save_best:
            self.best = worst(self.monitor_op)
        if self.resume_from_checkpoint:
            self._check_periods(estimator)
            self._resume_from_checkpoint(estimator)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save if a checkpoint is due."""
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save_checkpoint(estimator)
        self.current_batch += 1

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save if a checkpoint is due."""
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save_checkpoint(estimator)
        self.current_epoch += 1

    # ------------------------------------------------------------------------------- saving

    def _save_checkpoint(self, estimator: Any) -> None:
        epoch, batch = self.current_epoch, self.current_batch
        if self.resume_from_checkpoint:
            epoch += self.trained_epoch + 1
            # At the end of an epoch, the current batch is already the next one.
            batch += self.trained_batch + (0 if estimator.max_epoch else 1)
        prefix = f"{self.model_prefix}-epoch{epoch}batch{batch}"
        self._save_params_and_trainer(estimator, prefix)
        self._log(
            estimator,
            f"trained total {self.current_batch + 1} batches, saving model at {self.model_dir}"
            f" with prefix: {prefix}",
        )
        if self.save_best:
            self._save_best(estimator)

    def _save_best(self, estimator: Any) -> None:
        name, value = self.monitor.get()
        if np.isnan(value):
            warnings.warn(
                f"the best model is not saved: {not_updated(self.monitor)}",
                RuntimeWarning,
                stacklevel=4,
            )
        elif self.monitor_op(value, self.best):
            prefix = f"{self.model_prefix}-best"
            self._save_params_and_trainer(estimator, prefix)
            self._log(
                estimator,
                f"{name} improved from {self.best:0.5f} to {value:0.5f}, updating best model at"
                f" {self.model_dir} with prefix: {prefix}",
            )
            self.best = value
        else:
            self._log(
                estimator,
                f"{name} did not improve from {self.best:0.5f}, skipping updating best model",
            )

    def _log(self, estimator: Any, message: str) -> None:
        if self.verbose > 0:
            estimator.logger.info("[Epoch %d] CheckpointHandler: %s", self.current_epoch, message)

    def _files(self, prefix: str) -> tuple[str, str]:
        """Return the paths of a checkpoint's parameters and states."""
        path = os.path.join(self.model_dir, prefix)
        return f"{path}.params", f"{path}.states"

    def _save_params_and_trainer(self, estimator: Any, file_prefix: str) -> None:
        """Write a checkpoint, and remove the oldest if there are too many, but never the best."""
        params, states = self._files(file_prefix)
        estimator.net.save_parameters(params)
        estimator.trainer.save_states(states)
        if not file_prefix.endswith("-best"):
            self.saved_checkpoints.append(file_prefix)
        if len(self.saved_checkpoints) > self.max_checkpoints:
            self._remove_files(self.saved_checkpoints.pop(0))

    def _remove_files(self, prefix: str) -> None:
        for path in self._files(prefix):
            if os.path.exists(path):
                os.remove(path)

    # ----------------------------------------------------------------------------- resuming

    def _check_periods(self, estimator: Any) -> None:
        by_batch = bool(estimator.max_batch)
        wanted, other = self.epoch_period, self.batch_period
        if by_batch:
            wanted, other = other, wanted
        if not wanted or other:
            kinds = ("batch", "epoch") if by_batch else ("epoch", "batch")
            raise ArgumentError(
                "CheckpointHandler: training by {0} resumes from checkpoints made by {0}; give"
                " {0}_period, and {1}_period=None".format(*kinds)
            )

    def _resume_from_checkpoint(self, estimator: Any) -> None:
        """Load the last checkpoint, and subtract its epochs from those of the estimator."""
        self.trained_epoch, self.trained_batch = self._last()
        kind = "epoch" if estimator.max_epoch else "batch"
        trained = self.trained_epoch if estimator.max_epoch else self.trained_batch
        limit = getattr(estimator, f"max_{kind}")
        many = "epochs" if estimator.max_epoch else "batches"
        if self.trained_epoch == -1:
            estimator.logger.info(
                "CheckpointHandler: No checkpoint found, training from scratch for %d %s",
                limit,
                many,
            )
            return
        if trained >= limit - 1:
            raise ArgumentError(
                f"CheckpointHandler: the checkpoint of {kind} {trained} in {self.model_dir} is"
                f" the last of {limit} {many}; train for more, or pass"
                " resume_from_checkpoint=False to start over"
            )
        prefix = f"{self.model_prefix}-epoch{self.trained_epoch}batch{self.trained_batch}"
        params, states = self._files(prefix)
        if not os.path.exists(states):
            raise ArgumentError(f"CheckpointHandler: {params} lacks the file {states} next to it")
        with open(states, "rb") as file:
            # It raises before anything changes.
            loads(file.read(), estimator.trainer.optimizer.lr_scheduler)
        estimator.net.load_parameters(params, ctx=estimator.context)
        estimator.trainer.load_states(states)
        setattr(estimator, f"max_{kind}", limit - trained - 1)
        estimator.logger.warning(
            "CheckpointHandler: Checkpoint resumed from epoch %d batch %d, continue to train for"
            " %d %s ",
            self.trained_epoch,
            self.trained_batch,
            limit - trained - 1,
            many,
        )

    def _last(self) -> tuple[int, int]:
        """Return the epoch and batch of the last checkpoint, -1 if there is none."""
        start = f"{self.model_prefix}-epoch"
        found = [(-1, -1)]
        for name in os.listdir(self.model_dir):
            if name.startswith(start) and name.endswith(".params"):
                numbers = re.fullmatch(r"(\d+)batch(\d+)\.params", name[len(start) :])
                if numbers is None:
                    raise ArgumentError(
                        f"CheckpointHandler: {name} in {self.model_dir} is not called"
                        f" {start}<number>batch<number>.params"
                    )
                found.append((int(numbers[1]), int(numbers[2])))
        return max(found)
