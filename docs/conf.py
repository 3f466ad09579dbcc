"""Sphinx configuration; build with ``make -C docs html``."""

from __future__ import annotations

import inspect
import os
import re
import sys
from pathlib import Path

from sphinx.util.inspect import stringify_signature

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]  # document this checkout, installed or not

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

# Pages with code cells are run while the site is built; `jupyter-cache` keeps what they printed.
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "cache"
nb_execution_timeout = 600  # of a cell: several times what the longest takes
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_merge_streams = True
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT), str(ROOT / "docs"), os.environ.get("PYTHONPATH", "")]
)
os.environ["IPYTHONDIR"] = str(ROOT / "docs" / "ipython")
os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # pictures go to the page
os.environ["MATPLOTLIBRC"] = str(ROOT / "docs" / "matplotlibrc")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the programs are small
os.environ["TQDM_DISABLE"] = "1"  # progress is for those who wait, not for the page

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the Parameters section says what an argument is
napoleon_google_docstring = False
napoleon_use_rtype = False
default_role = "code"
suppress_warnings = ["ref.python"]  # a type in a docstring goes by its short name

html_theme = "furo"
html_title = f"gluon {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_split_index = True  # a page for each letter: all on one are 47,000 pixels


def gather(docs):
    """Copy what stands elsewhere in the repository to where Sphinx finds it."""
    for script in (ROOT / "tutorials").glob("*.py"):
        text = script.read_text()
        if text.startswith("# %%"):
            target = docs / "tutorials" / script.name
            if not target.exists() or target.read_text() != text:
                target.write_text(text)


gather(Path(__file__).parent)


def escape_formulas(app, what, name, obj, options, lines):
    """Bars in formulas are no substitution marks, and stars as in (n, *spatial) no emphasis."""
    if lines:
        lines[0] = lines[0].replace("|", r"\|")
    for k, line in enumerate(lines):
        parts = re.split("(`+[^`]*`+)", line)  # every second one is code, and stays as it is
        parts[::2] = [re.sub(r"(?<=[( ])\*(?=[a-z_.]+[),])", r"\\*", part) for part in parts[::2]]
        lines[k] = "".join(parts)


def show_arguments(app, what, name, obj, options, signature, returns):
    """Show what `__init__` takes where autodoc finds a `__new__`; of a default module, its name."""
    if what == "class" and signature == "(*args, **kwargs)":
        signature = stringify_signature(inspect.signature(obj), show_annotation=False)
    if signature:
        signature = re.sub(r"<module '([\w.]+)'[^>]*>", r"\1", signature)
    return signature, returns


def setup(app):
    app.connect("autodoc-process-docstring", escape_formulas)
    app.connect("autodoc-process-signature", show_arguments)
