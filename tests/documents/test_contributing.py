"""The examples of CONTRIBUTING.md work when they are applied to a copy of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def ends(title: str) -> list[tuple[str, str]]:
    """The code that a section adds at the ends of files, each with the name in its first line."""
    section = re.search(rf"^## {title}.*?(?=^## )", GUIDE, re.M | re.S)[0]
    found = re.findall(r"^ *```py\n *# (\S+)\n(.*?)^ *```$", section, re.M | re.S)
    return [(name, textwrap.dedent(text)) for name, text in found]


ENDS = ends("Add an optimizer, a layer")
OPERATOR = ends("Add an operator")
#: The new names, and the module where the section adds them.
NAMES = {
    "Lion": ("gluon/optimizer/__init__.py", "sgd"),
    "Scaled": ("gluon/nn/__init__.py", "activations"),
    "LogCoshLoss": ("gluon/loss/__init__.py", "regression"),
    "LargestError": ("gluon/metric/__init__.py", "regression"),
}
STEPS = "tests/optimizer/test_steps.py"
LAYERS = "tests/block/test_every_layer.py"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name} has {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")


def append(folder: Path, code: list[tuple[str, str]]) -> None:
    for name, text in code:
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write(f"\n\n{text}")


@pytest.fixture
def plain(tmp_path):
    """Return a copy of the repository, in which the modules of gluon are compiled."""
    ignored = shutil.ignore_patterns("__pycache__", "clients", "scripts")
    shutil.copytree(ROOT / "gluon", tmp_path / "gluon")
    for name in ("tests", "recorded", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("conftest.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def copy(plain):
    """Return the copy without the samples of the section, but with its other changes."""
    tmp_path = plain
    append(tmp_path, [one for one in ENDS if not one[0].startswith("tests/values/")])
    for name, (path, module) in NAMES.items():
        replace(tmp_path / path, "__all__ = [", f'__all__ = [\n    "{name}",')
        text = (tmp_path / path).read_text(encoding="utf-8")
        first = re.search(rf"^from \.{module} import ", text, re.M)[0]
        replace(tmp_path / path, first, f"from .{module} import {name}\n{first}")
    replace(tmp_path / STEPS, '    "FTML": {},', '    "FTML": {},\n    "Lion": {},')
    replace(tmp_path / LAYERS, '"nn": "Activation', '"nn": "Scaled Activation')
    replace(tmp_path / LAYERS, '"L1Loss ', '"LogCoshLoss L1Loss ')
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return subprocess.run(
        [*words, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )


def test_the_section_has_all_four():
    assert {name for _, text in ENDS for name in re.findall(r"^class (\w+)", text, re.M)} == {
        *NAMES
    }


@pytest.mark.slow
def test_the_examples_pass_the_tests_and_fail_them_without_samples(copy):
    without = run(copy, "tests/values", "-k", "a_class_has_a_test")
    for name in NAMES:
        assert f"{name} has no test of its values" in without.stdout, without.stdout[-3000:]
    assert f"{len(NAMES)} failed" in without.stdout

    append(copy, [one for one in ENDS if one[0].startswith("tests/values/")])
    files = sorted({name for name, _ in ENDS if name.startswith("gluon/")})
    tests = ["tests/values", "tests/test_docstrings.py", "tests/test_layers.py"]
    words = " or ".join([*NAMES, "lion", "is_made_here", "is_there", "test_values", "floor"])
    done = run(copy, *tests, STEPS, LAYERS, *files, "-k", words)
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 20, done.stdout[-6000:]
    assert done.returncode == 0, done.stdout[-6000:]


def test_an_operator_takes_the_six_edits_that_are_listed():
    section = re.search(r"^## Add an operator.*?(?=^## )", GUIDE, re.M | re.S)[0]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. \*\*", section, re.M)]
    assert numbers == [*range(1, 7)]
    # Of these, the name in `gluon/nd/__init__.py` does not stand at the end of a file.
    assert len(OPERATOR) == len(numbers) - 1
    assert "`from .elementwise import sech as sech`" in section


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("gluon/symbol/nd_functions.py", "_NAMES"),
        ("gluon/symbol/contrib.py", "_NAMES"),
        ("gluon/onnx/converters/elementwise.py", "SAME"),
        ("tests/_core/ops/test_drawn.py", "ND_STATED"),
        ("tests/_core/ops/test_drawn.py", "ND_CONSTANT"),
        ("tests/_core/native/test_elementwise.py", "ACCURACY"),
    ],
)
def test_the_tables_that_state_what_differs_are_where_it_says(path, name):
    assert f"`{name}`" in GUIDE
    assert re.search(rf"^{name}\b.* = ", (ROOT / path).read_text(encoding="utf-8"), re.M)


@pytest.mark.slow
def test_the_operator_passes_its_tests_and_fails_them_without_samples(plain):
    append(plain, [one for one in OPERATOR if not one[0].startswith("tests/")])
    replace(
        plain / "gluon/nd/__init__.py",
        "from .elementwise import log1p as log1p\n",
        "from .elementwise import log1p as log1p\nfrom .elementwise import sech as sech\n",
    )
    tests = [f"tests/{name}" for name in ("_core/ops/test_drawn.py", "values/test_symbols.py")]
    without = run(plain, *tests, "-k", "left_out or test_a_function_gives")
    assert "Extra items in the right set:\n'sech'" in re.sub("^E +", "", without.stdout, flags=re.M)
    assert "sym.sech has no test of its values" in without.stdout
    assert "2 failed" in without.stdout, without.stdout[-3000:]

    append(plain, [one for one in OPERATOR if one[0].startswith("tests/")])
    tests += [
        "tests/_core/ops/test_samples.py",
        "tests/symbol/test_samples.py",
        "tests/nd/test_arguments.py",
        "gluon/nd/elementwise.py",
    ]
    done = run(
        plain,
        *tests,
        "-k",
        "sech or every_operator or left_out or test_a_function_gives or inferred and elementwise",
    )
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 8, done.stdout[-6000:]
    assert done.returncode == 0, done.stdout[-6000:]
    code = """
from gluon import nd, sym
from gluon.onnx.exporting import model_of

y = sym.sech()
assert y.list_arguments() == ["sech0_data"], y.list_arguments()
x = nd.array([[0, 1, 2]])
again = sym.load_json(y.tojson())
assert (again.eval(sech0_data=x)[0] == nd.sech(x)).asnumpy().all()
assert again.infer_shape(sech0_data=(4, 5))[1] == [(4, 5)]
model = model_of(y, {}, {"sech0_data": (1, 3)}, {"sech0_data": "float32"}, None)
assert [node.op_type for node in model.graph.node] == ["Cosh", "Reciprocal"]
"""
    shown = subprocess.run([sys.executable, "-c", code], cwd=plain, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
