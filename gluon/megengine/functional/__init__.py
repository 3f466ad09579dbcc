"""MegEngine's functions on tensors, built from gluon's recorded operators.

Arguments have the same meaning as in MegEngine. A docstring states in a sentence what a function
computes, and what its signature does not show; the same holds for `gluon.megengine.module` and the
others.
"""

import typing as _typing

from ..._core.faces.names import public_names as _public_names
from ..absent import missing as _missing
from . import distributed as distributed
from . import elemwise as elemwise
from . import loss as loss
from . import math as math
from . import metric as metric
from . import nn as nn
from . import tensor as tensor
from . import vision as vision
from .elemwise import *  # noqa: F403
from .math import *  # noqa: F403
from .metric import *  # noqa: F403
from .nn import *  # noqa: F403
from .tensor import *  # noqa: F403

if not _typing.TYPE_CHECKING:  # type checkers use the imports above and report wrong names
    __all__ = _public_names(
        *(__name__, "distributed", "elemwise", "loss", "math", "metric", "nn", "tensor", "vision")
    )
    __getattr__ = _missing("functional", __all__)
