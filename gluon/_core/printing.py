"""The `repr` of objects that are made from settings."""

from __future__ import annotations

from inspect import signature
from typing import Any

#: The types of settings whose `repr` is short.
SHORT = (bool, int, float, str, type(None))
#: The largest length of a list that is shown.
MOST = 8


def with_settings(owner: Any, *shown: str, **others: Any) -> str:
    """The class of `owner` with those settings that differ from the default.

    Parameters
    ----------
    owner : object
        Its attributes have the names of the arguments of its class, maybe after an underscore.
    *shown : str
        Settings to show in any case.
    **others
        Settings that it keeps elsewhere, by name, to show in any case.

    Returns
    -------
    str
        ``Class(name=value, ...)``.
    """
    parts = dict(others)
    defaults: dict[str, Any] = {}
    for maker in type(owner).__mro__:
        defaults = {**_defaults(maker), **defaults}
    for name, default in defaults.items():
        value = getattr(owner, name, getattr(owner, f"_{name}", default))
        is_told = name in shown or (value is not default and value != default)
        if name not in parts and is_told and _is_short(value):
            parts[name] = value
    return f"{type(owner).__name__}({', '.join(f'{name}={one!r}' for name, one in parts.items())})"


def _is_short(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and len(value) <= MOST:
        return all(map(_is_short, value))
    return isinstance(value, SHORT)


def _defaults(kind: type) -> dict[str, Any]:
    """The arguments that a class states itself, with their defaults."""
    if "__init__" not in vars(kind) or kind is object:
        return {}
    found = list(signature(vars(kind)["__init__"]).parameters.values())[1:]
    return {one.name: one.default for one in found if one.kind is one.POSITIONAL_OR_KEYWORD}
