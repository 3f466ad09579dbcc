"""The signatures of functions of arrays, which are those of their prototypes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .source import alias, declared, origins

#: The type variables of arrays; a method returns the class that it is of.
OF_ARRAYS = ("A",)


class _Types(ast.NodeTransformer):
    """Write annotations so that another module can: aliases as what they stand for.

    Parameters
    ----------
    module : str
        Where the annotations are from.
    owner : str, optional
        What stands in place of the type variables of arrays.
    """

    def __init__(self, module: str, owner: str = "") -> None:
        self.module, self.owner = module, owner
        self.sources: dict[str, tuple[str, str]] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self.owner and node.id in OF_ARRAYS:
            return ast.Name(self.owner)
        if node.id not in origins(self.module):
            return node
        module, name = origins(self.module)[node.id]
        if module.startswith("gluon") and (kind := alias(module, name)):
            types = _Types(module, self.owner)
            kind = types.visit(ast.parse(ast.unparse(kind)).body[0].value)
            self.sources |= types.sources
            return kind
        self.sources[node.id] = (module, name)
        return node


def forms(
    value: Callable[..., Any], owner: str = ""
) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """The signatures of a function, and where the names in them are from.

    Parameters
    ----------
    value : function
    owner : str, optional
        The class of which it is a method: the first argument is the array itself.
    """
    module, nodes = declared(value)
    types, written = _Types(module, owner), []
    for node in nodes:
        node = ast.parse(ast.unparse(node)).body[0]  # a copy
        if owner:
            _bind(node)
        arguments = [one for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        for one in arguments:
            if one.annotation:
                one.annotation = types.visit(one.annotation)
        written.append(f"({ast.unparse(node.args)}) -> {ast.unparse(types.visit(node.returns))}")
    return written, types.sources


def _bind(node: ast.FunctionDef) -> None:
    """Let the first argument be the object of a method."""
    places = node.args.posonlyargs or node.args.args
    if not places:
        node.args.args.insert(0, ast.arg("self"))
    else:
        places[0].arg, places[0].annotation = "self", None
