"""MegEngine's modules: models, layers and how their parameters begin."""

from ..absent import missing as _missing
from . import init, layers, module, normalization, plain
from .layers import *  # noqa: F403
from .module import Module
from .normalization import *  # noqa: F403
from .plain import *  # noqa: F403

__all__ = ["Module", "init", "module", *layers.__all__, *normalization.__all__, *plain.__all__]
__getattr__ = _missing("module", __all__)
