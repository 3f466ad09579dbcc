"""Stochastic variance reduced gradients for modules."""

from .svrg_module import SVRGModule

__all__ = ["SVRGModule"]
