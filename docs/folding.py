"""Folds what makes a page long, so that the page itself is its table of contents.

On a page of the API reference with many entries, each entry shows its signature and its first
paragraph, which unfolds the rest. Sections of the pages of `FOLDED` unfold as well.
`_static/filter.js` unfolds what a link points to, and adds a field that finds entries and sections
by their words. The pages about errors list parts of messages in comments: no page shows them, but
the search finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from sphinx import addnodes

#: Pages with folded sections.
FOLDED = {"differences"}
#: With fewer entries than this, none is folded.
MANY = 12
#: How a comment begins that lists parts of messages.
MESSAGES = "<!-- Messages:"


def fold(app: Any, doctree: nodes.document, page: str) -> None:
    """Fold entries of the reference and sections of the pages of `FOLDED`; hide messages."""
    if app.builder.format != "html":
        return
    if page in FOLDED:
        for section in list(doctree.findall(nodes.section))[1:]:
            rows = [row for body in section.findall(nodes.tbody) for row in body.children]
            wrap(section, 1, nodes.Text(f"{len(rows)} {page}"))
    elif page.startswith("errors/"):
        for comment in list(doctree.findall(nodes.raw)):
            if comment.astext().startswith(MESSAGES):
                phrases = escape(comment.astext()[len(MESSAGES) :].strip().removesuffix("-->"))
                hidden = f'<div hidden="hidden">{phrases}</div>'
                comment.parent.replace(comment, nodes.raw("", hidden, format="html"))
    elif page.startswith("api/"):
        for content in entries(doctree):
            first = content.children[0]
            if isinstance(first, nodes.paragraph):
                content.remove(first)
                wrap(content, 0, *first.children)
            else:
                name = content.parent.children[0].get("fullname", "this entry")
                wrap(content, 0, nodes.Text(f"Details of {name}"))


def entries(parent: nodes.Element) -> Iterator[nodes.Element]:
    """Yield the contents of the outermost entries, or if these are few, of the methods in them."""
    contents = [
        desc.children[-1] for desc in parent.findall(addnodes.desc) if outer(desc) is parent
    ]
    if len(contents) >= MANY:
        yield from contents
    else:
        for content in contents:
            yield from entries(content)


def outer(desc: addnodes.desc) -> nodes.Element:
    """Return the contents of the enclosing entry, or the page."""
    node = desc.parent
    while not isinstance(node, (addnodes.desc_content, nodes.document)):
        node = node.parent
    return node


def wrap(parent: nodes.Element, start: int, *label: nodes.Node) -> None:
    """Move the children of `parent` from `start` on into an element that unfolds below `label`."""
    rest = parent.children[start:]
    if rest:
        tags = '<details class="fold"><summary>', "</summary>", "</details>"
        opening, middle, closing = (nodes.raw("", tag, format="html") for tag in tags)
        parent[start:] = [opening, *label, middle, *rest, closing]
    else:
        parent += nodes.paragraph("", "", *label)


def setup(app: Any) -> dict:
    app.connect("doctree-resolved", fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
