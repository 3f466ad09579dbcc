"""Optimizers that MXNet counts as experimental."""

from .adagrad import GroupAdaGrad

__all__ = ["GroupAdaGrad"]
