"""How an import hook finds modules, and reaches subprocesses."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from .errors import MissingModuleError


class Finder(MetaPathFinder, Loader):
    """Finds the modules of another library among gluon's, and says why one is missing.

    Imports only come here for modules that are missing, and for those that somebody has removed
    from ``sys.modules``.

    Parameters
    ----------
    root : str
        The package of the other library.
    modules : callable
        Takes no argument, returns gluon's modules by their names in that library.
    explain : callable
        Takes the whole name of a missing module, returns the message.
    """

    def __init__(
        self,
        root: str,
        modules: Callable[[], Mapping[str, ModuleType]],
        explain: Callable[[str], str],
    ) -> None:
        self.root = root
        self.modules = modules
        self.explain = explain

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of that library; None for all others."""
        if fullname.partition(".")[0] != self.root:
            return None
        if fullname not in self.modules():
            error = MissingModuleError(self.explain(fullname))
            error.name = fullname
            raise error
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make a module, for `exec_module` to replace."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of gluon into the place of `module`."""
        sys.modules[module.__name__] = self.modules()[module.__name__]


def other_paths(folder: str) -> list[str]:
    """The folders in PYTHONPATH, without the `folder` of a hook."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [path for path in given if path not in ("", folder)]
