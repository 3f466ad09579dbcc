"""MegEngine's optimizers, schedules of learning rates and limits of gradients."""

from ..absent import missing as _missing
from . import rules, schedule
from .optimizer import Optimizer
from .rules import *  # noqa: F403
from .schedule import *  # noqa: F403

__all__ = ["Optimizer", *rules.__all__, *schedule.__all__]
__getattr__ = _missing("optimizer", __all__)
