"""The default names and attributes of symbols.

MXNet's `NameManager` and `AttrScope` push themselves onto `MANAGERS` and `ATTRIBUTES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from .._core.errors import ArgumentError
from .._core.scopes import COUNTS, MANAGERS, Stack

ATTRIBUTES = Stack("gluon_mxnet_AttrScope")
#: Attributes that MXNet stores between underscores, beside the operator's arguments.
HIDDEN = ("ctx_group", "force_mirroring", "lr_mult", "mirror_stage", "wd_mult")
_counting = Lock()


def number(hint: str, counts: dict[str, int] = COUNTS) -> str:
    """The next name that begins with `hint`."""
    with _counting:
        counts[hint] = counts.get(hint, 0) + 1
        return f"{hint}{counts[hint] - 1}"


def named(name: str | None, hint: str) -> str:
    """The name of a new symbol: `name`, or the next one that begins with `hint`."""
    manager = MANAGERS.current(None)
    if manager is not None:
        return manager.get(name, hint)
    return name or number(hint)


def attributes(given: Mapping[str, str] | None) -> dict[str, str]:
    """The attributes of a new symbol: those given, and those of the scopes around."""
    scope: Any = ATTRIBUTES.current(None)
    found = scope.get(given) if scope is not None else dict(given or {})
    return {hidden(key): value for key, value in found.items()}


def by_name(what: str, names: Sequence[str], given: Sequence[Any]) -> dict[str, Any]:
    """What is given by place, by the names of variables.

    Raises
    ------
    ArgumentError
        If two variables of one name get different things.
    """
    found: dict[str, Any] = {}
    for name, one in zip(names, given):
        if found.setdefault(name, one) is not one and not _same(found[name], one):
            raise ArgumentError(
                f"{what}: two variables are named {name!r}, and would both get the last of what is"
                " given by place; give them different names, as in var('a') and var('b')"
            )
    return found


def _same(one: Any, other: Any) -> bool:
    """Whether two shapes or names of dtypes are equal; arrays are not compared."""
    return isinstance(one, (str, type, tuple, list)) and one == other


def hidden(key: str) -> str:
    """The key of an attribute in a graph."""
    return f"__{key}__" if key in HIDDEN else key


def is_hidden(key: str) -> bool:
    """Whether an attribute is not an argument of the operator."""
    return key in HIDDEN or (key.startswith("__") and key.endswith("__"))
