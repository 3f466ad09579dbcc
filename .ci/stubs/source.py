"""What the source of modules says: statements, imports, prototypes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

#: The tests of ``if`` that are true, and not, for type checkers.
CHECKED = ("TYPE_CHECKING", "_typing.TYPE_CHECKING")
UNCHECKED = tuple(f"not {test}" for test in CHECKED)


def path(module: str) -> Path:
    """The file of a module."""
    return Path(import_module(module).__file__)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(path(module).read_text(encoding="utf-8"))


def seen(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that type checkers see."""
    for node in body:
        test = ast.unparse(node.test) if isinstance(node, ast.If) else ""
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("_declared"):
            continue  # what is made here
        if test in CHECKED:
            yield from seen(node.body)
        elif test in UNCHECKED:
            yield from seen(node.orelse)
        else:
            yield node


def imported(module: str, node: ast.ImportFrom) -> str:
    """The module that an import in `module` is from."""
    if not node.level:
        return node.module or ""
    is_package = path(module).name == "__init__.py"
    parts = module.split(".")[: None if is_package else -1]
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *filter(None, [node.module])])


def alias(module: str, name: str) -> ast.expr | None:
    """The type for which a name of a module stands, if it is one like ``Axis = int | None``."""
    for node in tree(module).body:
        if isinstance(node, ast.Assign) and targets(node) == [name]:
            kinds = (ast.Name, ast.Subscript, ast.BinOp)
            return node.value if isinstance(node.value, kinds) else None
    return None


@cache
def origins(module: str) -> dict[str, tuple[str, str]]:
    """The module that each name in a module is from, and its name there; for type checkers."""
    found: dict[str, tuple[str, str]] = {}
    for node in seen(tree(module).body):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                found[one.asname or one.name] = (imported(module, node), one.name)
        else:
            found |= {name: (module, name) for name in bound([node])}
    return found


def bound(body: list[ast.stmt]) -> set[str]:
    """The names that statements define, assign or pass on."""
    found = set()
    for node in body:
        if isinstance(node, ast.ImportFrom):
            found |= {one.name for one in node.names if one.asname == one.name}
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            found |= {*targets(node)}
    return found


def exported(module: str) -> list[str]:
    """The names that a module gives to ``from module import *``."""
    public = vars(import_module(module)).get("__all__")
    public = public or [*bound(tree(module).body), *composed(module)]
    return sorted({name for name in public if name[0] != "_"})


def composed(module: str) -> list[str]:
    """The functions of symbols that are made of those of `nd`, which no statement names."""
    values, known = vars(import_module(module)).items(), origins(module)
    own = [name for name, one in values if getattr(one, "__module__", "") == "gluon.symbol"]
    return sorted(name for name in own if name not in known)


def targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    """The names that a statement assigns to."""
    places = node.targets if isinstance(node, ast.Assign) else [node.target]
    inner = [one for place in places for one in getattr(place, "elts", [place])]
    return [one.id for one in inner if isinstance(one, ast.Name)]


def is_defined(module: str, name: str) -> bool:
    """Whether a ``def`` or ``class`` says all about a name of gluon's modules, where it is from."""
    home = origins(module).get(name) if module.startswith("gluon") else None
    if home is None:
        return True
    if home != (module, name):
        return home[1] == name and is_defined(*home)
    for node in tree(module).body:
        if getattr(node, "name", "") == name:
            value = getattr(import_module(module), name)
            return not inspect.isfunction(value) or not has_other_arguments(value, node)
    return False


def has_other_arguments(value: Callable[..., Any], node: ast.FunctionDef) -> bool:
    """Whether a decorator gave a function other arguments than the source says."""
    own = node.args
    names = [one.arg for one in (*own.posonlyargs, *own.args, *own.kwonlyargs)]
    parameters = inspect.signature(value).parameters.values()
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one.name for one in parameters if one.kind not in starred] != names


@cache
def prototypes() -> dict[int, tuple[str, str]]:
    """The module and the name of each function in the source, by the identity of its annotations.

    Functions that are made of others share the annotations with them.
    """
    found = {}
    root = path("gluon").parent
    for file in sorted([*root.glob("*/*.py"), *root.glob("*/*/*.py")]):
        module = ".".join(("gluon", *file.relative_to(root).with_suffix("").parts))
        module = module.removesuffix(".__init__")
        if not module.startswith(("gluon.nd", "gluon.np", "gluon.npx", "gluon.megengine")):
            continue
        if ".pythonpath" in module or module.endswith("__main__"):
            continue
        values = vars(import_module(module))
        for node in tree(module).body:
            if isinstance(node, ast.FunctionDef) and node.name in values:
                value = inspect.unwrap(values[node.name])
                found.setdefault(id(value.__annotations__), (module, node.name))
    return found


def declared(value: Callable[..., Any]) -> tuple[str, list[ast.FunctionDef]]:
    """The module and the definitions, several if overloaded, that say what a function takes."""
    link = value
    while link is not None:
        if place := prototypes().get(id(link.__annotations__)):
            module, name = place
            nodes = [one for one in tree(module).body if getattr(one, "name", "") == name]
            if not has_other_arguments(value, nodes[-1]):
                return module, nodes[:-1] or nodes
        link = getattr(link, "__wrapped__", None)
    text = f"def {value.__name__}{_written(inspect.signature(value))}: ..."
    return inspect.unwrap(value).__globals__["__name__"], ast.parse(text).body


class _Text(str):
    """What stands in a signature as it is."""

    __repr__ = str.__str__


def _written(signature: inspect.Signature) -> inspect.Signature:
    """A signature whose annotations are printed as in the source."""
    parameters = [_as_text(one) for one in signature.parameters.values()]
    return signature.replace(
        parameters=parameters, return_annotation=_Text(signature.return_annotation)
    )


def _as_text(parameter: inspect.Parameter) -> inspect.Parameter:
    kind, default = parameter.annotation, parameter.default
    if kind is parameter.empty and isinstance(default, (bool, int, float, str)):
        kind = type(default).__name__
    if kind is not parameter.empty:
        kind = _Text(kind)
    plain = (bool, int, float, str, tuple, type(None))
    if default is not parameter.empty and not isinstance(default, plain):
        default = _Text("...")
    return parameter.replace(annotation=kind, default=default)
