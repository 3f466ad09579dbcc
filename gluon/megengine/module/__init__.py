"""MegEngine's modules: models, layers and the initialization of parameters."""

from typing import TYPE_CHECKING

from ..absent import missing as _missing
from . import attention, fused, init, layers, module, normalization, places, plain, rnn
from .attention import *  # noqa: F403
from .fused import *  # noqa: F403
from .layers import *  # noqa: F403
from .module import Module
from .normalization import *  # noqa: F403
from .places import *  # noqa: F403
from .plain import *  # noqa: F403
from .rnn import *  # noqa: F403

__all__ = [
    "Module",
    "init",
    "module",
    *attention.__all__,
    *fused.__all__,
    *layers.__all__,
    *normalization.__all__,
    *places.__all__,
    *plain.__all__,
    *rnn.__all__,
]
if not TYPE_CHECKING:  # which finds the names that are not there by itself
    __getattr__ = _missing("module", __all__)
