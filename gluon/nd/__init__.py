"""`gluon.nd`: MXNet's imperative operators. Tables from a public name to an operator."""

from . import elementwise as _elementwise
from . import indexing as _indexing
from . import random
from . import reduce as _reduce
from . import shape as _shape
from ..ndarray import NDArray
from ..ndarray.creation import (
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
from . import methods as _methods

for _module in (_elementwise, _reduce, _shape, _indexing):
    globals().update(
        {
            _name: _value
            for _name, _value in vars(_module).items()
            if not _name.startswith("_") and getattr(_value, "__module__", "").startswith("gluon.nd")
        }
    )
_methods.attach(globals())
