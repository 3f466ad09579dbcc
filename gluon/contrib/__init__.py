"""The modules of MXNet's `gluon.contrib`."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import cnn, data, estimator, io, nn, rnn, text

__all__ = ["cnn", "data", "estimator", "io", "nn", "rnn", "text"]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
