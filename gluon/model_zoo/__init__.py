"""Published network architectures."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import model_store, vision

__all__ = ["model_store", "vision"]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
