"""What `make_mxnet_names.py` and `make_megengine_names.py` share: listing every name of a library.

``Listing(...).write(folder)`` writes two files. ``ROOT_names.json.gz``, beside the scripts, is what
``dir`` says of each module and class: the tests ask for all of it. ``names.json``, in the folder of
gluon that stands for the library, says of each name of a module where it comes from, and of each
class its bases and its own names: the hook follows it.
"""

from __future__ import annotations

import ast
import functools
import gzip
import inspect
import json
import pkgutil
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
#: What every module has for Python's sake.
MACHINERY = {
    *("__name__", "__doc__", "__file__", "__loader__", "__spec__", "__builtins__", "__cached__"),
    *("__path__", "__package__", "__warningregistry__"),
}
#: More functions than this are written once.
MANY = 30
#: A value whose text is longer is not worth keeping.
LONGEST = 2000


@functools.cache
def value_of(module: ModuleType, name: str) -> Any:
    """The value of a name of a module; None if computing it fails."""
    try:
        return getattr(module, name)
    except Exception:
        return object()


def names_of(module: ModuleType) -> list[str]:
    """The names in a module, those that only its class has included."""
    return sorted({*vars(module), *dir(module)} - MACHINERY - set(dir(type("Any", (), {}))))


def defined(module: ModuleType) -> set[str]:
    """The names that the source of a module defines at its top level, and does not import."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return set()
    found = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        else:
            for child in ast.iter_child_nodes(node):
                visit(child)

    visit(tree)
    return found


def has_source(module: ModuleType) -> bool:
    return (getattr(module, "__file__", None) or "").endswith(".py")


def literal(value: Any) -> str | None:
    """The text of a plain value; None for any other, and for the path of a file."""
    if isinstance(value, str) and value.startswith("/"):
        return None
    try:
        text = (
            f"{{{str(sorted(value))[1:-1]}}}" if isinstance(value, set) and value else repr(value)
        )
        return text if len(text) <= LONGEST and same(ast.literal_eval(text), value) else None
    except (ValueError, SyntaxError, MemoryError, TypeError):
        return None


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


class Listing:
    """The modules of a library, and where the objects in them are defined.

    Parameters
    ----------
    root : str
        The package.
    skip : set of str
        Modules that cannot be imported, or that do something when they are.
    generated : tuple of str
        Modules in which the library puts functions that it makes while it is imported.
    inside : tuple of str
        What the modules of those functions are called inside.
    """

    def __init__(
        self,
        root: str,
        skip: set[str] = frozenset(),
        generated: tuple[str, ...] = (),
        inside: tuple[str, ...] = (),
    ) -> None:
        self.root, self.skip, self.generated, self.inside = root, skip, generated, inside
        self.every = self.modules()
        self.own = {name: defined(module) for name, module in self.every.items()}
        self.foreign: dict[str, set[str]] = {}
        self.places = defaultdict(list)
        for path, module in self.every.items():
            for name in names_of(module):
                self.places[id(value_of(module, name))].append((path, name))

    def modules(self) -> dict[str, ModuleType]:
        """Every module, those that compiled ones hold included."""
        package = import_module(self.root)
        for one in pkgutil.walk_packages(package.__path__, f"{self.root}.", lambda name: None):
            if one.name not in self.skip:
                import_module(one.name)
        found = [name for name in sys.modules if self.is_own(name) and name not in self.skip]
        return {name: sys.modules[name] for name in sorted(found)}

    def is_own(self, name: str) -> bool:
        """Whether a module, by its name, is of the library."""
        return name.partition(".")[0] == self.root

    def short(self, name: str) -> str:
        """A module's name below the package."""
        return name.removeprefix(self.root).removeprefix(".")

    def home(self, path: str, name: str) -> tuple[str, str]:
        """The module and the name there under which the object ``path.name`` is best known."""
        if name in self.own[path]:
            return path, name
        value = value_of(self.every[path], name)
        if self.outside(value) is not None:
            return path, name
        places = self.places[id(value)]
        stated = (getattr(value, "__module__", None), getattr(value, "__name__", None))
        if stated in places:
            return stated
        there = [one for one in places if one[1] in self.own[one[0]]]
        there = [one for one in there if one[1] == name] or there
        if isinstance(value, (str, int, float, tuple, type(None))):
            there = places = [one for one in there if one[1] == name]
        generated = [one for one in places if self.generated and one[0].startswith(self.generated)]
        compiled = [one for one in places if not has_source(self.every[one[0]])]
        found = there or generated or compiled or [(path, name)]
        return min(found, key=lambda one: (len(one[0]), one))

    def outside(self, value: Any) -> str | None:
        """``module:name`` of an object of another package; None if that cannot be imported."""
        if isinstance(value, ModuleType):
            return None
        if value is FunctionType:
            return "types:FunctionType"
        module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if (
            not isinstance(module, str)
            or not isinstance(name, str)
            or module.startswith((self.root, *self.inside))
        ):
            return None
        try:
            found = import_module(module)
            for step in name.split("."):
                found = getattr(found, step)
        except (ImportError, AttributeError, ValueError):
            return None
        return f"{module}:{name}" if found is value else None

    def record(self, path: str) -> dict[str, Any]:
        """The names of one module, by kind or by origin."""
        found: dict[str, Any] = defaultdict(list)
        values, classes = {}, {}
        module = self.every[path]
        for name in names_of(module):
            value = value_of(module, name)
            home, own = self.home(path, name)
            alias = name if own == name else f"{name}={own}"
            if name == "__all__":
                continue
            if isinstance(value, ModuleType):
                inside = self.is_own(value.__name__)
                target = self.short(value.__name__) or "." if inside else value.__name__
                if value.__name__ != f"{path}.{name}":
                    kind = "modules" if inside else "imports"
                    found[kind].append(name if target == name else f"{name}={target}")
            elif home != path:
                found[f"from {self.short(home) or '.'}"].append(alias)
            elif (where := self.outside(value)) is not None:
                found["imports"].append(f"{name}={where}")
            elif (text := literal(value)) is not None:
                values[name] = text
            elif inspect.isclass(value):
                classes[name] = self.described(value)
            elif callable(value):
                found["functions"].append(name)
            else:
                found["others"].append(name)
        if hasattr(module, "__all__"):
            found["star"] = ["*"] if len(module.__all__) > MANY else sorted(set(module.__all__))
        result: dict[str, Any] = {kind: " ".join(names) for kind, names in sorted(found.items())}
        if values:
            result["values"] = values
        if classes:
            result["classes"] = classes
        return result

    def described(self, owner: type) -> str:
        """``bases: names`` of a class: what ``dir`` says of it, without what its bases have.

        What bases have that are not the library's is kept once, by their names.
        """
        bases = [one for one in owner.__bases__ if self.is_own(one.__module__)]
        others = [one for one in owner.__bases__ if self.outside(one) and one is not object]
        here = [(one.__module__, one.__name__) for one in bases]
        hidden = (owner.__module__, owner.__name__) in here  # behind it is a named tuple
        known = others if hidden else [*bases, *others]
        own = set(self.members(owner)).difference(*map(dir, known))
        for one in others:
            self.foreign.setdefault(one.__name__, set()).update(self.members(one))
        paths = [f"{self.short(one.__module__)}.{one.__name__}" for one in bases]
        if hidden:
            paths = []
        paths += [one.__name__ for one in others]
        return f"{' '.join(paths)}: {' '.join(sorted(own))}"

    def classes(self) -> dict[str, type]:
        """The classes that the modules define, by their path below the package."""
        return {
            f"{self.short(path)}.{name}".lstrip("."): value
            for path, module in self.every.items()
            for name, value in vars(module).items()
            if inspect.isclass(value) and (value.__module__, value.__name__) == (path, name)
        }

    def members(self, owner: type) -> list[str]:
        """What ``dir`` says of a class, without what every class has."""
        return sorted(set(dir(owner)).difference(dir(type("Any", (), {}))))

    def loaded(self) -> list[str]:
        """The modules inside packages of the standard library that importing it brings along."""
        code = f"import sys, {self.root}; print(*sys.modules)"
        words = [sys.executable, "-c", code]
        found = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        return sorted(
            name
            for name in found
            if "." in name
            and (top := name.partition(".")[0]) in sys.stdlib_module_names
            and top not in ("distutils", "encodings")
            and "._" not in name
        )

    def write(self) -> None:
        """Write the two files."""
        known = self.classes()
        listed = {
            "modules": {path: " ".join(names_of(one)) for path, one in self.every.items()},
            "classes": {path: " ".join(self.members(one)) for path, one in sorted(known.items())},
        }
        with gzip.GzipFile(HERE / f"{self.root}_names.json.gz", "wb", mtime=0) as file:
            file.write(json.dumps(listed).encode())
        origins = {self.short(path): self.record(path) for path in self.every}
        foreign = {name: " ".join(sorted(found)) for name, found in sorted(self.foreign.items())}
        origins["."] = {"loads": " ".join(self.loaded()), "foreign": foreign}
        shortened(origins)
        path = HERE.parent / "gluon" / self.root / "names.json"
        path.write_text(json.dumps(origins, indent=0) + "\n")


def shortened(origins: dict[str, dict]) -> None:
    """Write ``@module`` for all functions that another module has."""
    full = {path: found.get("functions", "").split() for path, found in origins.items()}
    large = sorted(
        (path for path in full if len(full[path]) > MANY), key=lambda one: len(full[one])
    )
    for path, found in origins.items():
        for kind in [one for one in found if one == "functions" or one[:5] == "from "]:
            names = found[kind].split()
            others = large[: large.index(path)] if kind == "functions" and path in large else []
            others = [kind[5:]] if kind[5:] in large else others
            inside = [one for one in others if set(full[one]) <= set(names)]
            if inside:
                rest = [name for name in names if name not in full[inside[-1]]]
                found[kind] = " ".join([f"@{inside[-1]}", *rest])
