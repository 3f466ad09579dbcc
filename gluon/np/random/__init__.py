"""`gluon.np.random`: random arrays, with NumPy's names. All come from one generator, see `seed`."""

from typing import Any

from .._public import functions as _functions
from ..absent import missing as _missing
from . import choices as _choices
from . import floats as _floats

_found = {**_functions(_floats), **_functions(_choices)}
for _value in _found.values():
    _value.__module__ = __name__
globals().update(_found)

__all__ = [*_found]


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    raise _missing("np.random", name, __all__)
