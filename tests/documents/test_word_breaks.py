"""Where names may break on the site: see docs/word_breaks.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

pytest.importorskip("markupsafe")
IndexEntry = pytest.importorskip("sphinx.domains").IndexEntry
sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
word_breaks = importlib.import_module("word_breaks")
sys.path.pop(0)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("GLUON_NATIVE_LEAST", ["GLUON_", "NATIVE_", "LEAST"]),
        ("nn.BatchNorm(axis=1)", ["nn.", "Batch", "Norm(", "axis=", "1)"]),
        ("a&lt;b", ["a&lt;b"]),
        ("copy", ["copy"]),
        ("__len__", ["__len__"]),
    ],
)
def test_names_break_between_words(name, pieces):
    assert word_breaks.allow_breaks(name).split("<wbr>") == pieces


def test_names_in_code_headings_and_neighbours_can_break():
    context = {
        "body": '<h1>gluon.nd</h1><h2>a.b</h2><p>a.b <span class="pre">a.b</span></p>',
        "next": {"title": "gluon.megengine", "link": "a.b.html"},
        "prev": {"title": "In other words.Here"},
    }
    word_breaks.change_page(None, "page", "page.html", context, None)
    assert context == {
        "body": '<h1>gluon.<wbr>nd</h1><h2>a.b</h2><p>a.b <span class="pre">a.<wbr>b</span></p>',
        "next": {"title": "gluon.<wbr>megengine", "link": "a.b.html"},
        "prev": {"title": "In other words.Here"},
    }


def test_a_page_without_text_and_neighbours_stays_as_it_is():
    context = {"title": "Index", "next": None}
    word_breaks.change_page(None, "genindex", "genindex.html", context, None)
    assert context == {"title": "Index", "next": None}


def test_names_in_the_index_can_break():
    entries = [("f() (in a.b)", ([("", "f.html")], [("T<x>.Cell.f() (a.C)", [])], None))]
    context = {"genindexentries": [("F", entries)], "entries": entries}
    word_breaks.change_page(None, "genindex-F", "genindex-single.html", context, None)
    broken = [
        (
            "f() (in a.<wbr>b)",
            ([("", "f.html")], [("T&lt;x&gt;.Cell.<wbr>f() (a.<wbr>C)", [])], None),
        )
    ]
    assert context == {"genindexentries": [("F", broken)], "entries": broken}
    word_breaks.change_page(None, "genindex-F", "genindex-single.html", context, None)
    assert context["entries"] == broken  # and not escaped again
    assert context["entries"][0][0].__html__() == "f() (in a.<wbr>b)"


def test_names_of_modules_can_break():
    entry = IndexEntry("gluon.contrib.data", 2, "api", "module", "", "", "")
    context = {"indextitle": "Modules", "content": [("g", [entry])]}
    word_breaks.change_page(None, "py-modindex", "domainindex.html", context, None)
    (changed,) = context["content"][0][1]
    assert changed == entry._replace(name="gluon.<wbr>contrib.<wbr>data")
