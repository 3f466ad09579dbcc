"""Optimizers.

Pass one to `Trainer`, by its name or as an instance:
``Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})``.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from . import contrib
from .adagrad import AdaDelta, AdaGrad, RMSProp
from .adam import Adam, Adamax, AdamW, Nadam
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
    "AdamW",
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

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
