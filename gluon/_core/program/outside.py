"""Python values that the code of layers reads from outside, such as a number of a module.

A program takes them as fixed. Attributes of layers count their changes; modules, classes, closures
and other objects do not, so their values are compared before each run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ..engine.array import Array
from .trace import HOME

PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None)})

MISSING = object()

#: Where a value is: a name in a dictionary, or a cell of a closure, whose name is empty.
Place = tuple[Any, str, Any]


class Reader:
    """Finds the values that functions and layers use.

    It follows functions, modules and objects only within the packages that layers come from.

    Attributes
    ----------
    found : dict of Place
    """

    def __init__(self) -> None:
        self.found: dict[Any, Place] = {}
        self.seen: set[Any] = set()
        self.packages: set[str] = set()

    def layer(self, layer: Any) -> None:
        """Look at the methods of a layer, and at what its attributes hold."""
        cls = type(layer)
        functions = [getattr(cls, name, None) for name in ("forward", "hybrid_forward")]
        for one in [*functions, *vars(layer).values()]:
            if isinstance(one, FunctionType) and not one.__code__.co_filename.startswith(HOME):
                self.packages.add(_package(one.__module__))
                self.function(one, layer)

    def function(self, function: Any, owner: Any = None) -> None:
        """Look at a function of the user, a method of `owner` if that is given."""
        if isinstance(function, MethodType):
            function, owner = function.__func__, function.__self__
        function = getattr(function, "__wrapped__", function)
        if not isinstance(function, FunctionType) or not self.follows(function.__module__):
            return
        if self.is_known((function, owner)):
            return
        names = frozenset(_names(function.__code__))
        for name in names & function.__globals__.keys():
            self.value(function.__globals__, name, names)
        for cell in function.__closure__ or ():
            self.value(cell, "", names)
        if owner is not None:
            for name in names & vars(owner).keys():  # these count their changes
                self.held_by(vars(owner)[name], names, owner)
            self.attributes(owner, names, [])

    def follows(self, module: Any) -> bool:
        """Whether what a module holds is looked at."""
        return _package(module) in self.packages

    def is_known(self, key: tuple) -> bool:
        """Whether these objects were seen before."""
        number = hash(tuple(map(id, key)))
        known = number in self.seen
        self.seen.add(number)
        return known

    def attributes(self, owner: Any, names: frozenset, first: list) -> None:
        """Look at the attributes that have one of `names`: in `first`, then in the classes."""
        classes = () if isinstance(owner, ModuleType) else type(owner).__mro__
        if isinstance(owner, type):
            classes = owner.__mro__[1:]
        chain = first + [vars(cls) for cls in classes if self.follows(cls.__module__)]
        for name in names:
            found = next((k for k, one in enumerate(chain) if name in one), -1)
            for one in chain[: max(found, 0)]:
                self.add(one, name, MISSING)
            if found >= 0:
                self.value(chain[found], name, names, owner)

    def value(self, place: Any, name: str, names: frozenset, owner: Any = None) -> None:
        """Look at one value."""
        try:
            value = read(place, name)
        except ValueError:  # an empty cell
            return
        if type(value) in PLAIN or isinstance(value, FunctionType):
            self.add(place, name, value)
        self.held_by(value, names, owner)

    def held_by(self, value: Any, names: frozenset, owner: Any) -> None:
        """Look at what a function or an object holds."""
        if isinstance(value, (FunctionType, MethodType)):
            self.function(value, owner)
        elif self.has_values(value) and not self.is_known((value, names)):
            self.attributes(value, names, [vars(value)])

    def add(self, place: Any, name: str, value: Any) -> None:
        """Add a value that is to be compared."""
        self.found[id(place), name] = place, name, value

    def has_values(self, value: Any) -> bool:
        """Whether it has attributes that may change without being counted."""
        if isinstance(value, Array) or hasattr(value, "_counted") or not hasattr(value, "__dict__"):
            return False
        if isinstance(value, ModuleType):
            return self.follows(value.__name__)
        return self.follows(value.__module__)  # that of a class, or that of an object's class


def _names(code: CodeType) -> Iterator[str]:
    """The names that code uses, with that of functions and comprehensions in it."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


def _package(module: Any) -> str:
    return str(module).partition(".")[0]


def read(place: Any, name: str) -> Any:
    """What is at a place."""
    return place.get(name, MISSING) if name else place.cell_contents


def values(layers: Iterable[Any]) -> list[Place]:
    """The values from outside that layers use."""
    reader = Reader()
    for layer in layers:
        reader.layer(layer)
    return [*reader.found.values()]


def are_same(places: list[Place]) -> bool:
    """Whether the values are what they were."""
    try:
        return all(read(place, name) is value for place, name, value in places)
    except ValueError:  # an empty cell
        return False
