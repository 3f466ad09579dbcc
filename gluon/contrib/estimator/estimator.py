"""`Estimator`: training loops for a network with its loss, metrics and trainer."""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Iterable
from typing import Any

from ..._core.arrays import Context
from ..._core.arrays.context import current_context, device
from ..._core.errors import ArgumentError, GluonError, warn_caller
from ..._core.hints.called import Hinted
from ..._core.hints.lookup import hinted
from ...data import DataLoader
from ...loss import Loss, SoftmaxCrossEntropyLoss
from ...metric import Accuracy, EvalMetric
from ...metric import Loss as LossMetric
from ...trainer import Trainer
from .batch_processor import BatchProcessor
from .events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    TrainBegin,
    TrainEnd,
    as_handlers,
    as_metrics,
)
from .loop import GradientUpdateHandler, MetricHandler, StoppingHandler, ValidationHandler
from .reports import LoggingHandler


class Estimator(Hinted):
    """Trains and evaluates a network.

    Parameters
    ----------
    net : Block
    loss : gluon.loss.Loss
    train_metrics : EvalMetric or list of EvalMetric, optional
        By default the loss, and the accuracy for a `SoftmaxCrossEntropyLoss`. Their names are
        prefixed with "training".
    val_metrics : EvalMetric or list of EvalMetric, optional
        By default the same. Their names are prefixed with "validation".
    initializer : str or Initializer, optional
        For uninitialized parameters; ``Uniform(0.07)`` by default.
    trainer : Trainer, optional
        By default, with a warning, plain SGD with the learning rate 0.001.
    context : Context or list of Context, optional
        The devices; the current context by default.
    val_net : Block, optional
        The network to evaluate instead of `net`; it should share its parameters.
    val_loss : gluon.loss.Loss, optional
        The loss for the evaluation, instead of `loss`.
    batch_processor : BatchProcessor, optional
        Processes each batch; a `BatchProcessor` by default.

    Attributes
    ----------
    logger : logging.Logger
        The logger of handlers; it writes to standard output by default.

    Raises
    ------
    ArgumentError
        If an argument has the wrong type.

    Examples
    --------
    >>> from gluon import Trainer, data, loss, nd, nn
    >>> from gluon.contrib.estimator import Estimator
    >>> x = nd.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    >>> loader = data.DataLoader(data.ArrayDataset(x, x[:, 0]), batch_size=2)
    >>> net = nn.Dense(1)
    >>> net.initialize("zeros")
    >>> trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    >>> estimator = Estimator(net, loss.L2Loss(), trainer=trainer)
    >>> estimator.logger.setLevel("ERROR")
    >>> estimator.fit(loader, epochs=50)
    >>> estimator.evaluate(loader)
    >>> name, value = estimator.val_metrics[0].get()
    >>> name, round(value, 4)
    ('validation l2loss', 0.0)
    """

    batch_processor: Any
    context: list[Context]
    loss: Any
    trainer: Any
    val_loss: Any
    val_net: Any

    logger: logging.Logger
    max_epoch: int | None
    max_batch: int | None
    batch_axis: int

    def __init__(
        self,
        net: Any,
        loss: Loss,
        train_metrics: Any = None,
        val_metrics: Any = None,
        initializer: Any = None,
        trainer: Trainer | None = None,
        context: Context | list[Context] | None = None,
        val_net: Any = None,
        val_loss: Loss | None = None,
        batch_processor: Any = None,
    ) -> None:
        self.net = net
        self.loss = _checked(loss, Loss, "loss")
        self._train_metrics = as_metrics(train_metrics)
        self._val_metrics = as_metrics(val_metrics)
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.val_loss = self.loss if val_loss is None else _checked(val_loss, Loss, "val_loss")
        self.val_net = net if val_net is None else val_net
        self.logger = logging.Logger(name="Estimator", level=logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = _contexts(context)
        self._initialize(initializer)
        self.trainer = self._check_trainer(trainer)
        self.batch_processor = _processor(batch_processor)
        self.train_data: Any = None

    def _add_default_training_metrics(self) -> None:
        if not self._train_metrics:
            found = [LossMetric(self.loss.name.rstrip("1234567890"))]
            classifies = isinstance(self.loss, SoftmaxCrossEntropyLoss)
            self._train_metrics = [Accuracy(), *found] if classifies else [*found]
        for metric in self._train_metrics:
            metric.name = f"training {metric.name}"

    def _add_validation_metrics(self) -> None:
        self._val_metrics = self._val_metrics or copy.deepcopy(self._train_metrics)
        for metric in self._val_metrics:
            metric.name = _validation(metric.name)

    def _check_trainer(self, trainer: Any) -> Trainer:
        if not trainer:
            warn_caller("no trainer was given: SGD with the learning rate 0.001 is used")
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        return _checked(trainer, Trainer, "trainer")

    def _initialize(self, initializer: Any) -> None:
        if not self._is_initialized():
            self.net.initialize(init=initializer or None, ctx=self.context)
        elif initializer:
            warn_caller(
                "the network is initialized already and keeps its values; to replace them, call"
                " net.initialize(init, force_reinit=True)"
            )

    def _is_initialized(self) -> bool:
        try:
            for parameter in self.net.collect_params().values():
                parameter.list_ctx()
        except GluonError:
            return False
        return True

    @property
    def train_metrics(self) -> list[EvalMetric]:
        """The metrics of training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[EvalMetric]:
        """The metrics of validation."""
        return self._val_metrics

    # -------------------------------------------------------------------------------- loops

    def evaluate(
        self, val_data: DataLoader, batch_axis: int = 0, event_handlers: Any = None
    ) -> None:
        """Compute the validation metrics.

        Parameters
        ----------
        val_data : DataLoader
            A loader of batches with data and labels.
        batch_axis : int, default 0
            The axis along which to split batches among several contexts.
        event_handlers : EventHandler or list of EventHandler, optional
            Handlers for the events of one epoch. A `MetricHandler` and a `LoggingHandler` are
            added by default.

        Raises
        ------
        ArgumentError
            If an argument has the wrong type.
        """
        _checked(val_data, DataLoader, "val_data")
        for metric in self.val_metrics:
            metric.reset()
        handlers = self._prepare_default_validation_handlers(event_handlers)
        self._call(handlers, EpochBegin)
        for batch in val_data:
            self._call(handlers, BatchBegin, batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            self._call(handlers, BatchEnd, batch=batch, pred=pred, label=label, loss=loss)
        self._call(handlers, EpochEnd)

    @hinted
    def fit(
        self,
        train_data: DataLoader,
        val_data: DataLoader | None = None,
        epochs: int | None = None,
        event_handlers: Any = None,
        batches: int | None = None,
        batch_axis: int = 0,
    ) -> None:
        """Train the network.

        Parameters
        ----------
        train_data : DataLoader
            A loader of batches with data and labels.
        val_data : DataLoader, optional
            To evaluate the network after each epoch.
        epochs, batches : int, optional
            How long to train; give exactly one of the two.
        event_handlers : EventHandler or list of EventHandler, optional
            Handlers for the events of training. A `StoppingHandler` is always added, and a
            `GradientUpdateHandler`, `MetricHandler`, `ValidationHandler` and `LoggingHandler` by
            default.
        batch_axis : int, default 0
            The axis along which to split batches among several contexts.

        Raises
        ------
        ArgumentError
            If an argument has the wrong type, not exactly one of `epochs` and `batches` is given,
            or there is no batch.
        """
        _checked(train_data, DataLoader, "train_data")
        if (not epochs) == (not batches):
            raise ArgumentError(
                f"fit: give one of epochs and batches; got epochs={epochs}, batches={batches}"
            )
        self.max_epoch, self.max_batch, self.batch_axis = epochs, batches, batch_axis
        self.train_data = train_data
        handlers = self._prepare_default_handlers(val_data, event_handlers)
        self._call(handlers, TrainBegin)
        while not self._fit_epoch(handlers):
            pass
        self._call(handlers, TrainEnd)

    def _fit_epoch(self, handlers: list[EventHandler]) -> bool:
        """Train for an epoch; return whether a handler wants to stop."""
        self._call(handlers, EpochBegin)
        batch = None
        for batch in self.train_data:
            self._call(handlers, BatchBegin, batch=batch)
            _, label, pred, loss = self.batch_processor.fit_batch(self, batch, self.batch_axis)
            if self._call(handlers, BatchEnd, batch=batch, pred=pred, label=label, loss=loss):
                break
        if batch is None:
            raise ArgumentError("fit: train_data has no batch")
        return self._call(handlers, EpochEnd)

    def _call(self, handlers: list[EventHandler], event: type[EventHandler], **kwargs: Any) -> bool:
        """Call the handlers of an event; return whether one of them returned True."""
        answers = [
            getattr(one, METHODS[event])(self, **kwargs)
            for one in handlers
            if isinstance(one, event)
        ]
        return any(answers)

    # ----------------------------------------------------------------------------- handlers

    def _prepare_default_handlers(self, val_data: Any, event_handlers: Any) -> list[EventHandler]:
        defaults = [
            GradientUpdateHandler(),
            MetricHandler(self.train_metrics),
            LoggingHandler(metrics=self.train_metrics),
        ]
        if val_data:
            defaults.insert(2, ValidationHandler(val_data, self.evaluate))
        return self._with_defaults(
            as_handlers(event_handlers),
            defaults,
            self.train_metrics + self.val_metrics,
            [StoppingHandler(self.max_epoch, self.max_batch)],
        )

    def _prepare_default_validation_handlers(self, event_handlers: Any) -> list[EventHandler]:
        return self._with_defaults(
            as_handlers(event_handlers),
            [MetricHandler(self.val_metrics), LoggingHandler(metrics=self.val_metrics)],
            self.val_metrics,
        )

    def _with_defaults(
        self,
        handlers: list[EventHandler],
        defaults: Iterable[EventHandler],
        known: list[EvalMetric],
        added: Iterable[EventHandler] = (),
    ) -> list[EventHandler]:
        """Return all handlers by priority: those `added`, and default ones of missing kinds."""
        missing = [one for one in defaults if not any(isinstance(h, type(one)) for h in handlers)]
        every = [*handlers, *added, *missing]
        if handlers and len(every) > len(handlers):
            for one in every:
                _check_metrics_of(one, known)
        return sorted(every, key=lambda one: getattr(one, "priority", 0))


METHODS: dict[type[EventHandler], str] = {
    TrainBegin: "train_begin",
    EpochBegin: "epoch_begin",
    BatchBegin: "batch_begin",
    BatchEnd: "batch_end",
    EpochEnd: "epoch_end",
    TrainEnd: "train_end",
}


def _validation(name: str) -> str:
    """Replace "training" by "validation" in the name of a metric, or prepend "validation"."""
    if "training" in name:
        return name.replace("training", "validation")
    return f"validation {name}"


def _checked(value: Any, kind: type, what: str) -> Any:
    if not isinstance(value, kind):
        got = repr(value) if len(repr(value)) < 80 else type(value).__name__
        raise ArgumentError(
            f"Estimator: {what} must be a {kind.__module__.split('.')[1]}.{kind.__name__}; got"
            f" {got}"
        )
    return value


def _contexts(context: Any) -> list[Context]:
    """Return `context` as a list of existing contexts."""
    context = current_context() if context is None else context
    found = [context] if isinstance(context, Context) else context
    if not isinstance(found, list) or not all(isinstance(one, Context) for one in found):
        raise ArgumentError(
            f"Estimator: context must be a Context or a list of Contexts; got {context!r}"
        )
    for one in found:
        device(one)
    return found


def _processor(processor: Any) -> Any:
    if processor is None:
        return BatchProcessor()
    for name in ("fit_batch", "evaluate_batch"):
        if not callable(getattr(processor, name, None)):
            raise ArgumentError(
                f"Estimator: batch_processor must have fit_batch() and evaluate_batch();"
                f" {processor!r} has no {name}()"
            )
    return processor


def _check_metrics_of(handler: EventHandler, known: list[EvalMetric]) -> None:
    """Raise if a handler holds metrics that do not belong to the estimator.

    Nobody would reset or update these.
    """
    for name, value in vars(handler).items():
        if "metric" not in name:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, EvalMetric) and not any(one is other for other in known):
                raise ArgumentError(
                    f"{type(handler).__name__}: {name} has {one}, which is not among the"
                    " estimator's; take them from estimator.train_metrics or val_metrics"
                )
