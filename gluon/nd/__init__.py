"""`gluon.nd`: MXNet's imperative operators. Tables from a public name to an operator."""

from typing import Any

from . import activation as _activation
from . import adaptive as _adaptive
from . import aggregate as _aggregate
from . import amp as _amp
from . import contrib, image, linalg, random, sparse
from . import conv as _conv
from . import correlation as _correlation
from . import ctc as _ctc
from . import custom as _custom
from . import density as _density
from . import elementwise as _elementwise
from . import indexing as _indexing
from . import join as _join
from . import matrix as _matrix
from . import methods as _methods
from . import nn as _nn
from . import normalization as _normalization
from . import operators as _python_operators  # noqa: F401  (attaches Python's operators)
from . import optimizer as _optimizer
from . import outputs as _outputs
from . import pool as _pool
from . import reduce as _reduce
from . import rnn as _rnn
from . import sampling as _sampling
from . import sequence as _sequence
from . import shape as _shape
from . import warp as _warp
from ._array import NDArray
from ._public import operators as _operators
from .absent import missing
from .creation import (
    arange,
    array,
    empty,
    eye,
    from_dlpack,
    from_numpy,
    full,
    linspace,
    ones,
    waitall,
    zeros,
)
from .decode import imdecode
from .files import load, load_frombuffer, save
from .indexing import onehot_encode
from .methods import to_dlpack_for_read, to_dlpack_for_write
from .resample import Crop, UpSampling
from .roi import ROIPooling

_FAMILIES = (
    *(_elementwise, _reduce, _shape, _join, _indexing, _sequence, _matrix, _aggregate),
    *(_activation, _nn, _conv, _pool, _normalization, _outputs, _sampling),
    *(_rnn, _ctc, _custom, _correlation, _warp, _density),
    *(_optimizer, _adaptive, _amp),
)
_found = {name: value for family in _FAMILIES for name, value in _operators(family).items()}
for _value in _found.values():
    _value.__module__ = __name__
_found |= {f"linalg_{_name}": getattr(linalg, _name) for _name in linalg.__all__}
globals().update(_found)
_methods.attach(globals())

__all__ = [
    "Crop",
    "NDArray",
    "ROIPooling",
    "UpSampling",
    "arange",
    "array",
    "contrib",
    "empty",
    "eye",
    "from_dlpack",
    "from_numpy",
    "full",
    "image",
    "imdecode",
    "linalg",
    "linspace",
    "load",
    "load_frombuffer",
    "onehot_encode",
    "ones",
    "random",
    "save",
    "sparse",
    "to_dlpack_for_read",
    "to_dlpack_for_write",
    "waitall",
    "zeros",
    *_found,
]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    raise missing("nd", name, __all__)
