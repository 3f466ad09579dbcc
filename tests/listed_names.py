"""What of the names that another library lists does not resolve under a hook."""

from __future__ import annotations

from collections.abc import Mapping

from gluon.hook.library import PYTHON as OF_CLASSES
from gluon.hook.library import Library
from gluon.hook.members import PYTHON


def missing_members(library: Library, listed: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The names of each class that it has not, and that Python does not call by itself.

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
    """What a class has of bases that are not the library's."""
    origins = library.origins
    found: set[str] = set()
    for base in origins.classes[path].bases:
        found |= set(origins.foreign[base]) if base in origins.foreign else pythons(library, base)
    return found


def other_classes(library: Library) -> list[str]:
    """The names of modules that stand for a class of the library, and are another one."""
    return [
        f"{path}.{name}"
        for path in library.origins.modules()
        for name in library.origins.names(path)
        if (home := library.tables.home(path, name)) in library.origins.classes
        and getattr(library.modules[library.tables.full(path)], name) is not library.at(home)
    ]
