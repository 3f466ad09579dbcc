"""A Sphinx directive: the functions of one family.

``functions:: gluon.nd elementwise`` documents what `gluon.nd` has from `gluon/nd/elementwise.py`; a
family outside of it has its whole name, ``gluon.nd.creation``. With the option ``:no-index:``, the
functions are not in the index.
"""

from __future__ import annotations

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


def setup(app: Any) -> dict:
    app.add_directive("functions", Functions)
    return {"parallel_read_safe": True}
