"""Sphinx directives: the functions of one family, and a summary table of a module.

``functions:: gluon.nd elementwise`` documents what `gluon.nd` has from `gluon/nd/elementwise.py`; a
family outside of it has its whole name, ``gluon.nd.creation``. With the option ``:no-index:``, the
functions are not in the index.
``summary:: gluon.nn``
is a table of its public names with the first sentence of each, by the file that defines them.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections import defaultdict
from typing import Any, ClassVar

from docutils.nodes import Element
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from families import members


class Functions(Directive):
    """Documents the functions of a family, with a line for each alias.

    It stands in ``eval-rst``, since what it expands to is reStructuredText.
    """

    required_arguments = 2
    option_spec: ClassVar = {"no-index": directives.flag}

    def run(self) -> list:
        space, family = self.arguments
        options = [f"   :{name}:" for name in self.options]
        lines = [f".. py:currentmodule:: {space}", ""]
        for name, others in members(space, family).items():
            lines += [f".. autofunction:: {name}", *options, ""]
            for other in others:
                lines += [
                    f".. py:function:: {other}",
                    *options,
                    "",
                    f"   Another name of :func:`{name}`.",
                    "",
                ]
        node = Element()
        self.state.nested_parse(StringList(lines, source="functions"), 0, node)
        return node.children


class Summary(Directive):
    """A Markdown table of the public names of a module."""

    required_arguments = 1

    def run(self) -> list:
        space = self.arguments[0]
        module = importlib.import_module(space)
        rows: dict[str, list[str]] = defaultdict(list)
        for name in module.__all__:
            value = getattr(module, name)
            title = sys.modules[value.__module__].__doc__.partition("\n")[0].rstrip(".")
            sentence = inspect.getdoc(value).partition("\n\n")[0].replace("\n", " ")
            rows[title].append(f"| {{py:obj}}`{name} <{space}.{name}>` | {sentence} |")
        lines = []
        for title, some in sorted(rows.items()):
            lines += [f"| {title} | |", "| --- | --- |", *some, ""]
        node = Element()
        self.state.nested_parse(StringList(lines, source="summary"), 0, node)
        return node.children


def setup(app: Any) -> dict:
    app.add_directive("functions", Functions)
    app.add_directive("summary", Summary)
    return {"parallel_read_safe": True}
