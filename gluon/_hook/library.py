"""The modules of another library: gluon's own, or modules built from its list of names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from .._core.errors import MissingNameError
from .missing import Later, later_class
from .origins import Origin, Origins, value

#: Members of every class that stay Python's own; no stand-in may replace them.
PYTHON = {"__slots__", "__abstractmethods__", "__init_subclass__", "__class_getitem__"}


@dataclass(frozen=True)
class Tables:
    """What stands for the modules and names of a library. All paths are those below its package.

    Attributes
    ----------
    root : str
        The package of the library.
    page : str
        The page of the documentation that says what is missing.
    origins : Origins
        Where each name of its modules comes from.
    modules : mapping of str to str
        Modules of the library -> those of gluon that they are.
    reasons : mapping of str to mapping of str to str
        Why names can be imported and compared, while their use is an error: module -> reason ->
        names, or an empty text for all. The longest path that fits a name counts.
    aliases : mapping of str to str
        Further paths to those modules.
    added : mapping of str to str
        Modules -> modules of gluon with names that they have besides.
    helpers : str
        The package of gluon where those stand: what they import from elsewhere is not theirs.
    names : mapping of str to mapping of str to str
        Names that gluon has elsewhere: module -> name -> ``module:name`` of what it is.
    why : mapping of str to str
        Reasons for single names by their whole path.
    operator : callable, optional
        Takes the path of a module and a name there; gives the operator that is it, or None.
    """

    root: str
    page: str
    origins: Origins
    modules: Mapping[str, str]
    reasons: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, str] = field(default_factory=dict)
    added: Mapping[str, str] = field(default_factory=dict)
    helpers: str = ""
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)
    operator: Callable[[str, str], Any] | None = None

    def full(self, path: str) -> str:
        """The whole name of a module by its path."""
        return f"{self.root}.{path}".rstrip(".")

    def short(self, name: str) -> str:
        """The path of a module by its whole name."""
        return name.removeprefix(self.root).removeprefix(".")

    def reason(self, path: str) -> str:
        """Why gluon does not have the name `path` of the library, or what it belongs to."""
        words = path.split(".")
        for count in range(len(words), -1, -1):
            parts = words[:count]
            if (single := self.why.get(".".join(parts))) is not None:
                return single
            named = self.reasons.get(".".join(parts[:-1]), {}) if parts else {}
            for reason, names in named.items():
                if parts[-1] in names.split():
                    return reason
            for reason, names in self.reasons.get(".".join(parts), {}).items():
                if not names:
                    return reason
        raise KeyError(path)

    def home(self, path: str, name: str) -> str:
        """The path of what a name of the module `path` is, followed to where it is defined."""
        kind, where = self.origins.names(path).get(name, ("", name))
        if kind[:5] != "from ":
            return f"{path}.{name}".lstrip(".")
        return self.home(kind[5:].removeprefix("."), where)

    def made(self) -> dict[str, ModuleType]:
        """Every module of the library, by its name there."""
        found = {self.full(path): import_module(target) for path, target in self.modules.items()}
        for path in self.origins.modules():
            if path not in self.modules and path not in self.aliases:
                module = ModuleType(self.full(path), f"Names of a module of {self.root}.")
                module.__path__ = []
                found[self.full(path)] = module
        for path, first in self.aliases.items():
            found[self.full(path)] = found[self.full(first)]
        return found


class Library:
    """A library as scripts see it: its modules, and what each of their names is.

    Parameters
    ----------
    tables : Tables

    Attributes
    ----------
    modules : dict of str to module
        By their names in the library.
    """

    modules: dict[str, ModuleType]
    origins: Origins

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.origins = tables.origins
        self.modules = tables.made()
        self._paths: dict[int, list[str]] = {}
        for path, module in self.modules.items():
            self._paths.setdefault(id(module), []).append(tables.short(path))
        self._children: dict[str, list[str]] = {}
        for path in filter(None, map(tables.short, self.modules)):
            parent, _, name = path.rpartition(".")
            self._children.setdefault(parent, []).append(name)
        self._kept: dict[tuple[int, str], Any] = {}

    def paths(self, module: ModuleType) -> list[str]:
        """The paths below the package that lead to a module."""
        return self._paths[id(module)]

    def names(self, module: ModuleType) -> set[str]:
        """The names that the library's modules have which are this one."""
        found: set[str] = set()
        for path in self.paths(module):
            found.update(self.origins.names(path), self._children.get(path, ()))
        return found

    def attribute(self, module: ModuleType, name: str) -> Any:
        """What a name is that the module itself has not.

        Raises
        ------
        MissingNameError
            If the library's has it neither.
        """
        key = id(module), name
        if key not in self._kept:
            self._kept[key] = self._found(module, name)
        return self._kept[key]

    def _found(self, module: ModuleType, name: str) -> Any:
        tables, paths = self.tables, self.paths(module)
        for path in paths:
            if (child := self.modules.get(f"{tables.full(path)}.{name}")) is not None:
                return child
            if name in tables.names.get(path, {}):
                return located(tables.names[path][name])
        for path in paths:
            origin = self.origins.names(path).get(name)
            if origin is not None and (home := tables.aliases.get(path, path)) in tables.added:
                added = import_module(tables.added[home])
                if is_own(added, name, tables.helpers):
                    return getattr(added, name)
            if origin is not None and (self._home(origin) is not module or origin.where != name):
                return self._followed(path, name, origin)
        raise MissingNameError(f"module {module.__name__!r} has no attribute {name!r}")

    def _home(self, origin: Origin) -> ModuleType | None:
        """Return the module of the library from which a name is imported."""
        kind = origin.kind
        if kind[:5] != "from ":
            return None
        return self.modules[self.tables.full(kind[5:].removeprefix("."))]

    def _followed(self, path: str, name: str, origin: Origin) -> Any:
        """Return the value of a name of the module `path`, defined as `origin` says."""
        tables, (kind, where) = self.tables, origin
        if kind == "modules":
            return self.modules[tables.full(where.removeprefix("."))]
        if kind == "imports":
            return imported(where, f"{tables.full(path)}.{name}", tables.page)
        if kind == "values":
            return value(where)
        if (home := self._home(origin)) is not None:
            return getattr(home, where)
        for other in self.origins.importers.get((path, name), ()):
            module = vars(self.modules[tables.full(other)])
            if name in module:
                return module[name]
        if tables.operator is not None and (one := tables.operator(path, name)) is not None:
            return one
        return self._later(f"{path}.{name}".lstrip("."), kind)

    def _later(self, path: str, kind: str) -> Any:
        """Return the stand-in for a name that the library defines and gluon lacks."""
        full, reason, page = self.tables.full(path), self.tables.reason(path), self.tables.page
        if kind != "classes":
            return Later(full, reason, page)
        known, foreign = self.origins.classes[path], self.origins.foreign
        bases = [self.at(one) for one in known.bases if one not in foreign]
        classes = tuple(one for one in bases if isinstance(one, type))
        names = {*known.members, *(name for one in known.bases for name in foreign.get(one, ()))}
        return later_class(full, reason, page, classes, names - PYTHON)

    def at(self, path: str) -> Any:
        """The object at a path below the package."""
        home, _, name = path.rpartition(".")
        return getattr(self.modules[self.tables.full(home)], name)


def is_own(module: ModuleType, name: str, package: str) -> bool:
    """Whether a module of `package` defines a name, and does not just import it."""
    found = vars(module).get(name)
    if isinstance(found, (type, FunctionType)):
        return found.__module__.startswith(package)
    return name in vars(module) and not isinstance(found, ModuleType)


def located(where: str) -> Any:
    """The object of gluon that a table names."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


def imported(where: str, what: str, page: str) -> Any:
    """What modules import from elsewhere; a stand-in if it is not there."""
    module, _, name = where.partition(":")
    try:
        home = import_module(module)
        for part in name.split(".") if name else ():
            home = getattr(home, part)
        return home
    except (ImportError, AttributeError):
        return Later(what, f"it is {where}, which this Python does not have", page)
