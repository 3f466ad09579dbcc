"""Type checkers understand what users write, and editors complete every public name.

`good_*.py` are right, in the eyes of the strictest settings; in `bad_*.py`, each line that ends
with ``# error`` is wrong.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from gluon import nd
from gluon._core.hints.lookup import Refused
from gluon.nd.activation import ACTIVATIONS, ActivationName

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = sorted([*HERE.glob("good_*.py"), *HERE.glob("bad_*.py")])
TUTORIALS = sorted((ROOT / "tutorials").glob("*.py"))
STRICT = ("--strict", "--config-file=", "--follow-imports=silent")
#: The modules whose names editors complete.
NAMESPACES = [
    "gluon",
    *(
        f"gluon.{name}"
        for name in (
            "autodiff autograd block callback func func.tree contrib contrib.cnn contrib.data"
            " contrib.data.text contrib.estimator contrib.nn contrib.rnn contrib.text"
            " contrib.text.embedding contrib.text.utils contrib.text.vocab data data.vision"
            " data.vision.transforms distributed autograd.function image initializer io"
            " kvstore loss lr_scheduler megengine megengine.autodiff megengine.data"
            " megengine.data.transform megengine.functional megengine.module"
            " megengine.optimizer megengine.random metric model model_zoo.vision module"
            " monitor nd nd.contrib nd.image nd.linalg nd.random nd.sparse ndarray nn np"
            " np.linalg np.random npx npx.image npx.random onnx operator optimizer"
            " parameter profiler progress random recordio registry rnn runtime symbol"
            " symbol.contrib symbol.image symbol.linalg symbol.np symbol.np.linalg"
            " symbol.np.random symbol.npx symbol.random symbol.sparse test_utils trainer"
            " util utils viz"
        ).split()
    ),
]
#: How many names are asked for in a script: jedi looks at 300 things in one, no more.
AT_ONCE = 20

pytestmark = pytest.mark.slow


def wrong(page: Path) -> list[int]:
    """The numbers of the lines that are marked."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return [k for k, line in enumerate(lines, 1) if line.endswith("# error")]


def run(*command: object, **variables: str) -> str:
    """The output of a type checker."""
    words = [sys.executable, "-m", *map(str, command)]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    settings |= variables
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env=settings)
    assert done.returncode in (0, 1), done.stderr  # otherwise it did not check
    return done.stdout


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """The command of mypy with the strictest settings; what it knows of gluon is kept."""
    pytest.importorskip("mypy")
    return ("mypy", *STRICT, f"--cache-dir={tmp_path_factory.mktemp('mypy')}")


@pytest.fixture(scope="module")
def by_mypy(strict):
    printed = run(*strict, *PAGES)
    found = re.findall(r"^(.+?):(\d+): (error: .+)$", printed, re.M)
    return [(Path(file).name, int(line), text) for file, line, text in found]


@pytest.fixture(scope="module")
def by_pyright():
    pytest.importorskip("pyright")
    found = json.loads(run("pyright", "--outputjson", *PAGES))["generalDiagnostics"]
    return [
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
        for one in found
        if one["severity"] == "error"
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("checker", ["by_mypy", "by_pyright"])
def test_a_type_checker_reports_what_is_wrong_and_nothing_else(page, checker, request):
    reports = request.getfixturevalue(checker)
    found = {line: text for name, line, text in reports if name == page.name}
    marked = wrong(page)
    assert {line: text for line, text in found.items() if line not in marked} == {}
    assert [line for line in marked if line not in found] == []
    assert bool(marked) == page.name.startswith("bad_")


def others_of(paths: list[Path]) -> set[str]:
    """The modules of other libraries that programs import, and those above them."""
    found = set()
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text()))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module)
    known = {*sys.stdlib_module_names, "gluon", "numpy"}
    whole = {name for name in found if name.partition(".")[0] not in known}
    above = {name.rpartition(".")[0] for name in whole if "." in name}
    return whole | above | {"matplotlib.pyplot"}  # which is imported from its package


@pytest.fixture
def stubs(tmp_path):
    """A folder in which all that tutorials import from other libraries is of type Any.

    What is installed here, and how well it is typed, must not matter.
    """
    for name in others_of(TUTORIALS):
        stub = tmp_path.joinpath("stubs", *name.split("."), "__init__.pyi")
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text("from typing import Any\ndef __getattr__(name: str) -> Any: ...\n")
    return tmp_path / "stubs"


def test_the_tutorials_pass_the_strictest_settings(stubs, strict):
    checked = run(*strict, *TUTORIALS, MYPYPATH=str(stubs))
    assert checked == f"Success: no issues found in {len(TUTORIALS)} source files\n"


def test_the_tutorials_are_right(stubs, tmp_path):
    pytest.importorskip("pyright")
    shutil.copytree(ROOT / "tutorials", tmp_path / "tutorials")
    settings = {"include": ["tutorials"], "stubPath": "stubs", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    found = json.loads(run("pyright", "--outputjson", "--project", tmp_path))
    faults = [one for one in found["generalDiagnostics"] if one["severity"] == "error"]
    assert [f"{one['file']}: {one['message']}" for one in faults] == []
    assert found["summary"]["filesAnalyzed"] >= len(TUTORIALS)


def test_the_names_of_activations_are_those_that_layers_take():
    assert get_args(ActivationName) == tuple(ACTIVATIONS)


def test_the_stubs_are_those_that_the_script_writes():
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "make_stubs.py", "--check"], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_stubs_are_right(tmp_path):
    pytest.importorskip("mypy")
    files = sorted((ROOT / "gluon").rglob("*.pyi"))
    checked = run("mypy", "--config-file=", f"--cache-dir={tmp_path}", *files)
    assert checked == f"Success: no issues found in {len(files)} source files\n"


def test_nearly_all_that_is_public_has_a_type():
    pytest.importorskip("pyright")
    report = json.loads(
        run("pyright", "--verifytypes", "gluon", "--ignoreexternal", "--outputjson")
    )
    assert report["typeCompleteness"]["completenessScore"] > 0.95


def written(code: str):
    """What jedi, as editors use it, knows of the code."""
    jedi = pytest.importorskip("jedi")
    return jedi.Script(code, project=jedi.Project(ROOT, added_sys_path=[str(ROOT)]))


def public(module: ModuleType) -> list[str]:
    """The names that users find in a module."""
    own = getattr(module, "__all__", None)
    return own or [name for name in vars(module) if name[0] != "_" and name in dir(module)]


def is_ours(value: object) -> bool:
    """Whether a value is a function or class of gluon, not one of NumPy under its name there."""
    return callable(value) and (getattr(value, "__module__", None) or "").startswith("gluon")


@pytest.mark.parametrize("path", NAMESPACES)
def test_an_editor_completes_each_name_and_finds_its_definition(path):
    module = importlib.import_module(path)
    start = f"import {path}\n{path}."
    names = [name for name in public(module) if is_ours(getattr(module, name))]
    assert public(module)
    found = {one.name for one in written(start).complete()}
    assert {name for name in getattr(module, "__all__", names) if name not in found} == set()
    lost, unsigned = [], []
    for k in range(0, len(names), AT_ONCE):
        some = names[k : k + AT_ONCE]
        script = written(f"import {path}\n" + "".join(f"{path}.{name}()\n" for name in some))
        for line, name in enumerate(some, 2):
            end = len(path) + 1 + len(name)
            places = script.goto(line, end, follow_imports=True)
            lost += [] if places and "gluon" in str(places[0].module_path) else [name]
            unsigned += [] if script.get_signatures(line, end + 1) else [name]
    assert lost == []
    assert unsigned == []


def test_an_editor_completes_the_methods_of_a_result():
    found = written("from gluon import nd\ny = (nd.array([1]) * 2).exp()\ny.").complete()
    names = {name for name in dir(nd.NDArray) if name[0] != "_"}
    refused = {
        name for name in names if isinstance(inspect.getattr_static(nd.NDArray, name), Refused)
    }
    assert names - refused <= {one.name for one in found}
