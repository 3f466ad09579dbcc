"""Optimizers that are experimental in MXNet."""

from .adagrad import GroupAdaGrad

__all__ = ["GroupAdaGrad"]
