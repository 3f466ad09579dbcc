"""Reverse-mode differentiation by explicit recording sessions, with MegEngine's interface."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import grad_manager
from .grad_manager import AttachSpec, GradManager

__all__ = ["AttachSpec", "GradManager", "grad_manager"]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
