"""Every public function documents its arguments, results and errors, with examples that run."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

from gluon import autograd, nd, operator, random
from gluon.nd._public import operators
from tests.each import each

SECTIONS = ["Parameters", "Returns", "Raises", "Examples"]
MODULES = [import_module(f"gluon.nd.{name}") for _, name, _ in iter_modules(nd.__path__)]
FUNCTIONS = {
    f"{module.__name__.removeprefix('gluon.nd.')}.{name}": function
    for module in MODULES
    for name, function in operators(module).items()
    if name[0] != "_"
}


def functions(owner: Any, prefix: str) -> dict[str, Callable]:
    """The functions in the public names of a module or a class, but for those in `FUNCTIONS`."""
    names = owner.__all__ if isinstance(owner, ModuleType) else vars(owner)
    found = {f"{prefix}.{name}": getattr(owner, name, None) for name in names if name[0] != "_"}
    known = set(FUNCTIONS.values())
    return {
        name: value
        for name, value in found.items()
        if inspect.isfunction(value) and value not in known
    }


#: The functions that are not operators: those that make arrays, that record, and methods.
OTHERS = {
    **functions(nd, "nd"),
    **functions(nd.NDArray, "NDArray"),
    **functions(autograd, "autograd"),
    **functions(operator, "operator"),
    **functions(random, "random"),
}
CLASSES = [nd.NDArray, autograd.Function, operator.CustomOp, operator.CustomOpProp]


def sections(doc: str | None) -> list[str]:
    """The titles of `SECTIONS` in a docstring, in order."""
    titles = re.findall(r"^(\w[\w ]*)\n-{3,}$", inspect.cleandoc(doc or ""), re.M)
    return [title for title in titles if title in SECTIONS]


def needed(function: Callable) -> list[str]:
    """The required sections of a function that may raise nothing."""
    signature = inspect.signature(function)
    takes = [name for name in signature.parameters if name != "self"]
    gives = signature.return_annotation not in (None, "None")
    return ["Parameters"] * bool(takes) + ["Returns"] * gives + ["Examples"]


@each("name", FUNCTIONS)
def test_the_docstring_is_complete(name):
    assert sections(FUNCTIONS[name].__doc__) == SECTIONS


@each("name", OTHERS)
def test_the_docstring_says_what_goes_in_and_out(name):
    found = sections(OTHERS[name].__doc__)
    assert [title for title in found if title != "Raises"] == needed(OTHERS[name])


@pytest.mark.parametrize("cls", CLASSES)
def test_the_methods_of_a_class_say_what_they_take_and_give(cls):
    assert "Examples" in sections(cls.__doc__)
    for method in functions(cls, cls.__name__).values():
        assert set(sections(method.__doc__)) >= {*needed(method)} - {"Examples", "Returns"}


@each("name", {**FUNCTIONS, **OTHERS}, size=10)
def test_the_examples_run(name):
    function = {**FUNCTIONS, **OTHERS}[name]
    (examples,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)
