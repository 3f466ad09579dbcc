"""Where each name in the modules of another library comes from, according to a ``names.json``.

The file is made beside the real library. It says of each module, by the path below its package:

- ``modules``, ``imports``, ``from MODULE``: names that it imports, as ``name`` or ``name=origin``;
- ``functions``, ``classes``, ``others``, ``values``: names that it defines, values with their text.
  A class comes with ``bases: members``; ``@MODULE`` among functions is all that MODULE has;
- ``star``: what ``import *`` takes, where that is not every public name.

Beside the modules, ``.`` has what importing the package loads, and what base classes from elsewhere
have.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

#: Kinds of names that a module defines itself.
OWN = ("functions", "classes", "others")


class Origin(NamedTuple):
    """What a name in a module is: its kind, and where it comes from."""

    kind: str
    where: str


class Class(NamedTuple):
    """What is known of a class: paths of its bases, and what it has that they have not."""

    bases: list[str]
    members: list[str]


class Origins:
    """The content of a ``names.json``, read when it is first asked for.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names: dict[str, dict[str, Origin]] = {}

    @cached_property
    def read(self) -> dict[str, dict[str, Any]]:
        """What is known of each module."""
        return json.loads(self.path.read_text(encoding="utf-8"))

    def modules(self) -> list[str]:
        """The paths of all modules; an empty one for the package itself."""
        return [path for path in self.read if path != "."]

    def loaded(self) -> list[str]:
        """Modules of the standard library, inside packages, that importing the package loads."""
        return self.read["."]["loads"].split()

    def names(self, path: str) -> dict[str, Origin]:
        """The names in a module and what they are; its submodules are left out."""
        if path not in self._names:
            self._names[path] = dict(self._listed(path))
        return self._names[path]

    def _listed(self, path: str) -> Iterator[tuple[str, Origin]]:
        """Yield the names in a module."""
        for kind, words in self.read.get(path, {}).items():
            if kind == "values":
                yield from ((name, Origin(kind, text)) for name, text in words.items())
            elif kind == "classes":
                yield from ((name, Origin(kind, name)) for name in words)
            elif kind != "star":
                for word in self._spelled_out(words):
                    name, _, where = word.partition("=")
                    yield name, Origin(kind, where or name)

    def _spelled_out(self, words: str) -> Iterator[str]:
        """Replace ``@MODULE`` by the names in that module."""
        for word in words.split():
            if word[0] == "@":
                yield from self._spelled_out(self.read[word[1:]]["functions"])
            else:
                yield word

    @cached_property
    def importers(self) -> dict[tuple[str, str], list[str]]:
        """For a name of a module, the other modules that have it under the same name."""
        found: dict[tuple[str, str], list[str]] = {}
        for path in self.modules():
            for name, (kind, where) in self.names(path).items():
                if kind[:5] == "from " and where == name:
                    found.setdefault((kind[5:].removeprefix("."), name), []).append(path)
        return found

    def starred(self, path: str) -> list[str]:
        """What ``from MODULE import *`` takes."""
        star = self.read.get(path, {}).get("star")
        known = self.names(path)
        if star == "*":
            return [
                one for one, origin in known.items() if origin.kind not in ("imports", "modules")
            ]
        return star.split() if star is not None else [name for name in known if name[0] != "_"]

    @cached_property
    def foreign(self) -> dict[str, list[str]]:
        """What classes have that the library derives from and does not define, by their names."""
        return {name: words.split() for name, words in self.read["."]["foreign"].items()}

    @cached_property
    def classes(self) -> dict[str, Class]:
        """Every class by its path."""
        found = {}
        for path, kinds in self.read.items():
            for name, words in kinds.get("classes", {}).items():
                bases, _, members = words.partition(":")
                found[f"{path}.{name}".lstrip(".")] = Class(bases.split(), members.split())
        return found


def value(text: str) -> Any:
    """The plain value whose text is recorded."""
    return ast.literal_eval(text)
