"""`gluon.np`: NumPy's functions over the operator table, recorded and differentiable."""

from typing import Any

from . import calculus as _calculus
from . import complexes as _complexes
from . import creation as _creation
from . import dtypes as _dtypes
from . import elementwise as _elementwise
from . import files as _files
from . import functional as _functional
from . import histograms as _histograms
from . import indexing as _indexing
from . import join as _join
from . import linalg, random
from . import logic as _logic
from . import matrix as _matrix
from . import nans as _nans
from . import places as _places
from . import polynomials as _polynomials
from . import products as _products
from . import quantiles as _quantiles
from . import reduce as _reduce
from . import sets as _sets
from . import shape as _shape
from . import sorting as _sorting
from . import statistics as _statistics
from . import windows as _windows
from . import writing as _writing
from ._array import ndarray
from ._public import functions as _functions
from .absent import missing as _missing

_FAMILIES = (
    *(_creation, _elementwise, _reduce, _shape, _join, _indexing, _matrix, _logic, _dtypes),
    *(_files, _sorting, _sets, _quantiles, _statistics, _nans, _histograms, _calculus, _windows),
    *(_polynomials, _products, _functional, _writing, _places, _complexes),
)
_found = {name: value for family in _FAMILIES for name, value in _functions(family).items()}
for _value in _found.values():
    _value.__module__ = __name__
globals().update(_found)
globals().update({name: getattr(_dtypes, name) for name in _dtypes.NAMES})
globals().update({name: getattr(_places, name) for name in _places.NAMES})
for _family in _FAMILIES:  # files are no names for users
    if globals().get(_name := _family.__name__.rpartition(".")[2]) is _family:
        del globals()[_name]

__all__ = ["ndarray", "linalg", "random", *_dtypes.NAMES, *_places.NAMES, *_found]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    raise _missing("np", name, __all__)
