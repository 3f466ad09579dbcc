"""MegEngine's data sets, samplers and loader."""

from typing import TYPE_CHECKING

from ..absent import missing as _missing
from . import dataloader, dataset, sampler
from .dataloader import *  # noqa: F403
from .dataset import *  # noqa: F403
from .sampler import *  # noqa: F403

__all__ = ["dataset", *dataloader.__all__, *dataset.__all__, *sampler.__all__]
if not TYPE_CHECKING:  # which looks missing names up itself
    __getattr__ = _missing("data", __all__)
