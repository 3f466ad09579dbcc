"""Editors show functions under their own names, and complete what has a type."""

from __future__ import annotations

import ast
import importlib
import inspect
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import gluon
from gluon import autograd
from tests.typing.language_server import LanguageServer

ROOT = Path(__file__).resolve().parents[2]
#: The modules whose functions are shown, and arrays whose methods are.
MODULES = (
    "nd nd.contrib nd.image nd.linalg nd.random np np.linalg np.random npx npx.image"
    " npx.random symbol symbol.contrib symbol.image symbol.linalg symbol.np symbol.np.linalg"
    " symbol.np.random symbol.npx symbol.random megengine.functional"
    " megengine.functional.elemwise megengine.functional.loss megengine.functional.math"
    " megengine.functional.nn"
).split()
ARRAYS = {
    "gluon.nd.NDArray": "from gluon import nd\nx = nd.array([1])\n",
    "gluon.np.ndarray": "from gluon import np\nx = np.array([1])\n",
    "gluon.symbol.Symbol": "from gluon import sym\nx = sym.var('x')\n",
    "gluon.symbol.np_symbol.NpSymbol": "from gluon import sym\nx = sym.var('x').as_np_ndarray()\n",
    "gluon.megengine.Tensor": "from gluon.megengine import Tensor\nx = Tensor([1])\n",
}
#: How many names are asked for in a script: jedi looks at 300 things in one, no more.
AT_ONCE = 40

pytestmark = pytest.mark.slow


def defined(module: str) -> set[str]:
    """The names that the source of a module defines or passes on."""
    found = importlib.import_module(module)
    if hasattr(found, "__all__"):
        return {name for name in found.__all__ if name[0] != "_"}
    values = vars(found).items()
    names = {k for k, v in values if getattr(v, "__module__", "") == "gluon.symbol"}
    for node in ast.parse(Path(found.__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {one.name for one in node.names if one.asname == one.name}
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    return {name for name in names if name[0] != "_"}


def functions_of(module: str) -> dict[str, object]:
    values = {name: getattr(importlib.import_module(module), name) for name in defined(module)}
    ours = {k: v for k, v in values.items() if inspect.isfunction(v)}
    return {k: v for k, v in sorted(ours.items()) if v.__module__.startswith("gluon")}


def methods_of(path: str) -> dict[str, object]:
    module, _, name = path.rpartition(".")
    kind = getattr(importlib.import_module(module), name)
    values = {one: inspect.getattr_static(kind, one) for one in dir(kind) if one[0] != "_"}
    return {name: value for name, value in values.items() if inspect.isfunction(value)}


def places() -> Iterator[tuple[str, str, dict[str, object]]]:
    """The beginning of a script, an expression in it, and the functions that it has."""
    for name in MODULES:
        yield f"import gluon.{name}\n", f"gluon.{name}", functions_of(f"gluon.{name}")
    for path, start in ARRAYS.items():
        yield start, "x", methods_of(path)


PLACES = list(places())
NAMES = [*MODULES, *ARRAYS]


def first_line(value: object) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0]


def scripted(code: str):
    jedi = pytest.importorskip("jedi")
    return jedi.Script(code, project=jedi.Project(ROOT, added_sys_path=[str(ROOT)]))


@pytest.mark.parametrize(("start", "owner", "functions"), PLACES, ids=NAMES)
def test_jedi_shows_each_function_by_its_name_signature_and_docs(start, owner, functions):
    assert functions
    wrong, names = [], list(functions)
    for k in range(0, len(names), AT_ONCE):
        some = names[k : k + AT_ONCE]
        script = scripted(start + "".join(f"{owner}.{name}\n" for name in some))
        for line, name in enumerate(some, start.count("\n") + 1):
            for ask in (script.help, script.infer):
                found = ask(line, len(owner) + 2)
                shown = found[0].docstring() if found and found[0].name == name else ""
                if not (shown.startswith(f"{name}(") and first_line(functions[name]) in shown):
                    wrong.append((name, ask.__name__, shown[:80]))
    assert wrong == []


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    pytest.importorskip("pyright")
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    with LanguageServer(tmp_path_factory.mktemp("editor"), settings) as found:
        yield found


@pytest.mark.parametrize(("start", "owner", "functions"), PLACES, ids=NAMES)
def test_pyright_shows_each_function_by_its_name_signature_and_docs(
    start, owner, functions, server, request
):
    text = start + "".join(f"{owner}.{name}\n" for name in functions)
    uri = server.open(f"{request.node.callspec.id}.py", text)
    wrong = []
    for line, (name, value) in enumerate(functions.items(), start.count("\n")):
        shown = server.hover(uri, line, len(owner) + 2)
        if f"def {name}(" not in shown or first_line(value) not in shown:
            wrong.append((name, shown[:80]))
    assert wrong == []


#: Scripts, and names that the last expression completes.
COMPLETED = {
    "autograd.grad(x, x)[0]": "attach_grad exp",
    "autograd.grad(z, [z, z])[0]": "attach_grad cumprod",
    "autograd.hessian(lambda x: x.sum(), x)": "attach_grad exp",
    "autograd.hessian(lambda x, z: x.sum(), (z, z))[0][1]": "attach_grad cumprod",
    "autograd.hessian(lambda x, z: x.sum(), (x, z), 1)": "attach_grad",
    "autograd.jacobian(lambda x: x * x, x)": "attach_grad exp",
    "autograd.jacobian(square, [x, x])[1]": "attach_grad exp",
    "autograd.value_and_grad(square)(x)[0]": "attach_grad exp",
    "autograd.value_and_grad(square)(x)[1]": "attach_grad exp",
    "autograd.value_and_grad(lambda x: x.sum())(x)[1]": "attach_grad asnumpy",
    "autograd.value_and_grad(square, [0])(x)[1][0]": "attach_grad exp",
    "loss(x, x)[1]": "attach_grad asnumpy",
    "autograd.vjp(square, x)[1]": "attach_grad exp",
    "autograd.jvp(square, x, x)[1]": "attach_grad exp",
    "autograd.hvp(square, x, x)[1]": "attach_grad exp",
    "x.grad": "attach_grad exp",
    "z.grad": "attach_grad cumprod",
    "t.grad": "numpy astype",
    "nn.Sequential()[0]": "collect_params initialize",
    "nn.HybridSequential()[-1].collect_params()": "get zero_grad",
    "nn.HybridSequential()[:1]": "hybridize add",
}
START = """from gluon import autograd, nd, nn, np
from gluon.megengine import Tensor
x, z, t = nd.array([1]), np.array([1]), Tensor([1])
def square(x: nd.NDArray) -> nd.NDArray:
    return x * x
@autograd.value_and_grad
def loss(w, x):
    return ((x - w) ** 2).mean()
"""


@pytest.mark.parametrize("code", COMPLETED)
def test_jedi_completes_what_has_a_type(code):
    found = {one.name for one in scripted(f"{START}{code}.").complete()}
    assert {*COMPLETED[code].split()} - found == set()


@pytest.mark.parametrize("code", COMPLETED)
def test_pyright_completes_what_has_a_type(code, server):
    uri = server.open(f"completed{list(COMPLETED).index(code)}.py", f"{START}{code}.")
    found = server.complete(uri, START.count("\n"), len(code) + 1)
    assert {*COMPLETED[code].split()} - found == set()


#: What editors complete besides the names in `__all__`: modules that are public as well.
ALSO = {
    "gluon": {"block", "jitted", "megengine", "mxnet", "ndarray", "parameter", "trainer"},
    "gluon.autograd.functional": set(),
}


@pytest.mark.parametrize("path", ALSO)
def test_public_names_alone_are_completed(path, server):
    module = importlib.import_module(path)
    uri = server.open(f"{path}.py", f"import {path}\n{path}.")
    offered = {
        "dir": {*dir(module)},
        "jedi": {one.name for one in scripted(f"import {path}\n{path}.").complete()},
        "pyright": server.complete(uri, 1, len(path) + 1),
    }
    for who, names in offered.items():
        public = {name for name in names if name[0] != "_"}
        assert (who, public - {*module.__all__} - ALSO[path]) == (who, set())
        assert (who, {*module.__all__} - public) == (who, set())


def test_the_names_of_autograd_functional_are_those_of_autograd():
    functional = importlib.import_module("gluon.autograd.functional")
    for name in functional.__all__:
        assert getattr(functional, name) is getattr(autograd, name)
    assert gluon.autograd.functional is functional
