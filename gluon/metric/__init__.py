"""Metrics of predictions, over the batches of an epoch.

``update(labels, preds)`` adds a batch to a metric, ``get()`` returns its name and value, and
``reset()`` begins a new epoch.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .base import EvalMetric, alias, check_label_shapes, register
from .classification import (
    Accuracy,
    CrossEntropy,
    NegativeLogLikelihood,
    Perplexity,
    TopKAccuracy,
)
from .composite import CompositeEvalMetric, create
from .confusion import F1, MCC, PCC
from .custom import CustomMetric, np
from .regression import MAE, MSE, RMSE, Caffe, Loss, PearsonCorrelation, Torch

__all__ = [
    "F1",
    "MAE",
    "MCC",
    "MSE",
    "PCC",
    "RMSE",
    "Accuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "Loss",
    "NegativeLogLikelihood",
    "PearsonCorrelation",
    "Perplexity",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
