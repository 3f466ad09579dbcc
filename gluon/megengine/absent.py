"""The error for a missing name of MegEngine."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Any

from .._core.hints.lookup import error_for
from .._hook.library import Tables
from .._hook.missing import explain
from .._hook.origins import Origins
from .table import ADDED, ALIASES, HELPERS, MODULES, NAMES, PACKAGE, PAGE, REASONS

ROOT = "megengine"
#: The module of MegEngine with its operators.
OPERATORS = "core._imperative_rt.ops"


def _operator(path: str, name: str) -> Any:
    """Return the class of an operator, or a function of another module; None if missing."""
    package = path.partition(".")[0]
    if package in ("functional", "module"):
        return vars(import_module(f"{PACKAGE}.{package}")).get(name)
    return getattr(import_module(f"{HELPERS}.operators"), name, None) if path == OPERATORS else None


TABLES = Tables(
    root=ROOT,
    page=PAGE,
    origins=Origins(Path(__file__).with_name("names.json")),
    modules=MODULES,
    reasons=REASONS,
    aliases=ALIASES,
    added=ADDED,
    helpers=HELPERS,
    names=NAMES,
    operator=_operator,
)


def explained(module: str, name: str, names: Collection[str]) -> str:
    """Explain in one line why `module`, without the package, lacks `name`."""
    path = f"{module}.{name}".lstrip(".")
    known = name in TABLES.origins.names(module) or path in TABLES.origins.modules()
    return explain(
        TABLES.full(path), TABLES.reason(TABLES.home(module, name)) if known else None, names, PAGE
    )


def missing(module: str, names: Collection[str]) -> Callable[[str], object]:
    """Return a module's ``__getattr__`` that raises a clear error for a missing name.

    Parameters
    ----------
    module : str
        Without the package: ``"functional"``, or ``""`` for the package itself.
    names : collection of str
        What the module has.
    """

    def __getattr__(name: str) -> object:
        if name[:2] == "__":
            raise AttributeError(f"module {module or ROOT!r} has no attribute {name!r}")
        raise error_for(explained(module, name, names), name)

    return __getattr__
