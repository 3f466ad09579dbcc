"""Members of another library's classes that gluon's classes get while the hook is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .library import Library
from .missing import Later

#: Methods that Python calls itself: a stand-in would change the behaviour of objects.
PYTHON = frozenset(
    "__abstractmethods__ __bool__ __copy__ __deepcopy__ __del__ __getstate__ __iter__ __setstate__"
    " __slots__ __weakref__ _abc_impl".split()
)
#: Names for operators in Python 2, and their names in Python 3.
RENAMED = {
    "__div__": "__truediv__",
    "__idiv__": "__itruediv__",
    "__nonzero__": "__bool__",
    "__rdiv__": "__rtruediv__",
}


class Reading:
    """An attribute that is computed, until an object sets its own."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self.read = read

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        return self if obj is None else self.read(obj)


def constant(value: Any) -> Reading:
    """An attribute of one value."""
    return Reading(lambda _: value)


def of_class(
    library: Library, path: str, inside: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """What a class of the library and its bases there have, by what `inside` says of each."""
    found: dict[str, Any] = {}
    known = library.origins.classes.get(path)
    for base in reversed(known.bases if known else ()):
        found.update(of_class(library, base, inside))
    return {**found, **inside(path)}


def additions(
    library: Library,
    members: Mapping[str, Mapping[str, Any]],
    stand_in: Callable[[type, str, str], Any] | None = None,
) -> dict[tuple[type, str], Any]:
    """What gluon's classes lack: the values by class and name.

    Nothing is added meanwhile: Python caches what it finds in a class until that is changed, and
    gives up on one that is looked at and changed in turn a thousand times.

    Parameters
    ----------
    library : Library
    members : mapping of str to mapping of str to object
        What some of the names are, by the path of the class in the library.
    stand_in : callable, optional
        Takes a class, a name and its whole path; gives what stands for it, None for the usual.

    Returns
    -------
    dict
    """
    classes = library.origins.classes

    def listed(path: str) -> dict[str, None]:
        return dict.fromkeys(classes[path].members if path in classes else ())

    found: dict[tuple[type, str], Any] = {}
    for path in classes:
        owner = library.at(path)
        if not changeable(owner):
            continue
        extra = of_class(library, path, lambda one: members.get(one, {}))
        for name in dict.fromkeys([*extra, *of_class(library, path, listed)]):
            known = hasattr(owner, name) or any((base, name) in found for base in owner.__mro__)
            if not known and name not in PYTHON:
                what = library.tables.full(f"{path}.{name}")
                special = stand_in and name not in extra and stand_in(owner, name, what)
                found[owner, name] = special or member(library, owner, path, name, extra)
    return found


def changeable(owner: Any) -> bool:
    """Whether it is a class of gluon, to which names can be added."""
    return isinstance(owner, type) and "_reason" not in vars(owner)


def member(library: Library, owner: type, path: str, name: str, extra: Mapping[str, Any]) -> Any:
    """What an attribute of a class is: one of `extra`, another of its own, or a stand-in."""
    if name in extra:
        return extra[name]
    if hasattr(owner, RENAMED.get(name, "")):
        return getattr(owner, RENAMED[name])
    tables = library.tables
    what = f"{path}.{name}"
    return Later(tables.full(what), tables.reason(what), tables.page)
