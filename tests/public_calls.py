"""Calls of all public functions of `nd`, `np` and `npx`, to be made again with other arguments.

They are gathered from the examples in docstrings, from ``tests/np/calls.py`` and from `EXTRA`. Each
argument of a call that is a number or an array, or has such a default, is a `Place` where
a caller can pass an array.
"""

from __future__ import annotations

import copy
import doctest
import inspect
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache, wraps
from io import StringIO
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy

from gluon import nd, np, npx
from gluon._core.engine.array import Array
from gluon._core.engine.op import RECORDED
from tests.np.calls import SAME, SLOPES, arrays

#: The namespaces whose functions are public, and their classes.
OWNERS: dict[str, Any] = {
    **{"nd": nd, "nd.NDArray": nd.NDArray, "nd.contrib": nd.contrib, "nd.image": nd.image},
    **{"nd.linalg": nd.linalg, "nd.random": nd.random, "nd.sparse": nd.sparse},
    **{"np": np, "np.ndarray": np.ndarray, "np.linalg": np.linalg, "np.random": np.random},
    **{"npx": npx, "npx.image": npx.image, "npx.random": npx.random},
}
#: The operators, which these functions call.
OPERATORS = {"F": RECORDED}
#: Special methods that take arrays.
SPECIAL = {
    f"__{one}__"
    for stem in ("add", "sub", "mul", "truediv", "mod", "pow", "matmul", "floordiv")
    for one in (stem, "r" + stem, "i" + stem)
} | {"__setitem__", "__getitem__", "__divmod__", "__rdivmod__"}
#: Calls of what no example calls; `x` is an array, `a` and `n` of one class each.
EXTRA = """
nd.Concat(n, n)
nd.Pad(nd.ones((1, 1, 2, 2)), mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1))
nd.Softmax(n, nd.array([0, 1]))
nd.crop(n, begin=(0, 0), end=(1, 1))
nd.choose_element_0index(n, nd.array([0, 1]))
np.divmod(a, 2.0)
np.block([a[0], 3.0])
np.pad(a, 1, constant_values=2.0)
np.pad(a, 1, constant_values=(2.0, 1.0))
np.nan_to_num(a, nan=1.0, posinf=2.0, neginf=3.0)
np.clip(a, 0.0, 2.0)
np.full((2,), 1.0)
np.full_like(a, 1.0)
np.where(a > 1, 1.0, a)
np.interp(a, a[0], a[0], left=0.0, right=1.0)
np.unwrap(a, period=6.0)
np.einsum("ij,kj", a, a)
np.insert(a, 1, 2.0)
np.append(a, [1.0])
np.poly(a[0])
np.put(a, 0, 1.0)
np.place(a, a > 1, [1.0])
np.putmask(a, a > 1, [1.0])
np.copyto(a, 1.0)
np.fill_diagonal(a, 1.0)
np.put_along_axis(a, np.zeros((1, 2), dtype=int), 1.0, 0)
np.random.normal(1.0, 2.0, (2,))
a.fill(1.0)
a.__setitem__(0, 2.0)
a.__setitem__(0, [1.0, 2.0])
n.__setitem__(0, 2.0)
n.__setitem__(0, [1.0, 2.0])
"""
for _owner in ("a", "n"):
    for _stem in ("add", "sub", "mul", "truediv", "mod", "pow"):
        for _method in (_stem, "r" + _stem, "i" + _stem):
            EXTRA += f"{_owner}.__{_method}__({_owner})\n{_owner}.__{_method}__(2.0)\n"
for _stem in ("matmul", "floordiv", "divmod"):
    for _method in (_stem, "r" + _stem):
        EXTRA += f"a.__{_method}__(a[:, :2])\n"


class Call(NamedTuple):
    """A recorded call: the function, and copies of the arguments."""

    owner: str
    name: str
    function: Callable
    args: tuple
    kwargs: dict

    def parameters(self) -> dict[str, inspect.Parameter]:
        try:
            return dict(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return {}

    def argument(self, place: int) -> str:
        """The name of a positional argument; ``...`` for one of ``*args``."""
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
        names = [one.name for one in self.parameters().values() if one.kind in kinds]
        return names[place] if place < len(names) else "..."


class Place(NamedTuple):
    """An argument, or a part of one, and the keys that lead to it."""

    argument: str
    path: tuple


def functions(owner: Any) -> dict[str, Callable]:
    """The public functions of a module, or the methods of a class, but for NumPy's own."""
    if isinstance(owner, type):
        found = {k: v for cls in owner.__mro__[1::-1] for k, v in vars(cls).items()}
        found = {k: v for k, v in found.items() if k[0] != "_" or k in SPECIAL}
    elif isinstance(owner, SimpleNamespace):
        found = vars(owner)
    else:
        names = getattr(owner, "__all__", None) or dir(owner)
        found = {k: getattr(owner, k) for k in names if k[0] != "_"}
    return {k: v for k, v in found.items() if inspect.isfunction(v) and v.__module__[:5] != "numpy"}


def copied(value: Any) -> Any:
    """Arguments whose arrays nothing else writes to."""
    if isinstance(value, Array):
        return copy.deepcopy(value)
    if isinstance(value, numpy.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    return type(value)(map(copied, value)) if type(value) in (tuple, list) else value


@contextmanager
def captured(owners: dict[str, Any]) -> Iterator[list[Call]]:
    """The outermost calls of functions of `owners` inside."""
    calls: list[Call] = []
    depth = 0

    def watched(owner: str, name: str, function: Callable) -> Callable:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal depth
            if not depth:
                calls.append(Call(owner, name, function, *copied((args, kwargs))))
            depth += 1
            try:
                return function(*args, **kwargs)
            finally:
                depth -= 1

        return call

    before = []
    try:
        for name, owner in owners.items():
            for key, function in functions(owner).items():
                before.append((owner, key, vars(owner).get(key)))
                setattr(owner, key, watched(name, key, function))
        yield calls
    finally:
        for owner, key, function in before:
            if function is None:
                delattr(owner, key)
            else:
                setattr(owner, key, function)


def run_examples() -> None:
    """Run all the calls."""
    texts = {inspect.getdoc(f): k for o in OWNERS.values() for k, f in functions(o).items()}
    runner = doctest.DocTestRunner(verbose=False)
    for text, key in texts.items():
        test = doctest.DocTestParser().get_doctest(text or "", {}, key, None, None)
        runner.run(test, out=lambda _: None)
        npx.reset_np()
    given = {
        name: np.array(raw, dtype="float32" if raw.dtype.kind == "f" else raw.dtype)
        for name, raw in arrays().items()
    }
    for group in (SAME, SLOPES):
        for line in (line for lines in group.values() for line in lines):
            eval(line, {"np": np, **given})
    for line in EXTRA.strip().splitlines():
        a, n = np.array([[1, 2], [3, 4.5]]), nd.array([[1, 2], [3, 4.5]])
        eval(line, {"np": np, "nd": nd, "a": a, "n": n})


@cache
def calls(of_operators: bool = False) -> tuple[Call, ...]:
    """The public calls, or those of operators that they make, each kind a few times."""
    here = os.getcwd()
    with (
        tempfile.TemporaryDirectory() as folder,
        warnings.catch_warnings(),
        numpy.printoptions(),
        numpy.errstate(),
    ):
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            owners = OPERATORS if of_operators else OWNERS
            with captured(owners) as found, redirect_stdout(StringIO()):
                run_examples()
        finally:
            os.chdir(here)
    return tuple(found)


# ------------------------------------------------------------------------------ substitution


def is_numeric(value: Any) -> bool:
    """Whether a floating array can stand in place of `value`."""
    if isinstance(value, (bool, numpy.bool_)):
        return False
    if isinstance(value, (Array, numpy.ndarray)):
        return numpy.dtype(value.dtype).kind == "f"
    return value is None or isinstance(value, (int, float, numpy.number))


def places(call: Call, fits: Callable[[Any], bool] = is_numeric) -> list[Place]:
    """The places that `fits` accepts: arguments, elements of lists and tuples, and defaults."""
    found, seen = [], set(call.kwargs)
    for k, value in enumerate(call.args):
        name = call.argument(k)
        found += _inside(value, name, (k,), fits)
        seen.add(name)
    for key, value in call.kwargs.items():
        found += _inside(value, key, (key,), fits)
    return found + [
        Place(key, (key,))
        for key, one in call.parameters().items()
        if key not in seen and fits(one.default)
    ]


def _inside(value: Any, argument: str, path: tuple, fits: Callable) -> list[Place]:
    found = [Place(argument, path)] if fits(value) else []
    if type(value) in (tuple, list):
        for k in sorted({0, len(value) - 1}) if value else ():
            found += _inside(value[k], argument, (*path, k), fits)
        if found and not fits(value):
            found.insert(0, Place(argument, path))
    return found


def at(call: Call, path: tuple) -> Any:
    """The value at the end of `path`; None if there is none."""
    value: Any = call.args if isinstance(path[0], int) else call.kwargs
    if path[0] not in (range(len(value)) if isinstance(path[0], int) else value):
        return None
    for key in path:
        value = value[key]
    return value


def replaced(call: Call, path: tuple, value: Any) -> tuple[tuple, dict]:
    """The arguments of the call with `value` at the end of `path`."""
    args, kwargs = copied((call.args, call.kwargs))
    if isinstance(path[0], int):
        return _with(args, path, value), kwargs
    return args, {**kwargs, path[0]: _with(kwargs.get(path[0]), path[1:], value)}


def _with(tree: Any, path: tuple, value: Any) -> Any:
    if not path:
        return value
    parts = list(tree)
    parts[path[0]] = _with(parts[path[0]], path[1:], value)
    return type(tree)(parts)


def arrays_in(value: Any) -> Iterator[Array]:
    """The arrays of gluon in a value."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays_in(part)


def reaches(node: Any, leaf: Any) -> bool:
    """Whether the history of `node` leads back to `leaf`."""
    seen, stack = set(), [node]
    while stack:
        one = stack.pop()
        if one is leaf:
            return True
        if id(one) not in seen:
            seen.add(id(one))
            stack.extend(edge for edge in one.edges or () if edge is not None)
    return False
