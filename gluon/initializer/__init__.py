"""Initializers of parameters.

Pass one to `Block.initialize`, by its name or as an instance: ``net.initialize(init.Xavier())``.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .base import InitDesc, Initializer, alias, create, register
from .fixed import Bilinear, Constant, LSTMBias, One, Zero
from .fused import FusedRNN
from .random import MSRAPrelu, Normal, Orthogonal, Uniform, Xavier
from .several import Load, Mixed

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]

if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
