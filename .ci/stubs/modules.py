"""The stubs: what is in the source as it is there, and what is made in a stub beside it.

Jedi goes from a name in a stub to that name in the source, where there is only an assignment. So
what is made stands in a stub without a source: that of ``nd/__init__.py`` in ``nd/_declared.pyi``,
that of ``nd/contrib.py`` in ``nd/_declared_contrib.pyi``.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Any

from . import arrays, symbols
from .source import (
    bound,
    composed,
    exported,
    has_other_arguments,
    imported,
    is_defined,
    origins,
    path,
    seen,
    targets,
    tree,
)

HEAD = """# Made by .ci/make_stubs.py
# mypy: disable-error-code="override"
"""
MODULES = (
    *("nd", "nd._methods", "nd.contrib", "np", "np._methods", "np.linalg", "np.random", "npx"),
    *("megengine._methods", "megengine.functional.elemwise", "megengine.functional.loss"),
    *("megengine.functional.math", "megengine.functional.nn", "megengine.functional", "symbol"),
    *(
        f"symbol.{name}"
        for name in (
            "contrib functions image linalg methods nd_functions np np.linalg np_methods npx random"
        ).split()
    ),
)
#: Where names are from that the source need not import.
SOURCES = {
    "NDArray": "gluon.nd._array",
    **dict.fromkeys(("Any", "Literal", "overload"), "typing"),
    "DTypeLike": "numpy.typing",
    "NpSymbol": "gluon.symbol.np_symbol",
    "Sequence": "collections.abc",
    "Symbol": "gluon.symbol.symbol",
    "Tensor": "gluon.megengine.tensor",
    "ndarray": "gluon.np._array",
}
#: The classes whose methods are in a class of their own.
OWNERS = {"gluon.nd._methods": "NDArray", "gluon.np._methods": "ndarray"}
OWNERS["gluon.megengine._methods"] = "Tensor"


class Stub:
    """The stub of a module, and the one beside it of what is made.

    Parameters
    ----------
    module : str
    """

    def __init__(self, module: str) -> None:
        self.module, self.values = module, vars(import_module(module))
        self.sources = {name: (source, name) for name, source in SOURCES.items()}
        self.lines: list[str] = []
        self.made: list[str] = []
        for node in seen(tree(module).body):
            self._statement(node)
        for name in composed(module) if module.startswith("gluon.symbol.") else ():
            self.made += self._function(name, self.values[name])

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                self._import(node, one)
        elif isinstance(node, ast.FunctionDef) and self._is_shown(node.name):
            value = self.values[node.name]
            if has_other_arguments(value, node):
                self.made += self._function(node.name, value)
            else:
                self.lines += _of_def(node)
        elif isinstance(node, ast.ClassDef):
            self.made.append(f"class {node.name}({', '.join(map(ast.unparse, node.bases))}):")
            self.made += [indent(line, " " * 4) for line in self._inside(node)]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for name in targets(node):
                value = self.values.get(name)
                if inspect.isfunction(value) and name[0] != "_":
                    self.made += self._function(name, value)
                elif self._is_shown(name):
                    self.lines.append(_of_value(name, node, value))

    def _is_shown(self, name: str) -> bool:
        """Whether a name of this module is one for others."""
        if "__all__" in origins(self.module):
            return name in (*self.values["__all__"], "__all__")
        return name in self.values and (name[0] != "_" or name.startswith("__"))

    def _inside(self, node: ast.ClassDef) -> Iterable[str]:
        """The lines of a class."""
        values = vars(self.values[node.name])
        for one in seen(node.body):
            if isinstance(one, ast.FunctionDef):
                yield from _of_def(one, _documented(ast.get_docstring(one)))
            elif isinstance(one, (ast.Assign, ast.AnnAssign)):
                for name in targets(one):
                    if name == "__hash__":
                        yield "def __hash__(self) -> int: ..."
                    elif inspect.isfunction(values[name]):
                        yield from self._function(name, values[name], node.name)
                    elif name != "__slots__":
                        yield _of_value(name, one, values[name])

    def _import(self, node: ast.ImportFrom, one: ast.alias) -> None:
        """What is passed on, unless it is made elsewhere; other imports only if they are needed."""
        source, name = imported(self.module, node), one.asname or one.name
        if one.name == "*":
            for each in exported(source):
                self._pass_on(source, each)
        elif inspect.ismodule(self.values.get(name)) and one.asname == one.name:
            self.lines.append(f"from {'.' * node.level} import {name} as {name}")
        elif one.asname == one.name or name in self.values.get("__all__", ()):
            self._pass_on(source, name)
        else:
            self.sources.setdefault(name, (source, one.name))

    def _pass_on(self, source: str, name: str) -> None:
        """A name that the module has from `source`."""
        is_stubbed = source.removeprefix("gluon.") in MODULES
        if name not in self.values:  # deleted
            return
        if not inspect.isfunction(self.values[name]) or is_stubbed or is_defined(source, name):
            self.lines.append(f"from {source} import {name} as {name}")
        else:
            self.made += self._function(name, self.values[name])

    def _function(self, name: str, value: Callable[..., Any], owner: str = "") -> list[str]:
        """The definitions of a function that is made."""
        forms = symbols.forms(value, owner) if ".symbol" in self.module else None
        if forms is None:
            forms, sources = arrays.forms(value, OWNERS.get(self.module, "") if owner else "")
            self.sources |= sources
        doc = _documented(inspect.getdoc(value))
        lines = []
        for form in forms:
            lines += ["@overload"] if len(forms) > 1 else []
            lines.append(f"def {name}{form}:{doc}")
        return lines

    def _needed(self, lines: list[str]) -> list[str]:
        """The imports that these lines need."""
        read = ast.parse("\n".join(lines))
        used = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
        sources = {**origins(self.module), **self.sources}
        used -= vars(builtins).keys() | bound(read.body)
        by_source: dict[str, list[str]] = {}
        for name in sorted(used & sources.keys()):
            source, there = sources[name]
            one = name if there == name else f"{there} as {name}"
            by_source.setdefault(source, []).append(one)
        needed = [f"from {source} import {', '.join(by_source[source])}" for source in by_source]
        return sorted(needed, key=lambda line: (line.startswith("from ."), line))

    def texts(self) -> dict[Path, str]:
        """The texts of the stub, and of that beside it."""
        place = path(self.module)
        name = f"_declared_{place.stem.strip('_')}".removesuffix("_init")
        lines = [*self.lines]
        found = {}
        if self.made:
            names = sorted(bound(ast.parse("\n".join(self.made)).body))
            lines.insert(0, f"from .{name} import {', '.join(f'{one} as {one}' for one in names)}")
            found[place.with_name(f"{name}.pyi")] = self.made
        found[place.with_suffix(".pyi")] = lines
        return {
            one: "\n".join([HEAD, *self._needed(text), "", *text, ""])
            for one, text in found.items()
        }


def _of_def(node: ast.FunctionDef, doc: str = " ...") -> list[str]:
    """A function of the source, without its body, but for its docstring."""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    lines = [f"@{ast.unparse(one)}" for one in node.decorator_list]
    return [*lines, f"def {node.name}({ast.unparse(node.args)}){returns}:{doc}"]


def _of_value(name: str, node: ast.Assign | ast.AnnAssign, value: Any) -> str:
    """What is assigned to a name that is not of a function."""
    annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
    if annotation and not annotation.endswith("Final"):
        return f"{name}: {annotation}"
    if isinstance(value, (bool, int, float, str)):
        return f"{name}: {type(value).__name__}"
    return f"{name} = {ast.unparse(node.value)}"


def _documented(doc: str | None) -> str:
    """The body of a function: the first line of its docstring."""
    line = (doc or "").partition("\n")[0].replace("\\", "\\\\")
    return f'\n    """{line}"""' if line else " ..."


def all_stubs() -> dict[Path, str]:
    """The text of each stub, by its path."""
    return {
        place: text for module in MODULES for place, text in Stub(f"gluon.{module}").texts().items()
    }
