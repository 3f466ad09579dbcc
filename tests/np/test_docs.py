"""Every public function of `np` and `npx` says what it takes and gives, with examples that run."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pkgutil import iter_modules

import pytest

from gluon import np, npx
from gluon.np._public import functions
from tests.ops.test_docs import sections

PACKAGES = (np, npx)
MODULES = [
    import_module(f"{package.__name__}.{name}")
    for package in PACKAGES
    for _, name, _ in iter_modules(package.__path__)
]
FUNCTIONS = {
    f"{module.__name__}.{name}": function
    for module in MODULES
    for name, function in functions(module).items()
}
METHODS = {
    f"ndarray.{name}": value
    for name in dir(np.ndarray)
    if name[0] != "_" and inspect.isfunction(value := getattr(np.ndarray, name))
}
SWITCHES = {
    f"npx.{name}": getattr(npx, name) for name in npx.__all__ if name.startswith(("is_np", "np_"))
} | {f"npx.{name}": getattr(npx, name) for name in npx.__all__ if "set_np" in name}
SWITCHES |= {f"npx.{name}": getattr(npx, name) for name in npx.__all__ if "use_np" in name}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_is_complete(name):
    assert sections(FUNCTIONS[name].__doc__) == ["Parameters", "Returns", "Raises", "Examples"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_described(name):
    doc = inspect.cleandoc(FUNCTIONS[name].__doc__).split("\nReturns\n")[0]
    described = {word for line in doc.splitlines() for word in line.split(" : ")[0].split(", ")}
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        assert star.get(parameter.kind, "") + parameter.name in described


@pytest.mark.parametrize("name", {**FUNCTIONS, **METHODS, **SWITCHES})
def test_the_examples_run(name):
    function = {**FUNCTIONS, **METHODS, **SWITCHES}[name]
    (examples,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)
