"""Training loops: an `Estimator` trains a network, with event handlers."""

import typing as _typing

from ..._core.hints.lookup import hinting as _hinting
from . import batch_processor, estimator, event_handler
from .batch_processor import BatchProcessor
from .estimator import Estimator
from .event_handler import (
    BatchBegin,
    BatchEnd,
    CheckpointHandler,
    EarlyStoppingHandler,
    EpochBegin,
    EpochEnd,
    GradientUpdateHandler,
    LoggingHandler,
    MetricHandler,
    ProgressBarHandler,
    StoppingHandler,
    TrainBegin,
    TrainEnd,
    ValidationHandler,
)

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "BatchProcessor",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "Estimator",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "ProgressBarHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
    "batch_processor",
    "estimator",
    "event_handler",
]


if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, __all__)
