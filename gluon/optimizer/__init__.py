"""Optimizers: how gradients change parameters."""

from .adam import Adam
from .base import Optimizer, create, register
from .sgd import NAG, SGD
from .updater import Updater, get_updater

__all__ = ["NAG", "SGD", "Adam", "Optimizer", "Updater", "create", "get_updater", "register"]
