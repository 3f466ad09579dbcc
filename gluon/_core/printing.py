"""The `repr` of objects that are made from settings."""

from __future__ import annotations

from inspect import Parameter, signature
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
    stated = {name: one for each in reversed(stated_by(type(owner))) for name, one in each.items()}
    for name, one in stated.items():
        if one.kind is not one.POSITIONAL_OR_KEYWORD:
            continue
        value = getattr(owner, name, getattr(owner, f"_{name}", one.default))
        is_told = name in shown or (value is not one.default and value != one.default)
        if name not in parts and is_told and _is_short(value):
            parts[name] = value
    return f"{type(owner).__name__}({', '.join(f'{name}={one!r}' for name, one in parts.items())})"


def counted(found: Any, what: str, many: str) -> list[str]:
    """How many of something there are, as a list of a text; empty where it has no length."""
    try:
        count = len(found)
    except (TypeError, NotImplementedError):
        return []
    return [f"{count} {what if count == 1 else many}"]


def _is_short(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and len(value) <= MOST:
        return all(map(_is_short, value))
    return isinstance(value, SHORT)


def stated_by(kind: type) -> list[dict[str, Parameter]]:
    """The arguments, without `self`, that a class and each of its bases state, in this order."""
    makers = filter(callable, [vars(one).get("__init__") for one in kind.__mro__[:-1]])
    return [dict(list(signature(one).parameters.items())[1:]) for one in makers]
