"""The checker of the built site finds every kind of fault, and none on a correct page."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "check_site.py"
spec = importlib.util.spec_from_file_location("check_site", SCRIPT)
check_site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_site)

GOOD = """<!doctype html><html><head><title>Page</title>
<link rel="stylesheet" href="site.css"><script src="site.css?v=1"></script></head>
<body><h1 id="page">Page</h1><p>It costs $3, or 3 $ | a --- b.
<a href="#page">here</a> <a href="other/#there">there</a> <a href="https://example.org/x">out</a>
<img src="a%20picture.png" alt="an image"><br>
<code>```{toctree} $x$ :func:`f`</code><pre>.. note:: | --- |
</pre><span class="math notranslate">\\(x\\) $x$</span></p></body></html>"""
OTHER = "<html><head><title>Other</title></head><body><h1>Other</h1><p id=there></body></html>"


def faults(folder, page: str) -> list[str]:
    (folder / "other").mkdir()
    (folder / "other/index.html").write_text(OTHER)
    (folder / "site.css").write_text("")
    (folder / "a picture.png").write_bytes(b"")
    (folder / "index.html").write_text(page)
    return list(check_site.faults(folder))


def test_a_page_that_is_right_has_no_faults(tmp_path):
    assert faults(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('href="site.css"', 'href="gone.css"', "a broken link to gone.css"),
        ('src="site.css?v=1"', 'src="gone.js"', "a broken link to gone.js"),
        ('src="a%20picture.png"', 'src="b.png"', "a broken link to b.png"),
        ("other/#there", "others/", "a broken link to others/"),
        ("other/#there", "other/#here", "a link to other/#here, a missing anchor"),
        ("#page", "#nowhere", "a link to #nowhere, a missing anchor"),
        ("<title>Page</title>", "", "no title"),
        ('<h1 id="page">Page</h1>', '<p id="page">', "no title"),
        ('alt="an image"', 'alt=""', "an image without alternative text"),
        ('alt="an image"', "", "an image without alternative text"),
        ("It costs", "```{toctree}", "a code fence that was not rendered: ```{toctree}"),
        ("It costs", "::::{grid} 2", "a fence of colons that was not rendered: ::::{grid} 2"),
        ("It costs", "{code-cell} python", "a directive that was not rendered"),
        ("It costs", "see :func:`f`", "a role that was not rendered: see :func:`f`"),
        ("It costs", "\n.. note:: this\n", "a directive that was not rendered: .. note:: this"),
        ("It costs", "let $x^2$ be", "a formula that was not rendered: let $x^2$ be"),
        ("It costs", "| --- | --- |", "a table that was not rendered"),
        ("It costs", "[a page](other.md)", "a link that was not rendered"),
        ("It costs", "2<strong>3 and 2</strong>4", "emphasis inside a word, after: 2"),
        (
            "It costs",
            "f(x=&lt;class 'int'&gt;)",
            "a value that was not rendered: f(x=<class 'int'>)",
        ),
        ("It costs", "f(x=&lt;a.B object&gt;)", "a value that was not rendered: f(x=<a.B object>)"),
    ],
)
def test_every_kind_of_fault_is_found(right, wrong, fault, tmp_path):
    assert right in GOOD
    found = faults(tmp_path, GOOD.replace(right, wrong, 1))
    assert any(line.startswith(f"index.html: {fault}") for line in found), found


def test_the_script_fails_where_there_are_faults(tmp_path):
    run = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True)
    assert (run.returncode, "contains no pages" in run.stdout) == (1, True)
    assert faults(tmp_path, GOOD) == []
    run = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, "")
