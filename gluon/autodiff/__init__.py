"""Reverse-mode differentiation by explicit recording sessions, with MegEngine's interface."""

from . import grad_manager
from .grad_manager import AttachSpec, GradManager

__all__ = ["AttachSpec", "GradManager", "grad_manager"]
