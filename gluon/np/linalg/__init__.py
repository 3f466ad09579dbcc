"""`gluon.np.linalg`: linear algebra over stacks of matrices, the last two axes; differentiable."""

from typing import Any

from numpy.linalg import LinAlgError

from .._public import functions as _functions
from ..absent import missing as _missing
from . import factors as _factors
from . import norms as _norms
from . import products as _products
from . import solvers as _solvers

_found = {
    name: value
    for family in (_solvers, _factors, _norms, _products)
    for name, value in _functions(family).items()
}
for _name, _value in _found.items():
    if _value.__module__.startswith(__name__):
        _value.__module__ = __name__
globals().update(_found)

__all__ = ["LinAlgError", *_found]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    raise _missing("np.linalg", name, __all__)
