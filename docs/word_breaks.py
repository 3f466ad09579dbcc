"""Lets long names break between their words, where a line is too short for the whole name.

``GLUON_NATIVE_LEAST`` breaks after an underscore, and ``nn.BatchNorm`` after the dot and before
a capital. `_static/site.css` chooses where names break: in tables, signatures and the index. The
breaks go into the finished page, so that the search still finds whole names.
"""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

#: Where a name can break.
BETWEEN_WORDS = re.compile(r"(?<=[A-Za-z0-9][_./=,(\[-])(?=[A-Za-z0-9])|(?<=[a-z])(?=[A-Z])")
#: Names in code, and headings that begin with the name of a module.
NAMES = re.compile(r'(?<=<span class="pre">)[^<]+|(?<=<h[1-3]>)gluon\.[^<]+')


def allow_breaks(text: str) -> str:
    """Put ``<wbr>`` between the words of names."""
    return BETWEEN_WORDS.sub("<wbr>", text)


def allow_breaks_once(name: str) -> Markup:
    """Return a name with breaks for a template, which would escape a plain string."""
    return name if isinstance(name, Markup) else Markup(allow_breaks(str(escape(name))))


def change_entries(entries: list) -> list:
    """Let names break in entries of the index: a name, and its links, entries below it and key."""
    return [
        (
            allow_breaks_once(name),
            (links, [(allow_breaks_once(below), some) for below, some in inside], key),
        )
        for name, (links, inside, key) in entries
    ]


def change_index(context: dict) -> None:
    """Let names break in the index of names, on each of its pages, and in that of modules."""
    if "genindexentries" in context:
        index = context["genindexentries"]
        context["genindexentries"] = [(letter, change_entries(some)) for letter, some in index]
    if "entries" in context:
        context["entries"] = change_entries(context["entries"])
    if "indextitle" in context:
        context["content"] = [
            (letter, [one._replace(name=allow_breaks_once(one.name)) for one in some])
            for letter, some in context["content"]
        ]


def change_page(app: Any, page: str, template: str, context: dict, doctree: Any) -> None:
    """Let names break in a page, and in the titles of its neighbours."""
    if "body" in context:
        context["body"] = NAMES.sub(lambda name: allow_breaks(name[0]), context["body"])
    change_index(context)
    for way in ("next", "prev"):
        neighbour = context.get(way)
        if neighbour and neighbour["title"].startswith("gluon."):
            context[way] = {**neighbour, "title": allow_breaks(neighbour["title"])}


def setup(app: Any) -> dict:
    app.connect("html-page-context", change_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
