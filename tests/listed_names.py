"""Find names of another library that do not resolve under a hook."""

from __future__ import annotations

from collections.abc import Mapping

from gluon._hook.library import PYTHON as OF_CLASSES
from gluon._hook.library import Library
from gluon._hook.members import PYTHON


def missing_members(library: Library, listed: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the missing names of each class, except those that Python itself calls.

    A class of gluon has of Python's own classes what this Python gives them.
    """
    found = {}
    for path, names in listed.items():
        owner = library.at(path)
        if not isinstance(owner, type):
            continue
        stands_in = "_reason" in vars(owner)
        known = library.origins.classes.get(path)
        foreign = set() if stands_in or not known else pythons(library, path)
        excused = PYTHON | (OF_CLASSES if stands_in else foreign)
        lost = [name for name in names if not hasattr(owner, name) and name not in excused]
        if lost:
            found[path] = lost
    return found


def pythons(library: Library, path: str) -> set[str]:
    """Return the members that a class inherits from bases outside the library."""
    origins = library.origins
    found: set[str] = set()
    for base in origins.classes[path].bases:
        found |= set(origins.foreign[base]) if base in origins.foreign else pythons(library, base)
    return found


def other_classes(library: Library) -> list[str]:
    """Return the names of modules for a class of the library that are another class here."""
    return [
        f"{path}.{name}"
        for path in library.origins.modules()
        for name in library.origins.names(path)
        if (home := library.tables.home(path, name)) in library.origins.classes
        and getattr(library.modules[library.tables.full(path)], name) is not library.at(home)
    ]
