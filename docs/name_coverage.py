"""A Sphinx directive: a table of MXNet's modules, and which of their names fail when used."""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from docutils.nodes import Element
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

import gluon.mxnet
from gluon._hook.missing import Later

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "recorded" / "mxnet_names.json.gz"
NAMES = json.loads(gzip.decompress(FILE.read_bytes()))["modules"]

#: More names than this with one reason are only counted.
MANY = 12


def table() -> list[str]:
    """Return a Markdown table with a row for each of MXNet's modules."""
    lines = ["| Module | Names that work | Names that fail when used |", "| --- | --- | --- |"]
    with gluon.mxnet.installed():
        lines += [row(path, words.split()) for path, words in NAMES.items() if "._" not in path]
    return lines


def row(path: str, names: list[str]) -> str:
    """Return the row of the module `path`: which public names work."""
    module = sys.modules[path]
    failing = defaultdict(list)
    public = [name for name in names if name[0] != "_"]
    for name in public:
        value = getattr(module, name)
        if type(value) is Later or (isinstance(value, type) and "_reason" in vars(value)):
            failing[value._reason].append(f"`{name}`")
    notes = "; ".join(f"{briefly(which)}: {reason}" for reason, which in failing.items())
    there = len(public) - sum(map(len, failing.values()))
    return f"| `{path}` | {there} of {len(public)} | {notes} |"


def briefly(names: list[str]) -> str:
    """Return the names, or their number if there are many."""
    return ", ".join(names) if len(names) <= MANY else f"{len(names)} names"


class NameCoverage(Directive):
    """``name-coverage``: the table of all modules."""

    def run(self) -> list:
        node = Element()
        self.state.nested_parse(StringList(table(), source="name-coverage"), 0, node)
        return node.children


def setup(app: Any) -> dict:
    app.add_directive("name-coverage", NameCoverage)
    return {"parallel_read_safe": True}
