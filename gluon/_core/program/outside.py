"""Python values that the code of a step reads from outside, such as a number of a module.

A program takes them as fixed, so they are compared before each run: what functions find in globals,
closures and defaults, in attributes of objects, classes and modules, and in lists and dictionaries.
Attributes of layers count their changes besides. Code of gluon, NumPy, Python and of installed
packages is not looked at, unless the step or its layers are part of such a package.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, partial
from random import Random
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ref

import numpy as np

from ..engine.array import Array
from ..errors import article
from ..hints.called import Hinted
from .listing import Failed
from .trace import HOME

PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None)})
#: What may be held as it is; the last one is that of `MISSING`.
STRONG = PLAIN | {ModuleType, object}
#: What is compared as a whole, and what is not looked into.
SETS, RANDOM = (set, frozenset), (Random, np.random.Generator, np.random.RandomState)
OPAQUE = (Array, np.generic, np.dtype, CodeType)
WRAPPERS = {property: "fget", cached_property: "func", staticmethod: "__func__"}
WRAPPERS[classmethod] = "__func__"
#: The methods that Python calls by themselves.
IMPLIED = frozenset(
    f"__{name}__"
    for name in (
        "call getitem getattr iter len contains enter exit bool float int index eq ne lt le gt ge"
        " add radd sub rsub mul rmul truediv rtruediv matmul rmatmul pow neg get"
    ).split()
)
LOOKS = {"getattr", "hasattr"}
STANDARD = sys.stdlib_module_names - {"__main__"}
FOREIGN = STANDARD | {"gluon", "numpy", "mxnet", "megengine"}
#: How many values are compared at most, and how many bytes of an array of NumPy.
MOST, BYTES = 1000, 1024
MISSING = object()


class Values:
    """What was found outside, as it was then.

    Attributes
    ----------
    cells, places : dict
        By where they are, closures and how to read other values, and a weak reference to each
        value, or itself.
    items : list
        Lists and others, with what is in them.
    """

    def __init__(self) -> None:
        self.cells: dict[int, tuple] = {}
        self.places: dict[Any, tuple] = {}
        self.items: list[tuple[Any, Callable, Any]] = []
        self.count = 0

    def counted(self, number: int) -> None:
        """Add to how many values are compared."""
        self.count += number
        if self.count > MOST:
            raise Failed(f"more than {MOST} values of Python from outside")

    def are_same(self) -> bool:
        """Whether the values are what they were."""
        for cell, value, is_weak in self.cells.values():
            try:
                now = cell.cell_contents
            except ValueError:  # an empty one
                return False
            if now is not (value() if is_weak else value) and (
                is_weak or not _is_equal(now, value)
            ):
                return False
        for get, name, value, is_weak in self.places.values():
            now = get(name, MISSING)
            if now is not (value() if is_weak else value) and (
                is_weak or not _is_equal(now, value)
            ):
                return False
        for one, taken, before in self.items:  # noqa: SIM110  (a generator takes twice as long)
            if not _are_equal(taken(one), before):
                return False
        return True


class Reader:
    """Finds the values that functions, layers and objects use.

    Which attributes matter is known by the names in all functions that were found.
    """

    def __init__(self, layers: Iterable[Any], others: Iterable[Any]) -> None:
        self.layers, self.others = [*layers], [*others]
        self.names: set[str] = {*IMPLIED}
        self.texts: set[str] = set()  # for `getattr`, which may find that nothing is there
        self.packages: set[str] = set()
        self.found, self.seen = Values(), dict[int, Any]()
        self.classes: dict[type, Any] = {}  # their attributes: each `vars` is another object

    def read(self) -> Values:
        """The values."""
        known = -1
        while known < len(self.names) + len(self.packages):
            known = len(self.names) + len(self.packages)
            self.found, self.seen = Values(), {}
            for one in self.layers:
                self.layer(one)
            for one in self.others:
                self.package(one)
                self.value(one)
        return self.found

    def package(self, function: Any) -> None:
        """Look also at what is in the package of this function."""
        function = getattr(function, "__func__", function)
        function = getattr(function, "__wrapped__", function)
        code = getattr(function, "__code__", None)
        if code is not None and not code.co_filename.startswith(HOME):
            self.packages.add(_root(function.__module__))

    def layer(self, layer: Any) -> None:
        """Look at the methods of a layer, and at the functions that its attributes hold."""
        cls = type(layer)
        for name in ("forward", "hybrid_forward"):
            self.package(getattr(cls, name, None))
            self.value(getattr(cls, name, None))
        for one in vars(layer).values():
            if isinstance(one, FunctionType):
                self.package(one)
                self.value(one)
        self.value(layer)

    def value(self, value: Any) -> None:
        """Look at what belongs to a value."""
        kind = type(value)
        if kind in PLAIN or isinstance(value, OPAQUE):
            return
        if id(value) in self.seen:
            return
        self.seen[id(value)] = value  # which keeps the number its own
        if isinstance(value, FunctionType):
            self.function(value)
        elif kind is MethodType:
            self.value(value.__func__)
            self.value(value.__self__)
        elif kind in WRAPPERS:
            self.value(getattr(value, WRAPPERS[kind]))
        elif kind is partial:
            self.held([value.func, value.args, value.keywords])
        elif isinstance(value, RANDOM):
            raise Failed(f"random numbers of {article(kind.__name__)}")
        elif isinstance(value, np.ndarray):
            self.array(value)
        elif isinstance(value, Iterator) and not isinstance(value, (type, Hinted)):
            raise Failed(f"an iterator from outside: {kind.__name__}")
        else:
            self.items(value)
            self.object(value)

    def held(self, values: Iterable[Any]) -> None:
        for one in values:
            self.value(one)

    def function(self, function: FunctionType) -> None:
        """Look at what a function reads."""
        if not self.follows(function.__module__):
            return
        code = function.__code__
        names = names_of(code)
        if names & LOOKS:
            texts = {one for one in code.co_consts if isinstance(one, str) and one.isidentifier()}
            self.texts |= texts
            self.names |= texts
        self.names |= names
        for name in names:
            if name in function.__globals__:
                self.at(function.__globals__.get, name, function.__globals__[name])
        for cell in function.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:  # an empty one, which the step did not use
                continue
            self.found.cells[id(cell)] = (cell, *self.kept(value))
        for name in ("__defaults__", "__kwdefaults__", "__wrapped__"):
            now = getattr(function, name, None)
            if now is not None:
                self.at(partial(getattr, function), name, now)

    def at(self, get: Callable, name: Any, value: Any) -> None:
        """Look at the value that ``get(name, None)`` gives."""
        where = get.args[0] if type(get) is partial else get.__self__  # type: ignore[attr-defined]
        self.found.places[id(where), name] = (get, name, *self.kept(value))

    def kept(self, value: Any) -> tuple[Any, bool]:
        """Look at a value; what stands for it, and whether that is a weak reference."""
        self.found.counted(1)
        self.value(value)
        if type(value) in STRONG:
            return value, False
        try:
            return ref(value), True
        except TypeError:
            return value, False

    def array(self, array: Any) -> None:
        """Look at an array of NumPy."""
        if array.nbytes > BYTES or array.dtype.hasobject:
            raise Failed(
                "a large array of NumPy from outside, whose values may change: give it as an"
                " argument, or make it an array of gluon before"
            )
        self.found.counted(1)
        self.found.items.append((array, _bytes, _bytes(array)))

    def items(self, value: Any) -> None:
        """Look at what a list, or the like, holds."""
        if isinstance(value, SETS):
            self.found.counted(len(value))
            self.found.items.append((value, frozenset, frozenset(value)))
        elif isinstance(value, dict):
            self.found.counted(len(value))
            self.found.items.append((value, _pairs, _pairs(value)))
            self.held([*value.values()])
        elif isinstance(value, (list, tuple, deque)):
            self.found.counted(len(value))
            if not isinstance(value, tuple):
                self.found.items.append((value, tuple, tuple(value)))
            self.held(tuple(value))

    def object(self, value: Any) -> None:
        """Look at the attributes of an object, a class or a module."""
        if isinstance(value, ModuleType):
            if self.follows(value.__name__):
                self.attributes([vars(value)])
            return
        own = [vars(value)] if type(value).__dictoffset__ else []
        self.held([one["__wrapped__"] for one in own if "__wrapped__" in one])  # of a decorator
        cls = value if isinstance(value, type) else type(value)
        classes = [one for one in cls.__mro__ if self.follows(one.__module__)]
        if not classes and _root(cls.__module__) not in STANDARD:
            return
        chain = [self.classes.setdefault(one, vars(one)) for one in classes]
        self.attributes((own if value is not cls else []) + chain)
        for one in chain if value is not cls else ():
            for name in self.names & one.keys():
                if type(one[name]).__name__ == "member_descriptor":
                    self.at(partial(getattr, value), name, getattr(value, name, MISSING))

    def attributes(self, chain: list) -> None:
        """Look at attributes that functions name: at the first place of some that has them."""
        for one in self.names & self.texts.union(*chain):
            for place in chain:
                value = place.get(one, MISSING)
                self.at(place.get, one, value)
                if value is not MISSING:
                    break

    def follows(self, module: Any) -> bool:
        """Whether the code of a module is looked at."""
        root = _root(module)
        return root in self.packages or not (root in FOREIGN or _is_installed(root))


@lru_cache(1024)
def names_of(code: CodeType) -> frozenset:
    """The names of globals and attributes in code, with those of functions in it."""
    inner = [names_of(one) for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(code.co_names).union(*inner)


def _root(module: Any) -> str:
    return str(module).partition(".")[0]


@lru_cache(1024)
def _is_installed(root: str) -> bool:
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    return "site-packages" in file or "dist-packages" in file


def _bytes(array: Any) -> tuple:
    return array.shape, array.dtype.str, array.tobytes()


def _pairs(value: dict) -> tuple:
    return (*value, *value.values())


def _are_equal(now: Any, before: Any) -> bool:
    if type(now) is frozenset:
        return bool(now == before)
    return len(now) == len(before) and all(map(_is_equal, now, before))


def _is_equal(now: Any, before: Any) -> bool:
    """Whether values are the same, or numbers or texts that cannot be told apart."""
    if now is before:
        return True
    kind = type(now)
    if kind is not type(before):
        return False
    if kind is tuple:
        return _are_equal(now, before)
    return kind in PLAIN and bool(now == before) and repr(now) == repr(before)
