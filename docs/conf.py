"""Sphinx configuration; build with ``make -C docs html``."""

from __future__ import annotations

import inspect
import os
import re
import sys
from pathlib import Path

from sphinx.util.inspect import stringify_signature

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]  # document this checkout, even if gluon is installed

import gluon  # noqa: E402

project = "gluon"
version = release = gluon.__version__
copyright = "the gluon contributors"

extensions = [
    "myst_nb",
    "folding",
    "function_family",
    "name_coverage",
    "np_coverage",
    "onnx_coverage",
    "operator_coverage",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "word_breaks",
]
exclude_patterns = ["_build", "ipython", "*.py"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

# Pages with code cells run during the build; `jupyter-cache` keeps their output.
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "cache"
nb_execution_timeout = 600  # the timeout of a cell: several times the longest
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_merge_streams = True
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT), str(ROOT / "docs"), os.environ.get("PYTHONPATH", "")]
)
os.environ["IPYTHONDIR"] = str(ROOT / "docs" / "ipython")
os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # show pictures in the page
os.environ["MATPLOTLIBRC"] = str(ROOT / "docs" / "matplotlibrc")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the programs are small
os.environ["TQDM_DISABLE"] = "1"  # no progress bars in pages

autodoc_member_order = "bysource"
autodoc_default_options = {"no-value": True}  # docstrings describe the values of attributes
autodoc_typehints = "none"  # the Parameters section has the types of arguments
napoleon_google_docstring = False
napoleon_use_rtype = False
default_role = "code"
suppress_warnings = ["ref.python"]  # link types in docstrings by their short names

html_theme = "furo"
html_logo = html_favicon = "_static/logo.svg"  # drawn by logo.py
html_title = f"gluon {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_split_index = True  # one page per letter: a single page would have 47,000 pixels


def gather(docs):
    """Copy files from the repository to where Sphinx finds them."""
    for script in (ROOT / "tutorials").glob("*.py"):
        text = script.read_text()
        if text.startswith("# %%"):
            target = docs / "tutorials" / script.name
            if not target.exists() or target.read_text() != text:
                target.write_text(text)


gather(Path(__file__).parent)


def escape_formulas(app, what, name, obj, options, lines):
    """Escape bars in formulas, which are no substitution marks, and stars as in (n, *spatial)."""
    if lines:
        lines[0] = lines[0].replace("|", r"\|")
    for k, line in enumerate(lines):
        parts = re.split("(`+[^`]*`+)", line)  # every second part is code, and is not changed
        parts[::2] = [re.sub(r"(?<=[( ])\*(?=[a-z_.]+[),])", r"\\*", part) for part in parts[::2]]
        lines[k] = "".join(parts)


#: How Python shows a default value, and what its signature says instead.
DEFAULTS = {
    r"<module '([\w.]+)'[^>]*>": r"\1",
    r"<class '(?:gluon\.(?:\w+\.)*)?([\w.]+)'>": r"\1",
    r"<function (?:[\w.<>]+\.)?(\w+)(?: at \w+)?>": r"\1",
    r"<(?:\w+\.)*(\w+) object(?: at \w+)?>": r"\1(...)",
}


def show_arguments(app, what, name, obj, options, signature, returns):
    """Show the arguments of `__init__` where autodoc finds `__new__`, and defaults by name."""
    if what == "class" and signature == "(*args, **kwargs)":
        signature = stringify_signature(inspect.signature(obj), show_annotation=False)
    for shown, name in DEFAULTS.items():
        signature = signature and re.sub(shown, name, signature)
    return signature, returns


def setup(app):
    app.connect("autodoc-process-docstring", escape_formulas)
    app.connect("autodoc-process-signature", show_arguments)
