"""What the pages of the documentation show first, and in which size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def title(path: Path) -> str:
    mark = r"^# # (.+)$" if path.suffix == ".py" else r"^# (.+)$"
    found = re.search(mark, path.read_text(encoding="utf-8"), re.M)
    return found[1] if found else ""


def test_only_one_page_takes_ten_minutes():
    pages = [*DOCS.rglob("*.md"), *(ROOT / "tutorials").glob("*.py")]
    named = {page.stem for page in pages if "ten minutes" in title(page)}
    assert named == {"autograd_in_ten_minutes"}


def test_code_is_as_large_as_the_text_beside_it():
    style = (DOCS / "_static" / "site.css").read_text(encoding="utf-8")
    sizes = re.findall(r"article \.highlight pre \{ font-size: ([^;]+);", style)
    assert sizes == ["1rem"]


def test_benchmarks_name_the_machine_and_the_versions_and_no_goals():
    text = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    for section in text.split("\n## ")[1:]:
        measured = re.search(r"Measured on an .+?(?=\n\n)", section, re.S)[0]
        assert "NumPy" in measured
        assert "cores" in measured
        assert "times(" in section
    assert "goal" not in text


@pytest.mark.parametrize("name", ["differences", "clients"])
def test_long_pages_begin_with_a_summary(name):
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    summary = text[: text.index("\n## ")]
    assert len(re.findall(r"^- ", summary, re.M)) >= 2
    assert len(summary.split()) < 300
    slugs = [re.sub(r"[^\w -]", "", line).lower() for line in re.findall(r"^## (.+)$", text, re.M)]
    anchors = re.findall(r"\(#([\w-]+)\)", summary)
    assert anchors
    assert set(anchors) <= {slug.replace(" ", "-") for slug in slugs}
