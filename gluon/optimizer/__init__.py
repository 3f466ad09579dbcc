"""Optimizers: how gradients change parameters."""

from . import contrib
from .adagrad import AdaDelta, AdaGrad, RMSProp
from .adam import Adam, Adamax, Nadam
from .base import Optimizer, create, register
from .large_batch import LAMB, LARS, LBSGD
from .leader import FTML, Ftrl
from .sgd import NAG, SGD, Signum, ccSGD
from .updater import Updater, get_updater
from .variants import DCASGD, SGLD, Test

__all__ = [
    "DCASGD",
    "FTML",
    "LAMB",
    "LARS",
    "LBSGD",
    "NAG",
    "SGD",
    "SGLD",
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "contrib",
    "create",
    "get_updater",
    "register",
]
