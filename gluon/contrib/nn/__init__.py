"""Additional layers and containers."""

import typing as _typing

from ..._core.hints.lookup import hinting as _hinting
from .basic_layers import (
    Concurrent,
    HybridConcurrent,
    Identity,
    PixelShuffle1D,
    PixelShuffle2D,
    PixelShuffle3D,
    SparseEmbedding,
    SyncBatchNorm,
)

__all__ = [
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
    "SparseEmbedding",
    "SyncBatchNorm",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
