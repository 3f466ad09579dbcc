"""Type checkers understand what users write, and editors complete every public name.

`good_*.py` are right, in the eyes of the strictest settings; in `bad_*.py`, each line that ends
with ``# error`` is wrong.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gluon import autograd, metric, nd, nn, np, npx, optimizer
from gluon.megengine import functional
from gluon.ndarray.hints import Refused

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = sorted([*HERE.glob("good_*.py"), *HERE.glob("bad_*.py")])
TUTORIALS = sorted((ROOT / "tutorials").glob("*.py"))
STRICT = ("--strict", "--config-file=", "--follow-imports=silent")
#: The namespaces whose names editors complete.
NAMESPACES = [
    *(nd, nd.contrib, nd.image, nd.linalg, nd.random, np, np.linalg, np.random, npx, npx.random),
    *(autograd, functional, metric, nn, optimizer),
]

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
def by_mypy(tmp_path_factory):
    pytest.importorskip("mypy")
    cache = tmp_path_factory.mktemp("mypy")
    printed = run("mypy", *STRICT, f"--cache-dir={cache}", *PAGES)
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


def test_the_tutorials_pass_the_strictest_settings(stubs, tmp_path):
    pytest.importorskip("mypy")
    checked = run("mypy", *STRICT, f"--cache-dir={tmp_path}", *TUTORIALS, MYPYPATH=str(stubs))
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


@pytest.mark.parametrize("module", NAMESPACES, ids=lambda module: module.__name__)
def test_an_editor_completes_each_name_and_finds_its_definition(module):
    start = f"import gluon\n{module.__name__}."
    assert set(module.__all__) <= {one.name for one in written(start).complete()}
    lost, unsigned = [], []
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isroutine(value) and value.__module__.startswith("gluon"):  # not NumPy's own
            script = written(f"{start}{name}(")
            found = script.goto(2, len(module.__name__) + 2, follow_imports=True)
            lost += [] if found and "gluon" in str(found[0].module_path) else [name]
            unsigned += [] if script.get_signatures() else [name]
    assert lost == []
    assert unsigned == []


def test_an_editor_completes_the_methods_of_a_result():
    found = written("from gluon import nd\ny = (nd.array([1]) * 2).exp()\ny.").complete()
    names = {name for name in dir(nd.NDArray) if name[0] != "_"}
    refused = {
        name for name in names if isinstance(inspect.getattr_static(nd.NDArray, name), Refused)
    }
    assert names - refused <= {one.name for one in found}
