"""`gluon.np`: NumPy's functions over the operator table, recorded and differentiable."""

import sys as _sys
from typing import Any

from ..engine.errors import MissingNameError as _MissingNameError
from ..ndarray import ndarray
from . import creation as _creation
from . import dtypes as _dtypes
from . import elementwise as _elementwise
from . import indexing as _indexing
from . import join as _join
from . import logic as _logic
from . import matrix as _matrix
from . import methods as _methods
from . import operators as _operators  # noqa: F401  (attaches Python's operators)
from . import protocols as _protocols
from . import reduce as _reduce
from . import shape as _shape
from ._public import functions as _functions

_FAMILIES = (
    *(_creation, _elementwise, _reduce, _shape, _join, _indexing, _matrix, _logic, _dtypes),
)
_found = {name: value for family in _FAMILIES for name, value in _functions(family).items()}
for _value in _found.values():
    _value.__module__ = __name__
globals().update(_found)
globals().update({name: getattr(_dtypes, name) for name in _dtypes.NAMES})
_methods.attach()

__all__ = ["ndarray", *_dtypes.NAMES, *_found]
_protocols.attach(_sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    raise _MissingNameError(f"gluon.np has no {name!r}")
