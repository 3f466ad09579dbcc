"""The event handlers of all modules here, under the name that MXNet has for them."""

from .checkpoint import CheckpointHandler
from .early_stopping import EarlyStoppingHandler
from .events import BatchBegin, BatchEnd, EpochBegin, EpochEnd, EventHandler, TrainBegin, TrainEnd
from .loop import GradientUpdateHandler, MetricHandler, StoppingHandler, ValidationHandler
from .reports import LoggingHandler, ProgressBarHandler

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "ProgressBarHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
]
