"""A directive for Sphinx: the public functions of one family, documented as those of a namespace.

``functions:: gluon.nd elementwise`` documents what `gluon.nd` has from `gluon/nd/elementwise.py`; a
family outside of the namespace goes by its whole name, ``gluon.nd.creation``.
"""

from __future__ import annotations

from docutils.nodes import Element
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from families import members


class Functions(Directive):
    """Document the functions of a family; another name of one has a line that says so.

    It stands in ``eval-rst``, since what it expands to is reStructuredText.
    """

    required_arguments = 2

    def run(self) -> list:
        space, family = self.arguments
        lines = [f".. py:currentmodule:: {space}", ""]
        for name, others in members(space, family).items():
            lines += [f".. autofunction:: {name}", ""]
            for other in others:
                lines += [
                    f".. py:function:: {other}",
                    "",
                    f"   Another name of :func:`{name}`.",
                    "",
                ]
        node = Element()
        self.state.nested_parse(StringList(lines, source="functions"), 0, node)
        return node.children


def setup(app) -> None:
    app.add_directive("functions", Functions)
