"""Folded parts of the site: see docs/folding.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

nodes = pytest.importorskip("docutils.nodes")
addnodes = pytest.importorskip("sphinx.addnodes")
new_document = importlib.import_module("docutils.utils").new_document

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
folding = importlib.import_module("folding")
sys.path.pop(0)

HTML = SimpleNamespace(builder=SimpleNamespace(format="html"))


def entry(name: str, *inside: Any) -> Any:
    """An entry of the reference: its signature, a sentence, the rest."""
    signature = addnodes.desc_signature("", "", fullname=name)
    texts = [nodes.paragraph(text=text) for text in (f"What {name} does.", "The rest.")]
    return addnodes.desc("", signature, addnodes.desc_content("", *texts, *inside))


def page(*entries: Any) -> Any:
    document = new_document("api/page")
    document += nodes.section("", nodes.title(text="A page"), *entries)
    return document


def folded(document: Any, name: str) -> list[str]:
    """Return the labels of folded parts; each opening tag has its end in the same element."""
    folding.fold(HTML, document, name)
    labels = []
    for raw in document.findall(nodes.raw):
        if raw.astext().startswith("<details"):
            after = [child.astext() for child in raw.parent.children[raw.parent.index(raw) + 1 :]]
            label, end = after[:2]
            assert (end, after[-1]) == ("</summary>", "</details>")
            labels.append(label)
    return labels


def test_of_many_entries_the_first_paragraphs_unfold_the_rest():
    document = page(*(entry(f"f{k}") for k in range(folding.MANY)))
    assert folded(document, "api/page") == [f"What f{k} does." for k in range(folding.MANY)]
    content = next(iter(document.findall(addnodes.desc_content)))
    assert [child.astext() for child in content.children][3:] == ["The rest.", "</details>"]


def test_an_entry_of_one_paragraph_is_not_folded():
    document = page(*(entry(f"f{k}") for k in range(folding.MANY)))
    content = next(iter(document.findall(addnodes.desc_content)))
    del content[1:]
    assert folded(document, "api/page") == [f"What f{k} does." for k in range(1, folding.MANY)]
    assert [type(child) for child in content.children] == [nodes.paragraph]


def test_an_entry_without_a_first_paragraph_is_labelled_by_its_name():
    document = page(*(entry(f"f{k}") for k in range(folding.MANY)))
    content = next(iter(document.findall(addnodes.desc_content)))
    content[0] = nodes.bullet_list("", nodes.list_item("", nodes.paragraph(text="A point.")))
    assert folded(document, "api/page")[0] == "Details of f0"


def test_a_page_with_few_entries_is_shown_in_full():
    assert folded(page(entry("f"), entry("g")), "api/page") == []


def test_of_a_class_with_many_methods_the_methods_are_folded():
    methods = [entry(f"C.m{k}") for k in range(folding.MANY)]
    labels = folded(page(entry("C", *methods), entry("f")), "api/page")
    assert labels == [f"What C.m{k} does." for k in range(folding.MANY)]


@pytest.mark.parametrize(("name", "labels"), [("differences", ["0 differences"]), ("index", [])])
def test_the_sections_of_the_differences_are_folded(name, labels):
    section = nodes.section("", nodes.title(text="Arrays"), nodes.paragraph(text="A table."))
    assert folded(page(section), name) == labels


def test_parts_of_messages_are_hidden_but_found_by_the_search():
    comments = ("<!-- Messages:\n`a < b`\n-->", "<!-- another -->")
    document = page(*(nodes.raw("", text, format="html") for text in comments))
    assert folded(document, "errors/data") == []
    hidden, other = (raw.astext() for raw in document.findall(nodes.raw))
    assert hidden == '<div hidden="hidden">`a &lt; b`\n</div>'  # the search reads what is no tag
    assert other == "<!-- another -->"


def test_other_builders_get_everything():
    document = page(*(entry(f"f{k}") for k in range(folding.MANY)))
    folding.fold(SimpleNamespace(builder=SimpleNamespace(format="latex")), document, "api/page")
    assert list(document.findall(nodes.raw)) == []
