"""A directive for Sphinx: a table of MXNet's modules, and which of their names gluon lacks."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from functools import reduce
from pathlib import Path
from typing import Any

from docutils.nodes import Element
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

import gluon.mxnet
from gluon.mxnet.modules import reason_for
from gluon.mxnet.table import LATER

ROOT = Path(__file__).resolve().parent.parent
NAMES = json.loads((ROOT / "tests" / "reference" / "mxnet_names.json").read_text())


def table() -> list[str]:
    """In Markdown, a row for each of MXNet's modules."""
    lines = ["| Module | Names | Missing |", "| --- | --- | --- |"]
    with gluon.mxnet.installed():
        import mxnet  # noqa: F401

        for path, words in NAMES.items():
            if path in sys.modules or path.rpartition(".")[2].islower():
                lines.append(row(path, words.split()))
    return lines


def row(path: str, names: list[str]) -> str:
    """What gluon has of the module `path`."""
    try:
        place = reduce(getattr, path.split(".")[1:], sys.modules["mxnet"])
    except AttributeError:
        return f"| `{path}` | none | {reason_for(path)} |"
    if later := LATER.get(path.removeprefix("mxnet.")):
        return f"| `{path}` | to import and compare | {'; '.join(later)} |"
    missing = defaultdict(list)
    for name in names:
        if not hasattr(place, name):
            missing[reason_for(f"{path}.{name}")].append(f"`{name}`")
    notes = "; ".join(f"{', '.join(which)}: {reason}" for reason, which in missing.items())
    there = len(names) - sum(map(len, missing.values()))
    return f"| `{path}` | {there} of {len(names)} | {notes} |"


class NameCoverage(Directive):
    """``name-coverage``: the table of all modules."""

    def run(self) -> list:
        node = Element()
        self.state.nested_parse(StringList(table(), source="name-coverage"), 0, node)
        return node.children


def setup(app: Any) -> dict:
    app.add_directive("name-coverage", NameCoverage)
    return {"parallel_read_safe": True}
