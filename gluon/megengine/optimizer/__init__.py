"""MegEngine's optimizers, learning rate schedules and gradient clipping."""

from typing import TYPE_CHECKING

from ..absent import missing as _missing
from . import rules, schedule
from .optimizer import Optimizer
from .rules import *  # noqa: F403
from .schedule import *  # noqa: F403

__all__ = ["Optimizer", *rules.__all__, *schedule.__all__]
if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = _missing("optimizer", __all__)
