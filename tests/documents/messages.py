"""Every message that an error of gluon can begin with, read from the source.

A message is what stands between the quotes where an exception is made, with `…` for each part
that is filled in when it is raised.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gluon._core import errors

PACKAGE = Path(errors.__file__).resolve().parent.parent
GAP = "…"

#: Methods that make an exception from a part of its message.
MAKERS = {"_damaged", "_unfit", "_ended", "_undefined"}


#: Exceptions that gluon catches itself: why a step has no program.
CAUGHT = {"Failed", "Unknown"}


class Message(NamedTuple):
    place: str  #: path within the package and line
    kind: str  #: the name of the class
    text: str  #: with `…` for what is filled in


def _is_error(name: str, local: set[str]) -> bool:
    made = getattr(errors, name, None) or getattr(builtins, name, None)
    if inspect.isclass(made) and issubclass(made, Exception):
        return not issubclass(made, (StopIteration, Warning))
    return name in local or name in MAKERS


def _texts(node: ast.expr, names: dict[str, ast.expr], depth: int = 0) -> list[str]:
    """Return the possible texts of `node`: several if it chooses between them."""
    if isinstance(node, ast.Constant):
        return [node.value if isinstance(node.value, str) else GAP]
    if isinstance(node, ast.JoinedStr):
        joined = [""]
        for part in node.values:
            chosen = [GAP]
            if isinstance(part, ast.Constant):
                chosen = [str(part.value)]
            elif isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.IfExp):
                chosen = _texts(part.value, names, depth + 1)
            joined = [before + after for before in joined for after in chosen]
        return joined
    if isinstance(node, ast.IfExp):
        return _texts(node.body, names, depth + 1) + _texts(node.orelse, names, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        ends = _texts(node.right, names, depth + 1)
        return [begin + end for begin in _texts(node.left, names, depth + 1) for end in ends]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return [re.sub(r"%\w", GAP, text) for text in _texts(node.left, names, depth + 1)]
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "format":
        return [re.sub(r"{.*?}", GAP, t) for t in _texts(node.func.value, names, depth + 1)]
    if isinstance(node, ast.Name) and node.id in names and depth < 5:
        return _texts(names[node.id], names, depth + 1)
    return [GAP]


def _scan(tree: ast.Module, path: str) -> Iterator[Message]:
    local = {c.name for c in ast.walk(tree) if isinstance(c, ast.ClassDef) and _derives(c)}
    local -= CAUGHT
    everywhere = _assigned(tree.body)

    def walk(node: ast.AST, names: dict[str, ast.expr], own: str = "") -> Iterator[Message]:
        if isinstance(node, ast.ClassDef):
            own = node.name if _derives(node) else ""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = [s for s in ast.walk(node) if isinstance(s, ast.Assign)]
            names = {**names, **_assigned(inner)}
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            name = own if own and name == "__init__" else name  # super().__init__("...")
            if _is_error(name, local) and node.args:
                strings = [a for a in node.args if any(t != GAP for t in _texts(a, names))]
                for text in _texts((strings or node.args)[0], names):
                    yield Message(f"{path}:{node.lineno}", name, " ".join(text.split()))
        for child in ast.iter_child_nodes(node):
            yield from walk(child, names, own)

    yield from walk(tree, everywhere)


def _derives(node: ast.ClassDef) -> bool:
    bases = (getattr(b, "id", getattr(b, "attr", "")) for b in node.bases)
    return any(b.endswith("Error") or _is_error(b, set()) for b in bases)


def _assigned(body: list) -> dict[str, ast.expr]:
    """Return the values of names that the statements of `body` assign once."""
    single = (s for s in body if isinstance(s, ast.Assign) and len(s.targets) == 1)
    return {s.targets[0].id: s.value for s in single if isinstance(s.targets[0], ast.Name)}


def read(source: str, path: str) -> list[Message]:
    """The messages of the errors that a module makes."""
    return list(_scan(ast.parse(source), path))


@cache
def messages() -> list[Message]:
    """The messages of all errors made in the package."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        found += read(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).as_posix())
    return found
