"""The modules of MXNet, made from the table."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from ..nd import absent
from .missing import Later
from .table import ABSENT, ALIASES, HELPER, HELPERS, LATER, MODULES, NAMES, PLANNED, SYMBOLS

ROOT = "mxnet"
#: name in MXNet -> why gluon has it not
REASONS = {
    f"{path}.{name}".lstrip("."): reason
    for table in (LATER, ABSENT)
    for path, reasons in table.items()
    for reason, names in reasons.items()
    for name in names.split()
} | {f"ndarray{name.removeprefix('nd')}": reason for name, reason in absent.REASONS.items()}
REASONS |= {"ndarray.sparse": absent.SPARSE, "ndarray.contrib.mx": HELPER, "symbol": SYMBOLS}


def full(path: str) -> str:
    """``mxnet.<path>``; ``mxnet`` for an empty path."""
    return f"{ROOT}.{path}".rstrip(".")


def made() -> dict[str, ModuleType]:
    """Every module of MXNet that gluon has, by its name there."""
    found = {ROOT: ModuleType(ROOT, "The modules and names of MXNet, which are those of gluon.")}
    found |= {full(path): stand_in(path) for path in LATER}
    ours = list(found.items())
    for path, target in MODULES.items():
        if (module := imported(target)) is not None:
            found[full(path)] = module
    for path, first in ALIASES.items():
        if full(first) in found:
            found[full(path)] = found[full(first)]
    for path, module in ours:
        for name, value in extras(path, found).items():
            setattr(module, name, value)
    return found


def stand_in(path: str) -> ModuleType:
    """A module of names that can be imported, while their use is an error."""
    module = ModuleType(full(path), "The names of a module of MXNet; using them is an error.")
    module.__path__ = []
    for reason, words in LATER[path].items():
        for name in later_names(words):
            setattr(module, name, Later(f"{full(path)}.{name}", reason))
    return module


def later_names(words: str) -> list[str]:
    """The names that `words` of the table stand for; ``*gluon.nd`` is all that `gluon.nd` has."""
    return [
        name
        for word in words.split()
        for name in (import_module(word[1:]).__all__ if word[0] == "*" else [word])
    ]


def imported(target: str) -> ModuleType | None:
    """The module `target`, or None when gluon has none of that name yet."""
    try:
        return import_module(target)
    except ModuleNotFoundError as error:
        if error.name is None or not target.startswith(error.name):
            raise
        return None


def extras(path: str, modules: dict[str, ModuleType]) -> dict[str, Any]:
    """What a module of MXNet has besides its own names: others of the table, and submodules."""
    found = {}
    for name, where in NAMES.get(path.removeprefix(ROOT).lstrip("."), {}).items():
        value = located(where, modules)
        if value is not None:
            found[name] = value
    for child, module in modules.items():
        parent, _, name = child.rpartition(".")
        if parent == path:
            found[name] = module
    return found


def located(where: str, modules: dict[str, ModuleType]) -> Any:
    """The module of MXNet or the object of gluon that the table names, or None if planned."""
    module, _, name = where.partition(":")
    home = modules.get(module) if module.partition(".")[0] == ROOT else imported(module)
    return getattr(home, name) if home is not None and name else home


def reason_for(path: str) -> str | None:
    """Why gluon has not the name `path` of MXNet, or None when nothing is known of it.

    The reason may be that of the class or module that the name belongs to.
    """
    path = canonical(path.removeprefix(f"{ROOT}."))
    helper = HELPER if path.rpartition(".")[2] in HELPERS else None
    while path:
        parent, _, name = path.rpartition(".")
        known = REASONS.get(path) or own_reasons(parent).get(name)
        if known or is_planned(parent, name):
            return known or PLANNED
        path = parent
    return helper


def own_reasons(path: str) -> dict[str, str]:
    """What the module of gluon that MXNet's `path` is says itself of names that it lacks."""
    module = imported(MODULES[path]) if path in MODULES else None
    return vars(module).get("ABSENT", {}) if module is not None else {}


def is_planned(parent: str, name: str) -> bool:
    """Whether the table names a module for this name that gluon has not yet."""
    where = NAMES.get(parent, {}).get(name) or MODULES.get(f"{parent}.{name}".lstrip("."), "")
    module = where.partition(":")[0]
    if module.startswith(f"{ROOT}."):
        module = MODULES.get(module.removeprefix(f"{ROOT}."), "")
    return bool(module) and imported(module) is None


def canonical(path: str) -> str:
    """`path` by way of the first of several paths to its module."""
    words = path.split(".")
    for count in range(len(words), 0, -1):
        first = ALIASES.get(".".join(words[:count]))
        if first is not None:
            return ".".join([first, *words[count:]])
    return path
