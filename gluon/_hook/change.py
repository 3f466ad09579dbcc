"""The changes that an import hook makes in the running Python, and how to undo them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from .._core.errors import MissingNameError
from .._core.hints.lookup import error_for
from . import members
from .finder import Finder, other_paths
from .library import Library, Tables
from .missing import explain


class Change:
    """What a hook changes when it is installed, so that it can be taken back.

    Parameters
    ----------
    tables : Tables
        What stands for the library.
    folder : str
        The folder with a package of the library's name that subprocesses have in their path.
    additions : mapping of str to mapping of str to object
        What gluon's classes get besides, by the path of the class in the library.
    """

    additions: Mapping[str, Mapping[str, Any]]
    finder: Finder
    folder: str
    library: Library
    modules: dict[str, ModuleType]
    tables: Tables

    #: What replaces missing names of classes, if that needs special treatment.
    stand_in: Any = None

    def __init__(
        self, tables: Tables, folder: str, additions: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.tables, self.folder, self.additions = tables, folder, additions
        self.library = Library(tables)
        self.modules = self.library.modules
        self.finder = Finder(tables.root, lambda: self.modules, self._explained)
        self.undo: list[Callable[[], Any]] = []

    def apply(self) -> None:
        """Change the running Python."""
        sys.meta_path.insert(0, self.finder)
        self.undo.append(lambda: sys.meta_path.remove(self.finder))
        sys.modules.update(self.modules)
        self.undo.append(self._forget_modules)
        for module in {id(one): one for one in self.modules.values()}.values():
            self._complete(module)
        for (owner, name), value in self._added():
            setattr(owner, name, value)
            self.undo.append(partial(delattr, owner, name))
        for name in self.tables.origins.loaded():
            with suppress(ImportError):  # newer versions of Python removed some
                import_module(name)
        for name, value in self.child_environment().items():
            self.set(os.environ, name, value)
        # Multiprocessing passes the path to its processes; the first entry is the script's folder.
        sys.path.insert(min(1, len(sys.path)), self.folder)
        self.undo.append(self._shorten_path)

    def _added(self) -> Iterable[tuple[tuple[type, str], Any]]:
        return members.additions(self.library, self.additions, self.stand_in).items()

    def revert(self) -> None:
        """Leave Python as it was."""
        while self.undo:
            self.undo.pop()()

    def child_environment(self) -> dict[str, str]:
        """The variables with which the hook reaches subprocesses."""
        return {"PYTHONPATH": os.pathsep.join([self.folder, *other_paths(self.folder)])}

    def set(self, mapping: Any, name: str, value: Any) -> None:
        """Change one entry of a mapping."""
        if name in mapping:
            before = mapping[name]
            self.undo.append(lambda: mapping.update({name: before}))
        else:
            self.undo.append(lambda: mapping.pop(name, None))
        mapping[name] = value

    def _complete(self, module: ModuleType) -> None:
        """Give a module all names of the library's module, also for ``dir`` and ``import *``."""
        inside = vars(module)
        own = inside.get("__all__") or [name for name in inside if name[0] != "_"]
        paths, origins = self.library.paths(module), self.tables.origins
        star = [name for path in paths for name in origins.starred(path)]
        more = {
            "__getattr__": answer(module, self.library),
            "__all__": list(dict.fromkeys([*own, *star])),
            "__dir__": lambda: sorted({*inside, *self.library.names(module)}),
        }
        # created for the hook, so nothing must be undone
        if module.__name__.partition(".")[0] == self.tables.root:
            inside.update(more)
        for name, value in more.items():
            self.set(inside, name, value)

    def _explained(self, name: str) -> str:
        """Return why a module of this name is missing."""
        parent = name.rpartition(".")[0]
        siblings = [one.rpartition(".")[2] for one in self.modules if one.startswith(parent)]
        return explain(name, None, siblings, self.tables.page)

    def _shorten_path(self) -> None:
        if self.folder in sys.path:
            sys.path.remove(self.folder)

    def _forget_modules(self) -> None:
        for name, module in self.modules.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def answer(module: ModuleType, library: Library) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module while the hook is installed."""
    original = vars(module).get("__getattr__")
    later = set(vars(module).get("__all__", ())) if original else set()
    name_of = library.tables.full(library.paths(module)[0])

    def __getattr__(name: str) -> Any:
        if name[:2] == "__" and name not in library.names(module):
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        if original is not None and name in later:  # the module has the name, and imports it lazily
            return original(name)
        try:
            return library.attribute(module, name)
        except MissingNameError:
            own = None
        if original is not None:
            try:
                return original(name)
            except AttributeError as error:
                own = str(error)
        message = own or explain(f"{name_of}.{name}", None, dir(module), library.tables.page)
        raise error_for(message, name)

    return __getattr__
