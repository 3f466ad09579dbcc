"""How often something changed that programs take as fixed, such as the children of a layer.

Who is changed counts for itself as well. So a program looks only at one number in each call, and at
those of its own layers and parameters where that is another one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import count
from types import SimpleNamespace
from typing import Any

_number = count(1).__next__
#: The number of the last change of anything; no two are the same.
CHANGES = SimpleNamespace(last=0)


def change(one: Any) -> None:
    """Count a change of `one`, a layer or a parameter."""
    state = one.__dict__
    state["_changes"] = state.get("_changes", 0) + 1
    CHANGES.last = _number()


def changes(one: Any) -> tuple[int, ...]:
    """How often a layer, and what `_counted` says belongs to it, was changed."""
    return tuple([part._changes for part in one._counted()])


class Counted(dict):
    """A dictionary, such as that of the children of a layer, whose changes are counted."""

    _changes = 0


def _counting(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    @wraps(method)
    def changed(self: Counted, *args: Any, **kwargs: Any) -> Any:
        change(self)
        return method(self, *args, **kwargs)

    return changed


for _name in "__setitem__ __delitem__ __ior__ clear pop popitem setdefault update".split():
    setattr(Counted, _name, _counting(_name))
