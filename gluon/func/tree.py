"""Trees: tuples, lists, dicts, named tuples and dataclasses of arrays, which functions take.

None is a node without leaves. ``register`` adds other classes.
"""

from .._core.tree import Structure, flatten, leaves, map, register, structure, unflatten

__all__ = ["Structure", "flatten", "leaves", "map", "register", "structure", "unflatten"]
