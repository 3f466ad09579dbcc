"""MegEngine's functions on tensors, each made of gluon's recorded operators."""

from ..absent import missing as _missing
from . import _methods as _methods
from . import distributed, elemwise, loss, math, metric, nn, tensor, vision
from .elemwise import *  # noqa: F403
from .loss import *  # noqa: F403
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
__getattr__ = _missing("functional", __all__)
