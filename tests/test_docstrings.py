"""Docstrings of public names document arguments, results and errors, with examples that run.

Those of `np` and `npx` have tests of their own for all but arrays, and so have the operators of
`nd`, whose docstrings are held to more than is asked here. Those of `megengine`, `mxnet` and
`test_utils`, which are made for scripts that know the original, need no more than a sentence: of
them is asked that it is true.
"""

from __future__ import annotations

import ast
import doctest
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from tests._core.ops.test_docs import FUNCTIONS, sections
from tests.documents.test_api_pages import public
from tests.each import each

#: Modules with a test of their own.
ELSEWHERE = ("gluon.np", "gluon.npx")
#: Faces made for compatibility alone.
COMPATIBLE = ("gluon._hook", "gluon.megengine", "gluon.mxnet", "gluon.test_utils")
#: The methods behind making an instance and calling it.
MADE_OR_CALLED = ("__new__", "__init__", "__call__")
#: Functions that call one that can raise, but never so that it does, and why.
NEVER_RAISES = {
    "clip_grad_norm": "the norm is that of a flat tensor, which needs no axis",
}


def everything() -> dict[str, Any]:
    """Return the public functions and classes by name, each once."""
    found: dict[int, tuple[str, Any]] = {}
    for path, names in public().items():
        for name in names:
            value = getattr(import_module(path), name)
            found.setdefault(id(value), (f"{path}:{name}", value))
    return dict(found.values())


def methods(cls: type) -> dict[str, Callable]:
    """Return the public methods that a class is the first to define."""
    own = {
        name: getattr(value, "__func__", value)
        for name, value in vars(cls).items()
        if name[0] != "_" and not any(name in vars(base) for base in cls.__mro__[1:])
    }
    return {name: value for name, value in own.items() if inspect.isfunction(value)}


EVERYTHING = everything()
KNOWN = {
    name: value
    for name, value in EVERYTHING.items()
    if not value.__module__.startswith((*ELSEWHERE, *COMPATIBLE))
}
FACES = {
    name: value for name, value in EVERYTHING.items() if value.__module__.startswith(COMPATIBLE)
}
CLASSES = {name: value for name, value in KNOWN.items() if inspect.isclass(value)}
METHODS = {
    f"{name}.{method}": (cls, value)
    for name, cls in CLASSES.items()
    for method, value in methods(cls).items()
}
#: Methods that apply a block: the class documents them, but their arrays are its own.
APPLIED = {
    f"{name}.{method}": vars(cls)[method]
    for name, cls in CLASSES.items()
    for method in ("forward", "hybrid_forward", "__call__")
    if inspect.isfunction(vars(cls).get(method))
}
#: Functions created by a table, in no module where doctest looks for examples.
MADE = {
    name: value
    for name, value in (KNOWN | FACES).items()
    if inspect.isfunction(value) and value not in FUNCTIONS.values()
    if value.__globals__ is not vars(sys.modules[value.__module__])
    if inspect.unwrap(value) is value
}


def parameters(function: Any) -> list[str]:
    """Return the names that must be described; those behind stars are optional."""
    try:
        given = inspect.signature(function).parameters.values()
    except ValueError:  # an exception has no signature
        return []
    stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one.name for one in given if one.kind not in stars and one.name not in ("self", "cls")]


def gives(function: Any) -> bool:
    """Whether a call has a result."""
    wanted = getattr(function, "__annotations__", {}).get("return", "None")
    return not inspect.isclass(function) and wanted not in (None, "None", "NoReturn")


@functools.cache
def tree(function: Callable) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def raises(function: Callable) -> bool:
    """Whether a function has a ``raise`` of its own."""
    return any(isinstance(node, ast.Raise) for node in ast.walk(tree(function)))


def called(function: Callable) -> Iterator[Callable]:
    """The functions of gluon that a function calls by their name."""
    for node in ast.walk(tree(function)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            other = inspect.unwrap(function.__globals__.get(node.func.id) or len)
            if inspect.isfunction(other) and other.__module__.startswith("gluon."):
                yield other


def may_raise(value: Any) -> bool:
    """Whether a function, or creating or calling an instance of a class, can raise."""
    if inspect.isclass(value):
        own = [base for base in value.__mro__ if base is value or base.__name__[0] == "_"]
        steps = [vars(base).get(name) for base in own for name in MADE_OR_CALLED]
        return any(may_raise(step) for step in steps if inspect.isfunction(step))
    function = inspect.unwrap(value)
    if function.__name__ in NEVER_RAISES:
        return False
    return raises(function) or any(raises(other) for other in called(function))


def described(doc: str, name: str) -> bool:
    """Whether `name` has a line in the section of parameters."""
    section = doc.partition("\nParameters\n")[2].partition("\n\n")[0]
    return bool(re.search(rf"^(?:.*, )?{re.escape(name)}(?:,| :|$)", section, re.M))


#: An entry of a docstring is about arrays, and says of what shape they are.
ARRAY = re.compile(r"\b(?:NDArray|ndarray|Tensor|array-like|array_like|array)s?\b")
SHAPED = re.compile(r"\bshapes?\b|\b(?:axes|axis)\b|\((?:[^()]+,[^()]*|\w+)\)")
#: Entries about arrays that no shape is said of, and why.
SHAPELESS = {
    "type": "a class, no array",
    "Never.": "it only raises",
    "of one value": "an array of one value, whatever its axes",
}
#: An entry says of what dtype an array is.
TYPED = re.compile(
    r"\bdtypes?\b|\bb?float(?:16|32|64|s|ing)?\b|\bu?int(?:8|16|32|64|egers?)?\b"
    r"|\bbool(?:eans?)?\b|\bwhole numbers?\b",
    re.IGNORECASE,
)
#: Where each array that goes in says of what dtype it may be; elsewhere one of a function does.
ALL_TYPED = ("gluon.np:", "gluon.np.linalg:", "gluon.np.random:")


def entries(doc: str, *titles: str) -> Iterator[tuple[str, str]]:
    """The entries in sections of a docstring: the head of each, and its whole text."""
    for title in titles:
        section = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-{{3,}}$|\Z)", doc, re.M | re.S)
        for entry in re.split(r"\n(?=\S)", section[1].strip()) if section else ():
            yield entry.partition("\n")[0], entry


def arrays(value: Any, *titles: str) -> list[tuple[str, str]]:
    """The entries about arrays in sections of the docstring of `value`, as `entries` gives them."""
    doc = inspect.cleandoc(value.__doc__ or "")
    return [
        (head, entry)
        for head, entry in entries(doc, *titles)
        if ARRAY.search(head.partition(" : ")[2] or head)
    ]


def shapeless(value: Any) -> list[str]:
    """The arrays that a docstring says no shape of."""
    found = arrays(value, "Parameters", "Returns", "Yields")
    return [
        head
        for head, entry in found
        if not SHAPED.search(entry) and not any(word in entry for word in SHAPELESS)
    ]


def typeless(name: str, value: Any) -> list[str]:
    """The arrays among the parameters that a docstring says no dtype of."""
    given = arrays(value, "Parameters")
    found = [head for head, entry in given if not TYPED.search(entry)]
    return found if name.startswith(ALL_TYPED) or len(found) == len(given) else []


def lacking(value: Any, owner: type | None = None) -> list[str]:
    """List what is missing in the docstring of a function or class, or of a method of `owner`."""
    doc = inspect.cleandoc(value.__doc__ or "")
    there = sections(doc)
    missing = [] if doc.partition("\n\n")[0].strip() else ["a summary"]
    missing += [name for name in parameters(value) if not described(doc, name)]
    if may_raise(value) and "Raises" not in there:
        missing.append("Raises")
    # the summary of a method without arguments describes its result
    if gives(value) and (owner is None or parameters(value)) and "Returns" not in there:
        missing += [] if "\nYields\n" in doc else ["Returns"]
    shown = inspect.cleandoc(getattr(owner, "__doc__", None) or "").partition("\nExamples\n")[2]
    if "Examples" not in there and not re.search(rf"\b{value.__name__}\b", shown):
        missing.append("Examples")
    return missing


def of(module: str, names: dict[str, Any]) -> dict[str, Any]:
    """The `names` that are defined in a module."""
    return {name: value for name, value in names.items() if name.startswith(f"{module}:")}


@pytest.mark.parametrize("module", sorted({name.partition(":")[0] for name in KNOWN}))
def test_what_is_public_is_explained(module):
    faults = {name: lacking(value) for name, value in of(module, KNOWN).items()}
    for name, (owner, method) in of(module, METHODS).items():
        faults[name] = lacking(method, owner)
    assert {name: missing for name, missing in faults.items() if missing} == {}


@each("name", FACES)
def test_what_a_face_says_is_true(name):
    value = FACES[name]
    checked = [value, *methods(value).values()] if inspect.isclass(value) else [value]
    for one in checked:
        doc = inspect.cleandoc(one.__doc__ or "")
        assert doc, one
        words = [head.partition(" : ")[0] for head, _ in entries(doc, "Parameters")]
        named = {word.lstrip("*") for part in words for word in part.split(", ")}
        assert named <= {*inspect.signature(one).parameters}, one


@pytest.mark.parametrize("module", sorted({name.partition(":")[0] for name in KNOWN}))
def test_arrays_have_a_shape_and_a_dtype(module):
    names = of(module, EVERYTHING) | {name: one for name, (_, one) in of(module, METHODS).items()}
    names |= of(module, APPLIED)
    faults = {name: shapeless(value) + typeless(name, value) for name, value in names.items()}
    assert {name: missing for name, missing in faults.items() if missing} == {}


@each("name", MADE, size=10)
def test_the_examples_of_a_function_that_a_table_makes_run(name):
    (examples,) = doctest.DocTestFinder(recurse=False).find(MADE[name], name, globs={})
    found: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=found.append)
    assert result.attempted > 1
    assert not result.failed, "".join(found)
