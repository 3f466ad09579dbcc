"""Sphinx configuration; build with ``make -C docs html``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]  # document this checkout, installed or not

import gluon  # noqa: E402

project = "gluon"
version = release = gluon.__version__
copyright = "the gluon contributors"

extensions = [
    "myst_parser",
    "name_coverage",
    "operator_coverage",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the Parameters section says what an argument is
napoleon_google_docstring = False
napoleon_use_rtype = False
default_role = "code"

html_theme = "furo"
html_title = f"gluon {release}"


def escape_formulas(app, what, name, obj, options, lines):
    """Bars in formulas are no substitution marks, stars as in (n, *spatial) no emphasis."""
    if lines:
        lines[0] = lines[0].replace("|", r"\|")
    lines[:] = [re.sub(r"(?<=[( ])\*(?=[a-z_.]+[),])", r"\\*", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", escape_formulas)
