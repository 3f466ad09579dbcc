"""Losses, with one value per sample.

A loss is a block that takes predictions and labels: ``SoftmaxCrossEntropyLoss()(net(x), label)``.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .base import Loss, _apply_weighting, _reshape_like  # noqa: F401  (for losses of the user's own)
from .classification import (
    HingeLoss,
    KLDivLoss,
    LogisticLoss,
    SigmoidBCELoss,
    SigmoidBinaryCrossEntropyLoss,
    SoftmaxCELoss,
    SoftmaxCrossEntropyLoss,
    SquaredHingeLoss,
)
from .ctc import CTCLoss
from .regression import HuberLoss, L1Loss, L2Loss, PoissonNLLLoss
from .similarity import CosineEmbeddingLoss, SDMLLoss, TripletLoss

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
