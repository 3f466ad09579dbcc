"""Every public function of `nd` says what it takes, gives and raises, with examples that run."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from gluon import nd
from gluon.nd._public import operators

#: The modules of `gluon.nd` whose functions are not described in full yet.
STILL_WITHOUT = set(
    """attention boxes contrib conv custom image indexing linalg nn normalization outputs
    sequence""".split()
)
SECTIONS = ["Parameters", "Returns", "Raises", "Examples"]
MODULES = {name: import_module(f"gluon.nd.{name}") for _, name, _ in iter_modules(nd.__path__)}
FUNCTIONS = {
    f"{family}.{name}": function
    for family, module in MODULES.items()
    if family not in STILL_WITHOUT
    for name, function in operators(module).items()
    if name[0] != "_"
}


def sections(doc: str) -> list[str]:
    """The titles in a docstring, in order."""
    return re.findall(r"^(\w[\w ]*)\n-{3,}$", inspect.cleandoc(doc), re.M)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_is_complete(name):
    found = sections(FUNCTIONS[name].__doc__ or "")
    assert [title for title in found if title in SECTIONS] == SECTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_examples_run(name):
    function = FUNCTIONS[name]
    (examples,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)


def test_only_existing_modules_are_still_without():
    assert set(MODULES) >= STILL_WITHOUT
