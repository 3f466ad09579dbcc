"""Every public function of `np` and `npx` has a complete docstring, with examples that run."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from itertools import product

import pytest

from gluon import np, npx
from tests._core.ops.test_docs import sections
from tests.each import each
from tests.test_docstrings import entries

#: Those of `npx.image` are functions of `nd.image`, and of NumPy some are NumPy's own.
FUNCTIONS = {
    f"{value.__module__}.{name}": value
    for package in (np, np.linalg, np.random, npx, npx.random)
    for name in package.__all__
    if inspect.isfunction(value := getattr(package, name))
    if value.__module__.startswith(("gluon.np.", "gluon.npx")) or value.__module__ == "gluon.np"
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
#: The shapes behind the words for shapes, where they come with any dtype.
SHAPES = {
    "any shape and dtype": [(), (2,), (2, 2)],
    "one axis or more, of any dtype": [(2,), (2, 2)],
    "two axes or more, of any dtype": [(2, 2), (2, 2, 2)],
    "one axis, of any dtype": [(2,), (3,)],
}
DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")


#: Functions that need more than the parameters without a default.
NEED_MORE = ("gluon.np.reshape",)  # the new shape, by one of two names


def required(function: Callable) -> dict[str, str]:
    """The parameters of `function` without defaults, and their descriptions in its docstring."""
    said = {
        name: entry
        for head, entry in entries(inspect.cleandoc(function.__doc__), "Parameters")
        for name in head.partition(" : ")[0].split(", ")
    }
    given = inspect.signature(function).parameters.values()
    return {
        one.name: said[one.name]
        for one in given
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }


def promised(function: Callable) -> list[tuple[int, ...]] | None:
    """The shapes that the docstring promises to take in any dtype, alike for all arrays."""
    found = [
        next(
            (
                SHAPES[words]
                for words in SHAPES
                if re.search(rf" : (?!seq).* of {words}(?! but)", entry)
            ),
            None,
        )
        for entry in required(function).values()
    ]
    return found[0] if found and all(one == found[0] for one in found) else None


PROMISED = {
    name: shapes
    for name, function in FUNCTIONS.items()
    if name.startswith("gluon.np.") and not name.startswith(("gluon.np.linalg", "gluon.np.random"))
    if name not in NEED_MORE and (shapes := promised(function)) and len(required(function)) < 3
}


@each("name", FUNCTIONS)
def test_the_docstring_is_complete(name):
    assert sections(FUNCTIONS[name].__doc__) == ["Parameters", "Returns", "Raises", "Examples"]


@each("name", FUNCTIONS)
def test_every_parameter_is_described(name):
    doc = inspect.cleandoc(FUNCTIONS[name].__doc__).split("\nReturns\n")[0]
    described = {word for line in doc.splitlines() for word in line.split(" : ")[0].split(", ")}
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        assert star.get(parameter.kind, "") + parameter.name in described


@pytest.mark.filterwarnings("ignore:Converting input from bool")  # NumPy's, of histograms
@each("name", PROMISED)
def test_arrays_of_the_shapes_and_dtypes_that_are_promised_are_taken(name):
    function, count = FUNCTIONS[name], len(required(FUNCTIONS[name]))
    for shape, dtype in product(PROMISED[name], DTYPES):
        function(*[np.ones(shape, dtype) for _ in range(count)])


@each("name", {**FUNCTIONS, **METHODS, **SWITCHES}, size=10)
def test_the_examples_run(name):
    function = {**FUNCTIONS, **METHODS, **SWITCHES}[name]
    (examples,) = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)
