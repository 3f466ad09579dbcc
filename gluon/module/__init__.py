"""Modules: symbols that are trained, scored, saved and loaded."""

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
