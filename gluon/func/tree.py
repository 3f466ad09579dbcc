"""Trees: tuples, lists, dicts, named tuples and dataclasses of arrays, which functions take.

None is a node without leaves. ``register`` adds other classes.
"""

import typing as _typing

from .._core.hints.lookup import hinting as _hinting
from .._core.tree import Structure, flatten, leaves, map, register, structure, unflatten

__all__ = ["Structure", "flatten", "leaves", "map", "register", "structure", "unflatten"]
if not _typing.TYPE_CHECKING:  # so that type checkers report wrong names
    __getattr__ = _hinting(__name__, __all__)
