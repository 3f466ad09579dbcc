"""Which functions of a namespace come from which file, for the API reference and its test."""

from __future__ import annotations

import importlib
import inspect
from collections import defaultdict
from collections.abc import Callable


def members(space: str, family: str) -> dict[str, list[str]]:
    """The names of the family's functions, with the other names that each of them has."""
    path = family if family.startswith("gluon.") else f"{space}.{family}"
    found = vars(importlib.import_module(path))
    namespace = importlib.import_module(space)
    names: dict[Callable, list[str]] = defaultdict(list)
    for name in namespace.__all__:
        value = getattr(namespace, name)
        if inspect.isfunction(value) and found.get(name) is value:
            names[value].append(name)
    groups = {}
    for value, same in names.items():
        first = value.__name__ if value.__name__ in same else same[0]
        groups[first] = sorted(set(same) - {first})
    return dict(sorted(groups.items(), key=lambda item: item[0].lower()))
