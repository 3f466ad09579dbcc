"""Modules: symbols that are trained, scored, saved and loaded."""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .base import BaseModule, BatchEndParam
from .bucketing import BucketingModule
from .module import Module
from .python import PythonLossModule, PythonModule
from .sequential import SequentialModule

__all__ = [
    "BaseModule",
    "BatchEndParam",
    "BucketingModule",
    "Module",
    "PythonLossModule",
    "PythonModule",
    "SequentialModule",
]


if not _typing.TYPE_CHECKING:  # where a wrong name is to be reported
    __getattr__ = _hinting(__name__, __all__)
