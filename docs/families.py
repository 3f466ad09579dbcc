"""The functions of a namespace by file, for the API reference and its test."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import defaultdict
from collections.abc import Callable
from types import ModuleType
from typing import Any


def is_ours(value: Callable) -> bool:
    """Whether gluon defines the function."""
    return value.__module__.startswith("gluon")


def imported(module: ModuleType) -> dict[str, Any]:
    """Return the imported names of the module, by name."""
    found = {}
    for statement in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(statement, ast.ImportFrom):
            relative = "." * statement.level + (statement.module or "")
            source = importlib.import_module(relative, module.__package__)
            found |= {one.asname or one.name: vars(source).get(one.name) for one in statement.names}
    return found


def members(space: str, family: str) -> dict[str, list[str]]:
    """Return the names of the family's functions, with their aliases."""
    path = family if family.startswith("gluon.") else f"{space}.{family}"
    module = importlib.import_module(path)
    foreign = imported(module)
    found = {name: one for name, one in vars(module).items() if foreign.get(name) is not one}
    namespace = importlib.import_module(space)
    names: dict[Callable, list[str]] = defaultdict(list)
    for name in namespace.__all__:
        value = getattr(namespace, name)
        if inspect.isfunction(value) and found.get(name) is value and is_ours(value):
            names[value].append(name)
    groups = {}
    for value, same in names.items():
        first = value.__name__ if value.__name__ in same else same[0]
        groups[first] = sorted(set(same) - {first})
    return dict(sorted(groups.items(), key=lambda item: item[0].lower()))
