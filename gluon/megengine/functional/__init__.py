"""MegEngine's functions on tensors, each made of gluon's recorded operators.

Arguments mean what they mean in MegEngine. A docstring tells in a sentence what a function
computes, and what its signature does not tell; so it is in `gluon.megengine.module` and the others.
"""

from typing import TYPE_CHECKING

from ..absent import missing as _missing
from . import distributed, elemwise, loss, math, metric, nn, tensor, vision
from .elemwise import *  # noqa: F403
from .math import *  # noqa: F403
from .metric import *  # noqa: F403
from .nn import *  # noqa: F403
from .tensor import *  # noqa: F403

__all__ = [
    "distributed",
    "elemwise",
    "loss",
    "math",
    "metric",
    "nn",
    "tensor",
    "vision",
    *elemwise.__all__,
    *math.__all__,
    *metric.__all__,
    *nn.__all__,
    *tensor.__all__,
]
if not TYPE_CHECKING:  # which finds the names that are not there by itself
    __getattr__ = _missing("functional", __all__)
